using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Example.Banking
{
    /// <summary>
    /// An account that remembers what happened to it.
    /// </summary>
    [Serializable]
    public sealed class Account<TCurrency> : IAccount, IDisposable
        where TCurrency : struct, ICurrency
    {
        private static readonly Dictionary<string, decimal> Fees = new()
        {
            ["open"] = 0m,
            ["close"] = 5m,
            ["wire"] = 12.5m,
            // ... (10 lines)
        };

        private readonly List<Entry> entries = new();
        private decimal balance;

        public event EventHandler<Entry>? Changed;

        public Account(string owner, decimal start = 0m) : base()
        {
            // ... (3 lines)
        }

        ~Account()
        {
            Dispose();
        }

        /// <summary>Who it belongs to.</summary>
        public string Owner { get; init; }

        public decimal Balance
        {
            get => balance;
            private set
            {
                // ... (3 lines)
            }
        }

        public Entry this[int index] => entries[index];

        /// <summary>Takes money out.</summary>
        /// <exception cref="InvalidOperationException">There is not enough.</exception>
        [Obsolete("use TransferAsync")]
        public async Task<bool> WithdrawAsync<TReason>(decimal amount, TReason reason)
            where TReason : notnull
        {
            // ... (7 lines)
        }

        public static Account<TCurrency> operator +(Account<TCurrency> left, decimal amount)
        {
            // ... (3 lines)
        }

        public static implicit operator decimal(Account<TCurrency> account) => account.balance;

        public void Dispose() => entries.Clear();

        private readonly Func<Entry, bool> isFee = entry =>
        {
            // ... (3 lines)
        };

        private enum State { Open, Frozen, Closed }
    }

    public record Entry(string Name, decimal Amount)
    {
        public string Text => $"""
            {Name}
              {Amount}
            """;

        public bool Same(Entry other)
        {
            // ... (3 lines)
        }
    }

    public interface IAccount
    {
        string Owner { get; }
        Task<bool> WithdrawAsync<TReason>(decimal amount, TReason reason) where TReason : notnull;
    }
}

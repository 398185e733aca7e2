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
            ["card"] = 20m,
            ["cash"] = 1m,
            ["cheque"] = 3m,
            ["rush"] = 9m,
            ["paper"] = 2m,
            ["abroad"] = 7m,
            ["safe"] = 50m,
            ["alert"] = 0.1m,
            ["audit"] = 99m,
            ["letter"] = 4m,
        };

        private readonly List<Entry> entries = new();
        private decimal balance;

        public event EventHandler<Entry>? Changed;

        public Account(string owner, decimal start = 0m) : base()
        {
            Owner = owner ?? throw new ArgumentNullException(nameof(owner));
            balance = start;
            entries.Add(new Entry("open", start));
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
                var before = balance;
                balance = value;
                Changed?.Invoke(this, new Entry("change", value - before));
            }
        }

        public Entry this[int index] => entries[index];

        /// <summary>Takes money out.</summary>
        /// <exception cref="InvalidOperationException">There is not enough.</exception>
        [Obsolete("use TransferAsync")]
        public async Task<bool> WithdrawAsync<TReason>(decimal amount, TReason reason)
            where TReason : notnull
        {
            if (amount > balance)
            {
                throw new InvalidOperationException($"only {balance} left");
            }
            await Task.Yield();
            Balance -= amount;
            return true;
        }

        public static Account<TCurrency> operator +(Account<TCurrency> left, decimal amount)
        {
            left.Balance += amount;
            left.entries.Add(new Entry("add", amount));
            return left;
        }

        public static implicit operator decimal(Account<TCurrency> account) => account.balance;

        public void Dispose() => entries.Clear();

        private readonly Func<Entry, bool> isFee = entry =>
        {
            var name = entry.Name;
            var known = Fees.ContainsKey(name);
            return known && entry.Amount < 0;
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
            var names = Name == other.Name;
            var amounts = Amount == other.Amount;
            return names && amounts;
        }
    }

    public interface IAccount
    {
        string Owner { get; }
        Task<bool> WithdrawAsync<TReason>(decimal amount, TReason reason) where TReason : notnull;
    }
}

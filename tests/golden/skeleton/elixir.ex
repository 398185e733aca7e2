defmodule Library.Loans do
  @moduledoc """
  Who has borrowed which book.

  This text says end and do, and means neither.
  """

  use GenServer, restart: :transient
  import Ecto.Query, only: [from: 2]
  alias Library.{Book, Reader}
  alias Library.Loans.Loan

  @longest 28
  @states ~w(open late returned)a

  defstruct [:book, :reader, due: nil]

  @type t :: %__MODULE__{book: Book.t(), reader: Reader.t()}

  defmodule TooMany do
    defexception message: "no more books, please"

    def exception(count) do
      limit = Application.get_env(:library, :limit)
      text = "#{count} of #{limit}"
      %__MODULE__{message: text}
    end
  end

  @doc """
  Lends a book.
  """
  @spec lend(Book.t(), Reader.t()) :: {:ok, Loan.t()} | {:error, atom}
  def lend(%Book{} = book, %Reader{loans: loans} = reader) when length(loans) < 5 do
    if Book.available?(book) do
      due = Date.add(Date.utc_today(), @longest)
      {:ok, %Loan{book: book, reader: reader, due: due}}
    else
      {:error, :lent}
    end
  end

  def lend(_book, reader), do: {:error, {:too_many, reader.id}}

  def late?(loan), do: Date.compare(loan.due, Date.utc_today()) == :lt

  def late_loans(loans) do
    loans
    |> Enum.filter(fn loan -> late?(loan) end)
    |> Enum.sort_by(& &1.due)
  end

  defp remind!(loan) do
    case Mailer.deliver(loan.reader.email, "Please return #{loan.book.title}") do
      {:ok, _} -> :ok
      {:error, reason} -> raise "cannot send: #{inspect(reason)}"
    end
  end

  defmacro with_loan(id, do: block) do
    quote do
      var!(loan) = Library.Loans.get!(unquote(id))
      unquote(block)
    end
  end

  @impl true
  def init(state) do
    schedule(~r/"(do|end)"/)
    Process.send_after(self(), :tick, 1_000)
    {:ok, state}
  end
end

defprotocol Library.Describable do
  @doc "A line about it."
  def describe(thing)
end

defimpl Library.Describable, for: Library.Book do
  def describe(%{title: title, author: author}) do
    quoted = ~s("#{title}")
    year = ?1
    "#{quoted} by #{author}, #{year}"
  end
end

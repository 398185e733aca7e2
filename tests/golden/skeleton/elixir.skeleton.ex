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
      # ... (3 lines)
    end
  end

  @doc """
  Lends a book.
  """
  @spec lend(Book.t(), Reader.t()) :: {:ok, Loan.t()} | {:error, atom}
  def lend(%Book{} = book, %Reader{loans: loans} = reader) when length(loans) < 5 do
    # ... (6 lines)
  end

  def lend(_book, reader), do: {:error, {:too_many, reader.id}}

  def late?(loan), do: Date.compare(loan.due, Date.utc_today()) == :lt

  def late_loans(loans) do
    # ... (3 lines)
  end

  defp remind!(loan) do
    # ... (4 lines)
  end

  defmacro with_loan(id, do: block) do
    # ... (4 lines)
  end

  @impl true
  def init(state) do
    # ... (3 lines)
  end
end

defprotocol Library.Describable do
  @doc "A line about it."
  def describe(thing)
end

defimpl Library.Describable, for: Library.Book do
  def describe(%{title: title, author: author}) do
    # ... (3 lines)
  end
end

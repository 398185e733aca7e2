"""The bank's gateway, as far as we use it."""

from typing import Protocol


class Gateway(Protocol):
    """Moves money. A card is a token that the client got from the bank, never a number."""

    def charge(self, card: str, cents: int, key: str) -> str:
        """Takes money from a card; the same key twice takes it once. Returns the bank's reference."""
        ...

    def pay_back(self, reference: str, cents: int, key: str) -> None:
        """Gives money of an earlier charge back; the same key twice gives it once."""
        ...

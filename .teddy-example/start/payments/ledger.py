"""The ledger: every movement of money, in order, never changed."""

from dataclasses import dataclass

from payments.errors import UnknownPayment


@dataclass(frozen=True)
class Entry:
    """One movement."""

    payment: str
    kind: str
    cents: int
    reference: str


class Ledger:
    """Entries by payment."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def append(self, entry: Entry) -> None:
        """Writes a movement down."""
        self._entries.append(entry)

    def of(self, payment: str) -> list[Entry]:
        """The movements of one payment."""
        found = [entry for entry in self._entries if entry.payment == payment]
        if not found:
            raise UnknownPayment(payment)
        return found

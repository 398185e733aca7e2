"""The payment service: the only place that moves money."""

from uuid import uuid4

from payments.errors import InvalidAmount
from payments.gateway import Gateway
from payments.ledger import Entry, Ledger


class PaymentService:
    """Charges cards through the gateway and writes every movement into the ledger."""

    def __init__(self, gateway: Gateway, ledger: Ledger) -> None:
        self._gateway = gateway
        self._ledger = ledger

    def charge(self, card: str, cents: int) -> str:
        """Charges a card; returns the payment's id."""
        if cents <= 0:
            raise InvalidAmount(cents)
        payment = str(uuid4())
        reference = self._gateway.charge(card, cents, key=payment)
        self._ledger.append(Entry(payment, "charge", cents, reference))
        return payment

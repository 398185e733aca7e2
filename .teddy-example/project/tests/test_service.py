"""What the payment service promises."""

import pytest

from payments.errors import InvalidAmount, RefundTooLarge
from payments.ledger import Ledger
from payments.service import PaymentService


class FakeGateway:
    def __init__(self) -> None:
        self.moved: list[tuple[str, int]] = []

    def charge(self, card: str, cents: int, key: str) -> str:
        self.moved.append((card, cents))
        return f"ref-{len(self.moved)}"

    def pay_back(self, reference: str, cents: int, key: str) -> None:
        self.moved.append((reference, -cents))


@pytest.fixture
def service() -> PaymentService:
    return PaymentService(FakeGateway(), Ledger())


def test_a_charge_is_in_the_ledger(service: PaymentService) -> None:
    payment = service.charge("tok_1", 500)
    assert [entry.cents for entry in service._ledger.of(payment)] == [500]


def test_nothing_cannot_be_charged(service: PaymentService) -> None:
    with pytest.raises(InvalidAmount):
        service.charge("tok_1", 0)


def test_a_refund_in_parts_ends_at_nothing(service: PaymentService) -> None:
    payment = service.charge("tok_1", 500)
    assert service.refund(payment, 200) == 300
    assert service.refund(payment) == 0


def test_no_more_than_is_left_can_be_refunded(service: PaymentService) -> None:
    payment = service.charge("tok_1", 500)
    with pytest.raises(RefundTooLarge):
        service.refund(payment, 501)

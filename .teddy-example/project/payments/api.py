"""The HTTP side: requests in, JSON out."""

from payments.errors import PaymentError
from payments.service import PaymentService


def post_payment(service: PaymentService, body: dict) -> tuple[int, dict]:
    """POST /payments with `card` and `cents`."""
    try:
        return 201, {"payment": service.charge(body["card"], body["cents"])}
    except PaymentError as error:
        return 422, {"error": type(error).__name__}

"""What can go wrong, in words that the API passes on."""


class PaymentError(Exception):
    """The base of all of them."""


class InvalidAmount(PaymentError):
    """An amount that is not a positive number of cents."""


class UnknownPayment(PaymentError):
    """No payment has this id."""

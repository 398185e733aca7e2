"""Charges cards and keeps a ledger."""

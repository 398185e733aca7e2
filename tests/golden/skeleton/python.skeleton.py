#!/usr/bin/env python3
"""Users and the ways to look them up."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Generic, Iterator, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")

RETRIES = 3
STATUS_WORDS = {
    200: "fine",
    201: "made",
    204: "nothing to say",
    # ... (11 lines)
}


@dataclass(frozen=True)
class User:
    """A person who may log in."""

    name: str
    email: str | None = None
    groups: list[str] = field(default_factory=list)

    @property
    def initials(self) -> str:
        """The first letters of all names."""
        return "".join(part[0] for part in self.name.split())

    def belongs_to(self, *groups: str, every: bool = False) -> bool:
        ...  # ... (5 lines)


class Store(Generic[T]):
    """Keeps things by name.

    Nothing is ever thrown away.
    """

    class Missing(KeyError):
        """There is nothing by that name."""

        def __init__(self, name: str, near: str | None = None):
            ...  # ... (3 lines)

    def __init__(self, db: Database, *, cache: dict[str, T] | None = None):
        ...  # ... (5 lines)

    async def get(
        self,
        name: str,
        default: T | None = None,
    ) -> T:
        """Fetch a thing by its name.

        Asks the database only once for each name.
        """
        ...  # ... (10 lines)

    def __iter__(self) -> Iterator[T]:
        ...  # ... (4 lines)

    @staticmethod
    def _key(name: str) -> str: return name.casefold()


def report(users: list[User], template: str = """\
Dear {name},
    def not_a_function(): pass
""") -> str:
    ...  # ... (4 lines)


if __name__ == "__main__":
    print(report([User("Ada")]))

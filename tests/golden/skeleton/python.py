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
    301: "moved",
    304: "as before",
    400: "bad question",
    401: "who are you",
    403: "not for you",
    404: "not there",
    409: "in conflict",
    418: "a teapot",
    429: "too often",
    500: "broken",
    503: "busy",
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
        # A set makes the comparison short.
        mine = set(self.groups)
        if every:
            return mine.issuperset(groups)
        return bool(mine.intersection(groups))


class Store(Generic[T]):
    """Keeps things by name.

    Nothing is ever thrown away.
    """

    class Missing(KeyError):
        """There is nothing by that name."""

        def __init__(self, name: str, near: str | None = None):
            super().__init__(name)
            self.name = name
            self.near = near

    def __init__(self, db: Database, *, cache: dict[str, T] | None = None):
        self.db = db
        self._cache = cache or {}
        self._lock = asyncio.Lock()
        self._misses = 0
        # Filled on the first miss, see get().

    async def get(
        self,
        name: str,
        default: T | None = None,
    ) -> T:
        """Fetch a thing by its name.

        Asks the database only once for each name.
        """
        async with self._lock:
            if name not in self._cache:
                self._misses += 1
                try:
                    self._cache[name] = await self.db.fetch(name)
                except LookupError as error:
                    if default is None:
                        raise Store.Missing(name) from error
                    return default
            return self._cache[name]

    def __iter__(self) -> Iterator[T]:
        def by_age(item):
            return item.age

        yield from sorted(self._cache.values(), key=by_age)

    @staticmethod
    def _key(name: str) -> str: return name.casefold()


def report(users: list[User], template: str = """\
Dear {name},
    def not_a_function(): pass
""") -> str:
    lines = []
    for user in users:
        lines.append(template.format(name=user.name))
    return "\n".join(lines)


if __name__ == "__main__":
    print(report([User("Ada")]))

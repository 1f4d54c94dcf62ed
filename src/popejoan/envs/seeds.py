"""Where the numbers of an environment come from: a seed, and the count of episodes under it.

Nothing here, nor anything above it, reads or moves a random generator that others share.
"""

from __future__ import annotations

import os
from operator import index
from typing import NamedTuple

__all__ = ["Seeding"]


class Seeding(NamedTuple):
    """Which episode comes next."""

    seed: int
    """The seed."""
    number: int = -1
    """The number of the last episode; -1 before the first."""

    @classmethod
    def next(cls, before: Seeding | None, seed: int | None) -> Seeding:
        """The next episode: the first of ``seed``, or the one after the last.

        Where there is neither, the seed is drawn from the operating system. Raises ValueError for
        a seed that is no whole number from 0 up.
        """
        if seed is None:
            if before is None:
                return cls(int.from_bytes(os.urandom(7), "little"), 0)
            return cls(before.seed, before.number + 1)
        try:
            number = index(seed)
        except TypeError:
            number = -1
        if number < 0:
            raise ValueError(f"seed={seed!r} is no whole number from 0 up")
        return cls(number, 0)

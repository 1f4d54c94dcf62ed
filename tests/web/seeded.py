"""``popejoan`` with the same packs every time, and Pope in a hand: a deal that is played.

    python -m tests.web.seeded SEED serve ...

In one deal of fifty-one Pope is turned up, and all is over before anyone has led. A test that
waits for a lead cannot leave that to chance.
"""

from __future__ import annotations

import random
import secrets
import sys
from collections.abc import Callable

from popejoan.__main__ import main
from popejoan.cards import PACK, POPE
from popejoan.web.deals import Pack

FEWEST_DEALT = 32
"""Whatever the number of players, so many cards from the top go into hands."""


def packs(seed: int) -> Callable[[], Pack]:
    """What draws one pack after another, the same from the same seed."""
    chance = random.Random(seed)

    def drawn() -> Pack:
        order = list(PACK)
        chance.shuffle(order)
        at = order.index(POPE)
        to = chance.randrange(FEWEST_DEALT)
        order[at], order[to] = order[to], order[at]
        # The nonce is not played with: no two packs may have the same seal.
        return Pack(" ".join(map(repr, order)), secrets.token_hex(32))

    return drawn


if __name__ == "__main__":
    Pack.drawn = staticmethod(packs(int(sys.argv.pop(1))))  # type: ignore[method-assign]  # for tests
    main()

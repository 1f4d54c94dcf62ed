"""The rows of the lockstep tier: deals side by side, and the payments of matches side by side.

A row has ``STRIDE`` entries, an entry a deal; of the payments ``PAY_STRIDE``, an entry a match. The
payments begin with the rows TURN to MADE of one deal of each match, as they were played.
"""

from __future__ import annotations

from typing import Final

from popejoan.fast.layout import QUANTITIES

BLOCK: Final = 1024
"""Deals in a block at most."""
STRIDE: Final = BLOCK + 8
"""Entries a row; not a power of two, or the rows would fight for the same lines of the cache."""
WIDTH: Final = 128
"""Matches in a block at most."""
PAY_STRIDE: Final = WIDTH + 8

TURN: Final = 4
"""Rows 0 to 3 are the hands dealt, from the dealer; row 4 the turn-up."""
STOCK: Final = 5
HELD: Final = 6
"""The cards in all hands; at the end those left after the last two runs, played whole."""
LEAD, TOP = 7, 8
"""The last lead but one, and the last card of its run."""
LEAD2, TOP2 = 9, 10
"""The last lead, if one was left to make, and the last card of its run."""
MADE: Final = 11
"""How many leads were made, these two counted."""

# The rows beyond, of the deals.
HAND: Final = 12
"""The cards of the seat to lead."""
ODD, UPPER = 13, 14
"""The cards of seats 1 and 3, and of seats 2 and 3."""
LEAD_KEY, DEAL_KEY = 15, 16
"""The keys of the streams of leads and of the deal, as signed numbers."""
LEFT: Final = 17
"""The cards not yet dealt."""
SUBSET, SUBSET2 = 18, 19
"""Which subsets the next two draws take."""
ROWS: Final = 20

# The rows beyond, of the payments.
BOARD: Final = MADE + 1
"""The stakes: 8 rows."""
SUMS: Final = BOARD + 8
"""The quantities of ``layout``."""
PAY_ROWS: Final = SUMS + QUANTITIES

NOBODY: Final = 1 << 12
"""Times 4 or 8 a bit that no carry reaches: the hand of a seat, 2 or 3, that nobody has."""

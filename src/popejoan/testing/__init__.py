"""The published test-kit: what must be true of every round, and values to try it on.

``check_round`` plays a round and asserts the laws in every state. ``strategies`` makes cards,
deals, rules, rounds and matches for Hypothesis, and is the only file here that needs it.
"""

from popejoan.testing.check_round import LawBroken, check_round, check_state, retell

__all__ = ["LawBroken", "check_round", "check_state", "retell"]

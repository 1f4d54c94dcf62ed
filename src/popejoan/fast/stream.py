"""The game's generator restated for the kernel; ``popejoan.deal`` specifies it.

Here alone numbers are unsigned: a signed and an unsigned integer in one expression make a float.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from popejoan.fast.jit import small

__all__ = ["GOLDEN", "high_word", "key_of", "low_word", "mix", "word_block"]

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_LOW: Final = np.uint64(0xFFFFFFFF)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@small
def mix(z: Any) -> Any:
    """The 64 bits ``z`` stirred."""
    z = (z ^ (z >> _S30)) * _FIRST
    z = (z ^ (z >> _S27)) * _SECOND
    return z ^ (z >> _S31)


@small
def key_of(key: Any, number: Any) -> Any:
    """The key of a stream after one number more: of the seed, match, deal and purpose."""
    return mix((key ^ np.uint64(number)) + GOLDEN)


@small
def word_block(key: Any, number: Any) -> Any:
    """Block ``number`` of a stream, from 1: two words of 32 bits."""
    return mix(key + np.uint64(number) * GOLDEN)


@small
def low_word(block: Any) -> Any:
    """The first word of a block, signed."""
    return np.int64(block & _LOW)


@small
def high_word(block: Any) -> Any:
    """The second word of a block, signed."""
    return np.int64(block >> _S32)

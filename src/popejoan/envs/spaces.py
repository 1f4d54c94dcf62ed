"""The spaces of observations and actions, made from an encoding; their samples are legal plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from popejoan.envs.encoding import Encoding

__all__ = ["LegalActions", "observations"]


def observations(encoding: Encoding) -> spaces.Box:
    """The space of observations."""
    return spaces.Box(encoding.low, encoding.high, dtype=np.dtype(encoding.dtype).type)


@final
class LegalActions(spaces.Discrete):
    """The numbers of all actions; a sample is an action that is legal now, if any is.

    ``sample(mask)`` draws from a mask as any space of Gymnasium does.
    """

    def __init__(self, encoding: Encoding, legal: Callable[[], NDArray[np.int8]]) -> None:
        """``legal`` gives the mask of what is legal now."""
        super().__init__(encoding.actions)
        self._legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """An action drawn from ``mask``, from ``probability``, or from those legal now.

        Where nothing is legal it is action 0, as where the mask is all zeros.
        """
        if mask is None and probability is None:
            mask = self._legal()
        return super().sample(mask=mask, probability=probability)

"""What players of the OpenSpiel game see: tensors of named pieces, and strings.

The pieces are those of ``encoding``, from a view of the round; an observer may be asked for the
public part, for the private part, or for all that a player remembers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import numpy as np
import pyspiel
from numpy.typing import NDArray

from popejoan.board import Compartment
from popejoan.cards import CardSet, Seat
from popejoan.envs.encoding import Encoding, mask_of
from popejoan.envs.episode import Episode
from popejoan.events import Claimed, Followed, Led
from popejoan.view import View

__all__ = ["TableObserver"]

_PLACES = tuple(Compartment)


@final
class TableObserver:
    """Fills ``tensor``, and ``dict`` with its named pieces, from a state for one player."""

    def __init__(self, encoding: Encoding, kind: Any, params: dict[str, Any] | None) -> None:
        """``kind`` is an ``IIGObservationType``. Raises ValueError for parameters."""
        if params:
            raise ValueError(f"an observer of this game takes no parameters, not {params}")
        self._encoding = encoding
        self._recalls = kind.perfect_recall
        self._public = kind.public_info
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._all = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        shapes = dict(self._shapes())
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + sizes[name]].reshape(shape)
            at += sizes[name]

    def _shapes(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        players = self._encoding.players
        yield "player", (players,)
        if self._own:
            yield "hand", (52,)
        if self._all:
            yield "hands", (players, 52)
        if self._all or not self._public:
            yield "stock", (52,)
        if self._public:
            for piece in self._encoding.pieces:
                if piece.name != "hand":
                    yield piece.name, piece.shape
            if self._recalls:
                yield "order", (52,)
                if self._encoding.called:
                    yield "claimed", (8,)

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what a player sees; nothing but the player before the deal."""
        self.tensor.fill(0)
        found = self.dict
        found["player"][player] = 1
        now: Episode | None = state.episode
        if now is None:
            return
        view = now.view(player)
        pieces = self._encoding.split(self._encoding.encode_at(now.round, player))
        if not self._own:
            # The stock that a dealer has seen is private.
            pieces["dead"] = mask_of(View.of(now.round, None).dead.mask, 52)
            pieces.pop("due", None)
        for name, values in pieces.items():
            if name in found:
                found[name][:] = values
        if "hands" in found:
            for seat in range(view.players):
                at = (seat - player) % view.players
                found["hands"][at] = mask_of(now.round.held[seat], 52)
        if "stock" in found:
            stock = now.round.deal.stock if self._all else view.stock if self._own else None
            if stock is not None:
                found["stock"][:] = mask_of(stock.mask, 52)
        if "order" in found:
            plays = 0
            for event in view.events:
                if isinstance(event, Led | Followed):
                    plays += 1
                    found["order"][event.card] = plays
                elif isinstance(event, Claimed) and "claimed" in found:
                    found["claimed"][_PLACES.index(event.compartment)] = plays + 1

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees, in a line."""
        now: Episode | None = state.episode
        if now is None:
            return f"p{player} before the deal" if self._own or self._public else ""
        return " | ".join([f"p{player}", *self._parts(now, Seat(player))])

    def _parts(self, now: Episode, player: Seat) -> Iterator[str]:
        view = now.view(player)
        if self._own:
            yield f"hand {(view.dealt if self._recalls else view.hand).text}"
            if view.stock is not None:
                yield f"stock {view.stock.text}"
        if self._all:
            hands = (CardSet(mask).text for mask in now.round.held)
            yield f"hands {' / '.join(hands)}"
            yield f"stock {now.round.deal.stock.text}"
        if not self._public:
            return
        yield f"dealer {view.dealer}, turn-up {view.turn_up!r}"
        if self._recalls:
            yield "".join(_told(view, claims=self._encoding.called)).strip() or "no card led"
            return
        yield " / ".join(view.played_by(seat).text for seat in range(view.players))
        yield f"run {' '.join(map(repr, view.run))}"
        yield f"dead {(view if self._own else View.of(now.round, None)).dead.text}"
        yield f"leader {view.leader}"
        if self._encoding.called:
            yield f"due {[item.compartment.value for item in view.due if item.seat == player]}"
        yield f"board {' '.join(map(str, view.board))}, purses {' '.join(map(str, view.purses))}"


def _told(view: View, *, claims: bool) -> Iterator[str]:
    """All that has happened: each run with who played what, and each claim where it was called."""
    for event in view.events:
        if isinstance(event, Led):
            yield f" {event.seat}{event.card!r}"
        elif isinstance(event, Followed):
            yield f"-{event.seat}{event.card!r}"
        elif claims and isinstance(event, Claimed):
            yield f" {event.seat}!{event.compartment}"

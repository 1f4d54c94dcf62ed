"""The board and the ledger: counters move there and nowhere else, and none is lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popejoan.board import Board, Compartment, Ledger, Reason, Transfer
from popejoan.cards import Seat
from popejoan.rules import Rules
from popejoan.testing import strategies as some

_parties = st.sampled_from([Seat(0), Seat(1), Seat(2), *Compartment])
_transfers = st.builds(
    Transfer, _parties, _parties, st.integers(-1, 12), st.sampled_from(list(Reason))
)


@given(some.boards(Rules.HOYLE))
def test_a_board_is_read_back_from_its_dictionary_and_its_text(board: Board) -> None:
    assert Board.of(board.as_dict()) == board == eval(repr(board))
    assert dict(board.items()) == {place: board[place] for place in Compartment}
    assert list(board) == list(board.counters)
    assert board.total == sum(board)


@pytest.mark.parametrize(
    ("stakes", "says"),
    [
        ({"bishop": 1}, "'bishop' is no compartment: they are ace, king, queen"),
        ({"pope": -1}, "pope holds -1: a stake is a whole number from 0 up"),
        ({"pope": True}, "pope holds True"),
        ({"pope": 1.0}, "pope holds 1.0"),
        ({"pope": None}, "pope holds None"),
    ],
)
def test_a_board_that_cannot_be_laid_is_refused(stakes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Board.of(stakes)


@given(some.boards(Rules.HOYLE), st.lists(_transfers, max_size=12))
def test_payments_never_change_the_sum_and_never_overdraw_a_compartment(
    board: Board, transfers: list[Transfer]
) -> None:
    ledger = Ledger((10, 0, -4), board)
    for transfer in transfers:
        before = ledger
        short = isinstance(transfer.payer, Compartment) and (
            before.board[transfer.payer] < transfer.counters
        )
        if transfer.counters <= 0 or short:
            with pytest.raises(ValueError, match=r"does not hold|one counter or more"):
                ledger.pay([transfer])
            continue
        ledger = ledger.pay([transfer])
        assert ledger.total == before.total
        assert ledger.transfers == (*before.transfers, transfer)
    assert Ledger((10, 0, -4), board).pay(ledger.transfers) == ledger
    assert ledger.pay([]) is ledger


def test_a_payment_goes_from_the_payer_to_the_payee() -> None:
    ledger = Ledger((5, 5), Board.of(pope=6))
    ledger = ledger.pay([Transfer(Compartment.POPE, Seat(1), 6, Reason.STAKE)])
    ledger = ledger.pay([Transfer(Seat(0), Seat(1), 7, Reason.CARDS)])
    ledger = ledger.pay([Transfer(Seat(1), Compartment.GAME, 2, Reason.DRESSING)])
    assert ledger.purses == (-2, 16)
    assert ledger.board == Board.of(game=2)

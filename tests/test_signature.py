"""Claims about the signature: it is the one on file, and every kind of payment is in it."""

from __future__ import annotations

from pathlib import Path

from popejoan import Compartment, Reason, Rules
from popejoan.advice.signature import digest, ledgers, matches
from popejoan.events import Excused

KEPT = Path(__file__).parent / "signature.txt"


def test_the_digest_of_every_ledger_is_the_one_on_file() -> None:
    assert digest() == KEPT.read_text(encoding="ascii").strip(), (
        "a change of rules changes the digest: see CONTRIBUTING.md; nothing else may"
    )


def test_every_preset_and_every_number_of_players_is_digested() -> None:
    headings = {line for line in ledgers() if line.startswith("#")}
    for name in Rules.presets():
        for players in range(2, 11):
            assert f"# {name} players={players} number=0" in headings


def test_every_reason_every_compartment_and_an_excuse_is_digested() -> None:
    reasons: set[Reason] = set()
    taken: set[object] = set()
    excused = False
    for match in matches():
        assert sum(match.purses) + match.board.total == match.rules.purse * match.players
        for _, round_ in match.past:
            reasons |= {transfer.reason for transfer in round_.ledger.transfers}
            taken |= {transfer.payer for transfer in round_.ledger.transfers}
            excused |= any(isinstance(event, Excused) for event in round_.events)
    assert reasons == set(Reason) - {Reason.DIVISION}
    assert set(Compartment) <= taken
    assert excused
    assert any(line.startswith("divided") for line in ledgers())
    assert any(line.startswith("lapsed") for line in ledgers())

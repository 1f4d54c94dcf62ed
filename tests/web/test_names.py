"""Names are cleaned and told apart; what cannot be seen is not kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popejoan.lines import fault_of_name
from popejoan.web.limits import Bucket, Buckets
from popejoan.web.names import LONGEST_NAME, clean_name, clean_text, lookalike, told_apart
from popejoan.web.owing import debts


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Anna   Lee ", "Anna Lee"),
        ("a\u202eb\u2066c", "abc"),
        ("x\x00y\x1b[31mz", "xy[31mz"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("\u3164\u2800", ""),
        ("Ω 李 محمد", "Ω 李 محمد"),
        ("👩\u200d👧 Ma", "👩\u200d👧 Ma"),
        ("a\u200db", "ab"),
        ("z" + "\u0301" * 50, "ź\u0301\u0301\u0301"),
        ("\u0301\u0301", ""),
        ("two\nlines\u2028three", "two lines three"),
        ("\ud800", ""),
    ],
)
def test_a_name_is_cleaned(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@given(st.text(max_size=400))
def test_a_clean_name_is_short_clean_and_can_stand_in_a_record(typed: str) -> None:
    name = clean_name(typed)
    assert len(name) <= LONGEST_NAME
    assert clean_name(name) == name
    assert fault_of_name(name) is None
    assert clean_text(clean_text(typed)) == clean_text(typed)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Аnna"), ("Anna", "ANNA"), ("Ill", "lll"), ("Zoë", "Zoe"), ("Bob", "B0b"),
     ("Ｂｏｂ", "Bob"), ("a b", "ab")],
)  # fmt: skip
def test_names_that_look_alike_are_numbered(one: str, other: str) -> None:
    assert lookalike(one) == lookalike(other)
    assert told_apart(other, [one]).endswith(" 2")


@given(st.lists(st.text(min_size=1, max_size=30), max_size=12))
def test_no_two_at_a_table_look_alike(typed: list[str]) -> None:
    names: list[str] = []
    for each in typed:
        if clean := clean_name(each):
            names.append(told_apart(clean, names))
    assert len({lookalike(name) for name in names}) == len(names)


@given(st.lists(st.integers(-1000, 1000), max_size=10))
def test_debts_even_out_what_was_won(won: list[int]) -> None:
    left = list(won)
    found = debts(won)
    for payer, payee, counters in found:
        assert counters > 0
        left[payer] += counters
        left[payee] -= counters
    assert not (any(each > 0 for each in left) and any(each < 0 for each in left))
    assert len(found) < max(1, len(won))


def test_a_bucket_lets_through_so_many_a_second_and_so_many_at_once() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3.0, clock=lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 1.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_the_addresses_remembered_are_bounded() -> None:
    buckets = Buckets(1.0, 1.0)
    for number in range(12_000):
        buckets.take(str(number))
    assert len(buckets.found) <= 10_000

"""A review told: as text, as JSON values, and as a picture of how the deal went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

from popejoan.advice.review import Review, ReviewedLead
from popejoan.drawing import card_text
from popejoan.sentences import seat_name

__all__ = ["review_json", "review_svg", "review_text"]

_TENTH: Final = 0.05
"""What is shown as a tenth of a counter."""


def _names(review: Review, names: Sequence[str]) -> list[str]:
    return [seat_name(names, seat) for seat in range(review.round.players)]


def review_text(review: Review, names: Sequence[str] = (), *, ascii: bool = False) -> str:
    """The review as lines of text."""
    return "\n".join(_lines(review, _names(review, names), ascii))


def _lines(review: Review, names: list[str], ascii: bool) -> Iterator[str]:
    yield f"Leads, each choice played out in {review.worlds} worlds that its leader could think of"
    yield ""
    width = max(map(len, names))
    for each in review.leads:
        yield f"{each.number:3} {names[each.seat]:{width}} {_lead(each, ascii)}"
        if each.cost:
            who = names[each.seat]
            place = "" if who == "You" else f"In {who}'s place: "
            yield f"{'':{width + 5}}{place}{' '.join(each.reasons)}"
    points = review.turning_points
    if points:
        yield ""
        yield "Turning points: how far a lead moved the result of its leader"
        for each in points:
            shown = card_text(each.lead, ascii=ascii)
            who = f"{each.number:3} {names[each.seat]:{width}}"
            yield f"{who} {shown:>3}  {each.swing:+d}"
    yield ""
    yield f"{'':{width}}  result  expected  choices    luck"
    for name, seat in zip(names, review.seats):
        yield (
            f"{name:{width}}  {seat.result:+6d}  {seat.expected:+8.1f}  {seat.skill:+7.1f}"
            f"  {seat.luck:+6.1f}"
        )
    first = next((each for each in review.leads if each.open_cards is not None), None)
    if first is not None and first.open_cards is not None:
        line = ", ".join(card_text(card, ascii=ascii) for card in first.open_cards.line)
        yield ""
        several = len(first.open_cards.line) > 1
        best = "the best leads" if several else "the best lead"
        yield (
            f"With all cards open, {best} from number {first.number} on "
            f"{'are' if several else 'is'} {line}."
        )


def _lead(each: ReviewedLead, ascii: bool) -> str:
    shown = card_text(each.lead, ascii=ascii)
    made = each.difference
    if made is None:
        return f"{shown:>3}  the only lead"
    best = card_text(each.best, ascii=ascii)
    if each.lead == each.best:
        second = each.worths[1]
        other = card_text(second.lead, ascii=ascii)
        less = f"{other} is worth {second.behind:.1f} less"
        said = f"best; {less}" if second.behind >= _TENTH else f"best; {other} is as good"
    elif each.cost:
        said = f"cost {each.cost:.1f} (give or take {2 * made.error:.1f}); best was {best}"
    elif made.behind >= _TENTH:
        said = f"no clear loss; {best} may be better by {made.behind:.1f}"
    else:
        said = f"as good as {best}"
    if each.open_cards is not None and each.open_cards.loss:
        open_best = card_text(each.open_cards.best, ascii=ascii)
        said += f"; with open cards {open_best} wins {each.open_cards.loss} more"
    return f"{shown:>3}  {said}"


def review_json(review: Review, names: Sequence[str] = ()) -> dict[str, Any]:
    """The review as JSON values."""
    called = _names(review, names)
    return {
        "worlds": review.worlds,
        "leads": [
            {
                "number": each.number,
                "seat": each.seat,
                "lead": repr(each.lead),
                "best": repr(each.best),
                "cost": round(each.cost, 2),
                "reasons": list(each.reasons),
                "swing": each.swing,
                "worths": [
                    {
                        "lead": repr(worth.lead),
                        "worth": round(worth.mean, 2),
                        "behind": round(worth.behind, 2),
                        "error": round(worth.error, 2),
                    }
                    for worth in each.worths
                ],
                "open": None
                if each.open_cards is None
                else {
                    "best": repr(each.open_cards.best),
                    "loss": each.open_cards.loss,
                    "line": [repr(card) for card in each.open_cards.line],
                },
            }
            for each in review.leads
        ],
        "turning_points": [each.number for each in review.turning_points],
        "seats": [
            {
                "name": name,
                "result": seat.result,
                "expected": round(seat.expected, 2),
                "skill": round(seat.skill, 2),
                "luck": round(seat.luck, 2),
            }
            for name, seat in zip(called, review.seats)
        ],
    }


_COLOURS: Final = (
    "#b3261e", "#1b5e20", "#0d47a1", "#6d4c00", "#6a1b9a",
    "#00695c", "#ad1457", "#37474f", "#ef6c00", "#283593",
)  # fmt: skip


def review_svg(review: Review, names: Sequence[str] = ()) -> str:
    """How the deal went: each seat's end, had all led as *sharp* from there.

    A bar is what a choice cost.
    """
    called = _names(review, names)
    rows = [each.fortunes for each in review.leads] + [review.round.balances]
    low = min(min(row) for row in rows)
    high = max(max(row) for row in rows)
    span = max(high - low, 1)
    step = 44
    width, height = 70 + step * max(len(rows) - 1, 1) + 110, 320

    def across(nth: int) -> float:
        return 50 + step * nth

    def down(counters: float) -> float:
        return 20 + (high - counters) / span * 230

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="serif" font-size="12" role="img">',
        "<title>How the deal went</title>",
        f'<rect width="{width}" height="{height}" fill="#fffdf5"/>',
        f'<line x1="50" x2="{across(len(rows) - 1)}" y1="{down(0):.1f}" y2="{down(0):.1f}" '
        'stroke="#999"/>'
        if low <= 0 <= high
        else "",
        f'<text x="44" y="{down(high):.1f}" text-anchor="end">{high:+d}</text>',
        f'<text x="44" y="{down(low):.1f}" text-anchor="end">{low:+d}</text>',
    ]
    for nth, each in enumerate(review.leads):
        x = across(nth)
        colour = _COLOURS[each.seat % len(_COLOURS)]
        if each.cost:
            tall = min(each.cost * 4, 60)
            parts.append(
                f'<rect x="{x - 5:.1f}" y="{270 - tall:.1f}" width="10" height="{tall:.1f}" '
                f'fill="{colour}" opacity="0.5"><title>{escape(called[each.seat])} lost '
                f"{each.cost:.1f}</title></rect>"
            )
        parts.append(
            f'<text x="{x}" y="288" text-anchor="middle" fill="{colour}">'
            f"{card_text(each.lead)}</text>"
        )
    for seat, name in enumerate(called):
        points = " ".join(
            f"{across(nth):.1f},{down(row[seat]):.1f}" for nth, row in enumerate(rows)
        )
        colour = _COLOURS[seat % len(_COLOURS)]
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts.append(
            f'<text x="{across(len(rows) - 1) + 8}" y="{down(rows[-1][seat]) + 4:.1f}" '
            f'fill="{colour}">{escape(name)} {rows[-1][seat]:+d}</text>'
        )
    parts.append("</svg>")
    return "\n".join(part for part in parts if part) + "\n"

"""Figures as SVG, written by hand: bars with their errors. Nothing is simulated here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, inf, isnan, log10
from typing import Final, NamedTuple, TypeGuard

from popejoan.fast.result import Estimate, SimulationResult, role_name

__all__ = ["Series", "bars", "seats_figure"]

_COLOURS: Final = ("#1d5c3f", "#b5872b", "#8c2f2f", "#3b5b8c", "#6b4f7a", "#5f6a58")
_Scale = Callable[[float], float]
_WIDTH, _HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 44, 56


class Series(NamedTuple):
    """The bars of one colour."""

    name: str
    """What the colour stands for."""
    values: Sequence[Estimate | None]
    """A bar for each label, or None where there is none; none is drawn for a NaN."""


def bars(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    unit: str,
    *,
    lowest: float = -inf,
) -> str:
    """A chart of bars, grouped by label, with whiskers of two standard errors: SVG text.

    No whisker goes below ``lowest``, under which what is drawn cannot lie.
    """
    values = [value for each in series for value in each.values if _is_known(value)]
    ends = [end for value in values for end in _ends(value, lowest)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    step = _step(high - low or 1.0)
    bottom, top = floor(low / step) * step, max(ceil(high / step) * step, step)
    plot_height, plot_width = _HEIGHT - _TOP - _BOTTOM, _WIDTH - _LEFT - _RIGHT

    def y(value: float) -> float:
        return _TOP + plot_height * (top - value) / (top - bottom)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="Georgia, serif" font-size="12" aria-label="{escape(title, quote=True)}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fffdf6"/>',
        f'<text x="{_LEFT}" y="20" font-size="15">{escape(title)}</text>',
        f'<text x="{_LEFT}" y="36" fill="#555">{escape(unit)}</text>',
    ]
    for number in range(round((top - bottom) / step) + 1):
        value = bottom + number * step
        colour = "#333" if abs(value) < step / 1000 else "#ddd"
        parts.append(
            f'<path d="M{_LEFT} {y(value):.1f}H{_WIDTH - _RIGHT}" stroke="{colour}"/>'
            f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    group = plot_width / max(len(labels), 1)
    width = min(group * 0.8 / max(len(series), 1), 48)
    for place, label in enumerate(labels):
        middle = _LEFT + group * (place + 0.5)
        parts.append(
            f'<text x="{middle:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
            f"{escape(label)}</text>"
        )
        for nth, each in enumerate(series):
            value_ = each.values[place]
            if not _is_known(value_):
                continue
            left = middle + (nth - len(series) / 2) * width
            parts.append(_bar(each.name, value_, left, width, _COLOURS[nth % 6], y, lowest))
    for nth, each in enumerate(series if len(series) > 1 else ()):
        x = _LEFT + nth * plot_width / len(series)
        parts.append(
            f'<rect x="{x:.1f}" y="{_HEIGHT - 24}" width="12" height="12" '
            f'fill="{_COLOURS[nth % 6]}"/>'
            f'<text x="{x + 17:.1f}" y="{_HEIGHT - 14}">{escape(each.name)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _is_known(value: Estimate | None) -> TypeGuard[Estimate]:
    return value is not None and not isnan(value.mean)


def _ends(value: Estimate, lowest: float) -> tuple[float, float]:
    """Where the whisker ends; at the bar where the error is not known."""
    error = 0.0 if isnan(value.error) else value.error
    return max(value.mean - 2 * error, lowest), value.mean + 2 * error


def _bar(
    name: str, value: Estimate, left: float, width: float, colour: str, y: _Scale, lowest: float
) -> str:
    top, bottom = sorted((y(value.mean), y(0.0)))
    middle = left + width / 2
    low, high = _ends(value, lowest)
    whisker = f"M{middle:.1f} {y(low):.1f}V{y(high):.1f}"
    return (
        f'<rect x="{left + 1:.1f}" y="{top:.1f}" width="{width - 2:.1f}" '
        f'height="{bottom - top:.1f}" fill="{colour}"><title>{escape(name)}: {value}</title></rect>'
        f'<path d="{whisker}" stroke="#000"/>'
    )


def _step(span: float) -> float:
    """A round distance between lines, four to nine of them over the span."""
    power = 10.0 ** floor(log10(span / 4))
    return next(power * n for n in (1, 2, 5, 10) if span / (power * n) <= 8)


def seats_figure(result: SimulationResult) -> str:
    """What each seat wins a deal, as bars: SVG text."""
    roles = range(result.players)
    rules, leads = result.plan.rules.text, result.plan.policy.name.lower()
    part = "" if result.complete else f" of {result.plan.deals:,}: {result.stopped}"
    return bars(
        f"What each seat wins a deal: {rules}, {result.players} players, {leads} leads",
        [role_name(role) for role in roles],
        [Series("counters a deal", [result.balance(role) for role in roles])],
        f"counters a deal, the dressing counted; {result.deals:,} deals{part}",
    )

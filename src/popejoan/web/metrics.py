"""What the server counts, for Prometheus: numbers only, nothing of any person or table."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from popejoan.web.hall import Hall

__all__ = ["Metrics"]

_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class Metrics:
    """Counters and one histogram."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.sockets = 0
        self._times = [0] * (len(_BOUNDS) + 1)
        self._sum = 0.0
        self._began = time.time()

    def count(self, what: str) -> None:
        """One more of these."""
        self.counts[what] += 1

    def took(self, seconds: float) -> None:
        """An ask was answered after so long."""
        self._sum += seconds
        self._times[bisect_left(_BOUNDS, seconds)] += 1

    def text(self, hall: Hall) -> str:
        """All of it, in the text format of Prometheus."""
        lines = [
            "# HELP popejoan_tables_in_memory Tables at hand.",
            "# TYPE popejoan_tables_in_memory gauge",
            f"popejoan_tables_in_memory {len(hall.actors)}",
            "# HELP popejoan_tables_opened_total Tables set since the start.",
            "# TYPE popejoan_tables_opened_total counter",
            f"popejoan_tables_opened_total {hall.opened}",
            "# HELP popejoan_sockets Sockets open.",
            "# TYPE popejoan_sockets gauge",
            f"popejoan_sockets {self.sockets}",
            "# HELP popejoan_start_time_seconds When the server started.",
            "# TYPE popejoan_start_time_seconds gauge",
            f"popejoan_start_time_seconds {self._began:.0f}",
            "# HELP popejoan_asks_total What clients asked, by what came of it.",
            "# TYPE popejoan_asks_total counter",
        ]
        lines += [
            f'popejoan_asks_total{{outcome="{what}"}} {number}'
            for what, number in sorted(self.counts.items())
        ]
        lines += [
            "# HELP popejoan_ask_seconds From an ask to its answer.",
            "# TYPE popejoan_ask_seconds histogram",
        ]
        total = 0
        for bound, number in zip((*map(str, _BOUNDS), "+Inf"), self._times):
            total += number
            lines.append(f'popejoan_ask_seconds_bucket{{le="{bound}"}} {total}')
        lines += [
            f"popejoan_ask_seconds_sum {self._sum:.6f}",
            f"popejoan_ask_seconds_count {total}",
        ]
        return "\n".join(lines) + "\n"

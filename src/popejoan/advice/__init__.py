"""What people want from the bots: opponents that search, an arena, hints, reviews and solutions.

This is where the bots meet the compiled kernel: a search is handed the kernel's play-outs, or the
engine's where Numba is not installed.
"""

from popejoan.advice.opponents import compiled, master, playouts, quick

__all__ = ["compiled", "master", "playouts", "quick"]

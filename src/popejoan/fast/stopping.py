"""How playing ends before it is done: by Ctrl-C, pressed once or often, or by lost processes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process, resource_tracker
from multiprocessing.process import BaseProcess
from threading import Thread, current_thread, main_thread
from time import monotonic
from typing import Any, Final

__all__ = ["Lost", "one_interrupt", "serve_parent", "sheltered"]

_PAUSE: Final = 2.0
"""Seconds after a Ctrl-C in which others are passed over: fingers press it more than once."""


class Lost(RuntimeError):
    """Who was to play cannot, or does so no more; the text says who and why."""


@contextmanager
def one_interrupt() -> Iterator[None]:
    """Within, Ctrl-C raises KeyboardInterrupt, but not again in the next two seconds.

    So what is begun at the first can be ended in order. In other threads than the main one, and
    where the program handles Ctrl-C in its own way, nothing is changed.
    """
    own = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or own is not signal.default_int_handler:
        yield
        return
    last = -_PAUSE

    def raise_once(_number: int, _frame: Any) -> None:
        nonlocal last
        if monotonic() - last >= _PAUSE:
            last = monotonic()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, raise_once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, own)


@contextmanager
def sheltered() -> Iterator[None]:
    """Threads and processes that are started within never have the terminal's Ctrl-C.

    A terminal sends it to all processes of a command. They inherit that it is held back; one that
    comes to this thread meanwhile comes afterwards.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # started later it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve_parent() -> None:
    """Let the process that started this one say when it ends: ignore Ctrl-C, and outlive it not.

    One that is killed cannot end those that work for it, and they would wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)

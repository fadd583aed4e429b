# SPDX-License-Identifier: MIT
"""Long calls of the library: the GIL is released, Ctrl-C stops them, progress is shown.

A call from the main thread runs in a thread of its own, while the main thread waits for an event in short steps and
so keeps handling signals. The main thread never leaves before the call has ended: an interrupted Thread.join would
let the caller free a graph that the library still reads. The thread also keeps every object of the call alive by
itself. A call from another thread runs in that thread.
"""
from __future__ import annotations

import ctypes
import itertools
import math
import os
import sys
import threading
import time
from typing import Any, Callable, Optional, Union

from ._errors import ArgumentError
from ._library import Tick, check, gnd_error

Progress = Union[None, bool, Callable[[str, float], Any]]

SHOW_AFTER = 0.5  # seconds before a progress bar appears
WAIT = 0.05  # seconds between two looks at signals and progress


def threads(n_jobs: Optional[int]) -> int:
    """None and -1: all CPUs (0 in the library); -2: all but one, and so on. Results do not depend on it."""
    if n_jobs is None:
        return 0
    if isinstance(n_jobs, bool) or int(n_jobs) != n_jobs or n_jobs == 0:
        raise ArgumentError(f"n_jobs={n_jobs}: a number of threads, or -1 for all CPUs, was expected")
    if n_jobs > 0:
        return min(int(n_jobs), 1024)
    return max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


class _State:
    """What the two threads of a call share."""

    def __init__(self, callback: Optional[Callable[[str, float], Any]]) -> None:
        self.stage = ""
        self.share = math.nan
        self.stop = False
        self.callback = callback
        self.raised: Optional[BaseException] = None


_states: dict[int, _State] = {}
_keys = itertools.count(1)


def _on_tick(stage: Optional[bytes], share: float, user: Optional[int]) -> int:
    """Called by the library, in the thread that made the call, at least five times a second."""
    state = _states.get(user or 0)
    if state is None:
        return 0
    state.stage, state.share = (stage or b"").decode("utf-8", "replace"), share
    if state.callback is not None and not state.stop:
        try:
            state.callback(state.stage, state.share)
        except BaseException as raised:  # an exception cannot pass through C: raised after the call
            state.raised, state.stop = raised, True
    return 1 if state.stop else 0


_tick = Tick(_on_tick)


class _Bar:
    """A tqdm progress bar that appears when a call takes long; nothing without tqdm or a terminal."""

    def __init__(self, wanted: Optional[bool]) -> None:
        self.at = time.monotonic() + SHOW_AFTER
        self.bar: Any = None
        self.wanted = wanted

    def _make(self) -> Any:
        if self.wanted is False or (self.wanted is None and not _interactive()):
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return tqdm(total=100, unit="%", leave=False, bar_format="{desc} {percentage:3.0f} %|{bar}| {elapsed}")

    def update(self, state: _State) -> None:
        if time.monotonic() < self.at or self.wanted is False:
            return
        if self.bar is None:
            self.bar = self._make()
            if self.bar is None:
                self.wanted = False
                return
        self.bar.set_description_str(state.stage or "working", refresh=False)
        if not math.isnan(state.share):
            self.bar.n = round(100 * state.share)
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def _interactive() -> bool:
    """Is there a terminal or a notebook to show progress in?"""
    if "ipykernel" in sys.modules:
        return True
    return sys.stderr is not None and sys.stderr.isatty()


def _wait(done: threading.Event, state: _State, bar: _Bar) -> Optional[BaseException]:
    """Until the call has ended. What is raised meanwhile (KeyboardInterrupt) stops the call and is returned."""
    raised: Optional[BaseException] = None
    while True:
        try:
            while not done.wait(WAIT):
                bar.update(state)
            return raised
        except BaseException as e:
            state.stop = True
            raised = raised or e


def long_call(function: Any, *arguments: Any, keep: Any, options: Any = None, progress: Progress = None) -> None:
    """Call a function of the library whose last argument is gnd_error *, which is added here.

    keep: the objects that own what the call uses. options: the struct of options, which gets the progress callback.
    progress: None shows a bar in terminals and
    notebooks if tqdm is installed, False none; a function is called with the stage and the share that is done, and
    stops the call if it raises an exception.
    """
    state = _State(progress if callable(progress) else None)
    error = gnd_error()
    key = next(_keys)
    done = threading.Event()
    status: list[int] = []

    def work() -> None:
        try:
            status.append(function(*arguments, ctypes.byref(error)))
        except BaseException as e:  # wrong arguments, found by ctypes
            state.raised = e
        finally:
            kept.clear()
            done.set()

    kept = [keep]
    _states[key] = state
    if options is not None:
        options.on_tick, options.tick_user = _tick, key
    raised: Optional[BaseException] = None
    try:
        if threading.current_thread() is threading.main_thread():
            bar = _Bar(None if callable(progress) else progress)
            if callable(progress):
                bar.wanted = False
            threading.Thread(target=work, name="gnd", daemon=True).start()
            raised = _wait(done, state, bar)
            bar.close()
        else:
            work()
    finally:
        del _states[key]
    if state.raised is not None:
        raise state.raised
    if raised is not None:
        raise raised
    check(status[0], error)

# SPDX-License-Identifier: MIT
"""Notes and warnings of the library and of the converters (docs/notes.md, docs/python.md)."""
from __future__ import annotations

import logging
import warnings
from typing import Any, Iterable, NamedTuple

from ._errors import GraphWarning
from ._library import text

log = logging.getLogger("gnd")


class Note(NamedTuple):
    """A fact about a graph or a result. Programs decide by code and severity; text is for people."""

    code: str
    severity: str  # "note" or "warning"
    text: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.text}"


def read(count: Any, get: Any, handle: Any) -> list[Note]:
    """The notes of an object of the library: count(handle) and get(handle, i)."""
    notes = []
    for i in range(count(handle)):
        note = get(handle, i).contents
        notes.append(Note(text(note.code), "warning" if note.severity else "note", text(note.text)))
    return notes


def announce(notes: Iterable[Note], stacklevel: int = 3) -> None:
    """Warnings become Python warnings; notes go to the logger "gnd" at level INFO."""
    for note in notes:
        if note.severity == "warning":
            warnings.warn(note.text, GraphWarning, stacklevel=stacklevel)
        else:
            log.info("%s", note.text)

# SPDX-License-Identifier: MIT
"""Exceptions and warnings. A sentence of the library becomes the text of an exception."""
from __future__ import annotations


class Error(Exception):
    """What every exception of this package is, apart from MemoryError and KeyboardInterrupt."""


class ArgumentError(Error, ValueError):
    """An argument is out of range or unknown."""


class ShapeError(Error, ValueError):
    """Sizes that must be equal are not."""


class FormatError(Error, ValueError):
    """The content of a file is not valid in its format."""


class FileError(Error, OSError):
    """A file could not be opened, read or written."""


class DivergedError(Error, ArithmeticError):
    """A training run gave values that are not finite."""


class StoppedError(Error):
    """A progress callback stopped the call before there was a result."""


class NotFittedError(Error, ValueError, AttributeError):
    """A fitted attribute or method is used before fit."""


class MissingPackageError(Error, ImportError):
    """An optional package is needed and is not installed."""


class GraphWarning(UserWarning):
    """Something about the graph or its labels that may make the result wrong."""


_BY_STATUS = {
    -2: FileError,
    -3: FormatError,
    -4: ShapeError,
    -5: ArgumentError,
    -6: DivergedError,
    -7: StoppedError,
}


def from_status(status: int, message: str) -> Exception:
    """The exception for a gnd_status other than GND_OK."""
    if status == -1:
        return MemoryError(message)
    return _BY_STATUS.get(status, Error)(message)


def missing(package: str, purpose: str) -> MissingPackageError:
    return MissingPackageError(f"{purpose} needs {package}, which is not installed: pip install {package}")

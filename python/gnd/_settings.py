# SPDX-License-Identifier: MIT
"""Methods and their settings, read from the library's one table (gnd_config_info)."""
from __future__ import annotations

import ctypes
import functools
import inspect
import keyword
import textwrap
from typing import Any, Iterable, Mapping, NamedTuple, Optional

import numpy as np

from ._errors import ArgumentError
from ._library import call, encode, gnd_method_info, gnd_setting_info, lib, text


class Setting(NamedTuple):
    """A setting of a method."""

    name: str
    type: str  # "int", "real", "choice" or "set"
    default: str
    range: str
    meaning: str


class Method(NamedTuple):
    """A method, its formula and its settings."""

    name: str
    title: str
    formula: str
    paper: str
    settings: tuple[Setting, ...]

    def __repr__(self) -> str:
        return f"Method({self.name!r}: {self.title}, {len(self.settings)} settings)"


class Config:
    """A gnd_config: a method and values of its settings."""

    def __init__(self, method: str, settings: Optional[Mapping[str, Any]] = None, preset: Optional[str] = None,
                 dataset: Optional[str] = None) -> None:
        if not isinstance(method, str):
            raise ArgumentError(f"method={method!r}: the name of a method was expected; gnd.methods() lists them")
        handle = ctypes.c_void_p()
        call(lib.gnd_config_new, ctypes.byref(handle), encode(method))
        self.handle = handle
        if dataset:
            lib.gnd_config_dataset(handle, encode(dataset))
        if preset:
            call(lib.gnd_config_preset, handle, encode(preset))
        for name, value in (settings or {}).items():
            call(lib.gnd_config_set, handle, encode(name_in_c(name)), encode(value_text(value)))

    def __del__(self, free: Any = lib.gnd_config_free) -> None:
        if getattr(self, "handle", None):
            free(self.handle)


def python_name(name: str) -> str:
    """The keyword argument of a setting: lambda_ for lambda, which is a word of Python."""
    return name + "_" if keyword.iskeyword(name) else name


def name_in_c(name: str) -> str:
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def value_text(value: Any) -> str:
    """A value as the library reads it: True is on, a list is joined by commas, no digit of a number is lost."""
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return ",".join(value_text(v) for v in value) or "none"
    raise ArgumentError(f"{value!r}: a setting is a number, a text, True, False or a list")


def _settings_of(config: Any) -> tuple[Setting, ...]:
    found, info, i = [], gnd_setting_info(), 0
    while lib.gnd_config_info(ctypes.byref(info), config, i):
        found.append(Setting(text(info.name), text(info.type), text(info.fallback), text(info.range),
                             text(info.meaning)))
        i += 1
    return tuple(found)


def values(config: Any) -> dict[str, str]:
    """The values of a gnd_config, as text."""
    buffer = ctypes.create_string_buffer(256)
    return {s.name: text(lib.gnd_config_value(config, i, buffer, len(buffer)))
            for i, s in enumerate(_settings_of(config))}


@functools.lru_cache(maxsize=None)
def all_methods() -> tuple[Method, ...]:
    found, info, i = [], gnd_method_info(), 0
    while lib.gnd_method_get(ctypes.byref(info), i):
        config = Config(text(info.name))
        found.append(Method(text(info.name), text(info.title), text(info.formula), text(info.paper),
                            _settings_of(config.handle)))
        i += 1
    return tuple(found)


def methods(name: Optional[str] = None) -> Any:
    """The methods, or the method of a name, with their settings.

    >>> [m.name for m in gnd.methods()][:3]
    ['auto', 'gnd-slp', 'gnd-mlp']
    >>> gnd.methods("ls").settings[0].default
    '0.99'
    """
    if name is None:
        return list(all_methods())
    config = Config(name)  # refuses unknown names, accepts aliases
    canonical = text(lib.gnd_config_method(config.handle))
    return next(m for m in all_methods() if m.name == canonical)


def check_names(method: str, names: Iterable[str]) -> None:
    """TypeError, as of any wrong keyword, if the method does not have a setting."""
    names = list(names)
    if not names:
        return
    found = methods(method)
    known = [python_name(s.name) for s in found.settings]
    for name in names:
        if name not in known:
            raise TypeError(f"unexpected keyword argument {name!r}: method {found.name} has the settings "
                            f"{', '.join(known) or '(none)'}")


def settings_text() -> str:
    """All methods and settings, for docstrings."""
    lines = []
    for m in all_methods():
        lines.append(f"{m.name}: {m.title}")
        for s in m.settings:
            lines += textwrap.wrap(f"{python_name(s.name)}={s.default} ({s.range}): {s.meaning}", 100,
                                   initial_indent="    ", subsequent_indent="        ", break_long_words=False,
                                   break_on_hyphens=False)
    return "\n".join(lines)


def documented(cls: Any) -> Any:
    """Add the table of methods and settings to a docstring, in place of the word {settings}."""
    if cls.__doc__:
        cls.__doc__ = inspect.cleandoc(cls.__doc__).replace("{settings}", textwrap.indent(settings_text(), "    "))
    return cls

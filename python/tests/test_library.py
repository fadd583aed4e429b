# SPDX-License-Identifier: MIT
"""The ctypes declarations agree with include/gnd.h."""
import ctypes
import os
import re
import shutil
import subprocess

import pytest
from conftest import SOURCE

from gnd import _errors, _library

HEADER = os.path.join(SOURCE, "include", "gnd.h")
pytestmark = pytest.mark.skipif(not os.path.exists(HEADER), reason="include/gnd.h is not there")

SCALARS = {"int": ctypes.c_int, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64, "uint32_t": ctypes.c_uint32,
           "uint64_t": ctypes.c_uint64, "double": ctypes.c_double, "float": ctypes.c_float, "bool": ctypes.c_bool,
           "size_t": ctypes.c_size_t, "char": ctypes.c_char}
STRUCTS = {s.__name__: s for s in _library.STRUCTS}


def header():
    with open(HEADER, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)
    return re.sub(r"\s+", " ", text)


def prototypes():
    found = {}
    for result, name, arguments in re.findall(r"GND_API ([\w ]+?[ *]+)(gnd_\w+)\(([^()]*)\)", header()):
        found[name] = (result.strip(), [] if arguments.strip() == "void" else
                       [a.strip() for a in arguments.split(",")])
    return found


def of_c(declaration, is_argument):
    """The ctypes type of a C declaration, of an argument with its name or of a result."""
    d = declaration.replace("const", " ")
    stars = d.count("*")
    array = re.search(r"\w+\[\d*\]$", d)
    words = re.findall(r"\w+", re.sub(r"\[\d*\]", "", d))
    base = words[0]
    if array:
        stars += 1
    enums = re.findall(r"\} (gnd_\w+);", header())
    if stars == 0:
        if base == "void":
            return None
        return SCALARS.get(base, ctypes.c_int if base == "gnd_status" or base in enums else None)
    if base == "char":
        constant = declaration.strip().startswith("const")
        inner = ctypes.c_char_p if stars == 2 or constant and stars == 1 else ctypes.POINTER(ctypes.c_char)
        return ctypes.POINTER(ctypes.c_char_p) if stars == 2 else inner
    if base in STRUCTS:
        return ctypes.POINTER(STRUCTS[base])
    if base in SCALARS:
        return ctypes.POINTER(SCALARS[base])
    return ctypes.POINTER(ctypes.c_void_p) if stars == 2 else ctypes.c_void_p


@pytest.mark.parametrize("name", sorted(_library.FUNCTIONS))
def test_prototype(name):
    found = prototypes()
    assert name in found, f"{name} is not in gnd.h"
    result, arguments = found[name]
    declared_result, declared = _library.FUNCTIONS[name]
    assert of_c(result, False) == declared_result
    assert [of_c(a, True) for a in arguments] == declared


def compiled(tmp_path, body):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        pytest.skip("there is no C compiler")
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text(f"#include <stddef.h>\n#include <gnd.h>\nint main(void)\n{{\n{body}    return 0;\n}}\n")
    subprocess.run([compiler, "-I", os.path.dirname(HEADER), str(source), "-o", str(program)], check=True)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]


def test_structs(tmp_path):
    body, expected = "", []
    for s in _library.STRUCTS:
        body += f'    printf("{s.__name__} %zu\\n", sizeof({s.__name__}));\n'
        expected.append(f"{s.__name__} {ctypes.sizeof(s)}")
        for field in s._fields_:
            n = field[0]
            body += f'    printf("{s.__name__}.{n} %zu %zu\\n", offsetof({s.__name__}, {n}), ' \
                    f"sizeof((({s.__name__} *)0)->{n}));\n"
            f = getattr(s, n)
            expected.append(f"{s.__name__}.{n} {f.offset} {f.size}")
    assert compiled(tmp_path, body) == expected


def test_constants(tmp_path):
    constants = {"GND_I32": _library.I32, "GND_I64": _library.I64, "GND_F32": _library.F32, "GND_F64": _library.F64,
                 "GND_U8": _library.U8, "GND_SPLIT_PAPER": _library.SPLIT_PAPER,
                 "GND_SPLIT_HONEST": _library.SPLIT_HONEST, "GND_SPLIT_ALL": _library.SPLIT_ALL,
                 "GND_HEADER_AUTO": _library.HEADERS[None], "GND_HEADER_YES": _library.HEADERS[True],
                 "GND_HEADER_NO": _library.HEADERS[False]}
    constants.update({f"GND_GRAPH_{m.upper()}": i for i, m in enumerate(_library.MODES)})
    constants.update({f"GND_MISSING_{m.upper()}": i for i, m in enumerate(_library.MISSING)})
    constants.update({f"GND_HISTORY_{c.upper()}": i for i, c in enumerate(_library.HISTORY)})
    constants.update({"GND_ERR_IO": -2, "GND_ERR_FORMAT": -3, "GND_ERR_SHAPE": -4, "GND_ERR_ARG": -5,
                      "GND_ERR_DIVERGED": -6, "GND_ERR_STOPPED": -7})
    body = "".join(f'    printf("%d\\n", (int){name});\n' for name in constants)
    assert [int(v) for v in compiled(tmp_path, body)] == list(constants.values())


def test_statuses():
    assert isinstance(_errors.from_status(-1, "x"), MemoryError)
    assert isinstance(_errors.from_status(-2, "x"), OSError)
    for status in (-3, -4, -5):
        assert isinstance(_errors.from_status(status, "x"), ValueError)
    assert str(_errors.from_status(-5, "what is wrong")) == "what is wrong"


def test_version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as f:
        version = re.search(r"project\(gnd VERSION ([0-9.]+)", f.read()).group(1)
    assert _library.__version__ == version
    assert _library.VERSION == tuple(int(v) for v in version.split(".")[:2])

# SPDX-License-Identifier: MIT
"""ctypes declarations of include/gnd.h, as far as the package uses it, and the loaded library.

tests/test_library.py compares every struct and every prototype with the header.
"""
from __future__ import annotations

import ctypes
import os
from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32,
                    c_int64, c_size_t, c_uint32, c_uint64, c_void_p)
from typing import Any

from ._errors import from_status

VERSION = (0, 2)  # major and minor version of the header that these declarations follow
FOLDER = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(FOLDER, "data")
if not os.path.isdir(DATA):  # in a clone, with GND_LIBRARY
    DATA = os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "data")

# gnd_scalar
I32, I64, F32, F64, U8 = range(5)
# gnd_graph_mode
MODES = ("raw", "und", "std")
# gnd_header
HEADERS = {None: 0, True: 1, False: 2}
# gnd_missing
MISSING = ("error", "zero", "mean")
# gnd_split_kind
SPLIT_PAPER, SPLIT_PLANETOID, SPLIT_ALL, SPLIT_TRAIN_LABELS, SPLIT_HONEST = range(5)
# gnd_history_column
HISTORY = ("loss_train", "acc_train", "loss_val", "acc_val")

Tick = CFUNCTYPE(c_int, c_char_p, c_double, c_void_p)


class Sized(Structure):
    """A struct that starts with its own size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), **fields)


class gnd_error(Structure):
    _fields_ = [("code", c_int), ("msg", c_char * 512)]


class gnd_note(Structure):
    _fields_ = [("code", c_char_p), ("severity", c_int), ("text", c_char_p)]


class gnd_csr_view(Sized):
    _fields_ = [("size", c_uint32), ("ptr_type", c_int), ("col_type", c_int), ("val_type", c_int),
                ("n_row", c_int64), ("n_col", c_int64), ("ptr", c_void_p), ("col", c_void_p), ("val", c_void_p)]


class gnd_edges_view(Sized):
    _fields_ = [("size", c_uint32), ("index_type", c_int), ("weight_type", c_int), ("n_node", c_int64),
                ("n_edge", c_int64), ("source", c_void_p), ("target", c_void_p), ("weight", c_void_p)]


class gnd_dense_view(Sized):
    _fields_ = [("size", c_uint32), ("type", c_int), ("n_row", c_int64), ("n_col", c_int64),
                ("row_stride", c_int64), ("col_stride", c_int64), ("data", c_void_p)]


class gnd_load_opts(Sized):
    _fields_ = [("size", c_uint32), ("data_dir", c_char_p), ("format", c_char_p), ("features", c_char_p),
                ("labels", c_char_p), ("train_labels", c_char_p), ("header", c_int), ("max_input", c_int64),
                ("header_edges", c_int), ("header_labels", c_int), ("header_features", c_int), ("columns", c_char_p),
                ("separator", c_char), ("decimal", c_char), ("missing", c_int), ("label_attribute", c_char_p),
                ("id_attribute", c_char_p), ("feature_attributes", c_char_p), ("on_tick", Tick),
                ("tick_user", c_void_p), ("verify", c_bool)]


class gnd_convert_opts(Sized):
    _fields_ = [("size", c_uint32), ("mode", c_int), ("on_tick", Tick), ("tick_user", c_void_p)]


class gnd_save_opts(Sized):
    _fields_ = [("size", c_uint32), ("on_tick", Tick), ("tick_user", c_void_p)]


class gnd_dataset_convert_opts(Sized):
    _fields_ = [("size", c_uint32), ("threads", c_int32), ("load", POINTER(gnd_load_opts)), ("memory", c_int64),
                ("on_tick", Tick), ("tick_user", c_void_p)]


class gnd_graph_info(Sized):
    _fields_ = [("size", c_uint32), ("n_node", c_int64), ("n_feat", c_int64), ("n_class", c_int64),
                ("n_arc", c_int64), ("n_edge", c_int64), ("n_loop", c_int64), ("n_feat_entry", c_int64),
                ("n_labelled", c_int64), ("n_isolated", c_int64), ("n_component", c_int64), ("n_largest", c_int64),
                ("n_empty_feat", c_int64), ("directed", c_bool), ("weighted", c_bool)]


class gnd_split_opts(Sized):
    _fields_ = [("size", c_uint32), ("kind", c_int), ("per_class", c_int32), ("n_val", c_int64),
                ("seed", c_uint32), ("score_unlabelled", c_bool)]


class gnd_split_lists(Sized):
    _fields_ = [("size", c_uint32), ("train", c_void_p), ("n_train", c_int64), ("val", c_void_p),
                ("n_val", c_int64), ("test", c_void_p), ("n_test", c_int64)]


class gnd_method_info(Sized):
    _fields_ = [("size", c_uint32), ("name", c_char_p), ("title", c_char_p), ("formula", c_char_p),
                ("paper", c_char_p)]


class gnd_setting_info(Sized):
    _fields_ = [("size", c_uint32), ("name", c_char_p), ("type", c_char_p), ("meaning", c_char_p),
                ("fallback", c_char * 128), ("range", c_char * 192)]


class gnd_train_opts(Sized):
    _fields_ = [("size", c_uint32), ("seed", c_uint64), ("threads", c_int32), ("on_epoch", c_void_p),
                ("user", c_void_p), ("skip_figures", c_bool), ("memory", c_int64), ("plan", c_char_p),
                ("on_plan", c_void_p), ("prior", POINTER(c_double)), ("on_tick", Tick), ("tick_user", c_void_p),
                ("checkpoint", c_char_p), ("checkpoint_seconds", c_double)]


class gnd_result(Sized):
    _fields_ = [("size", c_uint32), ("epochs", c_int64), ("best_epoch", c_int64), ("loss_train", c_double),
                ("acc_train", c_double), ("acc_val", c_double), ("acc_test", c_double), ("loss_val", c_double),
                ("loss_test", c_double), ("f1_test", c_double), ("plan", c_char * 32), ("ece_test", c_double),
                ("acc_half", c_double), ("resumed", c_int32)]


class gnd_prediction_columns(Sized):
    _fields_ = [("size", c_uint32), ("probabilities", c_bool)]


class gnd_suggest_opts(Sized):
    _fields_ = [("size", c_uint32), ("n", c_int64), ("ignore", c_bool), ("threads", c_int32), ("on_tick", Tick),
                ("tick_user", c_void_p)]


class gnd_suggestion(Structure):
    _fields_ = [("vertex", c_int64), ("represents", c_double), ("cls", c_int32), ("prob", c_double),
                ("other", c_int32)]


class gnd_run(Structure):
    _fields_ = [("method", c_char_p), ("config", c_int64), ("per_class", c_int32), ("split_seed", c_uint32),
                ("seed", c_uint64), ("status", c_int), ("stored", c_bool), ("result", POINTER(gnd_result)),
                ("seconds", c_double)]


class gnd_compare_opts(Sized):
    _fields_ = [("size", c_uint32), ("configs", POINTER(c_void_p)), ("n_config", c_int64),
                ("per_class", POINTER(c_int32)), ("n_per_class", c_int64), ("n_split", c_int32), ("kind", c_int),
                ("n_val", c_int64), ("score_unlabelled", c_bool), ("seed", c_uint64), ("threads", c_int32),
                ("memory", c_int64), ("store", c_void_p), ("only_stored", c_bool), ("on_run", c_void_p),
                ("user", c_void_p), ("on_wait", c_void_p), ("on_tick", Tick),
                ("tick_user", c_void_p)]


class gnd_cell(Structure):
    _fields_ = [("method", c_char_p), ("config", c_int64), ("per_class", c_int32), ("n", c_int64),
                ("mean", c_double), ("std", c_double), ("low", c_double), ("high", c_double),
                ("mean_val", c_double), ("mean_f1", c_double), ("mean_epochs", c_double),
                ("mean_seconds", c_double), ("mean_ece", c_double), ("mean_half", c_double)]


STRUCTS = [gnd_error, gnd_note, gnd_csr_view, gnd_edges_view, gnd_dense_view, gnd_load_opts,
           gnd_convert_opts, gnd_save_opts, gnd_dataset_convert_opts, gnd_graph_info,
           gnd_split_opts, gnd_split_lists, gnd_method_info, gnd_setting_info, gnd_train_opts, gnd_result,
           gnd_prediction_columns, gnd_suggest_opts, gnd_suggestion, gnd_run, gnd_compare_opts, gnd_cell]

_OUT = POINTER(c_void_p)
_ERR = POINTER(gnd_error)
_P = c_void_p

# name: result, arguments. Handles are void pointers.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "gnd_version": (c_char_p, []),
    "gnd_version_number": (c_int32, []),
    "gnd_kernel_name": (c_char_p, []),
    # graphs
    "gnd_load": (c_int, [_OUT, c_char_p, POINTER(gnd_load_opts), _ERR]),
    "gnd_graph_convert_with": (c_int, [_OUT, _P, POINTER(gnd_convert_opts), _ERR]),
    "gnd_dataset_convert": (c_int, [_OUT, c_char_p, c_char_p, POINTER(gnd_dataset_convert_opts), _ERR]),
    "gnd_graph_save_with": (c_int, [_P, c_char_p, c_char_p, POINTER(gnd_save_opts), _ERR]),
    "gnd_graph_free": (None, [_P]),
    "gnd_graph_info_get": (c_int, [POINTER(gnd_graph_info), _P, _ERR]),
    "gnd_graph_name": (c_char_p, [_P]),
    "gnd_graph_mode_get": (c_int, [_P]),
    "gnd_graph_n_node": (c_int64, [_P]),
    "gnd_graph_n_class": (c_int32, [_P]),
    "gnd_graph_id": (c_char_p, [_P, c_int64, POINTER(c_char)]),
    "gnd_graph_class_name": (c_char_p, [_P, c_int32]),
    "gnd_graph_n_note": (c_int64, [_P]),
    "gnd_graph_note": (POINTER(gnd_note), [_P, c_int64]),
    "gnd_dataset_name": (c_char_p, [c_int]),
    "gnd_dataset_about": (c_char_p, [c_int]),
    "gnd_graph_from_csr": (c_int, [_OUT, POINTER(gnd_csr_view), c_bool, _ERR]),
    "gnd_graph_from_edges": (c_int, [_OUT, POINTER(gnd_edges_view), _ERR]),
    "gnd_graph_set_features_csr": (c_int, [_P, POINTER(gnd_csr_view), c_bool, _ERR]),
    "gnd_graph_set_features_dense": (c_int, [_P, POINTER(gnd_dense_view), _ERR]),
    "gnd_graph_set_labels": (c_int, [_P, POINTER(c_int32), POINTER(c_char_p), c_int32, _ERR]),
    "gnd_graph_set_ids": (c_int, [_P, POINTER(c_char_p), _ERR]),
    "gnd_graph_set_name": (c_int, [_P, c_char_p, _ERR]),
    "gnd_graph_adjacency": (c_int, [POINTER(gnd_csr_view), _P, _ERR]),
    "gnd_graph_features": (c_int, [POINTER(gnd_csr_view), _P, _ERR]),
    "gnd_graph_labels": (POINTER(c_int32), [_P]),
    # splits
    "gnd_split_new": (c_int, [_OUT, _P, POINTER(gnd_split_opts), _ERR]),
    "gnd_split_from_lists": (c_int, [_OUT, _P, POINTER(gnd_split_lists), _ERR]),
    "gnd_split_free": (None, [_P]),
    "gnd_split_train": (POINTER(c_int32), [_P]),
    "gnd_split_n_train": (c_int64, [_P]),
    "gnd_split_test": (POINTER(c_int32), [_P]),
    "gnd_split_n_test": (c_int64, [_P]),
    # methods and settings
    "gnd_method_get": (c_bool, [POINTER(gnd_method_info), c_int]),
    "gnd_config_new": (c_int, [_OUT, c_char_p, _ERR]),
    "gnd_config_free": (None, [_P]),
    "gnd_config_set": (c_int, [_P, c_char_p, c_char_p, _ERR]),
    "gnd_config_preset": (c_int, [_P, c_char_p, _ERR]),
    "gnd_config_dataset": (c_bool, [_P, c_char_p]),
    "gnd_config_rule": (c_int, [_P, c_char_p, _ERR]),
    "gnd_config_method": (c_char_p, [_P]),
    "gnd_config_direction": (c_char_p, [_P]),
    "gnd_config_info": (c_bool, [POINTER(gnd_setting_info), _P, c_int]),
    "gnd_config_value": (c_char_p, [_P, c_int, POINTER(c_char), c_size_t]),
    "gnd_config_preset_name": (c_char_p, [_P, c_int, POINTER(c_char_p)]),
    "gnd_config_has_hop_weights": (c_bool, [_P]),
    # models and predictions
    "gnd_label": (c_int, [_OUT, _OUT, POINTER(gnd_result), _P, _P, _P, POINTER(gnd_train_opts), _ERR]),
    "gnd_predict": (c_int, [_OUT, _P, _P, POINTER(gnd_train_opts), _ERR]),
    "gnd_model_free": (None, [_P]),
    "gnd_model_save": (c_int, [_P, c_char_p, _ERR]),
    "gnd_model_load": (c_int, [_OUT, c_char_p, _ERR]),
    "gnd_model_config": (_P, [_P]),
    "gnd_model_graph_mode": (c_int, [_P]),
    "gnd_model_n_class": (c_int32, [_P]),
    "gnd_model_class_name": (c_char_p, [_P, c_int32]),
    "gnd_model_n_tensor": (c_int32, [_P]),
    "gnd_model_tensor": (POINTER(c_float),
                         [_P, c_int32, POINTER(c_char_p), POINTER(c_int64), POINTER(c_int64)]),
    "gnd_model_history": (POINTER(c_double), [_P, c_int, POINTER(c_int64)]),
    "gnd_prediction_free": (None, [_P]),
    "gnd_prediction_n": (c_int64, [_P]),
    "gnd_prediction_labels": (POINTER(c_int32), [_P]),
    "gnd_prediction_probs": (POINTER(c_float), [_P, POINTER(c_int32)]),
    "gnd_prediction_clamp": (c_int, [_P, _P, _P, _ERR]),
    "gnd_prediction_abstain": (c_int, [_P, c_double, POINTER(c_int64), _ERR]),
    "gnd_prediction_abstain_unchecked": (c_int, [_P, c_double, POINTER(c_int64), _ERR]),
    "gnd_prediction_calibrated": (c_bool, [_P]),
    "gnd_prediction_n_note": (c_int64, [_P]),
    "gnd_prediction_note": (POINTER(gnd_note), [_P, c_int64]),
    "gnd_prediction_save_columns": (c_int, [_P, _P, _P, c_char_p, POINTER(gnd_prediction_columns), _ERR]),
    "gnd_model_hop_weights": (c_int, [_OUT, _P, _P, POINTER(gnd_train_opts), _ERR]),
    "gnd_hop_weights_free": (None, [_P]),
    "gnd_hop_weights_n": (c_int64, [_P]),
    "gnd_hop_weights_n_hop": (c_int64, [_P]),
    "gnd_hop_weights_first": (c_int64, [_P]),
    "gnd_hop_weights_shared": (c_bool, [_P]),
    "gnd_hop_weights_all": (POINTER(c_float), [_P]),
    # suggestions
    "gnd_suggest": (c_int, [_OUT, _P, POINTER(gnd_suggest_opts), _ERR]),
    "gnd_suggestions_free": (None, [_P]),
    "gnd_suggestions_n": (c_int64, [_P]),
    "gnd_suggestions_get": (POINTER(gnd_suggestion), [_P, c_int64]),
    "gnd_suggestions_why": (c_char_p, [_P, c_int64]),
    "gnd_suggestions_n_note": (c_int64, [_P]),
    "gnd_suggestions_note": (POINTER(gnd_note), [_P, c_int64]),
    # comparisons
    "gnd_store_open": (c_int, [_OUT, c_char_p, _ERR]),
    "gnd_store_close": (None, [_P]),
    "gnd_compare": (c_int, [_OUT, _P, POINTER(gnd_compare_opts), _ERR]),
    "gnd_comparison_free": (None, [_P]),
    "gnd_comparison_n_cell": (c_int64, [_P]),
    "gnd_comparison_cell": (POINTER(gnd_cell), [_P, c_int64]),
    "gnd_comparison_n_run": (c_int64, [_P]),
    "gnd_comparison_run": (POINTER(gnd_run), [_P, c_int64]),
}


def _path() -> str:
    """GND_LIBRARY, which tests and builds in place use, or the library of this package."""
    return os.environ.get("GND_LIBRARY") or os.path.join(FOLDER, "libgnd.so")


def _open() -> CDLL:
    path = _path()
    if not os.path.exists(path):
        raise ImportError(f"{path}: no such file; install the package (pip install gnd), or set GND_LIBRARY to "
                          "a libgnd.so that was built from the same source")
    library = CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{path}: has no {name}; it is older than this Python package") from None
        function.restype, function.argtypes = result, arguments
    number = library.gnd_version_number()
    if (number // 10000, number // 100 % 100) != VERSION:
        raise ImportError(f"{path}: version {library.gnd_version().decode()}, but this Python package needs "
                          f"{VERSION[0]}.{VERSION[1]}")
    return library


lib = _open()
__version__: str = lib.gnd_version().decode()


def check(status: int, error: gnd_error) -> None:
    """Raise what a failed call says."""
    if status:
        raise from_status(status, error.msg.decode("utf-8", "replace"))


def call(function: Any, *arguments: Any) -> None:
    """A short call, whose last argument, gnd_error *, is added here."""
    error = gnd_error()
    check(function(*arguments, ctypes.byref(error)), error)


def text(value: bytes | None) -> str:
    return "" if value is None else value.decode("utf-8", "replace")


def encode(value: str | os.PathLike[str]) -> bytes:
    """A path or other text for the library; the library ends a text at the first zero byte."""
    data = os.fsencode(value)
    if b"\0" in data:
        raise ValueError(f"{os.fspath(value)!r}: contains a zero byte")
    return data

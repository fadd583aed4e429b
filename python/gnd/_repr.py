# SPDX-License-Identifier: MIT
"""How an estimator is shown in a terminal and in a notebook."""
from __future__ import annotations

import html
import inspect
from typing import Any

import numpy as np


class Shown:
    """__repr__ with the parameters that differ from their defaults; _repr_html_ with the result too."""

    def _changed(self) -> dict[str, Any]:
        defaults = {n: p.default for n, p in inspect.signature(type(self).__init__).parameters.items()}
        params: dict[str, Any] = self.get_params()  # type: ignore[attr-defined]
        return {n: v for n, v in params.items() if n not in defaults or v is not defaults[n] and v != defaults[n]}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in self._changed().items())})"

    def _repr_html_(self) -> str:
        def row(*cells: Any) -> str:
            return "<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in cells) + "</tr>"

        out = [f"<p><code>{html.escape(repr(self))}</code></p>"]
        if hasattr(self, "labels_"):
            codes = self._prediction_codes()
            sizes = np.bincount(codes[codes >= 0], minlength=len(self.classes_))  # type: ignore[attr-defined]
            rows = [row(c, f"{k:,}") for c, k in zip(self.classes_, sizes)]  # type: ignore[attr-defined]
            if (codes < 0).any():
                rows.append(row("unknown", f"{(codes < 0).sum():,}"))
            out.append("<table><thead><tr><th>class</th><th>vertices</th></tr></thead><tbody>"
                       + "".join(rows) + "</tbody></table>")
            if self.notes_:  # type: ignore[attr-defined]
                out.append("<ul>" + "".join(
                    f"<li>{html.escape(str(n))}</li>" for n in self.notes_) + "</ul>")  # type: ignore[attr-defined]
        return "".join(out)

    def _prediction_codes(self) -> Any:
        """The class number of each vertex; -1: unknown."""
        number = {c: i for i, c in enumerate(self.classes_.tolist())}  # type: ignore[attr-defined]
        return np.array([number.get(v, -1) for v in self.labels_.tolist()])  # type: ignore[attr-defined]

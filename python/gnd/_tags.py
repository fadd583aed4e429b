# SPDX-License-Identifier: MIT
"""What scikit-learn asks of an estimator, without importing scikit-learn before it is in use."""
from __future__ import annotations

import sys
from typing import Any


class Tagged:
    """Tags of a transductive classifier whose X is a square matrix of links."""

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(poor_score=True),
            input_tags=InputTags(sparse=True, pairwise=True, positive_only=True),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_m")


def not_fitted(message: str, fallback: type[Exception]) -> Exception:
    """scikit-learn's NotFittedError where scikit-learn is in use; its users catch that class."""
    exceptions = sys.modules.get("sklearn.exceptions")
    if exceptions is None:
        return fallback(message)
    both = type("NotFittedError", (fallback, exceptions.NotFittedError), {})
    return both(message)  # type: ignore[no-any-return]

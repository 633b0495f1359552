"""Anomaly mode: which call of the forward pass made the node that fails, and the first NaN.

Under `detect_anomaly` each node remembers the traceback of the call that made it (node.py), and the
engine asks here when a formula raises, and about what each formula returned.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

import numpy as np

from .hooks import Gradient
from .node import Node, raw


def check_nan(node: Node, outgoing: Sequence[Gradient]) -> None:
    """Refuse a gradient with a NaN in it."""
    for index, g in enumerate(outgoing):
        if g is not None and np.isnan(raw(g)).any():
            warn_where(node)
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {index}th output."
            )


def warn_where(node: Node) -> None:
    """Warn of the forward call that made the node that failed, and of those before."""
    if not node._stack:
        message = (
            f"Error detected in {node.name()}. No forward pass information available. Enable "
            "detect anomaly during forward pass for more information."
        )
    else:
        message = (
            f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n"
            f"{node._stack}"
        )
    while True:
        try:
            warnings.warn(message, stacklevel=2)
        except UserWarning as made_an_error:  # the node's own error is what is to be raised
            print(f"UserWarning: {made_an_error}", file=sys.stderr)
        outer = node._induced_by
        if not node._stack or outer is None or not outer._stack:
            return
        message = (
            f"\n\nPrevious calculation was induced by {outer.name()}. Traceback of forward call "
            f"that induced the previous calculation:\n{outer._stack}"
        )
        node = outer

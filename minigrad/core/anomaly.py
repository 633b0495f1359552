"""Anomaly mode: find the forward call of a failing node, and the first NaN.

Under `detect_anomaly` each node stores the traceback of the call that made it (node.py). The engine
calls this module when a formula raises, and for each result of a formula.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

import numpy as np

from .hooks import Gradient
from .node import Node, unwrap


def check_nan(node: Node, outgoing: Sequence[Gradient]) -> None:
    """Raise if a gradient contains a NaN."""
    for index, g in enumerate(outgoing):
        if g is not None and np.isnan(unwrap(g)).any():
            warn_where(node)
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {index}th output."
            )


def warn_where(node: Node) -> None:
    """Warn with the forward call that made the failing node, and with the calls that led to it."""
    message = f"Error detected in {node.name()}. " + (
        f"Traceback of forward call that caused the error:\n{node._stack}"
        if node._stack
        else "No forward pass information available. Enable detect anomaly during forward pass "
        "for more information."
    )
    while True:
        try:
            warnings.warn(message, stacklevel=2)
        except UserWarning as made_an_error:  # raise the node's own error instead
            print(f"UserWarning: {made_an_error}", file=sys.stderr)
        outer = node._induced_by
        if not node._stack or outer is None or not outer._stack:
            return
        message = (
            f"\n\nPrevious calculation was induced by {outer.name()}. Traceback of forward call "
            f"that induced the previous calculation:\n{outer._stack}"
        )
        node = outer

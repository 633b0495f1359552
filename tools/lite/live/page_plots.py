"""Where matplotlib draws in a page: figures that are shown become pictures below their cell.

matplotlib imports this when the first cell imports it, as the variable MPLBACKEND says so.
"""

from __future__ import annotations

import base64
import io
import sys
from typing import Any

from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

__all__ = ["FigureCanvas", "show"]


def show(*_: Any, **__: Any) -> None:
    """Show all figures that there are, and forget them."""
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        file = io.BytesIO()
        figure.savefig(file, format="png", bbox_inches="tight", dpi=100)
        picture = base64.b64encode(file.getvalue()).decode()
        data = {"image/png": picture, "text/plain": repr(figure)}
        sys.modules["page_kernel"].display(data, raw=True)
    pyplot.close("all")

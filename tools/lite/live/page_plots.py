"""Backend of matplotlib in a page: shown figures become pictures below their cell.

matplotlib imports this module because the variable MPLBACKEND names it.
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
    """Show and close all figures."""
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        file = io.BytesIO()
        figure.savefig(file, format="png", bbox_inches="tight", dpi=100)
        picture = base64.b64encode(file.getvalue()).decode()
        data = {"image/png": picture, "text/plain": repr(figure)}
        sys.modules["page_kernel"].display(data, raw=True)
    pyplot.close("all")

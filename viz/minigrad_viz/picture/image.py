"""An SVG as an image in a page, in the colours of the page's theme."""

from __future__ import annotations

import html
import re
import urllib.parse

from .theme import DARK_PAGE, LIGHT_PAGE


def image(svg: str, title: str) -> str:
    """Return an `<img>` with the SVG: a notebook that is not trusted shows no inline SVG."""
    # Single quotes need no escape in a URL. They and fewer line breaks save a tenth.
    lean = re.sub(r">\n<(?!text)", "><", svg.replace("'", "&#39;").replace('"', "'"))
    data = urllib.parse.quote(lean, safe=" !$'()*+,-./:;=>?@[]^_{|}~")
    return f'<img alt="{html.escape(title)}" src="data:image/svg+xml,{data}">'


IMAGES = f"""<style>
.mg-image img {{ max-width: 100%; height: auto }}
{LIGHT_PAGE} .mg-image img {{ color-scheme: light }}
{DARK_PAGE} .mg-image img {{ color-scheme: dark }}
</style>"""
"""Style of elements of the class mg-image: their images follow the page's theme if the page states
one, else the system's.
"""

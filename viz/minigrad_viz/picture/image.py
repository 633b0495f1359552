"""An SVG as an image in a page, in the colours of the page's theme."""

from __future__ import annotations

import html
import re
import urllib.parse

from .theme import DARK_PAGE, LIGHT_PAGE


def image(svg: str, title: str) -> str:
    """An SVG as an image: a notebook that is not trusted shows no other kind."""
    # Quotes that need no escape there, and no lines but those between words: a tenth less.
    lean = re.sub(r">\n<(?!text)", "><", svg.replace("'", "&#39;").replace('"', "'"))
    data = urllib.parse.quote(lean, safe=" !$'()*+,-./:;=>?@[]^_{|}~")
    return f'<img alt="{html.escape(title)}" src="data:image/svg+xml,{data}">'


IMAGES = f"""<style>
.mg-image img {{ max-width: 100%; height: auto }}
{LIGHT_PAGE} .mg-image img {{ color-scheme: light }}
{DARK_PAGE} .mg-image img {{ color-scheme: dark }}
</style>"""
"""What an element of the class mg-image brings along, so that the images in it follow the page's
theme where the page tells, else the reader's system.
"""

"""A backward formula for matplotlib: from MathML to the part of TeX that matplotlib can set.

The stepper's payload has every formula as MathML, for browsers. Pages for PDF and images set the
same formulas, from the same source.
"""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as ET

from .rules import MATHML

SIGNS = {
    "\u2212": "-",
    "\u00b7": r"\cdot ",
    "\u2211": r"\sum ",
    "\u220f": r"\prod ",
    "\u22c6": r"\star ",
    "\u2190": r"\leftarrow ",
    "\u2264": r"\leq ",
    "\u2265": r"\geq ",
    "\u2260": r"\neq ",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "\\": r"\backslash ",
    "\u22a4": "T",
    "&": r"\&",
}
ACCENTS = {
    "\u00af": "bar",
    "^": "hat",
    "~": "tilde",
    "\u02d9": "dot",
    "\u2192": "vec",
}
WIDE = 1.5
"""A gap of more ems than this separates two formulas."""


@functools.cache
def formulas(mathml: str) -> tuple[str, ...]:
    r"""Return the formulas of a <math> element, each as mathematical text without dollar signs.

    Empty if the element contains something unknown.

    >>> from minigrad_viz.model.rules import mathml
    >>> print(*formulas(mathml(r"\bar a = g \cdot b, \qquad \bar b = g \cdot a")))
    \bar{a}=g\cdot b \bar{b}=g\cdot a
    """
    try:
        text = _text(ET.fromstring(mathml))
    except (KeyError, ValueError, ET.ParseError):
        return ()
    return tuple(each.strip().rstrip(",;") for each in text.split("\n") if each.strip())


def _text(element: ET.Element) -> str:
    tag = element.tag.removeprefix(MATHML)
    if tag in ("mi", "mn", "mo", "mtext"):
        return _letters(element, tag)
    parts = [_text(child) for child in element]
    if tag in ("math", "mrow", "mstyle", "mpadded", "semantics"):
        return "".join(parts)
    if tag == "mspace":
        width = float(element.get("width", "0em").removesuffix("em"))
        return "\n" if width > WIDE else r"\quad " if width >= 1 else r"\,"
    groups = [f"{{{part}}}" for part in parts]
    if tag == "mfrac":
        return rf"\frac{groups[0]}{groups[1]}"
    if tag == "msqrt":
        return rf"\sqrt{{{''.join(parts)}}}"
    if tag == "mover":
        sign = "".join(element[1].itertext()).strip()
        return rf"\{ACCENTS[sign]}{groups[0]}"
    if tag in ("msub", "munder"):
        return f"{_base(parts[0])}_{groups[1]}"
    if tag == "msup":
        return f"{_base(parts[0])}^{groups[1]}"
    if tag in ("msubsup", "munderover"):
        return f"{_base(parts[0])}_{groups[1]}^{groups[2]}"
    raise ValueError(f"unknown element {tag}")


def _letters(element: ET.Element, tag: str) -> str:
    written = element.text or ""
    signs = "".join(SIGNS.get(sign, sign) for sign in written)
    if tag == "mtext":
        spaced = re.sub(r"\s", r"\\ ", signs)
        return rf"\mathrm{{{spaced}}}"
    if len(written) > 1 and written.isalpha():  # a name such as "sgn", not a product of letters
        return rf"\operatorname{{{signs}}}"
    if len(written) > 1 and tag == "mo":  # "+=", which is one sign
        return rf"\;\mathrm{{{signs}}}\;"
    if element.get("fence") == "true" and (form := element.get("form")):
        return rf"\{'left' if form == 'prefix' else 'right'}{signs}"
    return signs


def _base(part: str) -> str:
    """Return the base of an index; matplotlib sets limits below a sum only without braces."""
    return part.rstrip() if part.startswith((r"\sum", r"\prod")) else f"{{{part}}}"

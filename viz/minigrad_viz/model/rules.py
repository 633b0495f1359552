"""A backward formula to read: from the LaTeX of an operation to MathML, and to text.

Each formula is written once, next to the code that it describes (`Node.rule`). Browsers typeset
MathML; the text is for other places. Both are derived, so neither can drift.
"""

from __future__ import annotations

import functools
import importlib
import re
import unicodedata
import xml.etree.ElementTree as ET
from typing import Any

from minigrad.autograd.events import Node

from .autograd_nodes import node_name
from .optional_packages import optional
from .own_engines import OwnNode

MATHML = "{http://www.w3.org/1998/Math/MathML}"


@functools.cache
def _operations() -> dict[str, type[Node]]:
    """Return minigrad's operations by name. PyTorch's nodes have the same names and formulas."""
    for name in ("minigrad.nn", "minigrad.autograd.forward_ad"):
        importlib.import_module(name)  # this defines more operations
    kinds: list[type[Node]] = [Node]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return {kind.__name__: kind for kind in reversed(kinds) if kind.rule}


def rule_of(node: Any) -> str:
    """Return the formula of a node of minigrad or PyTorch; empty if it is not known."""
    if isinstance(node, OwnNode):  # its rule may be another under the same name
        return ""
    own = getattr(type(node), "rule", None)
    if isinstance(own, str):
        return own
    known = _operations().get(node_name(node))
    return "" if known is None else known.rule


def operation_of(name: str) -> type[Node] | None:
    """Return minigrad's operation whose node has that name."""
    return _operations().get(name)


def saved_order(node: Any) -> dict[str, int]:
    """Return the position of each saved tensor of a node, if minigrad has the operation."""
    known = _operations().get(node_name(node))
    names = () if known is None else known.reading_order()
    return {name: place for place, name in enumerate(names)}


@functools.cache
def mathml(latex: str) -> str:
    """Return the formula as a <math> element."""
    written = str(optional("latex2mathml.converter").convert(latex, display="block"))
    # \mathrel{+}= comes out as an operator inside an operator, which MathML does not know.
    return re.sub(r"<mo><mrow><mo>([^<]*)</mo></mrow></mo><mo>", r"<mo>\1", written)


@functools.cache
def plain(latex: str) -> str:
    """Return the formula in one line of Unicode: "ā = g · b"."""
    text = " ".join(_text(ET.fromstring(mathml(latex))).split())
    return re.sub(r"(^|[=·/(,] ?)− ", r"\1−", text)  # a sign, not a subtraction


OVER = {"\u00af": "\u0304", "^": "\u0302", "~": "\u0303", "\u02d9": "\u0307", "\u2192": "\u20d7"}
"""The combining character of each accent."""


def _text(element: ET.Element) -> str:
    tag = element.tag.removeprefix(MATHML)
    parts = [_text(child) for child in element]
    if tag in ("mi", "mn", "mtext"):
        return element.text or ""
    if tag == "mo":
        return _operator("".join(element.itertext()), fence=element.get("stretchy") == "false")
    if tag == "mspace":
        return "  "
    if tag == "mfrac":
        return f"{_grouped(parts[0])} / {_grouped(parts[1])}"
    if tag == "msqrt":
        return f"√{_grouped(_side_by_side(parts))}"
    if tag == "msup":
        return f"{_grouped(parts[0])}^{_grouped(parts[1])}".replace("^⊤", "ᵀ")
    if tag in ("msub", "munder"):
        return f"{parts[0].strip()}_{_grouped(parts[1])}"
    if tag in ("msubsup", "munderover"):
        return f"{parts[0].strip()}_{_grouped(parts[1])}^{_grouped(parts[2])}"
    if tag == "mover":
        accent = OVER.get(parts[1].strip())
        letter = f"{parts[0].strip()}{accent}" if accent else f"{parts[0]}^{parts[1]}"
        return unicodedata.normalize("NFC", letter)
    return _side_by_side(parts)


def _side_by_side(parts: list[str]) -> str:
    """Join the parts, with a space where two symbols would make one word."""
    row = ""
    for part in parts:
        touching = row[-1:].isalnum() or row[-1:] in (*OVER.values(), "ᵀ", ")")
        row += f" {part}" if touching and (part[:1].isalnum() or part[:1] == "√") else part
    return row


def _operator(sign: str, fence: bool) -> str:
    if fence or sign in "()[]{}|" or sign.isalpha():  # brackets, and names such as "sgn"
        return sign
    return f"{sign} " if sign == "," else f" {sign} "


def _grouped(text: str) -> str:
    """Return the text in brackets, if it is more than one symbol."""
    text = text.strip()
    return f"({text})" if " " in text else text

"""A program as HTML, in the visualizer's colours: gradients stand out from values.

Each line is an element of its own that names its node, so that a page can tie the two together.
"""

from __future__ import annotations

import html
import io
import keyword
import re
import tokenize
from collections.abc import Sequence

from ..picture.theme import code_style

KINDS = {tokenize.COMMENT: "comment", tokenize.STRING: "string", tokenize.NUMBER: "number"}


def code_html(lines: Sequence[tuple[str, str | None]]) -> str:
    """Lines of Python, each with the id of its node or None."""
    text = "\n".join(line for line, _ in lines) + "\n"
    marked = [_line(line, parts) for (line, _), parts in zip(lines, _coloured(text), strict=True)]
    rows = [
        f'<span class="line"{_node(node)}>{row}</span>'
        for row, (_, node) in zip(marked, lines, strict=True)
    ]
    return f'<style>{code_style()}</style><pre class="mg-program">{chr(10).join(rows)}</pre>'


def _node(node: str | None) -> str:
    return "" if node is None else f' data-node="{html.escape(node)}"'


def _coloured(text: str) -> list[list[tuple[int, int, str]]]:
    """For each line the parts that have a colour: from where to where, and which."""
    found: list[list[tuple[int, int, str]]] = [[] for _ in text.splitlines()]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = KINDS.get(token.type)
        if token.type == tokenize.NAME:
            kind = _kind_of_name(token.string)
        if kind is not None and token.start[0] == token.end[0]:
            found[token.start[0] - 1].append((token.start[1], token.end[1], kind))
    return found


def _kind_of_name(name: str) -> str | None:
    if keyword.iskeyword(name):
        return "word"
    if re.match(r"d_\w", name):
        return "gradient"
    return "grad" if name == "grads" or name.endswith("_grad") else None


def _line(line: str, parts: Sequence[tuple[int, int, str]]) -> str:
    written, at = "", 0
    for start, end, kind in parts:
        inner = html.escape(line[start:end], quote=False)
        written += f'{html.escape(line[at:start], quote=False)}<span class="{kind}">{inner}</span>'
        at = end
    return written + html.escape(line[at:], quote=False)

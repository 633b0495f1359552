"""The colours of a graph, light and dark, stated once.

A picture carries them twice: as attributes in the DOT (for PNG and PDF, and for viewers that drop
style sheets) and as a style sheet inside the SVG, where a page around it can switch themes without
a new layout. Kinds of node differ by shape and border too, so nothing depends on telling hues
apart; text on its fill reaches a contrast of 7 in both themes.
"""

from __future__ import annotations

from typing import NamedTuple

FONT = "DejaVu Sans Mono"
"""The family named in the DOT; the SVG falls back to any other monospaced family."""

FONT_SIZE = 14.0
"""Points. Labels are monospaced so that their width can be known without asking for a font."""


class Theme(NamedTuple):
    """One theme's colours; for each kind of node the fill and the outline."""

    text: str
    muted: str
    edge: str
    lost: str
    root: tuple[str, str]
    function: tuple[str, str]
    accumulate: tuple[str, str]
    leaf: tuple[str, str]
    saved: tuple[str, str]
    operation: tuple[str, str]
    tensor: tuple[str, str]
    cluster: tuple[str, str]
    data: str


LIGHT = Theme(
    text="#14213d",
    muted="#3f4a63",
    edge="#6b7891",
    lost="#b3261e",
    root=("#fdeabf", "#8a5a00"),
    function=("#dce7ff", "#2f5bb7"),
    accumulate=("#eceff4", "#6b7891"),
    leaf=("#d5f1de", "#1f7a43"),
    saved=("#faf5ff", "#8250a8"),
    operation=("#ffffff", "#14213d"),
    tensor=("#f3f6ef", "#5c6b3f"),
    cluster=("#ffffff", "#2f5bb7"),
    data="#14213d",
)
DARK = Theme(
    text="#f1f4fa",
    muted="#cdd4e2",
    edge="#8b97ad",
    lost="#ff8a80",
    root=("#4d3a0c", "#f2c14e"),
    function=("#1d335f", "#86acff"),
    accumulate=("#2b313d", "#8b97ad"),
    leaf=("#153d25", "#69cf90"),
    saved=("#2a2035", "#c79bec"),
    operation=("#0d1117", "#f1f4fa"),
    tensor=("#262b1e", "#b4c59a"),
    cluster=("#0d1117", "#86acff"),
    data="#c9d2e3",
)
KINDS = (
    "root",
    "function",
    "accumulate",
    "leaf",
    "saved",
    "operation",
    "tensor",
    "cluster",
)


LIGHT_PAGE = ':is([data-jp-theme-light="true"],[data-theme="light"],.vscode-light,.mg-light)'
DARK_PAGE = ':is([data-jp-theme-light="false"],[data-theme="dark"],.vscode-dark,.mg-dark)'
"""Selectors of light and dark pages. JupyterLab has an attribute, marimo and documentation themes
have another, VS Code has a class. Any other page may set the last class.
"""


def fill_and_outline(kind: str, theme: Theme = LIGHT) -> tuple[str, str]:
    """The fill and the outline of a kind of node."""
    fill, outline = getattr(theme, kind)
    return fill, outline


def style_sheet(*, image: bool = False) -> str:
    """The style sheet inside every SVG.

    Dark where the reader's system is dark, unless the page says otherwise. Nothing is around an
    `image`, which is a document of its own.
    """
    shapes = ":is(rect,path,polygon,polyline)"
    in_page = [
        f"{LIGHT_PAGE} .mg-graph{{{_variables(LIGHT)}}}",
        f"{DARK_PAGE} .mg-graph{{{_variables(DARK)}}}",
    ]
    rules = [
        f".mg-graph{{{_variables(LIGHT)}}}",
        f"@media (prefers-color-scheme:dark){{.mg-graph{{{_variables(DARK)}}}}}",
        *([] if image else in_page),
        f'.mg-graph text{{font:{FONT_SIZE:g}px "{FONT}",Menlo,Consolas,'
        '"Noto Sans Mono CJK SC",monospace;fill:var(--mg-text)}',
        ".mg-graph .title{font-weight:600}",
        f".mg-graph .detail{{font-size:{FONT_SIZE - 1.5:g}px;fill:var(--mg-muted)}}",
    ]
    for kind in KINDS:
        rules.append(f".mg-graph .{kind} {shapes}{{stroke:var(--mg-{kind}-edge)}}")
        # A second border is a shape without a fill, drawn over the first.
        rules.append(f".mg-graph .node.{kind} {shapes}:not([fill=none]){{fill:var(--mg-{kind})}}")
    rules.append(f".mg-graph .edge:not(.saved) {shapes}{{stroke:var(--mg-edge)}}")
    rules.append(".mg-graph .edge polygon{fill:var(--mg-edge)}")
    rules.append(f".mg-graph .edge.data {shapes}{{stroke:var(--mg-data)}}")
    rules.append(".mg-graph .edge.data polygon{fill:var(--mg-data)}")
    rules.append(".mg-graph :is(.freed,.changed) .detail{fill:var(--mg-lost)}")
    return "\n".join(rules)


def code_style() -> str:
    """The style sheet of a program, in the same colours."""
    colours = {
        "comment": "muted",
        "string": "saved-edge",
        "number": "root-edge",
        "word": "saved-edge",
        "gradient": "function-edge",
        "grad": "leaf-edge",
    }
    rules = [
        f".mg-program{{{_variables(LIGHT)}}}",
        f"@media (prefers-color-scheme:dark){{.mg-program{{{_variables(DARK)}}}}}",
        f"{LIGHT_PAGE} .mg-program{{{_variables(LIGHT)}}}",
        f"{DARK_PAGE} .mg-program{{{_variables(DARK)}}}",
        # Its name twice counts for more than what pages say of all code in outputs.
        f'.mg-program.mg-program{{margin:0;overflow-x:auto;font:{FONT_SIZE - 1:g}px/1.5 "{FONT}",'
        'Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;color:var(--mg-text);background:none}',
        ".mg-program .grad{font-weight:600}",
    ]
    rules += [f".mg-program .{kind}{{color:var(--mg-{name})}}" for kind, name in colours.items()]
    return "\n".join(rules)


def _variables(theme: Theme) -> str:
    plain = [
        f"--mg-{name}:{getattr(theme, name)}" for name in ("text", "muted", "edge", "lost", "data")
    ]
    for kind in KINDS:
        fill, outline = fill_and_outline(kind, theme)
        plain += [f"--mg-{kind}:{fill}", f"--mg-{kind}-edge:{outline}"]
    return ";".join(plain)

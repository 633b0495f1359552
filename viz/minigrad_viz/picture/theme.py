"""The look of a graph: which colours of palette.py its nodes and edges have.

A picture carries them twice: as attributes in the DOT (for PNG and PDF, and for viewers that drop
style sheets) and as a style sheet inside the SVG, where a page around it can switch themes without
a new layout. Kinds of node differ by shape and border too, so nothing depends on telling hues
apart; text on its fill reaches a contrast of 7 in both themes.
"""

from __future__ import annotations

from typing import NamedTuple

from . import palette
from .palette import AMBER, BLUE, GREEN, PALE, QUIET, VIOLET, Colours

FONT = "DejaVu Sans Mono"
"""The family named in the DOT; the SVG falls back to any other monospaced family."""

FONT_SIZE, DETAIL_SIZE = 13.0, 12.0
"""Points of a title and of all other text, as in the stepper. Labels are monospaced so that their
width can be known without asking for a font.
"""


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
    tray: str
    """Background of the chips of a node."""


def _theme(colours: Colours, quiet: str) -> Theme:
    plain = (colours.ground, colours.soft)
    return Theme(
        text=colours.ink,
        muted=quiet,
        edge=colours.edge,
        lost=colours.bad,
        root=(colours.tint, colours.accent),
        function=plain,
        accumulate=(colours.done, colours.soft),
        leaf=plain,
        saved=(colours.panel, colours.edge),
        operation=(colours.ground, colours.ink),
        tensor=(colours.panel, colours.soft),
        cluster=plain,
        data=colours.ink,
        tray=colours.done,
    )


LIGHT = _theme(palette.LIGHT, QUIET[0])
DARK = _theme(palette.DARK, QUIET[1])
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


def by_theme(selector: str, light: str, dark: str) -> list[str]:
    """Return the rules that give an element one of two lists of declarations: two that follow the
    system, and two that follow the page around it.
    """
    return [
        f"{selector}{{{light}}}",
        f"@media (prefers-color-scheme:dark){{{selector}{{{dark}}}}}",
        f"{LIGHT_PAGE} {selector}{{{light}}}",
        f"{DARK_PAGE} {selector}{{{dark}}}",
    ]


def style_sheet(*, image: bool = False) -> str:
    """The style sheet inside every SVG.

    Dark where the reader's system is dark, unless the page says otherwise. Nothing is around an
    `image`, which is a document of its own.
    """
    colours = by_theme(".mg-graph", _variables(LIGHT), _variables(DARK))
    rules = [
        *(colours[:2] if image else colours),
        f'.mg-graph text{{font:{DETAIL_SIZE:g}px "{FONT}",Menlo,Consolas,'
        '"Noto Sans Mono CJK SC",monospace;fill:var(--mg-text)}',
        f".mg-graph .title{{font-size:{FONT_SIZE:g}px;font-weight:600}}",
        ".mg-graph .detail{fill:var(--mg-muted)}",
    ]
    for kind in KINDS:  # only nodes and the legend have rectangles
        rules.append(
            f".mg-graph .{kind} rect{{fill:var(--mg-{kind});stroke:var(--mg-{kind}-edge)}}"
        )
    rules += [
        ".mg-graph .node rect.tray{fill:var(--mg-tray);stroke:none}",
        ".mg-graph .edge *{stroke:var(--mg-edge)}",
        ".mg-graph .edge polygon{fill:var(--mg-edge)}",
        ".mg-graph .edge.data *{stroke:var(--mg-data)}",
        ".mg-graph .edge.data polygon{fill:var(--mg-data)}",
        ".mg-graph .freed text{text-decoration:line-through}",
        ".mg-graph :is(.freed,.changed) text{fill:var(--mg-lost)}",
    ]
    return "\n".join(rules)


def code_style() -> str:
    """The style sheet of a program, in the same colours."""
    colours = {
        "comment": "muted",
        "string": "violet",
        "number": "amber",
        "word": "violet",
        "gradient": "blue",
        "grad": "green",
    }
    light, dark = (f"{_plain(theme)};{series(at)}" for at, theme in enumerate((LIGHT, DARK)))
    rules = [
        *by_theme(".mg-program", light, dark),
        # Its name twice counts for more than what pages say of all code in outputs.
        f'.mg-program.mg-program{{margin:0;overflow-x:auto;font:{FONT_SIZE:g}px/1.5 "{FONT}",'
        'Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;color:var(--mg-text);background:none}',
        ".mg-program .grad{font-weight:600}",
    ]
    rules += [f".mg-program .{kind}{{color:var(--mg-{name})}}" for kind, name in colours.items()]
    return "\n".join(rules)


def series(place: int) -> str:
    """Return the colours of plots as variables, of the light theme (0) or the dark one (1)."""
    named = {"blue": BLUE, "amber": AMBER, "green": GREEN, "violet": VIOLET, "pale": PALE}
    return ";".join(f"--mg-{name}:{pair[place]}" for name, pair in named.items())


def _plain(theme: Theme) -> str:
    names = ("text", "muted", "edge", "lost", "data", "tray")
    return ";".join(f"--mg-{name}:{getattr(theme, name)}" for name in names)


def _variables(theme: Theme) -> str:
    plain = [_plain(theme)]
    for kind in KINDS:
        fill, outline = fill_and_outline(kind, theme)
        plain += [f"--mg-{kind}:{fill}", f"--mg-{kind}-edge:{outline}"]
    return ";".join(plain)

"""A drawing as a page of its own, whose boxes open.

A layout belongs to one choice of open boxes, and a browser has no Graphviz. So the page contains a
picture of the whole graph and one of the inside of each box, and shows the picture that its address
names. A box is a link to its inside. No script runs, and the browser's back key works.
"""

from __future__ import annotations

import html
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator

from ..model.folding import Folding
from ..model.graph_model import GraphModel
from ..texts.printable import printable
from ..texts.sentences import word
from .placement import MOST_NODES
from .policy import digest, policy
from .svg import SVG, svg
from .theme import style_sheet


def page(model: GraphModel, folding: Folding | None, layout: str | None) -> str:
    """Return the page. `model` is the graph as `folding` shows it before a box is opened."""
    drawn = list(folding.insides()) if folding and len(folding.model) <= MOST_NODES else []
    whole = svg(model, layout=layout, legend=True)
    pictures = f'<main id="whole">\n{_linked(whole, "whole", drawn) if drawn else whole}\n</main>'
    if folding is not None:
        for box in drawn:
            picture = _linked(svg(folding.view(box), layout=layout, legend=True), box, drawn)
            path = "\n".join(_path(folding, box, drawn))
            pictures += f'\n<section id="in-{box}">\n<nav>{path}</nav>\n{picture}\n</section>'
    style = _STYLE + style_sheet()
    return _PAGE.format(
        policy=policy(styles=[digest(style)]),
        language=model.root.language,
        title=html.escape(printable(model.root.name)),
        style=style,
        pictures=pictures,
    )


def _linked(drawn: str, place: str, boxes: Collection[str]) -> str:
    """Return a picture with its boxes as links, and with ids that are unique in the page."""
    ET.register_namespace("", SVG)
    root = ET.fromstring(drawn)
    root.set("role", "group")  # an image has no parts that could be reached
    for parent in list(root.iter()):
        for position, group in enumerate(list(parent)):
            id = group.get("id")
            if id is None:
                continue
            group.set("id", f"{place}-{id}")
            if id in boxes and group.get("class") != "frame":
                link = ET.Element(f"{{{SVG}}}a", {"href": f"#in-{id}", "aria-expanded": "false"})
                link.append(group)
                parent[position] = link
    return ET.tostring(root, encoding="unicode")


def _path(folding: Folding, box: str, boxes: Collection[str]) -> Iterator[str]:
    """Yield links to the whole and to the boxes around this one, from outside in."""
    yield f'<a href="#whole">{word(folding.model.root.language, "whole")}</a>'
    for around in reversed(list(folding.around(box))):
        name = html.escape(printable(folding.clusters[around].name))
        if around == box:
            yield f'<a href="#in-{box}" aria-current="page" aria-expanded="true">{name}</a>'
        elif around in boxes:
            yield f'<a href="#in-{around}">{name}</a>'


_STYLE = """
:root { color-scheme: light dark }
body { margin: 1rem; font: 1rem/1.5 system-ui, sans-serif }
svg { max-width: 100%; height: auto }
section { display: none }
section:target { display: block }
:has(section:target) > main { display: none }
nav { margin-bottom: .75rem }
nav a + a::before { content: "\\203a"; display: inline-block; padding: 0 .5em }
nav [aria-current] { color: inherit; font-weight: 600; text-decoration: none }
svg a .title { text-decoration: underline }
svg a:is(:hover, :focus-visible) rect { stroke-width: 3 }
"""

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
<h1>{title}</h1>
{pictures}
</html>
"""

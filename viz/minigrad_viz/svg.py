"""The graph as SVG: the engine's drawing with the model's ids, in colours that a page can switch.

The drawing is read as XML and written again without what differs between versions of Graphviz (its
comments, titles that repeat ids, a font on every line of text) and with a style sheet of its own.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from .dot import printable
from .graph import GraphModel, Node
from .layout import LayoutError
from .picture import picture
from .theme import FONT_SIZE, style_sheet

SVG = "http://www.w3.org/2000/svg"
TEXT = {"text-anchor": "middle", "font-family": "monospace", "font-size": f"{FONT_SIZE:g}"}
"""How all text is set, said once: every label is centred in its node."""


def svg(model: GraphModel, *, engine: str | None = None) -> str:
    """The graph as the text of an SVG element. Raises what `picture` raises."""
    drawn = ET.fromstring(picture(model, "svg", engine=engine))
    nodes = {node.id: node for node in model.nodes}
    root = ET.Element("svg", {"xmlns": SVG, "class": "mg-graph", "role": "img"})
    root.set("aria-label", f"computational graph of {printable(model.root.name)}")
    for name in ("width", "height", "viewBox"):
        root.set(name, _plain_numbers(drawn.get(name, "")))
    ET.SubElement(root, "style").text = style_sheet()
    canvas = drawn.find(f"{{{SVG}}}g")
    if canvas is None:
        raise LayoutError("Graphviz gave an SVG without a graph in it")
    group = ET.SubElement(root, "g", TEXT | {"transform": canvas.get("transform", "")})
    for drawn_group in canvas.findall(f"{{{SVG}}}g"):
        group.append(_tidy(drawn_group, nodes))
    ET.indent(root, space="")
    return ET.tostring(root, encoding="unicode")


def _tidy(drawn: ET.Element, nodes: dict[str, Node]) -> ET.Element:
    """A node's or an edge's group with plain tags; a node's whole label as its tooltip."""
    group = ET.Element("g", {"id": drawn.get("id", ""), "class": drawn.get("class", "")})
    node = nodes.get(group.get("id", ""))
    if node is not None:
        title = ET.SubElement(group, "title")
        title.text = ", ".join(printable(line) for line in node.lines)
    lines = iter(("title", "detail"))
    for element in drawn.iter():
        tag = element.tag.removeprefix(f"{{{SVG}}}")
        if tag in ("path", "polygon", "polyline", "ellipse"):
            ET.SubElement(group, tag, dict(element.attrib))
        elif tag == "text":
            place = {name: element.get(name, "") for name in ("x", "y")}
            text = ET.SubElement(group, "text", {"class": next(lines, "detail")} | place)
            text.text = element.text
    return group


def _plain_numbers(text: str) -> str:
    """ "0.00 0.00 62.00" as "0 0 62"."""
    return re.sub(r"(\d)\.0+(?!\d)", r"\1", text)

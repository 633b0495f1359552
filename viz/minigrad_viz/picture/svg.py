"""The graph as SVG: the engine's drawing with the model's ids, in colours that a page can switch.

The drawing is read as XML and written again without what differs between versions of Graphviz (its
comments, titles that repeat ids, a font on every line of text), in as few characters as it takes: a
notebook stores it. `styled` puts a style sheet into it, for where it stands alone.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from ..model.graph_model import GraphModel, Node
from ..texts.printable import printable
from ..texts.sentences import word
from .dot import label_lines
from .graphviz import LayoutError
from .placement import picture
from .theme import FONT_SIZE, LIGHT, style_sheet

SVG = "http://www.w3.org/2000/svg"
TEXT = {"text-anchor": "middle", "font-family": "monospace", "font-size": f"{FONT_SIZE:g}"}
"""How all text is set, said once: every label is centred in its node."""

EDGES = {"fill": "none", "stroke": LIGHT.edge}
"""How all edges are drawn, but for what an edge says itself."""

LINE, BASELINE = 17.3, 4.68
"""From one line of a label to the next, and from the middle of a line to where its letters stand.
Graphviz asks a font of its machine for these, and another one where a line has Chinese in it.
"""

ROUNDING = 12.0
"""The radius of a function's corners, at most; Graphviz writes them as four curves."""


def styled(svg: str, *, image: bool = False) -> str:
    """An SVG of ours with its style sheet; to be shown as an `image`, it needs less of it."""
    return svg.replace(">", f">\n<style>{style_sheet(image=image)}</style>", 1)


def svg(model: GraphModel, *, layout: str | None = None) -> str:
    """The graph as the text of an SVG element, without a style sheet. Raises what `picture`
    raises.
    """
    return svg_text(redrawn(picture(model, "svg", layout=layout), model))


def redrawn(drawing: bytes, model: GraphModel) -> ET.Element:
    """The engine's SVG of this model, in our own words."""
    drawn = ET.fromstring(drawing)
    nodes = {node.id: node for node in model.nodes}
    root = ET.Element("svg", {"xmlns": SVG, "class": "mg-graph", "role": "img"})
    name = printable(model.root.name)
    root.set("aria-label", word(model.root.language, "picture", root=name))
    for name in ("width", "height", "viewBox"):
        root.set(name, short(drawn.get(name, "")))
    canvas = drawn.find(f"{{{SVG}}}g")
    if canvas is None:
        raise LayoutError("Graphviz gave an SVG without a graph in it")
    moved = canvas.get("transform", "").partition("translate")
    group = ET.SubElement(root, "g", TEXT | {"transform": moved[1] + short(moved[2])})
    edges = ET.SubElement(group, "g", EDGES)  # below the nodes
    for drawn_group in canvas.findall(f"{{{SVG}}}g"):
        node = nodes.get(drawn_group.get("id", ""))
        if node is None:
            edges.append(_edge(drawn_group))
        else:
            group.append(_node(drawn_group, node))
    return root


def svg_text(root: ET.Element) -> str:
    """Return a redrawn SVG as text."""
    ET.indent(root, space="")
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")


def _edge(drawn: ET.Element) -> ET.Element:
    group = _group(drawn)
    for element in drawn.iter():
        tag = element.tag.removeprefix(f"{{{SVG}}}")
        if tag in ("path", "polygon"):
            said = {k: v for k, v in _look(element).items() if EDGES.get(k) != v}
            ET.SubElement(group, tag, said | _outline(element))
    return group


def _node(drawn: ET.Element, node: Node) -> ET.Element:
    group = _group(drawn)
    if (about := tooltip(node)) is not None:
        ET.SubElement(group, "title").text = about
    fold: list[str] = []
    texts = list(drawn.iter(f"{{{SVG}}}text"))
    for element in drawn.iter():
        tag = element.tag.removeprefix(f"{{{SVG}}}")
        if tag == "polyline":  # a folded corner is drawn as two lines; the second ends where
            fold.append(_outline(element)["points"])  # the first does
            if len(fold) == 2:
                points = f"{fold[0]} {fold[1].split(' ')[0]}"
                ET.SubElement(group, tag, _look(element) | {"points": points})
        elif tag in ("path", "polygon"):
            box = _box(element)
            outline = box or _outline(element)
            ET.SubElement(group, "rect" if box else tag, _look(element) | outline)
    middle = _middle(drawn) + BASELINE - LINE * (len(texts) - 1) / 2
    for line, element in enumerate(texts):
        place = {"x": element.get("x", ""), "y": f"{middle + LINE * line:.2f}"}
        place = {name: short(number) for name, number in place.items()}
        text = ET.SubElement(group, "text", {"class": "detail" if line else "title"} | place)
        text.text = element.text
    return group


def tooltip(node: Node) -> str | None:
    """The label, which may be too long to be drawn, and what is known besides."""
    whole = [printable(line) for line in node.lines]
    about = [printable(line) for line in node.about]
    return "\n".join([", ".join(whole), *about]) if about or label_lines(node) != whole else None


def _middle(drawn: ET.Element) -> float:
    """How far down the middle of a node's shape is."""
    ys = [y for element in drawn.iter() for _, y in _corners(element)]
    return (min(ys) + max(ys)) / 2


def _group(drawn: ET.Element) -> ET.Element:
    return ET.Element("g", {"id": drawn.get("id", ""), "class": drawn.get("class", "")})


def _look(element: ET.Element) -> dict[str, str]:
    """The colours and the kind of line of a shape."""
    names = ("fill", "stroke", "stroke-width", "stroke-dasharray")
    return {name: element.get(name, "") for name in names if name in element.attrib}


def _outline(element: ET.Element) -> dict[str, str]:
    """Where a path or polygon goes."""
    if "d" in element.attrib:
        return {"d": short(element.get("d", ""))}
    points = short(element.get("points", "")).split(" ")
    if element.tag.endswith("polygon") and points[0] == points[-1]:
        points.pop()  # a polygon closes itself
    return {"points": " ".join(points)}


def _box(element: ET.Element) -> dict[str, str] | None:
    """A rectangle, if that is what the shape is: with right corners, or all of them round."""
    corners = _corners(element)
    xs, ys = {x for x, _ in corners}, {y for _, y in corners}
    round_corners = "d" in element.attrib
    if not round_corners and (len(xs), len(ys)) != (2, 2):
        return None
    left, top = min(xs), min(ys)
    width, height = max(xs) - left, max(ys) - top
    box = {"x": left, "y": top, "width": width, "height": height}
    if round_corners:
        box["rx"] = min(ROUNDING, height / 3)
    return {name: f"{round(number, 1):g}" for name, number in box.items()}


def _corners(element: ET.Element) -> list[tuple[float, float]]:
    """The points that a path or polygon is drawn through."""
    written = element.get("d", "") or element.get("points", "")
    return [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+),([-\d.]+)", written)]


def short(text: str) -> str:
    """The numbers in `text` with one digit after the point, or none: a tenth of a pixel."""
    # Zero is added because what rounds to -0.0 is 0.
    return re.sub(r"-?\d+\.\d+", lambda m: f"{round(float(m[0]), 1) + 0.0:.9g}", text)

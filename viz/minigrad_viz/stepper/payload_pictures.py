"""The pictures of a stepper: the graph and, where it is folded, what is inside each box.

The browser cannot lay out a graph, and a stepper has no kernel to ask. So whoever opens a box gets
a picture of its inside, drawn in advance; each is small, and together they show every node once. Of
a graph that is too large to be drawn whole, the boxes stay closed.
"""

from __future__ import annotations

from ..model.folding import FOLDED_FROM, SEEN, Folding
from ..model.graph_model import GraphModel
from ..picture.placement import MOST_NODES
from ..picture.svg import svg
from .payload import ClusterData, Payload


def add_pictures(
    payload: Payload, model: GraphModel, fold: bool | None, engine: str | None
) -> None:
    """Draw the model into the payload. Raises what `svg` raises."""
    if fold is False or (fold is None and len(model) <= FOLDED_FROM):
        payload["svg"] = svg(model, engine=engine)
        return
    folding = Folding(model, most=0 if fold else SEEN)  # one level at a time, or as many as can be
    payload["svg"] = svg(folding.fold(folding.opened), engine=engine)
    payload["clusters"] = [
        ClusterData(id=each.id, name=each.name, parent=each.parent, size=folding.size[each.id])
        for each in folding.clusters.values()
    ]
    drawn = {cluster["id"]: cluster for cluster in payload["clusters"]}
    for cluster in folding.insides() if len(model) <= MOST_NODES else ():
        drawn[cluster]["svg"] = svg(folding.view(cluster), engine=engine)
    for node in payload["nodes"]:
        if node["id"] in folding.home:
            node["cluster"] = folding.home[node["id"]]

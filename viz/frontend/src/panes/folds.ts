/** The boxes of a folded graph, and the pictures of their contents. */

import { setAttributes } from "../dom";
import type { ClusterData, NodeData, Payload } from "../payload";
import { safeSvg } from "../sanitize";

export interface Folds {
  boxes: Map<string, ClusterData>;
  /** The boxes around a node, innermost first. */
  around(node: NodeData | undefined): string[];
  /** The box to show after `box` is closed, or "" for the whole graph. */
  outside(box: string): string;
}

export function folds({ clusters = [] }: Payload): Folds {
  const boxes = new Map(clusters.map((cluster) => [cluster.id, cluster]));
  const chain = (box: string | null | undefined): string[] => {
    const all: string[] = [];
    for (let id = box; id; id = boxes.get(id)?.parent) all.push(id);
    return all;
  };
  return {
    boxes,
    around: (node) => chain(node?.cluster),
    outside: (box) =>
      chain(box)
        .slice(1)
        .find((id) => boxes.get(id)?.inside) ?? "",
  };
}

/** The picture of a box's content. Similar boxes share it, so ids and labels are replaced. */
export function insideOf({ pictures = [] }: Payload, box?: ClusterData): SVGSVGElement | null {
  const inside = box?.inside;
  const svg = inside ? safeSvg(pictures[inside.picture] ?? "") : null;
  if (!inside || !svg) return null;
  const words = new Map(inside.words?.map(({ node, words }) => [node, words]));
  for (const shape of svg.querySelectorAll("[data-id]")) {
    const id = shape.getAttribute("data-id") ?? "";
    const place = Number(id.slice(1));
    const own = id.startsWith("n") ? inside.nodes[place] : inside.edges[place];
    setAttributes(shape, { "data-id": own });
    if (!id.startsWith("n")) continue;
    const texts = shape.querySelectorAll("title, text");
    words.get(place)?.forEach((text, i) => texts[i] && (texts[i].textContent = text));
  }
  return svg;
}

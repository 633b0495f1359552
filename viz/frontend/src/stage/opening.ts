/**
 * Which frames are open, and the edges between what is then seen. Opening a frame looks only at its
 * own edges, so it takes no longer in a large graph.
 */

import type { EdgeData } from "../payload";
import type { Detail, Frame, Part, Tree } from "./tree";

/** The edges between two places; between a closed frame and itself, those inside it. */
export interface Bundle {
  from: Part;
  to: Part;
  edges: EdgeData[];
}

export interface Opening {
  tree: Tree;
  opened: ReadonlySet<string>;
  detail: Detail;
  bundles: ReadonlyMap<string, Bundle>;
}

/** The graph with these frames open, if the frames around them are. */
export function openingOf(tree: Tree, opened: ReadonlySet<string>, detail: Detail): Opening {
  const bundles = new Map<string, Bundle>();
  collect(tree, opened, tree.edges, bundles);
  return { tree, opened, detail, bundles };
}

/** The same with one more frame open. */
export function opening(before: Opening, frame: Frame): Opening {
  const { tree, detail } = before;
  const opened = new Set(before.opened).add(frame.id);
  const bundles = new Map<string, Bundle>();
  const changed: EdgeData[] = [];
  for (const [key, bundle] of before.bundles)
    if (bundle.from === frame || bundle.to === frame) changed.push(...bundle.edges);
    else bundles.set(key, bundle);
  collect(tree, opened, changed, bundles);
  return { tree, opened, detail, bundles };
}

function collect(
  tree: Tree,
  opened: ReadonlySet<string>,
  edges: Iterable<EdgeData>,
  bundles: Map<string, Bundle>,
): void {
  for (const edge of edges) {
    const [from, to] = [seen(tree, opened, edge.source), seen(tree, opened, edge.target)];
    if (!from || !to) continue;
    const key = `${from.id} ${to.id}`;
    const known = bundles.get(key);
    if (known) known.edges.push(edge);
    else bundles.set(key, { from, to, edges: [edge] });
  }
}

/** Where a node is seen: its box, or the outermost closed frame around it. */
export function seen({ boxOf }: Tree, opened: ReadonlySet<string>, node: string): Part | null {
  const box = boxOf.get(node);
  let part: Part | null = box ?? null;
  for (let frame = box?.frame ?? null; frame; frame = frame.parent)
    if (!opened.has(frame.id)) part = frame;
  return part;
}

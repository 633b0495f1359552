/**
 * The boxes of the graph and the frames around them.
 *
 * A box stands for an operation, a root, or a leaf together with the AccumulateGrad that writes to
 * it. Saved tensors are chips on the operation that keeps them. A leaf that many operations use is a
 * chip on each of them, too, in place of lines through the whole picture.
 */

import { formatNumber } from "../numbers";
import type { EdgeData, FrameData, NodeData, Payload, ValueData } from "../payload";
import { shows } from "../shows";
import type { Strings } from "../strings";

/** A small label in a box: a saved tensor, or a leaf that the gradient goes to. */
export interface Chip {
  node: NodeData;
  text: string;
  /** The edges to a leaf that is far away. */
  far?: EdgeData[];
}

export interface Box {
  id: string;
  /** The nodes that it shows: one, or an AccumulateGrad and its leaf. */
  nodes: NodeData[];
  lines: string[];
  /** The longest text of a scalar's gradient, which a step writes; empty for other boxes. */
  gradient: string;
  chips: Chip[];
  frame: Frame | null;
}

export interface Frame {
  id: string;
  data: FrameData;
  name: string;
  parent: Frame | null;
  /** Boxes and frames directly inside. */
  boxes: Box[];
  frames: Frame[];
  /** All boxes inside, also those in frames. */
  all: Box[];
  depth: number;
}

/**
 * How much boxes say: all; without the tensors that they keep; or only the name, where a small pane
 * would show too few boxes otherwise. Then leaves become chips, and last, long frames are cut.
 */
export const DETAILS = ["all", "some", "name", "chips", "pieces"] as const;
export type Detail = (typeof DETAILS)[number];

const isBrief = (detail: Detail): boolean => detail !== "all" && detail !== "some";

export const linesIn = ({ lines }: Box, detail: Detail): string[] =>
  isBrief(detail) ? lines.slice(0, 1) : lines;

export const chipsIn = ({ chips }: Box, detail: Detail): Chip[] =>
  detail === "all" ? chips : chips.filter(({ far }) => far);

/** Whether a box has a line for its gradient. */
export const showsGradient = ({ gradient }: Box, detail: Detail): boolean =>
  gradient !== "" && !isBrief(detail);

/** What is drawn in a place: a box, or a closed frame. */
export type Part = Box | Frame;

export const isFrame = (part: Part): part is Frame => "all" in part;

export interface Tree {
  boxes: Map<string, Box>;
  /** Leaves that are only chips. */
  hidden: Map<string, Box>;
  frames: Map<string, Frame>;
  /** Boxes and frames outside of all frames. */
  top: { boxes: Box[]; frames: Frame[] };
  /** The box that shows a node. */
  boxOf: Map<string, Box>;
  /** The edges that are drawn as lines. */
  edges: EdgeData[];
}

const LONGEST = 30; // letters of a line in a box

/** The tree of a graph, in which a leaf of `many` users is a chip on each of them. */
export function treeOf(payload: Payload, t: Strings, many: number): Tree {
  const frames = new Map<string, Frame>();
  for (const data of payload.frames ?? []) {
    const parent = frames.get(data.parent ?? "") ?? null;
    const [name, depth] = [t.frame(data.kind, data.name), (parent?.depth ?? 0) + 1];
    const frame = { id: data.id, data, name, parent, boxes: [], frames: [], all: [], depth };
    frames.set(data.id, frame);
    parent?.frames.push(frame);
    frame.name = within(parent, name);
  }
  const nodes = new Map(payload.nodes.map((node) => [node.id, node]));
  const tree: Tree = {
    boxes: new Map(),
    hidden: new Map(),
    frames,
    top: { boxes: [], frames: [...frames.values()].filter((frame) => !frame.parent) },
    boxOf: new Map(),
    edges: [],
  };
  makeBoxes(payload, nodes, tree, t);
  const users = usersOf(payload, tree);
  for (const box of [...tree.boxes.values()]) {
    const own = users.get(box.id) ?? [];
    const [user] = own;
    if (many === 1 && user && box.nodes[0]?.kind === "accumulate") {
      for (const { id } of box.nodes) tree.boxOf.set(id, user);
      tree.boxes.delete(box.id);
      tree.hidden.set(box.id, box);
      continue;
    }
    box.frame = homeOf(box, own, frames);
    (box.frame ?? tree.top).boxes.push(box);
    for (let frame = box.frame; frame; frame = frame.parent) frame.all.push(box);
    box.lines = box.lines.map((line, n) => (n ? line : within(box.frame, line)));
  }
  for (const box of tree.hidden.values()) {
    const [user] = users.get(box.id) ?? [];
    for (let frame = user?.frame ?? null; frame; frame = frame.parent) frame.all.push(box);
  }
  makeEdges(payload, tree, users, many);
  for (const { chips, frame } of tree.boxes.values())
    for (const chip of chips) chip.text = within(frame, chip.text);
  return tree;
}

function makeBoxes(
  payload: Payload,
  nodes: ReadonlyMap<string, NodeData>,
  tree: Tree,
  t: Strings,
): void {
  for (const node of payload.nodes) {
    const owner = nodes.get(node.owner ?? "");
    if (node.kind === "saved" && owner) continue;
    if (node.kind === "leaf" && owner) continue;
    const lines = linesOf(payload, node, t);
    const box = { id: node.id, nodes: [node], lines, gradient: "", chips: [], frame: null };
    tree.boxes.set(node.id, box);
    tree.boxOf.set(node.id, box);
  }
  for (const node of payload.nodes) {
    const box = tree.boxes.get(node.owner ?? "");
    if (!box || tree.boxes.has(node.id)) continue;
    tree.boxOf.set(node.id, box);
    if (node.kind === "saved") {
      const [name = "", variable] = node.name.split(" = ");
      const version =
        node.version && shows(payload, "versions") ? ` ${t.shortVersion(node.version)}` : "";
      box.chips.push({ node, text: shorten(variable ?? name) + version });
    } else {
      box.nodes.push(node);
      box.lines = linesOf(payload, node, t);
    }
  }
  for (const [id, gradient] of gradientsOf(payload, t)) {
    const box = tree.boxes.get(id);
    const own = box?.nodes.at(-1);
    if (box && own?.shape?.length === 0 && own.kind !== "root") box.gradient = gradient;
  }
}

/** The longest text of each node's gradient. */
function gradientsOf({ events, values }: Payload, t: Strings): Map<string, string> {
  const longest = new Map<string, string>();
  for (const { kind, node, incoming, after } of events) {
    const value = kind === "leaf_gradient" ? after : kind === "start" ? incoming?.[0] : null;
    const text = gradientText(values[value ?? -1], t);
    if (text.length > (longest.get(node)?.length ?? 0)) longest.set(node, text);
  }
  return longest;
}

/** The gradient of a scalar in its box. */
export function gradientText(value: ValueData | undefined, t: Strings): string {
  const [cell] = value?.shape.length === 0 ? (value.data ?? []) : [];
  return cell === undefined ? "" : `${t.gradient} ${formatNumber(cell)}`;
}

/** The boxes whose gradients a box gets. */
function usersOf(payload: Payload, tree: Tree): Map<string, Box[]> {
  const users = new Map<string, Box[]>();
  for (const { kind, source, target } of payload.edges) {
    const [from, to] = [tree.boxOf.get(source), tree.boxOf.get(target)];
    if (kind !== "next" || !from || !to) continue;
    const known = users.get(to.id) ?? [];
    if (!known.includes(from)) known.push(from);
    users.set(to.id, known);
  }
  return users;
}

/** A leaf's home is the innermost frame around all its users. */
function homeOf(
  { nodes }: Box,
  users: readonly Box[],
  frames: ReadonlyMap<string, Frame>,
): Frame | null {
  const [node] = nodes;
  if (node?.frame) return frames.get(node.frame) ?? null;
  if (node?.kind !== "accumulate") return null;
  const homes = users.map((user) => frames.get(user.nodes[0]?.frame ?? "") ?? null);
  let home = homes[0] ?? null;
  while (home && !homes.every((other) => isInside(other, home))) home = home.parent;
  return home;
}

const isInside = (frame: Frame | null, outer: Frame | null): boolean => {
  for (let at = frame; at; at = at.parent) if (at === outer) return true;
  return outer === null;
};

function makeEdges(
  payload: Payload,
  tree: Tree,
  users: ReadonlyMap<string, Box[]>,
  most: number,
): void {
  for (const edge of payload.edges) {
    if (edge.kind === "leaf" || edge.kind === "saved") continue;
    const from = tree.boxOf.get(edge.source);
    const to = tree.hidden.get(edge.target) ?? tree.boxOf.get(edge.target);
    if (!from || !to || from === to) continue;
    const many = (users.get(to.id)?.length ?? 0) >= most;
    if (many && to.nodes[0]?.kind === "accumulate") from.chips.push(...farChips(from, to, edge));
    else tree.edges.push(edge);
  }
}

/** A parameter's name without that of the module whose frame it is in. */
function within(frame: Frame | null, name: string): string {
  for (let at = frame; at; at = at.parent)
    if (name.startsWith(`${at.data.name}.`)) return name.slice(at.data.name.length + 1);
  return name;
}

/** A chip for an edge to a leaf, unless the box has one for that leaf. */
function farChips(from: Box, to: Box, edge: EdgeData): Chip[] {
  const [accumulate, leaf = accumulate] = to.nodes;
  const known = from.chips.find(({ far, node }) => far && node === leaf);
  known?.far?.push(edge);
  if (known || !leaf) return [];
  // The label of an AccumulateGrad contains the shape of a leaf without a name.
  const label = accumulate?.label.split("\n")[1] ?? leaf.name;
  const text = label === leaf.name ? label : `${leaf.name} ${label}`;
  return [{ node: leaf, text: shorten(text), far: [edge] }];
}

/** The lines of a box: its name, then variable and shape, or the value of a scalar. */
function linesOf({ values }: Payload, node: NodeData, t: Strings): string[] {
  const [title = "", ...rest] = node.label.split("\n");
  const [cell] = node.shape?.length === 0 ? (values[node.value ?? -1]?.data ?? []) : [];
  const details = rest.map((line) =>
    cell === undefined || !line.endsWith(t.scalar)
      ? line
      : `${line.slice(0, -t.scalar.length).replace(/[:：]\s*$/, " ")}= ${formatNumber(cell)}`,
  );
  return [title || node.name || node.id, ...details].filter(Boolean).map(shorten);
}

const shorten = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST - 9)}…${text.slice(-8)}` : text;

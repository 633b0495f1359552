/**
 * The trees of a graph, one for each detail. A small pane has smaller frames, too: where a frame has
 * too many parts to be seen together, consecutive pieces of an order in which they can run become
 * frames, which never form a cycle.
 */

import type { Payload } from "../payload";
import type { Strings } from "../strings";
import { type Box, type Detail, type Frame, type Part, type Tree, treeOf } from "./tree";

const MANY = 3; // users of a leaf that is shown at each of them
const MOST = 4; // parts that stay together

/** The trees of a graph for each detail. With names alone, every leaf is a chip. */
export function treesOf(payload: Payload, t: Strings): (detail: Detail) => Tree {
  const known = new Map<Detail, Tree>();
  return (detail) => {
    const hides = detail === "chips" || detail === "pieces";
    const alike = hides ? detail : "all";
    const tree = known.get(alike) ?? treeOf(payload, t, hides ? 1 : MANY);
    if (detail === "pieces" && !known.has(detail)) cutFrames(tree);
    known.set(alike, tree);
    return tree;
  };
}

/** Put the parts of each frame, and those outside of all frames, into smaller frames. */
function cutFrames(tree: Tree): void {
  const links = linksOf(tree);
  for (const frame of [null, ...tree.frames.values()]) {
    const { boxes, frames } = frame ?? tree.top;
    const parts = inOrder([...boxes, ...frames], links);
    if (parts.length <= MOST) continue;
    const count = Math.ceil(parts.length / Math.ceil(Math.sqrt(parts.length)));
    boxes.length = frames.length = 0;
    for (let n = 0; n < count; n++) {
      const at = (piece: number): number => Math.round((piece * parts.length) / count);
      frames.push(frameOf(tree, frame, parts.slice(at(n), at(n + 1)), at(n)));
    }
  }
  for (const frame of tree.frames.values()) frame.depth = depthOf(frame);
}

function frameOf(tree: Tree, parent: Frame | null, parts: Part[], first: number): Frame {
  const name = `${first + 1}–${first + parts.length}`;
  const id = `${parent?.id ?? ""} ${name}`;
  const data = { id, kind: "part" as const, name, parent: parent?.id ?? null };
  const made: Frame = { id, data, name, parent, boxes: [], frames: [], all: [], depth: 0 };
  for (const part of parts)
    if ("all" in part) {
      made.frames.push(part);
      made.all.push(...part.all);
      part.parent = made;
    } else {
      made.boxes.push(part);
      made.all.push(part);
      part.frame = made;
    }
  tree.frames.set(id, made);
  return made;
}

/** For each part, those that its lines lead to in the same frame. */
function linksOf({ boxOf, edges }: Tree): Map<Part, Set<Part>> {
  const links = new Map<Part, Set<Part>>();
  for (const { source, target } of edges) {
    const [from, to] = [boxOf.get(source), boxOf.get(target)];
    if (!from || !to) continue;
    const [up, down] = [chainOf(from), chainOf(to)];
    const shared = up.findIndex((part, n) => part !== down[n]);
    const [a, b] = [up[shared], down[shared]];
    if (a && b) links.set(a, (links.get(a) ?? new Set()).add(b));
  }
  return links;
}

/** A box after the frames around it, the outermost first. */
function chainOf(box: Box): Part[] {
  const chain: Part[] = [box];
  for (let frame = box.frame; frame; frame = frame.parent) chain.unshift(frame);
  return chain;
}

/** The parts of one frame, each before those that its lines lead to. */
function inOrder(parts: readonly Part[], links: ReadonlyMap<Part, ReadonlySet<Part>>): Part[] {
  const known = new Set<Part>();
  const found: Part[] = [];
  const visit = (part: Part): void => {
    if (known.has(part)) return;
    known.add(part);
    for (const next of [...(links.get(part) ?? [])].reverse()) visit(next);
    found.unshift(part);
  };
  for (const part of [...parts].reverse()) visit(part);
  return found;
}

const depthOf = (frame: Frame): number => (frame.parent ? depthOf(frame.parent) + 1 : 1);

/**
 * Which frames are open at first: closed until everything fits, and no closed one could open and
 * everything would still fit.
 */

import type { Size } from "./measure";
import { opening, openingOf, type Opening } from "./opening";
import { sceneOf, type Scene } from "./scene";
import { DETAILS, type Detail, type Frame, type Tree } from "./tree";

const LARGEST = 1.6; // the scale of a small graph, in units of the least that can be read
const MARGIN = 12; // pixels between the drawing and the pane
const FILLS = 0.72; // of the pane, in one direction
const MOST_TRIES = 240;

export interface Fitted {
  opening: Opening;
  scene: Scene;
  scale: number;
}

/** The largest scale at which a drawing fits into a pane. */
export const scaleIn = (scene: Size, pane: Size, least: number): number =>
  Math.min(
    LARGEST * least,
    (pane.width - 2 * MARGIN) / Math.max(scene.width, 1),
    (pane.height - 2 * MARGIN) / Math.max(scene.height, 1),
  );

const NARROW = 9; // pixels between layers, where frames had to be cut
const FEW = 8; // a picture of fewer boxes says too little

/**
 * Open as many frames as fit with a scale of at least `least`. If that shows too few boxes, they say
 * less.
 */
export function fitted(trees: (detail: Detail) => Tree, pane: Size, least: number): Fitted {
  let best: Fitted | null = null;
  const readable = ({ scale }: Fitted): boolean => scale >= least;
  for (const detail of DETAILS)
    for (const order of [1, -1]) {
      const tree = trees(detail);
      if (best && readable(best) && boxesIn(best) >= Math.min(FEW, tree.boxes.size)) break;
      const next = opened(tree, pane, least, detail, order);
      const more = !best || boxesIn(next) > boxesIn(best);
      if (!best || readable(next) > readable(best) || (more && readable(next) === readable(best)))
        best = next;
    }
  return spread(pane, best ?? opened(trees("all"), pane, least, "all", 1), least);
}

/** How many boxes and closed frames are seen. */
const boxesIn = ({ scene }: Fitted): number =>
  [...scene.placed.values()].filter(({ open }) => !open).length;

/** Open frames, small ones first (then more of them fit), or large ones with an `order` of -1. */
function opened(tree: Tree, pane: Size, least: number, detail: Detail, order: number): Fitted {
  const bySize = (a: Frame, b: Frame): number =>
    order * (partsOf(a) - partsOf(b)) || a.depth - b.depth;
  let best = drawn(openingOf(tree, new Set(), detail), pane, least);
  let waiting = [...tree.top.frames];
  let tries = 0;
  for (let opens = true; opens;) {
    opens = false;
    const failed: Frame[] = [];
    for (waiting.sort(bySize); waiting.length; waiting.sort(bySize)) {
      const frame = waiting.shift();
      if (!frame) break;
      const next = (tries += 1) > MOST_TRIES ? null : tried(frame, best, pane, least);
      if (next) {
        best = next;
        opens = true;
        waiting.push(...frame.frames);
      } else failed.push(frame);
    }
    waiting = failed;
  }
  return best;
}

/** The drawing with one more frame open, if it fits. */
function tried(
  frame: Frame,
  { opening: before }: Fitted,
  pane: Size,
  least: number,
): Fitted | null {
  const next = drawn(opening(before, frame), pane, least);
  return next.scale >= least ? next : null;
}

const partsOf = ({ boxes, frames }: Frame): number => boxes.length + frames.length;

/** The drawing at the numbers of columns that make it largest. */
export function drawn(opening: Opening, pane: Size, least: number, wide?: number): Fitted {
  const gap = wide ?? (opening.detail === "pieces" ? NARROW : undefined);
  const high = pane.height - 2 * MARGIN;
  let best: Fitted | null = null;
  for (const inside of opening.opened.size ? [1, 0.75, 0.55] : [1])
    for (let part = 1; part <= 2; part *= 1.25) {
      const room = { whole: Math.round(high / part), inside: Math.round(high * inside), gap };
      const scene = sceneOf(opening, room);
      const scale = scaleIn(scene, pane, least);
      if (!best || scale > best.scale + 0.01) best = { opening, scene, scale };
      if (scale >= LARGEST * least) return best;
    }
  return best ?? { opening, scene: sceneOf(opening, { whole: high, inside: high }), scale: 1 };
}

/** A small graph with larger gaps, so that it fills its pane. */
function spread(pane: Size, found: Fitted, least: number): Fitted {
  let best = found;
  for (let gap = 30; gap <= 120 && !fills(best, pane); gap += 15) {
    const next = drawn(found.opening, pane, least, gap);
    if (next.scale < Math.max(least, Math.min(best.scale, 1.3 * least))) break;
    best = next;
  }
  return best;
}

const fills = ({ scene, scale }: Fitted, pane: Size): boolean =>
  scene.width * scale > FILLS * pane.width || scene.height * scale > FILLS * pane.height;

/**
 * A drawing of the graph with some frames open: the place of each box and frame, and the way of each
 * line. Each open frame is laid out by itself, and is then a box in the frame around it.
 */

import { Layers, linkKey, type Drawn, type Item, type Link, type Point } from "./layers";
import { sizeOf, TITLE, type Size } from "./measure";
import { sideBySide, spreadOf, type Line } from "./parallel";
import type { Bundle, Opening } from "./opening";
import { isFrame, type Detail, type Frame, type Part } from "./tree";

export interface Placed extends Point, Size {
  part: Part;
  open: boolean;
}

export interface Scene extends Size {
  /** Outer frames before what is in them. */
  placed: Map<string, Placed>;
  lines: Line[];
  detail: Detail;
}

const PAD = 8; // pixels between a frame and what is in it
const NESTED = 26; // what each frame around takes of the height

/** One level of the drawing: the inside of a frame, or all. */
class Level {
  readonly items = new Map<string, Item>();
  readonly links = new Map<string, Link>();
  drawn: Drawn | null = null;
  x = 0;
  y = 0;

  constructor(readonly frame: Frame | null) {}
}

/** How high the drawing and the insides of frames may be, and the gap between layers. */
export interface Room {
  whole: number;
  inside: number;
  gap?: number | undefined;
}

export const sceneOf = (opening: Opening, room: Room): Scene =>
  new Composer(opening, room).compose();

class Composer {
  readonly #levels = new Map<string, Level>();
  readonly #lines: { line: Line; route: [Level, Link][] }[] = [];
  readonly #scene: Scene = { width: 0, height: 0, placed: new Map(), lines: [], detail: "all" };

  readonly #opened: ReadonlySet<string>;

  constructor(
    private readonly opening: Opening,
    private readonly room: Room,
  ) {
    this.#opened = opening.opened;
  }

  compose(): Scene {
    for (const bundle of this.opening.bundles.values()) this.#route(bundle);
    const { width, height } = this.#measure(null);
    Object.assign(this.#scene, { width, height, detail: this.opening.detail });
    this.#put(null, 0, 0);
    for (const { line, route } of this.#lines) {
      for (const [{ x, y, drawn }, link] of route)
        for (const point of drawn?.ways.get(linkKey(link)) ?? [])
          line.points.push({ x: x + point.x, y: y + point.y });
      this.#scene.lines.push(...sideBySide(line));
    }
    return this.#scene;
  }

  #size(part: Part, open: boolean): Size {
    return sizeOf(part, open, this.opening.detail);
  }

  #level(frame: Frame | null): Level {
    const id = frame?.id ?? "";
    const level = this.#levels.get(id) ?? new Level(frame);
    this.#levels.set(id, level);
    return level;
  }

  /** Lead edges out of the frames around their source and into those around their target. */
  #route({ from, to, edges }: Bundle): void {
    if (from === to) return;
    const [up, down] = [chainOf(from), chainOf(to)];
    let shared = 0;
    while (up[shared] && up[shared] === down[shared]) shared += 1;
    const source = from.id;
    const spread = spreadOf(edges);
    const route: [Level, Link][] = [];
    const add = (frame: Frame | null, a: string, b: string): void => {
      const level = this.#level(frame);
      const link = { source, from: a, to: b, spread };
      link.spread = Math.max(spread, level.links.get(linkKey(link))?.spread ?? 0);
      level.links.set(linkKey(link), link);
      route.push([level, link]);
    };
    for (let n = up.length - 1; n >= shared; n--)
      add(up[n] ?? null, up[n + 1]?.id ?? from.id, this.#port(up[n] ?? null, "bottom", source));
    add(up[shared - 1] ?? null, up[shared]?.id ?? from.id, down[shared]?.id ?? to.id);
    for (let n = shared; n < down.length; n++)
      add(down[n] ?? null, this.#port(down[n] ?? null, "top", source), down[n + 1]?.id ?? to.id);
    this.#lines.push({ line: { edges, points: [] }, route });
  }

  /** The place on a frame's side at which the lines of `source` pass it. */
  #port(frame: Frame | null, side: "top" | "bottom", source: string): string {
    const id = `${side} ${source}`;
    this.#level(frame).items.set(id, { id, width: 1, height: 0, side });
    return id;
  }

  /** Lay out the inside of a frame, after the frames in it. */
  #measure(frame: Frame | null): Size {
    const level = this.#level(frame);
    const { boxes, frames } = frame ?? this.opening.tree.top;
    const { whole, inside, gap } = this.room;
    const room = frame ? inside - NESTED * frame.depth : whole;
    const inner: Item[] = boxes.map((box) => ({ id: box.id, ...this.#size(box, false) }));
    for (const each of frames) {
      if (!this.#opened.has(each.id)) inner.push({ id: each.id, ...this.#size(each, false) });
      else inner.push(this.#opening(each));
    }
    const items = [...inner, ...level.items.values()];
    level.drawn = new Layers(items, [...level.links.values()]).draw(room, gap);
    const { width, height } = level.drawn;
    if (!frame) return { width, height };
    const title = this.#size(frame, true).width;
    return { width: Math.max(width, title) + 2 * PAD, height: height + TITLE + PAD };
  }

  /** An open frame as an item of the frame around it. */
  #opening(frame: Frame): Item {
    const { width, height } = this.#measure(frame);
    const { drawn } = this.#level(frame);
    const [enters, leaves] = [new Map<string, number>(), new Map<string, number>()];
    const shift = this.#shift(frame, width);
    for (const [id, { x }] of drawn?.places ?? []) {
      const [side, source = ""] = id.split(" ");
      if (side === "top") enters.set(source, x + shift);
      if (side === "bottom") leaves.set(source, x + shift);
    }
    return { id: frame.id, width, height, enters, leaves };
  }

  /** How far the inside of a frame is from its left side. */
  #shift(frame: Frame, width: number): number {
    return (width - (this.#level(frame).drawn?.width ?? 0)) / 2;
  }

  /** Give everything in a frame its place in the whole. */
  #put(frame: Frame | null, x: number, y: number): void {
    const level = this.#level(frame);
    const { drawn } = level;
    if (!drawn) return;
    const { boxes, frames } = frame ?? this.opening.tree.top;
    Object.assign(level, { x, y });
    for (const part of [...frames, ...boxes]) {
      const at = drawn.places.get(part.id);
      if (!at) continue;
      const open = isFrame(part) && this.#opened.has(part.id);
      const size = open ? this.#openSize(part) : this.#size(part, false);
      this.#scene.placed.set(part.id, { part, open, ...size, x: x + at.x, y: y + at.y });
      if (open) this.#put(part, x + at.x + this.#shift(part, size.width), y + at.y + TITLE);
    }
  }

  #openSize(frame: Frame): Size {
    const { width = 0, height = 0 } = this.#level(frame).drawn ?? {};
    const title = this.#size(frame, true).width;
    return { width: Math.max(width, title) + 2 * PAD, height: height + TITLE + PAD };
  }
}

/** The frames around a part, from the outside in. */
function chainOf(part: Part): Frame[] {
  const chain: Frame[] = [];
  let frame = isFrame(part) ? part.parent : part.frame;
  for (; frame; frame = frame.parent) chain.unshift(frame);
  return chain;
}

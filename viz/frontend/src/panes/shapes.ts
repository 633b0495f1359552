/** Shapes of the picture: boxes with their chips, frames, lines, and the marks on them. */

import { s, setAttributes } from "../dom";
import { SIGNS } from "../marks";
import type { Mark } from "../payload";
import type { Point } from "../stage/layers";
import { CHIP, chipRows, ROW, TITLE, type Size } from "../stage/measure";
import type { Placed } from "../stage/scene";
import {
  chipsIn,
  isFrame,
  linesIn,
  showsGradient,
  type Box,
  type Chip,
  type Detail,
} from "../stage/tree";

/** The shapes of one place: the box or frame, and its chips by the id of what they show. */
export interface Shape {
  /** What lines of an open frame are drawn over. */
  ground: SVGGElement;
  group: SVGGElement;
  /** The part that is a button. */
  body: SVGGElement;
  chips: Map<string, SVGGElement>;
  /** The line of text that a step changes. */
  count: SVGTextElement | null;
}

export const chipId = ({ far, node }: Chip): string => far?.[0]?.id ?? node.id;

const ROUND = 7; // the radius of corners
const TEXT = 13; // from the top of a line to where its letters stand

/** A box or frame at 0, 0. */
export function drawShape(placed: Placed, detail: Detail): Shape {
  const { part, open } = placed;
  const [group, body] = [s("g", { class: "box" }), s("g", { "data-id": part.id })];
  group.append(body);
  const ground = s("g", { class: "box" });
  const shape: Shape = { ground, group, body, chips: new Map(), count: null };
  if (!isFrame(part)) {
    if (showsGradient(part, detail)) shape.count = text("detail", 0, 0, "");
    drawBox(shape, linesIn(part, detail), chipsIn(part, detail), part, placed);
  } else if (open) drawOpen(shape, part.name, placed);
  else drawClosed(shape, part.name, placed);
  return shape;
}

function drawBox(
  { group, body, chips, count }: Shape,
  lines: readonly string[],
  shown: readonly Chip[],
  { nodes }: Box,
  { width, height }: Size,
): void {
  const kind = nodes[0]?.kind;
  const square = kind === "root" || kind === "accumulate" || kind === "leaf";
  const top = 4 + ROW * (lines.length + (count ? 1 : 0)) + 4;
  // Chips stand below the box, so that they are buttons of their own.
  if (shown.length)
    group.prepend(s("rect", { class: "tray", x: 3, y: 4, width: width - 6, height: height - 4 }));
  body.append(s("rect", { width, height: top, rx: square ? 2 : ROUND }));
  const middle = width / 2;
  for (const [n, line] of lines.entries())
    // A screen reader compares the label with the texts, between which it needs a blank.
    body.append(text(n ? "detail" : "title", middle, 4 + ROW * n + TEXT, line), "\n");
  if (count) {
    setAttributes(count, { x: middle, y: 4 + ROW * lines.length + TEXT });
    body.append(count);
  }
  const rows = chipRows(shown.map((chip) => chip.text));
  const widths: number[] = [];
  for (const { row, x, width: w } of rows) widths[row] = x + w;
  for (const [n, chip] of shown.entries()) {
    const { x, row, width: w } = rows[n] ?? { x: 0, row: 0, width: 0 };
    const left = (width - (widths[row] ?? 0)) / 2 + x;
    const id = chipId(chip);
    const made = s("g", { class: "chip", "data-id": id });
    made.append(
      s("rect", { x: left, y: top + row * CHIP + 2, width: w, height: CHIP - 3, rx: 3 }),
      text(chip.far ? "far" : "detail", left + w / 2, top + row * CHIP + TEXT + 1, chip.text),
    );
    chips.set(id, made);
    group.append(made);
  }
}

function drawClosed(shape: Shape, name: string, { width, height }: Size): void {
  shape.count = text("detail", width / 2, 5 + ROW + TEXT, "");
  shape.body.append(
    s("rect", { class: "behind", x: 4, y: -4, width: width - 4, height: height - 4, rx: 3 }),
    s("rect", { width: width - 4, height, rx: 3 }),
    text("title", width / 2, 5 + TEXT, name),
    "\n",
    shape.count,
  );
}

function drawOpen({ ground, body }: Shape, name: string, { width, height }: Size): void {
  ground.append(s("rect", { class: "ground", width, height, rx: 4 }));
  body.append(
    s("rect", { class: "head", width, height: TITLE - 4, rx: 4 }),
    s("path", { class: "fold", d: "M8 8h8l-4 6z" }),
    text("title start", 22, 3 + TEXT, name),
  );
}

const text = (name: string, x: number, y: number, words: string): SVGTextElement =>
  s("text", { class: name, x, y }, words);

/** Make a shape a button; `neighbour` gives the shape that the up and down keys focus. */
export function makeButton(
  shape: SVGElement,
  choose: () => void,
  neighbour: (by: number) => SVGElement | undefined,
): void {
  setAttributes(shape, { role: "button", tabindex: -1 });
  shape.addEventListener("click", choose);
  shape.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") choose();
    else if (by !== undefined) neighbour(by)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

const ARROW = 6;

/** A line through these points, which bends softly between layers, and its arrow. */
export function drawLine(line: SVGGElement, points: readonly Point[]): void {
  const [first] = points;
  const end = points.at(-1);
  if (!first || !end) return;
  let d = `M${round(first.x)} ${round(first.y)}`;
  let last = first;
  for (const [n, point] of points.entries()) {
    const to = n === points.length - 1 ? { x: point.x, y: point.y - ARROW } : point;
    if (to.x === last.x && to.y === last.y) continue;
    if (to.x === last.x || to.y === last.y) d += `L${round(to.x)} ${round(to.y)}`;
    else {
      const middle = round((last.y + to.y) / 2);
      d += `C${round(last.x)} ${middle} ${round(to.x)} ${middle} ${round(to.x)} ${round(to.y)}`;
    }
    last = to;
  }
  const { x, y } = end;
  line.append(
    s("path", { d }),
    s("polygon", { points: `${x},${y} ${x - 3.5},${y - ARROW} ${x + 3.5},${y - ARROW}` }),
  );
}

const round = (x: number): number => Math.round(x * 10) / 10;

/** Append a dash that moves along an edge once, like the gradient (the style sheet moves it). */
export function addDash(edge: SVGElement | undefined): SVGElement[] {
  const line = edge?.querySelector("path");
  if (!line) return [];
  const dash = s("path", { class: "flow", d: line.getAttribute("d"), pathLength: 1 });
  edge?.append(dash);
  return [dash];
}

/** Show or hide the dot of a node at which playing stops. */
export function markStop(shape: SVGElement | undefined, on: boolean): void {
  const dot = shape?.querySelector(".dot");
  if (!shape || on === Boolean(dot)) return;
  if (dot) dot.remove();
  else shape.append(s("circle", { class: "dot", cx: 1, cy: 1, r: 6 }));
}

/** Add the sign of a node that differs between two passes, at the corner opposite the dot. */
export function markSign(shape: SVGElement | undefined, mark: Mark, width: number): void {
  if (!shape || shape.querySelector(".sign")) return;
  const at = { x: width - 2, y: 2 };
  shape.append(
    s("circle", { class: "sign", cx: at.x, cy: at.y, r: 9 }),
    s("text", { class: "sign", x: at.x, y: at.y + 5 }, SIGNS[mark]),
  );
}

/**
 * A tensor with many numbers as a picture: a point for each number, or for each block of a large
 * tensor, with slices side by side, so that an image looks like one. And a histogram of its numbers.
 */

import { h, s } from "./dom";
import { formatNumber, summarize, toNumber } from "./numbers";
import type { Cell, ValueData } from "./payload";

const WIDEST = 288; // pixels
const LARGEST_POINT = 8;
const BLOCK_POINT = 4; // for a block of numbers: several such pictures are shown together
const ACROSS = 67; // points of slices in one row
const PLUS = [61, 139, 212]; // the tints of the style sheet, visible on light and dark
const MINUS = [224, 138, 30];
const BAD = [211, 47, 47];
const BINS = 24;
const GAP = 1; // points between slices
const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The picture of a tensor; `size` gives the strength of a number's colour, from 0 to 1. A mark is at
 * the number that was clicked or reached by arrow keys. A sketch has no mark, because each of its
 * cells stands for several numbers.
 */
export function heatMap(value: ValueData, size: (x: number) => number): HTMLElement {
  const { shape: named, data: numbers, sketch } = value;
  const { shape, cells } = sketch ?? { shape: named, cells: numbers ?? [] };
  const plan = new Plan(shape, cells.length);
  const { width, height } = plan;
  const canvas = h("canvas", { width, height, role: "img" });
  canvas.setAttribute("aria-label", `[${named.join(", ")}]`);
  const view = h("div", { class: "heat" }, canvas, !sketch && markView(plan, canvas, cells));
  const largest = sketch ? BLOCK_POINT : LARGEST_POINT;
  const point = Math.max(1, Math.min(largest, Math.floor(WIDEST / width)));
  view.style.width = `${width * point}px`;
  paint(canvas, plan, cells, size);
  return view;
}

/** The layout of the points: slices next to each other, with gaps between them. */
class Plan {
  readonly columns: number;
  readonly rows: number;
  readonly across: number;
  readonly width: number;
  readonly height: number;

  readonly #count: number;

  constructor(shape: readonly number[], count: number) {
    this.#count = count;
    this.columns = shape.at(-1) ?? 1;
    this.rows = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
    const slices = count / Math.max(this.rows * this.columns, 1);
    const most = Math.floor((ACROSS + GAP) / (this.columns + GAP));
    this.across = Math.max(1, Math.min(slices, most));
    this.width = this.across * (this.columns + GAP) - GAP;
    this.height = Math.ceil(slices / this.across) * (this.rows + GAP) - GAP;
  }

  /** The point of number `flat`. */
  pointOf(flat: number): [x: number, y: number] {
    const { rows, columns, across } = this;
    const [slice, inside] = [Math.floor(flat / (rows * columns)), flat % (rows * columns)];
    return [
      (slice % across) * (columns + GAP) + (inside % columns),
      Math.floor(slice / across) * (rows + GAP) + Math.floor(inside / columns),
    ];
  }

  /** The number at a point, or null outside of the picture. */
  numberAt(x: number, y: number): number | null {
    const { rows, columns, across, width, height } = this;
    // A gap belongs to the slice before it.
    const [i, j] = [
      Math.min(y % (rows + GAP), rows - 1),
      Math.min(x % (columns + GAP), columns - 1),
    ];
    const slice = Math.floor(y / (rows + GAP)) * across + Math.floor(x / (columns + GAP));
    const flat = (slice * rows + i) * columns + j;
    const isInside = x >= 0 && y >= 0 && x < width && y < height && flat < this.#count;
    return isInside ? flat : null;
  }
}

/** The mark of one number: a button that arrow keys and clicks on the canvas move. */
function markView(plan: Plan, canvas: HTMLElement, cells: readonly Cell[]): HTMLElement {
  const { width, height, rows, columns } = plan;
  const mark = h("span", { class: "mark", role: "button", tabindex: 0 });
  const go = (x: number, y: number): void => {
    const flat = plan.numberAt(x, y);
    if (flat === null) return;
    const [left, top] = plan.pointOf(flat);
    if (mark.dataset["flat"] !== String(flat)) mark.removeAttribute("aria-current");
    mark.dataset["flat"] = String(flat);
    mark.setAttribute("aria-label", formatNumber(cells[flat] ?? ""));
    mark.style.cssText = `left:${(100 * left) / width}%;top:${(100 * top) / height}%;width:${100 / width}%;height:${100 / height}%`;
  };
  go(0, 0);
  canvas.addEventListener("click", ({ offsetX, offsetY }) => {
    const { clientWidth: wide, clientHeight: high } = canvas;
    go(Math.floor((offsetX / wide) * width), Math.floor((offsetY / high) * height));
  });
  mark.addEventListener("keydown", ({ key }) => {
    const [x, y] = plan.pointOf(Number(mark.dataset["flat"]));
    const [right, down] = STEPS[key] ?? [0, 0];
    if (right || down) go(skipGap(x, columns, right), skipGap(y, rows, down));
  });
  return mark;
}

/** Move `at` by one point, over the gap after each slice of length `n`. */
function skipGap(at: number, n: number, by: number): number {
  if (by > 0 && (at + 1) % (n + GAP) === n) return at + 1 + GAP;
  if (by < 0 && at % (n + GAP) === 0) return at - 1 - GAP;
  return at + by;
}

function paint(
  canvas: HTMLCanvasElement,
  plan: Plan,
  cells: readonly Cell[],
  size: (x: number) => number,
): void {
  const context = canvas.getContext("2d");
  const pixels = context?.createImageData(plan.width, plan.height);
  if (!context || !pixels) return;
  for (const [flat, cell] of cells.entries()) {
    const [x, y] = plan.pointOf(flat);
    const number = toNumber(cell);
    const colour = Number.isFinite(number) ? (number < 0 ? MINUS : PLUS) : BAD;
    const strength = Number.isFinite(number) ? size(number) : 1;
    pixels.data.set([...colour, Math.round(255 * strength)], 4 * (y * plan.width + x));
  }
  context.putImageData(pixels, 0, 0);
}

/** The distribution of the numbers between the smallest and the largest. */
export function histogram(value: ValueData): HTMLElement | null {
  const { min: low, max: high } = summarize(value);
  if (!(high > low)) return null;
  const counts = value.sketch?.counts ?? Array.from({ length: BINS }, () => 0);
  for (const x of (value.data ?? []).map(toNumber).filter(Number.isFinite)) {
    const bin = Math.min(BINS - 1, Math.floor(((x - low) / (high - low)) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  const bars = counts.map((n, i) => `M${i} 10V${10 - (10 * n) / most}h.9V10z`).join("");
  return h(
    "span",
    { class: "histogram" },
    formatNumber(Number(low.toPrecision(3))),
    s(
      "svg",
      { viewBox: `0 0 ${BINS} 10`, preserveAspectRatio: "none", "aria-hidden": "true" },
      s("path", { d: bars }),
    ),
    formatNumber(Number(high.toPrecision(3))),
  );
}

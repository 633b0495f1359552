/**
 * A tensor of more numbers than one reads, as a picture: a point for each number, or of a large one
 * for each block of them, slices beside each other, so that an image is seen as one; and how its
 * numbers are spread.
 */

import { h, s } from "./dom";
import { formatNumber, summarize, toNumber } from "./numbers";
import type { ValueData } from "./payload";

const WIDEST = 288; // pixels
const LARGEST_POINT = 8;
const BLOCK_POINT = 4; // of a block of numbers: several such pictures are seen together
const ACROSS = 67; // points of slices beside each other
const PLUS = [61, 139, 212]; // as the style sheet's tints, readable on light and dark
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
 * `size` says how strong a number's colour is, from 0 to 1. One number is marked: that which was
 * clicked, or to which the arrows have led; of a sketch none, whose cells stand for many.
 */
export function heatMap(value: ValueData, size: (x: number) => number): HTMLElement {
  const { shape: named, data: numbers, sketch } = value;
  const { shape, cells: data } = sketch ?? { shape: named, cells: numbers ?? [] };
  const largest = sketch ? BLOCK_POINT : LARGEST_POINT;
  const columns = shape.at(-1) ?? 1;
  const rows = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
  const slices = data.length / Math.max(rows * columns, 1);
  const across = Math.max(1, Math.min(slices, Math.floor((ACROSS + GAP) / (columns + GAP))));
  const down = Math.ceil(slices / across);
  const [width, height] = [across * (columns + GAP) - GAP, down * (rows + GAP) - GAP];
  const canvas = h("canvas", { width, height, role: "img" });
  canvas.setAttribute("aria-label", `[${named.join(", ")}]`);
  const point = Math.max(1, Math.min(largest, Math.floor(WIDEST / width)));
  const mark = h("span", { class: "mark", role: "button", tabindex: 0 });
  const view = h("div", { class: "heat" }, canvas, !sketch && mark);
  view.style.width = `${width * point}px`;
  /** Where a number is in the picture. */
  const pointOf = (flat: number): [number, number] => {
    const [slice, inside] = [Math.floor(flat / (rows * columns)), flat % (rows * columns)];
    return [
      (slice % across) * (columns + GAP) + (inside % columns),
      Math.floor(slice / across) * (rows + GAP) + Math.floor(inside / columns),
    ];
  };
  const go = (x: number, y: number): void => {
    // A gap is part of the slice before it.
    const [i, j] = [
      Math.min(y % (rows + GAP), rows - 1),
      Math.min(x % (columns + GAP), columns - 1),
    ];
    const slice = Math.floor(y / (rows + GAP)) * across + Math.floor(x / (columns + GAP));
    const flat = (slice * rows + i) * columns + j;
    if (x < 0 || y < 0 || x >= width || y >= height || flat >= data.length) return;
    const [left, top] = pointOf(flat);
    if (mark.dataset["flat"] !== String(flat)) mark.removeAttribute("aria-current");
    mark.dataset["flat"] = String(flat);
    mark.setAttribute("aria-label", formatNumber(data[flat] ?? ""));
    mark.style.cssText = `left:${(100 * left) / width}%;top:${(100 * top) / height}%;width:${100 / width}%;height:${100 / height}%`;
  };
  if (!sketch) {
    go(0, 0);
    canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const { clientWidth: wide, clientHeight: high } = canvas;
      go(Math.floor((offsetX / wide) * width), Math.floor((offsetY / high) * height));
    });
  }
  mark.addEventListener("keydown", ({ key }) => {
    const [x, y] = pointOf(Number(mark.dataset["flat"]));
    const [right, down] = STEPS[key] ?? [0, 0];
    // Over the gap between two slices.
    const over = (i: number, n: number, by: number): number =>
      by > 0 && (i + 1) % (n + GAP) === n
        ? i + 1 + GAP
        : by < 0 && i % (n + GAP) === 0
          ? i - 1 - GAP
          : i + by;
    if (right || down) go(over(x, columns, right), over(y, rows, down));
  });
  const context = canvas.getContext("2d");
  const pixels = context?.createImageData(width, height);
  if (!context || !pixels) return view;
  for (const [flat, cell] of data.entries()) {
    const [x, y] = pointOf(flat);
    const number = toNumber(cell);
    const colour = Number.isFinite(number) ? (number < 0 ? MINUS : PLUS) : BAD;
    const strength = Number.isFinite(number) ? size(number) : 1;
    pixels.data.set([...colour, Math.round(255 * strength)], 4 * (y * width + x));
  }
  context.putImageData(pixels, 0, 0);
  return view;
}

/** How many numbers lie where between the smallest and the largest. */
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

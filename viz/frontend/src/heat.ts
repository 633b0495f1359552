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

/** `size` says how strong a number's colour is, from 0 to 1. */
export function heatMap(
  { shape: named, data: numbers, sketch }: ValueData,
  size: (x: number) => number,
): HTMLElement {
  const { shape, cells: data } = sketch ?? { shape: named, cells: numbers ?? [] };
  const largest = sketch ? BLOCK_POINT : LARGEST_POINT;
  const columns = shape.at(-1) ?? 1;
  const rows = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
  const slices = data.length / Math.max(rows * columns, 1);
  const across = Math.max(1, Math.min(slices, Math.floor((ACROSS + GAP) / (columns + GAP))));
  const down = Math.ceil(slices / across);
  const [width, height] = [across * (columns + GAP) - GAP, down * (rows + GAP) - GAP];
  const canvas = h("canvas", { class: "heat", width, height, role: "img" });
  canvas.setAttribute("aria-label", `[${named.join(", ")}]`);
  const point = Math.max(1, Math.min(largest, Math.floor(WIDEST / width)));
  canvas.style.width = `${width * point}px`;
  const context = canvas.getContext("2d");
  const pixels = context?.createImageData(width, height);
  if (!context || !pixels) return canvas;
  for (const [flat, cell] of data.entries()) {
    const [slice, inside] = [Math.floor(flat / (rows * columns)), flat % (rows * columns)];
    const x = (slice % across) * (columns + GAP) + (inside % columns);
    const y = Math.floor(slice / across) * (rows + GAP) + Math.floor(inside / columns);
    const number = toNumber(cell);
    const colour = Number.isFinite(number) ? (number < 0 ? MINUS : PLUS) : BAD;
    const strength = Number.isFinite(number) ? size(number) : 1;
    pixels.data.set([...colour, Math.round(255 * strength)], 4 * (y * width + x));
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
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

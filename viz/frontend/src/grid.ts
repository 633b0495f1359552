/**
 * A tensor's numbers: a grid with cells tinted by size if the numbers are known, else shape, norm
 * and extremes.
 *
 * The tint, blue for positive and orange for negative, repeats information of the number itself.
 */

import { h } from "./dom";
import { heatMap, histogram } from "./heat";
import { formatNumber, formatShape, formatter, summarize, toNumber } from "./numbers";
import type { Cell, ValueData } from "./payload";
import { unravel } from "./places";
import type { Strings } from "./strings";

const FULL_ROWS = 8;
const FULL_COLUMNS = 6; // more do not fit into the pane
const SLICES = 12;
const BIG = 16;
const HEAT = 64; // more numbers than this become a picture
const MANY = 36; // more numbers than in a 6 × 6 matrix may be shown as colours only

/** "[5, 3] float32". */
export const typeView = ({ shape, dtype }: ValueData, t: Strings): HTMLElement =>
  h(
    "span",
    { class: "type" },
    `${formatShape(shape, t.scalar)} `,
    h("span", { class: dtype === "float32" ? "usual" : null }, dtype),
  );

/**
 * The numbers alone. `tint` gives the strength of a number's colour; by default it is relative to
 * the tensor's largest number.
 */
export function valueView(value: ValueData, t: Strings, tint?: (x: number) => number): HTMLElement {
  const { data, sketch } = value;
  if (!data && !value.summary)
    return h("div", { class: "value" }, h("span", { class: "type" }, t.noNumbers));
  if (!data && !sketch) return h("div", { class: "value" }, summaryView(value, t));
  const numbers = (data ?? sketch?.cells ?? []).map(toNumber).filter(Number.isFinite);
  const largest = Math.max(...numbers.map(Math.abs), 0);
  const size = tint ?? ((x: number) => (largest > 0 ? Math.abs(x) / largest : 0));
  if (!data)
    return h(
      "div",
      { class: "value" },
      heatMap(value, size),
      h("div", { class: "spread" }, histogram(value), sketchNote(value, t), summaryView(value, t)),
    );
  const slices = value.shape.slice(0, -2).reduce((a, b) => a * b, 1);
  const cut =
    (value.shape.at(-1) ?? 1) > FULL_COLUMNS ||
    (value.shape.at(-2) ?? 1) > FULL_ROWS ||
    slices > SLICES;
  if (cut && data.length > HEAT)
    return h(
      "div",
      { class: "value" },
      heatMap(value, size),
      h("div", { class: "spread" }, histogram(value), summaryView(value, t)),
    );
  const grids = matrices(value.shape, data).slice(0, SLICES);
  const format = formatter(data);
  const isMany = data.length > MANY || grids.length > 1;
  return h(
    "div",
    { class: `value${data.length > BIG ? " big" : ""}${isMany ? " many" : ""}` },
    ...grids.map(({ label, rows }) =>
      h(
        "div",
        { class: "slice" },
        label && h("span", { class: "type" }, label),
        gridView(rows, format, size),
      ),
    ),
    cut && summaryView(value, t),
  );
}

/** The meaning of a point of the picture, and the slices that it contains. */
function sketchNote({ sketch }: ValueData, t: Strings): HTMLElement | false {
  if (!sketch) return false;
  const { shape, block, slices } = sketch;
  const [shown = 1] = shape;
  const said = [
    (block[0] ?? 1) * (block[1] ?? 1) > 1 && t.cellOf(block.join(" × ")),
    shown < slices && t.slicesOf(shown, slices),
  ];
  const words = said.filter((each) => each !== false);
  return words.length > 0 && h("span", { class: "note" }, words.join(t.semicolon));
}

/**
 * Matrices of the last two dimensions, one for each place in the dimensions before them.
 */
function matrices(
  shape: readonly number[],
  data: readonly Cell[],
): { label: string; rows: Placed[][] }[] {
  const columns = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  const outer = shape.slice(0, -2);
  const count = outer.reduce((a, b) => a * b, 1);
  return Array.from({ length: count }, (_, m) => ({
    label: outer.length ? `[${unravel(m, outer).join(", ")}]` : "",
    rows: Array.from({ length: rows }, (_, i) =>
      Array.from({ length: columns }, (_, j) => {
        const flat = (m * rows + i) * columns + j;
        return { flat, cell: data[flat] ?? "" };
      }),
    ),
  }));
}

/** A number, and its place in the tensor's data. */
interface Placed {
  flat: number;
  cell: Cell;
}

function gridView(
  rows: Placed[][],
  format: (cell: Cell) => string,
  size: (x: number) => number,
): HTMLElement {
  const shown = (line: Placed[]): HTMLElement[] =>
    ends(line, FULL_COLUMNS).map((cell) => cellView(cell, format, size));
  const body = ends(rows, FULL_ROWS).map((row) =>
    row === null ? h("tr", {}, h("td", { class: "cut" }, "⋮")) : h("tr", {}, ...shown(row)),
  );
  const table = h("table", { class: "grid" }, h("tbody", {}, ...body));
  return h("div", { class: "scroll" }, table);
}

function cellView(
  placed: Placed | null,
  format: (cell: Cell) => string,
  size: (x: number) => number,
): HTMLElement {
  if (placed === null) return h("td", { class: "cut" }, "…");
  const { cell, flat } = placed;
  const x = toNumber(cell);
  const view = h(
    "td",
    {
      class: Number.isFinite(x) ? (x < 0 ? "negative" : "positive") : "bad",
      "data-flat": flat,
      tabindex: flat === 0 ? 0 : -1,
    },
    format(cell),
  );
  view.style.setProperty("--size", (Number.isFinite(x) ? size(x) : 0).toFixed(3));
  return view;
}

/** All of `items`, or both ends of a long list with null in between. */
function ends<T>(items: readonly T[], limit: number): (T | null)[] {
  if (items.length <= limit) return [...items];
  const half = (limit - 1) >> 1;
  return [...items.slice(0, limit - 1 - half), null, ...items.slice(items.length - half)];
}

function summaryView(value: ValueData, t: Strings): HTMLElement {
  const { min, max, norm, nonfinite } = summarize(value);
  const entry = (name: string, x: number): HTMLElement =>
    h("span", {}, h("span", { class: "type" }, `${name} `), formatNumber(Number(x.toPrecision(4))));
  return h(
    "div",
    { class: "summary" },
    entry(t.norm, norm),
    entry(t.min, min),
    entry(t.max, max),
    nonfinite > 0 && h("strong", { class: "bad" }, t.nonfinite(nonfinite)),
  );
}

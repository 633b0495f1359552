/**
 * Format numbers: few digits, and the same number of decimals in all cells of a tensor, so that
 * columns line up. numerals.py writes the same texts (test/numbers.json), with a plain minus.
 */

import type { Cell, ValueData } from "./payload";

const DECIMALS = 4;
const TYPOGRAPHIC_MINUS = "\u2212";

/** The cell as a number; NaN for NaN, and true counts as 1. */
export function toNumber(cell: Cell): number {
  if (typeof cell !== "string") return Number(cell);
  return { inf: Infinity, "-inf": -Infinity }[cell] ?? NaN;
}

/** A function that formats any of `cells`, in one format that suits them all. */
export function formatter(cells: readonly Cell[]): (cell: Cell) => string {
  const write = plainFormatter(cells);
  return (cell) => (typeof cell === "boolean" ? write(cell) : typographic(write(cell)));
}

const typographic = (text: string): string => text.replaceAll("-", TYPOGRAPHIC_MINUS);

/** The same with a plain minus, as Python's `formatter`. */
export function plainFormatter(cells: readonly Cell[]): (cell: Cell) => string {
  const finite = cells.map(toNumber).filter(Number.isFinite);
  const largest = Math.max(0, ...finite.map(Math.abs));
  const limit = finite.every(Number.isInteger) ? 1e10 : 1e6;
  const isScientific = largest >= limit || (largest > 0 && largest < 1e-3);
  const decimals = Math.max(0, ...finite.map((x) => decimalsOf(x, largest)));
  return (cell) => {
    if (typeof cell === "boolean") return cell ? "True" : "False";
    const x = toNumber(cell);
    if (!Number.isFinite(x)) return notFinite(cell);
    const text = isScientific && x !== 0 ? exponential(x) : fixed(x, isScientific ? 0 : decimals);
    // A number that rounds to zero is shown without a sign.
    return Number(text) === 0 && !isScientific ? text.replace("-", "") : text;
  };
}

/** NaN or an infinity as Python writes it. */
const notFinite = (cell: Cell): string =>
  String(cell).replace("NaN", "nan").replace("Infinity", "inf");

/** With at least two digits in the exponent, as Python writes it. */
const exponential = (x: number): string => scientific(x, 2).replace(/([+-])(\d)$/, "$10$2");

const scientific = (x: number, decimals: number): string => {
  const [digits = "", power = ""] = x.toExponential(decimals).split("e");
  return `${even(digits, x.toExponential(60).replace(/e.*/, ""))}e${power}`;
};

const fixed = (x: number, decimals: number): string =>
  even(x.toFixed(decimals), x.toFixed(decimals + 40));

/** Round a tie to the even digit, as Python does; a browser rounds it away from zero. */
function even(text: string, exact: string): string {
  const rest = exact.replace(".", "").slice(text.replace(".", "").length);
  if (!/^50*$/.test(rest) || /[02468]$/.test(text)) return text;
  return text.slice(0, -1) + String(Number(text.at(-1)) - 1);
}

/**
 * How many decimals `x` needs, at most four; digits below float32's precision of `largest` do not
 * count.
 */
function decimalsOf(x: number, largest: number): number {
  for (let d = 0; d < DECIMALS; d++) {
    if (Math.abs(x - Number(x.toFixed(d))) <= 1e-6 * largest) return d;
  }
  return DECIMALS;
}

/** The float64 with the fewest digits that rounds to a float32: 0.1, not 0.10000000149. */
export function shortest(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x; // with its sign
  // Any decimal of six digits survives, except next to zero.
  for (let digits = Math.abs(x) < 1e-37 ? 1 : 6; digits < 9; digits++) {
    const near = Number(x.toPrecision(digits));
    if (Math.fround(near) === x) return digits < 8 ? near : Number(scientific(x, digits - 1));
  }
  return Number(scientific(x, 8));
}

/** A small tensor in a sentence: its numbers in brackets, as Python's `value_text`. */
export const valueText = ({ data = [], shape }: ValueData): string =>
  nested(data.map(plainFormatter(data)), shape);

/** One number by itself. */
export const formatNumber = (cell: Cell): string => formatter([cell])(cell);

/** "[5, 3]" as PyTorch writes it, or "scalar" in the reader's language. */
export const formatShape = (shape: readonly number[], scalar: string): string =>
  shape.length === 0 ? scalar : `[${shape.join(", ")}]`;

export interface Summary {
  min: number;
  max: number;
  norm: number;
  nonfinite: number;
}

/**
 * Norm and extremes of the finite numbers: sent along for large tensors, computed here for small
 * ones.
 */
export function summarize(value: ValueData): Summary {
  if (value.summary) {
    const { min, max, norm, nonfinite } = value.summary; // of nothing finite, they are "nan"
    return { min: toNumber(min), max: toNumber(max), norm: toNumber(norm), nonfinite };
  }
  const numbers = (value.data ?? []).map(toNumber);
  const finite = numbers.filter(Number.isFinite);
  return {
    min: finite.reduce((a, b) => Math.min(a, b), Infinity),
    max: finite.reduce((a, b) => Math.max(a, b), -Infinity),
    norm: Math.sqrt(finite.reduce((sum, x) => sum + x * x, 0)),
    nonfinite: numbers.length - finite.length,
  };
}

const INLINE_CELLS = 4;

/**
 * A tensor in one line: its numbers if they are few, else its norm. Used in tables, where a grid
 * would be too large.
 */
export function formatInline(value: ValueData): string {
  const { data, shape } = value;
  if (!data || data.length > INLINE_CELLS) {
    const { norm } = summarize(value);
    return `‖·‖ = ${formatNumber(Number(norm.toPrecision(4)))}`;
  }
  return nested(data.map(formatter(data)), shape);
}

/** The cells in nested brackets, one level for each dimension. */
function nested(cells: readonly string[], shape: readonly number[]): string {
  const [length, ...rest] = shape;
  if (length === undefined) return cells[0] ?? "";
  const size = cells.length / Math.max(length, 1);
  const rows = Array.from({ length }, (_, i) =>
    nested(cells.slice(i * size, (i + 1) * size), rest),
  );
  return `[${rows.join(", ")}]`;
}

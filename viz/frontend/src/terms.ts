/** Numbers together with their calculation as text: "1.4 × (1 − 0.84²)". */

import { formatNumber, toNumber } from "./numbers";
import type { ValueData } from "./payload";
import { ravel, unravel, type Place } from "./places";

const TERMS = 8; // of a longer sum, only the ends are shown
const DIGITS = 4;
// Tolerances by dtype: relative to the numbers themselves, and relative to the terms of their sum,
// whose last digits are lost.
const CLOSE: Record<string, [number, number]> = {
  float64: [1e-9, 1e-14],
  float16: [2e-2, 4e-3],
  bfloat16: [4e-2, 3e-2],
};
const CLOSE_ELSE = [1e-4, 1e-6] as const; // float32

/**
 * A number and its calculation. `level`: 3 is an atom, 2 a product, 1 a sum. `size` is the largest
 * intermediate term, relative to which rounding errors count. `exact`: no shown number is rounded.
 */
export interface Term {
  value: number;
  text: string;
  level: number;
  size: number;
  exact: boolean;
}

const NOT_FINITE = /^(nan|-?inf)$/;

const rounded = (x: number): number => Number(x.toPrecision(DIGITS));
export const short = (x: number): string =>
  Number.isFinite(x) ? String(rounded(x)).replaceAll("-", "−") : formatNumber(x);

/** `value` under the name `text`. */
export const atom = (value: number, text: string, parts: readonly Term[] = []): Term => ({
  value,
  text,
  level: 3,
  size: Math.abs(value),
  exact: parts.every(({ exact }) => exact),
});

export const number = (value: number): Term => ({
  ...atom(value, short(value)),
  exact: value === rounded(value),
});

/** `value`, which is the element of `letter` at `place`: "g[1, 0]". */
export const named = (value: number, letter: string, place: Place): Term => ({
  ...atom(value, letter + (place.length ? `[${place.join(", ")}]` : "")),
  exact: value === rounded(value),
});

/** The element of `tensor` at `place`; raises for a complex number or a missing one. */
export function element(tensor: ValueData | undefined, place: Place): number {
  const cell = tensor?.data?.[ravel(place, tensor.shape)];
  if (cell === undefined || (typeof cell === "string" && !NOT_FINITE.test(cell)))
    throw new Error("no number");
  return toNumber(cell);
}

/** The text, in brackets if it binds less than `needed` or begins with a sign. */
export const grouped = ({ text, level }: Term, needed: number): string =>
  level < needed || text.startsWith("−") ? `(${text})` : text;

export const times = (a: Term, b: Term): Term => ({
  value: a.value * b.value,
  text: `${grouped(a, 2)} × ${grouped(b, 3)}`,
  level: 2,
  size: a.size * b.size,
  exact: a.exact && b.exact,
});

export const over = (a: Term, b: Term): Term => ({
  value: a.value / b.value,
  text: `${grouped(a, 2)} / ${grouped(b, 3)}`,
  level: 2,
  size: a.size / Math.abs(b.value),
  exact: a.exact && b.exact,
});

const together = (a: Term, b: Term, value: number, sign: string): Term => ({
  value,
  text: `${a.text} ${sign} ${grouped(b, 2)}`,
  level: 1,
  size: Math.max(a.size, b.size),
  exact: a.exact && b.exact,
});

export const plus = (a: Term, b: Term): Term => together(a, b, a.value + b.value, "+");
export const minus = (a: Term, b: Term): Term => together(a, b, a.value - b.value, "−");
export const negative = (a: Term): Term => ({
  ...a,
  value: -a.value,
  text: `−${grouped(a, 2)}`,
  level: 2,
});
export const power = (value: number, base: string, exponent: Term, parts: readonly Term[]): Term =>
  atom(value, `${base}^${grouped(exponent, 3)}`, parts);
export const exponential = (a: Term): Term => power(Math.exp(a.value), "e", a, [a]);

/** The sum of `terms`; of a long one, only the ends are shown. */
export function total(terms: readonly Term[]): Term {
  const [first] = terms;
  if (first && terms.length === 1) return first;
  const parts = terms.map((term) => grouped(term, 2));
  const shown = parts.length > TERMS ? [...parts.slice(0, TERMS - 2), "…", parts.at(-1)] : parts;
  return {
    value: terms.reduce((sum, { value }) => sum + value, 0),
    text: shown.join(" + "),
    level: 1,
    size: Math.max(0, ...terms.map(({ size }) => size)),
    exact: terms.every(({ exact }) => exact),
  };
}

/**
 * "0.42 ≈ 1.4 × (1 − 0.84²)"; null if the sum differs from the recorded element by more than the
 * dtypes of `out` and of its inputs `of` explain.
 */
export function showIfEqual(
  out: ValueData,
  flat: number,
  terms: readonly Term[],
  of: Iterable<ValueData> = [],
): string | null {
  const recorded = element(out, unravel(flat, out.shape));
  const { value, text, size, exact } = total(terms);
  if (!Object.is(value, recorded)) {
    const types = [out, ...of].map(({ dtype }) => CLOSE[dtype] ?? CLOSE_ELSE);
    const [own, lost] = [0, 1].map((i) => Math.max(...types.map((type) => type[i] ?? 0)));
    const largest = Math.max(Math.abs(recorded), ...terms.map((term) => Math.abs(term.value)));
    const close = Math.max((own ?? 0) * largest, (lost ?? 0) * size);
    if (!(Math.abs(value - recorded) <= close && close < Infinity)) return null;
  }
  const left = short(recorded);
  if (left === text) return left;
  const sign = exact && Object.is(recorded, rounded(recorded)) ? "=" : "≈";
  return `${left} ${sign} ${text}${terms.length > TERMS ? `  (${terms.length})` : ""}`;
}

/**
 * The size of a number relative to all others of the pass, on one logarithmic scale: next to 1, a
 * gradient of 1e-30 is pale and thin wherever it is drawn.
 */

import { toNumber } from "./numbers";
import type { ValueData } from "./payload";
import { rawNumbers } from "./wire";

const LEAST = 0.06; // the smallest number is still visible

export interface Scale {
  /** Exponents of the powers of ten that enclose all numbers. */
  low: number;
  high: number;
  /** From 0, for the number 0, to 1, for the largest number of the pass. */
  size(x: number): number;
  /** The size of a tensor's largest number. */
  sizeOf(value: ValueData): number;
}

export function scaleOf(values: readonly ValueData[]): Scale {
  const logs = values.flatMap(smallAndLarge).map(Math.log10);
  const low = Math.floor(logs.reduce((a, b) => Math.min(a, b), 0));
  const high = Math.ceil(logs.reduce((a, b) => Math.max(a, b), -Infinity));
  const top = Number.isFinite(high) ? Math.max(high, low + 1) : 1;
  const size = (x: number): number => {
    if (x === 0 || !Number.isFinite(x)) return 0;
    const share = (Math.log10(Math.abs(x)) - low) / (top - low);
    return LEAST + (1 - LEAST) * Math.min(Math.max(share, 0), 1);
  };
  return { low, high: top, size, sizeOf: (value) => size(largest(value)) };
}

/** The largest absolute value of a tensor's finite numbers. */
const largest = (value: ValueData): number =>
  smallAndLarge(value).reduce((a, b) => Math.max(a, b), 0);

/** The smallest and the largest absolute value of its finite numbers other than 0. */
function smallAndLarge(value: ValueData): number[] {
  const { summary } = value;
  const some = numbersOf(value) ?? (summary ? [summary.min, summary.max].map(toNumber) : []);
  let [small, large] = [Infinity, 0];
  for (const x of some) {
    const size = Math.abs(x);
    if (!(size > 0 && size < Infinity)) continue;
    if (size < small) small = size;
    if (size > large) large = size;
  }
  return large > 0 ? [small, large] : [];
}

const numbersOf = (value: ValueData): Iterable<number> | undefined =>
  rawNumbers(value) ?? value.data?.map(toNumber);

/** Whether the tensor contains a NaN or an infinity. */
export function isBad(value: ValueData): boolean {
  if (value.summary) return value.summary.nonfinite > 0;
  if (rawNumbers(value)) return false; // such numbers travel as text
  return (value.data ?? []).some((cell) => typeof cell === "string" && /^(nan|-?inf)$/i.test(cell));
}

/**
 * Predict mode: the result of a node stays hidden until the reader has answered.
 *
 * To hide it, every pane shows an earlier event. A step reveals its result at its `formula` event (a
 * leaf at `leaf_gradient`, an operation of the forward pass at `result`). Until the reader has
 * answered, the state before that event is shown, so no pane has to know what is hidden.
 */

import { toNumber } from "./numbers";
import type { EventKind, ValueData } from "./payload";
import { bufferKey, stateAt, type Index } from "./state";

/**
 * One value to predict: the gradient of input `slot`, or a leaf's `.grad` if `slot` is null; in the
 * forward pass, the result with that number.
 */
export interface Blank {
  slot: number | null;
  target: string;
  value: number;
}

export interface Question {
  step: number;
  /** The event up to which everything may be shown. */
  shown: number;
  /** Whether the question is about an operation of the forward pass. */
  forward: boolean;
  blanks: Blank[];
}

/** The question at event `at`, or null if there is nothing to predict. */
export function questionAt(index: Index, at: number): Question | null {
  const { events, steps } = index.payload;
  const step = steps[events[at]?.step ?? -1];
  if (!step) return null;
  const own = events.slice(step.first, step.last + 1);
  const result = own.findIndex(({ kind }) => RESULTS.has(kind));
  if (result < 1 || at < step.first + result) return null;
  const end = stateAt(index, step.last).current;
  const blanks: Blank[] = [];
  for (const [slot, value] of (end.computed?.results ?? []).entries())
    blanks.push({ slot, target: step.node, value });
  for (const [slot, value] of (end.outgoing ?? []).entries()) {
    const edge = index.next.get(bufferKey(step.node, slot));
    if (value !== null && edge) blanks.push({ slot, target: edge.target, value });
  }
  const after = end.leaf?.after ?? null;
  if (after !== null) blanks.push({ slot: null, target: step.node, value: after });
  if (blanks.length === 0) return null;
  return { step: end.step, shown: step.first + result - 1, forward: end.computed !== null, blanks };
}

const RESULTS: ReadonlySet<EventKind> = new Set(["formula", "leaf_gradient", "result"]);

const LARGEST_ANSWER = 6;

/** Whether the question is about the numbers; about a larger tensor, it is about the shape. */
export const asksNumbers = ({ data }: ValueData): boolean =>
  data !== undefined && data.length <= LARGEST_ANSWER;

/** Whether `answer` is right. Brackets and commas are optional; "1/3" is a number, too. */
export function isRight(answer: string, value: ValueData): boolean {
  const given = numbersIn(answer);
  const right = asksNumbers(value) ? (value.data ?? []).map(toNumber) : value.shape;
  const largest = Math.max(0, ...right.filter(Number.isFinite).map(Math.abs));
  return (
    given.length === right.length && given.every((x, i) => isClose(x, right[i] ?? NaN, largest))
  );
}

const NUMBER = /[-+]?(?:nan|inf|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:\s*\/\s*\d+\.?\d*)?)/gi;

export function numbersIn(text: string): number[] {
  const plain = text.toLowerCase().replaceAll("\u2212", "-");
  return [...plain.matchAll(NUMBER)].map(([word]) => {
    const [top = "", bottom] = word.split("/");
    const x = toNumber(/nan|inf/.test(top) ? top.replace("+", "") : Number(top));
    return bottom === undefined ? x : x / Number(bottom);
  });
}

/** Two or three digits are enough; small numbers may be rounded relative to the largest. */
const isClose = (x: number, right: number, largest: number): boolean =>
  Object.is(x, right) ||
  x === right ||
  Math.abs(x - right) <= Math.max(0.01 * Math.abs(right), 0.005 * largest);

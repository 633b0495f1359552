/**
 * Predict mode: what a node makes stays hidden until the reader has said what it will be.
 *
 * Hiding is showing an earlier event. A turn first tells its result at its `formula` event (at a
 * leaf, when `.grad` is written; in the forward pass, at its `result`); until the reader has
 * answered, the state before that event is what every pane shows, so no pane has to know what is
 * secret.
 */

import { toNumber } from "./numbers";
import type { EventKind, ValueData } from "./payload";
import { bufferKey, stateAt, type Index } from "./state";

/**
 * One thing to predict: the gradient that leaves from `slot`, or a leaf's `.grad` if it is null; in
 * the forward pass, the result of that number.
 */
export interface Asked {
  slot: number | null;
  target: string;
  value: number;
}

export interface Question {
  step: number;
  /** The event up to which everything may be shown. */
  shown: number;
  /** Is it an operation of the forward pass that is asked about? */
  forward: boolean;
  asked: Asked[];
}

/** What to ask at event `at`, or null if nothing is to be predicted there. */
export function questionAt(index: Index, at: number): Question | null {
  const { events, steps } = index.payload;
  const step = steps[events[at]?.step ?? -1];
  if (!step) return null;
  const turn = events.slice(step.first, step.last + 1);
  const result = turn.findIndex(({ kind }) => RESULTS.has(kind));
  if (result < 1 || at < step.first + result) return null;
  const end = stateAt(index, step.last).turn;
  const asked: Asked[] = [];
  for (const [slot, value] of (end.computed?.results ?? []).entries())
    asked.push({ slot, target: step.node, value });
  for (const [slot, value] of (end.outgoing ?? []).entries()) {
    const edge = index.next.get(bufferKey(step.node, slot));
    if (value !== null && edge) asked.push({ slot, target: edge.target, value });
  }
  const after = end.leaf?.after ?? null;
  if (after !== null) asked.push({ slot: null, target: step.node, value: after });
  if (asked.length === 0) return null;
  return { step: end.step, shown: step.first + result - 1, forward: end.computed !== null, asked };
}

const RESULTS: ReadonlySet<EventKind> = new Set(["formula", "leaf_gradient", "result"]);

const LARGEST_ANSWER = 6;

/** Whether the numbers are asked for; of more than a handful, the shape is. */
export const asksNumbers = ({ data }: ValueData): boolean =>
  data !== undefined && data.length <= LARGEST_ANSWER;

/** Is `answer` right? Brackets and commas are as the reader likes; "1/3" is a number, too. */
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

/** Two or three digits are enough; what is rounded away beside the largest hardly counts. */
const isClose = (x: number, right: number, largest: number): boolean =>
  Object.is(x, right) ||
  x === right ||
  Math.abs(x - right) <= Math.max(0.01 * Math.abs(right), 0.005 * largest);

/**
 * The stops of each mode, and the moves between them.
 *
 * A position is the number of an event. "node" mode stops at the last event of each step, "detail"
 * mode at every event. Both modes share the position, so switching between them stays in place.
 */

import type { StepData } from "./payload";

export type Mode = "node" | "detail";
export type Move = "first" | "previous" | "next" | "last";

export const MOVE_KEYS: Record<string, Move> = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
};

/** The events at which a mode stops, ascending. */
export function stops(steps: readonly StepData[], events: number, mode: Mode): number[] {
  return mode === "node"
    ? steps.map((step) => step.last)
    : Array.from({ length: events }, (_, k) => k);
}

/** The number of the stop at event `at`, or of the next one after it. */
export function stopOf(all: readonly number[], at: number): number {
  let low = 0;
  let high = all.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The event to show after `move` from event `at`. */
export function eventAfter(all: readonly number[], at: number, move: Move): number {
  const stop = stopOf(all, at);
  const next = (all[stop] ?? 0) > at ? stop : stop + 1;
  const target = { first: 0, previous: stop - 1, next, last: all.length - 1 }[move];
  return all[Math.min(Math.max(target, 0), all.length - 1)] ?? 0;
}

/**
 * The step to show when `node` is clicked: its next one after `step`, then from the start again.
 */
export function stepOfNode(
  steps: readonly StepData[],
  node: string,
  step: number,
): number | undefined {
  const own = steps.flatMap((s, i) => (s.node === node ? [i] : []));
  return own.find((i) => i > step) ?? own[0];
}

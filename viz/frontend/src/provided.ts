/**
 * The interface to formulas.ts, a script of its own. Python adds it to a page after the stepper if a
 * node of the page needs it; it then registers its function here.
 */

import type { Ran } from "./one";
import type { ValueData } from "./payload";

/**
 * The calculation of element `flat` of `out`, the gradient of input `slot`; null if it is not
 * certain. `nothing` is the text for an element that received no gradient.
 */
export type ByName = (
  ran: Ran,
  slot: number,
  out: ValueData,
  flat: number,
  nothing: string,
) => string | null;

const place = globalThis as { minigradFormulas?: ByName };

export const provide = (explain: ByName): void => {
  place.minigradFormulas = explain;
};

export const explainByName: ByName = (...call) => place.minigradFormulas?.(...call) ?? null;

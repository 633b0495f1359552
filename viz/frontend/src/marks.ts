/** The signs that mark differences between two passes that are shown side by side. */

import { h } from "./dom";
import type { Mark } from "./payload";
import type { Strings } from "./strings";

export const SIGNS: Record<Mark, string> = { differs: "≠", one: "+", unsure: "?" };

/** Nodes and steps of a pass that the other pass lacks or computes differently. */
export interface Marks {
  nodes: Readonly<Record<string, Mark>>;
  stepOf(step: number): Mark | undefined;
}

export const NO_MARKS: Marks = { nodes: {}, stepOf: () => undefined };

/** The sign of a mark, with its text for screen readers. */
export const signOf = (mark: Mark, t: Strings): HTMLElement =>
  h(
    "span",
    { class: `sign ${mark}`, role: "img", "aria-label": t.mark[mark], title: t.mark[mark] },
    SIGNS[mark],
  );

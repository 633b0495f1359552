/** How two passes that stand side by side show what is not alike in them. */

import { h } from "./dom";
import type { Mark } from "./payload";
import type { Strings } from "./strings";

export const SIGNS: Record<Mark, string> = { differs: "≠", one: "+", unsure: "?" };

/** What a part of a pass has that the other has not, or has otherwise. */
export interface Marks {
  nodes: Readonly<Record<string, Mark>>;
  stepOf(step: number): Mark | undefined;
}

export const NO_MARKS: Marks = { nodes: {}, stepOf: () => undefined };

/** The sign of a mark, with its words for those who do not see it. */
export const signOf = (mark: Mark, t: Strings): HTMLElement =>
  h(
    "span",
    { class: `sign ${mark}`, role: "img", "aria-label": t.mark[mark], title: t.mark[mark] },
    SIGNS[mark],
  );

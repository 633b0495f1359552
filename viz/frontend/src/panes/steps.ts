/** The list of turns: what has been, what is now, what comes. Each entry leads there. */

import { h, reveal, setAttributes } from "../dom";
import { isBad } from "../magnitude";
import { signOf } from "../marks";
import type { Mark } from "../payload";
import { leafOf, type Index } from "../state";
import type { Strings } from "../strings";
import { section, type Pane } from "./pane";

export function stepsPane(
  index: Index,
  t: Strings,
  goToStep: (step: number) => void,
  markOf: (step: number) => Mark | undefined,
): Pane {
  const { steps, events } = index.payload;
  const items = steps.map((step, i) => {
    const leaf = events[step.first]?.kind !== "seed" && leafOf(index, step.node)?.name;
    const mark = markOf(i);
    const button = h(
      "button",
      { type: "button", tabindex: -1 },
      h("span", { class: "number" }, String(i + 1)),
      h("span", {}, leaf ? `${step.title} ` : step.title, leaf && h("code", {}, leaf)),
      mark && signOf(mark, t),
      isBadStep(index, i) && h("span", { class: "badge bad" }, "NaN/inf"),
      events[step.last]?.kind === "error" && h("span", { class: "badge bad" }, t.phase.error),
    );
    button.addEventListener("click", () => goToStep(i));
    return h("li", { class: "future" }, button);
  });
  const list = h("ol", { class: "scroll" }, ...items);
  let shown = -1;
  return {
    element: section("steps", t.steps, list),
    show({ state }) {
      const now = state.turn.step;
      if (now === shown) return;
      for (let i = Math.min(shown, now); i <= Math.max(shown, now); i++) {
        const item = items[i];
        const button = item?.firstElementChild;
        if (!item || !button) continue;
        item.className = i < now ? "past" : i > now ? "future" : "now";
        setAttributes(button, {
          tabindex: i === now ? 0 : -1,
          "aria-current": i === now ? "step" : null,
        });
      }
      shown = now;
    },
    reveal(behavior) {
      const current = items[shown];
      if (current) reveal(list, current, behavior);
    },
  };
}

/** Does a gradient that is no number come in or go out in this step? */
function isBadStep({ payload: { events, steps, values } }: Index, step: number): boolean {
  const { first = 0, last = -1 } = steps[step] ?? {};
  return events.slice(first, last + 1).some(({ incoming, outgoing, after }) =>
    [...(incoming ?? []), ...(outgoing ?? []), after].some((place) => {
      const value = typeof place === "number" ? values[place] : undefined;
      return value !== undefined && isBad(value);
    }),
  );
}

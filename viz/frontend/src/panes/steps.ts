/** The list of turns: what has been, what is now, what comes. Each entry leads there. */

import { h, reveal } from "../dom";
import { leafOf, type Index } from "../state";
import type { Strings } from "../strings";
import { prefersReducedMotion } from "../theme";
import { section, type Pane } from "./pane";

export function stepsPane(index: Index, t: Strings, goToStep: (step: number) => void): Pane {
  const { steps, events } = index.payload;
  const items = steps.map((step, i) => {
    const leaf = events[step.first]?.kind !== "seed" && leafOf(index, step.node)?.name;
    const button = h(
      "button",
      { type: "button", tabindex: -1 },
      h("span", { class: "number" }, String(i + 1)),
      h("span", {}, leaf ? `${step.title} ` : step.title, leaf && h("code", {}, leaf)),
      events[step.last]?.kind === "error" && h("span", { class: "badge bad" }, t.phase.error),
    );
    button.addEventListener("click", () => goToStep(i));
    return h("li", {}, button);
  });
  const list = h("ol", { class: "scroll" }, ...items);
  let shown = -1;
  return {
    element: section("steps", t.steps, list),
    show({ state }) {
      const now = state.turn.step;
      if (now === shown) return;
      shown = now;
      for (const [i, item] of items.entries()) {
        item.className = i < now ? "past" : i > now ? "future" : "now";
        const button = item.firstElementChild;
        button?.setAttribute("tabindex", i === now ? "0" : "-1");
        if (i === now) button?.setAttribute("aria-current", "step");
        else button?.removeAttribute("aria-current");
      }
      const current = items[now];
      if (current) reveal(list, current, prefersReducedMotion() ? "instant" : "smooth");
    },
  };
}

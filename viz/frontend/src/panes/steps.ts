/** The list of steps: past, current and future. A click on an entry shows it. */

import { h, reveal, setAttributes } from "../dom";
import { isBad } from "../magnitude";
import { signOf } from "../marks";
import type { Mark } from "../payload";
import { rows } from "../rows";
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
  let now = -1;
  const mark = (item: Element, i: number): void => {
    const which = i < now ? "past" : i > now ? "future" : "now";
    if (item.className === which) return;
    item.className = which;
    const current = i === now;
    const button = item.firstElementChild;
    if (button)
      setAttributes(button, {
        tabindex: current ? 0 : -1,
        "aria-current": current ? "step" : null,
      });
  };
  const make = (i: number): HTMLElement => {
    const { node = "", title = "", first = 0, last = 0 } = steps[i] ?? {};
    const leaf = events[first]?.kind !== "seed" && leafOf(index, node)?.name;
    const difference = markOf(i);
    const button = h(
      "button",
      { type: "button" },
      h("span", { class: "number" }, String(i + 1)),
      h("span", { class: "title" }, leaf ? `${title} ` : title, leaf && h("code", {}, leaf)),
      difference && signOf(difference, t),
      isBadStep(index, i) && h("span", { class: "badge bad" }, "NaN/inf"),
      events[last]?.kind === "error" && h("span", { class: "badge bad" }, t.phase.error),
    );
    button.addEventListener("click", () => goToStep(i));
    // A long list contains only some of its items, so screen readers need the count.
    const item = h("li", { "aria-setsize": steps.length, "aria-posinset": i + 1 }, button);
    mark(item, i);
    return item;
  };
  const list = h("ol");
  const scroller = h("div", { class: "scroll" }, list);
  const items = rows(scroller, list, steps.length, make);
  return {
    element: section("steps", t.steps, scroller),
    show({ state }) {
      if (now === state.current.step) return;
      now = state.current.step;
      for (const [i, item] of items.made) mark(item, i);
      items.keep(now);
    },
    reveal(behavior) {
      const current = items.made.get(now);
      if (current) reveal(scroller, current, behavior);
      items.look();
    },
    print: items.all,
  };
}

/** Whether an incoming or outgoing gradient of this step contains NaN or infinity. */
function isBadStep({ payload: { events, steps, values } }: Index, step: number): boolean {
  const { first = 0, last = -1 } = steps[step] ?? {};
  return events.slice(first, last + 1).some(({ incoming, outgoing, after }) =>
    [...(incoming ?? []), ...(outgoing ?? []), after].some((place) => {
      const value = typeof place === "number" ? values[place] : undefined;
      return value !== undefined && isBad(value);
    }),
  );
}

/** The legend of the graph: phases, marks of a comparison, and the scale of the edges. */

import { h, s } from "../dom";
import type { Scale } from "../magnitude";
import { signOf } from "../marks";
import type { Mark } from "../payload";
import type { Index } from "../state";
import type { Strings } from "../strings";

/** The scale of the edges' widths, and the action that turns it on or off. */
export interface Widths {
  scale: Scale;
  toggle(): void;
}

export function legend(
  index: Index,
  t: Strings,
  { scale, toggle }: Widths,
  marks: Readonly<Record<string, Mark>>,
): HTMLElement {
  const one = h("button", { type: "button", "aria-pressed": "true" }, t.oneScale);
  one.title = t.oneScaleTitle;
  one.addEventListener("click", () => {
    one.setAttribute("aria-pressed", String(one.getAttribute("aria-pressed") !== "true"));
    toggle();
  });
  const wedge = s("svg", { viewBox: "0 0 40 8", "aria-hidden": "true" });
  wedge.append(s("path", { d: "M0 3.5L40 0V8L0 4.5z" }));
  const failed = index.payload.events.some((event) => event.kind === "error");
  const phases = ["unbuilt", "waiting", "ready", "current", "done", "freed", "error"] as const;
  return h(
    "ul",
    { class: "legend" },
    ...phases
      .filter((phase) => (phase !== "error" || failed) && (phase !== "unbuilt" || index.forward))
      .map((phase) =>
        h("li", { class: `key ${phase}` }, h("span", { "aria-hidden": "true" }), t.phase[phase]),
      ),
    ...(["differs", "one", "unsure"] as const)
      .filter((mark) => Object.values(marks).includes(mark))
      .map((mark) => h("li", { class: "key" }, signOf(mark, t), t.mark[mark])),
    h("li", { class: "key scale" }, power(scale.low), wedge, power(scale.high), one),
  );
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** "10⁻³" */
const power = (exponent: number): string =>
  `10${String(exponent)
    .replace("-", "⁻")
    .replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? "")}`;

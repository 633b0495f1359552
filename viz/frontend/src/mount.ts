/** Put a stepper, or a pair of them, into a page: the host element, its shadow root and its theme. */

import { h } from "./dom";
import { askPage } from "./live";
import memoryCss from "./memory.css";
import { nudgePane, type Ask } from "./nudge";
import nudgeCss from "./nudge.css";
import { pair } from "./pair";
import type { Pair, Payload } from "./payload";
import { stepper } from "./stepper";
import css from "./stepper.css";
import { keepTheme } from "./theme";
import { unpack } from "./wire";

/**
 * Built once for all steppers. A page's Content-Security-Policy may forbid <style> elements, but
 * allows adopted style sheets.
 */
let style: CSSStyleSheet | undefined;
const styleSheet = (): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + memoryCss + nudgeCss);
  return sheet;
};

/** The numbers of the steppers on this page, by which screen readers tell them apart. */
const numbers = new Set<number>();

/**
 * Append a stepper, or two that move together, to `parent`; return a function that removes it. If
 * it is `alone` on its page, it handles the page's keys and writes its step into the address. `ask`
 * lets the kernel run the program again.
 */
export function mount(
  parent: HTMLElement,
  sent: Payload | Pair,
  alone = false,
  ask: Ask | null = null,
): () => void {
  const payload = unpack(sent);
  const host = h("div", {
    class: "minigrad-stepper",
    // JupyterLab's own shortcuts listen on the document: arrow keys would move to the next cell.
    "data-lm-suppress-shortcuts": "true",
  });
  // In a shadow root, the page's styles and ours stay apart, and ids may repeat.
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = [(style ??= styleSheet())];
  const theme = keepTheme(host);
  // A slide is 700 px high and scaled to its window, so 100vh is wrong in it, and it cannot scroll.
  if (parent.closest(".reveal")) host.style.setProperty("--minigrad-height", "33rem");
  parent.append(host);
  const made =
    "passes" in payload ? pair(payload, theme, alone) : stepper(payload, theme, { alone });
  shadow.append(made.element);
  let number = 1;
  while (numbers.has(number)) number += 1;
  numbers.add(number);
  if (number > 1)
    made.element.setAttribute(
      "aria-label",
      `${made.element.getAttribute("aria-label")} (${number})`,
    );
  const forget =
    "passes" in payload ? () => undefined : addNudge(parent, made.element, payload, ask);
  return () => {
    forget();
    numbers.delete(number);
    made.stop();
    theme.stop();
    host.remove();
  };
}

/** Add the control that pushes numbers, as soon as somewhere there is an answer. */
function addNudge(
  parent: HTMLElement,
  stepper: HTMLElement,
  payload: Payload,
  ask: Ask | null,
): () => void {
  const add = (way: Ask | null): boolean => {
    const pane = nudgePane(payload, way);
    if (!pane) return false;
    stepper.querySelector(".nudge")?.remove();
    const bar = stepper.querySelector(":scope > .controls");
    stepper.insertBefore(pane, bar);
    return true;
  };
  add(ask);
  return ask || !payload.nudge ? () => undefined : askPage(parent, add);
}

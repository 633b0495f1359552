/** What all panes have in common: an element, and a way to show a state in it. */

import { h, type Child } from "../dom";
import type { State } from "../state";
import type { Mode } from "../moves";

export interface Pane {
  element: HTMLElement;
  show(state: State, mode: Mode): void;
}

/** A titled part of the stepper. */
export function section(name: string, title: string, ...children: Child[]): HTMLElement {
  return h(
    "section",
    { class: `pane ${name}`, "aria-label": title },
    h("h2", {}, title),
    ...children,
  );
}

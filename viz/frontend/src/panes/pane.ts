/** The interface of all panes: an element, and a method that shows a state in it. */

import { h, type Child } from "../dom";
import type { Scale } from "../magnitude";
import type { Question } from "../predict";
import type { State } from "../state";

/** Everything that the panes show at one moment. */
export interface View {
  state: State;
  /** The open question of predict mode; `state` is then the one before the answer. */
  question: Question | null;
  /** The reader's answers in this step, one for each blank of the question. */
  answers: readonly string[];
  /** Tints of numbers and widths of edges; null: each tensor has its own scale. */
  scale: Scale | null;
  /** Nodes at which playing stops. */
  stops: ReadonlySet<string>;
}

export interface Pane {
  element: HTMLElement;
  show(view: View): void;
  /**
   * Scroll to the current element. It measures, so it runs after every pane was updated: measuring
   * between updates would force a layout each time.
   */
  reveal?(behavior: ScrollBehavior): void;
  /** Create the elements that only print needs. */
  print?(): void;
}

/** A titled part of the stepper: a group, since only the stepper as a whole is a landmark. */
export function section(name: string, title: string, ...children: Child[]): HTMLElement {
  return h(
    "section",
    { class: `pane ${name}`, role: "group", "aria-label": title },
    h("h2", {}, title),
    ...children,
  );
}

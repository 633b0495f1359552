/** What all panes have in common: an element, and a way to show something in it. */

import { h, type Child } from "../dom";
import type { Scale } from "../magnitude";
import type { Question } from "../predict";
import type { State } from "../state";

/** All that there is to show at one moment. */
export interface View {
  state: State;
  /** What the reader is asked to predict; `state` is then the one before the answer. */
  question: Question | null;
  /** What the reader said in this turn, by the place in the question. */
  answers: readonly string[];
  /** By how much numbers are tinted and edges drawn wide; null: each tensor by itself. */
  scale: Scale | null;
  /** Nodes at which playing stops. */
  stops: ReadonlySet<string>;
}

export interface Pane {
  element: HTMLElement;
  show(view: View): void;
  /**
   * Scroll to what matters. It measures, so it is called when every pane has been written: what is
   * measured between two changes has to be laid out in between.
   */
  reveal?(behavior: ScrollBehavior): void;
  /** Have there what belongs on paper. */
  print?(): void;
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

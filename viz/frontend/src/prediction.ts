/** The reader's answers in predict mode, and the question that is open at an event. */

import { questionAt, type Question } from "./predict";
import type { Index } from "./state";

export class Prediction {
  #on = false;
  /** By step; an empty list if the answer was shown without one of the reader's. */
  readonly #answers = new Map<number, string[]>();

  readonly #index: Index;

  constructor(index: Index) {
    this.#index = index;
  }

  /** Turn it on or off; steps up to `seen` have shown their results already. */
  toggle(on: boolean, seen: number): void {
    this.#on = on;
    this.#answers.clear();
    for (let step = 0; step <= seen; step++) this.#answers.set(step, []);
  }

  /** The unanswered question at event `at`. */
  open(at: number): Question | null {
    const question = this.#on ? questionAt(this.#index, at) : null;
    return question && !this.#answers.has(question.step) ? question : null;
  }

  /** Answer the open question at event `at`; false if there is none. */
  answer(at: number, answers: string[]): boolean {
    const question = this.open(at);
    if (question) this.#answers.set(question.step, answers);
    return question !== null;
  }

  answersIn(step: number): readonly string[] {
    return this.#answers.get(step) ?? [];
  }
}

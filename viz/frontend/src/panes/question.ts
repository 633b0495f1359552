/** The form in which the reader predicts the results of a node. */

import { h } from "../dom";
import { asksNumbers, type Question } from "../predict";
import { nameOf, type Index } from "../state";
import type { Strings } from "../strings";

export function questionForm(
  index: Index,
  t: Strings,
  question: Question,
  answer: (answers: string[]) => void,
): HTMLElement {
  const inputs = question.blanks.map(({ slot, target, value }) => {
    const data = index.payload.values[value];
    const name = question.forward
      ? t.result(slot ?? 0, question.blanks.length)
      : slot === null
        ? t.leafGradient
        : t.to(nameOf(index, target));
    const hint = data && asksNumbers(data) ? t.askNumbers(data.shape) : t.askShape;
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    return { input, label: h("label", {}, h("span", {}, name, " ", hint), input) };
  });
  const form = h(
    "form",
    { class: "question" },
    h("p", {}, question.forward ? t.questionForward : t.question),
    ...inputs.map(({ label }) => label),
    h("div", { class: "buttons" }, h("button", { type: "submit" }, t.check)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(inputs.map(({ input }) => input.value));
  });
  return form;
}

/** The letters of a node's rule, and the tensors and numbers that they stand for. */

import { letterOf } from "../arithmetic";
import { h, setAttributes } from "../dom";
import type { NodeData, ValueData } from "../payload";
import type { CurrentStep } from "../state";

/** The letter of a gradient: "ā". */
export const barred = (letter: string): string => `${letter}\u0304`;

/** The rule's letter for the incoming gradient. */
export const gradientLetter = (node: NodeData | undefined): string | undefined =>
  node?.rule && node.letters ? (/<mi>G<\/mi>/.test(node.rule) ? "G" : "g") : undefined;

/** The rule's letter for input `slot`. */
export function inputLetter(node: NodeData | undefined, slot: number): string | undefined {
  const letter = node?.letters?.[slot]?.letter;
  return letter === "y" ? undefined : letter;
}

/** The rule's letter for the gradient of input `slot`. */
export function outLetter(node: NodeData | undefined, slot: number): string | undefined {
  const letter = inputLetter(node, slot);
  return letter && barred(letter);
}

export const letterView = (letter: string): HTMLElement =>
  // lang="en", because a Chinese font sets the bar next to the letter.
  h("i", { class: "letter", "data-letter": letter, lang: "en" }, letter);

/** Mark the letters of a formula that stand for a tensor or a number. */
export function markLetters(math: Element, node: NodeData | undefined): void {
  const known = new Set([
    gradientLetter(node),
    ...(node?.letters ?? []).flatMap(({ letter }) => [letter, barred(letter)]),
    ...(node?.scalars ?? []).map(({ letter }) => letter),
  ]);
  for (const token of math.querySelectorAll("mi, mover")) {
    const letter = letterOf(token);
    if (letter === null || !known.has(letter)) continue;
    if (token.parentElement?.localName === "mover") continue; // the letter under a bar
    setAttributes(token, { class: "letter", "data-letter": letter });
  }
}

/** The values of the letters in the current step. */
export function letterValues(
  node: NodeData | undefined,
  current: CurrentStep,
  dataOf: (value: number | null | undefined) => ValueData | undefined,
): Map<string, ValueData> {
  const found = new Map<string, ValueData>();
  const add = (letter: string, value: number | null | undefined): void => {
    const data = dataOf(value);
    if (data) found.set(letter, data);
  };
  if (current.incoming?.length === 1) for (const g of "gG") add(g, current.incoming[0]);
  for (const [place, { letter, saved: name }] of (node?.letters ?? []).entries()) {
    add(letter, current.saved.find((each) => each.name === name)?.value);
    if (letter !== "y") add(barred(letter), current.outgoing?.[place]);
  }
  for (const { letter, value } of node?.scalars ?? [])
    if (letter && value !== undefined)
      found.set(letter, { shape: [], dtype: "float64", data: [value] });
  return found;
}

/** Highlight a letter of the rule and its value together, while the pointer is over one of them. */
export function lightLetters(body: HTMLElement): void {
  for (const name of ["pointerover", "pointerout"] as const)
    body.addEventListener(name, ({ target }) => {
      const letter = (target as Element).closest("[data-letter]")?.getAttribute("data-letter");
      for (const each of body.querySelectorAll("[data-letter]"))
        each.classList.toggle(
          "lit",
          name === "pointerover" && each.getAttribute("data-letter") === letter,
        );
    });
}

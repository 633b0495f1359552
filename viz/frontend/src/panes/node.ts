/**
 * The current node: its rule, its incoming gradients, its saved tensors and its outgoing gradients.
 */

import { h, parseCode, type Child } from "../dom";
import { formatShape } from "../numbers";
import type { NodeData, SavedData, ScalarData } from "../payload";
import { isRight, questionAt, type Question } from "../predict";
import { safeMath } from "../sanitize";
import { bufferKey, nameOf, type CurrentStep, type Index } from "../state";
import type { Strings } from "../strings";
import { explainGradient, inspector } from "./calculation";
import { Items, makePart } from "./items";
import { gradientLetter, letterView, lightLetters, markLetters, outLetter } from "./letters";
import { section, type Pane, type View } from "./pane";
import { questionForm } from "./question";

export interface NodeActions {
  answer(answers: string[]): void;
  toggleStop(node: string): void;
}

export function nodePane(index: Index, t: Strings, { answer, toggleStop }: NodeActions): Pane {
  const { values, steps } = index.payload;
  const name = h("strong");
  const position = h("span", { class: "type" });
  const body = h("div", {
    class: "body scroll",
    tabindex: 0,
    role: "group",
    "aria-label": t.thisNode,
  });
  const work = h("p", { class: "work", role: "status", "aria-live": "polite" });
  const items = new Items(values, t, inspector(body, work));
  const card = new Card(index, t, items);
  lightLetters(body);
  const element = section("node", t.thisNode, body, work);
  const stop = h("button", { type: "button", class: "stop" }, t.stopHere);
  let shown = "";
  stop.addEventListener("click", () => toggleStop(shown));
  element.querySelector("h2")?.replaceChildren(name, position, stop);
  return {
    element,
    show(view) {
      const { current } = view.state;
      items.tint = view.scale?.size;
      shown = current.node;
      stop.setAttribute("aria-pressed", String(view.stops.has(shown)));
      name.textContent = hasTitle(current)
        ? (steps[current.step]?.title ?? t.seed)
        : nameOf(index, current.node);
      position.textContent = t.stepOf(current.step + 1, steps.length);
      work.textContent = "";
      const form = view.question && questionForm(index, t, view.question, answer);
      body.replaceChildren(...present(card.parts(view, form)));
    },
    reveal() {
      body.scrollTop = 0;
      fitNumbers(body);
    },
  };
}

/** Seeds and operations of the forward pass have a title of their own. */
const hasTitle = ({ seeds, computed }: CurrentStep): boolean =>
  seeds.length > 0 || computed !== null;

/** The parts of the pane, for one view at a time. */
class Card {
  readonly #index: Index;
  readonly #t: Strings;
  readonly #items: Items;

  constructor(index: Index, t: Strings, items: Items) {
    this.#index = index;
    this.#t = t;
    this.#items = items;
  }

  /** All parts; `form` asks the reader to predict. */
  parts(view: View, form: HTMLElement | null): Child[] {
    const t = this.#t;
    const { current } = view.state;
    const node = this.#index.node.get(current.node);
    return [
      // The reason first: the message is long, and the caption contains it as well.
      current.reason && makePart(t.reason, h("p", {}, ...parseCode(current.reason))),
      current.error !== null && makePart(t.error, h("p", { class: "message" }, current.error)),
      node?.module && !current.seeds.length && makePart(t.module, h("code", {}, node.module)),
      ...this.#computed(view),
      !hasTitle(current) && this.#rule(node),
      // Incoming and outgoing gradients side by side, to be compared without scrolling.
      columnOf(this.#incoming(current, node), this.#saved(current, node)),
      columnOf(...this.#results(view, node)),
      form && makePart(t.predict, form),
      current.hooks.length > 0 &&
        makePart(t.hooks, ...current.hooks.map((hook) => h("code", {}, hook))),
    ];
  }

  #rule(node: NodeData | undefined): Child {
    const math = node?.rule ? safeMath(node.rule) : null;
    if (math && node?.rule_text) math.setAttribute("aria-label", node.rule_text);
    const shown = math ?? (node?.rule_text && h("code", {}, node.rule_text));
    if (!shown) return null;
    if (math) markLetters(math, node);
    return makePart(
      this.#t.rule,
      h("div", { class: "rule scroll" }, shown),
      h("div", { class: "scalars" }, ...(node?.scalars ?? []).map(scalarView)),
    );
  }

  #incoming({ incoming }: CurrentStep, node: NodeData | undefined): Child {
    if (!incoming) return null;
    const [only] = incoming;
    const single = incoming.length === 1;
    return makePart(
      this.#t.incoming,
      ...(single
        ? [this.#items.item(null, only, { letter: gradientLetter(node) })]
        : incoming.map((g, i) => this.#items.item(this.#t.output(i), g))),
    );
  }

  #saved({ saved, packed, freed }: CurrentStep, node: NodeData | undefined): Child {
    if (saved.length + packed.length === 0) return null;
    return makePart(
      this.#t.saved,
      ...saved.map((tensor) => this.#savedTensor(node, tensor, freed.includes(tensor.name))),
      // A hook of the program packed them, so their numbers are unknown.
      ...packed.map((name) =>
        h(
          "div",
          { class: "label" },
          h("code", {}, name),
          " ",
          h("span", { class: "badge" }, this.#t.isPacked),
        ),
      ),
    );
  }

  #savedTensor(node: NodeData | undefined, tensor: SavedData, freed: boolean): HTMLElement {
    const t = this.#t;
    const changed = tensor.version !== tensor.expected;
    const label = h(
      "span",
      {},
      h("code", {}, this.#index.node.get(tensor.node ?? "")?.name ?? tensor.name),
      " ",
      h(
        "span",
        { class: changed ? "badge bad" : "badge version" },
        changed ? t.versionChanged(tensor.version, tensor.expected) : t.version(tensor.version),
      ),
      freed && h("span", { class: "badge freed" }, t.isFreed),
    );
    const letter = node?.letters?.find((each) => each.saved === tensor.name)?.letter;
    return this.#items.item(label, tensor.value, { letter });
  }

  /** The gradients of a seed, of a node or of a leaf. */
  #results(view: View, node: NodeData | undefined): Child[] {
    const [t, items] = [this.#t, this.#items];
    const { seeds, computed, leaf } = view.state.current;
    const sendsNothing = seeds.length || computed || view.question || node?.kind === "accumulate";
    const out = sendsNothing ? [] : this.#outgoing(view);
    return [
      seeds.length > 0 &&
        makePart(
          t.outgoing,
          ...seeds.map((seed) => items.item(t.to(nameOf(this.#index, seed.node)), seed.value)),
        ),
      out.length > 0 && makePart(t.outgoing, ...out),
      leaf &&
        makePart(
          t.leafGradient,
          leaf.before === null ? items.item(null, leaf.after) : items.sum(leaf),
          view.answers.length > 0 &&
            this.#verdict(questionAt(this.#index, view.state.at), view.answers, null),
        ),
    ];
  }

  #outgoing({ state: { current }, answers }: View): HTMLElement[] {
    const question = this.#answered(current, answers);
    const count = current.outgoing?.length ?? inputCount(this.#index, current.node);
    return Array.from({ length: count }, (_, slot) =>
      this.#gradient(current, slot, this.#verdict(question, answers, slot)),
    ).filter((made) => made !== null);
  }

  /** The gradient of input `slot`, with the sum to which it was added. */
  #gradient(current: CurrentStep, slot: number, verdict: Child): HTMLElement | null {
    const [index, t, items] = [this.#index, this.#t, this.#items];
    // The result of an unrecorded formula is known from the gradients that were sent.
    const isRecorded = current.outgoing !== null || current.sent.size === 0;
    const sent = current.outgoing?.[slot] ?? current.sent.get(slot)?.added;
    if (!isRecorded && sent === undefined) return null;
    const edge = index.next.get(bufferKey(current.node, slot));
    if (!edge && typeof current.outgoing?.[slot] !== "number")
      return h("div", { class: "label" }, t.toNone);
    const label = edge ? t.to(nameOf(index, edge.target)) : t.toNone;
    if (!current.outgoing && isRecorded)
      return h("div", { class: "label" }, `${label}: ${t.notYet}`);
    const shape = items.data(current.reduced.get(slot))?.shape;
    const sum = current.sent.get(slot);
    const letter = outLetter(index.node.get(current.node), slot);
    return items.item(
      label,
      sent,
      { letter, explain: explainGradient(index, t, current, slot) },
      verdict,
      shape && h("div", { class: "note" }, t.reduced(formatShape(shape, t.scalar))),
      sum &&
        sum.before !== null &&
        h("div", { class: "note" }, sum.addsUp ? t.addedTo : t.notAdded, items.sum(sum)),
    );
  }

  /** An operation of the forward pass: inputs, results, its node and the tensors that it saved. */
  #computed({ state: { current }, answers }: View): Child[] {
    const [index, t, items] = [this.#index, this.#t, this.#items];
    const { node, computed } = current;
    if (!computed) return [];
    const question = this.#answered(current, answers);
    const saved = (index.savedEdges.get(node) ?? []).map(({ target }) => nameOf(index, target));
    const inputs = makePart(t.takes, ...computed.inputs.map((x) => items.item(null, x)));
    if (!computed.results) return [columnOf(inputs)];
    return [
      columnOf(
        inputs,
        makePart(t.leaves, h("code", {}, nameOf(index, node))),
        saved.length > 0 && makePart(t.keeps, ...saved.map((name) => h("code", {}, name))),
      ),
      columnOf(
        makePart(
          t.makes,
          ...computed.results.map((x, place) =>
            items.item(null, x, {}, this.#verdict(question, answers, place)),
          ),
        ),
      ),
    ];
  }

  /** The question of this step that the reader has answered. */
  #answered({ step }: CurrentStep, answers: readonly string[]): Question | null {
    return answers.length
      ? questionAt(this.#index, this.#index.payload.steps[step]?.last ?? 0)
      : null;
  }

  /** The reader's prediction for `slot`, and whether it was right. */
  #verdict(question: Question | null, answers: readonly string[], slot: number | null): Child {
    const place = question?.blanks.findIndex((blank) => blank.slot === slot) ?? -1;
    const value = this.#items.data(question?.blanks[place]?.value);
    const answer = answers[place];
    if (answer === undefined || !value) return null;
    const right = isRight(answer, value);
    return h("div", { class: right ? "verdict right" : "verdict" }, this.#t.verdict(right, answer));
  }
}

/** "n = 3", with the rule's letter, or "dim = 0". */
const scalarView = ({ name, letter, text }: ScalarData): HTMLElement =>
  h(
    "span",
    { class: "badge", title: name, "data-letter": letter },
    letter ? letterView(letter) : h("code", {}, name),
    ` = ${text}`,
    letter && letter !== name && h("code", { class: "type" }, ` ${name}`),
  );

/** One of the two columns, if it has a part. */
const columnOf = (...parts: Child[]): Child =>
  parts.some(Boolean) && h("div", { class: "side" }, ...parts);

/**
 * The ways to show the numbers, the best first: their size, and whether what goes out stands below
 * what comes in, where it is as wide as the pane.
 */
const WAYS: readonly (readonly [density: number, stacked: boolean])[] = [
  ...[0, 1, 2, 3].map((density) => [density, false] as const),
  ...[0, 1, 2, 3].map((density) => [density, true] as const),
  ...[4, 5].map((density) => [density, false] as const),
  [6, false],
];

const LEGIBLE = 8; // the ways that show all numbers as text
const LOW = 400; // pixels: in a lower card, numbers scroll rather than turn into colours
const MOST_PAGES = 3; // of such a card

/**
 * Choose the first way in which everything fits: the style sheet has one for each density. A rule
 * that is too wide in all of them scrolls, and the numbers stay as large as they can be.
 */
function fitNumbers(body: HTMLElement): void {
  const isWide = (wide: string): boolean =>
    [...body.querySelectorAll(wide)].some((g) => g.scrollWidth > g.clientWidth);
  const use = ([density, stacked]: readonly [number, boolean]): void => {
    body.dataset["density"] = String(density);
    body.classList.toggle("stacked", stacked);
  };
  const fits = (ways: typeof WAYS, pages = 1): boolean =>
    [".value .scroll, .rule", ".value .scroll"].some((wide) =>
      ways.some((way) => {
        use(way);
        return body.scrollHeight <= pages * body.clientHeight && !isWide(wide);
      }),
    );
  const legible = WAYS.slice(0, LEGIBLE);
  if (fits(legible)) return;
  if (body.clientHeight < LOW && fits(legible.slice(1), MOST_PAGES)) return;
  fits(WAYS.slice(LEGIBLE));
}

/** The number of inputs of the node's operation. */
function inputCount(index: Index, node: string): number {
  let count = 0;
  while (index.next.has(bufferKey(node, count))) count += 1;
  return count;
}

const present = (children: readonly Child[]): (Node | string)[] =>
  children.filter((child): child is Node | string => Boolean(child));

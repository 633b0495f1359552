/**
 * Nudge: hold a number of a leaf, push it, and see how far the result moves next to what its
 * gradient promised. A saved page contains answers (nudge=True); a live one asks the kernel.
 */

import { h } from "./dom";
import { formatNumber, formatter, toNumber } from "./numbers";
import type { Language, NodeData, Payload } from "./payload";
import { unravel } from "./places";

export interface Push {
  leaf: string;
  place: number;
  by: number;
}

/** What the kernel says: the numbers, or a sentence that says why the program cannot be run. */
export type Pushed = { gradient: number; before: number; after: number } | { refusal: string };

export type Ask = (push: Push) => Promise<Pushed>;

const en = {
  nudge: "Nudge: push a number",
  number: "Number",
  by: "by",
  down: "Push down",
  up: "Push up",
  promise: "promised, g·dx",
  truth: "moved",
  rest: "the rest: curvature",
  start: "Hold a number of a leaf and push it: the program runs again with it.",
  runs: "The program runs …",
  said: (name: string, by: string, promise: string, truth: string) =>
    `${name} is pushed by ${by}. Its gradient promises that the result moves by ${promise}; ` +
    `it moves by ${truth}.`,
};

const zh: typeof en = {
  nudge: "推一推：推动一个数",
  number: "数",
  by: "幅度",
  down: "向下推",
  up: "向上推",
  promise: "梯度承诺 g·dx",
  truth: "实际移动",
  rest: "余下的：弯曲",
  start: "握住叶子的一个数并推动它：程序会用它重新运行。",
  runs: "程序正在运行……",
  said: (name, by, promise, truth) =>
    `${name} 被推动 ${by}。梯度承诺结果移动 ${promise}；实际移动了 ${truth}。`,
};

const TEXTS: Record<Language, typeof en> = { en, zh };
const MOST = 256; // numbers to choose from

interface Held {
  node: NodeData;
  place: number;
  name: string;
}

/** The control; null if this page can answer nothing. */
export function nudgePane(payload: Payload, ask: Ask | null): HTMLElement | null {
  const { nudge } = payload;
  if (!nudge || (nudge.answers.length === 0 && !nudge.refusal && !ask)) return null;
  const t = TEXTS[payload.language] ?? en;
  const status = h("p", { role: "status" }, nudge.refusal ?? t.start);
  const pane = h("details", { class: "nudge" }, h("summary", {}, t.nudge));
  if (nudge.refusal) return (pane.append(status), pane);
  const held = ask ? numbersOfLeaves(payload) : recorded(payload);
  const which = choice(
    t.number,
    held.map(({ node, place, name }) => {
      const cell = payload.values[node.value ?? -1]?.data?.[place];
      return cell === undefined ? name : `${name} = ${formatNumber(cell)}`;
    }),
  );
  const size = choice(t.by, nudge.sizes.map(String));
  size.selectedIndex = Math.min(1, nudge.sizes.length - 1);
  const rows = h("table", {});
  const push = async (sign: number): Promise<void> => {
    const one = held[which.selectedIndex];
    const by = sign * (nudge.sizes[size.selectedIndex] ?? 0);
    if (!one) return;
    let found = answerOf(payload, one, by);
    if (!found && ask) {
      status.textContent = t.runs;
      found = await ask({ leaf: one.node.name, place: one.place, by });
    }
    if (!found) return;
    if ("refusal" in found) {
      rows.replaceChildren();
      status.textContent = found.refusal;
      return;
    }
    const promise = found.gradient * by;
    const truth = found.after - found.before;
    const numbers = [promise, truth, truth - promise];
    const write = formatter(numbers);
    const largest = Math.max(...numbers.map(Math.abs)) || 1;
    const titles = [t.promise, t.truth, t.rest];
    const kinds = ["promise", "truth", "rest"];
    rows.replaceChildren(
      ...numbers.map((x, i) => row(titles[i] ?? "", write(x), x / largest, kinds[i] ?? "")),
    );
    status.textContent = t.said(one.name, formatNumber(by), write(promise), write(truth));
  };
  const button = (sign: number, label: string, text: string): HTMLElement => {
    const made = h("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", () => void push(sign));
    return made;
  };
  pane.append(
    h(
      "div",
      { class: "hold" },
      h("label", {}, t.number, which),
      h("label", {}, t.by, size),
      button(-1, t.down, "\u2212"),
      button(1, t.up, "+"),
    ),
    rows,
    status,
  );
  return pane;
}

const choice = (label: string, options: readonly string[]): HTMLSelectElement =>
  h("select", { "aria-label": label }, ...options.map((each) => h("option", {}, each)));

/** A title, a number, and a bar from the middle to the left or right. */
function row(title: string, text: string, share: number, kind: string): HTMLElement {
  const bar = h("span", { class: `bar ${kind}` });
  bar.style.setProperty("left", `${50 + Math.min(share, 0) * 50}%`);
  bar.style.setProperty("width", `${Math.abs(share) * 50}%`);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, title),
    h("td", {}, text),
    h("td", { class: "bars", "aria-hidden": "true" }, bar),
  );
}

const nameOf = (node: NodeData, place: number): string =>
  node.shape?.length ? `${node.name}[${unravel(place, node.shape).join(", ")}]` : node.name;

const recorded = ({ nodes, nudge }: Payload): Held[] =>
  (nudge?.answers ?? []).flatMap(({ node: id, place }) => {
    const node = nodes.find((each) => each.id === id);
    return node ? [{ node, place, name: nameOf(node, place) }] : [];
  });

/** Every number of the leaves that got a gradient, up to a limit. */
function numbersOfLeaves({ nodes, events, values }: Payload): Held[] {
  const reached = new Set(
    events.filter(({ kind }) => kind === "leaf_gradient").map(({ node }) => node),
  );
  const leaves = nodes.filter(({ kind, owner }) => kind === "leaf" && reached.has(owner ?? ""));
  const all = leaves.flatMap((node) =>
    (values[node.value ?? -1]?.data ?? []).map((_, place) => ({
      node,
      place,
      name: nameOf(node, place),
    })),
  );
  return all.slice(0, MOST);
}

/** The recorded answer, if there is one. */
function answerOf({ nudge }: Payload, { node, place }: Held, by: number): Pushed | null {
  const found = nudge?.answers.find((each) => each.node === node.id && each.place === place);
  if (!nudge || !found || nudge.result === undefined) return null;
  const at = indexOf(nudge.sizes, by);
  const after = found.results[at];
  if (after === undefined) return null;
  return {
    gradient: toNumber(found.gradient),
    before: toNumber(nudge.result),
    after: toNumber(after),
  };
}

/** The place of a push among the results: downwards from the largest size, then upwards to it. */
const indexOf = (sizes: readonly number[], by: number): number => {
  const size = sizes.indexOf(Math.abs(by));
  return by < 0 ? sizes.length - 1 - size : sizes.length + size;
};

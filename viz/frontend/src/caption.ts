/**
 * The caption: in whole nodes, one sentence per step without numbers, since the panes show them; in
 * every detail, the sentence of the event, which Python has written.
 */

import type { Mode } from "./moves";
import type { EventData } from "./payload";
import { leafOf, nameOf, type Index } from "./state";

const MOST = 3; // names in a sentence

const en = {
  seed: (roots: string, nodes: string) => `backward() starts at ${roots}: ${nodes} runs first.`,
  forward: (title: string, node: string) => `${title} runs and leaves ${node} in the graph.`,
  sends: (node: string, targets: string) => `${node} runs and sends a gradient to ${targets}.`,
  ends: (node: string) => `${node} runs and sends no gradient on.`,
  added: (targets: string) => `It is added to the one that waits at ${targets}.`,
  first: (leaf: string) => `AccumulateGrad sets ${leaf}.grad, which was None.`,
  again: (leaf: string) => `AccumulateGrad adds the gradient to ${leaf}.grad.`,
  more: (count: number) => `${count} more`,
  comma: ", ",
  and: " and ",
  between: " ",
};

const zh: typeof en = {
  seed: (roots, nodes) => `backward() 从 ${roots} 开始：${nodes} 最先运行。`,
  forward: (title, node) => `${title} 运行，并在图中留下 ${node}。`,
  sends: (node, targets) => `${node} 运行，把梯度传给 ${targets}。`,
  ends: (node) => `${node} 运行，不再传出梯度。`,
  added: (targets) => `它与 ${targets} 处等待的梯度相加。`,
  first: (leaf) => `AccumulateGrad 写入 ${leaf}.grad，之前为 None。`,
  again: (leaf) => `AccumulateGrad 把梯度加到 ${leaf}.grad 上。`,
  more: (count) => `另外 ${count} 个`,
  comma: "、",
  and: " 和 ",
  between: "",
};

/** The caption of event `at`. */
export function captionOf(index: Index, mode: Mode, at: number): string {
  const { events, language, steps } = index.payload;
  const t = language === "zh" ? zh : en;
  const event = events[at];
  if (!event || mode === "detail") return event?.caption ?? "";
  const { first = 0, last = 0 } = steps[event.step] ?? {};
  const shown = events.slice(first, at + 1);
  const whole = at === last && !shown.some(({ kind }) => kind === "error");
  const sentences = whole ? sentencesOf(index, shown, t) : null;
  if (sentences) return sentences.join(t.between);
  const telling = shown.filter(
    ({ kind, before }) => kind !== "free" && (kind !== "accumulate" || before !== null),
  );
  return (telling.length ? telling : shown).map(({ caption }) => caption).join(t.between);
}

/** The sentences of a whole step; null if it is none of the usual ones. */
function sentencesOf(index: Index, events: EventData[], t: typeof en): string[] | null {
  const [event] = events;
  if (!event) return null;
  const of = (kind: EventData["kind"]): EventData[] => events.filter((each) => each.kind === kind);
  const node = nameOf(index, event.node);
  const others = [...of("reduce"), ...of("hook")].map(({ caption }) => caption);
  if (event.kind === "seed") {
    const seeded = events.map((each) => each.node);
    const roots = index.payload.edges
      .filter(({ kind, target }) => kind === "root" && seeded.includes(target))
      .map(({ source }) => nameOf(index, source));
    return [
      t.seed(
        list(roots, t),
        list(
          seeded.map((each) => nameOf(index, each)),
          t,
        ),
      ),
    ];
  }
  if (event.kind === "forward")
    return [t.forward(index.payload.steps[event.step]?.title ?? "", node), ...others];
  const leaf = leafOf(index, event.node);
  const [written] = of("leaf_gradient");
  if (leaf && written)
    return written.no_sum
      ? null
      : [(typeof written.before === "number" ? t.again : t.first)(leaf.name), ...others];
  const sent = of("accumulate");
  if (event.kind !== "start" || sent.some((each) => each.no_sum)) return null;
  const added = sent.filter(({ before }) => typeof before === "number");
  return [
    sent.length ? t.sends(node, targetsOf(index, sent, t)) : t.ends(node),
    ...(added.length ? [t.added(targetsOf(index, added, t))] : []),
    ...others,
  ];
}

const targetsOf = (index: Index, events: readonly EventData[], t: typeof en): string =>
  list(
    events.map(({ target = "" }) => leafOf(index, target)?.name ?? nameOf(index, target)),
    t,
  );

/** "a, b and c", with the number of those left out. */
function list(names: readonly string[], t: typeof en): string {
  const own = [...new Set(names)];
  const shown = own.length > MOST ? [...own.slice(0, MOST), t.more(own.length - MOST)] : own;
  const last = shown.pop() ?? "";
  return shown.length ? shown.join(t.comma) + t.and + last : last;
}

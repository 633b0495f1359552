/**
 * Where the backward pass stands after event `at`: a pure fold over the events 0..at.
 *
 * That is why going back is exact: a state depends on the number of the event alone, not on the way
 * by which one came to it. Of a long pass, states are kept every two thousand events, and a fold
 * begins with a copy of the last one before `at`: it takes about a millisecond wherever one is.
 */

import type { Mode } from "./moves";
import type { EdgeData, EventData, NodeData, Payload, SavedData } from "./payload";
import { Sheet } from "./sheet";

/**
 * What a node is up to. `unbuilt`: the forward pass has not come to it; `waiting`: nothing has
 * arrived; `ready`: a gradient waits in its buffer; `current`: its turn; `done`: it has had its
 * turn; `error`: it failed.
 */
export type Phase = "unbuilt" | "waiting" | "ready" | "current" | "done" | "error";

/** A sum that waits in front of a node, for the gradient of its output `index`. */
export interface Buffer {
  node: string;
  index: number;
  value: number | null;
  arrivals: number;
}

/** before + added = after; unless an engine of the reader's own has made something else of them. */
export interface Sum {
  addsUp: boolean;
  before: number | null;
  added: number | null;
  after: number | null;
}

/** What the node whose turn it is has done so far. A list that is null has not been made yet. */
export interface Turn {
  step: number;
  node: string;
  /** What an operation of the forward pass took, and has made of it, if this is its turn. */
  computed: { inputs: (number | null)[]; results: number[] | null } | null;
  /** The gradients that the walk began with, if this is the turn of the seed. */
  seeds: { node: string; value: number | null }[];
  incoming: (number | null)[] | null;
  saved: SavedData[];
  /** What it saved and a hook has packed, so that nobody saw its numbers. */
  packed: string[];
  outgoing: (number | null)[] | null;
  /** By input: the gradient before its broadcast was undone. */
  reduced: Map<number, number | null>;
  /** By slot: the sum in the receiver's buffer that the gradient was added to. */
  sent: Map<number, Sum>;
  /** What an AccumulateGrad did to its leaf's `.grad`. */
  leaf: Sum | null;
  hooks: string[];
  freed: string[];
  /** What this turn adds to `State.freed`. */
  gone: string[];
  error: string | null;
  /** Why it failed, and what to do. */
  reason: string;
}

export interface State {
  at: number;
  event: EventData;
  turn: Turn;
  /** Which backward() this is: several may have run over the same graph. */
  pass: number;
  phases: Sheet<Phase>;
  /** The edges over which a gradient has travelled. */
  carried: Sheet<true>;
  /** The gradient that has travelled over an edge, or that a node has started with. */
  seen: Sheet<number>;
  /** Edges and buffers that the event itself touched. */
  touched: Set<string>;
  /** What waits, by `bufferKey`. */
  buffers: Map<string, Buffer>;
  /**
   * `.grad` of each leaf, by the id of its AccumulateGrad; null before anything has been written.
   */
  gradients: Map<string, number | null>;
  /** Nodes that have let go of what they saved, and the saved tensors' own nodes. */
  freed: Sheet<true>;
}

/** The payload's lists, by what they are looked up by. Made once. */
export interface Index {
  payload: Payload;
  node: Map<string, NodeData>;
  /** What the turns of a node are called: tells it from others of its name. */
  titles: Map<string, string>;
  /** Where the edges lead that leave a node. */
  below: Map<string, string[]>;
  /** The edge that leaves `source` from `slot`. */
  next: Map<string, EdgeData>;
  rootEdges: Map<string, EdgeData[]>;
  roots: string[];
  leafEdge: Map<string, EdgeData>;
  savedEdges: Map<string, EdgeData[]>;
  /** Is the forward pass among the events? Then the graph is built before the reader's eyes. */
  forward: boolean;
  /**
   * How many gradients a buffer is going to receive, by pass and `bufferKey`: a node runs when all
   * are there.
   */
  expected: Map<string, number>;
  /** `.grad` before the recording began, by the AccumulateGrad that writes to it. */
  initial: Map<string, number | null>;
  /** States to begin a fold with, and how many events each has behind it. Nobody changes them. */
  kept: { events: number; state: State }[];
}

const EVERY = 2048; // events between two kept states

export const bufferKey = (node: string, index: number): string => `${node}:${index}`;

export function indexPayload(payload: Payload): Index {
  const index: Index = {
    payload,
    node: new Map(payload.nodes.map((node) => [node.id, node])),
    titles: new Map(),
    below: new Map(),
    next: new Map(),
    rootEdges: new Map(),
    roots: payload.nodes.filter((node) => node.kind === "root").map((node) => node.id),
    leafEdge: new Map(),
    savedEdges: new Map(),
    forward: payload.events.some((event) => event.kind === "forward"),
    expected: new Map(),
    initial: new Map(),
    kept: [],
  };
  for (const edge of payload.edges) {
    push(index.below, edge.source, edge.target);
    if (edge.kind === "next") index.next.set(bufferKey(edge.source, edge.slot ?? 0), edge);
    if (edge.kind === "leaf") index.leafEdge.set(edge.source, edge);
    if (edge.kind === "root") push(index.rootEdges, edge.target, edge);
    if (edge.kind === "saved") {
      // Whichever way round it is drawn, one end is the tensor and the other its reader.
      const reader = index.node.get(edge.source)?.kind === "saved" ? edge.target : edge.source;
      push(index.savedEdges, reader, edge);
    }
  }
  for (const { kind, owner, gradient } of payload.nodes) {
    if (kind === "leaf" && owner !== undefined) index.initial.set(owner, gradient ?? null);
  }
  for (const { node, title, first } of payload.steps) {
    const kind = payload.events[first]?.kind;
    if (kind !== "seed" && kind !== "forward") index.titles.set(node, title);
  }
  let pass = 0;
  for (const [k, event] of payload.events.entries()) {
    if (event.kind === "seed" && k > 0 && payload.events[k - 1]?.kind !== "seed") pass += 1;
    const receiver =
      event.kind === "seed" ? event.node : event.kind === "accumulate" ? event.target : undefined;
    if (receiver !== undefined) {
      const key = `${pass}/${bufferKey(receiver, event.index ?? 0)}`;
      index.expected.set(key, (index.expected.get(key) ?? 0) + 1);
    }
  }
  return index;
}

/** The leaf that an AccumulateGrad writes to. */
export function leafOf(index: Index, accumulate: string): NodeData | undefined {
  const edge = index.leafEdge.get(accumulate);
  return edge && index.node.get(edge.target);
}

/**
 * The node's name; among others of that name, with what tells it from them: an AccumulateGrad's
 * leaf, what the result of an operation is called.
 */
export function nameOf(index: Index, node: string): string {
  const name = index.node.get(node)?.name ?? node;
  const leaf = leafOf(index, node);
  return leaf ? `${name} (${leaf.name})` : (index.titles.get(node) ?? name);
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/**
 * The state after event `at`. To who follows whole nodes, what a turn reads is there as long as the
 * turn lasts, although it is let go of before the end.
 */
export function stateAt(index: Index, at: number, mode: Mode = "detail"): State {
  const { events } = index.payload;
  const start = index.kept[0] ?? { events: 0, state: beginning(index) };
  if (index.kept.length === 0) index.kept.push(start);
  const base = [...index.kept].reverse().find((kept) => kept.events <= at + 1) ?? start;
  const state = copyOf(base.state);
  state.at = at;
  for (let k = base.events; k <= at; k++) {
    const event = events[k];
    if (!event) continue;
    apply(index, state, event, events[k - 1]);
    // Between two turns: the next event begins one, so what is noted about this one stays as it is.
    const last = index.kept.at(-1)?.events ?? 0;
    if (k + 1 >= last + EVERY && events[k + 1]?.step !== event.step)
      index.kept.push({ events: k + 1, state: copyOf(state) });
  }
  if (mode === "node") for (const id of state.turn.gone) state.freed.delete(id);
  return state;
}

function beginning(index: Index): State {
  const { events, nodes, edges } = index.payload;
  const [first] = events;
  if (!first) throw new Error("the recording is empty");
  const places = new Map([...nodes, ...edges].map(({ id }, place) => [id, place]));
  const state: State = {
    at: -1,
    event: first,
    turn: newTurn(first),
    pass: 0,
    phases: new Sheet(places),
    carried: new Sheet(places),
    seen: new Sheet(places),
    touched: new Set(),
    buffers: new Map(),
    gradients: new Map(index.initial),
    freed: new Sheet(places),
  };
  for (const { id, kind } of nodes)
    state.phases.set(id, index.forward && kind !== "leaf" ? "unbuilt" : "waiting");
  return state;
}

const copyOf = (state: State): State => ({
  ...state,
  phases: state.phases.copy(),
  carried: state.carried.copy(),
  seen: state.seen.copy(),
  buffers: new Map(state.buffers),
  gradients: new Map(state.gradients),
  freed: state.freed.copy(),
});

function newTurn(event: EventData): Turn {
  return {
    step: event.step,
    node: event.node,
    computed: null,
    seeds: [],
    incoming: null,
    saved: [],
    packed: [],
    outgoing: null,
    reduced: new Map(),
    sent: new Map(),
    leaf: null,
    hooks: [],
    freed: [],
    gone: [],
    error: null,
    reason: "",
  };
}

function apply(
  index: Index,
  state: State,
  event: EventData,
  previous: EventData | undefined,
): void {
  if (previous?.step !== event.step) endTurn(index, state, event);
  state.event = event;
  state.touched = new Set();
  const turn = state.turn;
  switch (event.kind) {
    case "forward":
      turn.computed = { inputs: event.inputs ?? [], results: null };
      build(index, state, event.node);
      state.phases.set(event.node, "current");
      break;
    case "result":
      turn.computed = { inputs: turn.computed?.inputs ?? [], results: event.results ?? [] };
      break;
    case "seed": {
      if (previous && previous.kind !== "seed") newPass(index, state);
      state.phases.set(event.node, "ready");
      for (const edge of index.rootEdges.get(event.node) ?? []) {
        state.phases.set(edge.source, "current");
        carry(state, edge, event.added);
      }
      const value = event.after ?? event.added ?? null;
      turn.seeds.push({ node: event.node, value });
      put(state, event.node, event.index ?? 0, value);
      break;
    }
    case "start":
      state.phases.set(event.node, "current");
      turn.incoming = event.incoming ?? [];
      for (const value of turn.incoming) if (value !== null) state.seen.set(event.node, value);
      turn.saved = event.saved ?? [];
      turn.packed = event.packed ?? [];
      take(state, event.node);
      break;
    case "hook":
      state.phases.set(event.node, "current");
      turn.hooks.push(event.hook ?? "");
      if (event.incoming) turn.incoming = event.incoming;
      if (event.outgoing) turn.outgoing = event.outgoing;
      break;
    case "formula":
      turn.outgoing = event.outgoing ?? [];
      break;
    case "reduce":
      turn.reduced.set(event.index ?? 0, event.before ?? null);
      turn.outgoing =
        turn.outgoing?.map((g, i) => (i === event.index ? (event.after ?? null) : g)) ?? null;
      break;
    case "accumulate": {
      const slot = event.slot ?? 0;
      // Who goes down every path comes back to a node between two of its inputs.
      state.phases.set(event.node, "current");
      turn.sent.set(slot, sumOf(event));
      const edge = index.next.get(bufferKey(event.node, slot));
      if (edge) carry(state, edge, event.added);
      if (event.target !== undefined) {
        if (state.phases.get(event.target) === "waiting") state.phases.set(event.target, "ready");
        put(state, event.target, event.index ?? 0, event.after ?? null);
      }
      break;
    }
    case "leaf_gradient": {
      state.phases.set(event.node, "current");
      turn.leaf = sumOf(event);
      state.gradients.set(event.node, event.after ?? null);
      state.touched.add(event.node);
      const edge = index.leafEdge.get(event.node);
      if (edge) {
        carry(state, edge, event.after);
        state.phases.set(edge.target, "done");
      }
      take(state, event.node);
      break;
    }
    case "free":
      turn.freed = event.names ?? [];
      letGo(state, event.node);
      for (const edge of index.savedEdges.get(event.node) ?? [])
        letGo(state, edge.source === event.node ? edge.target : edge.source);
      break;
    case "error":
      turn.error = event.message ?? "";
      turn.reason = event.reason ?? "";
      state.phases.set(event.node, "error");
      break;
  }
}

const sumOf = ({ before, added, after, no_sum }: EventData): Sum => ({
  addsUp: !no_sum,
  before: before ?? null,
  added: added ?? null,
  after: after ?? null,
});

/** The turn passes on: whoever was current has had it. */
function endTurn(index: Index, state: State, event: EventData): void {
  const last = state.turn.node;
  if (state.phases.get(last) === "current")
    state.phases.set(last, state.turn.computed ? "waiting" : "done");
  for (const root of index.roots)
    if (state.phases.get(root) === "current") state.phases.set(root, "done");
  state.turn = newTurn(event);
}

/**
 * An operation has left its node; what it hangs on is there, too, whether or not anyone saw it
 * come.
 */
function build(index: Index, state: State, node: string): void {
  const stack = [node];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (state.phases.get(id) !== "unbuilt") continue;
    state.phases.set(id, "waiting");
    for (const { source } of index.rootEdges.get(id) ?? []) state.phases.set(source, "waiting");
    stack.push(...(index.below.get(id) ?? []));
  }
}

/**
 * Another backward() begins on the same graph: every node waits anew; `.grad` and what is freed
 * stay.
 */
function newPass(index: Index, state: State): void {
  state.pass += 1;
  for (const node of index.payload.nodes) state.phases.set(node.id, "waiting");
  state.carried.clear();
  state.seen.clear();
  state.buffers.clear();
}

function letGo(state: State, id: string): void {
  if (state.freed.has(id)) return;
  state.freed.set(id, true);
  state.turn.gone.push(id);
}

function carry(state: State, edge: EdgeData, value: number | null | undefined): void {
  state.carried.set(edge.id, true);
  if (typeof value === "number") state.seen.set(edge.id, value);
  state.touched.add(edge.id);
}

function put(state: State, node: string, index: number, value: number | null): void {
  const key = bufferKey(node, index);
  const arrivals = (state.buffers.get(key)?.arrivals ?? 0) + 1;
  state.buffers.set(key, { node, index, value, arrivals });
  state.touched.add(key);
}

/** A node that runs takes what waited for it. */
function take(state: State, node: string): void {
  for (const [key, buffer] of state.buffers) if (buffer.node === node) state.buffers.delete(key);
}

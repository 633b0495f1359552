/**
 * Where the backward pass stands after event `at`: a pure fold over the events 0..at.
 *
 * Going back is therefore exact: a state depends on the number of the event alone, not on the path
 * to it. In a long pass a state is stored every two thousand events, and a fold begins with a copy
 * of the last one before `at`, so it takes about a millisecond at every event.
 */

import type { Mode } from "./moves";
import type { EdgeData, EventData, EventKind, NodeData, Payload, SavedData } from "./payload";
import { Sheet } from "./sheet";

/**
 * The status of a node. `unbuilt`: the forward pass has not reached it; `waiting`: no gradient has
 * arrived; `ready`: a gradient waits in its buffer; `current`: it runs in this step; `done`: it has
 * run; `error`: it failed.
 */
export type Phase = "unbuilt" | "waiting" | "ready" | "current" | "done" | "error";

/** A sum that waits in front of a node, for the gradient of its output `index`. */
export interface Buffer {
  node: string;
  index: number;
  value: number | null;
  arrivals: number;
}

/** before + added = after; `addsUp` is false if a custom engine combined them in another way. */
export interface Sum {
  addsUp: boolean;
  before: number | null;
  added: number | null;
  after: number | null;
}

/** Everything that the current step's node has done so far. A null list is not computed yet. */
export interface CurrentStep {
  step: number;
  node: string;
  /** Inputs and results of an operation, in a step of the forward pass. */
  computed: { inputs: (number | null)[]; results: number[] | null } | null;
  /** The gradients that backward() started from, in the step of the seed. */
  seeds: { node: string; value: number | null }[];
  incoming: (number | null)[] | null;
  saved: SavedData[];
  /** Saved tensors that a hook packed, so their numbers are unknown. */
  packed: string[];
  outgoing: (number | null)[] | null;
  /** By input: the gradient before its broadcast was undone. */
  reduced: Map<number, number | null>;
  /** By slot: the sum in the receiver's buffer that the gradient was added to. */
  sent: Map<number, Sum>;
  /** The sum that an AccumulateGrad wrote to its leaf's `.grad`. */
  leaf: Sum | null;
  hooks: string[];
  freed: string[];
  /** Ids that this step adds to `State.freed`. */
  gone: string[];
  error: string | null;
  /** Why it failed, and how to fix it. */
  reason: string;
}

export interface State {
  at: number;
  event: EventData;
  current: CurrentStep;
  /** Which backward() this is: several may have run over the same graph. */
  pass: number;
  phases: Sheet<Phase>;
  /** The edges over which a gradient has travelled. */
  carried: Sheet<true>;
  /** The last gradient on an edge, or the one that a node started with. */
  seen: Sheet<number>;
  /** Edges and buffers that the event itself touched. */
  touched: Set<string>;
  /** Sums that wait for their node, by `bufferKey`. */
  buffers: Map<string, Buffer>;
  /**
   * `.grad` of each leaf, by the id of its AccumulateGrad; null before anything has been written.
   */
  gradients: Map<string, number | null>;
  /** Nodes whose saved tensors are freed, and the nodes of those tensors. */
  freed: Sheet<true>;
}

/** Look-up tables of the payload's lists, built once. */
export interface Index {
  payload: Payload;
  node: Map<string, NodeData>;
  /** Titles of the nodes' steps: they distinguish nodes of the same name. */
  titles: Map<string, string>;
  /** Targets of the edges that leave a node. */
  below: Map<string, string[]>;
  /** The edge that leaves `source` from `slot`. */
  next: Map<string, EdgeData>;
  rootEdges: Map<string, EdgeData[]>;
  roots: string[];
  leafEdge: Map<string, EdgeData>;
  savedEdges: Map<string, EdgeData[]>;
  /** Whether the forward pass was recorded; if so, the graph is built step by step. */
  forward: boolean;
  /**
   * How many gradients a buffer will receive, by pass and `bufferKey`. A node runs when all have
   * arrived.
   */
  expected: Map<string, number>;
  /** `.grad` before the recording began, by the AccumulateGrad that writes to it. */
  initial: Map<string, number | null>;
  /** States that a fold can start from, and how many events each includes. Read-only. */
  stored: { events: number; state: State }[];
}

const EVERY = 2048; // events between two stored states

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
    stored: [],
  };
  for (const edge of payload.edges) {
    push(index.below, edge.source, edge.target);
    if (edge.kind === "next") index.next.set(bufferKey(edge.source, edge.slot ?? 0), edge);
    if (edge.kind === "leaf") index.leafEdge.set(edge.source, edge);
    if (edge.kind === "root") push(index.rootEdges, edge.target, edge);
    if (edge.kind === "saved") {
      // The edge may be drawn in either direction: one end is the tensor, the other its reader.
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
 * The node's name, with a suffix that distinguishes it from others of that name: an
 * AccumulateGrad's leaf, or the name of an operation's result.
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
 * The state after event `at`. In "node" mode, tensors that the current step frees still count as
 * saved, because the step has read them.
 */
export function stateAt(index: Index, at: number, mode: Mode = "detail"): State {
  const { events } = index.payload;
  const start = index.stored[0] ?? { events: 0, state: beginning(index) };
  if (index.stored.length === 0) index.stored.push(start);
  const base = [...index.stored].reverse().find((stored) => stored.events <= at + 1) ?? start;
  const state = copyOf(base.state);
  state.at = at;
  for (let k = base.events; k <= at; k++) {
    const event = events[k];
    if (!event) continue;
    apply(index, state, event, events[k - 1]);
    // Store a state only between two steps, where `current` is complete.
    const last = index.stored.at(-1)?.events ?? 0;
    if (k + 1 >= last + EVERY && events[k + 1]?.step !== event.step)
      index.stored.push({ events: k + 1, state: copyOf(state) });
  }
  if (mode === "node") for (const id of state.current.gone) state.freed.delete(id);
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
    current: newStep(first),
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

function newStep(event: EventData): CurrentStep {
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
  if (previous?.step !== event.step) endStep(index, state, event);
  state.event = event;
  state.touched = new Set();
  HANDLERS[event.kind](index, state, event, previous);
}

type Handler = (index: Index, state: State, event: EventData, previous?: EventData) => void;

const HANDLERS: Record<EventKind, Handler> = {
  forward(index, state, event) {
    state.current.computed = { inputs: event.inputs ?? [], results: null };
    build(index, state, event.node);
    state.phases.set(event.node, "current");
  },

  result(_, { current }, event) {
    current.computed = { inputs: current.computed?.inputs ?? [], results: event.results ?? [] };
  },

  seed(index, state, event, previous) {
    if (previous && previous.kind !== "seed") beginPass(index, state);
    state.phases.set(event.node, "ready");
    for (const edge of index.rootEdges.get(event.node) ?? []) {
      state.phases.set(edge.source, "current");
      markCarried(state, edge, event.added);
    }
    const value = event.after ?? event.added ?? null;
    state.current.seeds.push({ node: event.node, value });
    fillBuffer(state, event.node, event.index ?? 0, value);
  },

  start(_, state, event) {
    const { current } = state;
    state.phases.set(event.node, "current");
    current.incoming = event.incoming ?? [];
    for (const value of current.incoming) if (value !== null) state.seen.set(event.node, value);
    current.saved = event.saved ?? [];
    current.packed = event.packed ?? [];
    emptyBuffers(state, event.node);
  },

  hook(_, state, event) {
    const { current } = state;
    state.phases.set(event.node, "current");
    current.hooks.push(event.hook ?? "");
    if (event.incoming) current.incoming = event.incoming;
    if (event.outgoing) current.outgoing = event.outgoing;
  },

  formula(_, { current }, event) {
    current.outgoing = event.outgoing ?? [];
  },

  reduce(_, { current }, event) {
    current.reduced.set(event.index ?? 0, event.before ?? null);
    current.outgoing =
      current.outgoing?.map((g, i) => (i === event.index ? (event.after ?? null) : g)) ?? null;
  },

  accumulate(index, state, event) {
    const slot = event.slot ?? 0;
    // A depth-first engine returns to a node between two of its inputs.
    state.phases.set(event.node, "current");
    state.current.sent.set(slot, sumOf(event));
    const edge = index.next.get(bufferKey(event.node, slot));
    if (edge) markCarried(state, edge, event.added);
    if (event.target === undefined) return;
    if (state.phases.get(event.target) === "waiting") state.phases.set(event.target, "ready");
    fillBuffer(state, event.target, event.index ?? 0, event.after ?? null);
  },

  leaf_gradient(index, state, event) {
    state.phases.set(event.node, "current");
    state.current.leaf = sumOf(event);
    state.gradients.set(event.node, event.after ?? null);
    state.touched.add(event.node);
    const edge = index.leafEdge.get(event.node);
    if (edge) {
      markCarried(state, edge, event.after);
      state.phases.set(edge.target, "done");
    }
    emptyBuffers(state, event.node);
  },

  free(index, state, event) {
    state.current.freed = event.names ?? [];
    markFreed(state, event.node);
    for (const edge of index.savedEdges.get(event.node) ?? [])
      markFreed(state, edge.source === event.node ? edge.target : edge.source);
  },

  error(_, state, event) {
    state.current.error = event.message ?? "";
    state.current.reason = event.reason ?? "";
    state.phases.set(event.node, "error");
  },
};

const sumOf = ({ before, added, after, no_sum }: EventData): Sum => ({
  addsUp: !no_sum,
  before: before ?? null,
  added: added ?? null,
  after: after ?? null,
});

/** Start the step of `event`: mark the nodes of the last one as done. */
function endStep(index: Index, state: State, event: EventData): void {
  const last = state.current.node;
  if (state.phases.get(last) === "current")
    state.phases.set(last, state.current.computed ? "waiting" : "done");
  for (const root of index.roots)
    if (state.phases.get(root) === "current") state.phases.set(root, "done");
  state.current = newStep(event);
}

/**
 * Mark a node as built, and every node below it, some of which no recorded operation created.
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
 * Begin another backward() on the same graph: every node waits again; `.grad` and freed tensors
 * stay.
 */
function beginPass(index: Index, state: State): void {
  state.pass += 1;
  for (const node of index.payload.nodes) state.phases.set(node.id, "waiting");
  state.carried.clear();
  state.seen.clear();
  state.buffers.clear();
}

function markFreed(state: State, id: string): void {
  if (state.freed.has(id)) return;
  state.freed.set(id, true);
  state.current.gone.push(id);
}

function markCarried(state: State, edge: EdgeData, value: number | null | undefined): void {
  state.carried.set(edge.id, true);
  if (typeof value === "number") state.seen.set(edge.id, value);
  state.touched.add(edge.id);
}

function fillBuffer(state: State, node: string, index: number, value: number | null): void {
  const key = bufferKey(node, index);
  const arrivals = (state.buffers.get(key)?.arrivals ?? 0) + 1;
  state.buffers.set(key, { node, index, value, arrivals });
  state.touched.add(key);
}

/** Remove a node's sums from the buffers: it has taken them. */
function emptyBuffers(state: State, node: string): void {
  for (const [key, buffer] of state.buffers) if (buffer.node === node) state.buffers.delete(key);
}

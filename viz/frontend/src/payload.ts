// Written by viz/frontend/payload_types.py from minigrad_viz/stepper/payload.py: change that.
//
// Everything that the stepper shows comes from a `Payload`; nothing else in this folder talks to
// Python.

export interface Payload {
  version: 1;
  language: Language;
  svg: string;
  nodes: NodeData[];
  edges: EdgeData[];
  values: ValueData[];
  files: FileData[];
  events: EventData[];
  steps: StepData[];
  /** of a folded graph, each after the one it is in */
  clusters?: ClusterData[];
  /** SVG, of what is inside the clusters */
  pictures?: string[];
  /** why there is no code, and what would show it */
  note?: string;
  /** absent where it cannot be told */
  memory?: MemoryData;
  /** what of it cannot be told */
  memory_note?: string;
  /** every `.grad` is as it was before the recording */
  rehearsal?: boolean;
}

/** Two passes side by side, which are gone through together. */
export interface Pair {
  version: 1;
  language: Language;
  titles: string[];
  passes: Payload[];
  rows: RowData[];
  /** of each pass's nodes that are not alike in both, by their ids */
  marks: Record<string, Mark>[];
  /** where they part, and what differs, in sentences */
  said: string[];
  /** index of the first row that is not the same in both */
  differ?: number;
}

export type Language = "en" | "zh";

/** `id` is also the id of the node's <g> element in the SVG. */
export interface NodeData {
  id: string;
  kind: NodeKind;
  /** "MulBackward0", "AccumulateGrad"; a leaf's variable name */
  name: string;
  /** what is written in the picture, plain text */
  label: string;
  shape?: number[];
  dtype?: string;
  /** MathML of the backward formula */
  rule?: string;
  /** the same, as plain text; alone: as the reader has written it */
  rule_text?: string;
  scalars?: ScalarData[];
  /** of the inputs, in their order, and of the result */
  letters?: LetterData[];
  line?: LineData;
  /** path of the module that computed it */
  module?: string;
  /** leaves and saved tensors: index into Payload["values"] */
  value?: number;
  /** leaves: `.grad` before the recording */
  gradient?: number | null;
  version?: number;
  /** the innermost box that it is in, if the graph is folded */
  cluster?: string;
  /** saved tensors: the node that saved it; leaves: their AccumulateGrad */
  owner?: string;
}

/** `id` is also the id of the edge's <g> element. Gradients flow from `source` to `target`. */
export interface EdgeData {
  id: string;
  kind: EdgeKind;
  source: string;
  target: string;
  /** position in the source's next_functions */
  slot?: number;
  /** which output of the target the gradient is for */
  index?: number;
}

/**
 * A tensor's numbers. `data` is flat, in row-major order; without `data` and `summary`, nobody
 * could read them.
 */
export interface ValueData {
  shape: number[];
  dtype: string;
  data?: Cell[];
  summary?: SummaryData;
  sketch?: SketchData;
}

export interface FileData {
  name: string;
  /** number of the first line in `lines` */
  first: number;
  lines: string[];
  /** there is more of the file */
  cut?: boolean;
}

/**
 * One event; which fields are present depends on `kind`, as in minigrad.autograd.events. Values
 * are indices or null.
 */
export interface EventData {
  kind: EventKind;
  node: string;
  /** number of the node's turn: "whole node" mode moves from turn to turn */
  step: number;
  /** one sentence in the interface's language: what happens here, with the shapes */
  caption: string;
  inputs?: (number | null)[];
  results?: number[];
  incoming?: (number | null)[];
  saved?: SavedData[];
  /** saved, but waiting for a hook that nobody has asked */
  packed?: string[];
  outgoing?: (number | null)[];
  slot?: number;
  target?: string;
  index?: number;
  before?: number | null;
  added?: number;
  after?: number | null;
  /** an engine of the reader's own has not added */
  no_sum?: boolean;
  names?: string[];
  hook?: string;
  message?: string;
  /** why it failed, in the interface's language */
  reason?: string;
}

/**
 * One node's turn: the events first..last (inclusive). The seed of a pass has a turn of its
 * own, and so has each operation of a forward pass.
 */
export interface StepData {
  node: string;
  /** "MulBackward0" */
  title: string;
  first: number;
  last: number;
}

/** A box that hides nodes. `id` is the id of its <g> element where it is drawn closed. */
export interface ClusterData {
  id: string;
  name: string;
  /** the box that it is in */
  parent: string | null;
  size: number;
  /** absent where it is never closed, or cannot be opened */
  inside?: InsideData;
}

/** The bytes that only the graph keeps: before the first step, and after each. */
export interface MemoryData {
  start: number;
  held: number[];
  /** the largest */
  pieces: MemoryPiece[];
  /** bytes that are kept and live anyway */
  own: number;
}

/** Two steps side by side. */
export interface RowData {
  /** of each pass; null where it has none of this kind */
  steps: (number | null)[];
  /** absent where both do the same; "one": only one of them has it */
  mark?: Mark;
  /** what differs, in few words */
  said?: string;
}

export type Mark = "differs" | "one" | "unsure";

export type NodeKind =
  "root" | "function" | "accumulate" | "leaf" | "saved" | "operation" | "tensor" | "cluster";

/** A number that a node holds, or a choice such as a dimension. */
export interface ScalarData {
  /** "exponent" */
  name: string;
  /** "3" */
  text: string;
  /** what the rule calls it */
  letter?: string;
  value?: number;
}

/** A letter of the rule, and the saved tensor that it stands for. */
export interface LetterData {
  letter: string;
  saved: string;
}

export interface LineData {
  /** index into Payload["files"] */
  file: number;
  /** 1-based */
  line: number;
}

export type EdgeKind = "root" | "next" | "leaf" | "saved" | "data" | "made";

export type Cell = number | string | boolean;

/** Of the finite elements; "nan" where there is none. */
export interface SummaryData {
  min: Cell;
  max: Cell;
  norm: Cell;
  nonfinite: number;
}

/** A large tensor as a small picture, and how its numbers are spread. */
export interface SketchData {
  /** slices, rows and columns of cells */
  shape: number[];
  /** of the numbers that a cell stands for, the one of the largest size */
  cells: Cell[];
  /** rows and columns of numbers in a cell */
  block: number[];
  /** how many there are, of which the first are shown */
  slices: number;
  /** finite numbers between the smallest and the largest, by equal steps */
  counts: number[];
}

export type EventKind =
  | "forward"
  | "result"
  | "seed"
  | "start"
  | "hook"
  | "formula"
  | "reduce"
  | "accumulate"
  | "leaf_gradient"
  | "free"
  | "error";

export interface SavedData {
  name: string;
  value: number;
  expected: number;
  version: number;
  /** id of the saved tensor's own node in the graph */
  node?: string;
}

/**
 * What is inside a box. Boxes that differ in names alone have one picture: its "n0" and "e0"
 * are the first of `nodes`, boxes among them, and of `edges`.
 */
export interface InsideData {
  /** index into Payload["pictures"] */
  picture: number;
  nodes: string[];
  edges: string[];
  /** in place of the picture's own */
  words?: WordsData[];
}

/** A piece of memory that nodes keep for their formulas, and from which step until which. */
export interface MemoryPiece {
  /** the variable, or what its node calls it */
  name: string;
  /** id of the first node that keeps it */
  node: string;
  bytes: number;
  /** -1: before the first step */
  born: number;
  /** absent: kept to the end */
  freed?: number;
}

/** What one node of a picture says: its tooltip, if it has one, and the lines of its label. */
export interface WordsData {
  node: number;
  words: string[];
}

// Written by viz/frontend/payload_types.py from minigrad_viz/stepper/payload.py: change that.
//
// Everything that the stepper shows comes from a `Payload`; nothing else in this folder talks to
// Python.

export interface Payload {
  version: 1;
  language: Language;
  nodes: NodeData[];
  edges: EdgeData[];
  values: ValueData[];
  files: FileData[];
  events: EventData[];
  steps: StepData[];
  /** each after its parent */
  frames?: FrameData[];
  /** whether frames are closed at first; absent: those that do not fit */
  fold?: boolean;
  /** what a plain view has besides code, graph and values */
  show?: string[];
  /** why there is no code, and how to show it */
  note?: string;
  /** absent if it is unknown */
  memory?: MemoryData;
  /** which part of it is unknown */
  memory_note?: string;
  /** every `.grad` is as it was before the recording */
  rehearsal?: boolean;
  /** absent if nothing can be pushed */
  nudge?: NudgeData;
}

/** Two passes side by side, with common steps. */
export interface Pair {
  version: 1;
  language: Language;
  titles: string[];
  passes: Payload[];
  rows: RowData[];
  /** for each pass, its nodes that differ, by id */
  marks: Record<string, Mark>[];
  /** the first difference and the others, in sentences */
  said: string[];
  /** index of the first row that differs */
  differ?: number;
}

export type Language = "en" | "zh";

export interface NodeData {
  id: string;
  kind: NodeKind;
  /** "MulBackward0", "AccumulateGrad"; a leaf's variable name */
  name: string;
  /** the text in the picture */
  label: string;
  shape?: number[];
  dtype?: string;
  /** MathML of the backward formula */
  rule?: string;
  /** the rule as plain text; without `rule`, the reader's own */
  rule_text?: string;
  scalars?: ScalarData[];
  /** letters of the inputs in order, then of the result */
  letters?: LetterData[];
  line?: LineData;
  /** path of the module that computed it */
  module?: string;
  /** leaves, saved tensors, scalar results: index into Payload["values"] */
  value?: number;
  /** leaves: `.grad` before the recording */
  gradient?: number | null;
  version?: number;
  /** functions: the innermost frame around it */
  frame?: string;
  /** saved tensors: the node that saved it; leaves: their AccumulateGrad */
  owner?: string;
}

/** Gradients flow from `source` to `target`. */
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
 * A tensor's numbers. `data` is flat, in row-major order. Without `data` and `summary`, the
 * numbers could not be read.
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
  /** index into Payload["steps"] */
  step: number;
  /** one sentence in the interface's language: what happens here, with the shapes */
  caption: string;
  inputs?: (number | null)[];
  results?: number[];
  incoming?: (number | null)[];
  saved?: SavedData[];
  /** saved tensors that a hook packed and that stay packed */
  packed?: string[];
  outgoing?: (number | null)[];
  slot?: number;
  target?: string;
  index?: number;
  before?: number | null;
  added?: number;
  after?: number | null;
  /** a custom engine did not add */
  no_sum?: boolean;
  names?: string[];
  hook?: string;
  message?: string;
  /** why it failed, in the interface's language */
  reason?: string;
}

/**
 * One step of a node: the events first..last (inclusive). The seed of a pass is a step of its
 * own, and so is each operation of a forward pass.
 */
export interface StepData {
  node: string;
  /** "MulBackward0" */
  title: string;
  first: number;
  last: number;
}

/** A group of operations that can be closed; closed frames never form a cycle. */
export interface FrameData {
  id: string;
  kind: FrameKind;
  name: string;
  /** the frame around it */
  parent: string | null;
}

/** The bytes that only the graph keeps: before the first step, and after each. */
export interface MemoryData {
  start: number;
  held: number[];
  /** the largest */
  pieces: MemoryPiece[];
  /** bytes that are kept but would live without the graph */
  own: number;
}

/** Pushes of numbers. Without answers, a live page asks the kernel. */
export interface NudgeData {
  sizes: number[];
  answers: NudgeAnswer[];
  /** of the program as it was */
  result?: number;
  /** why the program cannot be run again */
  refusal?: string;
}

/** Two steps side by side. */
export interface RowData {
  /** one for each pass; null if the pass has none of this kind */
  steps: (number | null)[];
  /** absent if both are the same; "one": only one of them has it */
  mark?: Mark;
  /** the difference as a short text */
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
  /** its letter in the rule */
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

export type FrameKind = "module" | "function" | "loop" | "iteration" | "line" | "repeat" | "part";

/** A piece of memory that nodes keep for their formulas, and the steps of its lifetime. */
export interface MemoryPiece {
  /** the variable, or the node's name for it */
  name: string;
  /** id of the first node that keeps it */
  node: string;
  bytes: number;
  /** -1: before the first step */
  born: number;
  /** absent: kept to the end */
  freed?: number;
}

/** How far the result goes if one number of a leaf is pushed. */
export interface NudgeAnswer {
  /** the leaf's */
  node: string;
  /** in row-major order */
  place: number;
  gradient: number;
  /** for the sizes, downwards from the largest and upwards to it */
  results: number[];
}

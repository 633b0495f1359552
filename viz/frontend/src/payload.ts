/**
 * What Python sends: the mirror of viz/minigrad_viz/stepper/payload.py, which says what each field means.
 *
 * Everything that the stepper shows comes from a `Payload`; nothing else in this folder talks to
 * Python.
 */

export type NodeKind = "function" | "accumulate" | "leaf" | "root" | "saved";
export type EdgeKind = "next" | "leaf" | "saved" | "root";
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

/**
 * One number of a tensor: JSON has no NaN and no infinity, so these travel as "nan", "inf" and
 * "-inf".
 */
export type Cell = number | string | boolean;

export interface SummaryData {
  min: number;
  max: number;
  norm: number;
  nonfinite: number;
}

export interface ValueData {
  shape: number[];
  dtype: string;
  data?: Cell[];
  summary?: SummaryData;
}

export interface LineData {
  file: number;
  line: number;
}

export interface FileData {
  name: string;
  first: number;
  lines: string[];
}

export interface NodeData {
  id: string;
  kind: NodeKind;
  name: string;
  label: string;
  shape?: number[];
  dtype?: string;
  rule?: string;
  rule_text?: string;
  line?: LineData;
  value?: number;
  gradient?: number | null;
  version?: number;
  cluster?: string;
  owner?: string;
}

export interface ClusterData {
  id: string;
  name: string;
  parent: string | null;
  size: number;
  svg?: string;
}

export interface EdgeData {
  id: string;
  kind: EdgeKind;
  source: string;
  target: string;
  slot?: number;
  index?: number;
}

export interface SavedData {
  name: string;
  value: number;
  expected: number;
  version: number;
  node?: string;
}

export interface EventData {
  kind: EventKind;
  node: string;
  step: number;
  caption: string;
  inputs?: (number | null)[];
  results?: number[];
  incoming?: (number | null)[];
  saved?: SavedData[];
  outgoing?: (number | null)[];
  slot?: number;
  target?: string;
  index?: number;
  before?: number | null;
  added?: number;
  after?: number | null;
  names?: string[];
  hook?: string;
  message?: string;
  reason?: string;
}

export interface StepData {
  node: string;
  title: string;
  first: number;
  last: number;
}

export interface Payload {
  version: 1;
  language: "en" | "zh";
  svg: string;
  nodes: NodeData[];
  edges: EdgeData[];
  values: ValueData[];
  files: FileData[];
  events: EventData[];
  steps: StepData[];
  clusters?: ClusterData[];
}

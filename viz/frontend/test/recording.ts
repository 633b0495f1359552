/**
 * y = x * x at 3 as events: the smallest recording with an accumulation and a freed tensor.
 */

import type { EventData, Payload } from "../src/payload";

const events: EventData[] = [
  { kind: "seed", node: "mul", step: 0, caption: "", index: 0, added: 0, after: 0 },
  {
    kind: "start",
    node: "mul",
    step: 1,
    caption: "",
    incoming: [0],
    saved: [{ name: "self", value: 1, expected: 0, version: 0, node: "saved" }],
  },
  { kind: "formula", node: "mul", step: 1, caption: "", outgoing: [1, 1] },
  { kind: "free", node: "mul", step: 1, caption: "", names: ["self"] },
  {
    kind: "accumulate",
    node: "mul",
    step: 1,
    caption: "",
    slot: 0,
    target: "acc",
    index: 0,
    before: null,
    added: 1,
    after: 1,
  },
  {
    kind: "accumulate",
    node: "mul",
    step: 1,
    caption: "",
    slot: 1,
    target: "acc",
    index: 0,
    before: 1,
    added: 1,
    after: 2,
  },
  { kind: "start", node: "acc", step: 2, caption: "", incoming: [2], saved: [] },
  { kind: "leaf_gradient", node: "acc", step: 2, caption: "", before: null, added: 2, after: 2 },
];

export const twice: Payload = {
  version: 1,
  language: "en",
  nodes: [
    { id: "y", kind: "root", name: "y", label: "y" },
    { id: "mul", kind: "function", name: "MulBackward0", label: "MulBackward0" },
    { id: "acc", kind: "accumulate", name: "AccumulateGrad", label: "AccumulateGrad" },
    { id: "x", kind: "leaf", name: "x", label: "x", owner: "acc" },
    { id: "saved", kind: "saved", name: "self", label: "self", owner: "mul" },
  ],
  edges: [
    { id: "e0", kind: "root", source: "y", target: "mul" },
    { id: "e1", kind: "next", source: "mul", target: "acc", slot: 0, index: 0 },
    { id: "e2", kind: "next", source: "mul", target: "acc", slot: 1, index: 0 },
    { id: "e3", kind: "leaf", source: "acc", target: "x" },
    { id: "e4", kind: "saved", source: "mul", target: "saved" },
  ],
  values: [1, 3, 6].map((x) => ({ shape: [], dtype: "float32", data: [x] })),
  files: [],
  events,
  steps: [
    { node: "mul", title: "seed", first: 0, last: 0 },
    { node: "mul", title: "MulBackward0", first: 1, last: 5 },
    { node: "acc", title: "AccumulateGrad", first: 6, last: 7 },
  ],
};

/** The same with its forward pass: x * x, then the seed and the backward pass. */
export const withForward: Payload = {
  ...twice,
  events: [
    { kind: "forward", node: "mul", step: 0, caption: "", inputs: [1, 1] },
    { kind: "result", node: "mul", step: 0, caption: "", results: [2] },
    ...twice.events.map((event) => ({ ...event, step: event.step + 1 })),
  ],
  steps: [
    { node: "mul", title: "mul", first: 0, last: 1 },
    ...twice.steps.map((step) => ({ ...step, first: step.first + 2, last: step.last + 2 })),
  ],
};

/** The same backward a second time over a kept graph. */
export function again(payload: Payload): Payload {
  const steps = payload.steps.length;
  const offset = payload.events.length;
  return {
    ...payload,
    events: [...payload.events, ...payload.events.map((e) => ({ ...e, step: e.step + steps }))],
    steps: [
      ...payload.steps,
      ...payload.steps.map((s) => ({ ...s, first: s.first + offset, last: s.last + offset })),
    ],
  };
}

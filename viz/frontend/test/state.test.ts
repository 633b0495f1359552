import { describe, expect, it } from "vitest";
import { indexPayload, nameOf, stateAt } from "../src/state";
import type { EventData } from "../src/payload";
import { again, twice, withForward } from "./recording";

const index = indexPayload(twice);
const phases = (at: number): Record<string, string> =>
  Object.fromEntries(stateAt(index, at).phases);
const ids = (noted: Iterable<[string, unknown]>): string[] => [...noted].map(([id]) => id);

describe("phases", () => {
  it("the seed makes only the root's node ready", () => {
    expect(phases(0)).toEqual({
      y: "current",
      mul: "ready",
      acc: "waiting",
      x: "waiting",
      saved: "waiting",
    });
  });
  it("a node is current during its step, then done", () => {
    expect(phases(1)).toMatchObject({ y: "done", mul: "current", acc: "waiting" });
    expect(phases(5)).toMatchObject({ mul: "current", acc: "ready" });
    expect(phases(6)).toMatchObject({ mul: "done", acc: "current", x: "waiting" });
    expect(phases(7)).toMatchObject({ acc: "current", x: "done" });
  });
  it("a node that fails is not done", () => {
    const failed = indexPayload({
      ...twice,
      events: [
        ...twice.events.slice(0, 2),
        { kind: "error", node: "mul", step: 1, caption: "", message: "no" },
      ],
    });
    const state = stateAt(failed, 2);
    expect(state.phases.get("mul")).toBe("error");
    expect(state.current.error).toBe("no");
  });
});

describe("buffers", () => {
  it("arriving gradients are summed and counted", () => {
    expect(stateAt(index, 4).buffers.get("acc:0")).toMatchObject({ value: 1, arrivals: 1 });
    expect(stateAt(index, 5).buffers.get("acc:0")).toMatchObject({ value: 2, arrivals: 2 });
    expect(index.expected.get("0/acc:0")).toBe(2);
  });
  it("a node that starts empties its buffers", () => {
    expect([...stateAt(index, 0).buffers.keys()]).toEqual(["mul:0"]);
    expect(stateAt(index, 1).buffers.size).toBe(0);
    expect(stateAt(index, 6).buffers.size).toBe(0);
  });
  it("a leaf's .grad changes only when written", () => {
    expect(stateAt(index, 6).gradients.get("acc")).toBeNull();
    expect(stateAt(index, 7).gradients.get("acc")).toBe(2);
  });
});

describe("the current step", () => {
  it("fills up event by event", () => {
    expect(stateAt(index, 1).current).toMatchObject({ incoming: [0], outgoing: null });
    expect(stateAt(index, 2).current.outgoing).toEqual([1, 1]);
    expect(stateAt(index, 4).current.sent.get(0)).toMatchObject({
      before: null,
      added: 1,
      after: 1,
    });
    expect(stateAt(index, 5).current.sent.get(1)).toMatchObject({ before: 1, added: 1, after: 2 });
    expect(stateAt(index, 7).current.leaf).toMatchObject({ before: null, added: 2, after: 2 });
    expect(stateAt(index, 7).current.leaf?.addsUp).toBe(true);
  });
  it("a reduced gradient replaces the wide one", () => {
    const reduce: EventData = {
      kind: "reduce",
      node: "mul",
      step: 1,
      caption: "",
      index: 1,
      before: 1,
      after: 0,
    };
    const events = [...twice.events.slice(0, 3), reduce];
    const { current } = stateAt(indexPayload({ ...twice, events }), 3);
    expect(current.outgoing).toEqual([1, 0]);
    expect(current.reduced).toEqual(new Map([[1, 1]]));
  });
});

describe("edges and saved tensors", () => {
  it("an edge with a gradient is carried", () => {
    expect(ids(stateAt(index, 3).carried)).toEqual(["e0"]);
    expect(ids(stateAt(index, 7).carried)).toEqual(["e0", "e1", "e2", "e3"]);
  });
  it("freeing marks the node and its saved tensors", () => {
    expect(ids(stateAt(index, 2).freed)).toEqual([]);
    expect(ids(stateAt(index, 3).freed)).toEqual(["mul", "saved"]);
  });
  it("node mode frees tensors after their step", () => {
    expect(ids(stateAt(index, 5, "node").freed)).toEqual([]);
    expect(stateAt(index, 5, "node").current.freed).toEqual(["self"]);
    expect(ids(stateAt(index, 7, "node").freed)).toEqual(["mul", "saved"]);
  });
  it("tensors freed by an earlier pass stay freed", () => {
    const second = indexPayload({
      ...twice,
      events: [...twice.events, ...twice.events.map((e) => ({ ...e, step: e.step + 3 }))],
    });
    expect(ids(stateAt(second, 13, "node").freed)).toEqual(["mul", "saved"]);
  });
  it("packed tensors are separate from saved ones", () => {
    const packed = indexPayload({
      ...twice,
      events: twice.events.map((e) =>
        e.kind === "start" && e.node === "mul" ? { ...e, saved: [], packed: ["self"] } : e,
      ),
    });
    expect(stateAt(packed, 1).current).toMatchObject({ saved: [], packed: ["self"] });
  });
});

describe("several backward passes", () => {
  const both = indexPayload(again(twice));
  it("the second keeps .grad and freed tensors", () => {
    const state = stateAt(both, 8);
    expect(state.pass).toBe(1);
    expect(state.phases.get("acc")).toBe("waiting");
    expect(ids(state.carried)).toEqual(["e0"]);
    expect(state.gradients.get("acc")).toBe(2);
    expect(state.freed.has("mul")).toBe(true);
  });
});

it("a state depends on the event's number alone", () => {
  const forwards = twice.events.map((_, k) => stateAt(index, k));
  const backwards = [...twice.events.keys()].reverse().map((k) => stateAt(index, k));
  expect(backwards.reverse()).toEqual(forwards);
});

it("an AccumulateGrad is named with its leaf", () => {
  expect(nameOf(index, "acc")).toBe("AccumulateGrad (x)");
  expect(nameOf(index, "mul")).toBe("MulBackward0");
});

it("an empty recording is refused", () => {
  expect(() => stateAt(indexPayload({ ...twice, events: [] }), 0)).toThrow("empty");
});

describe("a long pass", () => {
  it("stored states equal states folded from the start", () => {
    const count = 1500;
    const events = Array.from({ length: count }, (_, i) =>
      twice.events.map((event) => ({ ...event, step: event.step + 3 * i })),
    ).flat();
    const long = indexPayload({ ...twice, events });
    const end = events.length - 1;
    // Around the stored states, in any order.
    for (const at of [end, 4097, 0, 4096, 4095, 4094, 9000, 8192, 8191, end - 1, 5, end])
      for (const mode of ["node", "detail"] as const)
        expect(stateAt(long, at, mode)).toEqual(stateAt(indexPayload(long.payload), at, mode));
    expect(long.stored.map(({ events }) => events)).toEqual([0, 2048, 4096, 6144, 8192, 10240]);
  });
});

describe("the forward pass", () => {
  it("builds a node and every node below it", () => {
    const built = indexPayload({
      ...withForward,
      nodes: [...twice.nodes, { id: "later", kind: "function", name: "", label: "" }],
    });
    const at = stateAt(built, 0);
    expect(Object.fromEntries(at.phases)).toEqual({
      y: "waiting",
      mul: "current",
      acc: "waiting",
      x: "waiting",
      saved: "waiting",
      later: "unbuilt",
    });
    expect(at.current.computed).toEqual({ inputs: [1, 1], results: null });
  });
  it("does not change the states after the seed", () => {
    const both = indexPayload(withForward);
    for (const [k] of twice.events.entries()) {
      const { phases, buffers, gradients } = stateAt(both, k + 2);
      const alone = stateAt(index, k);
      expect(phases).toEqual(alone.phases);
      expect(buffers).toEqual(alone.buffers);
      expect(gradients).toEqual(alone.gradients);
    }
  });
});

describe("names of nodes", () => {
  it("step titles distinguish nodes of one name", () => {
    const steps = twice.steps.map((s, i) => (i === 1 ? { ...s, title: "MulBackward0 (y)" } : s));
    const named = indexPayload({ ...twice, steps });
    expect(nameOf(named, "mul")).toBe("MulBackward0 (y)");
    expect(nameOf(named, "acc")).toBe("AccumulateGrad (x)");
    expect(nameOf(named, "saved")).toBe("self");
  });
});

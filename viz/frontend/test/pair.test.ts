import { describe, expect, test } from "vitest";
import { placesOf } from "../src/pair";
import type { RowData } from "../src/payload";
import { indexPayload, stateAt } from "../src/state";
import { twice } from "./recording";

/** Rows for two passes with `one` and `other` steps. */
const rows = (one: number, other: number): RowData[] =>
  Array.from({ length: Math.max(one, other) }, (_, step) => ({
    steps: [one, other].map((count) => (step < count ? step : null)),
  }));

const first = { ...twice, steps: twice.steps.map((s) => ({ ...s, last: s.first })) };
const shorter = { ...twice, steps: twice.steps.slice(0, 2) };

describe("two passes side by side", () => {
  test("node mode stops at the end of each row", () => {
    const ends = [
      [0, Infinity],
      [1, Infinity],
      [2, Infinity],
    ];
    expect(placesOf([twice, twice], rows(3, 3), "node")).toEqual(ends);
    expect(placesOf([shorter, twice], rows(2, 3), "node")).toEqual(ends);
    expect(placesOf([shorter, shorter], rows(2, 2), "node")).toEqual(ends.slice(0, 2));
  });

  test("detail mode stops at events of the longer step", () => {
    const all = [
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 4],
      [2, 0],
      [2, 1],
    ];
    expect(placesOf([first, twice], rows(3, 3), "detail")).toEqual(all);
    expect(placesOf([twice, shorter], rows(3, 2), "detail")).toEqual(all);
  });

  test("rows with one step have stops", () => {
    const apart = [{ steps: [0, 0] }, { steps: [null, 1] }, { steps: [1, null] }];
    expect(placesOf([first, twice], apart, "detail").map(([row]) => row)).toEqual([
      0, 1, 1, 1, 1, 1, 2,
    ]);
  });
});

test("a sum that does not add up is marked", () => {
  const events = twice.events.map((e) => (e.kind === "accumulate" ? { ...e, no_sum: true } : e));
  const { current } = stateAt(indexPayload({ ...twice, events }), 5);
  expect(current.sent.get(1)?.addsUp).toBe(false);
});

test("a node that runs again is current again", () => {
  const [seed, start, , , give, again] = twice.events;
  const events = [
    seed,
    start,
    { ...give, step: 1 },
    { kind: "start", node: "acc", step: 2, caption: "", incoming: [1], saved: [] },
    { ...again, step: 3 },
  ] as typeof twice.events;
  const steps = [0, 1, 3, 4].map((first, i) => ({
    node: i === 2 ? "acc" : "mul",
    title: "",
    first,
    last: i === 1 ? 2 : first,
  }));
  const state = stateAt(indexPayload({ ...twice, events, steps }), 4);
  expect(state.phases.get("mul")).toBe("current");
  expect(state.phases.get("acc")).toBe("done");
});

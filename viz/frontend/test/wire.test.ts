import { describe, expect, it } from "vitest";
import type { Payload } from "../src/payload";
import { rawNumbers, unpack } from "../src/wire";
import table from "./wire.json";

// tests/viz/stepper/test_wire.py holds Python to the same table.
it.each(table)("$payload arrives as it was", ({ payload, sent }) => {
  const arrived = unpack({ ...sent, events: [], values: [] } as unknown as Payload);
  expect({ ...arrived }).toEqual({ ...payload, events: [], values: [] });
});

describe("a sentence", () => {
  const caption = "It gives \ue0000\ue001.";
  const events = [{ kind: "formula", node: "n1", step: 0, caption }];

  it("names the numbers of its value", () => {
    const values = [{ shape: [2], dtype: "float32", data: [0.5, -1] }];
    const payload = unpack({ events, values } as unknown as Payload);
    expect(payload.events[0]?.caption).toBe("It gives [0.5, -1.0].");
  });
});

it("numbers of float32 are not written out before they are read", () => {
  const values = table[1]?.sent.data;
  const payload = unpack({ events: [], values } as unknown as Payload);
  const [first, second] = payload.values;
  expect(first && rawNumbers(first)).toEqual(new Float32Array([0, 0]));
  expect(second?.data).toEqual([0.1, -0.2]);
});

import { describe, expect, it } from "vitest";
import { moved, stepOfNode, stopOf, stops } from "../src/moves";
import { twice } from "./recording";

const whole = stops(twice.steps, twice.events.length, "node");
const detail = stops(twice.steps, twice.events.length, "detail");

describe("stops", () => {
  it("whole nodes: the last event of each turn", () => expect(whole).toEqual([0, 5, 7]));
  it("detail: every event", () => expect(detail).toEqual([0, 1, 2, 3, 4, 5, 6, 7]));
  it("between two stops it is the next one that counts", () => {
    expect([0, 1, 5, 6, 7].map((at) => stopOf(whole, at))).toEqual([0, 1, 1, 2, 2]);
  });
});

describe("moves", () => {
  it("go to both ends and stay there", () => {
    expect(moved(whole, 5, "first")).toBe(0);
    expect(moved(whole, 0, "previous")).toBe(0);
    expect(moved(whole, 0, "last")).toBe(7);
    expect(moved(whole, 7, "next")).toBe(7);
  });
  it("next and previous undo each other", () => {
    for (const at of detail.slice(0, -1))
      expect(moved(detail, moved(detail, at, "next"), "previous")).toBe(at);
  });
  it("from inside a turn, next finishes it and previous leaves it", () => {
    expect(moved(whole, 3, "next")).toBe(5);
    expect(moved(whole, 3, "previous")).toBe(0);
  });
});

it("clicking a node leads to its next turn, then around", () => {
  expect(stepOfNode(twice.steps, "mul", -1)).toBe(0);
  expect(stepOfNode(twice.steps, "mul", 0)).toBe(1);
  expect(stepOfNode(twice.steps, "mul", 1)).toBe(0);
  expect(stepOfNode(twice.steps, "saved", 0)).toBeUndefined();
});

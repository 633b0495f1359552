import { describe, expect, it } from "vitest";
import { eventAfter, stepOfNode, stopOf, stops } from "../src/moves";
import { twice } from "./recording";

const whole = stops(twice.steps, twice.events.length, "node");
const detail = stops(twice.steps, twice.events.length, "detail");

describe("stops", () => {
  it("node mode: the last event of each step", () => expect(whole).toEqual([0, 5, 7]));
  it("detail mode: every event", () => expect(detail).toEqual([0, 1, 2, 3, 4, 5, 6, 7]));
  it("an event between stops counts to the next", () => {
    expect([0, 1, 5, 6, 7].map((at) => stopOf(whole, at))).toEqual([0, 1, 1, 2, 2]);
  });
});

describe("moves", () => {
  it("stay at both ends", () => {
    expect(eventAfter(whole, 5, "first")).toBe(0);
    expect(eventAfter(whole, 0, "previous")).toBe(0);
    expect(eventAfter(whole, 0, "last")).toBe(7);
    expect(eventAfter(whole, 7, "next")).toBe(7);
  });
  it("next and previous undo each other", () => {
    for (const at of detail.slice(0, -1))
      expect(eventAfter(detail, eventAfter(detail, at, "next"), "previous")).toBe(at);
  });
  it("inside a step, next finishes, previous leaves it", () => {
    expect(eventAfter(whole, 3, "next")).toBe(5);
    expect(eventAfter(whole, 3, "previous")).toBe(0);
  });
});

it("a click cycles through a node's steps", () => {
  expect(stepOfNode(twice.steps, "mul", -1)).toBe(0);
  expect(stepOfNode(twice.steps, "mul", 0)).toBe(1);
  expect(stepOfNode(twice.steps, "mul", 1)).toBe(0);
  expect(stepOfNode(twice.steps, "saved", 0)).toBeUndefined();
});

import { describe, expect, it } from "vitest";
import { isRight, numbersIn, questionAt } from "../src/predict";
import { indexPayload, stateAt } from "../src/state";
import { twice, withForward } from "./recording";

const index = indexPayload(twice);

describe("questions", () => {
  it("no question before the result of a step", () => {
    expect(questionAt(index, 0)).toBeNull(); // the seed
    expect(questionAt(index, 1)).toBeNull(); // incoming gradients are shown
  });
  it("after the formula: every outgoing gradient", () => {
    const blanks = [
      { slot: 0, target: "acc", value: 1 },
      { slot: 1, target: "acc", value: 1 },
    ];
    expect(questionAt(index, 2)).toEqual({ step: 1, shown: 1, forward: false, blanks });
    expect(questionAt(index, 5)).toEqual(questionAt(index, 2));
  });
  it("at a leaf: its .grad", () => {
    const blanks = [{ slot: null, target: "acc", value: 2 }];
    expect(questionAt(index, 7)).toEqual({ step: 2, shown: 6, forward: false, blanks });
  });
  it("in the forward pass: an operation's results", () => {
    const forward = indexPayload(withForward);
    const blanks = [{ slot: 0, target: "mul", value: 2 }];
    expect(questionAt(forward, 0)).toBeNull();
    expect(questionAt(forward, 1)).toEqual({ step: 0, shown: 0, forward: true, blanks });
    expect(stateAt(forward, 0).current.computed).toEqual({ inputs: [1, 1], results: null });
    expect(stateAt(forward, 1).current.computed).toEqual({ inputs: [1, 1], results: [2] });
  });
});

describe("numbers in an answer", () => {
  it.each([
    ["6", [6]],
    ["[1, -2.5]", [1, -2.5]],
    ["1/3 .5", [1 / 3, 0.5]],
    ["−1e-3", [-0.001]],
    ["nan -inf", [NaN, -Infinity]],
    ["no idea", []],
  ])("%s", (text, numbers) => expect(numbersIn(text)).toEqual(numbers));
});

describe("verdicts", () => {
  const value = { shape: [3], dtype: "float32", data: [0.26614, -0.11794, 0.00269] };
  it.each([
    ["0.266 -0.118 0.003", true],
    ["[0.266, -0.118, 0]", false],
    ["0.266 0.118 0.003", false],
    ["0.266 -0.118", false],
    ["", false],
  ])("%s: %s", (answer, right) => expect(isRight(answer, value)).toBe(right));

  it("NaN and inf are different answers", () => {
    const odd = { shape: [2], dtype: "float32", data: ["nan", "inf"] };
    expect(isRight("nan inf", odd)).toBe(true);
    expect(isRight("inf nan", odd)).toBe(false);
  });
  it("for a large tensor, the shape counts", () => {
    const large = { shape: [64, 10], dtype: "float32" };
    expect(isRight("64 x 10", large)).toBe(true);
    expect(isRight("10, 64", large)).toBe(false);
  });
});

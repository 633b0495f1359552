import { describe, expect, it } from "vitest";
import { isRight, numbersIn, questionAt } from "../src/predict";
import { indexPayload, stateAt } from "../src/state";
import { twice, withForward } from "./recording";

const index = indexPayload(twice);

describe("what is asked", () => {
  it("nothing before a turn has a result", () => {
    expect(questionAt(index, 0)).toBeNull(); // the seed
    expect(questionAt(index, 1)).toBeNull(); // what comes in may be seen
  });
  it("from the formula on, everything that leaves the node", () => {
    const asked = [
      { slot: 0, target: "acc", value: 1 },
      { slot: 1, target: "acc", value: 1 },
    ];
    expect(questionAt(index, 2)).toEqual({ step: 1, shown: 1, forward: false, asked });
    expect(questionAt(index, 5)).toEqual(questionAt(index, 2));
  });
  it("at a leaf, what .grad becomes", () => {
    const asked = [{ slot: null, target: "acc", value: 2 }];
    expect(questionAt(index, 7)).toEqual({ step: 2, shown: 6, forward: false, asked });
  });
  it("in the forward pass, what an operation gives, once it is seen what it takes", () => {
    const forward = indexPayload(withForward);
    const asked = [{ slot: 0, target: "mul", value: 2 }];
    expect(questionAt(forward, 0)).toBeNull();
    expect(questionAt(forward, 1)).toEqual({ step: 0, shown: 0, forward: true, asked });
    expect(stateAt(forward, 0).turn.computed).toEqual({ inputs: [1, 1], results: null });
    expect(stateAt(forward, 1).turn.computed).toEqual({ inputs: [1, 1], results: [2] });
  });
});

describe("numbers as people write them", () => {
  it.each([
    ["6", [6]],
    ["[1, -2.5]", [1, -2.5]],
    ["1/3 .5", [1 / 3, 0.5]],
    ["−1e-3", [-0.001]],
    ["nan -inf", [NaN, -Infinity]],
    ["no idea", []],
  ])("%s", (text, numbers) => expect(numbersIn(text)).toEqual(numbers));
});

describe("right and wrong", () => {
  const value = { shape: [3], dtype: "float32", data: [0.26614, -0.11794, 0.00269] };
  it.each([
    ["0.266 -0.118 0.003", true],
    ["[0.266, -0.118, 0]", false],
    ["0.266 0.118 0.003", false],
    ["0.266 -0.118", false],
    ["", false],
  ])("%s: %s", (answer, right) => expect(isRight(answer, value)).toBe(right));

  it("no number stands for another that is not one", () => {
    const odd = { shape: [2], dtype: "float32", data: ["nan", "inf"] };
    expect(isRight("nan inf", odd)).toBe(true);
    expect(isRight("inf nan", odd)).toBe(false);
  });
  it("of a large tensor the shape is asked", () => {
    const large = { shape: [64, 10], dtype: "float32" };
    expect(isRight("64 x 10", large)).toBe(true);
    expect(isRight("10, 64", large)).toBe(false);
  });
});

import { expect, it } from "vitest";
import { formatInline, formatNumber, formatShape, formatter, summarize } from "../src/numbers";

it.each([
  [3, "3"],
  [0.5, "0.5"],
  [0.10000000149011612, "0.1"], // float32 on its way through JSON
  [1 / 3, "0.3333"],
  [-2.5, "−2.5"],
  [-0, "0"],
  [1e-5, "1.00e−05"],
  [12345678, "12345678"],
  [12345678.5, "1.23e+07"],
  ["nan", "nan"],
  ["-inf", "−inf"],
  [true, "True"],
])("%s is written %s", (cell, text) => expect(formatNumber(cell)).toBe(text));

it("all cells of a tensor have the same decimals", () => {
  const cells = [1, 0.25, -1e-9, "inf"];
  expect(cells.map(formatter(cells))).toEqual(["1.00", "0.25", "0.00", "inf"]);
});

it("shapes as PyTorch writes them", () => {
  expect(formatShape([5, 3], "scalar")).toBe("[5, 3]");
  expect(formatShape([], "scalar")).toBe("scalar");
});

it("few numbers are listed, many become a norm", () => {
  expect(formatInline({ shape: [2, 2], dtype: "float32", data: [1, 2, 3, 4] })).toBe(
    "[[1, 2], [3, 4]]",
  );
  expect(formatInline({ shape: [], dtype: "float32", data: [6] })).toBe("6");
  expect(formatInline({ shape: [0], dtype: "float32", data: [] })).toBe("[]");
  expect(formatInline({ shape: [9], dtype: "float32", data: Array<number>(9).fill(1) })).toBe(
    "‖·‖ = 3",
  );
});

it("a summary counts numbers that are not finite", () => {
  expect(summarize({ shape: [4], dtype: "float32", data: [3, -4, "nan", "inf"] })).toEqual({
    min: -4,
    max: 3,
    norm: 5,
    nonfinite: 2,
  });
});

it("a large tensor without finite numbers is summarized", () => {
  const summary = { min: "nan", max: "nan", norm: "nan", nonfinite: 2000 };
  const value = { shape: [2000], dtype: "float32", summary };
  expect(summarize(value)).toEqual({ min: NaN, max: NaN, norm: NaN, nonfinite: 2000 });
  expect(formatInline(value)).toBe("‖·‖ = nan");
  expect(formatInline({ ...value, summary: { ...summary, norm: "inf" } })).toBe("‖·‖ = inf");
});

import { expect, it } from "vitest";
import { tokens } from "../src/python";

const kinds = (source: string): string[] =>
  [...tokens(source)].filter((t) => t.kind).map((t) => `${t.kind}:${t.text}`);

it("tokens contain the whole source", () => {
  const source = `def f(x):\n    """doc\n    'more'"""\n    return x ** 2.5e-3  # "why"\n`;
  expect([...tokens(source)].map((t) => t.text).join("")).toBe(source);
});

it("keywords in names, strings and comments are ignored", () => {
  expect(kinds("format = 'for' # if")).toEqual(["string:'for'", "comment:# if"]);
  expect(kinds("if x1: y = 10")).toEqual(["keyword:if", "number:10"]);
});

it("an unfinished string ends with its line", () => {
  expect(kinds("a = 'b\nfor")).toEqual(["string:'b", "keyword:for"]);
});

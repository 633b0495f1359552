/**
 * Highlight Python source: one regular expression, enough for the cells of a lesson.
 *
 * Strings of three quotes may run over lines, so the text is read as a whole and then cut into
 * lines.
 */

import { h } from "./dom";

const KEYWORDS =
  "and as assert async await break class continue def del elif else except False finally for " +
  "from global if import in is lambda None nonlocal not or pass raise return True try while with " +
  "yield";

// An unclosed string ends with its line, a triple-quoted one with the text.
const STRINGS = [
  /"""[^]*?(?:"""|$)/,
  /'''[^]*?(?:'''|$)/,
  /"(?:\\.|[^"\\\n])*"?/,
  /'(?:\\.|[^'\\\n])*'?/,
];
const anyOf = (parts: RegExp[]): string => parts.map((part) => part.source).join("|");

const TOKENS = new RegExp(
  anyOf([
    /(?<comment>#[^\n]*)/,
    new RegExp(`(?<string>[rbfuRBFU]{0,2}(?:${anyOf(STRINGS)}))`),
    /(?<number>\b\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?\b)/,
    new RegExp(`\\b(?<keyword>${KEYWORDS.replaceAll(" ", "|")})\\b`),
    /[A-Za-z_]\w*/,
  ]),
  "g",
);

/** The pieces of each line: plain text, or a <span> whose class is the kind of token. */
export function highlight(lines: readonly string[]): (Node | string)[][] {
  const pieces: (Node | string)[][] = [[]];
  for (const { text, kind } of tokens(lines.join("\n"))) {
    for (const [i, part] of text.split("\n").entries()) {
      if (i > 0) pieces.push([]);
      if (part) pieces.at(-1)?.push(kind ? h("span", { class: kind }, part) : part);
    }
  }
  return pieces;
}

export function* tokens(source: string): Generator<{ text: string; kind: string }> {
  let end = 0;
  for (const match of source.matchAll(TOKENS)) {
    if (match.index > end) yield { text: source.slice(end, match.index), kind: "" };
    const kind =
      Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? "";
    yield { text: match[0], kind };
    end = match.index + match[0].length;
  }
  if (end < source.length) yield { text: source.slice(end), kind: "" };
}

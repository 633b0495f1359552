/**
 * The sizes of boxes. Texts are monospaced, so their widths are known before they are drawn, and the
 * layout does not depend on fonts.
 */

import { chipsIn, isFrame, linesIn, showsGradient, type Detail, type Part } from "./tree";

export interface Size {
  width: number;
  height: number;
}

/** Sizes of letters, in pixels at scale 1: no text is smaller. */
export const FONT = { title: 13, detail: 12 };

export const TITLE = 24; // the height of an open frame's title
export const ROW = 16; // of a line of text
export const CHIP = 19;
const ADVANCE = 0.61; // of a letter, in its size
const SIDE = 9; // between text and border
const MOST_CHIPS = 3; // in a row

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/;

/** The width of a text. */
export function textWidth(text: string, font: number): number {
  let columns = 0;
  for (const letter of text) columns += WIDE.test(letter) ? 2 : 1;
  return columns * ADVANCE * font;
}

export const chipWidth = (text: string): number => textWidth(text, FONT.detail) + 10;

/** The chips of a box in rows, with the left side of each in its row. */
export function chipRows(texts: readonly string[]): { x: number; row: number; width: number }[] {
  const found: { x: number; row: number; width: number }[] = [];
  let [x, row] = [0, 0];
  const perRow = Math.max(MOST_CHIPS, Math.ceil(Math.sqrt(texts.length)));
  for (const [n, text] of texts.entries()) {
    if (n && n % perRow === 0) [x, row] = [0, row + 1];
    const width = chipWidth(text);
    found.push({ x, row, width });
    x += width + 4;
  }
  return found;
}

export function sizeOf(part: Part, open: boolean, detail: Detail): Size {
  if (isFrame(part)) {
    const title = textWidth(part.name, FONT.title) + (open ? 34 : 24);
    if (open) return { width: title, height: TITLE };
    return { width: Math.max(title, 92), height: 2 * ROW + 8 };
  }
  const lines = linesIn(part, detail);
  const [title = "", ...details] = lines;
  const gradient = showsGradient(part, detail) ? part.gradient : "";
  const chips = chipRows(chipsIn(part, detail).map(({ text }) => text));
  const widths = [
    textWidth(title, FONT.title),
    ...details.map((line) => textWidth(line, FONT.detail)),
    ...chips.map(({ x, width }) => x + width),
    textWidth(gradient, FONT.detail),
  ];
  const rows = chips.length ? (chips.at(-1)?.row ?? 0) + 1 : 0;
  return {
    width: Math.ceil(Math.max(...widths) + 2 * SIDE),
    height: (lines.length + (gradient ? 1 : 0)) * ROW + 8 + rows * CHIP + (rows ? 3 : 0),
  };
}

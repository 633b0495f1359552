import { expect, it } from "vitest";
import { plainFormatter, shortest } from "../src/numbers";
import type { Cell } from "../src/payload";
import table from "./numbers.json";

// tests/viz/texts/test_numerals.py holds Python to the same table.
it.each(table as { cells: Cell[]; texts: string[]; float32?: number[] }[])(
  "$cells is written $texts",
  ({ cells, texts, float32 }) => {
    expect(cells.map(plainFormatter(cells))).toEqual(texts);
    if (!float32) return;
    const numbers = new Float32Array(Uint32Array.from(float32).buffer);
    expect(Array.from(numbers, shortest)).toEqual(cells);
  },
);

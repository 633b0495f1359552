/** Edges between one pair of nodes, as both edges of `x * x`: a line for each, side by side. */

import type { EdgeData } from "../payload";
import type { Point } from "./layers";

export interface Line {
  /** The edges that it shows. */
  edges: EdgeData[];
  points: Point[];
}

const GAP = 14; // pixels between two lines
const WIDEST = 40; // less than a box
const MOST = 5; // more edges share one line

/** How many lines show these edges. */
function lineCount(edges: readonly EdgeData[]): number {
  const [first] = edges;
  if (!first || edges.length > MOST) return 1;
  const alike = edges.every(
    ({ source, target }) => source === first.source && target === first.target,
  );
  return alike ? edges.length : 1;
}

/** How far apart the first and the last of these lines are. */
const spread = (count: number): number => Math.min((count - 1) * GAP, WIDEST);

/** How much wider these edges are than one line. */
export const spreadOf = (edges: readonly EdgeData[]): number => spread(lineCount(edges));

/** The line, or a line for each of its edges, from left to right. */
export function sideBySide(line: Line): Line[] {
  const count = lineCount(line.edges);
  if (count === 1) return [line];
  return line.edges.map((edge, n) => ({
    edges: [edge],
    points: moved(line.points, (n / (count - 1) - 0.5) * spread(count)),
  }));
}

/** A parallel line. Where a line leads down, it is `by` to the right; ends keep their height. */
function moved(line: readonly Point[], by: number): Point[] {
  const points = line.filter(({ x, y }, n) => x !== line[n - 1]?.x || y !== line[n - 1]?.y);
  return points.map((point, n) => {
    const to = { ...point };
    for (const [a = point, b = point] of [
      [points[n - 1], point],
      [point, points[n + 1]],
    ])
      if (a.y !== b.y) to.x = point.x + Math.sign(b.y - a.y) * by;
      else if (a.x !== b.x) to.y = point.y - Math.sign(b.x - a.x) * by;
    return to;
  });
}

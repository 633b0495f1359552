import { describe, expect, it } from "vitest";
import type { EdgeData, NodeData, Payload } from "../src/payload";
import { fitted, scaleIn } from "../src/stage/fit";
import { Layers, linkKey, type Item, type Link } from "../src/stage/layers";
import { openingOf, opening } from "../src/stage/opening";
import { sceneOf, type Placed, type Scene } from "../src/stage/scene";
import { treesOf } from "../src/stage/pieces";
import { isFrame } from "../src/stage/tree";
import { strings } from "../src/strings";
import { twice } from "./recording";

/** A chain of operations, each with a weight, in frames of `size`. */
function chain(count: number, size: number): Payload {
  const nodes: NodeData[] = [{ id: "y", kind: "root", name: "y", label: "y" }];
  const edges: EdgeData[] = [{ id: "r", kind: "root", source: "y", target: "n0" }];
  const frames = [];
  for (let n = 0; n < count; n++) {
    const frame = `f${Math.floor(n / size)}`;
    if (n % size === 0)
      frames.push({ id: frame, kind: "line" as const, name: frame, parent: null });
    const [id, acc, leaf] = [`n${n}`, `a${n}`, `w${n}`];
    nodes.push(
      { id, kind: "function", name: "MulBackward0", label: `MulBackward0\n[${n}]`, frame },
      { id: acc, kind: "accumulate", name: "AccumulateGrad", label: `AccumulateGrad\n${leaf}` },
      { id: leaf, kind: "leaf", name: leaf, label: `${leaf}\n[3]`, owner: acc },
    );
    const next = (k: number, target: string): EdgeData => ({
      id: `${id}${target}`,
      kind: "next",
      source: id,
      target,
      slot: k,
      index: 0,
    });
    edges.push(next(0, acc));
    if (n + 1 < count) edges.push(next(1, `n${n + 1}`));
  }
  return { ...twice, nodes, edges, frames };
}

const pairs = <T>(all: readonly T[]): [T, T][] =>
  all.flatMap((a, n) => all.slice(n + 1).map((b): [T, T] => [a, b]));

function overlap(a: Placed, b: Placed): boolean {
  const inside = (inner: Placed, outer: Placed): boolean =>
    outer.open &&
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height;
  if (inside(a, b) || inside(b, a)) return false;
  const [w, h] = [
    Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  ];
  return w > 0.01 && h > 0.01;
}

const overlaps = ({ placed }: Scene): [Placed, Placed][] =>
  pairs([...placed.values()]).filter(([a, b]) => overlap(a, b));

describe("layers", () => {
  const box = (id: string): Item => ({ id, width: 40, height: 20 });
  const link = (from: string, to: string): Link => ({ source: from, from, to });

  it("puts what gets a gradient below what sends it", () => {
    const links = [link("a", "b"), link("a", "c"), link("b", "d"), link("a", "d")];
    const { places, ways } = new Layers(["a", "b", "c", "d"].map(box), links).draw(1000);
    const y = (id: string): number => places.get(id)?.y ?? NaN;
    for (const { from, to } of links) expect(y(to)).toBeGreaterThan(y(from));
    for (const each of links) {
      const way = ways.get(linkKey(each)) ?? [];
      expect(way[0]?.y).toBe(y(each.from) + 20);
      expect(way.at(-1)?.y).toBe(y(each.to));
    }
  });

  it("goes on in the next column if the room is too low", () => {
    const ids = Array.from({ length: 12 }, (_, n) => `n${n}`);
    const links = ids.slice(1).map((id, n) => link(`n${n}`, id));
    const layers = new Layers(ids.map(box), links);
    expect(layers.draw(1000).columns).toBe(1);
    const { columns, height } = layers.draw(200);
    expect(columns).toBeGreaterThan(1);
    expect(height).toBeLessThan(260);
  });
});

describe("scenes", () => {
  const trees = treesOf(chain(24, 6), strings.en);
  const tree = trees("all");

  it("overlap nothing, with all frames closed, some open, or all", () => {
    const ids = [...tree.frames.keys()];
    for (let count = 0; count <= ids.length; count++) {
      const opened = openingOf(tree, new Set(ids.slice(0, count)), "all");
      for (const whole of [300, 2000])
        expect(overlaps(sceneOf(opened, { whole, inside: whole }))).toEqual([]);
    }
  });

  it("are the same whether a frame is opened now or was open before", () => {
    const frame = tree.frames.get("f1");
    if (!frame) throw new Error("no frame");
    const later = opening(openingOf(tree, new Set(), "all"), frame);
    const before = openingOf(tree, new Set(["f1"]), "all");
    expect([...later.bundles.keys()].sort()).toEqual([...before.bundles.keys()].sort());
  });

  it("have a line for each edge between two places", () => {
    const scene = sceneOf(openingOf(tree, new Set(), "all"), { whole: 900, inside: 900 });
    expect(scene.lines.length).toBe(1 + 3);
    for (const { points } of scene.lines) expect(points.length).toBeGreaterThan(1);
  });

  it("have a line for each edge of x * x, at a distance from each other", () => {
    const opened = openingOf(treesOf(twice, strings.en)("all"), new Set(), "all");
    const { lines, placed } = sceneOf(opened, { whole: 900, inside: 900 });
    const both = lines.filter(({ edges }) => edges[0]?.kind === "next");
    expect(both.map(({ edges }) => edges.map(({ id }) => id))).toEqual([["e1"], ["e2"]]);
    const ends = both.map(({ points }) => points.at(-1) ?? { x: NaN, y: NaN });
    const [box, [left, right]] = [placed.get("acc"), ends];
    expect(ends.map(({ y }) => y)).toEqual([box?.y, box?.y]);
    expect((right?.x ?? 0) - (left?.x ?? 0)).toBeGreaterThan(10);
    for (const { x } of ends)
      expect(Math.abs(x - (box?.x ?? 0) - (box?.width ?? 0) / 2)).toBeLessThan(20);
  });

  it("lead parallel edges into frames and columns without a crossing", () => {
    const payload = chain(24, 6);
    const doubled = payload.edges
      .filter(({ kind, slot }) => kind === "next" && slot === 1)
      .map((edge) => ({ ...edge, id: `${edge.id}again`, slot: 2 }));
    const twofold = treesOf(
      { ...payload, edges: [...payload.edges, ...doubled] },
      strings.en,
    )("all");
    for (const opened of [[], ["f1"], [...twofold.frames.keys()]]) {
      const scene = sceneOf(openingOf(twofold, new Set(opened), "all"), {
        whole: 300,
        inside: 300,
      });
      expect(overlaps(scene)).toEqual([]);
      const copies = scene.lines.filter(({ edges }) => edges[0]?.id.endsWith("again"));
      expect(copies.length).toBe([3, 3 + 5, 23][[0, 1, 4].indexOf(opened.length)]);
      for (const { edges, points } of copies) {
        const id = edges[0]?.id.replace("again", "");
        const other = scene.lines.find((line) => line.edges[0]?.id === id)?.points ?? [];
        expect(points.length).toBe(other.length);
        for (const [n, { x, y }] of points.entries()) {
          const [a, b] = [other[n] ?? { x, y }, other[n + 1] ?? { x: NaN, y: NaN }];
          // The same way, 14 pixels aside.
          expect(Math.max(Math.abs(a.x - x), Math.abs(a.y - y))).toBeCloseTo(14);
          // No corner lies on the other line.
          if (a.x === b.x) expect(x).not.toBe(a.x);
          if (a.y === b.y) expect(y).not.toBe(a.y);
        }
      }
    }
  });

  it("open what fits, and leave no frame closed that would fit", () => {
    const panes = [
      { width: 1000, height: 800 },
      { width: 640, height: 480 },
      { width: 560, height: 330 },
    ];
    for (const pane of panes) {
      const { scene, scale, opening: found } = fitted(trees, pane, 1);
      expect(scale).toBeGreaterThanOrEqual(1);
      expect(scaleIn(scene, pane, 1)).toBeGreaterThanOrEqual(1);
      const boxes = [...scene.placed.values()].filter(({ open }) => !open);
      expect(boxes.length).toBeGreaterThanOrEqual(pane.width < 600 ? 5 : 8);
      for (const { part } of boxes)
        if (isFrame(part)) expect(found.opened.has(part.id)).toBe(false);
    }
  }, 30_000); // it lays the graph out a hundred times
});

describe("boxes", () => {
  it("merge a leaf with its AccumulateGrad and keep saved tensors as chips", () => {
    const tree = treesOf(twice, strings.en)("all");
    expect([...tree.boxes.keys()]).toEqual(["y", "mul", "acc"]);
    expect(tree.boxOf.get("x")?.id).toBe("acc");
    expect(tree.boxes.get("mul")?.chips.map(({ text }) => text)).toEqual(["self"]);
  });
});

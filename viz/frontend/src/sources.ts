/**
 * The sources of a gradient's numbers at nodes that only move numbers: views, pieces, indexing and
 * writes. Looked up by the name of the node.
 */

import { toNumber } from "./numbers";
import type { Goes, One, Source } from "./one";
import type { ValueData } from "./payload";
import { narrow, places, ravel, sizeOf, spread, unravel, type Place } from "./places";
import { element } from "./terms";

/** Numbers of the incoming gradients that add up to this one; null if the node is not known. */
export function sourcesOf(one: One): Source[] | null {
  const sources = SOURCES[one.name];
  const goes = GOES[one.name];
  return sources ? sources(one) : goes ? one.findSources(goes(one)) : null;
}

const swapped = (p: number[], a: number, b: number): number[] => {
  [p[a], p[b]] = [p[b] as number, p[a] as number];
  return p;
};
const put = (p: number[], d: number, i: number): number[] => {
  p[d] = i;
  return p;
};
const insert = (p: number[], d: number, i: number): number[] => {
  p.splice(d, 0, i);
  return p;
};
const wrap = (i: number, n: number): number => ((i % n) + n) % n;

const reshaped = (one: One): Goes => {
  const { g, shape } = one;
  return (p) => unravel(ravel(p, g.shape), shape);
};

/** Moved to an index along one dimension. */
const picked = (one: One): Goes => {
  const [d = 0] = one.dims();
  const index = one.has("indices") ?? one.saved("index");
  const gone = index.shape.length < one.shape.length;
  return (p) => {
    const i = element(index, p);
    return gone ? insert(p, d, i) : put(p, d, i);
  };
};

/** Max pooling: the saved index counts over the last `count` dimensions as one. */
const pooled =
  (count: number) =>
  (one: One): Goes => {
    const index = one.saved("result1");
    const inner = one.shape.slice(-count);
    return (p) => [...p.slice(0, -count), ...unravel(element(index, p), inner)];
  };

/** Padding; `inside` maps an index outside the input to one inside. */
const padded =
  (name: string, inside: (i: number, n: number) => number) =>
  (one: One): Goes => {
    const pads = one.ints(name);
    return (p) => {
      const to = p.map((i, d) => {
        const left = pads[2 * (p.length - 1 - d)] ?? 0;
        return pads.length > 2 * (p.length - 1 - d) ? inside(i - left, one.shape[d] ?? 1) : i;
      });
      return to.every((i, d) => i >= 0 && i < (one.shape[d] ?? 1)) ? to : null;
    };
  };

const nearest = padded("padding", (i, n) => Math.min(Math.max(i, 0), n - 1));
const mirrored = padded("padding", (i, n) => (i < 0 ? -i : i < n ? i : 2 * (n - 1) - i));

/** Pieces along one dimension; `sizes` gives the start of each. */
const pieces =
  (sizes: (one: One) => (which: number) => number) =>
  (one: One): Goes => {
    const [d = 0] = one.dims();
    const begins = sizes(one);
    return (p, which) => put(p, d, (p[d] ?? 0) + begins(which));
  };
const before = (sizes: readonly number[], which: number): number =>
  sizes.slice(0, which).reduce((a, b) => a + b, 0);

/** The index of each dimension; a mask becomes the indices of its true elements. */
const indicesOf = (one: One): Map<number, ValueData> => {
  const found = new Map<number, ValueData>();
  let d = 0;
  for (let k = 0; d < Math.max(one.shape.length, one.g.shape.length); k++) {
    const index = one.has(`indices[${k}]`);
    if (index && /bool/.test(index.dtype)) {
      const chosen = places(index.shape).filter((p) => element(index, p));
      for (let j = 0; j < index.shape.length; j++)
        found.set(d++, {
          shape: [chosen.length],
          dtype: "int64",
          data: chosen.map((p) => p[j] ?? 0),
        });
    } else {
      if (index) found.set(d, index);
      d += 1;
    }
  }
  return found;
};

/** a[i, j]: the indexed dimensions are replaced by those of the indices. */
const indexed = (one: One, shape: Place): { goes: (p: Place) => number[]; result: number[] } => {
  const indices = indicesOf(one);
  const chosen = [...indices.keys()];
  const rank = Math.max(...[...indices.values()].map((index) => index.shape.length));
  const together = chosen.every((d, k) => d === (chosen[0] ?? 0) + k);
  const start = together ? (chosen[0] ?? 0) : 0;
  const common = Array.from({ length: rank }, (_, k) =>
    Math.max(...[...indices.values()].map((index) => index.shape.at(k - rank) ?? 1)),
  );
  const result = shape.filter((_, d) => !indices.has(d));
  result.splice(start, 0, ...common);
  const goes = (p: Place): number[] => {
    const [which, rest] = [p.slice(start, start + rank), [...p]];
    rest.splice(start, rank);
    return shape.map((n, d) => {
      const index = indices.get(d);
      return index
        ? wrap(element(index, narrow(which, index.shape, which, null)), n)
        : (rest.shift() ?? 0);
    });
  };
  return { goes, result };
};

const diagonal = (one: One): [number, number, number, number] => {
  const rank = Math.max(one.shape.length, one.g.shape.length);
  const [first = 0] = one.dims("dim1", rank);
  const [second = 1] = one.dims("dim2", rank);
  const offset = one.int("offset");
  return [first, second, Math.max(-offset, 0), Math.max(offset, 0)];
};

const onDiagonal = (one: One): Goes => {
  const [first, second, down, right] = diagonal(one);
  return (p) => {
    const i = p.pop() ?? 0;
    for (const d of [first, second].sort((a, b) => a - b)) insert(p, d, 0);
    return put(put(p, first, i + down), second, i + right);
  };
};

const offDiagonal = (one: One): Goes => {
  const [first, second, down, right] = diagonal(one);
  return (p) => {
    const [i, j] = [(p[first] ?? 0) - down, (p[second] ?? 0) - right];
    if (i !== j || i < 0) return null;
    return [...p.filter((_, d) => d !== first && d !== second), i];
  };
};

const triangle =
  (keeps: (below: number) => boolean) =>
  (one: One): Goes =>
  (p) =>
    keeps((p.at(-1) ?? 0) - (p.at(-2) ?? 0) - one.int("diagonal")) ? p : null;

const GOES: Record<string, (one: One) => Goes> = {
  ...Object.fromEntries(
    "ViewBackward0 UnsafeViewBackward0 ReshapeAliasBackward0 SqueezeBackward0 SqueezeBackward1 SqueezeBackward2 SqueezeBackward4 UnsqueezeBackward0"
      .split(" ")
      .map((name) => [name, reshaped]),
  ),
  ...Object.fromEntries(
    "MaxBackward0 MinBackward0 MedianBackward1 NanmedianBackward1 ModeBackward0 KthvalueBackward0 TopkBackward0 SortBackward0 SortBackward1 CummaxBackward0 CumminBackward0 GatherBackward0"
      .split(" ")
      .map((name) => [name, picked]),
  ),
  TBackward0: () => (p) => p.reverse(),
  TransposeBackward0: (one) => {
    const [a = 0] = one.dims("dim0");
    const [b = 0] = one.dims("dim1");
    return (p) => swapped(p, a, b);
  },
  PermuteBackward0: (one) => {
    const dims = one.dims("dims");
    return (p) => one.shape.map((_, d) => p[dims.indexOf(d)] ?? 0);
  },
  ExpandBackward0: (one) => (p) => narrow(p, one.shape, one.g.shape, null),
  RepeatBackward0: (one) => (p) =>
    one.shape.map((n, d) => (p[d + p.length - one.shape.length] ?? 0) % n),
  FlipBackward0: (one) => {
    const dims = one.dims("dims");
    return (p) => p.map((i, d) => (dims.includes(d) ? (one.shape[d] ?? 1) - 1 - i : i));
  },
  RollBackward0: (one) => {
    const [shifts, { shape }] = [one.ints("shifts"), one];
    if (!one.text("dims"))
      return (p) => unravel(wrap(ravel(p, shape) - (shifts[0] ?? 0), sizeOf(shape)), shape);
    const dims = one.dims("dims");
    return (p) =>
      p.map((i, d) =>
        dims.includes(d) ? wrap(i - (shifts[dims.indexOf(d)] ?? 0), shape[d] ?? 1) : i,
      );
  },
  TrilBackward0: triangle((below) => below <= 0),
  TriuBackward0: triangle((below) => below >= 0),
  DiagonalBackward0: onDiagonal,
  DiagonalBackward0_copy: onDiagonal,
  DiagEmbedBackward0: offDiagonal,
  SelectBackward0: (one) => {
    const [d = 0] = one.dims();
    return (p) => insert(p, d, wrap(one.int("index"), one.shape[d] ?? 1));
  },
  SliceBackward0: (one) => {
    const [d = 0] = one.dims();
    const n = one.shape[d] ?? 1;
    const start = one.int("start");
    const first = Math.max(0, start < 0 ? start + n : start);
    return (p) => put(p, d, first + (p[d] ?? 0) * one.int("step", 1));
  },
  CatBackward0: (one) => {
    const [d = 0] = one.dims();
    // If one piece takes no gradient, its size is the rest.
    const known = one.others.reduce((sum, other) => sum + (other?.shape[d] ?? 0), 0);
    const single = one.others.filter((other) => !other).length === 1;
    const rest = single ? (one.g.shape[d] ?? 0) - known : NaN;
    const sizes = one.others.map((other) => (other ? (other.shape[d] ?? 0) : rest));
    const begins = before(sizes, one.slot);
    return (p) => put(p, d, (p[d] ?? 0) - begins);
  },
  StackBackward0: (one) => {
    const [d = 0] = one.dims("dim", one.shape.length + 1);
    return (p) => (p.splice(d, 1)[0] === one.slot ? p : null);
  },
  SplitBackward0: pieces((one) => (which) => which * one.int("split_size")),
  UnsafeSplitBackward0: pieces((one) => (which) => which * one.int("split_size")),
  SplitWithSizesBackward0: pieces((one) => (which) => before(one.ints("split_sizes"), which)),
  UnbindBackward0: (one) => {
    const [d = 0] = one.dims();
    return (p, which) => insert(p, d, which);
  },
  ConstantPadNdBackward0: padded("pad", (i) => i),
  ReplicationPad1DBackward0: nearest,
  ReplicationPad2DBackward0: nearest,
  ReplicationPad3DBackward0: nearest,
  ReflectionPad1DBackward0: mirrored,
  ReflectionPad2DBackward0: mirrored,
  ReflectionPad3DBackward0: mirrored,
  IndexSelectBackward0: (one) => {
    const [d = 0] = one.dims();
    const index = one.saved("index");
    return (p) => put(p, d, toNumber(index.data?.[p[d] ?? 0] ?? NaN));
  },
  IndexBackward0: (one) => indexed(one, one.shape).goes,
  EmbeddingBackward0: (one) => {
    const index = one.saved("indices");
    return (p) => {
      const i = element(index, p.slice(0, -1));
      return i === one.int("padding_idx", -1) ? null : [i, p.at(-1) ?? 0];
    };
  },
  MaskedSelectBackward0: (one) => {
    const mask = one.saved("mask");
    const chosen = places(one.shape).filter((p) => one.number(mask, p).value);
    return (p) => chosen[p[0] ?? 0] ?? null;
  },
  MaxPool2DWithIndicesBackward0: pooled(2),
  AdaptiveMaxPool2DBackward0: pooled(2),
  MaxPool3DWithIndicesBackward0: pooled(3),
};

/** The target of a write along one dimension, read from the index. */
export const writeTarget = (one: One, shape: Place): ((p: Place) => Place) => {
  const index = one.saved("index");
  const [d = 0] = one.dims("dim", shape.length);
  const whole = index.shape.length === shape.length && shape.length > 1;
  return (p) => {
    const i = whole ? element(index, p) : toNumber(index.data?.[p[d] ?? 0] ?? NaN);
    return put([...p], d, i);
  };
};

/** Overwritten elements get no gradient; written ones get that of their target. */
const overwritten =
  (indexIsWhole: boolean) =>
  (one: One): Source[] => {
    const { g, at, slot } = one;
    const index = one.saved("index");
    const to = writeTarget(one, g.shape);
    if (slot === 1 && one.shape.length) return [[0, to(at)]];
    const shape = indexIsWhole
      ? index.shape
      : put([...g.shape], one.dims("dim", g.shape.length)[0] ?? 0, sizeOf(index.shape));
    const gone = new Set(places(shape).map((p) => ravel(to(p), g.shape)));
    if (slot === 1) return [...gone].map((flat) => [0, unravel(flat, g.shape)]);
    return gone.has(ravel(at, g.shape)) ? [] : [[0, at]];
  };

/** The places at which a mask passes the gradient on. */
const masked =
  (name: string, wants: (slot: number) => boolean) =>
  (one: One): Source[] => {
    const [mask, { g }] = [one.saved(name), one];
    return spread(one.at, one.shape, g.shape)
      .filter(
        (p) => Boolean(element(mask, narrow(p, mask.shape, g.shape, null))) === wants(one.slot),
      )
      .map((p): Source => [0, p]);
  };

/** The k-th element goes to the k-th place that the mask selects. */
const scattered = (one: One): Source[] => {
  const [mask, { g, at }] = [one.saved("mask"), one];
  const chosen = places(g.shape).filter((p) => element(mask, narrow(p, mask.shape, g.shape, null)));
  if (one.slot === 0) return chosen.some((p) => p.every((i, d) => i === at[d])) ? [] : [[0, at]];
  const k = ravel(at, one.shape);
  return chosen[k] ? [[0, chosen[k]]] : [];
};

/** index_put: the values get the gradient at their targets, overwritten elements none. */
const putInto = (one: One): Source[] => {
  const { g, at, shape, slot } = one;
  const { goes, result } = indexed(one, g.shape);
  if (slot === 1) return spread(at, shape, result).map((p) => [0, goes(p)]);
  const adds = one.text("accumulate") === "True";
  const gone = !adds && places(result).some((p) => goes(p).every((i, d) => i === at[d]));
  return gone ? [] : [[0, at]];
};

const SOURCES: Record<string, (one: One) => Source[]> = {
  TraceBackward0: ({ at }) => (at[0] === at[1] ? [[0, []]] : []),
  ScatterBackward0: overwritten(true),
  ScatterBackward1: overwritten(true),
  ScatterAddBackward0: (one) => [[0, one.slot ? writeTarget(one, one.shape)(one.at) : one.at]],
  IndexCopyBackward0: overwritten(false),
  IndexFillBackward0: overwritten(false),
  IndexFillBackward1: overwritten(false),
  IndexPutBackward0: putInto,
  MaskedScatterBackward0: scattered,
  NanToNumBackward0: (one) =>
    Number.isFinite(element(one.saved("self"), one.at)) ? [[0, one.at]] : [],
  AsStridedBackward0: (one) => {
    const [size, stride, offset] = [
      one.ints("size"),
      one.ints("stride"),
      one.int("storage_offset"),
    ];
    return places(size)
      .filter((p) => {
        const flat = p.reduce((sum, i, d) => sum + i * (stride[d] ?? 0), offset);
        return flat === ravel(one.at, one.shape);
      })
      .map((p): Source => [0, p]);
  },
  MaskedFillBackward0: masked("mask", () => false),
  MaskedFillBackward1: masked("mask", (slot) => slot === 1),
  WhereBackward0: masked("condition", (slot) => slot === 0),
};

/**
 * The calculation of one element of a gradient, by the name of its node. It is used where the rule
 * contains words or indices and cannot be evaluated, as for a softmax or a convolution.
 *
 * The result is compared with the recorded number and shown only if both agree.
 */

import { toNumber } from "./numbers";
import type { ValueData } from "./payload";
import { One, type Maybe, type Source } from "./one";
import { narrow, places, ravel, spread, unravel, type Place } from "./places";
import { provide } from "./provided";
import { sourcesOf, writeTarget } from "./sources";
import { atom, element, exponential, grouped, minus, named, negative, number } from "./terms";
import { over, plus, power, showIfEqual, times, total, type Term } from "./terms";

type Formula = (one: One) => Term[];

const sum = (terms: readonly Term[]): Term => (terms.length ? total(terms) : atom(0, "0"));
const mean = (terms: readonly Term[]): Term => over(sum(terms), number(terms.length));

/** The degrees of freedom, the distance from the mean, the places along the dimensions, those. */
const deviation = (one: One): [Term, Term, number[][], number[]] => {
  const dims = one.dims();
  const line = one.line(dims);
  const a = one.saved("self");
  const freedom = minus(number(line.length), number(one.int("correction", 1)));
  const apart = minus(one.number(a), mean(line.map((p) => one.number(a, p))));
  return [freedom, apart, line, dims];
};

const [ONE, TWO] = [number(1), number(2)];

const raised = (base: Term, exponent: Term): Term =>
  power(base.value ** exponent.value, grouped(base, 3), exponent, [base, exponent]);

/** "[a = b]": 1 if they are the same. */
const same = (a: Term, b: Term): Term =>
  atom(Number(a.value === b.value), `[${a.text} = ${b.text}]`, [a, b]);

/** A maximum or minimum: elements equal to it share the gradient. */
const shared: Formula = (one) => {
  const dims = one.dims();
  const [a, y] = [one.saved("self"), one.saved("result")];
  const result = one.number(y, one.at, dims);
  const like = (p: Place): Term => same(one.number(a, p), result);
  const count = one.line(dims).filter((p) => like(p).value).length;
  const product = times(one.number(one.g, one.at, dims), like(one.at));
  return [count > 1 ? over(product, number(count)) : product];
};

const likelihood: Formula = (one) => {
  const { at, g } = one;
  const classes = one.shape.length > 1 ? 1 : 0;
  const rest = at.filter((_, d) => d !== classes);
  const target = element(one.saved("target"), rest);
  if (target !== at[classes] || target === one.int("ignore_index", -100)) return [];
  const weight = one.has("weight");
  const from = g.shape.length ? rest : [];
  const plain = one.int("reduction") !== 1 && !weight;
  const sent = negative((plain ? named : number)(element(g, from), "g", from));
  const product = weight ? times(sent, number(element(weight, [target]))) : sent;
  const isMean = one.int("reduction") === 1;
  return [isMean ? over(product, number(element(one.saved("total_weight"), []))) : product];
};

/**
 * Normalized numbers: those of one `group` share a mean and a deviation, those of one `channel`
 * share a weight.
 */
const normalized =
  (
    group: (one: One, p: Place, shape: Place) => number,
    channel: (one: One, p: Place) => number[],
  ) =>
  (one: One): Term[] => {
    const { g, slot, at } = one;
    const x = one.saved("input");
    const [means, scales, weight] = [one.has("result1"), one.has("result2"), one.has("weight")];
    const fixed = /BatchNorm/.test(one.name) && one.text("training") !== "True";
    const flat = (tensor: Maybe, i: number): number => toNumber(tensor?.data?.[i] ?? NaN);
    const statistic = (p: Place): [number, number] => {
      const i = group(one, p, x.shape);
      return fixed
        ? [
            flat(one.saved("running_mean"), i),
            1 / Math.sqrt(flat(one.saved("running_var"), i) + Number(one.text("eps"))),
          ]
        : [flat(means, i), flat(scales, i)];
    };
    const hat = (p: Place): Term => {
      const [middle, scale] = statistic(p);
      return number((element(x, p) - middle) * scale);
    };
    const sent = (p: Place): Term => number(element(g, p));
    if (slot > 0) {
      const from = places(x.shape).filter((p) => {
        const to = channel(one, p);
        return one.shape.length === x.shape.length
          ? p.every((i, d) => i === at[d])
          : to.every((i, d) => i === at[d]);
      });
      return from.map((p) => (slot === 1 ? times(sent(p), hat(p)) : sent(p)));
    }
    const h = (p: Place): Term =>
      weight ? times(sent(p), number(element(weight, channel(one, p)))) : sent(p);
    const scale = number(statistic(at)[1]);
    if (fixed) return [times(scale, h(at))];
    const mine = group(one, at, x.shape);
    const peers = places(x.shape).filter((p) => group(one, p, x.shape) === mine);
    const short = (p: Place): Term => number(h(p).value); // the rule calls it h, too
    const spreadOut = times(hat(at), mean(peers.map((p) => times(short(p), hat(p)))));
    return [times(scale, minus(minus(h(at), mean(peers.map(short))), spreadOut))];
  };

/**
 * A convolution and its transpose are one sum of products over a small tensor, a large one and the
 * weight: large[small · stride − padding + k · dilation] meets weight[k]. The gradient of each is
 * the sum over the other two.
 */
const convolution: Formula = (one) => {
  const { g, slot, at } = one;
  if (slot === 2)
    return places(g.shape)
      .filter((p) => p[1] === at[0])
      .map((p) => number(element(g, p)));
  const [x, weight] = [one.saved("input"), one.saved("weight")];
  const transposed = one.text("transposed") === "True";
  const [small, large] = transposed ? [x, g] : [g, x];
  const each = (name: string, d: number, otherwise: number): number =>
    one.ints(name)[d] ?? one.ints(name)[0] ?? otherwise;
  const perGroup = (small.shape[1] ?? 1) / one.int("groups", 1);
  const asked = slot === 1 ? weight : transposed ? small : large;
  const terms: Term[] = [];
  for (const s of places(small.shape)) {
    if (asked === small && !s.every((i, d) => i === at[d])) continue;
    if (asked === weight && s[1] !== at[0]) continue;
    for (const k of places((weight.shape as number[]).slice(1))) {
      if (asked === weight && !k.every((i, d) => i === at[d + 1])) continue;
      const group = Math.floor((s[1] ?? 0) / perGroup);
      const l = [
        s[0] ?? 0,
        group * (weight.shape[1] ?? 1) + (k[0] ?? 0),
        ...s
          .slice(2)
          .map(
            (i, d) =>
              i * each("stride", d, 1) -
              each("padding", d, 0) +
              (k[d + 1] ?? 0) * each("dilation", d, 1),
          ),
      ];
      if (l.some((i, d) => i < 0 || i >= (large.shape[d] ?? 1))) continue;
      if (asked === large && !l.every((i, d) => i === at[d])) continue;
      const [from, to] = transposed ? [s, l] : [l, s];
      const w = number(element(weight, [s[1] ?? 0, ...k]));
      const sent = number(element(g, to));
      terms.push(slot === 1 ? times(number(element(x, from)), sent) : times(w, sent));
    }
  }
  return terms;
};

/** An average sends an equal part of its gradient to each number of its window. */
const averaged =
  (
    window: (one: One, d: number, i: number, n: number, count: number) => [number, number, number],
  ) =>
  (one: One): Term[] => {
    const { g, at, shape } = one;
    const start = shape.length - 2;
    const terms = places(g.shape).flatMap((p) => {
      let count = 1;
      const inside = p.every((i, d) => {
        if (d < start) return i === at[d];
        const [from, to, n] = window(one, d - start, i, shape[d] ?? 1, g.shape[d] ?? 1);
        count *= n;
        return (at[d] ?? 0) >= from && (at[d] ?? 0) < to;
      });
      const divisor = one.int("divisor_override") || count;
      return inside ? [over(number(element(g, p)), number(divisor))] : [];
    });
    return terms;
  };

/** A clamp between two bounds, one of which may be missing. */
const clamped: Formula = (one) => {
  const { g, at, shape } = one;
  const a = one.saved("self");
  const terms = spread(at, shape, g.shape).map((p) => {
    const [x, low, high] = [a, "min", "max"].map((from) => {
      if (typeof from !== "string")
        return number(element(from, narrow(p, from.shape, g.shape, null)));
      const tensor = one.has(from);
      if (tensor) return number(element(tensor, narrow(p, tensor.shape, g.shape, null)));
      return one.text(from) ? number(Number(one.text(from))) : undefined;
    });
    if (!x) return ONE;
    const [below, above] = [low && x.value < low.value, high && x.value > high.value];
    const holds = [!(below || above), below && !(high && low && low.value > high.value), above][
      one.slot
    ];
    const texts = [
      [low && `${low.text} ≤ `, x.text, high && ` ≤ ${high.text}`],
      [x.text, ` < ${low?.text}`],
      [x.text, ` > ${high?.text}`],
    ];
    const text = texts[one.slot]?.filter(Boolean).join("") ?? "";
    const parts = [x, low, high].filter((part) => part !== undefined);
    return times(number(element(g, p)), atom(Number(holds), `[${text}]`, parts));
  });
  return terms;
};

/** The larger, or the smaller, gets the whole gradient; equal numbers get half each. */
const compared =
  (wins: (a: number, b: number) => boolean, sign: string): Formula =>
  (one) => {
    const [a, b] = one.slot ? ["other", "self"] : ["self", "other"];
    const { g } = one;
    return spread(one.at, one.shape, g.shape).map((p) => {
      const [mine, theirs] = [a, b].map((name) => {
        const tensor = one.saved(name ?? "");
        return number(element(tensor, narrow(p, tensor.shape, g.shape, null)));
      });
      if (!mine || !theirs) return ONE;
      const holds = Number(wins(mine.value, theirs.value));
      const won = atom(holds, `[${mine.text} ${sign} ${theirs.text}]`, [mine, theirs]);
      const half = times(over(ONE, TWO), same(mine, theirs));
      return times(number(element(g, p)), plus(won, half));
    });
  };

/** The normal distribution: its density, and its integral by a power series. */
const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
function distribution(x: number): number {
  if (Math.abs(x) > 8) return Number(x > 0);
  let [sum, term] = [0, x];
  for (let n = 3; Math.abs(term) > 1e-18 * Math.abs(sum); n += 2) {
    sum += term;
    term *= (x * x) / n;
  }
  return 0.5 + sum * density(x);
}

const FORMULAS: Record<string, Formula> = {
  SoftmaxBackward0: (one) => {
    const y = one.saved("result");
    const all = one.line().map((p) => times(one.number(one.g, p), one.number(y, p)));
    return [times(one.number(y), minus(one.number(one.g), sum(all)))];
  },
  LogSoftmaxBackward0: (one) => {
    const all = one.line().map((p) => one.number(one.g, p));
    return [
      minus(one.number(one.g), times(exponential(one.number(one.saved("result"))), sum(all))),
    ];
  },
  LogsumexpBackward0: (one) => {
    const dims = one.dims();
    const apart = minus(
      one.number(one.saved("self")),
      one.number(one.saved("result"), one.at, dims),
    );
    return [times(one.number(one.g, one.at, dims), exponential(apart))];
  },
  NllLossBackward0: likelihood,
  NllLoss2DBackward0: likelihood,
  LinalgVectorNormBackward0: (one) => {
    const dims = one.dims();
    const all = one.saved("self");
    const [a, y] = [one.number(all), one.number(one.saved("result"), one.at, dims)];
    const g = one.number(one.g, one.at, dims);
    const [p, size] = [Number(one.text("ord")), atom(Math.abs(a.value), `|${a.text}|`, [a])];
    if (p === 2) return [over(times(g, a), y)];
    const sign = atom(Math.sign(a.value), `sgn(${a.text})`, [a]);
    if (p === 1) return [times(g, sign)];
    if (p === 0) return [];
    if (Number.isFinite(p)) {
      const above = times(times(g, a), raised(size, number(p - 2)));
      return [over(above, raised(y, number(p - 1)))];
    }
    const as = (x: Term): boolean => Math.abs(x.value) === y.value;
    const count = one.line(dims).filter((place) => as(one.number(all, place))).length;
    const product = times(times(g, sign), same(size, y));
    return [count > 1 ? over(product, number(count)) : product];
  },
  VarBackward0: (one) => {
    const [freedom, apart, , dims] = deviation(one);
    return [times(over(times(TWO, one.number(one.g, one.at, dims)), freedom), apart)];
  },
  StdBackward0: (one) => {
    const [freedom, apart, , dims] = deviation(one);
    const y = one.number(one.saved("result"), one.at, dims);
    return [times(over(one.number(one.g, one.at, dims), times(freedom, y)), apart)];
  },
  VarMeanBackward0: (one) => {
    const [freedom, apart, line, dims] = deviation(one);
    const [variance, middle] = one.gs.map((g) => g && one.number(g, one.at, dims));
    return [
      ...(variance ? [times(over(times(TWO, variance), freedom), apart)] : []),
      ...(middle ? [over(middle, number(line.length))] : []),
    ];
  },
  ...Object.fromEntries(
    "MaxBackward1 MinBackward1 AmaxBackward0 AminBackward0 MedianBackward0 NanmedianBackward0"
      .split(" ")
      .map((name) => [name, shared]),
  ),
  ConvolutionBackward0: convolution,
  AvgPool2DBackward0: averaged((one, d, i, n) => {
    const of = (name: string, otherwise: number): number =>
      one.ints(name)[d] ?? one.ints(name)[0] ?? otherwise;
    const kernel = of("kernel_size", 1);
    const padding = of("padding", 0);
    const from = i * of("stride", kernel) - padding;
    const to = Math.min(from + kernel, n + padding);
    const [first, last] = [Math.max(from, 0), Math.min(to, n)];
    return [first, last, one.text("count_include_pad") === "True" ? to - from : last - first];
  }),
  AdaptiveAvgPool2DBackward0: averaged((_, __, i, n, count) => {
    const [from, to] = [Math.floor((i * n) / count), Math.ceil(((i + 1) * n) / count)];
    return [from, to, to - from];
  }),
  NativeLayerNormBackward0: normalized(
    (one, p, shape) => {
      const lead = shape.length - one.ints("normalized_shape").length;
      return ravel(p.slice(0, lead), shape.slice(0, lead));
    },
    (one, p) => p.slice(p.length - one.ints("normalized_shape").length),
  ),
  NativeBatchNormBackward0: normalized(
    (_, p) => p[1] ?? 0,
    (_, p) => [p[1] ?? 0],
  ),
  NativeGroupNormBackward0: normalized(
    (one, p, shape) => {
      const groups = one.int("group", 1);
      const [rows = 0, channel = 0] = p;
      return rows * groups + Math.floor(channel / ((shape[1] ?? 1) / groups));
    },
    (_, p) => [p[1] ?? 0],
  ),
  CumsumBackward0: (one) => {
    const [d = 0] = one.dims();
    const later = one.line([d]).filter((p) => (p[d] ?? 0) >= (one.at[d] ?? 0));
    return one.toTerms(later.map((p): Source => [0, p]));
  },
  CumprodBackward0: (one) => {
    const [d = 0] = one.dims();
    const later = one.line([d]).filter((p) => (p[d] ?? 0) >= (one.at[d] ?? 0));
    const [a, y] = [one.saved("self"), one.saved("result")];
    if (one.number(a).value !== 0) {
      const all = later.map((p) => times(one.number(one.g, p), one.number(y, p)));
      return [over(sum(all), one.number(a))];
    }
    return later.map((p) => {
      const others = one.line([d]).filter((q) => (q[d] ?? 0) <= (p[d] ?? 0) && q[d] !== one.at[d]);
      return others.reduce((product, q) => times(product, one.number(a, q)), one.number(one.g, p));
    });
  },
  ...Object.fromEntries(
    ["ProdBackward0", "ProdBackward1"].map((name) => [
      name,
      (one: One) => {
        const dims = one.dims();
        const others = one.line(dims).filter((p) => !p.every((i, d) => i === one.at[d]));
        if (!others.length) return one.toTerms([[0, one.g.shape.length ? one.at : []]]);
        return [
          others.reduce(
            (product, p) => times(product, one.number(one.saved("self"), p)),
            one.number(one.g, one.at, dims),
          ),
        ];
      },
    ]),
  ),
  SmoothL1LossBackward0: (one) => {
    const [a, t] = [one.number(one.saved("self")), one.number(one.saved("target"))];
    const [d, beta] = [minus(a, t), Number(one.text("beta") || 1)];
    const g = over(one.number(one.g), number(one.int("n", 1)));
    const slope =
      Math.abs(d.value) < beta
        ? over(d, number(beta))
        : atom(Math.sign(d.value), `sgn(${d.text})`, [d]);
    return [one.slot ? negative(times(g, slope)) : times(g, slope)];
  },
  BinaryCrossEntropyBackward0: (one) => {
    const [x, t, weight] = [
      one.number(one.saved("self")),
      one.number(one.saved("target")),
      one.has("weight"),
    ];
    const g = over(one.number(one.g), number(one.int("n", 1)));
    const [log, rest] = [x.value, 1 - x.value].map((v) => atom(Math.log(v), "", [x]));
    if (one.slot && log && rest) {
      rest.text = `ln(1 − ${x.text})`;
      log.text = `ln(${x.text})`;
    }
    const slope =
      one.slot && log && rest ? minus(rest, log) : over(minus(x, t), times(x, minus(ONE, x)));
    const whole = times(g, slope);
    return [weight ? times(whole, one.number(weight)) : whole];
  },
  BinaryCrossEntropyWithLogitsBackward0: (one) => {
    const [x, t] = [one.number(one.saved("self")), one.number(one.saved("target"))];
    const [weight, heavier] = [one.has("weight"), one.has("pos_weight")];
    const g = over(one.number(one.g), number(one.int("n", 1)));
    const s = atom(1 / (1 + Math.exp(-x.value)), `σ(${x.text})`, [x]);
    if (one.slot) {
      const soft = atom(Math.log1p(Math.exp(-x.value)), `ln(1 + e^${grouped(negative(x), 3)})`, [
        x,
      ]);
      const slope = heavier ? minus(times(minus(one.number(heavier), ONE), soft), x) : negative(x);
      return [weight ? times(times(g, slope), one.number(weight)) : times(g, slope)];
    }
    const p = heavier ? times(one.number(heavier), t) : t;
    // (1 − t) σ − p t (1 − σ), with p the weight of positive examples.
    const slope = heavier ? minus(times(minus(ONE, t), s), times(p, minus(ONE, s))) : minus(s, t);
    const whole = times(g, slope);
    return [weight ? times(whole, one.number(weight)) : whole];
  },
  GeluBackward0: (one) => {
    const a = one.number(one.saved("self"));
    const x = a.value;
    const [below, near] = [
      atom(distribution(x), `Φ(${a.text})`, [a]),
      atom(density(x), `φ(${a.text})`, [a]),
    ];
    return [times(one.number(one.g), plus(below, times(a, near)))];
  },
  RemainderBackward1: (one) =>
    spread(one.at, one.shape, one.g.shape).map((p) => {
      const of = (tensor: ValueData): Term =>
        number(element(tensor, narrow(p, tensor.shape, one.g.shape, null)));
      const share = over(of(one.saved("self")), of(one.saved("other")));
      const whole = atom(Math.floor(share.value), `⌊${share.text}⌋`, [share]);
      return times(negative(of(one.g)), whole);
    }),
  ClampBackward0: clamped,
  ClampBackward1: clamped,
  MaximumBackward0: compared((a, b) => a > b, ">"),
  MinimumBackward0: compared((a, b) => a < b, "<"),
  LeakyReluBackward1: (one) => {
    const y = one.number(one.saved("result"));
    const slope = number(Number(one.text("negative_slope")));
    return [y.value > 0 ? times(one.number(one.g), ONE) : times(one.number(one.g), slope)];
  },
  EluBackward1: (one) => {
    const y = one.number(one.saved("result"));
    const [alpha, scale] = ["alpha", "scale"].map((name) => number(Number(one.text(name) || 1)));
    if (!alpha || !scale) return [];
    const slope = y.value > 0 ? scale : plus(y, times(alpha, scale));
    return [times(one.number(one.g), slope)];
  },
  IndexAddBackward0: (one) => {
    if (!one.slot) return one.toTerms([[0, one.at]]);
    const from = one.toTerms([[0, writeTarget(one, one.shape)(one.at)]]);
    const alpha = Number(one.text("alpha") || 1);
    return alpha === 1 ? from : from.map((term) => times(number(alpha), term));
  },
};

provide((ran, slot, out, flat, nothing) => {
  const one = new One(ran, slot, out, unravel(flat, out.shape));
  try {
    const formula = FORMULAS[ran.name];
    const sources = formula ? null : sourcesOf(one);
    const terms = formula ? formula(one) : sources && one.toTerms(sources);
    if (!terms) return null;
    const said = showIfEqual(out, flat, terms.length ? terms : [atom(0, "0")], one.all);
    return said && !terms.length ? `${said}: ${nothing}` : said;
  } catch {
    return null; // a case that no formula covers
  }
});

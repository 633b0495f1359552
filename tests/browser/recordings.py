"""Recordings made by hand, for what the front end must show but no short program produces.

The shapes are those of `minigrad_viz.stepper.payload`. A recording is written down as a graph and
the events over it; nothing here computes a gradient, so a test states both what is sent and what
must appear.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Json = dict[str, Any]


class Recording:
    """A payload in the making: a method adds one thing and returns what later calls name it by."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.nodes: list[Json] = []
        self.edges: list[Json] = []
        self.values: list[Json] = []
        self.events: list[Json] = []
        self.steps: list[Json] = []
        self.files: list[Json] = []

    def code(self, name: str, source: str) -> None:
        self.files.append({"name": name, "first": 1, "lines": source.strip("\n").split("\n")})

    def value(self, numbers: Any, dtype: str = "float32") -> int:
        array = np.asarray(numbers, dtype="float64")
        data = [x if np.isfinite(x) else str(x) for x in array.ravel().tolist()]
        self.values.append({"shape": list(array.shape), "dtype": dtype, "data": data})
        return len(self.values) - 1

    def large(self, shape: list[int], **summary: float) -> int:
        full = {"min": -1.0, "max": 1.0, "norm": 10.0, "nonfinite": 0} | summary
        self.values.append({"shape": shape, "dtype": "float32", "summary": full})
        return len(self.values) - 1

    def node(self, kind: str, name: str, label: str | None = None, **more: Any) -> str:
        ident = f"n{len(self.nodes)}"
        line = {"line": {"file": 0, "line": more.pop("line")}} if "line" in more else {}
        label = name if label is None else label
        self.nodes.append({"id": ident, "kind": kind, "name": name, "label": label} | more | line)
        return ident

    def edge(self, kind: str, source: str, target: str, slot: int = 0, index: int = 0) -> None:
        edge = {"id": f"e{len(self.edges)}", "kind": kind, "source": source, "target": target}
        self.edges.append(edge | ({"slot": slot, "index": index} if kind == "next" else {}))

    def turn(self, node: str, *events: Json, title: str | None = None) -> None:
        """One node's turn. Each event is its kind and fields; `node` and `step` are filled in."""
        first = len(self.events)
        step = len(self.steps)
        names = {node["id"]: node["name"] for node in self.nodes}
        for event in events:
            self.events.append(
                {"node": node, "step": step, "caption": f"{names[node]}: {event['kind']}."} | event
            )
        self.steps.append(
            {
                "node": node,
                "title": title or names[node],
                "first": first,
                "last": len(self.events) - 1,
            }
        )

    def payload(self) -> Json:
        return {
            "version": 1,
            "language": self.language,
            "nodes": self.nodes,
            "edges": self.edges,
            "values": self.values,
            "files": self.files,
            "events": self.events,
            "steps": self.steps,
        }


def twice(language: str = "en") -> Json:
    """y = x * x at 3: two gradients arrive at one leaf, and 3 becomes 6."""
    r = Recording(language)
    r.code(
        "lesson.py", "x = mg.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()  # 反向传播"
    )
    y = r.node("root", "y")
    mul = r.node(
        "function", "MulBackward0", line=2, rule=MUL_RULE, rule_text="a' = c' b, b' = c' a"
    )
    acc = r.node("accumulate", "AccumulateGrad")
    x = r.node("leaf", "x", value=r.value(3.0), owner=acc, line=1)
    own, other = (r.node("saved", name, value=0, owner=mul) for name in ("self", "other"))
    r.edge("root", y, mul)
    r.edge("next", mul, acc, slot=0)
    r.edge("next", mul, acc, slot=1)
    r.edge("leaf", acc, x)
    r.edge("saved", mul, own)
    r.edge("saved", mul, other)
    one, three, six = r.value(1.0), r.value(3.0), r.value(6.0)
    saved = {"value": three, "expected": 0, "version": 0}
    r.turn(
        mul, {"kind": "seed", "index": 0, "added": one, "after": one, "before": None}, title="seed"
    )
    r.turn(
        mul,
        {
            "kind": "start",
            "incoming": [one],
            "saved": [
                {"name": "self", "node": own} | saved,
                {"name": "other", "node": other} | saved,
            ],
        },
        {"kind": "formula", "outgoing": [three, three]},
        {"kind": "free", "names": ["self", "other"]},
        _accumulate(acc, 0, None, three, three),
        _accumulate(acc, 1, three, three, six),
    )
    r.turn(
        acc,
        {"kind": "start", "incoming": [six], "saved": []},
        {"kind": "leaf_gradient", "before": None, "added": six, "after": six},
    )
    return r.payload()


def linear() -> Json:
    """loss = (x @ w + b).mean(): a matrix, a broadcast that is undone, saved tensors."""
    rng = np.random.default_rng(0)
    xs, ws, bs = rng.normal(size=(2, 5)), rng.normal(size=(5, 3)), rng.normal(size=3)
    r = Recording()
    r.code(
        "lesson.py",
        "import minigrad as mg\n\nx = mg.randn(2, 5)\nw = mg.randn(5, 3, requires_grad=True)\n"
        "b = mg.zeros(3, requires_grad=True)\nz = x @ w + b\nloss = z.mean()\nloss.backward()",
    )
    loss = r.node("root", "loss")
    mean = r.node("function", "MeanBackward0", line=7, rule=MUL_RULE, rule_text="x' = l' / n")
    add = r.node("function", "AddBackward0", line=6, rule=MUL_RULE, rule_text="a' = c', b' = c'")
    mm = r.node(
        "function", "MmBackward0", line=6, rule=MUL_RULE, rule_text="a' = c' b^T, b' = a^T c'"
    )
    acc_b = r.node("accumulate", "AccumulateGrad")
    b = r.node("leaf", "b", "b [3]", value=r.value(bs), owner=acc_b, line=5)
    acc_w = r.node("accumulate", "AccumulateGrad")
    w = r.node("leaf", "w", "w [5, 3]", value=r.value(ws), owner=acc_w, line=4)
    x_saved = r.value(xs)
    saved = r.node("saved", "x", "x [2, 5]", value=x_saved, owner=mm)
    for kind, source, target, slot in [
        ("root", loss, mean, 0),
        ("next", mean, add, 0),
        ("next", add, mm, 0),
        ("next", add, acc_b, 1),
        ("next", mm, acc_w, 1),
        ("leaf", acc_w, w, 0),
        ("leaf", acc_b, b, 0),
        ("saved", mm, saved, 0),
    ]:
        r.edge(kind, source, target, slot)
    one, g = r.value(1.0), r.value(np.full((2, 3), 1 / 6))
    gb, gw = r.value(np.full(3, 1 / 3)), r.value(xs.T @ np.full((2, 3), 1 / 6))
    r.turn(
        mean, {"kind": "seed", "index": 0, "added": one, "after": one, "before": None}, title="seed"
    )
    r.turn(
        mean,
        {"kind": "start", "incoming": [one], "saved": []},
        {"kind": "formula", "outgoing": [g]},
        _accumulate(add, 0, None, g, g),
    )
    r.turn(
        add,
        {"kind": "start", "incoming": [g], "saved": []},
        {"kind": "formula", "outgoing": [g, g]},
        {"kind": "reduce", "index": 1, "before": g, "after": gb},
        _accumulate(mm, 0, None, g, g),
        _accumulate(acc_b, 1, None, gb, gb),
    )
    r.turn(
        acc_b,
        {"kind": "start", "incoming": [gb], "saved": []},
        {"kind": "leaf_gradient", "before": None, "added": gb, "after": gb},
    )
    r.turn(
        mm,
        {
            "kind": "start",
            "incoming": [g],
            "saved": [
                {"name": "self", "value": x_saved, "expected": 0, "version": 0, "node": saved}
            ],
        },
        {"kind": "formula", "outgoing": [None, gw]},
        {"kind": "free", "names": ["self"]},
        _accumulate(acc_w, 1, None, gw, gw),
    )
    r.turn(
        acc_w,
        {"kind": "start", "incoming": [gw], "saved": []},
        {"kind": "leaf_gradient", "before": None, "added": gw, "after": gw},
    )
    return r.payload()


def hostile() -> Json:
    """Everything that a user can name is an attack, and so is the picture itself."""
    attack = '<img src=x onerror="window.attacked=1"></script><script>window.attacked=1</script>'
    r = Recording()
    r.code(attack, attack)
    mul = r.node(
        "function", attack, line=1, rule=f"<math><mi>a</mi><script>{attack}</script></math>"
    )
    acc = r.node("accumulate", attack)
    leaf = r.node("leaf", attack, owner=acc)
    r.edge("next", mul, acc)
    r.edge("leaf", acc, leaf)
    one = r.value(float("nan"))
    saved = [{"name": attack, "value": one, "expected": 0, "version": 1}]
    r.turn(
        mul,
        {"kind": "seed", "index": 0, "added": one, "after": one, "caption": attack},
        title=attack,
    )
    r.turn(
        mul,
        {"kind": "start", "incoming": [one], "saved": saved, "caption": attack},
        {"kind": "error", "message": attack, "caption": attack},
    )
    payload = r.payload()
    payload["rule"] = attack
    return payload


def _accumulate(target: str, slot: int, before: int | None, added: int, after: int) -> Json:
    fields = {"slot": slot, "target": target, "index": 0, "before": before}
    return {"kind": "accumulate", "added": added, "after": after} | fields


def _product(of: str, other: str) -> str:
    def bar(name: str) -> str:
        return f"<mover><mi>{name}</mi><mo>¯</mo></mover>"

    return f"{bar(of)}<mo>=</mo>{bar('c')}<mo>·</mo><mi>{other}</mi>"


MUL_RULE = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow>'
    f"{_product('a', 'b')}<mo>,</mo><mspace width='2em'/>{_product('b', 'a')}</mrow></math>"
)

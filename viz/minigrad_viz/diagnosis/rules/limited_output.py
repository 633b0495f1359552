"""An output that an activation keeps from the values that its targets have."""

from __future__ import annotations

import ast
import re
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement
from ...model.values import bare, dense, has_numbers
from ..syntax import calls_in, last_name
from .evidence import MOST_NODES, Evidence
from .programs import training
from .rule import Match, Rule, Words
from .scoped import SHAPED, data_behind
from .shuffled_apart import is_loss

RANGES = {"Relu": (0.0, float("inf")), "Sigmoid": (0.0, 1.0), "Tanh": (-1.0, 1.0),
          "Softmax": (0.0, 1.0), "Softplus": (0.0, float("inf"))}  # fmt: skip
DISTANCES = ("MseLoss", "L1Loss", "SmoothL1Loss", "HuberLoss")
SIZES = ("Pow", "Abs", "LinalgVectorNorm")
SUMS = ("Mean", "Sum", "Add", "Sub", "Mul", "Div", "Neg", "Sqrt", "Log")

OUTSIDE = 0.4
"""Share of the targets out of reach from which on the model cannot fit."""


def find(evidence: Evidence) -> Match | None:
    """Find an activation at the end of a model whose targets are mostly out of its range."""
    root = evidence.root
    if root is None or root.grad_fn is None or root.numel() != 1:
        return None
    terms = compared(evidence)
    for node in terms:
        if evidence.kind(node) not in RANGES:
            continue
        low, high = RANGES[evidence.kind(node)]
        shape, out = evidence.shape(node), list[tuple[float, str]]()
        for name, target in targets(evidence, shape):
            if len(terms) == 1 or tuple(target.shape[1:]) == shape[1:]:
                numbers = dense(bare(target))
                missed = (numbers < low) | (numbers > high)
                out.append((float(missed.float().mean().item()), name))
        # Of several terms, each may have any of the targets.
        share, name = (max if len(terms) == 1 else min)(out, default=(0.0, ""))
        if share > OUTSIDE:
            context = evidence.context
            parts = {"kind": evidence.kind(node).replace("Relu", "ReLU"), "t": name}
            line = layer_line(evidence, evidence.kind(node)) or evidence.node_line(node)
            parts |= {"where": context.where(line), "share": f"{share:.0%}"}
            parts |= {"low": f"{low:g}", "high": f"{high:g}"}
            key = "out_of_reach_below" if high > 1 else "out_of_reach"
            return Match({**parts, "reach": context.say(key, **parts)}, (name,), (node,))
    return None


def compared(evidence: Evidence) -> list[Any]:
    """Return the results that the terms of the loss compare, each with a target."""
    found, left, known = list[Any](), [evidence.root.grad_fn], set[int]()
    while left and len(known) < MOST_NODES:
        node = left.pop()
        kind, inner = evidence.kind(node), operands(evidence, node)
        if kind in DISTANCES:
            found += inner
        elif kind in SIZES or (kind == "Mul" and inner[1:] == inner[:1]):
            subtracted = [n for n in inner[:1] if evidence.kind(n) == "Sub"]
            found += [each for n in subtracted for each in operands(evidence, n)]
        elif kind in SUMS and id(node) not in known:
            known.add(id(node))
            left += inner
    return found


def operands(evidence: Evidence, node: Any) -> list[Any]:
    """Return the nodes that made a node's inputs, beyond operations that change the shape."""
    places = [place for place, (each, _) in enumerate(node.next_functions) if each is not None]
    return [n for place in places if (n := evidence.input_of(node, place)) is not None]


def layer_line(evidence: Evidence, kind: str) -> Statement | None:
    """Return the line before the loops that makes the layers of this kind, if only one does."""
    made = [
        statement
        for statement in evidence.lines
        if any(last_name(call).lower() == kind.lower() for call in calls_in(statement.tree))
    ]
    before = [s for s in made if s not in evidence.repeated or is_list(s)]
    return before[0] if len(before) == 1 == len(made) else None


def is_list(statement: Statement) -> bool:
    """Return whether a line makes layers for a list: `layers += [Linear(3, 3), ReLU()]`."""
    return any("Linear" in last_name(call) for call in calls_in(statement.tree))


def targets(evidence: Evidence, shape: tuple[int, ...] = ()) -> list[tuple[str, Any]]:
    """Return the variables that stand as the target of a loss, or are subtracted from a result."""
    found = [
        data_behind(evidence, node.right, statement, SHAPED)
        for statement in evidence.repeated
        for node in ast.walk(statement.tree or ast.Pass())
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
    ]
    known = [*loss_targets(evidence), *((n, v) for n, v in found if is_target(v))]
    return known or (data_of(evidence, shape) if shape and rebuilds(evidence) else [])


def loss_targets(evidence: Evidence) -> list[tuple[str, Any]]:
    """Return the targets of calls of losses, or the data that they are a part of."""
    found = [
        data_behind(evidence, call.args[1], statement, SHAPED)
        for statement in evidence.repeated
        for call in calls_in(statement.tree)
        if call.args[1:] and is_loss(evidence, call)
    ]
    return [(n, v) for n, v in found if is_target(v)]


def rebuilds(evidence: Evidence) -> bool:
    """Return whether every loss of the text is `loss(model(x), x)`: the data are the targets."""
    calls = [c for s in evidence.written for c in calls_in(s.tree) if c.args[1:]]
    pairs = [c.args[:2] for c in calls if LOSS.search(last_name(c)) and len(c.args) == 2]
    inner = [(first.args, second) for first, second in pairs if isinstance(first, ast.Call)]
    given = [(ast.unparse(args[0]), ast.unparse(last)) for args, last in inner if len(args) == 1]
    return len(given) == len(pairs) > 0 and all(one == other for one, other in given)


LOSS = re.compile(r"loss|criterion|mse|l1", re.I)


def data_of(evidence: Evidence, shape: tuple[int, ...]) -> list[tuple[str, Any]]:
    """Return the largest variable whose rows have the shape of the model's outputs."""
    known = evidence.context.variables.items()
    found = [(n, v) for n, v in known if is_target(v) and tuple(v.shape[1:]) == shape[1:]]
    return sorted(found, key=lambda pair: pair[1].numel())[-1:]


def is_target(value: Any) -> bool:
    plain = is_tensor(value) and value.is_floating_point() and not value.requires_grad
    return bool(plain and value.numel() and has_numbers(value))


PROGRAM = training(
    net="T.nn.Sequential(T.nn.Linear(3, 8), T.nn.Tanh(), T.nn.Linear(8, 1), T.nn.Softplus())",
    opt="T.optim.SGD(net.parameters(), lr=0.01)",
    data="T.randn(8, 3), T.rand(8, 1) - {lower}",
    inside="loss = T.nn.functional.mse_loss(net(x), y)",
)

RULE = Rule(
    key="limited_output",
    chapter="16",
    en=Words(
        "targets out of reach",
        "The model ends in {kind}{where}, which gives {reach}, and {share} of `{t}` is outside: "
        "the model cannot reach these targets.",
        "Leave {kind} out after the last layer.",
    ),
    zh=Words(
        "目标超出了输出的范围",
        "模型以 {kind} 结尾{where}，它只给出{reach}，而 `{t}` 中有 {share} 在此之外：模型达不到这些"
        "目标。",
        "请去掉最后一层之后的 {kind}。",
    ),
    find=find,
    broken=PROGRAM.format(lower="3.0"),
    sound=PROGRAM.format(lower="0.0"),
    before=("zero_input", "dead_units", "flat_output", "zero"),
)

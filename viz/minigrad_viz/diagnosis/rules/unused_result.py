"""A result of `relu(x)`, `x + noise` or a layer that a line computes, and nothing reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..ended import module_names
from ..objects import is_module, layer_kind
from ..syntax import calls_in, last_name, parenthesize, targets_of
from .evidence import Evidence, tree_of
from .programs import training
from .rule import Match, Rule, Words
from .unmasked_future import layer_of

PURE = ("relu", "tanh", "sigmoid", "gelu", "leaky_relu", "softmax", "log_softmax", "dropout",
        "squeeze", "unsqueeze", "view", "reshape", "permute", "transpose", "flatten", "float",
        "long", "clamp", "detach", "normalize", "to", "masked_fill", "clone")  # fmt: skip
"""Functions that change nothing: they return a result."""

FROM_MODULE = ("to", "float")
"""Methods that change a module in place, and not a tensor."""


def find(evidence: Evidence) -> Match | None:
    for statement in (*evidence.forward_lines, *evidence.repeated):
        tree = statement.tree
        if not isinstance(tree, ast.Expr) or statement.arms:
            continue
        name = subject(evidence, statement, tree.value)
        if name:
            text = ast.unparse(tree.value)
            parts = {"line": evidence.context.line(statement), "t": name}
            return Match({**parts, "instead": f"{name} = {text}"}, (name,))
    return None


def subject(evidence: Evidence, statement: Statement, value: ast.expr) -> str:
    """Return the variable whose new value a line computes and drops, or ""."""
    if isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name):
        return value.left.id if is_tensor(known(evidence, value.left.id, statement)) else ""
    if not isinstance(value, ast.Call) or last_name(value) not in PURE:
        return ""
    if any(word.arg in ("inplace", "out") for word in value.keywords):
        return ""
    owner = value.func.value if isinstance(value.func, ast.Attribute) else None
    text = "" if owner is None else ast.unparse(owner)
    namespace = text.rpartition(".")[2] in ("F", "functional", "nn", "torch", "T", "mg", "")
    given = value.args[0] if value.args and (namespace or text == "self") else owner
    name = "" if given is None else ast.unparse(given)
    thing = evidence.context.variables.get(name)
    if not name.isidentifier() or (thing is not None and not is_tensor(thing)):
        return ""
    if thing is None and last_name(value) in FROM_MODULE:
        return ""
    return "" if thing is not None and is_module(thing) else parenthesize(name)


def known(evidence: Evidence, name: str, statement: Statement) -> object:
    """Return the value of a variable; an argument of a forward counts as a tensor."""
    value = evidence.context.variables.get(name)
    return evidence.root if value is None and not statement.loops else value


PROGRAM = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = T.nn.Linear(3, 8), T.nn.Linear(8, 1)

    def forward(self, x):
        x = self.one(x)
        {line}T.relu(x)
        return self.two(x)""",
    net="Net()",
)

RULE = Rule(
    key="unused_result",
    severity=2,
    chapter="15",
    en=Words(
        "a result that is dropped",
        "{line} computes a new tensor and drops it: `{t}` stays as it was.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "结果被丢弃",
        "{line}算出了一个新张量，但没有保存：`{t}` 还是原来的样子。",
        "请写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(line=""),
    sound=PROGRAM.format(line="x = "),
    before=("no_activation",),
)

STATES = training(
    first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = T.nn.GRU(3, 4), T.nn.GRU(3, 4)
        self.out = T.nn.Linear(4, 1)

    def forward(self, x, given):
        _, state = self.encoder(x)
        made, _ = self.decoder(given{given})
        return self.out(made)""",
    net="Net()",
    data="T.randn(5, 8, 3), T.randn(5, 8, 1)",
    inside="loss = (net(x, x) - y).pow(2).mean()",
)


def find_unread(evidence: Evidence) -> Match | None:
    """Find a layer's result that its function never reads, where the layer gets no gradient."""
    for part in places(evidence):
        read = {n.id for n in ast.walk(part) if isinstance(n, ast.Name) and reads(n)}
        for tree in (n for n in ast.walk(part) if isinstance(n, ast.Assign)):
            names = [n for n in sorted(assigned(tree)) if n[0] != "_"]
            left = [n for n in names if n not in read]
            line = line_of(evidence, tree) if left else None
            parts = {"line": evidence.context.line(line), "t": left[-1]} if line and left else {}
            found = (n for n in left if DETERMINANT.search(n) and len(names) > 1)
            if parts and (term := next(found, "")):
                why = evidence.context.say("unread_determinant", t=term)
                cure = with_determinant(part, {*names} - {term}, term)
                return Match({**parts, "t": term, "why": why, "cure": f"`{cure}`"}, (term,))
            silent = [m for m in layers_of(evidence, tree.value) if without_gradient(evidence, m)]
            if parts and left == names and silent:
                why = evidence.context.say("unread_layer", layer=evidence.name(silent[0]))
                inner = (n for t in tree.targets for n in ast.iter_child_nodes(t))
                given = next((n for n in inner if isinstance(n, ast.Tuple)), None)
                name = left[-1] if given is None else ast.unparse(given)
                cure = f"`{used_instead(evidence, part, tree, name)}`"
                return Match({**parts, "why": why, "cure": cure}, (left[-1],))
    return find_uncalled(evidence)


def find_uncalled(evidence: Evidence) -> Match | None:
    """Find a layer that the text makes and never reads, where an optimizer holds its weights."""
    if evidence.seen is not None or any(WALKING.search(text) for text in evidence.code):
        return None  # not_called.py watches the calls
    for _, holder, statements in evidence.forwards:
        for path, layer in holder.named_children():
            read = sum(len(re.findall(rf"\.{path}\b", text)) for text in evidence.code)
            made = [s for s in evidence.written if f"self.{path}" in targets_of(s.tree)]
            if read == len(made) == 1 and without_gradient(evidence, layer):
                why = evidence.context.say("unread_layer", layer=evidence.name(layer))
                cure = f"`{added_place(evidence, holder, statements, path)}`"
                parts = {"line": evidence.context.line(made[0]), "t": f"self.{path}"}
                return Match({**parts, "why": why, "cure": cure}, (evidence.name(layer),))
    return None


WALKING = re.compile(r"children\(|modules\(|getattr|_modules|__dict__")


def added_place(
    evidence: Evidence, holder: Any, statements: tuple[Statement, ...], path: str
) -> str:
    """Return the words' vectors with those of their places, or a call of the layer."""
    for call in (c for s in statements for c in calls_in(s.tree) if len(c.args) == 1):
        layer = layer_of(evidence, holder, call)
        if layer_kind(layer) == "Embedding" and path.lower().startswith("pos"):
            arange = f"{module_names(evidence.context)['library']}.arange"
            return (
                f"{ast.unparse(call)} + self.{path}({arange}({ast.unparse(call.args[0])}.shape[1]))"
            )
    return f"self.{path}(...)"


def places(evidence: Evidence) -> Iterator[ast.AST]:
    """Yield the functions of the text, and the outermost loops outside them."""
    for text in evidence.texts:
        waiting: list[ast.AST] = [tree_of(text)]
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, ast.FunctionDef | ast.For | ast.While):
                yield node
            else:
                waiting += ast.iter_child_nodes(node)


def reads(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


DETERMINANT = re.compile(r"log_?(abs_?)?det|ldj|ladj|jacobian", re.I)


def with_determinant(part: ast.AST, others: set[str], term: str) -> str:
    """Return the log-probability of the transformed data with the missing term."""
    for call in calls_in(part):
        given = {ast.unparse(each) for each in call.args}
        if given & others and "log_prob" in ast.unparse(call.func):
            summed = outside(part, call)
            return f"({ast.unparse(summed)} + {term})"
    return f"log_prob + {term}"


def outside(part: ast.AST, call: ast.Call) -> ast.Call:
    """Return `p.log_prob(z).sum(1)` for `p.log_prob(z)`, where the numbers of a sample meet."""
    for node in calls_in(part):
        if isinstance(node.func, ast.Attribute) and node.func.value is call:
            return node if node.func.attr == "sum" and (node.args or node.keywords) else call
    return call


def line_of(evidence: Evidence, tree: ast.stmt) -> Statement | None:
    text = ast.unparse(tree)
    known = (*evidence.forward_lines, *evidence.lines, *evidence.written)
    same = (s for s in known if s.line == tree.lineno and s.tree is not None)
    return next((s for s in same if s.tree is not None and ast.unparse(s.tree) == text), None)


def layers_of(evidence: Evidence, value: ast.expr) -> list[Any]:
    """Return the modules that an expression calls."""
    owners = [None, *(module for _, module, _ in evidence.forwards)]
    found = (layer_of(evidence, o, c) for c in calls_in(value) for o in owners)
    return [each for each in found if each is not None and is_module(each)]


def without_gradient(evidence: Evidence, module: Any) -> bool:
    """Return whether an optimizer holds all weights of a module, and none gets a gradient."""
    reached = {id(leaf) for leaf in evidence.leaves}
    own = list(module.parameters())
    return bool(own and reached) and all(
        id(p) in evidence.held and p.requires_grad and p.grad is None and id(p) not in reached
        for p in own
    )


def used_instead(evidence: Evidence, part: ast.AST, tree: ast.Assign, name: str) -> str:
    """Return a call that takes the state of the layer, or a pair of which it is the second."""
    after = [n for n in ast.walk(part) if getattr(n, "lineno", 0) > tree.lineno]
    for node in after:
        match node:
            case ast.BinOp(left=first, right=second) | ast.Call(args=[first, second, *_]):
                both = [each.id for each in ast.walk(first) if isinstance(each, ast.Name)]
                text = ast.unparse(second)
                if len(both) == 1 and re.findall(rf"\b{both[0]}\b", text):
                    other = re.sub(rf"\b{both[0]}\b", name, text)
                    whole = ast.unparse(node)
                    return other.join(whole.rsplit(text, 1))
            case ast.Call(args=[given]) if RECURRENT & {
                type(m).__name__ for m in layers_of(evidence, ast.Call(node.func, [], []))
            }:
                return f"{ast.unparse(node.func)}({ast.unparse(given)}, {name})"
    return name


RECURRENT = {"GRU", "LSTM", "RNN"}

UNREAD = Rule(
    key="unread_result",
    chapter="15",
    en=Words(
        "a result that no line reads",
        "{line} makes `{t}`, and no line of that function or loop reads it: {why}",
        "Write {cure} where it belongs.",
    ),
    zh=Words(
        "没有语句读取的结果",
        "{line}得到了 `{t}`，而那个函数或循环里没有语句读取它：{why}",
        "请在该用它的地方写 {cure}。",
    ),
    find=find_unread,
    broken=STATES.format(given=""),
    sound=STATES.format(given=", state"),
    before=("cut", "not_called"),
)

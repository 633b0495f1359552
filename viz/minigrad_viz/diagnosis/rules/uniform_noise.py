"""Noise of another kind than is meant, or drawn anew, and noisy data as their own target."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...model.program_text import assigned
from ..syntax import calls_in, last_name, names_in
from .evidence import Evidence
from .programs import training, variational
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .unused_result import line_of, places


def find(evidence: Evidence) -> Match | None:
    """Find `mu + std * rand_like(std)`, where `std` is an exponential."""
    lines = [*evidence.forward_lines, *evidence.lines]
    for statement in lines:
        drawn = [c for c in calls_in(statement.tree) if last_name(c) == "rand_like"]
        if len(drawn) != 1:
            continue
        names, spread = assigned(statement.tree), ast.unparse(drawn[0].args[0])
        same = [s for s in lines if s.file == statement.file and s.loops == statement.loops]
        made = [s for s in same if spread in assigned(s.tree)]
        if not any(last_name(c) == "exp" for s in made for c in calls_in(s.tree)):
            continue
        for other in same:
            for product in ast.walk(other.tree or ast.Pass()):
                if not isinstance(product, ast.BinOp) or not isinstance(product.op, ast.Mult):
                    continue
                sides = {*names_in(product)}
                direct = other == statement and "rand_like" in ast.unparse(product)
                if spread in sides and (names & sides or direct):
                    text = ast.unparse(drawn[0])
                    instead = text.replace("rand_like", "randn_like", 1)
                    parts = {"line": evidence.context.line(statement), "text": text}
                    return Match({**parts, "instead": instead})
    return None


PROGRAM = variational(draw="std = (0.5 * logvar).exp()\nz = mu + std * T.{noise}(std)")

RULE = Rule(
    key="uniform_noise",
    severity=2,
    chapter="16",
    en=Words(
        "uniform noise for a normal distribution",
        "`{text}` in {line} draws from 0 to 1, never below 0, and the spread that multiplies it is "
        "that of a normal distribution.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "把均匀噪声当成正态噪声",
        "{line}里的 `{text}` 抽取 0 到 1 的数，从不小于 0，而与它相乘的是正态分布的标准差。",
        "请写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(noise="rand_like"),
    sound=PROGRAM.format(noise="randn_like"),
)


NORMAL = ("randn", "randn_like", "normal")


def draws(tree: ast.AST) -> list[ast.Call]:
    return [call for call in calls_in(tree) if last_name(call) in NORMAL]


def steps_in(part: ast.AST) -> list[ast.Assign]:
    return [n for n in ast.walk(part) if isinstance(n, ast.Assign) and len(n.targets) == 1]


def steps_of(part: ast.AST) -> list[ast.stmt]:
    return [n for n in ast.walk(part) if isinstance(n, ast.Assign | ast.Return)]


def losses_in(evidence: Evidence, part: ast.AST) -> Iterator[tuple[ast.stmt, ast.Call]]:
    """Yield the losses of two tensors in a function or a loop, with their lines."""
    for tree in ast.walk(part):
        if isinstance(tree, ast.Assign | ast.Expr | ast.Return) and tree.value is not None:
            for call in calls_in(tree.value):
                criterion = last_name(call) in ("criterion", "mse", "l1")
                if len(call.args) == 2 and (criterion or is_loss(evidence, call)):
                    yield tree, call


def find_fresh(evidence: Evidence) -> Match | None:
    """Find a target that is drawn and goes nowhere else, where other noise is mixed in."""
    parts = [*places(evidence)]
    added = [(part, call, name) for part in parts for call, name in mixed(evidence, part)]
    for part in parts:
        for tree, call in losses_in(evidence, part):
            target = ast.unparse(call.args[1])
            value = given_to(part, call.args[1])
            single = value is call.args[1] or loads(part, target) == 1
            others = [(p, c, n) for p, c, n in added if c is not value]
            line = line_of(evidence, tree)
            if not isinstance(value, ast.Call) or last_name(value) not in NORMAL:
                continue
            if single and others and line is not None:
                whole, other, name = next((each for each in others if each[0] is part), others[0])
                key = "cure_fresh_given" if whole is part and name else "cure_fresh_other"
                made = next((s for s in steps_of(whole) if other in calls_in(s)), tree)
                at = evidence.context.line(line_of(evidence, made) or line)
                cure = evidence.context.say(key, t=name, line=at, other=ast.unparse(other))
                shown = {"line": evidence.context.line(line), "t": target}
                return Match({**shown, "cure": cure})
    return None


def loads(part: ast.AST, name: str) -> int:
    """Return how often a function or a loop reads a variable."""
    names = (n for n in ast.walk(part) if isinstance(n, ast.Name) and n.id == name)
    return sum(isinstance(each.ctx, ast.Load) for each in names)


def given_to(part: ast.AST, tree: ast.expr) -> ast.expr:
    """Return the value of a variable to which one line of a function or a loop assigns."""
    made = [s.value for s in steps_in(part) if ast.unparse(s.targets[0]) == ast.unparse(tree)]
    return made[0] if len(made) == 1 else tree


def mixed(evidence: Evidence, part: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Yield draws that are added to something, in place or through a function's parameter."""
    sums = [n for n in ast.walk(part) if isinstance(n, ast.BinOp) and
            isinstance(n.op, ast.Add | ast.Mult)]  # fmt: skip
    yield from ((call, "") for each in sums for call in draws(each))
    for step in steps_in(part):
        name = ast.unparse(step.targets[0])
        if isinstance(step.value, ast.Call) and last_name(step.value) in NORMAL:
            passed = any(adds(evidence, call, name) for call in calls_in(part))
            if passed or any(name in names_in(each) for each in sums):
                yield step.value, name


def adds(evidence: Evidence, call: ast.Call, name: str) -> bool:
    """Return whether a function of the program adds or multiplies what a call gives it by name."""
    function = evidence.functions.get(last_name(call))
    given = [ast.unparse(each) for each in call.args]
    if function is None or name not in given:
        return False
    own = [each.arg for each in function[0].args.args if each.arg != "self"]
    parameter = own[given.index(name)] if given.index(name) < len(own) else ""
    sums = (n for n in ast.walk(function[0]) if isinstance(n, ast.BinOp))
    return any(parameter in names_in(each) for each in sums)


def find_noisy(evidence: Evidence) -> Match | None:
    """Find `loss(model(noisy), noisy)`, where noise was added to clean data that stay unread."""
    for part in places(evidence):
        for tree, call in losses_in(evidence, part):
            target, first = map(ast.unparse, reversed(call.args))
            said, made = given_to(part, call.args[0]), given_to(part, call.args[1])
            given = [ast.unparse(each) for each in said.args] if isinstance(said, ast.Call) else []
            line = line_of(evidence, tree)
            if given != [target] or made is call.args[1] or line is None:
                continue
            for clean in sorted(names_in(made) & corrupted(evidence, made)):
                if clean != target and loads(part, clean) == loads(made, clean):
                    fixed = f"{ast.unparse(call.func)}({first}, {clean})"
                    parts = {"line": evidence.context.line(line), "t": target, "instead": fixed}
                    return Match({**parts, "clean": clean}, (target,))
    return None


def corrupted(evidence: Evidence, made: ast.expr) -> set[str]:
    """Return the variables to which noise is added, or of which some places are set to zero."""
    if isinstance(made, ast.Call) and last_name(made) in evidence.functions:
        body = evidence.functions[last_name(made)][0]
        noisy = any(draws(n) for n in ast.walk(body) if isinstance(n, ast.BinOp))
        return (
            names_in(ast.Tuple(made.args, ast.Load())) if noisy and len(made.args) == 1 else set()
        )
    if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Add) and draws(made):
        return {n.id for n in (made.left, made.right) if isinstance(n, ast.Name)}
    masked = isinstance(made, ast.BinOp) and isinstance(made.op, ast.Mult)
    drawn = any("rand" in last_name(c) or "bernoulli" in last_name(c) for c in calls_in(made))
    sides = (made.left, made.right) if isinstance(made, ast.BinOp) and masked and drawn else ()
    return {n.id for n in sides if isinstance(n, ast.Name)}


DIFFUSION = training(
    net="T.nn.Linear(3, 3)",
    data="x = T.randn(8, 3) * 0.1 + 2",
    inside="noise = T.randn_like(x)\n"
    "loss = T.nn.functional.mse_loss(net(0.6 * x + 0.8 * noise), {target})",
)

FRESH = Rule(
    key="fresh_noise",
    chapter="16",
    en=Words(
        "a target that is drawn anew",
        "The target `{t}` in {line} is drawn and goes nowhere else: it has nothing to do with the "
        "noise that the model's input holds, so nothing but its mean can be learned.",
        "{cure}",
    ),
    zh=Words(
        "重新抽取的目标",
        "{line}的目标 `{t}` 是新抽取的，别处没有用到：它与输入里的噪声无关，能学到的只有它的均值。",
        "{cure}",
    ),
    find=find_fresh,
    broken=DIFFUSION.format(target="T.randn_like(x)"),
    sound=DIFFUSION.format(target="noise"),
    before=("not_learned",),
)

CLEANER = training(
    net="T.nn.Linear(3, 3)",
    data="data = T.randn(8, 3) * 0.1 + 2",
    inside="noisy = data + 0.3 * T.randn_like(data)\n"
    "loss = T.nn.functional.mse_loss(net(noisy), {target})",
)

NOISY = Rule(
    key="noisy_target",
    severity=2,
    chapter="16",
    en=Words(
        "noisy data as their own target",
        "{line} compares the model's result for `{t}` with `{t}` itself, noise and all: it learns "
        "to keep the noise, and nothing reads `{clean}`.",
        "Compare with the clean data: `{instead}`.",
    ),
    zh=Words(
        "以带噪声的数据为目标",
        "{line}把模型对 `{t}` 的结果与 `{t}` 本身比较，连噪声一起：模型学会的是保留噪声，而 "
        "`{clean}` 没有被读取。",
        "请与干净的数据比较：`{instead}`。",
    ),
    find=find_noisy,
    broken=CLEANER.format(target="noisy"),
    sound=CLEANER.format(target="data"),
)

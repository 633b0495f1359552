"""The kinds of problems of training steps, in a table at the end with the function that finds each.

A kind is reported only if all of its evidence was recorded, since unusual steps may be right. Where
a step may be intended, the report offers a choice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from types import FunctionType
from typing import Any

from ..model.either_library import version_of
from ..model.hooks import names_on
from ..model.names import is_tensor
from ..model.program_text import Program, Statement, assigned, texts_of
from ..texts.language import Language
from ..texts.sentences import filled, reason, sentences
from .causes import Context
from .ended import describe, explain_lost
from .history import History
from .observed import (
    LARGE,
    Called,
    Observed,
    Output,
    Pass,
    Step,
    Watched,
    checksum,
    finite,
    held_by,
    iterations_reached,
)
from .reachable import Thing, is_module, names_of, things_in, unregistered_leaves

VANISHING = 1e-6
"""A weight's gradient vanishes below this share of the largest weight gradient."""


@dataclass(frozen=True)
class Problem:
    """One problem: its kind, the names of parameters or variables, and its sentences."""

    kind: str
    names: tuple[str, ...]
    wrong: str
    title: str = ""
    cure: str = ""
    tried: str = ""
    """The result of trying the cure, or the reason why it was not tried."""
    more: tuple[str, ...] = ()
    space: str = " "
    """Stands between sentences."""

    @property
    def text(self) -> str:
        """All sentences."""
        said = (self.wrong, self.cure, self.tried, *self.more)
        return self.space.join(each for each in said if each)


class Examination:
    """A recording, with names and sentences for its findings."""

    def __init__(self, seen: Observed, language: Language) -> None:
        self.seen = seen
        self.language = language
        places = list(seen.place)
        if not any(frame is seen.caller for frame, _ in places):
            places.insert(0, (seen.caller, seen.caller.f_lineno))
        known = {id(thing) for _, thing in seen.things}
        here = [(n, t) for n, t in things_in(places, tensors=True) if id(t) not in known]
        self.things: list[Thing] = [*seen.things, *here]
        self.names = names_of(self.things)
        for module, outer in self.unregistered:
            if (path := path_in(outer, module)) and id(outer) in self.names:
                for inside, each in module.named_modules():
                    name = f"{self.names[id(outer)]}.{path}.{inside}".rstrip(".")
                    self.names.setdefault(id(each), name)
        self.modules = self.all_modules()
        self.owners: dict[int, list[Any]] = {}
        for module in self.modules.values():
            for path, parameter in module.named_parameters(recurse=False):
                self.owners.setdefault(id(parameter), []).append(module)
                name = f"{self.name(module)}.{path}"
                self.names.setdefault(id(parameter), name)
        self.stepped = [o for o in seen.optimizers.values() if id(o) in seen.stepped]
        self.held = {id(p): p for o in seen.optimizers.values() for p in held_by(o)}
        self.moved = {id(p): p for o in self.stepped for p in held_by(o)}
        self.places = places

    @cached_property
    def context(self) -> Context:
        """The names and the program's text, for the functions of `explain`."""
        tensors = {name: t for name, t in reversed(self.things) if is_tensor(t)}
        for each in self.seen.watched.values():
            if id(each.tensor) in self.names:
                tensors.setdefault(self.names[id(each.tensor)], each.tensor)
        # The root's variable may hold another tensor now.
        if self.seen.passes and self.seen.passes[-1].text:
            tensors[self.seen.passes[-1].text] = self.seen.root
        return Context(self.language, tensors, self.places)

    def all_modules(self) -> dict[int, Any]:
        found: dict[int, Any] = {}
        roots = [thing for _, thing in self.things if is_module(thing)]
        roots += [called.module for called in self.seen.called.values()]
        for root in roots:
            for module in root.modules():
                found.setdefault(id(module), module)
        return found

    def name(self, thing: Any) -> str:
        return self.names.get(id(thing)) or type(thing).__name__

    def say(self, key: str, **parts: object) -> str:
        return filled(self.language, "doctor", key, parts)

    @property
    def sentences(self) -> Mapping[str, str]:
        return sentences(self.language, "doctor")

    def where(self, statement: Statement | None) -> str:
        return "" if statement is None else self.context.where(statement)

    def problem(self, kind: str, about: Iterable[Any], *more: str, **parts: object) -> Problem:
        """Make a problem; `about` are watched parameters or names."""
        names = [self.name(x.tensor) if isinstance(x, Watched) else str(x) for x in about]
        names = list(dict.fromkeys(names))
        said = {"names": self.join_names(names), **parts}
        cure = self.say(f"cure_{kind}", **said) if f"cure_{kind}" in self.sentences else ""
        wrong, space = self.say(kind, **said), reason(self.language, "space")
        return Problem(kind, tuple(names), wrong, cure=cure, more=more, space=space)

    def join_names(self, names: list[str]) -> str:
        shown = [f"`{name}`" for name in names[:3]]
        if len(names) == 4:
            shown.append(f"`{names[3]}`")
        text = self.say("comma").join(shown)
        if len(names) > 4:
            text = self.say("and_more", names=text, count=len(names) - 3)
        return text

    def without_gradient(self) -> list[Watched]:
        """Return parameters that an optimizer moves and that had no gradient.

        No pass brought one, and the program assigned none.
        """
        seen = self.seen.watched
        found = [seen[i] for i in self.moved if i in seen and not seen[i].passes]
        return [w for w in found if all(s.largest == 0 for s in w.sizes)]

    @property
    def several_iterations(self) -> bool:
        """Whether there were passes in more than one iteration.

        Only then is a module visible that every second iteration uses.
        """
        return bool(self.seen.passes and self.seen.iteration > 1)

    def calls_of(self, watched: Watched) -> list[Called]:
        """Return how the modules that own a parameter were called."""
        owners = self.owners.get(id(watched.tensor), [])
        return [self.seen.called[id(m)] for m in owners if id(m) in self.seen.called]

    def is_unchanged(self, watched: Watched) -> bool:
        """Return whether the parameter was never written to, not even through `.data`."""
        same = version_of(watched.tensor) == watched.version
        return bool(same and checksum(watched.tensor) == watched.first_checksum)

    @cached_property
    def unregistered(self) -> list[tuple[Any, Any]]:
        """Modules called in the forward of one that does not know them, with that one."""
        known: dict[int, set[int]] = {}
        found = []
        for called in self.seen.called.values():
            for outer in called.inside:
                if id(outer) not in known:
                    known[id(outer)] = {id(each) for each in outer.modules()}
                if id(called.module) not in known[id(outer)]:
                    found.append((called.module, outer))
        return found

    @cached_property
    def sources(self) -> list[str]:
        """The text of the files or cells that contain the step's functions."""
        return [text for frame, _ in self.places for text in texts_of(frame)]


# --- Parameters without a gradient


def find_no_pass(exam: Examination) -> Iterator[Problem]:
    seen = exam.seen
    steps = [step for step in seen.steps if step.emptied or step.fresh or step.summed or step.again]
    if seen.steps and not seen.passes and not steps and any(exam.without_gradient()):
        if all(w.tensor.grad is None for w in exam.without_gradient()):
            names = [exam.name(o) for o in exam.stepped]
            where = exam.where(seen.steps[0].place)
            problem = exam.problem("no_pass", names, where=where)
            if any(".backward(" in text for text in [*exam.sources, *texts_of(seen.caller)]):
                text = exam.say("no_pass_reached", names=exam.join_names(names), where=where)
                problem = replace(problem, wrong=text)
            yield problem


def find_frozen(exam: Examination) -> Iterator[Problem]:
    found = [w for w in exam.without_gradient() if not w.tensor.requires_grad and exam.seen.passes]
    if found:
        yield exam.problem("frozen", found, optimizer=optimizer_of(exam, found))


def find_held_elsewhere(exam: Examination) -> Iterator[Problem]:
    stale = [w for w in exam.without_gradient() if is_unreachable(exam, w)]
    seen = exam.seen.watched.values()
    twins = [w for w in seen if w.passes and id(w.tensor) not in exam.held and exam.calls_of(w)]
    if not twins or not stale or not take_place_of(exam, stale, twins):
        return
    optimizer = optimizer_of(exam, stale)
    made = exam.context.program.assignment(optimizer) if optimizer.isidentifier() else None
    yield exam.problem("held_elsewhere", twins, optimizer=optimizer, where=exam.where(made))


def take_place_of(exam: Examination, stale: list[Watched], twins: list[Watched]) -> bool:
    """Return whether the `twins` stand where the `stale` parameters stood.

    They have the same shapes. Or their number is the same, and the optimizer also holds the rest of
    their model.
    """
    shapes = [tuple(w.tensor.shape) for w in twins]
    if all(tuple(w.tensor.shape) in shapes for w in stale):
        return True
    held = {id(p) for o in exam.stepped if holds(o, stale[0]) for p in held_by(o)}
    fresh = {id(w.tensor) for w in twins}
    dimensions = [len(w.tensor.shape) for w in stale]
    for _, module in exam.things:
        if is_module(module) and dimensions == [len(shape) for shape in shapes]:
            parameters = {id(p) for p in module.parameters() if p.requires_grad}
            if fresh <= parameters and parameters - fresh <= held:
                return True
    return False


def holds(optimizer: Any, watched: Watched) -> bool:
    return any(each is watched.tensor for each in held_by(optimizer))


def is_unreachable(exam: Examination, watched: Watched) -> bool:
    """Return whether no module and no variable of the program has the parameter."""
    return id(watched.tensor) not in exam.owners and id(watched.tensor) not in exam.names


def find_not_called(exam: Examination) -> Iterator[Problem]:
    groups: dict[int, tuple[Any, list[Watched]]] = {}
    for watched in exam.without_gradient():
        owners = exam.owners.get(id(watched.tensor))
        if watched.tensor.requires_grad and owners and not exam.calls_of(watched):
            if exam.several_iterations and not is_one_of_several(exam, owners[0]):
                groups.setdefault(id(owners[0]), (owners[0], []))[1].append(watched)
    if groups:
        modules = [f"`{exam.name(module)}`" for module, _ in groups.values()]
        found = [w for _, ws in groups.values() for w in ws]
        parts = {"iterations": exam.seen.iteration, "optimizer": optimizer_of(exam, found)}
        yield exam.problem("not_called", found, modules=exam.say("comma").join(modules), **parts)


def is_one_of_several(exam: Examination, module: Any) -> bool:
    """Return whether `forward` chooses among a module and others that were called.

    An expert or a head that was not chosen in the watched iterations may be chosen later.
    """
    for holder in exam.modules.values():
        for attribute, row in holder.named_children():
            if type(row).__name__ not in ("ModuleList", "ModuleDict"):
                continue
            children = list(row.children())
            inside = any(m is module for child in children for m in child.modules())
            if inside and any(id(m) in exam.seen.called for c in children for m in c.modules()):
                return chooses(holder, attribute)
    return False


def chooses(holder: Any, attribute: str) -> bool:
    """Return whether a method of a module chooses from its list by a value that it computes.

    It indexes the list, or calls some of its elements under a condition.
    """
    for function in vars(type(holder)).values():
        if not isinstance(function, FunctionType) or function.__name__ == "__init__":
            continue
        for statement in Program.of(function).statements:
            for node in ast.walk(statement.tree or ast.Pass()):
                if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
                    computed = not isinstance(node.slice, ast.Constant | ast.Slice | ast.UnaryOp)
                    if node.value.attr == attribute and computed:
                        return True
            if statement.arms and statement.loops and calls_element(function, attribute, statement):
                return True
    return False


def calls_element(function: FunctionType, attribute: str, statement: Statement) -> bool:
    """Return whether a statement calls the variable of a loop over a list of modules."""
    names = {n.func.id for n in ast.walk(statement.tree or ast.Pass())
             if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}  # fmt: skip
    for head in Program.of(function).statements:
        if head.line in statement.loops and f"self.{attribute}" in head.text:
            if names & assigned(head.tree):
                return True
    return False


def find_no_grad(exam: Examination) -> Iterator[Problem]:
    found = []
    where: Statement | None = None
    for watched in exam.without_gradient():
        calls = exam.calls_of(watched)
        if watched.tensor.requires_grad and calls and not any(c.recorded for c in calls):
            found.append(watched)
            where = where or calls[0].place
    if found and exam.several_iterations:
        yield exam.problem("no_grad", found, where=exam.where(where))


def find_cut(exam: Examination) -> Iterator[Problem]:
    groups: dict[tuple[str, ...], list[Watched]] = {}
    for watched in exam.without_gradient():
        calls = exam.calls_of(watched)
        # The call of the iteration after the last pass may be the first.
        known = any(c.recorded and (c.before or 0) < len(exam.seen.passes) for c in calls)
        named = id(watched.tensor) in exam.names and not exam.owners.get(id(watched.tensor))
        if not watched.tensor.requires_grad or not (known or named) or not exam.several_iterations:
            continue
        sentences: list[str] = []
        if exam.seen.root is not None:
            sentences = explain_way(exam.context, watched.tensor, exam.seen.root)
        groups.setdefault(tuple(sentences), []).append(watched)
    for more, found in groups.items():
        optimizer = optimizer_of(exam, found)
        yield exam.problem("cut", found, *more, optimizer=optimizer, iterations=exam.seen.iteration)


def explain_way(context: Context, t: Any, root: Any) -> list[str]:
    """Explain where the path from the root to `t` ends, by the graph and the program's text."""
    if context.names.of(root) is not None:
        missing = context.explain_missing(t, root)
        if missing.cause == "always_returned_none":
            return missing.sentences
        return explain_lost(context, t, root)[1] or missing.sentences[1:]

    def leads(tensor: Any) -> bool:
        return tensor is t or bool(tensor.requires_grad and context.reaches(tensor, t))

    history = History(leads, context.running, leaves=False)
    fate = history.fate_of_root("")
    return describe(context, history, fate) if fate.kind == "cut" else []


def optimizer_of(exam: Examination, found: list[Watched]) -> str:
    """Return the name of the optimizer that holds the first of these."""
    return next(exam.name(each) for each in exam.stepped if holds(each, found[0]))


# --- Parameters that no optimizer moves


def find_hidden(exam: Examination) -> Iterator[Problem]:
    found: list[Watched] = []
    places: list[str] = []
    owner = ""
    for module, outer in exam.unregistered:
        inside = [exam.seen.watched.get(id(p)) for p in module.parameters()]
        learned = [w for w in inside if w is not None and w.passes]
        if not learned or any(id(w.tensor) in exam.held for w in learned):
            continue
        place = find_place(outer, module)
        if place and all(exam.is_unchanged(w) for w in learned) and exam.stepped:
            found += learned
            places.append(place)
            owner = type(outer).__name__
    if found:
        yield exam.problem("hidden", places, owner=owner, count=len(found))


def find_hidden_tensors(exam: Examination) -> Iterator[Problem]:
    """Find tensors that a module learns with and `parameters()` does not return."""
    names: list[str] = []
    owner = ""
    for called in exam.seen.called.values():
        if not any(id(p) in exam.moved for p in called.module.parameters()):
            continue
        for name, leaf in unregistered_leaves(called.module):
            watched = exam.seen.watched.get(id(leaf))
            if watched is None or not watched.passes or id(leaf) in exam.held:
                continue
            if id(leaf) in exam.owners or not exam.is_unchanged(watched) or has_hooks(watched):
                continue
            attribute = re.escape(name.partition("[")[0].removeprefix("self."))
            asked = re.compile(rf"\b{attribute}\b.*\.grad\b")  # the program reads its gradient
            if not any(asked.search(text) for text in exam.sources):
                names.append(name)
                owner = owner or type(called.module).__name__
    if names:
        yield exam.problem("hidden_tensors", names, owner=owner)


def find_place(outer: Any, module: Any) -> str:
    """Return the expression, such as `self.blocks[0]`, for a module that another does not know."""
    for attribute, value in vars(outer).items():
        if attribute.startswith("_"):
            continue
        pairs: list[tuple[Any, Any]] = []
        if isinstance(value, list | tuple):
            pairs = list(enumerate(value))
        elif isinstance(value, Mapping):
            pairs = list(value.items())
        for key, each in pairs:
            if is_module(each) and any(m is module for m in each.modules()):
                return f"self.{attribute}[{key!r}]"
    return ""


def path_in(outer: Any, module: Any) -> str:
    """Return the path of a module in another that does not know it: `blocks[0].1`."""
    place = find_place(outer, module)
    held = element_at(outer, place)
    names = [n for n, m in held.named_modules() if m is module] if is_module(held) else []
    return f"{place.removeprefix('self.')}.{names[0]}".rstrip(".") if names else ""


def element_at(outer: Any, place: str) -> Any:
    """Return the object at `self.blocks[0]`, as `find_place` writes it."""
    attribute, _, key = place.removeprefix("self.").rstrip("]").partition("[")
    value = vars(outer).get(attribute)
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value or ())
    return next((each for other, each in pairs if repr(other) == key), None)


def find_not_held(exam: Examination) -> Iterator[Problem]:
    outside = {id(p) for module, _ in exam.unregistered for p in module.parameters()}
    found: dict[int, Watched] = {}
    for _, module in exam.things:
        if not is_module(module) or id(module) not in exam.seen.called:
            continue
        parameters = list(module.parameters())
        if not any(id(p) in exam.moved for p in parameters):
            continue
        for p in parameters:
            watched = exam.seen.watched.get(id(p))
            if watched is None or not watched.passes or not p.requires_grad or id(p) in outside:
                continue
            if id(p) not in exam.held and exam.is_unchanged(watched) and not has_hooks(watched):
                found[id(p)] = watched
    elsewhere = {name for each in find_held_elsewhere(exam) for name in each.names}
    left = [w for w in found.values() if exam.name(w.tensor) not in elsewhere]
    if left:
        yield exam.problem("not_held", left)


def has_hooks(watched: Watched) -> bool:
    """Return whether the program itself hooks into this gradient."""
    return bool(names_on(watched.tensor))


# --- Sizes of gradients


def weights(exam: Examination) -> list[Watched]:
    """Return parameters of two or more dimensions with a gradient in at least two steps."""
    seen = exam.seen.watched.values()
    found = [w for w in seen if len(w.tensor.shape) > 1 and w.tensor.requires_grad]
    return [w for w in found if len(w.sizes) > 1 and not has_hooks(w)]


def find_zero(exam: Examination) -> Iterator[Problem]:
    found = [w for w in weights(exam) if all(s.largest == 0 for s in w.sizes)]
    if found and exam.seen.iteration > 1 and not any(p.zero for p in exam.seen.passes):
        yield exam.problem("zero", found, iterations=exam.seen.iteration)


def find_vanishing(exam: Examination) -> Iterator[Problem]:
    compared = [w for w in weights(exam) if w.sizes[-1].largest < float("inf")]
    most = max(compared, key=lambda w: w.sizes[-1].largest, default=None)
    if most is None:
        return
    limit = VANISHING * most.sizes[-1].largest
    found = [w for w in compared if all(0 < s.largest < limit for s in w.sizes)]
    if found:
        found.sort(key=lambda w: w.sizes[-1].largest)
        least = found[0]
        parts = {"least": exam.name(least.tensor), "size": f"{least.sizes[-1].largest:.1e}"}
        parts |= {"most": exam.name(most.tensor), "other": f"{most.sizes[-1].largest:.1e}"}
        yield exam.problem("vanishing", found, **parts)


SATURATED = 0.95
"""Share of flat results from which on a hidden sigmoid passes next to nothing on."""


def find_saturated(exam: Examination) -> Iterator[Problem]:
    """Find sigmoids between layers that were at the ends of their range in every watched call."""
    seen = exam.seen
    for identity, shares in seen.activations.items():
        called = seen.called.get(identity)
        if called is None or seen.iteration < 2 or min(shares) < SATURATED:
            continue
        kind = type(called.module).__name__
        if kind in ("Sigmoid", "Tanh", "Hardsigmoid", "Hardtanh") and feeds_layer(exam, called):
            parts = {"type": kind, "share": f"{min(shares):.0%}"}
            yield exam.problem("saturated", [exam.name(called.module)], **parts)
            return


def feeds_layer(exam: Examination, called: Called) -> bool:
    """Return whether the same module calls a layer with parameters afterwards."""
    later = list(exam.seen.called.values())
    later = later[later.index(called) + 1 :]
    outer = {id(each) for each in called.inside}
    return any(each.parameters and outer & {id(o) for o in each.inside} for each in later)


def find_exploding(exam: Examination) -> Iterator[Problem]:
    found = []
    for watched in exam.seen.watched.values():
        if watched.jump is not None:
            if any(LARGE < s.largest < float("inf") for s in watched.sizes):
                found.append(watched)
    if found:
        first = max(found, key=lambda w: max(s.largest for s in w.sizes))
        before, after = first.jump or (0.0, 0.0)
        parts = {"name": exam.name(first.tensor), "before": f"{before:.2g}"}
        parts |= {"after": f"{after:.2g}", "size": f"{max(s.largest for s in first.sizes):.1e}"}
        yield exam.problem("exploding", found, **parts)


def find_nan(exam: Examination) -> Iterator[Problem]:
    seen = exam.seen
    broken = [w for w in seen.watched.values() if not finite(w.tensor)]
    before = [w for w in broken if not w.finite]
    if before:
        yield exam.problem("nan_before", before)
    found = [w for w in broken if w.finite]
    if not found or before or any(find_exploding(exam)):
        return
    sentences = [exam.say("nan_step" if not seen.later else "nan_later")]
    if seen.late_nan is not None and seen.origin is None:
        sentences = [exam.say("nan_iteration", iteration=seen.late_nan[0]), *seen.late_nan[1]]
    elif seen.origin is not None:
        thing = seen.origin.thing
        parts = {"name": exam.name(thing), "kind": type(thing).__name__}
        sentences = [exam.say(f"nan_{seen.origin.kind}", **parts), *seen.origin.sentences]
    yield exam.problem("nan", found, *sentences)


# --- What is kept, and what is cleared


def find_grows(exam: Examination) -> Iterator[Problem]:
    seen = exam.seen
    # A dict comprehension keeps the last pass of each iteration.
    by_iteration = {each.iteration: each for each in seen.passes if each.nodes}
    chain = [by_iteration[iteration] for iteration in sorted(by_iteration)]
    if len(chain) < (3 if seen.iterations is None else 2):
        return
    known: frozenset[int] = frozenset()
    for before, after in pairwise(chain):
        new = before.nodes - known
        if not new & after.nodes or len(after.nodes) <= len(before.nodes):
            return
        known = known | before.nodes
    name = keeper(chain[-2], chain[-1].goes_on)
    counts = exam.say("comma").join(str(len(each.nodes)) for each in chain)
    key = "grows_keeper" if name else "grows"
    text = exam.say(key, keeper=name, counts=counts)
    yield Problem("grows", (name,) if name else (), text)


def keeper(before: Pass, used: frozenset[Output]) -> str:
    """Return the variable that held what a later iteration's graph starts from."""
    names = [name for name, result in before.variables.items() if result in used]
    latest = max(names, key=lambda name: before.variables[name][0], default="")
    return latest.partition("[")[0]


def find_kept(exam: Examination) -> Iterator[Problem]:
    """Find variables from which the graphs of several iterations are reachable."""
    if any(find_grows(exam)):
        return
    reached = iterations_reached(exam.things, exam.seen.passes)
    found = [name for name, over in reached.items() if len(over) > 1]
    found = found or [name for name, over in exam.seen.reached.items() if len(over) > 1]
    if found:
        yield exam.problem("kept", found)


def find_not_cleared(exam: Examination) -> Iterator[Problem]:
    for step in first_steps(exam, lambda step: step.summed):
        yield exam.problem("not_cleared", step.summed, **step_parts(exam, step))


def find_not_cleared_by_hand(exam: Examination) -> Iterator[Problem]:
    if exam.seen.optimizers:
        return
    for each in exam.seen.passes:
        if each.not_cleared:
            name = exam.name(each.not_cleared[0].tensor)
            yield exam.problem(
                "not_cleared_by_hand", each.not_cleared, name=name, iteration=each.iteration
            )
            return


def find_no_step(exam: Examination) -> Iterator[Problem]:
    """Find optimizers that get gradients and never step, nor could by the program's text."""
    for optimizer in exam.seen.optimizers.values():
        name = exam.name(optimizer)
        watched = [exam.seen.watched.get(id(p)) for p in held_by(optimizer)]
        if id(optimizer) in exam.seen.stepped:
            continue
        if not all(w and w.passes and exam.is_unchanged(w) for w in watched):
            continue  # the program updates them by hand
        if (
            watched
            and exam.several_iterations
            and never_steps(name.rpartition(".")[2], exam.sources)
        ):
            yield exam.problem("no_step", [name], iterations=exam.seen.iteration)


HARMLESS = {"zero_grad", "param_groups", "state", "state_dict", "load_state_dict"}
"""Attributes of an optimizer that do not step."""


def never_steps(name: str, sources: list[str]) -> bool:
    """Return whether the program's uses of this optimizer are all known and none steps."""
    asked = False
    for source in sources:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return False
        fine: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in HARMLESS:
                fine.add(id(node.value))
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("LR"):
                fine |= {id(each) for each in node.args}
            called = getattr(node, "id", None) or getattr(node, "attr", None)
            if called == name and isinstance(node, ast.Name | ast.Attribute):
                asked = True
                if isinstance(node.ctx, ast.Load) and id(node) not in fine:
                    return False
    return asked


def find_cleared_early(exam: Examination) -> Iterator[Problem]:
    for step in first_steps(exam, lambda step: not (step.fresh or step.again) and step.emptied):
        yield exam.problem("cleared_early", step.emptied, **step_parts(exam, step))


def find_taken_twice(exam: Examination) -> Iterator[Problem]:
    def only_again(step: Step) -> Any:
        return step.again and not (step.fresh or step.summed)

    for step in first_steps(exam, only_again):
        yield exam.problem("taken_twice", step.again, **step_parts(exam, step))
    for step in first_steps(exam, lambda step: step.doubled):
        root = step.doubled[0].text
        key = "taken_doubled" if root else "taken_doubled_loss"
        text = exam.say(key, root=root, iteration=step.iteration)
        yield Problem("taken_twice", (root,) if root else (), text)


def first_steps(exam: Examination, wanted: Callable[[Step], Any]) -> list[Step]:
    """Return the first step of each optimizer that satisfies a condition."""
    found: dict[int, Step] = {}
    for step in exam.seen.steps:
        if wanted(step):
            found.setdefault(id(step.optimizer), step)
    return list(found.values())


def step_parts(exam: Examination, step: Step) -> dict[str, object]:
    return {
        "optimizer": exam.name(step.optimizer),
        "where": exam.where(step.place),
        "iteration": step.iteration,
    }


# --- Modes


MODE_DEPENDENT = ("Dropout", "BatchNorm", "RReLU")
"""Prefixes and suffixes of modules that compute differently in training."""


def find_eval_mode(exam: Examination) -> Iterator[Problem]:
    seen = exam.seen
    last = {id(step.optimizer): step for step in seen.steps if step.passes}
    outermost = {i for each in seen.passes for i in each.modes}
    for module in (m for i, m in exam.modules.items() if i in outermost):
        dependent = sorted(
            {type(m).__name__ for m in module.modules() if computes_for_evaluation(m)}
        )
        if not dependent:
            continue
        for step in last.values():
            if step.iteration != seen.iteration or not any(
                each is p for each in held_by(step.optimizer) for p in module.parameters()
            ):
                continue
            modes = [seen.passes[number - 1].modes.get(id(module), set()) for number in step.passes]
            if set().union(*modes) == {False} and all(modes):
                kinds = exam.say("comma").join(dependent)
                yield exam.problem("eval", [exam.name(module)], kinds=kinds)
                break


def computes_for_evaluation(module: Any) -> bool:
    """Return whether a module depends on the mode and is in evaluation mode."""
    if module.training or not any(each in type(module).__name__ for each in MODE_DEPENDENT):
        return False
    averages = getattr(module, "track_running_stats", True)
    return bool(getattr(module, "p", None) != 0 and averages)


KINDS: dict[str, Callable[[Examination], Iterator[Problem]]] = {
    "no_pass": find_no_pass,
    "nan": find_nan,
    "hidden": find_hidden,
    "hidden_tensors": find_hidden_tensors,
    "held_elsewhere": find_held_elsewhere,
    "cut": find_cut,
    "no_grad": find_no_grad,
    "not_called": find_not_called,
    "frozen": find_frozen,
    "not_held": find_not_held,
    "exploding": find_exploding,
    "vanishing": find_vanishing,
    "zero": find_zero,
    "saturated": find_saturated,
    "no_step": find_no_step,
    "not_cleared": find_not_cleared,
    "not_cleared_by_hand": find_not_cleared_by_hand,
    "cleared_early": find_cleared_early,
    "taken_twice": find_taken_twice,
    "grows": find_grows,
    "kept": find_kept,
    "eval": find_eval_mode,
}
"""Every kind of problem, the most serious first, with the function that finds it."""

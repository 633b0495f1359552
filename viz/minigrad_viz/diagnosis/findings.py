"""What is wrong with training steps, by what was seen of them: a table of kinds at the end, each
with the function that looks for it.

A kind is found only where all of its evidence was seen; the steps that were watched may be odd and
right. What can be meant as it is, is said as a choice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from ..model.hooks import names_on
from ..model.names import is_tensor
from ..model.program import Statement, texts_of
from ..texts.language import Language
from ..texts.sentences import filled, reason
from .causes import Case
from .ended import lost, sentences
from .history import History
from .observed import (
    LARGE,
    Called,
    Observed,
    Output,
    Pass,
    Step,
    Watched,
    finite,
    held_by,
    standing,
    turns_reached,
)
from .reachable import Thing, is_module, names_of, things_in, unregistered_leaves

VANISHING = 1e-6
"""A weight's gradient is called vanishing below this share of the largest weight's."""


@dataclass(frozen=True)
class Ailment:
    """One thing that is wrong: its kind, what it is about (names of parameters or variables), and
    what there is to say.
    """

    kind: str
    names: tuple[str, ...]
    text: str


class Examination:
    """What was seen, with the names and the words for it."""

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
    def case(self) -> Case:
        """The names and the program's text, for what `explain` knows to read in them."""
        tensors = {name: t for name, t in reversed(self.things) if is_tensor(t)}
        for each in self.seen.watched.values():
            if id(each.tensor) in self.names:
                tensors.setdefault(self.names[id(each.tensor)], each.tensor)
        if self.seen.passes and self.seen.passes[-1].text:  # its variable may hold another by now
            tensors[self.seen.passes[-1].text] = self.seen.root
        return Case(self.language, tensors, self.places)

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

    def at(self, statement: Statement | None) -> str:
        return "" if statement is None else self.case.where(statement)

    def ailment(self, kind: str, about: Iterable[Any], *more: str, **parts: object) -> Ailment:
        """`about`: parameters, as they were watched, or names."""
        names = [self.name(x.tensor) if isinstance(x, Watched) else str(x) for x in about]
        names = list(dict.fromkeys(names))
        space = reason(self.language, "space")
        first = self.say(kind, names=self.listed(names), **parts)
        return Ailment(kind, tuple(names), space.join([first, *more]))

    def listed(self, names: list[str]) -> str:
        shown = [f"`{name}`" for name in names[:3]]
        if len(names) == 4:
            shown.append(f"`{names[3]}`")
        text = self.say("comma").join(shown)
        if len(names) > 4:
            text = self.say("and_more", names=text, count=len(names) - 3)
        return text

    def silent(self) -> list[Watched]:
        """Parameters that an optimizer moves, and that have had no gradient: no pass has brought
        one, and nobody has put one there.
        """
        seen = self.seen.watched
        found = [seen[i] for i in self.moved if i in seen and not seen[i].passes]
        return [w for w in found if all(s.largest == 0 for s in w.sizes)]

    @property
    def several_turns(self) -> bool:
        """Were there passes, and turns enough to see what is used in every second one alone?"""
        return bool(self.seen.passes and self.seen.turn > 1)

    def calls_of(self, watched: Watched) -> list[Called]:
        """How the modules that own a parameter were called."""
        owners = self.owners.get(id(watched.tensor), [])
        return [self.seen.called[id(m)] for m in owners if id(m) in self.seen.called]

    def untouched(self, watched: Watched) -> bool:
        """Has nobody written to the parameter, not even through `.data`?"""
        same = watched.tensor._version == watched.version
        return bool(same and standing(watched.tensor) == watched.stood_first)

    @cached_property
    def unregistered(self) -> list[tuple[Any, Any]]:
        """Modules that were called in the forward of one that does not know them, and that one."""
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
        """The text of the files or cells in which the step's functions stand."""
        return [text for frame, _ in self.places for text in texts_of(frame)]


# --- Parameters without a gradient


def no_pass(case: Examination) -> Iterator[Ailment]:
    seen = case.seen
    steps = [step for step in seen.steps if step.emptied or step.fresh or step.summed or step.again]
    if seen.steps and not seen.passes and not steps and any(case.silent()):
        if all(w.tensor.grad is None for w in case.silent()):
            names = [case.name(o) for o in case.stepped]
            yield case.ailment("no_pass", names, where=case.at(seen.steps[0].place))


def frozen(case: Examination) -> Iterator[Ailment]:
    found = [w for w in case.silent() if not w.tensor.requires_grad and case.seen.passes]
    if found:
        yield case.ailment("frozen", found, optimizer=optimizer_of(case, found))


def held_elsewhere(case: Examination) -> Iterator[Ailment]:
    stale = [w for w in case.silent() if nobodys(case, w)]
    seen = case.seen.watched.values()
    twins = [w for w in seen if w.passes and id(w.tensor) not in case.held and case.calls_of(w)]
    if not twins or not stale or not replaced(case, stale, twins):
        return
    optimizer = optimizer_of(case, stale)
    made = case.case.program.assignment(optimizer) if optimizer.isidentifier() else None
    yield case.ailment("held_elsewhere", twins, optimizer=optimizer, where=case.at(made))


def replaced(case: Examination, stale: list[Watched], twins: list[Watched]) -> bool:
    """Do these stand where those stood? They have the same shapes; or they are as many, and what
    else their model has is held by the same optimizer.
    """
    shapes = [tuple(w.tensor.shape) for w in twins]
    if all(tuple(w.tensor.shape) in shapes for w in stale):
        return True
    held = {id(p) for o in case.stepped if holds(o, stale[0]) for p in held_by(o)}
    fresh = {id(w.tensor) for w in twins}
    dimensions = [len(w.tensor.shape) for w in stale]
    for _, module in case.things:
        if is_module(module) and dimensions == [len(shape) for shape in shapes]:
            parameters = {id(p) for p in module.parameters()}
            if fresh < parameters and parameters - fresh <= held:
                return True
    return False


def holds(optimizer: Any, watched: Watched) -> bool:
    return any(each is watched.tensor for each in held_by(optimizer))


def nobodys(case: Examination, watched: Watched) -> bool:
    """Is this a parameter that no module and no variable of the program has?"""
    return id(watched.tensor) not in case.owners and id(watched.tensor) not in case.names


def not_called(case: Examination) -> Iterator[Ailment]:
    groups: dict[int, tuple[Any, list[Watched]]] = {}
    for watched in case.silent():
        owners = case.owners.get(id(watched.tensor))
        if watched.tensor.requires_grad and owners and not case.calls_of(watched):
            if case.several_turns:
                groups.setdefault(id(owners[0]), (owners[0], []))[1].append(watched)
    if groups:
        modules = [f"`{case.name(module)}`" for module, _ in groups.values()]
        found = [w for _, ws in groups.values() for w in ws]
        parts = {"turns": case.seen.turn, "optimizer": optimizer_of(case, found)}
        yield case.ailment("not_called", found, modules=case.say("comma").join(modules), **parts)


def no_grad(case: Examination) -> Iterator[Ailment]:
    found = []
    where: Statement | None = None
    for watched in case.silent():
        calls = case.calls_of(watched)
        if watched.tensor.requires_grad and calls and not any(c.recorded for c in calls):
            found.append(watched)
            where = where or calls[0].place
    if found and case.several_turns:
        yield case.ailment("no_grad", found, where=case.at(where))


def cut(case: Examination) -> Iterator[Ailment]:
    groups: dict[tuple[str, ...], list[Watched]] = {}
    for watched in case.silent():
        calls = case.calls_of(watched)
        known = any(c.recorded for c in calls)
        named = id(watched.tensor) in case.names and not case.owners.get(id(watched.tensor))
        if not watched.tensor.requires_grad or not (known or named) or not case.several_turns:
            continue
        said: list[str] = []
        if case.seen.root is not None:
            said = way_of(case.case, watched.tensor, case.seen.root)
        groups.setdefault(tuple(said), []).append(watched)
    for more, found in groups.items():
        optimizer = optimizer_of(case, found)
        yield case.ailment("cut", found, *more, optimizer=optimizer, turns=case.seen.turn)


def way_of(case: Case, t: Any, root: Any) -> list[str]:
    """What the graph and the program's text say about where the way from the root to `t` ends."""
    if case.names.of(root) is not None:
        return lost(case, t, root)[1] or case.between(t, root).sentences[1:]

    def leads(tensor: Any) -> bool:
        return tensor is t or bool(tensor.requires_grad and case.reaches(tensor, t))

    history = History(leads, case.running, leaves=False)
    fate = history.of_root("")
    return sentences(case, history, fate) if fate.kind == "cut" else []


def optimizer_of(case: Examination, found: list[Watched]) -> str:
    """The name of the optimizer that holds the first of these."""
    return next(case.name(each) for each in case.stepped if holds(each, found[0]))


# --- Parameters that nobody moves


def hidden(case: Examination) -> Iterator[Ailment]:
    found: list[Watched] = []
    places: list[str] = []
    owner = ""
    for module, outer in case.unregistered:
        inside = [case.seen.watched.get(id(p)) for p in module.parameters()]
        learned = [w for w in inside if w is not None and w.passes]
        if not learned or any(id(w.tensor) in case.held for w in learned):
            continue
        place = listed_in(outer, module)
        if place and all(case.untouched(w) for w in learned) and case.stepped:
            found += learned
            places.append(place)
            owner = type(outer).__name__
    if found:
        yield case.ailment("hidden", places, owner=owner, count=len(found))


def hidden_tensors(case: Examination) -> Iterator[Ailment]:
    """Tensors that a module learns with, and that `parameters()` does not find."""
    names: list[str] = []
    owner = ""
    for called in case.seen.called.values():
        if not any(id(p) in case.moved for p in called.module.parameters()):
            continue
        for name, leaf in unregistered_leaves(called.module):
            watched = case.seen.watched.get(id(leaf))
            if watched is None or not watched.passes or id(leaf) in case.held:
                continue
            if id(leaf) in case.owners or not case.untouched(watched) or watched_by_hooks(watched):
                continue
            attribute = re.escape(name.partition("[")[0].removeprefix("self."))
            asked = re.compile(rf"\b{attribute}\b.*\.grad\b")  # it is there for its gradient
            if not any(asked.search(text) for text in case.sources):
                names.append(name)
                owner = owner or type(called.module).__name__
    if names:
        yield case.ailment("hidden_tensors", names, owner=owner)


def listed_in(outer: Any, module: Any) -> str:
    """Where in a module's own attributes another stands that it does not know."""
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
    """By which path a module is reached in another that does not know it: `blocks[0].1`."""
    place = listed_in(outer, module)
    held = found_in(outer, place)
    names = [n for n, m in held.named_modules() if m is module] if is_module(held) else []
    return f"{place.removeprefix('self.')}.{names[0]}".rstrip(".") if names else ""


def found_in(outer: Any, place: str) -> Any:
    """What stands at `self.blocks[0]`, as `listed_in` writes it."""
    attribute, _, key = place.removeprefix("self.").rstrip("]").partition("[")
    value = vars(outer).get(attribute)
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value or ())
    return next((each for other, each in pairs if repr(other) == key), None)


def not_held(case: Examination) -> Iterator[Ailment]:
    outside = {id(p) for module, _ in case.unregistered for p in module.parameters()}
    found: dict[int, Watched] = {}
    for _, module in case.things:
        if not is_module(module) or id(module) not in case.seen.called:
            continue
        parameters = list(module.parameters())
        if not any(id(p) in case.moved for p in parameters):
            continue
        for p in parameters:
            watched = case.seen.watched.get(id(p))
            if watched is None or not watched.passes or not p.requires_grad or id(p) in outside:
                continue
            if id(p) not in case.held and case.untouched(watched) and not watched_by_hooks(watched):
                found[id(p)] = watched
    elsewhere = {name for each in held_elsewhere(case) for name in each.names}
    left = [w for w in found.values() if case.name(w.tensor) not in elsewhere]
    if left:
        yield case.ailment("not_held", left)


def watched_by_hooks(watched: Watched) -> bool:
    """Does the program hook into this gradient itself?"""
    return bool(names_on(watched.tensor))


# --- Sizes of gradients


def weights(case: Examination) -> list[Watched]:
    """Those whose gradients can be compared: matrices and the like, with a gradient in two steps
    or more.
    """
    seen = case.seen.watched.values()
    found = [w for w in seen if len(w.tensor.shape) > 1 and w.tensor.requires_grad]
    return [w for w in found if len(w.sizes) > 1 and not watched_by_hooks(w)]


def zero(case: Examination) -> Iterator[Ailment]:
    found = [w for w in weights(case) if all(s.largest == 0 for s in w.sizes)]
    if found and case.seen.turn > 1 and not any(p.zero for p in case.seen.passes):
        yield case.ailment("zero", found, turns=case.seen.turn)


def vanishing(case: Examination) -> Iterator[Ailment]:
    compared = [w for w in weights(case) if w.sizes[-1].largest < float("inf")]
    most = max(compared, key=lambda w: w.sizes[-1].largest, default=None)
    if most is None:
        return
    limit = VANISHING * most.sizes[-1].largest
    found = [w for w in compared if all(0 < s.largest < limit for s in w.sizes)]
    if found:
        found.sort(key=lambda w: w.sizes[-1].largest)
        least = found[0]
        parts = {"least": case.name(least.tensor), "size": f"{least.sizes[-1].largest:.1e}"}
        parts |= {"most": case.name(most.tensor), "other": f"{most.sizes[-1].largest:.1e}"}
        yield case.ailment("vanishing", found, **parts)


def exploding(case: Examination) -> Iterator[Ailment]:
    found = []
    for watched in case.seen.watched.values():
        if watched.leapt is not None:
            if any(LARGE < s.largest < float("inf") for s in watched.sizes):
                found.append(watched)
    if found:
        first = max(found, key=lambda w: max(s.largest for s in w.sizes))
        before, after = first.leapt or (0.0, 0.0)
        parts = {"name": case.name(first.tensor), "before": f"{before:.2g}"}
        parts |= {"after": f"{after:.2g}", "size": f"{max(s.largest for s in first.sizes):.1e}"}
        yield case.ailment("exploding", found, **parts)


def nan(case: Examination) -> Iterator[Ailment]:
    seen = case.seen
    broken = [w for w in seen.watched.values() if not finite(w.tensor)]
    before = [w for w in broken if not w.finite]
    if before:
        yield case.ailment("nan_before", before)
    found = [w for w in broken if w.finite]
    if not found or before or any(exploding(case)):
        return
    said = [case.say("nan_step")]
    if seen.origin is not None:
        thing = seen.origin.thing
        parts = {"name": case.name(thing), "kind": type(thing).__name__}
        said = [case.say(f"nan_{seen.origin.kind}", **parts), *seen.origin.sentences]
    yield case.ailment("nan", found, *said)


# --- What is kept, and what is cleared


def grows(case: Examination) -> Iterator[Ailment]:
    seen = case.seen
    by_turn = {each.turn: each for each in seen.passes if each.nodes}  # the last of each turn
    chain = [by_turn[turn] for turn in sorted(by_turn)]
    if len(chain) < (3 if seen.turns is None else 2):
        return
    known: frozenset[int] = frozenset()
    for before, after in pairwise(chain):
        new = before.nodes - known
        if not new & after.nodes or len(after.nodes) <= len(before.nodes):
            return
        known = known | before.nodes
    name = keeper(chain[-2], chain[-1].goes_on)
    counts = case.say("comma").join(str(len(each.nodes)) for each in chain)
    key = "grows_keeper" if name else "grows"
    text = case.say(key, keeper=name, counts=counts)
    yield Ailment("grows", (name,) if name else (), text)


def keeper(before: Pass, used: frozenset[Output]) -> str:
    """The variable that held what the graph of a later turn goes on from."""
    names = [name for name, result in before.variables.items() if result in used]
    latest = max(names, key=lambda name: before.variables[name][0], default="")
    return latest.partition("[")[0]


def kept(case: Examination) -> Iterator[Ailment]:
    """A variable, or the elements of one, from which the graphs of several turns are reached."""
    if any(grows(case)):
        return
    reached = turns_reached(case.things, case.seen.passes)
    found = [name for name, over in reached.items() if len(over) > 1]
    found = found or [name for name, over in case.seen.reached.items() if len(over) > 1]
    if found:
        yield case.ailment("kept", found)


def not_cleared(case: Examination) -> Iterator[Ailment]:
    for step in first_of(case, lambda step: step.summed):
        yield case.ailment("not_cleared", step.summed, **of_step(case, step))


def not_cleared_by_hand(case: Examination) -> Iterator[Ailment]:
    if case.seen.optimizers:
        return
    for each in case.seen.passes:
        if each.on_top:
            name = case.name(each.on_top[0].tensor)
            yield case.ailment("not_cleared_by_hand", each.on_top, name=name, turn=each.turn)
            return


def no_step(case: Examination) -> Iterator[Ailment]:
    """Optimizers whose parameters get gradients and that never step; nor could they, by the text of
    the program.
    """
    for optimizer in case.seen.optimizers.values():
        name = case.name(optimizer)
        watched = [case.seen.watched.get(id(p)) for p in held_by(optimizer)]
        if id(optimizer) in case.seen.stepped:
            continue
        if not all(w and w.passes and case.untouched(w) for w in watched):
            continue  # somebody moves them by hand
        if watched and case.several_turns and never_steps(name.rpartition(".")[2], case.sources):
            yield case.ailment("no_step", [name], turns=case.seen.turn)


HARMLESS = {"zero_grad", "param_groups", "state", "state_dict", "load_state_dict"}
"""What may be asked of an optimizer without a step."""


def never_steps(name: str, sources: list[str]) -> bool:
    """Is all that the program does with an optimizer of this name known, and no step?"""
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


def cleared_early(case: Examination) -> Iterator[Ailment]:
    for step in first_of(case, lambda step: not (step.fresh or step.again) and step.emptied):
        yield case.ailment("cleared_early", step.emptied, **of_step(case, step))


def taken_twice(case: Examination) -> Iterator[Ailment]:
    def only_again(step: Step) -> Any:
        return step.again and not (step.fresh or step.summed)

    for step in first_of(case, only_again):
        yield case.ailment("taken_twice", step.again, **of_step(case, step))
    for step in first_of(case, lambda step: step.doubled):
        root = step.doubled[0].text
        key = "taken_doubled" if root else "taken_doubled_loss"
        text = case.say(key, root=root, turn=step.turn)
        yield Ailment("taken_twice", (root,) if root else (), text)


def first_of(case: Examination, wanted: Callable[[Step], Any]) -> list[Step]:
    """The first step of each optimizer of which something holds."""
    found: dict[int, Step] = {}
    for step in case.seen.steps:
        if wanted(step):
            found.setdefault(id(step.optimizer), step)
    return list(found.values())


def of_step(case: Examination, step: Step) -> dict[str, object]:
    return {"optimizer": case.name(step.optimizer), "where": case.at(step.place), "turn": step.turn}


# --- Modes


MIND = ("Dropout", "BatchNorm", "RReLU")
"""Modules that compute otherwise in training begin or end so."""


def eval_mode(case: Examination) -> Iterator[Ailment]:
    seen = case.seen
    last = {id(step.optimizer): step for step in seen.steps if step.passes}
    outermost = {i for each in seen.passes for i in each.modes}
    for module in (m for i, m in case.modules.items() if i in outermost):
        minding = sorted({type(m).__name__ for m in module.modules() if minds(m)})
        if not minding:
            continue
        for step in last.values():
            if step.turn != seen.turn or not any(
                each is p for each in held_by(step.optimizer) for p in module.parameters()
            ):
                continue
            modes = [seen.passes[number - 1].modes.get(id(module), set()) for number in step.passes]
            if set().union(*modes) == {False} and all(modes):
                kinds = case.say("comma").join(minding)
                yield case.ailment("eval", [case.name(module)], kinds=kinds)
                break


def minds(module: Any) -> bool:
    """Does this module compute otherwise in training, and is it out of training?"""
    if module.training or not any(each in type(module).__name__ for each in MIND):
        return False
    averages = getattr(module, "track_running_stats", True)
    return bool(getattr(module, "p", None) != 0 and averages)


KINDS: dict[str, Callable[[Examination], Iterator[Ailment]]] = {
    "no_pass": no_pass,
    "nan": nan,
    "hidden": hidden,
    "hidden_tensors": hidden_tensors,
    "held_elsewhere": held_elsewhere,
    "cut": cut,
    "no_grad": no_grad,
    "not_called": not_called,
    "frozen": frozen,
    "not_held": not_held,
    "exploding": exploding,
    "vanishing": vanishing,
    "zero": zero,
    "no_step": no_step,
    "not_cleared": not_cleared,
    "not_cleared_by_hand": not_cleared_by_hand,
    "cleared_early": cleared_early,
    "taken_twice": taken_twice,
    "grows": grows,
    "kept": kept,
    "eval": eval_mode,
}
"""Every kind of finding, the gravest first, and what looks for it."""

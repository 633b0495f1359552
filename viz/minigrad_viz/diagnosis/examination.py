"""Watched steps, with names and sentences for what the rules find in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..model.either_library import version_of
from ..model.hooks import names_on
from ..model.names import is_tensor
from ..model.program_text import Statement, texts_of
from ..texts.language import Language
from ..texts.sentences import filled
from .causes import Context
from .objects import is_module
from .observed import Called, Observed, Watched, checksum
from .reachable import Thing, held_by, names_of, parts_of, things_in


@dataclass(frozen=True)
class Problem:
    """One problem: its kind, the names of parameters or variables, and its sentences."""

    kind: str
    names: tuple[str, ...]
    wrong: str
    title: str
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

    def where(self, statement: Statement | None) -> str:
        return "" if statement is None else self.context.where(statement)

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


def find_place(outer: Any, module: Any) -> str:
    """Return the expression, such as `self.blocks[0]`, for a module that another does not know."""
    return held_in(outer, module)[0]


def held_in(outer: Any, module: Any) -> tuple[str, Any]:
    """Return that expression, and its value, which is the module or has it inside."""
    for attribute, key, each in parts_of(outer):
        if key and is_module(each) and any(m is module for m in each.modules()):
            return f"self.{attribute}{key}", each
    return "", None


def path_in(outer: Any, module: Any) -> str:
    """Return the path of a module in another that does not know it: `blocks[0].1`."""
    place, held = held_in(outer, module)
    names = [n for n, m in held.named_modules() if m is module] if place else []
    return f"{place.removeprefix('self.')}.{names[0]}".rstrip(".") if names else ""


def has_hooks(watched: Watched) -> bool:
    """Return whether the program itself hooks into this gradient."""
    return bool(names_on(watched.tensor))

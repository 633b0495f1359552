"""Why a gradient is missing, and why a backward pass fails: the detective work behind `explain`.

Evidence is taken from three places, in this order: the graph (what it leads to, what it saved and
what became of that), the tensors that the program has names for (who shares memory with whom, whose
graph leads where), and the program's text (program.py) for what leaves no trace in either. All of
it is there for PyTorch too.
"""

from __future__ import annotations

import ast
import linecache
import math
import re
import sys
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType, TracebackType
from typing import Any

from minigrad import Tensor
from minigrad.autograd.events import changed_at

from ..model.autograd_nodes import is_accumulate, node_name, saved_tensors
from ..model.frame_locals import names_in
from ..model.graph_model import Walk, walk
from ..model.hooks import names_on
from ..model.lines import line_of
from ..model.names import Names, given_names, made_by
from ..model.program import Program, Statement, cuts, receivers, written
from ..model.values import dense, has_numbers, value_of
from ..texts.language import Language
from ..texts.numerals import value_data, value_text
from ..texts.sentences import reason
from .evidence import (
    Change,
    Place,
    changed_versions,
    contained,
    covers,
    ends_at,
    frames_of,
    is_function_of_the_user,
    leads_to,
    memory,
    nodes_behind,
    nonfinite,
    readable,
    saved_memory,
    sequence_of,
    state_of,
)
from .history import History
from .syntax import calls_in, creates, does, is_grad, keyword, last_name, makes, root_of_pass
from .syntax import names_in as names_used

LONGEST_NAME = 40
"""An expression of more characters is no name."""

COPYING = {"clone", "detach", "contiguous", "to", "cuda", "cpu"}
"""What makes a tensor of its own of another, where this has no history either."""

UNNAMED = "t"
"""What a tensor is called that no variable holds."""


@dataclass(slots=True)
class Finding:
    """What was found: sentences, the tensor whose graph shows it, and the culprits in that graph.

    `cause` is the key of the first sentence in texts/english.py, for a program to look at.
    """

    cause: str
    sentences: list[str] = field(default_factory=list)
    shown: Any = None
    culprits: list[Any] = field(default_factory=list)
    about: str = ""
    """The key of what it comes down to, if the cause has several forms."""
    lost: Any = None
    """The first tensor without history, where a history ended on the way."""
    state: Any = None
    """What a loop carries from turn to turn."""


class Case:
    """One question, with the names and the program around it: `places`, outermost first."""

    def __init__(
        self,
        language: Language,
        names: object,
        places: list[Place],
    ) -> None:
        self.language = language
        self.places = places
        # Of a failure, the first is the frame that asks, which need not be one that failed.
        self.running = places[1:] or places
        self.names = Names()
        if names is not None:
            self.names = given_names(names, None)
        else:
            for frame, _ in reversed(places):  # an inner variable hides an outer one
                for tensor, name in given_names(None, frame).items():
                    self.names.add(name, tensor)
            for frame, _ in reversed(places):
                for name, tensor in contained(frame):
                    self.names.add(name, tensor)
        # PyTorch cannot tell the history of some views once their base has been written.
        self.tensors = [tensor for tensor in self.names if readable(tensor)]
        self.given = {self.name(tensor): tensor for tensor in reversed(self.tensors)}
        self.program = Program(places)
        self._walks: dict[int, Walk] = {}
        self._nodes: dict[int, list[Any]] = {}
        self._operations: dict[int, list[Any]] = {}
        self.variables: dict[str, Any] = {}
        for frame, _ in places:
            self.variables |= names_in(frame)

    def walk(self, root: Any) -> Walk:
        """The graph behind a tensor; walked once, for a large one takes a while."""
        if id(root) not in self._walks:
            self._walks[id(root)] = walk(
                root, names=self.given, language=self.language, who="explain"
            )
        return self._walks[id(root)]

    def nodes(self, root: Any) -> list[Any]:
        """The nodes behind a tensor; found once."""
        if id(root) not in self._nodes:
            self._nodes[id(root)] = nodes_behind(root)
        return self._nodes[id(root)]

    def operations(self, root: Any) -> list[Any]:
        """The nodes behind a tensor but for those that lead to leaves; found once."""
        if id(root) not in self._operations:
            self._operations[id(root)] = [n for n in self.nodes(root) if not is_accumulate(n)]
        return self._operations[id(root)]

    def library(self) -> ModuleType:
        """The library that most of the tensors here are of; else the one that there is."""
        tops = [str(type(t).__module__).partition(".")[0] for t in self.tensors]
        known = [value for value in self.variables.values() if isinstance(value, ModuleType)]
        named = [value.__name__ for value in known]
        loaded = [top for top in ("minigrad", "torch") if top in sys.modules]
        return sys.modules[max(loaded, key=lambda top: (tops.count(top), top in named))]

    # --- Words

    def say(self, key: str, **parts: object) -> str:
        return reason(self.language, key, **parts)

    def name(self, tensor: Any) -> str:
        return self.names.of(tensor) or UNNAMED

    def call_by_text(self, root: Any, trace: TracebackType | None) -> None:
        """Call what a pass starts from, and no variable holds, as the line of the pass does."""
        line = self.raised_at(trace)
        roots = [root_of_pass(call) for call in calls_in(line.tree if line else None)]
        first = (each.elts[0] if isinstance(each, ast.List) else each for each in roots if each)
        texts = {ast.unparse(each) for each in first}
        if len(texts) == 1 and len(text := texts.pop()) <= LONGEST_NAME:
            self.names.add(text, root)

    def where(self, statement: Statement | None) -> str:
        return "" if statement is None else self.quoted("in_line", statement)

    def line(self, statement: Statement) -> str:
        return self.quoted("at_line", statement)

    def quoted(self, key: str, statement: Statement) -> str:
        kind = "place_in_file" if statement.file else "place_in_cell"
        place = self.say(kind, line=statement.line, file=statement.file)
        return self.say(key, text=statement.text, place=place)

    def node_line(self, node: Any) -> Statement | None:
        """The line that made a node: what the node remembers, else what the program's text says."""
        line = line_of(node)
        if line is not None and line.text:
            return self.known(Statement.at(line.filename, line.lineno, line.text))
        # Nothing is remembered: then it is a part of the next result that has a name.
        later = (t for t in self.tensors if t.requires_grad and leads_to(made_by(t)[0], node))
        named = min(later, key=lambda t: sequence_of(made_by(t)[0]), default=None)
        if named is None:
            return None
        name = self.name(named).partition("[")[0]
        making = self.program.behind(self.program.making(name))
        head = self.program.assignment(name)
        if head is not None and head.text.startswith("for "):  # it was made before that loop
            iterated = getattr(head.tree, "value", None)
            if isinstance(iterated, ast.Name):
                return self.program.assignment(iterated.id) or head
        if node is not made_by(named)[0] and name in written(making) and not _computes(making):
            return self.program.assignment(name) or making  # what was there before the write
        if node is not made_by(named)[0] and making is not None:
            return self.program.before(making, partial(does, node_name(node))) or making
        return making

    def known(self, at: Statement) -> Statement:
        """The same line as the program's text has it, if it is a part of what was read."""
        return next((s for s in self.program.statements if s == at), at)

    def raised_at(self, trace: TracebackType | None) -> Statement | None:
        """The line of the reader's program where something was raised."""
        frames = frames_of(trace)
        if not frames:
            return None
        frame, line = frames[-1]
        filename = frame.f_code.co_filename
        text = linecache.getline(filename, line, frame.f_globals).strip()
        known = next((s for s in self.program.statements if (s.line, s.text) == (line, text)), None)
        return known or (Statement.at(filename, line, text) if text else None)

    def written_by(self, statement: Statement | None) -> list[Any]:
        """The tensors that a statement writes to in place."""
        names = written(statement)
        return [tensor for tensor in self.tensors if self.name(tensor) in names]

    def about(self, tensor: Any, cause: str, **parts: object) -> Finding:
        """A finding that is shown in the graph of `tensor`."""
        shown = tensor if tensor.grad_fn is not None else None
        return Finding(cause, [self.say(cause, **parts)], shown)

    def leads_on(self, t: Any) -> bool:
        """Has something with a name been computed from the result `t`?"""
        return any(
            other.grad_fn is not t.grad_fn and t.grad_fn in self.nodes(other)
            for other in self.tensors
            if other.requires_grad
        )

    def reaches(self, root: Any, leaf: Any) -> bool:
        """Does the graph of `root` lead to the leaf?"""
        return ends_at(leaf, self.nodes(root))

    def leads(self, root: Any, tensor: Any) -> bool:
        """Was `root` computed from this tensor, a leaf or a result?"""
        node = made_by(tensor)[0]
        if node is None:
            return self.reaches(root, tensor)
        return any(each is node for each in self.nodes(root))

    # --- Why is .grad None?

    def gradient(self, t: Any, root: Any = None) -> Finding:
        """What there is to say about `t.grad`; `root`: the result that it is expected from."""
        if not (t.is_floating_point() or str(t.dtype).rpartition(".")[2].startswith("complex")):
            dtype = str(t.dtype).rpartition(".")[2]
            return self.found("not_floating", t, dtype=dtype)
        if (t.is_leaf or t.retains_grad) and t.grad is not None:
            return self.present(t)
        if not t.requires_grad:
            finding = self.found("not_required", t)
            finding.sentences += self.origin(t, finding)
            return finding
        if not t.is_leaf:
            return self.intermediate(t)
        if root is not None:
            return self.between(t, root)
        roots = self.roots_over(t)
        return self.between(t, *roots) if roots else self.unused(t)

    def found(self, cause: str, t: Any, **parts: object) -> Finding:
        return self.about(t, cause, t=self.name(t), **parts)

    def present(self, t: Any) -> Finding:
        value = value_of(t.grad)
        bad = nonfinite(t.grad)
        if bad:
            return self.found("nan_in_grad", t, what=bad)
        if has_numbers(t.grad) and bool((dense(t.grad) == 0).all()):
            finding = self.found("zero_grad", t)
        else:
            text = value_text(value_data(value), self.language)
            finding = self.found("has_grad", t, value=text)
        if hooks := names_on(t):
            finding.sentences.append(self.say("hooked", t=self.name(t), hook=", ".join(hooks)))
        return finding

    def intermediate(self, t: Any) -> Finding:
        if t.retains_grad:
            return self.found("retained", t)
        where = self.where(self.node_line(t.grad_fn))
        finding = self.found("not_leaf", t, node=node_name(t.grad_fn), where=where)
        finding.culprits.append(t.grad_fn)
        leaves = [node.variable for node in self.nodes(t) if is_accumulate(node)]
        if len(leaves) == 1 and self.names.of(leaves[0]) is None:
            finding.sentences.append(self.say("meant_as_leaf", t=self.name(t)))
        return finding

    def origin(self, t: Any, finding: Finding) -> list[str]:
        """How it came about that `t` has no history."""
        name = self.names.of(t)
        made = self.made_plainly(name) if name else None
        parts = {"t": self.name(t), "where": self.where(made)}
        if hasattr(t, "is_inference") and t.is_inference():
            return [self.say("inference")]
        if made is not None and made.block:
            return [self.say("made_in_block", block=made.block, **parts)]
        other = self.same_numbers(t)
        if other is not None:
            finding.shown = other if other.grad_fn is not None else None
            return [self.say("cut_off", other=self.name(other), **parts)]
        if made is not None and cuts(made):
            return [self.say("cut_in_line", **parts)]
        if made is not None and self.computed(made) and not self.goes_on(name):
            return [self.say("made_unrecorded", **parts)]
        value = getattr(made.tree, "value", None) if made is not None else None
        if made is None or value is None:
            return [self.say("made_somehow", **parts)]
        if creates(value) or any(last_name(call) in COPYING for call in calls_in(value)):
            return [self.say("made_plain", **parts)]
        # To ask a result for a gradient would make a leaf of it, behind which there is nothing.
        somehow = [self.say("computed_somehow", **parts), self.say("ended_somewhere")]
        return somehow if t.dim() == 0 else [*somehow, self.say("or_a_leaf_there", **parts)]

    def made_plainly(self, name: str) -> Statement | None:
        """The last line that made what a name stands for, which does not require grad: so none that
        asks for it, as may stand in a cell that did not come so far.
        """
        given = self.program.assignments(name)
        asking = {s for s in given if any(keyword(c, "requires_grad") for c in calls_in(s.tree))}
        return self.program.behind(next((s for s in reversed(given) if s not in asking), None))

    def computed(self, made: Statement) -> bool:
        """Whether the line makes its value of tensors that have names."""
        used = names_used(getattr(made.tree, "value", None))
        return not used.isdisjoint(name for t in self.tensors if (name := self.names.of(t)))

    def goes_on(self, name: str | None) -> bool:
        """Whether something with a history was computed from the variable."""
        made = {other for other, _ in self.program.computed_from(name)} if name else set()
        return any(t.requires_grad and self.names.of(t) in made for t in self.tensors)

    def same_numbers(self, t: Any) -> Any:
        """A tensor with a name that requires grad and shares its memory with `t`."""
        place = memory(t)
        for other in self.tensors:
            if other is not t and other.requires_grad and place and memory(other) == place:
                return other
        return None

    def roots_over(self, t: Any) -> list[Any]:
        """The results with a name that lead to the leaf `t`, without those that lead on to others:
        the loss, not the layers before it.
        """
        results = ((root, self.nodes(root)) for root in self.tensors if root.grad_fn is not None)
        over = {id(root): (root, nodes) for root, nodes in results if ends_at(t, nodes)}
        inner = {
            id(root.grad_fn)
            for root, _ in over.values()
            for other, nodes in over.values()
            if root.grad_fn is not other.grad_fn and root.grad_fn in nodes
        }
        return [root for root, _ in over.values() if id(root.grad_fn) not in inner]

    def between(self, t: Any, *roots: Any) -> Finding:
        """`t` is a leaf that requires grad and has none. `roots`: the results that it is expected
        from; the one that a pass has gone through tells most.
        """
        name = self.name(t)
        graphs = [(root, self.nodes(root)) for root in roots]
        root, nodes = next(((r, n) for r, n in graphs if state_of(n) == "freed"), graphs[0])
        shown = self.name(root)
        target = next((n for n in nodes if is_accumulate(n) and n.variable is t), None)
        if target is None:
            finding = Finding("not_reached", [self.say("not_reached", t=name, root=shown)])
            finding.shown = root if root.grad_fn is not None else None
            finding.sentences += self.cut(t, nodes, finding) or self.lost_on_the_way(t)
            return finding
        state = state_of(nodes)
        if state == "kept":
            sentence = self.say("not_called", t=name, root=shown)
            return Finding("not_called", [sentence], root, [target])
        own = [node for node in nodes if is_function_of_the_user(node)]
        gate = next((n for n in own if not leads_to(root.grad_fn, target, without=n)), None)
        if gate is not None:
            where = self.where(self.node_line(gate))
            parts = {"t": name, "root": shown, "node": node_name(gate), "where": where}
            sentence = self.say("always_returned_none", **parts)
            return Finding("always_returned_none", [sentence], root, [gate])
        cleared = self.names.of(t) and self.program.clears(name)
        where = self.where(cleared[-1] if cleared else None)
        if not cleared and (asked := self.asked_of_grad(shown)) is not None:
            sentence = self.say("by_grad", t=name, root=shown, line=self.line(asked))
            return Finding("by_grad", [sentence], root, [target])
        cause = "taken_away" if state == "freed" else "not_called_or_taken"
        finding = Finding(cause, [self.say(cause, t=name, root=shown, where=where)], root, [target])
        for node in own:
            where = self.where(self.node_line(node))
            suspect = self.say("returned_none", node=node_name(node), where=where)
            if leads_to(node, target) and suspect not in finding.sentences:
                finding.sentences.append(suspect)
        return finding

    def asked_of_grad(self, root: str) -> Statement | None:
        """The line that asks autograd.grad() for gradients of `root`, if no other pass is seen that
        begins there since it was computed.
        """
        making, statements = self.program.assignment(root), self.program.statements
        made = max((i for i, s in enumerate(statements) if s == making), default=0)
        asking = None
        for statement in statements[made:]:
            for call in calls_in(statement.tree):
                start = root_of_pass(call)
                if start is not None and ast.unparse(start) == root:
                    if not is_grad(call):
                        return None
                    asking = statement
        return asking

    def cut(self, t: Any, nodes: list[Any], finding: Finding) -> list[str]:
        """Where a graph that does not lead to `t` was cut: an operation took, as a constant, the
        numbers of something that does lead there.
        """
        places: dict[Any, Any] = {}
        for other in self.tensors:
            if other.requires_grad and (
                other is t or any(is_accumulate(n) and n.variable is t for n in self.nodes(other))
            ):
                places.setdefault(memory(other), other)
        for node in nodes:
            for _, saved in saved_tensors(node):
                if isinstance(saved, str) or saved.requires_grad:
                    continue
                other = places.get(memory(saved))
                if other is None:
                    continue
                finding.culprits.append(node)
                cut = next(
                    (c for c in self.tensors if not c.requires_grad and memory(c) == memory(saved)),
                    None,
                )
                where = self.where(self.node_line(node))
                parts = {"t": self.name(t), "node": node_name(node), "where": where}
                cut_name = f"{self.name(other)}.detach()" if cut is None else self.name(cut)
                key = "cut_at_itself" if other is t else "cut_at"
                return [self.say(key, cut=cut_name, other=self.name(other), **parts)]
        return []

    def unused(self, t: Any) -> Finding:
        """No result with a name leads to the leaf `t`."""
        lost = self.lost(t) or self.lost(t, jumps=True)
        if lost is None:
            return self.found("never_used", t)
        other, statement, why = lost
        where = self.where(statement)
        finding = self.found("used_without_history", t, other=self.name(other), where=where)
        finding.sentences += why
        finding.lost = other
        return finding

    def lost_on_the_way(self, t: Any) -> list[str]:
        lost = self.lost(t)
        if lost is None:
            return []
        other, statement, why = lost
        parts = {"t": self.name(t), "other": self.name(other), "where": self.where(statement)}
        return [self.say("lost_at", **parts), *why]

    def lost(self, t: Any, jumps: bool = False) -> tuple[Any, Statement, list[str]] | None:
        """A tensor with a name that the program computes from `t` and that has no history, with its
        line and what that line says about it. Followed through variables that do have one. With
        `jumps`, one of whole numbers counts.
        """
        by_name = {self.names.of(tensor): tensor for tensor in self.tensors}
        seen: set[str] = set()
        queue = [self.names.of(t)]
        while queue:
            name = queue.pop(0)
            if name is None or name in seen:
                continue
            seen.add(name)
            for other, statement in self.program.computed_from(name):
                tensor = by_name.get(other)
                if tensor is None or tensor.requires_grad:
                    if tensor is not None or cuts(statement):
                        queue.append(other)
                    continue
                if statement.block:
                    return tensor, statement, [self.say("used_in_block", block=statement.block)]
                if cuts(statement):
                    return tensor, statement, [self.say("used_cut")]
                if tensor.is_floating_point() or jumps:
                    late = self.program.asks_for_grad(name)
                    return tensor, statement, [self.say("used_before", t=name)] if late else []
        return None

    # --- Why does backward fail?

    def failure(self, root: Any, message: str = "") -> Finding | None:
        """What keeps a backward pass from `root` from running, if anything does.

        A saved tensor that has been changed tells more than those that were freed: a pass that
        fails over it has freed what it came through. Unless the error's `message` says otherwise.
        """
        if root.grad_fn is None:
            return None
        broken: dict[str, list[tuple[Any, str]]] = {"changed": [], "freed": []}
        for node in self.operations(root):
            for name, saved in saved_tensors(node):
                if isinstance(saved, str) and saved in broken:
                    broken[saved].append((node, name))
        for state in ("freed", "changed") if "second time" in message else ("changed", "freed"):
            if not broken[state]:
                continue
            # The engine runs the newest node first, so that is where it fails.
            node, name = max(broken[state], key=lambda pair: sequence_of(pair[0]))
            return self.changed(root, node, name) if state == "changed" else self.freed(root, node)
        return None

    def changed(self, root: Any, node: Any, saved: str) -> Finding:
        change = changed_versions(node, saved)
        made = self.node_line(node)
        since = self.since(made, root)
        name, lines = self.changers(change, saved_memory(node, saved), since)
        if not name and not lines and made is not None and saved == "result":
            value = getattr(made.tree, "value", None)  # its name is another's by now
            if isinstance(value, ast.expr) and makes(node_name(node), value):
                lines = self.program.changes_behind(made)
        finding = self.in_place(root, node, saved, change, name, made)
        finding.sentences += self.blame(lines)
        if lines and all(receivers(line, "step") for line in lines):
            finding.about = "by_step"
        return finding

    def in_place(
        self, root: Any, node: Any, saved: str, change: Change, name: str, made: Statement | None
    ) -> Finding:
        expected, version, _ = change
        shown_saved = f"{saved} = {name}" if name else saved
        parts = {"root": self.name(root), "node": node_name(node), "saved": shown_saved}
        parts |= {"expected": str(expected), "version": str(version), "where": self.where(made)}
        return Finding("in_place", [self.say("in_place", **parts)], root, [node])

    def since(self, made: Statement | None, root: Any) -> list[Statement]:
        """The statements behind the one that made the node, or else `root`."""
        statements = self.program.statements
        for making in (made, self.program.assignment(self.name(root))):
            if making in statements:
                last = max(i for i, s in enumerate(statements) if s == making)
                return statements[last + 1 :]
        return statements

    def blame(self, lines: list[Statement]) -> list[str]:
        """What is said of the lines that may have changed the tensor."""
        if not lines:
            modules = ", ".join(f"`{name}`" for name in self.writing_modules())
            return [
                self.say("changed_by_module" if modules else "changed_somewhere", modules=modules)
            ]
        filled = [s for s in lines if s.loops and _fills(s.tree)]
        if filled and len(lines) == len(filled) + sum(_fills(s.tree) for s in lines if not s.loops):
            return [self.say("filled_in_loop", line=self.line(filled[-1]))]
        if all(receivers(s, "step") for s in lines):
            key = "changed_by_step"
        else:
            key = "changed_by" if len(lines) == 1 else "changed_by_one_of"
        joined = self.say("and").join(self.line(line) for line in lines)
        return [self.say(key, where=self.where(lines[0]), line=joined, lines=joined)]

    def changers(
        self, change: Change, place: tuple[Any, ...] | None, since: list[Statement]
    ) -> tuple[str, list[Statement]]:
        """The tensor with a name that may be the changed one, and the lines that write to it or to
        what shares its memory.
        """
        _, version, shape = change
        groups: dict[Any, list[Any]] = {}
        for tensor in self.tensors:
            if tensor._version == version and memory(tensor) is not None:
                groups.setdefault(memory(tensor), []).append(tensor)
        same = [t for group in groups.values() for t in group if _shaped(t, shape)]
        if place in groups:
            chosen = [groups[place]]
        elif place is not None:  # a part of something larger, or of nothing that has a name
            chosen = [group for group in groups.values() if any(covers(t, place) for t in group)]
        elif same:  # what has the very shape; else it may be a part of something larger
            chosen = [group for group in groups.values() if any(_shaped(t, shape) for t in group)]
        else:
            size = math.prod(shape or ())
            chosen = [g for g in groups.values() if any(t.numel() >= size for t in g)]
        found = []
        for group in chosen:
            lines = [line for tensor in group for line in self.written_at(tensor, since)]
            if lines:
                first = next((t for t in group if _shaped(t, shape)), group[0])
                found.append((self.name(first), list(dict.fromkeys(lines))))
        # What was written before the node was made is not what it misses.
        found.sort(key=lambda each: not any(line in since for line in each[1]))
        if found:
            return found[0]
        name = self.name(chosen[0][0]) if place in groups else ""
        return name, self.written_in_functions()

    def written_at(self, tensor: Any, since: list[Statement]) -> list[Statement]:
        """The lines that write to a tensor: the one that it remembers, else what the text says;
        after the statement in question, if there are any.
        """
        name = self.name(tensor)
        steps = self.updates(tensor)
        remembered = changed_at(tensor) if isinstance(tensor, Tensor) else None
        lines = self.program.changes(name) + self.program.changes_in_rows(name) + steps
        if remembered is not None and remembered.text:
            at = Statement.at(remembered.filename, remembered.lineno, remembered.text)
            if not constructs(self.known(at)):
                return [self.known(at), *(s for s in steps if s in since)]
        return [s for s in lines if s in since] or lines

    def writing_modules(self) -> list[str]:
        """The modules that were made with inplace=True."""
        return [
            f"{name}.{path}" if path else name
            for name, value in self.variables.items()
            if not isinstance(value, type) and hasattr(type(value), "named_modules")
            for path, module in value.named_modules()
            if getattr(module, "inplace", False) is True
        ]

    def written_in_functions(self) -> list[Statement]:
        """The lines that write in place in the functions that the program calls."""
        history = History(lambda tensor: bool(tensor.requires_grad), self.running)
        found = []
        for scope in history.scopes:
            for _, _, inner in history.entered_by(scope, scope.statements):
                found += [s for s in inner.statements if written(s)]
        return list(dict.fromkeys(found))[:4]

    def changed_unseen(self, change: Change) -> Finding:
        """As `changed`, where nothing but the error's own words is known."""
        expected, version, _ = change
        saved, lines = self.changers(change, None, self.program.statements)
        parts = {"saved": saved or UNNAMED, "expected": expected, "version": version}
        finding = Finding("in_place", [self.say("in_place_unseen", **parts)])
        finding.sentences += self.blame(lines)
        return finding

    def updates(self, tensor: Any) -> list[Statement]:
        """The lines in which an optimizer that has this tensor takes a step."""
        found = []
        for statement in self.program.calls("step"):
            for name in receivers(statement, "step"):
                groups = getattr(self.variables.get(name), "param_groups", ())
                if any(each is tensor for group in groups for each in group["params"]):
                    found.append(statement)
        return found

    def freed(self, root: Any, node: Any) -> Finding:
        """`node` is the first that misses something, if this is the first attempt from `root`. An
        attempt that failed has itself freed what lies above the failure; then what `root` shares
        with another result tells more.
        """
        mine = self.operations(root)
        other, shared = self.sharing({id(each) for each in mine})
        broken = [each for each in shared if state_of([each]) == "freed"]
        if broken:
            node, cause = max(broken, key=sequence_of), "freed_shared"
        else:
            saved = (state for each in mine for _, state in saved_tensors(each))
            gone = all(isinstance(state, str) and state == "freed" for state in saved)
            cause = "freed" if gone else "freed_part"
        names = [n for n, s in saved_tensors(node) if isinstance(s, str) and s != "packed"]
        parts = {"root": self.name(root), "node": node_name(node), "saved": ", ".join(names)}
        parts |= {"where": self.where(self.node_line(node))}
        if broken:
            parts["other"] = self.name(other)
        return Finding(cause, [self.say(cause, **parts)], root, [node])

    def sharing(self, mine: set[int]) -> tuple[Any, list[Any]]:
        """A result with a name that lies outside of a graph and has nodes in it, and these nodes;
        not one that still holds what it saved outside, for no pass can have come from there.
        """
        found: tuple[Any, list[Any]] = None, []
        for tensor in self.tensors:
            if tensor.grad_fn is None or id(tensor.grad_fn) in mine:
                continue
            nodes = self.operations(tensor)
            shared = [n for n in nodes if id(n) in mine]
            if shared and state_of(n for n in nodes if id(n) not in mine) != "kept":
                if found[0] is None or found[0].grad_fn in nodes:  # what leads on is nearer to it
                    found = tensor, shared
        return found


def _shaped(tensor: Any, shape: tuple[int, ...] | None) -> bool:
    """Has it this shape, transposed or not?"""
    return shape is not None and sorted(tensor.shape) == sorted(shape)


def constructs(statement: Statement) -> bool:
    """Is this `layer = nn.Linear(3, 3)`? It fills its weights in place, before anybody uses it."""
    if re.match(r"[\w.]+ = ([\w.]+\.)?[A-Z]\w*\(", statement.text):
        return True
    if not isinstance(statement.tree, ast.Assign | ast.Return) or written(statement):
        return False
    calls = (n.func for n in ast.walk(statement.tree) if isinstance(n, ast.Call))
    return any(str(getattr(f, "attr", getattr(f, "id", "")))[:1].isupper() for f in calls)


def _computes(statement: Statement | None) -> bool:
    """Does a write in place compute what it writes: `table[i] = a * b`, and not `y += 1`?"""
    tree: Any = None if statement is None else statement.tree
    value = getattr(tree, "value", None)
    given = value.args if isinstance(tree, ast.Expr) and isinstance(value, ast.Call) else [value]
    inner = [node for each in given if each is not None for node in ast.walk(each)]
    return any(isinstance(node, ast.BinOp | ast.Call) for node in inner)


def _fills(tree: ast.stmt | None) -> bool:
    """Is this `table[i] = ...`?"""
    return isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Subscript)

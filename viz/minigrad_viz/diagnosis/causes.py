"""Why a gradient is missing, and why a backward pass fails: the conclusions of `explain`.

There are three sources of evidence. The first is the graph: where it leads, and the state of its
saved tensors. The second is the tensors that have names: which share memory, and whose graph
leads where. The third is the program's text (program_text.py). All exist with PyTorch too.
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
from ..model.either_library import version_of
from ..model.frame_locals import names_in
from ..model.graph_model import Walk, walk
from ..model.hooks import names_on
from ..model.lines import line_of
from ..model.names import Names, given_names, is_tensor, made_by
from ..model.program_text import Program, Statement, assigned, changed_variables, cuts, receivers
from ..model.values import dense, has_numbers, value_of
from ..texts.language import Language
from ..texts.numerals import value_data, value_text
from ..texts.sentences import reason
from .evidence import (
    Change,
    Place,
    changed_versions,
    covers,
    ends_at,
    frames_of,
    is_user_function,
    leads_to,
    memory,
    nodes_behind,
    nonfinite,
    readable,
    saved_memory,
    sequence_of,
    state_of,
    tensors_in_containers,
)
from .history import History
from .objects import function_called, is_library
from .scope import Scope, enter
from .syntax import (
    calls_in,
    creates,
    is_grad,
    is_operation,
    keyword,
    last_name,
    out_of_place,
    root_of_pass,
    shows_operation,
    tree_of_line,
)
from .syntax import names_in as names_used

LONGEST_NAME = 40
"""Longer expressions are not used as a name."""

COPYING = {"clone", "detach", "contiguous", "to", "cuda", "cpu"}
"""Calls that copy a tensor; the copy has a history only if the original has one."""

FREED = ("freed", "freed_shared", "freed_part")
"""The causes of a pass that finds tensors freed: all, those of a shared part, or some."""

UNNAMED = "t"
"""Name shown for a tensor that no variable holds."""


class Sentence(str):
    """A sentence of an answer that knows its key and what is filled in."""

    key: str
    parts: dict[str, object]


@dataclass(slots=True)
class Finding:
    """An answer: sentences, the tensor whose graph shows it, and the culprits in that graph.

    `cause` is the key of the first sentence in texts/english.py, for a program to read.
    """

    cause: str
    sentences: list[str] = field(default_factory=list)
    shown: Any = None
    culprits: list[Any] = field(default_factory=list)
    topic: str = ""
    """The key of the underlying cause, if `cause` has several forms."""
    lost: Any = None
    """The first tensor without history, where a history ended on the way."""
    state: Any = None
    """The value that a loop carries from iteration to iteration."""


class Context:
    """One question with the names and the program around it: `places`, outermost first."""

    def __init__(
        self,
        language: Language,
        names: object,
        places: list[Place],
    ) -> None:
        self.language = language
        self.places = places
        # The first frame is the one that calls explain(), which is not always one that failed.
        self.running = places[1:] or places
        self.names = Names()
        if names is not None:
            self.names = given_names(names, None)
        else:
            for frame, _ in reversed(places):  # an inner variable hides an outer one
                for tensor, name in given_names(None, frame).items():
                    self.names.add(name, tensor)
            for frame, _ in reversed(places):
                for name, tensor in tensors_in_containers(frame):
                    self.names.add(name, tensor)
        # PyTorch cannot read the history of some views after a write to their base.
        self.tensors = [tensor for tensor in self.names if readable(tensor)]
        self.given = {self.name(tensor): tensor for tensor in reversed(self.tensors)}
        self.program = Program(places)
        self._walks: dict[int, Walk] = {}
        self._nodes: dict[int, list[Any]] = {}
        self._operations: dict[int, list[Any]] = {}
        self.collected: Any = None
        """The objects that variables reach, and their names: rules/evidence.py."""
        self.variables: dict[str, Any] = {}
        for frame, _ in places:
            self.variables |= names_in(frame)

    def walk(self, root: Any) -> Walk:
        """Return the graph behind a tensor. The result is cached, since large graphs take long."""
        if id(root) not in self._walks:
            self._walks[id(root)] = walk(
                root, names=self.given, language=self.language, who="explain"
            )
        return self._walks[id(root)]

    def nodes(self, root: Any) -> list[Any]:
        """Return the nodes behind a tensor (cached)."""
        if id(root) not in self._nodes:
            self._nodes[id(root)] = nodes_behind(root)
        return self._nodes[id(root)]

    def operations(self, root: Any) -> list[Any]:
        """Return the nodes behind a tensor except those of leaves (cached)."""
        if id(root) not in self._operations:
            self._operations[id(root)] = [n for n in self.nodes(root) if not is_accumulate(n)]
        return self._operations[id(root)]

    def library(self) -> ModuleType:
        """Return the library of most tensors here, or the one that is loaded."""
        tops = [str(type(t).__module__).partition(".")[0] for t in self.tensors]
        known = [value for value in self.variables.values() if isinstance(value, ModuleType)]
        named = [value.__name__ for value in known]
        loaded = [top for top in ("minigrad", "torch") if top in sys.modules]
        return sys.modules[max(loaded, key=lambda top: (tops.count(top), top in named))]

    # --- Words

    def say(self, key: str, **parts: object) -> str:
        sentence = Sentence(reason(self.language, key, **parts))
        sentence.key, sentence.parts = key, parts
        return sentence

    def find_named(self, name: str) -> Any:
        """Return the tensor with this name, or None."""
        return next((t for t in self.tensors if self.name(t) == name), None)

    def name(self, tensor: Any) -> str:
        return self.names.of(tensor) or UNNAMED

    def name_root(self, root: Any, trace: TracebackType | None) -> None:
        """Name an unnamed root of a pass by its expression in the line of the pass."""
        line = self.find_raising_line(trace)
        roots = [root_of_pass(call) for call in calls_in(line.tree if line else None)]
        first = (each.elts[0] if isinstance(each, ast.List) else each for each in roots if each)
        texts = {ast.unparse(each) for each in first}
        if len(texts) == 1 and len(text := texts.pop()) <= LONGEST_NAME:
            self.names.add(text, root)

    def where(self, statement: Statement | None) -> str:
        return "" if statement is None else self.quote("in_line", statement)

    def line(self, statement: Statement) -> str:
        return self.quote("at_line", statement)

    def quote(self, key: str, statement: Statement) -> str:
        if not statement.text:  # the program's text is nowhere
            return "" if key == "in_line" else self.say("unseen_line")
        kind = "place_in_file" if statement.file else "place_in_cell"
        place = self.say(kind, line=statement.line, file=statement.file)
        return self.say(key, text=statement.text, place=place)

    def node_line(self, node: Any) -> Statement | None:
        """Return the line that made a node: the node's own record, or the program's text."""
        line = line_of(node)
        if line is not None and line.text:
            return self.find_statement(Statement.at(line.filename, line.lineno, line.text))
        # Without a record, the node is taken for a part of the next named result.
        later = (t for t in self.tensors if t.requires_grad and leads_to(made_by(t)[0], node))
        named = min(later, key=lambda t: sequence_of(made_by(t)[0]), default=None)
        if named is None:
            return None
        name = self.name(named).partition("[")[0]
        making = self.program.behind(self.program.making(name))
        if making is not None and (inner := self.line_in_function(making, node)) is not None:
            return inner
        head = self.program.assignment(name)
        if head is not None and head.text.startswith("for "):  # made before that loop
            iterated = getattr(head.tree, "value", None)
            if isinstance(iterated, ast.Name):
                return self.program.assignment(iterated.id) or head
        if (
            node is not made_by(named)[0]
            and name in changed_variables(making)
            and not _computes(making)
        ):
            return self.program.assignment(name) or making  # the value before the write
        if node is not made_by(named)[0] and making is not None:
            return self.program.before(making, partial(self.may_have_made, node)) or making
        return making

    def may_have_made(self, node: Any, statement: Statement) -> bool:
        """Return whether a line shows a node's operation and makes no tensor without a graph."""
        made = map(self.variables.get, assigned(statement.tree or ast.Pass()))
        plain = any(each.requires_grad is False for each in made if is_tensor(each))
        return not plain and shows_operation(node_name(node), statement)

    def line_in_function(self, made: Statement, node: Any = None) -> Statement | None:
        """Return the line that made a node in a function of the program, called in `made`.

        It is the only line that shows the operation, or else the one that made what is returned,
        which is also the answer without a node.
        """
        call = getattr(made.tree, "value", None)
        if not isinstance(call, ast.Call):
            return None
        history = History(lambda tensor: bool(tensor.requires_grad), self.places)
        for scope in history.scopes:
            if made not in scope.statements:
                continue
            entered = list(history.functions_entered(scope, [made]))
            lines = [s for *_, inner in entered for s in inner.statements]
            name = "" if node is None else node_name(node)
            showing = [s for s in lines if name and shows_operation(name, s)]
            if len(showing) == 1:
                return showing[0]
            called = function_called(call, scope)
            if called is not None and not is_library(called[0]):
                return made_result(enter(*called, {}, {}))
        return None

    def find_statement(self, at: Statement) -> Statement:
        """Return the program's statement at this line if it was read, or `at` itself."""
        found = (s for s in self.program.statements if s == at)
        return next(found, None) or self.find_part(at) or at

    def find_part(self, at: Statement) -> Statement | None:
        """Return a statement that shares the line `at` with others, a pass before the rest."""
        parts = [s for s in self.program.statements if (s.file, s.line) == (at.file, at.line)]
        parts = [s for s in parts if s.text in at.text]
        walking = [s for s in parts if any(map(root_of_pass, calls_in(s.tree)))]
        return next(iter([*walking, *parts]), None)

    def find_raising_line(self, trace: TracebackType | None) -> Statement | None:
        """Return the line of the user's program that raised the error."""
        frames = frames_of(trace)
        if not frames:
            return None
        frame, line = frames[-1]
        filename = frame.f_code.co_filename
        text = linecache.getline(filename, line, frame.f_globals).strip()
        return self.find_statement(Statement.at(filename, line, text)) if text else None

    def find_written(self, statement: Statement | None) -> list[Any]:
        """Return the tensors that a statement writes to in place."""
        names = changed_variables(statement)
        return [tensor for tensor in self.tensors if self.name(tensor) in names]

    def finding_in(self, tensor: Any, cause: str, **parts: object) -> Finding:
        """Make a finding that is shown in the graph of `tensor`."""
        shown = tensor if tensor.grad_fn is not None else None
        return Finding(cause, [self.say(cause, **parts)], shown)

    def has_results(self, t: Any) -> bool:
        """Return whether a named tensor was computed from the result `t`."""
        return any(
            other.grad_fn is not t.grad_fn and t.grad_fn in self.nodes(other)
            for other in self.tensors
            if other.requires_grad
        )

    def reaches(self, root: Any, leaf: Any) -> bool:
        """Return whether the graph of `root` leads to the leaf."""
        return ends_at(leaf, self.nodes(root))

    def depends_on(self, root: Any, tensor: Any) -> bool:
        """Return whether `root` was computed from this tensor, a leaf or a result."""
        node = made_by(tensor)[0]
        if node is None:
            return self.reaches(root, tensor)
        return any(each is node for each in self.nodes(root))

    # --- Why is .grad None?

    def explain_gradient(self, t: Any, root: Any = None) -> Finding:
        """Explain `t.grad`; `root` is the result that the gradient is expected from."""
        if not (t.is_floating_point() or str(t.dtype).rpartition(".")[2].startswith("complex")):
            dtype = str(t.dtype).rpartition(".")[2]
            return self.report("not_floating", t, dtype=dtype)
        if (t.is_leaf or t.retains_grad) and t.grad is not None:
            return self.explain_present(t)
        if not t.requires_grad:
            finding = self.report("not_required", t)
            finding.sentences += self.explain_origin(t, finding)
            return finding
        if not t.is_leaf:
            return self.explain_intermediate(t)
        if root is not None:
            return self.explain_missing(t, root)
        roots = self.find_roots(t)
        return self.explain_missing(t, *roots) if roots else self.explain_unused(t)

    def report(self, cause: str, t: Any, **parts: object) -> Finding:
        return self.finding_in(t, cause, t=self.name(t), **parts)

    def explain_present(self, t: Any) -> Finding:
        value = value_of(t.grad)
        bad = nonfinite(t.grad)
        if bad:
            return self.report("nan_in_grad", t, what=bad)
        if has_numbers(t.grad) and bool((dense(t.grad) == 0).all()):
            finding = self.report("zero_grad", t)
        else:
            text = value_text(value_data(value), self.language)
            finding = self.report("has_grad", t, value=text)
        if hooks := names_on(t):
            finding.sentences.append(self.say("hooked", t=self.name(t), hook=", ".join(hooks)))
        return finding

    def explain_intermediate(self, t: Any) -> Finding:
        if t.retains_grad:
            return self.report("retained", t)
        where = self.where(self.node_line(t.grad_fn))
        finding = self.report("not_leaf", t, node=node_name(t.grad_fn), where=where)
        finding.culprits.append(t.grad_fn)
        finding.sentences.append(self.say("cure_not_leaf", t=self.name(t)))
        leaves = [node.variable for node in self.nodes(t) if is_accumulate(node)]
        if len(leaves) == 1 and self.names.of(leaves[0]) is None:
            finding.sentences.append(self.say("meant_as_leaf", t=self.name(t)))
        return finding

    def explain_origin(self, t: Any, finding: Finding) -> list[str]:
        """Explain why `t` has no history."""
        name = self.names.of(t)
        made = (self.find_plain_line(name) or self.find_global_line(name)) if name else None
        parts = {"t": self.name(t), "where": self.where(made)}
        if hasattr(t, "is_inference") and t.is_inference():
            return [self.say("inference")]
        if made is not None and made.block:
            return [self.say("made_in_block", block=made.block, **parts)]
        other = self.find_alias(t)
        if other is not None:
            finding.shown = other if other.grad_fn is not None else None
            return [self.say("cut_off", other=self.name(other), **parts)]
        if made is not None and cuts(made):
            return [self.say("cut_in_line", **parts)]
        if made is not None and self.uses_named_tensors(made) and not self.has_live_result(name):
            return [self.say("made_unrecorded", **parts)]
        value = getattr(made.tree, "value", None) if made is not None else None
        if made is None or value is None:
            return [self.say("made_somehow", **parts)]
        if creates(value) or any(last_name(call) in COPYING for call in calls_in(value)):
            return [self.say("made_plain", **parts)]
        # requires_grad_() on a result would only make it a leaf without a graph.
        somehow = [self.say("computed_somehow", **parts), self.say("ended_somewhere")]
        return somehow if t.dim() == 0 else [*somehow, self.say("or_a_leaf_there", **parts)]

    def find_plain_line(self, name: str) -> Statement | None:
        """Return the last line that made a variable's value without requires_grad.

        Lines that pass requires_grad are left out: they may stand in a cell that did not finish.
        """
        given = self.program.assignments(name)
        asking = {s for s in given if any(keyword(c, "requires_grad") for c in calls_in(s.tree))}
        return self.program.behind(next((s for s in reversed(given) if s not in asking), None))

    def find_global_line(self, name: str) -> Statement | None:
        """Return the last line of a function that assigns a global variable."""
        found: Statement | None = None
        for frame in {id(f): f for f, _ in self.places}.values():
            for program, _ in Program.functions(frame):
                declared = [s.tree for s in program.statements if isinstance(s.tree, ast.Global)]
                if any(name in tree.names for tree in declared):
                    found = program.assignment(name) or found
        return found

    def uses_named_tensors(self, made: Statement) -> bool:
        """Return whether a line computes its value from named tensors."""
        used = names_used(getattr(made.tree, "value", None))
        return not used.isdisjoint(name for t in self.tensors if (name := self.names.of(t)))

    def has_live_result(self, name: str | None) -> bool:
        """Return whether a tensor with a history was computed from the variable."""
        made = {other for other, _ in self.program.computed_from(name)} if name else set()
        return any(t.requires_grad and self.names.of(t) in made for t in self.tensors)

    def find_alias(self, t: Any) -> Any:
        """Return a named tensor that requires grad and shares memory with `t`."""
        place = memory(t)
        for other in self.tensors:
            if other is not t and other.requires_grad and place and memory(other) == place:
                return other
        return None

    def find_roots(self, t: Any) -> list[Any]:
        """Return the named results that lead to the leaf `t` and to no other result."""
        results = ((root, self.nodes(root)) for root in self.tensors if root.grad_fn is not None)
        over = {id(root): (root, nodes) for root, nodes in results if ends_at(t, nodes)}
        inner = {
            id(root.grad_fn)
            for root, _ in over.values()
            for other, nodes in over.values()
            if root.grad_fn is not other.grad_fn and root.grad_fn in nodes
        }
        return [root for root, _ in over.values() if id(root.grad_fn) not in inner]

    def explain_missing(self, t: Any, *roots: Any) -> Finding:
        """Explain why the leaf `t`, which requires grad, has no gradient.

        `roots` are the results that it is expected from. A root with a finished pass is preferred.
        """
        name = self.name(t)
        graphs = [(root, self.nodes(root)) for root in roots]
        root, nodes = next(((r, n) for r, n in graphs if state_of(n) == "freed"), graphs[0])
        shown = self.name(root)
        target = next((n for n in nodes if is_accumulate(n) and n.variable is t), None)
        if target is None:
            finding = Finding("not_reached", [self.say("not_reached", t=name, root=shown)])
            finding.shown = root if root.grad_fn is not None else None
            finding.sentences += self.find_cut(t, nodes, finding) or self.explain_lost(t)
            return finding
        state = state_of(nodes)
        if state == "kept":
            sentence = self.say("not_called", t=name, root=shown)
            return Finding("not_called", [sentence], root, [target])
        own = [node for node in nodes if is_user_function(node)]
        gate = next((n for n in own if not leads_to(root.grad_fn, target, without=n)), None)
        if gate is not None:
            where = self.where(self.node_line(gate))
            parts = {"t": name, "root": shown, "node": node_name(gate), "where": where}
            sentence = self.say("always_returned_none", **parts)
            return Finding("always_returned_none", [sentence], root, [gate])
        cleared = self.names.of(t) and self.program.clears(name)
        where = self.where(cleared[-1] if cleared else None)
        if not cleared and (asked := self.find_grad_call(shown)) is not None:
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

    def find_grad_call(self, root: str) -> Statement | None:
        """Return the line that calls autograd.grad() for `root`.

        Return None if another kind of pass has started at `root` since it was computed.
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

    def find_cut(self, t: Any, nodes: list[Any], finding: Finding) -> list[str]:
        """Describe where a graph that does not lead to `t` was cut.

        There an operation took the numbers of a tensor that does lead to `t` as a constant.
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

    def explain_unused(self, t: Any) -> Finding:
        """Explain a missing gradient when no named result leads to the leaf `t`."""
        lost = self.find_lost(t) or self.find_lost(t, jumps=True)
        if lost is None:
            return self.report("never_used", t)
        other, statement, why = lost
        where = self.where(statement)
        finding = self.report("used_without_history", t, other=self.name(other), where=where)
        finding.sentences += why
        finding.lost = other
        return finding

    def explain_lost(self, t: Any) -> list[str]:
        lost = self.find_lost(t)
        if lost is None:
            return []
        other, statement, why = lost
        parts = {"t": self.name(t), "other": self.name(other), "where": self.where(statement)}
        return [self.say("lost_at", **parts), *why]

    def find_lost(self, t: Any, jumps: bool = False) -> tuple[Any, Statement, list[str]] | None:
        """Find a named tensor that is computed from `t` and has no history.

        Variables with a history are followed. With `jumps`, integer tensors count.

        Returns:
            The tensor, its line, and sentences about the line.
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
                if tensor is not None and tensor.is_leaf and tensor.requires_grad:
                    if is_made_leaf(statement) and tensor is not t:
                        return (
                            tensor,
                            statement,
                            [self.say("used_leaf"), self.say("cure_used_leaf")],
                        )
                if tensor is None or tensor.requires_grad:
                    if tensor is not None or cuts(statement):
                        queue.append(other)
                    continue
                walks = any(map(is_grad, calls_in(statement.tree)))
                if walks and self.is_updated_by(self.name(t), other):
                    continue
                if statement.block:
                    return tensor, statement, [self.say("used_in_block", block=statement.block)]
                if cuts(statement):
                    return tensor, statement, [self.say("used_cut")]
                if tensor.is_floating_point() or jumps:
                    late = self.program.asks_for_grad(name)
                    return tensor, statement, [self.say("used_before", t=name)] if late else []
        return None

    def is_updated_by(self, name: str, gradient: str) -> bool:
        """Return whether a line computes a variable anew from its gradient: `w = w - 0.1 * g`."""
        return any(
            name in assigned(s.tree) and gradient in names_used(getattr(s.tree, "value", None))
            for s in self.program.statements
        )

    # --- Why does backward fail?

    def find_failure(self, root: Any, message: str = "") -> Finding | None:
        """Return what prevents a backward pass from `root`, if anything does.

        A changed saved tensor says more than a freed one, since the failing pass has freed nodes.
        The error's `message` can decide otherwise.
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
            return (
                self.explain_changed(root, node, name)
                if state == "changed"
                else self.explain_freed(root, node)
            )
        return None

    def explain_changed(self, root: Any, node: Any, saved: str) -> Finding:
        change = changed_versions(node, saved)
        made = self.node_line(node)
        since = self.statements_after(made, root)
        name, lines = self.find_writers(change, saved_memory(node, saved), since)
        if not name and made is not None and saved == "result":
            lines = self.writes_to_result(node, made) or lines
        finding = self.in_place_finding(root, node, saved, change, name, made)
        finding.sentences += self.blame(lines)
        instead = out_of_place(lines[0]) if len(lines) == 1 and saved == "result" else ""
        if made is not None and instead.partition(" = ")[0] in assigned(tree_of_line(made)):
            parts = {"line": self.line(lines[0]), "instead": instead}
            finding.sentences[-1] = self.say("changed_by_out_of_place", **parts)
        if lines and all(receivers(line, "step") for line in lines):
            finding.topic = "by_step"
            if state := self.carried_state(made):
                parts = {"line": self.line(lines[0]), "state": state}
                finding.sentences[-1] = self.say("changed_by_step_carried", **parts)
        return finding

    def writes_to_result(self, node: Any, made: Statement) -> list[Statement]:
        """Return the lines that write to a node's result under the name that its line gave it.

        The name may stand for another tensor by now, or its function may have returned.
        """
        program, line = self.program, line_of(node)
        if made.tree is None and line is not None:
            program = Program.around(line.filename, line.lineno)
            made = next((s for s in program.statements if s.line == line.lineno), made)
        value = getattr(made.tree, "value", None)
        if isinstance(value, ast.expr) and is_operation(node_name(node), value):
            return program.changes_behind(made)
        return []

    def carried_state(self, made: Statement | None) -> str:
        """Return the variable that a line in a loop computes from its own earlier value alone."""
        if made is None or not made.loops:
            return ""
        for name in sorted(assigned(made.tree) & names_used(getattr(made.tree, "value", None))):
            inside = [s for s in self.program.statements if s.loops[:1] == made.loops[:1]]
            given = [s for s in inside if name in assigned(s.tree) and s.file == made.file]
            if all(name in names_used(getattr(s.tree, "value", None)) for s in given):
                return name
        return ""

    def in_place_finding(
        self, root: Any, node: Any, saved: str, change: Change, name: str, made: Statement | None
    ) -> Finding:
        expected, version, _ = change
        shown_saved = f"{saved} = {name}" if name else saved
        parts = {"root": self.name(root), "node": node_name(node), "saved": shown_saved}
        parts |= {"expected": str(expected), "version": str(version), "where": self.where(made)}
        return Finding("in_place", [self.say("in_place", **parts)], root, [node])

    def statements_after(self, made: Statement | None, root: Any) -> list[Statement]:
        """Return the statements after the one that made the node, or else `root`."""
        statements = self.program.statements
        for making in (made, self.program.assignment(self.name(root))):
            if making in statements:
                last = max(i for i, s in enumerate(statements) if s == making)
                return statements[last + 1 :]
        return statements

    def blame(self, lines: list[Statement]) -> list[str]:
        """Describe the lines that may have changed the tensor."""
        if not lines:
            modules = ", ".join(f"`{name}`" for name in self.in_place_modules())
            return [
                self.say("changed_by_module" if modules else "changed_somewhere", modules=modules)
            ]
        filled = [s for s in lines if s.loops and _fills(s.tree)]
        if filled and len(lines) == len(filled) + sum(_fills(s.tree) for s in lines if not s.loops):
            return [self.say("filled_in_loop", line=self.line(filled[-1]))]
        if all(receivers(s, "step") for s in lines):
            stepping = {name for s in self.program.statements for name in receivers(s, "step")}
            cleared = {name for s in self.program.statements for name in receivers(s, "zero_grad")}
            key = "changed_by_step" if len(stepping & cleared) < 2 else "changed_by_other_step"
        else:
            key = "changed_by" if len(lines) == 1 else "changed_by_one_of"
        joined = self.say("and").join(self.line(line) for line in lines)
        names = {ast.unparse(s.tree.targets[0]).partition("[")[0] for s in lines if _fills(s.tree)}  # type: ignore[union-attr]
        several = len(lines) > 1 and all(_fills(s.tree) for s in lines)
        if several and len(names) == 1 and min(names).isidentifier():
            return [self.say("changed_by_parts", lines=joined, name=min(names))]
        return [self.say(key, where=self.where(lines[0]), line=joined, lines=joined)]

    def find_writers(
        self, change: Change, place: tuple[Any, ...] | None, since: list[Statement]
    ) -> tuple[str, list[Statement]]:
        """Return the name of the changed tensor and the lines that write to its memory.

        Both are guesses from the version, the memory and the shape in `change`.
        """
        _, version, shape = change
        groups: dict[Any, list[Any]] = {}
        for tensor in self.tensors:
            if version_of(tensor) == version and memory(tensor) is not None:
                groups.setdefault(memory(tensor), []).append(tensor)
        same = [t for group in groups.values() for t in group if _has_shape(t, shape)]
        if place in groups:
            chosen = [groups[place]]
        elif place is not None:  # a part of a larger tensor, or unnamed
            chosen = [group for group in groups.values() if any(covers(t, place) for t in group)]
        elif same:  # the same shape; else it may be a part of a larger tensor
            chosen = [
                group for group in groups.values() if any(_has_shape(t, shape) for t in group)
            ]
        else:
            size = math.prod(shape or ())
            chosen = [g for g in groups.values() if any(t.numel() >= size for t in g)]
        found = []
        for group in chosen:
            lines = [line for tensor in group for line in self.find_writes(tensor, since)]
            if lines:
                first = next((t for t in group if _has_shape(t, shape)), group[0])
                found.append((self.name(first), list(dict.fromkeys(lines))))
        # A write before the node was made cannot be the cause.
        found.sort(key=lambda each: not any(line in since for line in each[1]))
        if found:
            return found[0]
        name = self.name(chosen[0][0]) if place in groups else ""
        return name, self.find_writes_in_functions()

    def find_writes(self, tensor: Any, since: list[Statement]) -> list[Statement]:
        """Return the lines that write to a tensor, those after the statement first.

        The line that the tensor itself recorded is preferred to the program's text.
        """
        name = self.name(tensor)
        steps = self.find_steps(tensor)
        remembered = changed_at(tensor) if isinstance(tensor, Tensor) else None
        lines = self.program.changes(name) + self.program.changes_in_rows(name) + steps
        if remembered is not None and remembered.text:
            at = Statement.at(remembered.filename, remembered.lineno, remembered.text)
            if not constructs(self.find_statement(at)):
                return [self.find_statement(at), *(s for s in steps if s in since)]
        return [s for s in lines if s in since] or lines

    def in_place_modules(self) -> list[str]:
        """Return the names of modules that were made with inplace=True."""
        return [
            f"{name}.{path}" if path else name
            for name, value in self.variables.items()
            if not isinstance(value, type) and hasattr(type(value), "named_modules")
            for path, module in value.named_modules()
            if getattr(module, "inplace", False) is True
        ]

    def find_writes_in_functions(self) -> list[Statement]:
        """Return the lines that write in place in functions that the program calls."""
        history = History(lambda tensor: bool(tensor.requires_grad), self.running)
        found = []
        for scope in history.scopes:
            for _, _, inner in history.functions_entered(scope, scope.statements):
                found += [
                    s
                    for s in inner.statements
                    if any(not holds_numbers(inner, name) for name in changed_variables(s))
                ]
        return list(dict.fromkeys(found))[:4]

    def explain_unseen_change(self, change: Change) -> Finding:
        """Explain a changed tensor when only the error's message is known."""
        expected, version, _ = change
        saved, lines = self.find_writers(change, None, self.program.statements)
        parts = {"saved": saved or UNNAMED, "expected": expected, "version": version}
        finding = Finding("in_place", [self.say("in_place_unseen", **parts)])
        finding.sentences += self.blame(lines)
        return finding

    def find_steps(self, tensor: Any) -> list[Statement]:
        """Return the lines in which an optimizer that holds this tensor steps."""
        found = []
        for statement in self.program.calls("step"):
            for name in receivers(statement, "step"):
                groups = getattr(self.variables.get(name), "param_groups", ())
                if any(each is tensor for group in groups for each in group["params"]):
                    found.append(statement)
        return found

    def explain_freed(self, root: Any, node: Any) -> Finding:
        """Explain a pass from `root` that found freed tensors, `node` first.

        An earlier attempt that failed has itself freed the part above the failure. In that case the
        nodes that `root` shares with another result say more.
        """
        mine = self.operations(root)
        other, shared = self.find_sharing({id(each) for each in mine})
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
        cure = "cure_freed" if cause == "freed" else "cure_freed_shared"
        sentences = [self.say(cause, **parts), self.say(cure, **parts)]
        return Finding(cause, sentences, root, [node])

    def find_sharing(self, mine: set[int]) -> tuple[Any, list[Any]]:
        """Return a named result outside of a graph that shares nodes with it, and these nodes.

        A result that still holds its own saved tensors is left out: no pass has started there.
        """
        found: tuple[Any, list[Any]] = None, []
        for tensor in self.tensors:
            if tensor.grad_fn is None or id(tensor.grad_fn) in mine:
                continue
            nodes = self.operations(tensor)
            shared = [n for n in nodes if id(n) in mine]
            if shared and state_of(n for n in nodes if id(n) not in mine) != "kept":
                # Of several results, the earliest is closest to the shared part.
                if found[0] is None or found[0].grad_fn in nodes:
                    found = tensor, shared
        return found


def is_made_leaf(statement: Statement) -> bool:
    """Return whether a line makes a new leaf of numbers: `nn.Parameter(a * b)`."""
    value = getattr(statement.tree, "value", None)
    return isinstance(value, ast.Call) and last_name(value) in ("Parameter", "tensor", "Variable")


def made_result(scope: Scope) -> Statement | None:
    """Return the line of a function that made what its only `return` returns."""
    returns = [s for s in scope.statements if isinstance(s.tree, ast.Return)]
    if len(returns) != 1:
        return None
    value = getattr(returns[0].tree, "value", None)
    if not isinstance(value, ast.Name):
        return returns[0]
    made = [s for s in scope.statements if value.id in assigned(s.tree)]
    return made[-1] if made else None


def _has_shape(tensor: Any, shape: tuple[int, ...] | None) -> bool:
    """Return whether a tensor has this shape, transposed or not."""
    return shape is not None and sorted(tensor.shape) == sorted(shape)


def constructs(statement: Statement) -> bool:
    """Return whether a line is like `layer = nn.Linear(3, 3)`.

    A constructor fills its weights in place before they are used.
    """
    if re.match(r"[\w.]+ = ([\w.]+\.)?[A-Z]\w*\(", statement.text):
        return True
    if not isinstance(statement.tree, ast.Assign | ast.Return) or changed_variables(statement):
        return False
    calls = (n.func for n in ast.walk(statement.tree) if isinstance(n, ast.Call))
    return any(str(getattr(f, "attr", getattr(f, "id", "")))[:1].isupper() for f in calls)


def _computes(statement: Statement | None) -> bool:
    """Return whether an in-place write computes its value: `table[i] = a * b`, not `y += 1`."""
    tree: Any = None if statement is None else statement.tree
    value = getattr(tree, "value", None)
    given = value.args if isinstance(tree, ast.Expr) and isinstance(value, ast.Call) else [value]
    inner = [node for each in given if each is not None for node in ast.walk(each)]
    return any(isinstance(node, ast.BinOp | ast.Call) for node in inner)


def holds_numbers(scope: Scope, name: str) -> bool:
    """Return whether a variable is a list or a dict, into which results are put."""
    if name in scope.objects:
        return isinstance(scope.objects[name], list | dict)
    values = [getattr(s.tree, "value", None) for s in scope.statements if name in assigned(s.tree)]
    return bool(values) and all(isinstance(v, ast.Dict | ast.List) for v in values)


def _fills(tree: ast.stmt | None) -> bool:
    """Return whether a statement is like `table[i] = ...`."""
    return isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Subscript)

"""The evidence on which the rules judge: collected once, and never changed."""

from __future__ import annotations

import ast
import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FunctionType
from typing import Any

from ...model.autograd_nodes import is_accumulate, node_name
from ...model.either_library import output_metadata
from ...model.lines import line_of
from ...model.names import made_by
from ...model.program_text import TRIED, Program, Statement, receivers, texts_of
from ...model.values import shape_of
from ...texts.numerals import RAGGED
from ..causes import Context
from ..evidence import Place, kind_of, sequence_of
from ..examination import Examination
from ..history import History
from ..objects import is_library, is_module, member, resolve
from ..observed import Observed, Watched, finite, largest
from ..reachable import Thing, held_by, is_optimizer, names_of, parts_of, things_in
from ..scope import Scope, parameters_of
from ..silent import statements_of
from ..syntax import calls_in, last_name, root_of_pass, shows_operation

END = 10**9
"""A line after the end of every file."""

MOST_NODES = 10_000
"""Operations at which the rules look, each of two hundred at all of them."""


@dataclass(frozen=True)
class Evidence:
    """The graph of a loss, the program's text, its modules and optimizers, and watched steps.

    `seen` is None for `explain`, which has only what is there afterwards.
    """

    context: Context
    root: Any = None
    """The loss, a tensor, or None."""
    things: tuple[Thing, ...] = ()
    seen: Observed | None = None
    names: dict[int, str] = field(default_factory=dict)
    exam: Examination | None = None
    """The watched steps, with names and sentences for what is found in them."""
    entered: dict[tuple[str, int, str], tuple[FunctionType, Any, Scope]] = field(
        default_factory=dict
    )
    """The called function of each statement in one, with its object and scope."""

    @classmethod
    def afterwards(cls, context: Context, root: Any) -> Evidence:
        """Return what a program has left behind; its objects are collected once."""
        return cls(context, root, *things_and_names(context))

    # --- The graph

    @cached_property
    def nodes(self) -> tuple[Any, ...]:
        """The operations behind the loss, without leaves; of many, the last."""
        if self.root is None or self.root.grad_fn is None:
            return ()
        found = self.context.operations(self.root)
        if len(found) > MOST_NODES:
            found = heapq.nlargest(MOST_NODES, found, key=sequence_of)
        return tuple(found)

    @cached_property
    def leaves(self) -> tuple[Any, ...]:
        """The leaves behind the loss that require grad."""
        if self.root is None or self.root.grad_fn is None:
            return ()
        found = {
            id(node): node.variable for node in self.context.nodes(self.root) if is_accumulate(node)
        }
        return tuple(found.values())

    @cached_property
    def parents(self) -> dict[int, list[Any]]:
        """The nodes that use each node's result, by the node's identity."""
        found: dict[int, list[Any]] = {}
        for node in self.nodes:
            for before, _ in node.next_functions:
                if before is not None:
                    found.setdefault(id(before), []).append(node)
        return found

    def kind(self, node: Any) -> str:
        return "" if node is None else kind_of(node)

    def input_of(self, node: Any, place: int = 0) -> Any:
        """Return the node that made an input, beyond operations that only change the shape."""
        for _ in range(10):
            following = node.next_functions
            node = following[place][0] if place < len(following) else None
            place = 0
            if self.kind(node) not in RESHAPING:
                break
        return node

    def shape(self, node: Any, index: int = 0) -> tuple[int, ...]:
        """Return the shape of a node's result, or of a leaf."""
        if is_accumulate(node):
            return shape_of(node.variable)
        # A nested tensor has dimensions without a length.
        shapes = [
            tuple(n if isinstance(n, int) else RAGGED for n in each.shape)
            for each in output_metadata(node)
        ]
        return shapes[index] if index < len(shapes) else ()

    def node_line(self, node: Any) -> Statement | None:
        """Return the line that made a node; for an activation also one in a forward method."""
        found = self.context.node_line(node)
        if line_of(node) is not None or self.kind(node) not in ACTIVATIONS:
            return found
        shown = [s for _, owner, lines in self.forwards for s in lines if applies(node, owner, s)]
        alike = [n for n in self.nodes if self.kind(n) == self.kind(node)]
        if len(shown) == len(alike):
            place = sorted(map(sequence_of, alike)).index(sequence_of(node))
            return shown[place]
        wanted = self.kind(node).lower()
        for statement in () if shown else self.repeated:
            for call in calls_in(statement.tree):
                module = self.object(call.func)
                inside = module.modules() if is_module(module) else ()
                if any(type(each).__name__.lower() == wanted for each in inside):
                    return statement
        return found

    # --- The program's text

    @cached_property
    def lines(self) -> tuple[Statement, ...]:
        """The statements of the running functions and of those that they call, to their ends.

        The loops around a call count as loops around the statements of the called function.
        """
        # Two cells may have the same line, so frames are told apart, and not statements.
        frames = {id(frame): frame for frame, _ in self.context.places}
        places: list[Place] = [(frame, END) for frame in frames.values()]
        found = list(Program(places).statements)
        history = History(lambda tensor: bool(tensor.requires_grad), places)
        known = {frame.f_code for frame in frames.values()}
        for scope in history.scopes:
            for function, bound, inner in history.functions_entered(scope, scope.statements):
                if function.__code__ not in known:
                    known.add(function.__code__)
                    around = inner.around
                    found += (replace(s, loops=(*around, *s.loops)) for s in inner.statements)
                    self.entered.update(
                        (s.place, (function, bound, inner)) for s in inner.statements
                    )
        closures = [line for s in found for line in self.lines_of_closure(s)]
        return tuple(without_try(s) for s in (*found, *closures))

    def lines_of_closure(self, statement: Statement) -> Iterator[Statement]:
        """Yield the statements of the closure that `opt.step(closure)` calls.

        If no watched pass has started in a function, those of `viz.diagnose(step)` count too.
        """
        unseen = self.seen is not None and not self.seen.place
        callers = ("step", "diagnose") if unseen else ("step",)
        for call in calls_in(statement.tree):
            given = ast.unparse(call.args[0]) if len(call.args) == 1 else ""
            tree = self.functions.get(given) if last_name(call) in callers else None
            if tree is not None:
                program = Program(())
                program.add(tree[0], tree[1].splitlines(), statement.file, None)
                for each in program.statements:
                    yield replace(each, loops=(*statement.loops, *each.loops))

    @cached_property
    def functions(self) -> dict[str, tuple[ast.FunctionDef, str]]:
        """The functions that the text defines, also inside others, with the text."""
        nodes = ((n, text) for text in self.texts for n in ast.walk(tree_of(text)))
        return {n.name: (n, text) for n, text in nodes if isinstance(n, ast.FunctionDef)}

    @cached_property
    def written(self) -> tuple[Statement, ...]:
        """The statements of all functions that the text defines, also of those not running."""
        frames = {frame.f_code.co_filename: frame for frame, _ in self.context.places}
        programs = (each for frame in frames.values() for each, _ in Program.functions(frame))
        return tuple(statement for each in programs for statement in each.statements)

    @cached_property
    def repeated(self) -> tuple[Statement, ...]:
        """The statements of loops, and of the functions in which watched passes started."""
        found = [s for s in self.lines if s.loops]
        if self.seen is not None:
            caller = self.seen.caller
            inner = [frame for frame, _ in self.seen.place if frame is not caller]
            places: list[Place] = [(f, END) for f in inner if f.f_code.co_name != "<module>"]
            found += [without_try(s) for s in Program(places).statements if s not in found]
        return tuple(found)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The complete text of the program's files or cells."""
        found = {text for frame, _ in self.context.places for text in texts_of(frame)}
        return tuple(found)

    @cached_property
    def code(self) -> tuple[str, ...]:
        """The text of the program's files or cells without comments, if it can be parsed."""
        trees = ((text, tree_of(text)) for text in self.texts)
        return tuple(ast.unparse(tree) if tree.body else text for text, tree in trees)

    @cached_property
    def passes(self) -> tuple[Statement, ...]:
        """The statements that start a backward pass."""
        return tuple(s for s in self.lines if any(root_of_pass(call) for call in calls_in(s.tree)))

    @cached_property
    def reads_gradients(self) -> bool:
        """Whether a line reads or replaces `.grad`, as clipping each sample's gradient does."""
        lines = (s.text.replace("zero_grad", "") for s in (*self.lines, *self.repeated))
        return any(".grad" in text.replace(".grad = None", "") for text in lines)

    def calls(self, method: str, name: str) -> list[Statement]:
        """Return the statements that call a method of the object with this name."""
        last = name.rpartition(".")[2]
        return [
            s for s in self.lines if name in receivers(s, method) or f"{last}.{method}(" in s.text
        ]

    @cached_property
    def forwards(self) -> tuple[tuple[str, Any, tuple[Statement, ...]], ...]:
        """The statements of the user's forward methods, each with a module of its class."""
        found: dict[type, tuple[str, Any, tuple[Statement, ...]]] = {}
        for name, module in self.modules:
            for path, inner in module.named_modules():
                kind = type(inner)
                if kind not in found and not is_library(kind):
                    statements = tuple(statements_of(kind, "forward"))
                    found[kind] = (f"{name}.{path}".rstrip("."), inner, statements)
        return tuple(found.values())

    @cached_property
    def forward_lines(self) -> tuple[Statement, ...]:
        """The statements of all of the user's forward methods."""
        return tuple(s for _, _, statements in self.forwards for s in statements)

    # --- Objects

    def object(self, tree: ast.expr) -> Any:
        """Return the object behind a name or its attributes, or None."""
        return resolve(tree, Scope([], self.context.variables, None, True))

    def object_at(self, statement: Statement, tree: ast.expr) -> Any:
        """Return the object behind a name in a line, which may be an argument of a function."""
        known = self.entered.get(statement.place) if self.lines else None
        return self.object(tree) if known is None else self.object_in(*known, tree)

    def name_at(self, statement: Statement, tree: ast.expr) -> str:
        """Return the program's name for what a name in a line stands for."""
        thing = self.object_at(statement, tree)
        return self.names.get(id(thing)) or ast.unparse(tree)

    def object_in(self, function: FunctionType, bound: Any, scope: Scope, tree: ast.expr) -> Any:
        root, attributes = tree, list[str]()
        while isinstance(root, ast.Attribute):
            attributes.insert(0, root.attr)
            root = root.value
        names = parameters_of(function)[bound is not None :]
        if not isinstance(root, ast.Name) or root.id not in names or scope.call is None:
            return resolve(tree, scope)
        call, caller = scope.call
        given = dict(zip(names, call.args, strict=False))
        given |= {word.arg: word.value for word in call.keywords if word.arg}
        if root.id not in given:
            return resolve(tree, scope)
        outer = next((e for e in self.entered.values() if e[2] is caller), None)
        value = (
            self.object_in(*outer, given[root.id])
            if outer is not None
            else resolve(given[root.id], caller)
        )
        for attribute in attributes:
            value = member(value, attribute)
        return value

    @cached_property
    def modules(self) -> tuple[tuple[str, Any], ...]:
        return tuple((name, thing) for name, thing in self.things if is_module(thing))

    @cached_property
    def optimizers(self) -> tuple[tuple[str, Any], ...]:
        """The optimizers with their names; of watched steps, those that stepped."""
        if self.seen is not None:
            known = self.seen.optimizers
            return tuple((self.name(known[i]), known[i]) for i in self.seen.stepped)
        return tuple((name, thing) for name, thing in self.things if is_optimizer(thing))

    @cached_property
    def stepping(self) -> tuple[tuple[str, Any], ...]:
        """The optimizers that step, as watched or by the text."""
        if self.seen is not None:
            return self.optimizers
        return tuple((n, o) for n, o in self.optimizers if self.calls("step", n))

    @cached_property
    def held(self) -> dict[int, Any]:
        """The tensors that optimizers hold, by identity."""
        return {id(each): each for _, o in self.optimizers for each in held_by(o)}

    def name(self, thing: Any) -> str:
        """Return the name of a module, an optimizer or a tensor."""
        known = self.names.get(id(thing))
        if known is None and made_by_name(thing):
            known = self.context.names.of(thing)
        return known or type(thing).__name__

    # --- Numbers

    def watched(self, leaf: Any) -> Watched | None:
        return None if self.seen is None else self.seen.watched.get(id(leaf))

    def gradient(self, leaf: Any) -> float:
        """Return the largest element of a leaf's last gradient, or NaN if there is none."""
        watched = self.watched(leaf)
        if watched is not None and watched.sizes:
            return watched.sizes[-1].largest
        if self.seen is not None or leaf.grad is None or not finite(leaf.grad):
            return math.nan
        return largest(leaf.grad)


ACTIVATIONS = ("Relu", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "Softplus", "Gelu", "Elu")


def applies(node: Any, owner: Any, statement: Statement) -> bool:
    """Return whether a line of a module's forward shows the operation of a node, or its layer."""
    if shows_operation(node_name(node), statement):
        return True
    wanted = kind_of(node).lower()
    paths = (ast.unparse(call.func) for call in calls_in(statement.tree))
    layers = (getattr(owner, p[5:], None) for p in paths if p.startswith("self."))
    return any(type(layer).__name__.lower() == wanted for layer in layers)


def things_and_names(context: Context) -> tuple[tuple[Thing, ...], None, dict[int, str]]:
    """Return the objects that variables reach and their names, collected once."""
    if context.collected is None:
        things = tuple(things_in(context.places))
        names = names_of(list(things))
        for name, module in things:
            if is_module(module):
                for path, inner in modules_in_lists(module):
                    for each, parameter in inner.named_parameters():
                        names.setdefault(id(parameter), f"{name}.{path}.{each}")
        context.collected = things, None, names
    found: tuple[tuple[Thing, ...], None, dict[int, str]] = context.collected
    return found


def calls_at(statement: Statement | None) -> list[ast.Call]:
    """Return the calls of a line, by its text if that of a function is all there is."""
    if statement is None:
        return []
    return calls_in(statement.tree or tree_of(statement.text.strip()))


def without_try(statement: Statement) -> Statement:
    """Return the statement without the bodies of `try` around it, which run as the rest does."""
    arms = tuple(arm for arm in statement.arms if arm[1] != TRIED)
    return statement if arms == statement.arms else replace(statement, arms=arms)


def tree_of(text: str) -> ast.Module:
    """Return the syntax tree of a text; an empty one for a cell with magics."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def made_by_name(thing: Any) -> bool:
    return hasattr(type(thing), "grad_fn") and made_by(thing) is not None


RESHAPING = ("View", "UnsafeView", "Reshape", "ReshapeAlias", "Squeeze", "Unsqueeze", "T",
             "Transpose", "Permute", "Clone", "Select", "Flatten")  # fmt: skip
"""Operations that keep the numbers."""


def modules_in_lists(module: Any) -> Iterator[tuple[str, Any]]:
    """Yield the modules in plain lists and dicts of a module, as `layers[0]`."""
    for attribute, place, each in parts_of(module):
        if place and is_module(each):
            yield f"{attribute}{place}", each


def rates(optimizer: Any) -> list[float]:
    """Return the learning rates of an optimizer's groups."""
    return [float(group["lr"]) for group in optimizer.param_groups if "lr" in group]


def holds_any(optimizer: Any, tensors: list[Any]) -> bool:
    held = {id(each) for each in held_by(optimizer)}
    return any(id(each) in held for each in tensors)

"""Records of training steps: called modules, backward passes, and what optimizers found.

Hooks that both libraries offer record the steps: on module calls, optimizer steps and parameter
gradients. All are removed again. Nothing is changed, drawn or freed. The rules judge.
"""

from __future__ import annotations

import functools
import linecache
import math
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import islice
from types import FrameType
from typing import Any

import numpy as np

from ..model.autograd_nodes import is_accumulate, nodes_from
from ..model.either_library import version_of
from ..model.lines import of_library
from ..model.names import is_tensor, made_by
from ..model.program_text import Statement
from ..model.sources import is_cell
from ..model.values import bare, dense, has_numbers
from ..texts.language import Language
from .causes import Context
from .domains import describe_risk, risky_nodes
from .evidence import Place, sequence_of
from .nonfinite import first_nonfinite
from .reachable import Thing, held_by, things_in, unregistered_leaves
from .saved_memory import SavedMemory

WATCHED = 3
"""Iterations to watch; a growing graph is visible after three."""

LARGE = 100.0
"""A gradient may explode beyond this, if a step by it also moved the weights far."""

LARGEST_GRAPH = 50_000
"""Nodes of larger graphs are not counted."""


Output = tuple[int, int]
"""A result: the number of the node that made it, and its index there."""


@dataclass(frozen=True)
class Size:
    """The size of a gradient: the mean and the largest of its absolute elements."""

    mean: float
    largest: float


@dataclass(eq=False)
class Watched:
    """One parameter: a leaf of a module or an optimizer, or one with a name."""

    tensor: Any
    first_checksum: float
    """The checksum of its numbers at the start."""
    finite: bool
    """Whether its numbers were finite at the start."""
    version: int
    passes: set[int] = field(default_factory=set)
    """The passes that brought it a gradient."""
    contents: list[int] = field(default_factory=list)
    """The passes whose sum is its `.grad`."""
    used: dict[int, set[int]] = field(default_factory=dict)
    """The passes that each optimizer has used in a step."""
    grad: Callable[[], Any] = lambda: None
    """A weak reference to its last known `.grad`."""
    brought: float = field(init=False)
    """The largest element of the last pass's gradient."""
    sizes: list[Size] = field(default_factory=list)
    """Sizes of its gradient at each step, or after each pass without an optimizer."""
    last_checksums: tuple[float, float] = (0.0, 0.0)
    """Without an optimizer, the checksums of it and `.grad` after the last pass."""
    jump: tuple[float, float] | None = None
    """Its largest element before and after a step that made it many times as large."""


@dataclass(eq=False)
class Called:
    """How a module was called."""

    module: Any
    parameters: list[Any] = field(default_factory=list)
    """Its own parameters, without those of inner modules."""
    recorded: bool = False
    """Whether a call of it recorded gradients."""
    inside: list[Any] = field(default_factory=list)
    """The modules that called it."""
    place: Statement | None = None
    """The line of its first call without recording."""
    before: int | None = None
    """The number of passes before its first call."""


@dataclass(eq=False)
class Pass:
    """One backward pass that reached a parameter."""

    number: int
    iteration: int
    root: Output | None = None
    """The result that it started at, or None if that is unknown."""
    scalar: bool = False
    text: str = ""
    """The name of the root."""
    value: float = math.nan
    """The number of a scalar root."""
    zero: bool = False
    """Whether the loss was exactly zero, as a satisfied hinge loss is."""
    nodes: frozenset[int] = frozenset()
    goes_on: frozenset[Output] = frozenset()
    """The results of the last iteration that its graph continues from."""
    variables: dict[str, Output] = field(default_factory=dict)
    """The results that variables held at that time."""
    modes: dict[int, set[bool]] = field(default_factory=dict)
    """The training modes of the outermost modules that ran before it, by identity."""
    not_cleared: list[Watched] = field(default_factory=list)
    """Leaves updated by hand since the last iteration whose `.grad` was not cleared."""


@dataclass(eq=False)
class Step:
    """One step of an optimizer, with the state of the gradients of its parameters."""

    optimizer: Any
    iteration: int
    summed: list[Watched] = field(default_factory=list)
    """Parameters whose gradient sums one of an earlier step and a new one."""
    again: list[Watched] = field(default_factory=list)
    """Parameters whose gradient was used by an earlier step, with nothing new."""
    emptied: list[Watched] = field(default_factory=list)
    """Parameters without a gradient, though a pass has brought one since the last step."""
    fresh: list[Watched] = field(default_factory=list)
    doubled: list[Pass] = field(default_factory=list)
    """Passes that started at the root of an earlier pass of this step."""
    passes: set[int] = field(default_factory=set)
    place: Statement | None = None


Spread = tuple[float, float, Statement | None]
"""The mean of numbers, their standard deviation, and the line that gives them to a module."""


@dataclass(frozen=True)
class Origin:
    """Where non-finite numbers first appeared.

    `kind` is "module" (made from finite inputs), "input", "loss", or "gradient" of a parameter.
    """

    kind: str
    thing: Any = None
    """The module or the parameter."""
    sentences: tuple[str, ...] = ()
    """Sentences about the values behind the loss."""


def quietly(hook: Callable[..., None], late: str = "") -> Callable[..., None]:
    """Wrap a hook so that it never disturbs the step that it watches.

    After the watched iterations, the method named `late` runs in its place.
    """

    @functools.wraps(hook)
    def safe(self: Observed, *args: Any) -> None:
        if self.busy or (self.over and not (late and self.watches_on)):
            return
        self.busy = True
        try:
            if self.over:
                getattr(self, late)(*args)
            else:
                hook(self, *args)
        except Exception as error:
            self.trouble, self.over, self.watches_on = error, True, False
        finally:
            self.busy = False

    return safe


def quietly_until(late: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Wrap a hook as `quietly` does, with a method for the later iterations."""
    return functools.partial(quietly, late=late)


class Observed:
    """A record of training steps. Call `start`, run the steps, then call `stop`."""

    losses: list[float]
    """The loss of each watched pass."""
    curve: list[float]
    """The loss of each pass, of later iterations too."""
    alike: dict[int, list[bool]]
    """For each module, whether each watched call made equal rows of rows that differ."""
    given: dict[int, float]
    """The largest element that each outermost module got first."""
    trained: dict[int, Spread]
    """Mean and spread of what each outermost module got first in training."""
    predicted: dict[int, Spread]
    """The same of its first call without gradients, with the line."""

    def __init__(
        self, things: list[Thing], caller: FrameType, iterations: int | None, language: Language
    ) -> None:
        self.caller = caller
        self.language = language
        self.iterations = iterations
        self.iteration = 0
        self.over = False
        self.watches_on = True
        """Whether later iterations are watched, for the little that is read of them."""
        self.busy = False
        self.trouble: Exception | None = None
        self.thread = threading.get_ident()
        self.libraries: list[Any] = []
        self.recording: list[list[bool]] = []
        """For each iteration, whether each library recorded at its start."""
        self.handles: list[Any] = []
        self.notes: list[tuple[dict[int, bool], int]] = []
        self.hooked: set[Watched] = set()
        self.things = things
        self.watched: dict[int, Watched] = {}
        self.called: dict[int, Called] = {}
        self.optimizers: dict[int, Any] = {}
        self.stepped: set[int] = set()
        self.passes: list[Pass] = []
        self.steps: list[Step] = []
        self.frame: FrameType | None = None
        """The call of backward() to which the running pass belongs."""
        self.place: list[Place] = []
        """The user's frames at the last pass, outermost first."""
        self.root: Any = None
        self.since = False
        """Whether an optimizer has stepped since the last pass."""
        self.lines: set[tuple[tuple[int, int], ...]] = set()
        """The lines that called the passes of this iteration."""
        self.running: list[Any] = []
        self.modes: dict[int, set[bool]] = {}
        self.origin: Origin | None = None
        self.saved = SavedMemory()
        self.reached: dict[str, set[int]] = {}
        """For each variable, the iterations whose graphs it kept alive at the end."""
        self.largest: dict[int, float] = {}
        """The largest elements of parameters with large gradients before the step."""
        self.under_way: list[Any] = []
        self.later = 0
        """Passes after the watched iterations, of which little is recorded."""
        self.probe: Watched | None = None
        """The smallest parameter, whose later gradients are still read."""
        self.learning: list[Any] = []
        """Outermost modules in training mode, which optimizers move."""
        self.late_eval: tuple[Any, int] | None = None
        """A module that a later step found in evaluation mode, and the iteration."""
        self.late_nan: tuple[int, list[str]] | None = None
        """The iteration of the first later gradient that is not finite, and what is known of it."""
        self.activations: dict[int, list[float]] = {}
        """For each activation module, the share of flat results in each watched call."""
        self.rates: dict[int, list[float]] = {}
        """The largest learning rate of each optimizer at each watched step."""
        self.losses, self.curve, self.alike, self.given = [], [], {}, {}
        self.trained, self.predicted = {}, {}

    # --- Beginning and end

    def start(self) -> None:
        for name in ("minigrad", "torch"):
            if name not in sys.modules:
                continue
            library = import_module(name)
            self.libraries.append(library)
            every = import_module(f"{name}.nn.modules").module
            steps = import_module(f"{name}.optim.optimizer")
            leaving = every.register_module_forward_hook(
                self.leaving_module, with_kwargs=True, always_call=True
            )
            # PyTorch does not remove this entry with the hook.
            self.notes.append(
                (vars(every).get("_global_forward_hooks_with_kwargs", {}), leaving.id)
            )
            self.handles += [
                leaving,
                every.register_module_forward_pre_hook(
                    lambda module, args, library=library: self.entering_module(module, library)
                ),
                steps.register_optimizer_step_pre_hook(self.before_step),
                steps.register_optimizer_step_post_hook(self.after_step),
            ]
        for _, thing in self.things:
            if is_tensor(thing):
                self.watch(thing)
            elif hasattr(type(thing), "named_parameters"):
                for parameter in thing.parameters():
                    self.watch(parameter)
            else:
                self.add_optimizer(thing)

    def stop(self) -> None:
        self.over, self.watches_on = True, False
        for handle in self.handles:
            handle.remove()
        for notes, number in self.notes:
            notes.pop(number, None)
        self.handles.clear()
        self.frame = None

    def begin(self, iteration: int) -> None:
        """Begin an iteration; the runner of the steps calls this."""
        self.iteration, self.frame = iteration, None
        self.recording.append([bool(library.is_grad_enabled()) for library in self.libraries])

    def recording_stopped(self) -> bool:
        """Return whether the first iteration recorded gradients and the last did not."""
        return any(
            iterations[0] and not iterations[-1] for iterations in zip(*self.recording, strict=True)
        )

    def add_optimizer(self, optimizer: Any) -> None:
        self.optimizers[id(optimizer)] = optimizer
        for parameter in held_by(optimizer):
            self.watch(parameter)

    def watch(self, tensor: Any) -> None:
        if (known := self.watched.get(id(tensor))) is not None:
            self.hook(known)
            return
        if not tensor.is_leaf:
            return
        version = version_of(tensor) if not inference(tensor) else 0
        stand = checksum(tensor)
        watched = Watched(tensor, stand, math.isfinite(stand) or finite(tensor), version)
        self.watched[id(tensor)] = watched
        self.hook(watched)

    def hook(self, watched: Watched) -> None:
        tensor = watched.tensor
        if watched in self.hooked or not tensor.requires_grad:
            return
        self.hooked.add(watched)
        before = functools.partial(self.before_accumulation, watched)
        self.handles.append(tensor.register_hook(before))
        after = functools.partial(self.after_accumulation, watched)
        self.handles.append(tensor.register_post_accumulate_grad_hook(after))

    # --- Modules

    @quietly
    def entering_module(self, module: Any, library: Any) -> None:
        if threading.get_ident() != self.thread:
            return
        self.frame = None
        if (called := self.called.get(id(module))) is None:
            called = self.called[id(module)] = Called(module)
            for _, leaf in unregistered_leaves(module):
                self.watch(leaf)
        # Read at each call, since a module's parameters can be replaced.
        own = vars(module).get("_parameters", {})
        called.parameters = [each for each in own.values() if each is not None]
        for parameter in called.parameters:
            self.watch(parameter)
        if self.running and not any(each is self.running[-1] for each in called.inside):
            called.inside.append(self.running[-1])
        recorded = bool(library.is_grad_enabled())
        called.recorded |= recorded
        if not recorded:
            called.place = called.place or statement_in(places(sys._getframe(), self.caller))
        if not self.running and recorded:
            self.modes.setdefault(id(module), set()).add(module.training)
        self.running.append(module)

    @quietly_until("late_module")
    def leaving_module(self, module: Any, args: Any, *more: Any) -> None:
        if threading.get_ident() != self.thread:
            return
        while self.running and self.running.pop() is not module:
            pass
        *kwargs, result = more  # PyTorch omits kwargs if forward failed
        results = list(tensors_in(result))
        if self.origin is None and not all(map(finite, results)):
            whole = all(map(finite, tensors_in((args, kwargs))))
            self.origin = Origin("module" if whole else "input", module)
        if type(module).__name__ in FLAT_WHERE and results:
            self.activations.setdefault(id(module), []).append(flat_share(module, results[0]))
        called = self.called[id(module)]
        given = list(tensors_in((args, kwargs)))
        if given and results:
            same = has_equal_rows(results[0]) and not has_equal_rows(given[0])
            self.alike.setdefault(id(module), []).append(same)
            if not self.running and id(module) not in self.given and called.module.training:
                self.given[id(module)] = largest(given[0])
            if not self.running:
                self.note_spread(module, given[0], results[0])
        if called.before is None:
            called.before = len(self.passes)
        if called.before == len(self.passes):
            self.saved.add(module, called.parameters, results, given)

    def late_module(self, module: Any, args: Any, *more: Any) -> None:
        """Look for the first prediction by a module that learns."""
        if id(module) in self.trained and id(module) not in self.predicted:
            given, results = list(tensors_in((args, more[:-1]))), list(tensors_in(more[-1]))
            if given and results and not results[0].requires_grad:
                self.note_spread(module, given[0], results[0])

    def note_spread(self, module: Any, given: Any, result: Any) -> None:
        """Note mean and spread of what a module gets in training, and in a prediction."""
        known = self.trained if result.requires_grad else self.predicted
        if id(module) in known or not countable(given) or given.numel() < ENOUGH:
            return
        numbers = numbers_of(given)
        mean, spread = float(numbers.mean().item()), float(numbers.std().item())
        place = statement_in(places(sys._getframe(), self.caller))
        known[id(module)] = (mean, spread, place)

    # --- Passes

    @quietly_until("late_pass")
    def before_accumulation(self, watched: Watched, gradient: Any) -> None:
        self.note_pass(watched)
        if self.over:  # this pass began the first iteration that is not watched
            self.late_pass(watched, gradient)
            return
        if gradient is None:  # a Function of the program returned None
            return
        before = watched.tensor.grad
        if before is None or largest(before) == 0:
            watched.contents = []
        elif watched.grad() is not before:
            watched.contents = []  # the program replaced it by an unknown one
        watched.brought = largest(gradient)
        if self.origin is None and not watched.brought < float("inf"):
            self.origin = Origin("gradient", watched.tensor, tuple(self.describe_late_nan()))

    @quietly
    def after_accumulation(self, watched: Watched, tensor: Any) -> None:
        if tensor.grad is None:
            return
        number = len(self.passes)
        watched.passes.add(number)
        watched.contents.append(number)
        watched.grad = reference(tensor.grad)
        if not self.stepped:
            watched.sizes.append(size(tensor.grad))
            if not self.optimizers:
                watched.last_checksums = checksum(tensor), checksum(tensor.grad)

    def note_pass(self, watched: Watched) -> None:
        """Record a pass when its first gradient arrives."""
        frame: FrameType | None = sys._getframe()
        outer = None
        while frame is not None and of_library(frame):
            if frame.f_code.co_name in ("backward", "grad"):
                outer = frame
            frame = frame.f_back
        if outer is None:  # a pass in a thread of the library, as on a GPU
            frame = None
            if self.passes and len(self.passes) not in watched.passes:
                return
        elif outer is self.frame:
            return
        found = places(frame, self.caller)
        before, moved = self.iteration, self.moved_by_hand()
        self.since = self.since or bool(moved)
        self.begin_iteration(found)
        if self.over:
            self.reached = iterations_reached(things_in(found, tensors=True), self.passes)
            return
        self.frame, self.place = outer, found
        self.root, now = None, Pass(len(self.passes) + 1, self.iteration, modes=self.modes)
        self.passes.append(now)
        self.saved.pieces.clear()  # memory of an earlier pass may be reused
        self.modes = {}
        if (self.iteration > before or self.iterations is not None) and all(
            map(has_same_gradient, moved)
        ):
            now.not_cleared = moved if self.first_of_iteration() else []
        for name in ("tensors", "outputs", "self"):
            for each in tensors_in(None if outer is None else outer.f_locals.get(name)):
                if self.root is None and made_by(each)[0] is not None:
                    self.root = each
        if self.root is None:
            return
        node, index = made_by(self.root)
        now.root, now.scalar = (sequence_of(node), index), self.root.numel() == 1
        if now.scalar and has_numbers(self.root):
            now.value = float(bare(self.root).item())
            self.losses.append(now.value)
            self.curve.append(now.value)
        last = self.before()
        now.nodes, now.goes_on = graph_behind(node, max(last.nodes) if last else 0)
        now.zero = largest(self.root) == 0
        if (self.origin is None or self.origin.kind == "input") and not finite(self.root):
            if not (self.origin and self.origin.sentences):
                self.origin = self.describe_origin(found)
        for name, thing in things_in(found, tensors=True):
            if is_tensor(thing) and (made := made_by(thing))[0] is not None:
                now.variables.setdefault(name, (sequence_of(made[0]), made[1]))
                if thing is self.root:
                    now.text = now.text or name

    def describe_origin(self, found: list[Place]) -> Origin:
        """Return where the NaN of a root began, with sentences about the operation."""
        context = Context(self.language, None, found)
        first = first_nonfinite(context, self.root, rehearse=False)
        sentences = [str(each) for each in first.sentences]
        node = next(risky_nodes(context, self.root), None)
        if first.cause == "nan_value_about":
            sentences = sentences if node is None else describe_risk(context, node)
        if self.origin is not None:  # it began before a module, whose name is known
            return replace(
                self.origin, sentences=tuple(describe_risk(context, node) if node else ())
            )
        return Origin("loss", None, tuple(sentences) if context.names.of(self.root) else ())

    # --- Later iterations, of which little is read

    def late_pass(self, watched: Watched, gradient: Any) -> None:
        """Look for NaN in the gradient of the smallest parameter."""
        if self.probe is None:
            known = [w for w in self.watched.values() if w.passes]
            self.probe = min(known, key=lambda w: w.tensor.numel(), default=watched)
        if watched is not self.probe:
            return
        self.later += 1
        root = self.running_root()[0]
        if root is not None and root.numel() == 1 and has_numbers(root):
            self.curve.append(float(bare(root).item()))
        if self.late_nan is None and gradient is not None and not finite(gradient):
            self.late_nan = self.late_iteration(), self.describe_late_nan()

    def late_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        """Look for a model that learns in evaluation mode."""
        if not self.learning:
            moved = {id(p) for o in self.optimizers.values() for p in held_by(o)}
            modes: dict[int, set[bool]] = {}
            for each in self.passes:
                for identity, found in each.modes.items():
                    modes.setdefault(identity, set()).update(found)
            trained = [identity for identity, found in modes.items() if found == {True}]
            modules = [self.called[i].module for i in trained if i in self.called]
            self.learning = [m for m in modules if any(id(p) in moved for p in m.parameters())]
        if self.late_eval is None:
            for module in self.learning:
                if not module.training:
                    self.late_eval = module, self.late_iteration()

    def late_iteration(self) -> int:
        each = max(1, len(self.passes) // max(1, self.iteration))
        return self.iteration + -(-max(self.later, 1) // each)

    def describe_late_nan(self) -> list[str]:
        """Return sentences about the operation that made the first NaN."""
        root, found = self.running_root()
        if root is None or made_by(root)[0] is None:
            return []
        context = Context(self.language, None, found)
        node = next(risky_nodes(context, root, backward=True), None)
        return [] if node is None else describe_risk(context, node)

    def running_root(self) -> tuple[Any, list[Place]]:
        """Return the root of the running pass, and the user's frames."""
        frame: FrameType | None = sys._getframe()
        root = None
        while frame is not None and of_library(frame):
            if frame.f_code.co_name in ("backward", "grad"):
                for name in ("tensors", "outputs", "self"):
                    root = next(tensors_in(frame.f_locals.get(name)), root)
            frame = frame.f_back
        return root, places(frame, self.caller)

    def moved_by_hand(self) -> list[Watched]:
        """Return the leaves that changed since the last pass without an optimizer."""
        if self.optimizers:
            return []
        leaves = self.watched.values()
        return [w for w in leaves if w.contents and checksum(w.tensor) != w.last_checksums[0]]

    def first_of_iteration(self) -> bool:
        return len(self.passes) > 1 and self.passes[-2].iteration < self.iteration

    def before(self) -> Pass | None:
        """Return the last pass of the previous iteration."""
        return next(
            (p for p in reversed(self.passes) if p.iteration < self.iteration and p.nodes), None
        )

    def begin_iteration(self, found: list[Place]) -> None:
        """Begin an iteration where a line has another pass after gradients were used."""
        if self.iterations is not None:
            return
        lines = tuple((id(frame.f_code), line) for frame, line in found)
        used = self.since or self.cleared()
        if self.iteration == 0 or (lines in self.lines and used):
            self.iteration += 1
            self.lines = set()
            if self.iteration > WATCHED:
                self.iteration, self.over = WATCHED, True
                return
        self.lines.add(lines)
        self.since = False

    def cleared(self) -> bool:
        """Return whether the gradients of the passes were cleared."""
        for watched in self.watched.values():
            if watched.contents:
                gradient = watched.tensor.grad
                return gradient is None or largest(gradient) == 0
        return False

    # --- Steps of an optimizer

    @quietly_until("late_step")
    def before_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.under_way.append(optimizer)
        if optimizer in self.under_way[:-1]:  # an overridden step that calls super().step()
            return
        self.frame = None
        self.add_optimizer(optimizer)
        step = Step(optimizer, max(self.iteration, 1))
        step.place = statement_in(places(sys._getframe(), self.caller))
        self.steps.append(step)
        used = [float(group["lr"]) for group in optimizer.param_groups if "lr" in group]
        self.rates.setdefault(id(optimizer), []).append(max(used, default=math.nan))
        self.since = True
        self.stepped.add(id(optimizer))
        alone = not (len(args) > 1 and args[1] is not None) and kwargs.get("closure") is None
        for parameter in held_by(optimizer):
            watched = self.watched.get(id(parameter))
            if watched is None:
                continue
            now = None if parameter.grad is None else size(parameter.grad)
            if alone:
                self.inspect_gradient(step, watched, now is None or now.largest == 0)
            if now is not None:
                watched.sizes.append(now)
                if now.largest > LARGE:
                    self.largest[id(parameter)] = largest(parameter)

    def inspect_gradient(self, step: Step, watched: Watched, empty: bool) -> None:
        """Compare one parameter's gradient at a step with the recorded passes."""
        me, gradient = id(step.optimizer), watched.tensor.grad
        used = watched.used.setdefault(me, set())
        fresh = [number for number in watched.contents if number not in used]
        old = [number for number in watched.contents if number in used]
        if empty:
            if fresh and watched.brought > 0:
                step.emptied.append(watched)
            watched.contents = []
            return
        if watched.grad() is not gradient:
            watched.contents = []
            return
        if fresh:
            step.fresh.append(watched)
            step.passes |= {*fresh}
            roots: dict[Any, int] = {}
            for number in fresh:
                each = self.passes[number - 1]
                if each.root is not None and each.scalar and each.root in roots:
                    if each not in step.doubled:
                        step.doubled.append(each)
                roots.setdefault(each.root, number)
        if old:
            (step.summed if fresh else step.again).append(watched)
        used |= {*watched.contents}

    @quietly
    def after_step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        while self.under_way and self.under_way.pop() is not optimizer:
            pass
        if optimizer in self.under_way:
            return
        for parameter in held_by(optimizer):
            before = self.largest.get(id(parameter))
            watched = self.watched.get(id(parameter))
            if before is None or watched is None:
                continue
            after = largest(parameter)
            if after > 10 * max(1.0, before) and watched.jump is None:
                watched.jump = (before, after)


# --- What a tensor tells


FLAT_WHERE: dict[str, tuple[float, ...]] = {
    "ReLU": (0.0,), "ReLU6": (0.0, 6.0), "Sigmoid": (0.0, 1.0), "Tanh": (-1.0, 1.0),
    "Hardtanh": (-1.0, 1.0), "Hardsigmoid": (0.0, 1.0),
}  # fmt: skip
"""Activation modules, and the results at which their slope is zero, or as good as zero."""

NEARLY = 1e-6
"""A sigmoid this close to 0 or 1 passes on no gradient that counts."""


def flat_share(module: Any, result: Any) -> float:
    """Return the share of an activation's results at which its slope is zero."""
    if not countable(result):
        return 0.0
    numbers = numbers_of(result)
    near = sum((numbers - at).abs() <= NEARLY for at in FLAT_WHERE[type(module).__name__])
    return float((near > 0).to(numbers.dtype).mean().item())


ENOUGH = 20
"""Numbers from which on their mean and spread say something."""

ROWS = 5
"""Rows of a tensor that are compared."""


def has_equal_rows(tensor: Any) -> bool:
    """Return whether a tensor has several rows, and the first of them are equal."""
    if not 1 <= len(tensor.shape) or not 2 <= tensor.shape[0] or not has_numbers(tensor):
        return False
    rows = numbers_of(tensor)[:ROWS]
    return bool((rows[1:] == rows[:1]).all().item())


def tensors_in(value: Any, depth: int = 3) -> Iterator[Any]:
    """Yield the tensors in a module's arguments or results."""
    if is_tensor(value):
        yield value
    elif depth and isinstance(value, list | tuple):
        for each in value[:1000]:
            yield from tensors_in(each, depth - 1)
    elif depth and isinstance(value, dict):
        for each in value.values():
            yield from tensors_in(each, depth - 1)


def reference(tensor: Any) -> Callable[[], Any]:
    return weakref.ref(tensor) if tensor is not None else lambda: None


def inference(tensor: Any) -> bool:
    return bool(hasattr(type(tensor), "is_inference") and tensor.is_inference())


def numbers_of(tensor: Any) -> Any:
    return dense(bare(tensor))


def countable(tensor: Any) -> bool:
    kind = str(tensor.dtype).rpartition(".")[2]  # minigrad's dtypes have no is_complex
    return has_numbers(tensor) and (tensor.is_floating_point() or kind.startswith("complex"))


SMALL = 100_000
"""Largest number of elements for which NumPy is faster, since a call costs more than the work."""


def array(tensor: Any) -> np.ndarray[Any, Any] | None:
    """Return a small tensor's numbers in one dimension, if NumPy can read them in place."""
    if type(tensor).__name__ not in ("Tensor", "Parameter") or not 0 < tensor.numel() <= SMALL:
        return None
    if tensor.device.type != "cpu" or not tensor.is_floating_point():
        return None
    try:
        if not tensor.data_ptr():
            return None
        # After numpy(), the program could no longer resize the tensor's memory.
        numbers: np.ndarray[Any, Any] = np.from_dlpack(tensor.detach())
    except (BufferError, RuntimeError, TypeError):  # sparse, bfloat16 and the like
        return None
    return numbers.ravel() if numbers.dtype.itemsize >= 4 else None


def checksum(tensor: Any) -> float:
    """Return a number that changes with a tensor's numbers: the sum of squares.

    The plain sum does not change under a step by a cross-entropy's gradient.
    """
    if (numbers := array(tensor)) is not None:
        with np.errstate(invalid="ignore", over="ignore"):
            return float(numbers.dot(numbers))
    if not countable(tensor):
        return 0.0
    return float(numbers_of(tensor).abs().square().sum().item())


def finite(tensor: Any) -> bool:
    # The sum of squares is cheap and usually decides, but it can overflow.
    if math.isfinite(checksum(tensor)) or not countable(tensor):
        return True
    return bool(numbers_of(tensor).isfinite().all())


def largest(tensor: Any) -> float:
    """Return the largest absolute element; 0 for an empty tensor."""
    if (numbers := array(tensor)) is not None:
        return float(np.maximum.reduce(np.abs(numbers)))
    return float(numbers_of(tensor).abs().max().item()) if countable(tensor) else 0.0


def size(gradient: Any) -> Size:
    if (numbers := array(gradient)) is not None:
        sizes = np.abs(numbers)
        with np.errstate(invalid="ignore", over="ignore"):
            mean = float(np.add.reduce(sizes)) / len(sizes)
        return Size(mean, float(np.maximum.reduce(sizes)))
    if not countable(gradient):
        return Size(0.0, 0.0)
    sizes = numbers_of(gradient).abs()
    return Size(float(sizes.mean().item()), float(sizes.max().item()))


def has_same_gradient(watched: Watched) -> bool:
    """Return whether `.grad` is still what the last pass left, and not zero."""
    gradient = watched.tensor.grad
    same = gradient is not None and watched.grad() is gradient
    return same and checksum(gradient) == watched.last_checksums[1] > 0


def iterations_reached(things: Iterable[Thing], passes: list[Pass]) -> dict[str, set[int]]:
    """Return for each variable the iterations whose roots lie in or behind its value."""
    iterations = {each.root[0]: each.iteration for each in passes if each.root is not None}
    behind: dict[str, list[Any]] = {}
    known: set[int] = set()  # an object can have two names, such as `self` and a variable
    for name, thing in things:
        if is_tensor(thing) and id(thing) not in known and thing.grad_fn is not None:
            known.add(id(thing))
            behind.setdefault(name.partition("[")[0], []).append(thing.grad_fn)
    reached = {}
    for variable, starts in behind.items():
        nodes = islice(nodes_from(starts, is_accumulate), LARGEST_GRAPH)
        numbers = {*map(sequence_of, nodes)}
        reached[variable] = {iterations[number] for number in numbers & iterations.keys()}
    return reached


def graph_behind(node: Any, last: int) -> tuple[frozenset[int], frozenset[Output]]:
    """Return the numbers of the nodes behind one, and the results that link iterations.

    The node itself counts, leaves do not. The links are results of nodes up to number `last` from
    which later nodes continue.
    """
    found: set[int] = set()
    used: set[Output] = set()
    for behind in islice(nodes_from([node], is_accumulate), LARGEST_GRAPH):
        number = sequence_of(behind)
        found.add(number)
        for each, index in behind.next_functions:
            if each is not None and number > last >= sequence_of(each):
                used.add((sequence_of(each), index))
    return frozenset(found), frozenset(used)


def statement_in(found: list[Place]) -> Statement | None:
    """Return the line of the innermost user frame."""
    if not found:
        return None
    frame, line = found[-1]
    filename = frame.f_code.co_filename
    text = linecache.getline(filename, line, frame.f_globals).strip()
    return Statement.at(filename, line, text) if text else None


def places(frame: FrameType | None, caller: FrameType) -> list[Place]:
    """Return the user's frames that called `frame`, outermost first, with their lines.

    Frames above `caller`, or above a notebook's cell, do not belong to the step.
    """
    found: list[Place] = []
    while frame is not None and len(found) < 30:
        if frame.f_globals.get("__name__") == RUNNER:
            break
        if not of_library(frame):
            found.append((frame, frame.f_lineno))
        if frame is caller:
            break
        frame = frame.f_back
    found.reverse()
    cells = (i for i, (frame, _) in enumerate(found) if is_cell(frame.f_code.co_filename))
    return found[next(cells, 0) :]


RUNNER = f"{__name__.rpartition('.')[0]}.diagnose"
"""The module that runs the steps; frames above it are not the user's step."""

"""What is seen of training steps while they run: which modules were called and how, which passes
brought which parameters a gradient, what the optimizers found there and left behind.

Seen through hooks that both libraries offer (on every module's call, every optimizer's step, and
each parameter's gradient), which are all taken out again. Nothing is changed, drawn or freed, and
nothing is judged here: findings.py does that.
"""

from __future__ import annotations

import functools
import linecache
import math
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from types import FrameType
from typing import Any

import numpy as np

from ..model.autograd_nodes import is_accumulate
from ..model.lines import of_library
from ..model.names import is_tensor, made_by
from ..model.program import Statement
from ..model.sources import is_cell
from ..model.values import bare, dense, has_numbers
from ..texts.language import Language
from .causes import Case
from .evidence import Place, sequence_of
from .nonfinite import first_nonfinite
from .reachable import Thing, things_in, unregistered_leaves
from .saved_memory import SavedMemory

WATCHED = 3
"""So many turns of a loop are watched: a graph that grows shows in three."""

LARGE = 100.0
"""A gradient may be called exploding beyond this, if a step by it threw the weights far off."""

LARGEST_GRAPH = 50_000
"""Of a larger graph the nodes are not counted."""


Output = tuple[int, int]
"""A result: the number of the node that made it, and which of that node's it is."""


@dataclass(frozen=True)
class Size:
    """How large a gradient was: of its elements the mean, and the largest."""

    mean: float
    largest: float


@dataclass(eq=False)
class Watched:
    """One parameter: a leaf that a module or an optimizer has, or that has a name."""

    tensor: Any
    stood_first: float
    """Where its numbers stood when the watch began."""
    finite: bool
    """Were its numbers when the watch began?"""
    version: int
    passes: set[int] = field(default_factory=set)
    """The passes that brought it a gradient."""
    contents: list[int] = field(default_factory=list)
    """The passes that its `.grad` is the sum of."""
    used: dict[int, set[int]] = field(default_factory=dict)
    """Those that each optimizer has stepped by."""
    grad: Callable[[], Any] = lambda: None
    """Its `.grad` as it was last seen, as long as that lives."""
    brought: float = field(init=False)
    """The largest element that the last pass has brought."""
    sizes: list[Size] = field(default_factory=list)
    """Its gradient, as the steps found it; without an optimizer, as the passes left it."""
    stood: tuple[float, float] = (0.0, 0.0)
    """Where its numbers and its `.grad` stood after the last pass, if there is no optimizer."""
    leapt: tuple[float, float] | None = None
    """Its largest element before and after a step that made it many times as large."""


@dataclass(eq=False)
class Called:
    """How a module was called."""

    module: Any
    parameters: list[Any] = field(default_factory=list)
    """Its own, without those of modules inside it."""
    recorded: bool = False
    """Was it while gradients were recorded, once at least?"""
    inside: list[Any] = field(default_factory=list)
    """The modules that called it."""
    place: Statement | None = None
    """The line that first called it while gradients were not recorded."""
    before: int | None = None
    """So many passes came before its first call."""


@dataclass(eq=False)
class Pass:
    """One backward pass that came to a parameter."""

    number: int
    turn: int
    root: Output | None = None
    """What it began at; None where that is not known."""
    scalar: bool = False
    text: str = ""
    """What the root is called."""
    zero: bool = False
    """Was the loss exactly zero, as a hinge loss is where nothing is left to learn?"""
    nodes: frozenset[int] = frozenset()
    goes_on: frozenset[Output] = frozenset()
    """The results of the turn before that its graph goes on from."""
    variables: dict[str, Output] = field(default_factory=dict)
    """The results that variables held then."""
    modes: dict[int, set[bool]] = field(default_factory=dict)
    """Were the outermost modules that ran before it training? By identity."""
    on_top: list[Watched] = field(default_factory=list)
    """The leaves that were moved by hand since the turn before, if the gradients that this pass
    adds to are still those of then for each.
    """


@dataclass(eq=False)
class Step:
    """One step of an optimizer: what it found in the gradients of what it holds."""

    optimizer: Any
    turn: int
    summed: list[Watched] = field(default_factory=list)
    """With gradients that an earlier step had used, and new ones on top."""
    again: list[Watched] = field(default_factory=list)
    """With gradients that an earlier step had used, and no new ones."""
    emptied: list[Watched] = field(default_factory=list)
    """With nothing, though a pass had brought something since the last step."""
    fresh: list[Watched] = field(default_factory=list)
    doubled: list[Pass] = field(default_factory=list)
    """Passes that began where an earlier one of this step had."""
    passes: set[int] = field(default_factory=set)
    place: Statement | None = None


@dataclass(frozen=True)
class Origin:
    """Where numbers that are not finite were first seen: in what a "module" made of finite ones, in
    the "input" of one, in the "loss", or in the "gradient" of a parameter.
    """

    kind: str
    thing: Any = None
    """The module, or the parameter."""
    sentences: tuple[str, ...] = ()
    """What more the values behind the loss tell."""


def quietly(hook: Callable[..., None]) -> Callable[..., None]:
    """A hook that never disturbs the step that it watches."""

    @functools.wraps(hook)
    def safe(self: Observed, *args: Any) -> None:
        if self.over or self.busy:
            return
        self.busy = True
        try:
            hook(self, *args)
        except Exception as error:
            self.trouble, self.over = error, True
        finally:
            self.busy = False

    return safe


class Observed:
    """Training steps as they are seen. `start`, then run them, then `stop`."""

    def __init__(
        self, things: list[Thing], caller: FrameType, turns: int | None, language: Language
    ) -> None:
        self.caller = caller
        self.language = language
        self.turns = turns
        self.turn = 0
        self.over = False
        self.busy = False
        self.trouble: Exception | None = None
        self.thread = threading.get_ident()
        self.libraries: list[Any] = []
        self.recording: list[list[bool]] = []
        """Of each library, whether gradients were recorded when a turn began."""
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
        """The call of backward() that the pass now running belongs to."""
        self.place: list[Place] = []
        """The reader's frames at the last pass, outermost first."""
        self.root: Any = None
        self.since = False
        """Has an optimizer stepped since the last pass?"""
        self.lines: set[tuple[tuple[int, int], ...]] = set()
        """From which lines the passes of this turn were called."""
        self.running: list[Any] = []
        self.modes: dict[int, set[bool]] = {}
        self.origin: Origin | None = None
        self.saved = SavedMemory()
        self.reached: dict[str, set[int]] = {}
        """By variable, the turns whose graphs it kept alive when the watch was over."""
        self.largest: dict[int, float] = {}
        """The largest element of parameters before the step that is under way, where their
        gradients are large.
        """
        self.under_way: list[Any] = []

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
                self.left, with_kwargs=True, always_call=True
            )
            # PyTorch forgets to take this note out with the hook.
            self.notes.append(
                (vars(every).get("_global_forward_hooks_with_kwargs", {}), leaving.id)
            )
            self.handles += [
                leaving,
                every.register_module_forward_pre_hook(
                    lambda module, args, library=library: self.entering(module, library)
                ),
                steps.register_optimizer_step_pre_hook(self.stepping),
                steps.register_optimizer_step_post_hook(self.has_stepped),
            ]
        for _, thing in self.things:
            if is_tensor(thing):
                self.watch(thing)
            elif hasattr(type(thing), "named_parameters"):
                for parameter in thing.parameters():
                    self.watch(parameter)
            else:
                self.know(thing)

    def stop(self) -> None:
        self.over = True
        for handle in self.handles:
            handle.remove()
        for notes, number in self.notes:
            notes.pop(number, None)
        self.handles.clear()
        self.frame = None

    def begin(self, turn: int) -> None:
        """A turn begins, says whoever runs the steps."""
        self.turn, self.frame = turn, None
        self.recording.append([bool(library.is_grad_enabled()) for library in self.libraries])

    def turned_off(self) -> bool:
        """Were gradients recorded when the first turn began, and not when the last one did?"""
        return any(turns[0] and not turns[-1] for turns in zip(*self.recording, strict=True))

    def know(self, optimizer: Any) -> None:
        self.optimizers[id(optimizer)] = optimizer
        for parameter in held_by(optimizer):
            self.watch(parameter)

    def watch(self, tensor: Any) -> None:
        if (known := self.watched.get(id(tensor))) is not None:
            self.hook(known)
            return
        if not tensor.is_leaf:
            return
        version = int(tensor._version) if not inference(tensor) else 0
        stand = standing(tensor)
        watched = Watched(tensor, stand, math.isfinite(stand) or finite(tensor), version)
        self.watched[id(tensor)] = watched
        self.hook(watched)

    def hook(self, watched: Watched) -> None:
        tensor = watched.tensor
        if watched in self.hooked or not tensor.requires_grad:
            return
        self.hooked.add(watched)
        arriving = functools.partial(self.arriving, watched)
        self.handles.append(tensor.register_hook(arriving))
        arrived = functools.partial(self.arrived, watched)
        self.handles.append(tensor.register_post_accumulate_grad_hook(arrived))

    # --- Modules

    @quietly
    def entering(self, module: Any, library: Any) -> None:
        if threading.get_ident() != self.thread:
            return
        self.frame = None
        if (called := self.called.get(id(module))) is None:
            called = self.called[id(module)] = Called(module)
            for _, leaf in unregistered_leaves(module):
                self.watch(leaf)
        # Asked at each call: a module may have been given others since.
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

    @quietly
    def left(self, module: Any, args: Any, *more: Any) -> None:
        if threading.get_ident() != self.thread:
            return
        while self.running and self.running.pop() is not module:
            pass
        *kwargs, result = more  # PyTorch leaves the arguments by name out where forward has failed
        results = list(tensors_in(result))
        if self.origin is None and not all(map(finite, results)):
            whole = all(map(finite, tensors_in((args, kwargs))))
            self.origin = Origin("module" if whole else "input", module)
        called = self.called[id(module)]
        if called.before is None:
            called.before = len(self.passes)
        if called.before == len(self.passes):
            given = list(tensors_in((args, kwargs)))
            self.saved.add(module, called.parameters, results, given)

    # --- Passes

    @quietly
    def arriving(self, watched: Watched, gradient: Any) -> None:
        self.note_pass(watched)
        if self.over:
            return
        before = watched.tensor.grad
        if before is None or largest(before) == 0:
            watched.contents = []
        elif watched.grad() is not before:
            watched.contents = []  # somebody has put another there: whose it is nobody knows
        watched.brought = largest(gradient)
        if self.origin is None and not watched.brought < float("inf"):
            self.origin = Origin("gradient", watched.tensor)

    @quietly
    def arrived(self, watched: Watched, tensor: Any) -> None:
        number = len(self.passes)
        watched.passes.add(number)
        watched.contents.append(number)
        watched.grad = reference(tensor.grad)
        if not self.stepped:
            watched.sizes.append(size(tensor.grad))
            if not self.optimizers:
                watched.stood = standing(tensor), standing(tensor.grad)

    def note_pass(self, watched: Watched) -> None:
        """Is this the first that is seen of a pass?"""
        frame: FrameType | None = sys._getframe()
        outer = None
        while frame is not None and of_library(frame):
            if frame.f_code.co_name in ("backward", "grad"):
                outer = frame
            frame = frame.f_back
        if outer is None:  # a pass in a thread of the library's own, as on a GPU
            frame = None
            if self.passes and len(self.passes) not in watched.passes:
                return
        elif outer is self.frame:
            return
        found = places(frame, self.caller)
        before, moved = self.turn, self.moved_by_hand()
        self.since = self.since or bool(moved)
        self.begin_turn(found)
        if self.over:
            self.reached = turns_reached(things_in(found, tensors=True), self.passes)
            return
        self.frame, self.place = outer, found
        self.root, now = None, Pass(len(self.passes) + 1, self.turn, modes=self.modes)
        self.passes.append(now)
        self.saved.pieces.clear()  # what was kept for an earlier pass is free to be used again
        self.modes = {}
        if (self.turn > before or self.turns is not None) and all(map(unchanged, moved)):
            now.on_top = moved if self.first_of_turn() else []
        for name in ("tensors", "outputs", "self"):
            for each in tensors_in(None if outer is None else outer.f_locals.get(name)):
                if self.root is None and made_by(each)[0] is not None:
                    self.root = each
        if self.root is None:
            return
        node, index = made_by(self.root)
        now.root, now.scalar = (sequence_of(node), index), self.root.numel() == 1
        last = self.before()
        now.nodes, now.goes_on = graph_behind(node, max(last.nodes) if last else 0)
        now.zero = largest(self.root) == 0
        if self.origin is None and not finite(self.root):
            case = Case(self.language, None, found)
            said = first_nonfinite(case, self.root, rehearse=False).sentences
            self.origin = Origin("loss", None, tuple(said) if case.names.of(self.root) else ())
        for name, thing in things_in(found, tensors=True):
            if is_tensor(thing) and (made := made_by(thing))[0] is not None:
                now.variables.setdefault(name, (sequence_of(made[0]), made[1]))
                if thing is self.root:
                    now.text = now.text or name

    def moved_by_hand(self) -> list[Watched]:
        """The leaves that have other numbers than after the last pass, where no optimizer is."""
        if self.optimizers:
            return []
        leaves = self.watched.values()
        return [w for w in leaves if w.contents and standing(w.tensor) != w.stood[0]]

    def first_of_turn(self) -> bool:
        return len(self.passes) > 1 and self.passes[-2].turn < self.turn

    def before(self) -> Pass | None:
        """The last pass of the turn before."""
        return next((p for p in reversed(self.passes) if p.turn < self.turn and p.nodes), None)

    def begin_turn(self, found: list[Place]) -> None:
        """In a loop, a turn begins where a line has another pass after the gradients were used."""
        if self.turns is not None:
            return
        lines = tuple((id(frame.f_code), line) for frame, line in found)
        used = self.since or self.cleared()
        if self.turn == 0 or (lines in self.lines and used):
            self.turn += 1
            self.lines = set()
            if self.turn > WATCHED:
                self.turn, self.over = WATCHED, True
                return
        self.lines.add(lines)
        self.since = False

    def cleared(self) -> bool:
        """Has somebody taken away what the passes had brought?"""
        for watched in self.watched.values():
            if watched.contents:
                gradient = watched.tensor.grad
                return gradient is None or largest(gradient) == 0
        return False

    # --- Steps of an optimizer

    @quietly
    def stepping(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self.under_way.append(optimizer)
        if optimizer in self.under_way[:-1]:  # a step of its own, which calls that of its base
            return
        self.frame = None
        self.know(optimizer)
        step = Step(optimizer, max(self.turn, 1))
        step.place = statement_in(places(sys._getframe(), self.caller))
        self.steps.append(step)
        self.since = True
        self.stepped.add(id(optimizer))
        alone = not (len(args) > 1 and args[1] is not None) and kwargs.get("closure") is None
        for parameter in held_by(optimizer):
            watched = self.watched.get(id(parameter))
            if watched is None:
                continue
            now = None if parameter.grad is None else size(parameter.grad)
            if alone:
                self.found(step, watched, now is None or now.largest == 0)
            if now is not None:
                watched.sizes.append(now)
                if now.largest > LARGE:
                    self.largest[id(parameter)] = largest(parameter)

    def found(self, step: Step, watched: Watched, empty: bool) -> None:
        """What an optimizer finds in the gradient of one parameter."""
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
    def has_stepped(self, optimizer: Any, args: Any, kwargs: Any) -> None:
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
            if after > 10 * max(1.0, before) and watched.leapt is None:
                watched.leapt = (before, after)


# --- What a tensor tells


def held_by(optimizer: Any) -> Iterator[Any]:
    """The tensors that an optimizer moves."""
    return (each for group in optimizer.param_groups for each in group["params"])


def tensors_in(value: Any, depth: int = 3) -> Iterator[Any]:
    """The tensors in what a module takes or gives."""
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
    kind = str(tensor.dtype).rpartition(".")[2]  # minigrad's have no is_complex() to ask
    return has_numbers(tensor) and (tensor.is_floating_point() or kind.startswith("complex"))


SMALL = 100_000
"""NumPy is asked about tensors of up to so many elements, where a call costs more than the work."""


def array(tensor: Any) -> np.ndarray[Any, Any] | None:
    """The numbers in a row, if they are few and NumPy can read them as they are."""
    if type(tensor).__name__ not in ("Tensor", "Parameter") or not 0 < tensor.numel() <= SMALL:
        return None
    if tensor.device.type != "cpu" or not tensor.is_floating_point():
        return None
    try:
        if not tensor.data_ptr():
            return None
        # Not by numpy(), after which the program could not resize the tensor's memory any more.
        numbers: np.ndarray[Any, Any] = np.from_dlpack(tensor.detach())
    except (BufferError, RuntimeError, TypeError):  # sparse, bfloat16 and the like
        return None
    return numbers.ravel() if numbers.dtype.itemsize >= 4 else None


def standing(tensor: Any) -> float:
    """A number by which it shows that a tensor's have changed: the sum of the squares. That of the
    elements stays as it was under a step by a cross-entropy's gradient.
    """
    if (numbers := array(tensor)) is not None:
        with np.errstate(invalid="ignore", over="ignore"):
            return float(numbers.dot(numbers))
    if not countable(tensor):
        return 0.0
    return float(numbers_of(tensor).abs().square().sum().item())


def finite(tensor: Any) -> bool:
    # The sum of squares tells most often, and is the cheapest question; it may be too large itself.
    if math.isfinite(standing(tensor)) or not countable(tensor):
        return True
    return bool(numbers_of(tensor).isfinite().all())


def largest(tensor: Any) -> float:
    """The size of the largest element; 0 of no element."""
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


def unchanged(watched: Watched) -> bool:
    """Is its `.grad` still what the last pass has left, and not zero?"""
    gradient = watched.tensor.grad
    same = gradient is not None and watched.grad() is gradient
    return same and standing(gradient) == watched.stood[1] > 0


def turns_reached(things: Iterable[Thing], passes: list[Pass]) -> dict[str, set[int]]:
    """By variable, the turns whose passes began in what it holds, or behind that."""
    turns = {each.root[0]: each.turn for each in passes if each.root is not None}
    behind: dict[str, tuple[set[int], list[Any]]] = {}
    known: set[int] = set()  # one thing may be reached by two names: of `self`, and of the object
    for name, thing in things:
        if is_tensor(thing) and id(thing) not in known and thing.grad_fn is not None:
            known.add(id(thing))
            numbers, stack = behind.setdefault(name.partition("[")[0], (set(), []))
            stack.append(thing.grad_fn)
    reached = {}
    for variable, (numbers, stack) in behind.items():
        while stack and len(numbers) < LARGEST_GRAPH:
            node = stack.pop()
            if not is_accumulate(node) and (number := sequence_of(node)) not in numbers:
                numbers.add(number)
                stack += [each for each, _ in node.next_functions if each is not None]
        reached[variable] = {turns[number] for number in numbers & turns.keys()}
    return reached


def graph_behind(node: Any, last: int) -> tuple[frozenset[int], frozenset[Output]]:
    """The numbers of the nodes behind one, itself included, but for those of leaves; and which
    results of the nodes up to number `last` the later ones go on from.
    """
    found: set[int] = set()
    used: set[Output] = set()
    stack = [node]
    while stack and len(found) < LARGEST_GRAPH:
        node = stack.pop()
        if is_accumulate(node) or (number := sequence_of(node)) in found:
            continue
        found.add(number)
        for each, index in node.next_functions:
            if each is not None:
                stack.append(each)
                if number > last >= sequence_of(each):
                    used.add((sequence_of(each), index))
    return frozenset(found), frozenset(used)


def statement_in(found: list[Place]) -> Statement | None:
    """The line at which the innermost of the reader's frames is."""
    if not found:
        return None
    frame, line = found[-1]
    filename = frame.f_code.co_filename
    text = linecache.getline(filename, line, frame.f_globals).strip()
    return Statement.at(filename, line, text) if text else None


def places(frame: FrameType | None, caller: FrameType) -> list[Place]:
    """The reader's frames that have called what runs in `frame`, outermost first, each with the
    line that it is at; those above `caller`, or above a notebook's cell, are not of the step.
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
"""What stands above the file that runs the steps is not the reader's step."""

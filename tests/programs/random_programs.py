"""Random programs: a hypothesis strategy for them, and an interpreter that runs one on a library.

A program is a list of steps, plain data that prints as a list of tuples, so that a failing example
can be read and pasted into a test. A step names what to do and which of the variables so far to do
it with (by number, counted modulo how many there are, so that any numbers will do). Steps that fail
leave their error behind and the program goes on: errors are part of what has to be the same.

All numbers are small whole numbers in float64 and no step leaves them (nothing is divided),
so that both libraries compute them exactly and a difference is never one of rounding.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

from hypothesis import strategies as st

Step = tuple[Any, ...]

SHAPES = [(), (1,), (3,), (2, 3), (3, 2), (1, 3), (2, 1)]

UNARY = [
    *("neg", "relu", "clone", "twice", "plus one", "square", "sum", "sum 0", "sum keep", "clamp"),
    *("cumsum", "max", "flip", "repeat", "numbers", "mask", "masked_fill"),
    *("tril", "double", "max 0", "sort", "prod", "abs", "roll", "checkpoint", "older checkpoint"),
]
BINARY = [
    *("add", "sub", "mul", "matmul", "maximum by where", "stack of products", "maximum"),
    *("cat", "stack", "outer", "index_add", "minimum", "linear"),
]
VIEWS = [
    *("first", "last", "tail", "every second", "flat", "t", "transpose", "new axis", "squeeze"),
    *("expand", "all", "column", "diagonal", "narrow"),
    *("permute", "two axes", "reshape", "contiguous", "part of unbind", "part of split"),
    *("as_strided", "view_as", "unflatten"),
]
WRITES = [
    *("add_ number", "mul_ number", "zero_", "fill_", "relu_", "neg_", "clamp_", "square_"),
    *("set first", "set tail", "set mask", "set numbers", "set column", "masked_fill_"),
    *("abs_", "tril_", "cumsum_"),
    *(RESHAPES := ["t_", "transpose_", "unsqueeze_", "squeeze_"]),
]
WRITES_WITH = [
    *("add_", "mul_", "sub_", "copy_", "set first to", "set all to", "set numbers to"),
    *("add_ twice", "set column to"),
]
MARKS = [
    *("retain_grad", "hook", "doubling hook", "forget grad", "step"),
    *("node hook", "node prehook", "post hook", "requires grad", "requires no grad"),
    *("write to data", "new data", "detach_", "remove hook", "inner backward", "keep grad"),
]
PARTS = ["max", "sort", "unbind", "split", "var_mean", "min"]
FUNCTIONS = ["square", "in place", "the same", "a view", "two", "constant", "no gradient"]

number = st.integers(0, 20)
small = st.integers(-2, 2)

step = st.one_of(
    st.tuples(st.just("leaf"), st.sampled_from(SHAPES), small, st.booleans()),
    st.tuples(st.just("leaf"), st.sampled_from(SHAPES), small, st.just(True)),
    st.tuples(st.just("unary"), st.sampled_from(UNARY), number, st.booleans()),
    st.tuples(st.just("binary"), st.sampled_from(BINARY), number, number, st.booleans()),
    st.tuples(st.just("binary"), st.sampled_from(BINARY), number, number, st.just(False)),
    st.tuples(st.just("view"), st.sampled_from(VIEWS), number, st.booleans()),
    st.tuples(st.just("view"), st.sampled_from(VIEWS), number, st.just(False)),
    st.tuples(st.just("write"), st.sampled_from(WRITES), number, st.booleans()),
    st.tuples(st.just("write with"), st.sampled_from(WRITES_WITH), number, number, st.booleans()),
    st.tuples(st.just("detach"), number),
    st.tuples(st.just("mark"), st.sampled_from(MARKS), number),
    st.tuples(st.just("backward"), number, st.booleans(), st.booleans()),
    st.tuples(st.just("grad"), number, number, st.booleans()),
    st.tuples(st.just("grads"), number, number, number, st.booleans()),
    st.tuples(st.just("backward to"), number, number, st.booleans()),
    st.tuples(st.just("parts"), st.sampled_from(PARTS), number, st.booleans()),
    st.tuples(st.just("function"), st.sampled_from(FUNCTIONS), number, st.booleans()),
    st.tuples(st.just("packed"), number, number, st.booleans()),
    st.tuples(st.just("backward with"), number, number, st.booleans()),
    st.tuples(st.just("give grad"), number, number),
)

programs = st.builds(
    lambda start, steps, end: [*start, *steps, *end],
    st.lists(
        st.tuples(st.just("leaf"), st.sampled_from(SHAPES), small, st.just(True)),
        min_size=1,
        max_size=2,
    ),
    st.lists(step, min_size=4, max_size=16),
    st.lists(
        st.tuples(st.just("backward"), number, st.just(True), st.booleans()),
        min_size=1,
        max_size=2,
    ),
)

PHRASES = [
    "modified by an inplace operation",
    "a second time",
    "a leaf Variable that requires grad",
    "a view of a leaf Variable that requires grad",
    "A view was created in no_grad mode",
    "returns multiple views",
    "refers to a single memory location",
    "does not require grad and does not have a grad_fn",
    "grad can be implicitly created only for scalar outputs",
    "One of the differentiated Tensors does not require grad",
    "appears to not have been used in the graph",
    "you can only change requires_grad flags of leaf variables",
    "can't retain_grad on Tensor that has requires_grad=False",
    "cannot register a hook on a tensor that doesn't require gradient",
    "Can't detach views in-place",
    "saved tensor that has been detached in-place",
    "leaf variable has been moved into the graph interior",
    "cannot return more than one Tensor",
]
"""Phrases that identify an error: both libraries must use the same ones."""


def run(T: Any, program: list[Step], kind: type[Interpreter] | None = None) -> Any:
    """Return all visible results of `program` on the library `T`, for `parity.describe`."""
    interpreter = (kind or Interpreter)(T)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place, one in enumerate(program):
            interpreter.guarded(str(place), lambda one=one: interpreter.step(one))
        return interpreter.seen()


class Interpreter:
    """The variables of a running program, and its log: hooks that ran and errors."""

    def __init__(self, T: Any) -> None:
        self.T = T
        self.variables: list[Any] = []
        self.memory: list[int] = []  # a number for the piece of memory that each lies in
        self.log: list[Any] = []
        self.handles: list[Any] = []
        self.not_reshaped: list[Any] = []
        self.inside = False

    def guarded(self, where: str, action: Any) -> Any:
        """Run `action`; an error goes to the log."""
        try:
            return action()
        except (RuntimeError, IndexError, TypeError, ValueError) as error:
            said = [phrase for phrase in PHRASES if phrase in str(error)]
            self.log.append([where, type(error).__name__, said])
            return None

    def seen(self) -> Any:
        found = []
        for place, x in enumerate(self.variables):
            node = self.guarded(f"grad_fn of {place}", lambda x=x: [x.grad_fn])
            if node is not None and x.requires_grad:  # None: the history is ambiguous, an error
                name = node[0] and node[0].name()
                version = None if x.is_inference() else x._version
                found.append([name, self.plain(x.grad), version])
            found.append(self.plain(x))
        return found, self.log

    def plain(self, x: Any) -> Any:
        return None if x is None else [x.data.clone().tolist(), list(x.shape)]

    def pick(self, place: int) -> Any:
        x = self.variables[place % len(self.variables)]
        # A view's history is computed when it is read. Some of PyTorch's checks do not read it, and
        # take a view of a changed base for a leaf, which is not imitated.
        _ = x.grad_fn
        return x

    def memory_of(self, place: int) -> int:
        return self.memory[place % len(self.variables)]

    def keep(self, x: Any, memory: int | None = None) -> None:
        # Programs that make ever more or ever larger tensors show nothing new.
        if x.numel() <= 64:
            self.memory.append(len(self.variables) if memory is None else memory)
            self.variables.append(x)

    def step(self, one: Step) -> None:
        kind, *arguments = one
        getattr(self, kind.replace(" ", "_"))(*arguments)

    def quietly(self, quiet: bool, action: Any) -> Any:
        if not quiet:
            return action()
        with self.T.no_grad():
            return action()

    # --- The kinds of steps

    def leaf(self, shape: tuple[int, ...], first: int, requires_grad: bool) -> None:
        count = 1
        for size in shape:
            count *= size
        values = [float((first + 2 * k) % 5 - 2) for k in range(count)]
        x = self.T.tensor(values, dtype=self.T.float64).reshape(shape).detach()
        self.keep(x.requires_grad_(requires_grad))

    def unary(self, name: str, place: int, quiet: bool) -> None:
        x = self.pick(place)
        actions: dict[str, Any] = {
            "neg": lambda: -x,
            "relu": lambda: x.relu(),
            "clone": lambda: x.clone(),
            "twice": lambda: x * 2,
            "plus one": lambda: 1 + x,
            "square": lambda: x**2,
            "sum": lambda: x.sum(),
            "sum 0": lambda: x.sum(0),
            "sum keep": lambda: x.sum(-1, keepdim=True),
            "clamp": lambda: x.clamp(-1, 1),
            "cumsum": lambda: x.cumsum(0),
            "max": lambda: x.max(),
            "flip": lambda: x.flip(0),
            "repeat": lambda: x.repeat(2),
            "numbers": lambda: x[self.T.tensor([0, -1, 0])],
            "mask": lambda: x[x > 0],
            "masked_fill": lambda: x.masked_fill(x > 0, 7.0),
            "tril": lambda: x.tril(),
            "double": lambda: x.double(),
            "max 0": lambda: x.max(0)[0],
            "sort": lambda: x.sort(0)[0],
            "prod": lambda: x.prod(),
            # PyTorch keeps the second derivative of abs() as a zero that nothing can be added to.
            "abs": lambda: x.sign() * x,
            "roll": lambda: x.roll(1, 0),
            "checkpoint": lambda: self.checkpoint(x, use_reentrant=False),
            "older checkpoint": lambda: self.checkpoint(x, use_reentrant=True),
        }
        result = self.quietly(quiet, actions[name])
        self.keep(result, self.memory_of(place) if result is x else None)

    def binary(self, name: str, left: int, right: int, quiet: bool) -> None:
        a, b = self.pick(left), self.pick(right)
        actions: dict[str, Any] = {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul": lambda: a * b,
            "matmul": lambda: a @ b,
            "maximum by where": lambda: self.T.where(a > b, a, b),
            "stack of products": lambda: a * b + b * a,
            "maximum": lambda: self.T.maximum(a, b),
            "cat": lambda: self.T.cat([a, b]),
            "stack": lambda: self.T.stack([a, b, a]),
            "outer": lambda: self.T.outer(a, b),
            "index_add": lambda: a.index_add(0, self.T.tensor([0]), b),
            "minimum": lambda: self.T.minimum(a, b),
            "linear": lambda: self.T.nn.functional.linear(a, b),
        }
        self.keep(self.quietly(quiet, actions[name]))

    def view(self, name: str, place: int, quiet: bool) -> None:
        x = self.pick(place)
        actions: dict[str, Any] = {
            "first": lambda: x[0],
            "last": lambda: x[-1],
            "tail": lambda: x[1:],
            "every second": lambda: x[::2],
            "flat": lambda: x.view(-1),
            "t": lambda: x.t(),
            "transpose": lambda: x.transpose(0, -1),
            "new axis": lambda: x.unsqueeze(0),
            "squeeze": lambda: x.squeeze(),
            "expand": lambda: x.expand(2, 3),
            "all": lambda: x[...],
            "column": lambda: x[:, 0],
            "diagonal": lambda: x.diagonal(),
            "narrow": lambda: x.narrow(0, 0, 1),
            "permute": lambda: x.permute(1, 0),
            "two axes": lambda: x.view(1, -1),
            "reshape": lambda: x.reshape(-1),
            "contiguous": lambda: x.contiguous(),
            "part of unbind": lambda: x.unbind()[-1],
            "part of split": lambda: x.split(2)[0],
            "as_strided": lambda: x.as_strided((2,), (1,)) if x.numel() else x[...],
            "view_as": lambda: x.view_as(x),
            "unflatten": lambda: x.unflatten(0, (1, -1)),
        }
        # PyTorch 2.13 says of a view that is made under no_grad that it requires grad, but gives it
        # no history: a state with bugs of its own (a hook on it crashes), which has its own tests.
        view = self.quietly(quiet and not x.requires_grad, actions[name])
        self.keep(view, self.memory_of(place))

    def write(self, name: str, place: int, quiet: bool) -> None:
        x = self.pick(place)
        if self.spread(x):
            return
        if name in RESHAPES and (x.retains_grad or any(x is t for t in self.not_reshaped)):
            return
        # (Where it is not recorded, the gradient goes on being expected in the old shape.)
        quiet = quiet and not (name in RESHAPES and x.requires_grad)
        actions: dict[str, Any] = {
            "add_ number": lambda: x.add_(1),
            "mul_ number": lambda: x.mul_(2),
            "zero_": lambda: x.zero_(),
            "fill_": lambda: x.fill_(3),
            "relu_": lambda: x.relu_(),
            "neg_": lambda: x.neg_(),
            "set first": lambda: x.__setitem__(0, 4.0),
            "set tail": lambda: x.__setitem__(slice(1, None), -1.0),
            "set mask": lambda: x.__setitem__(x > 0, 1.0),
            "set numbers": lambda: x.__setitem__(self.T.tensor([0]), 2.0),
            "clamp_": lambda: x.clamp_(-1, 1),
            "square_": lambda: x.square_(),
            "set column": lambda: x.__setitem__((slice(None), 0), 3.0),
            "masked_fill_": lambda: x.masked_fill_(x > 0, 7.0),
            "abs_": lambda: x.abs_(),
            "tril_": lambda: x.tril_(),
            "cumsum_": lambda: x.cumsum_(0),
            "t_": lambda: x.t_(),
            "transpose_": lambda: x.transpose_(0, -1),
            "unsqueeze_": lambda: x.unsqueeze_(0),
            "squeeze_": lambda: x.squeeze_(),
        }
        self.quietly(quiet, actions[name])

    def write_with(self, name: str, place: int, other: int, quiet: bool) -> None:
        x, y = self.pick(place), self.pick(other)
        if self.spread(x):
            return
        if x.dim() and not x.is_floating_point() and y.requires_grad and name.startswith("set"):
            return  # PyTorch gives whole numbers a history, and fails wherever they are used
        if self.memory_of(place) == self.memory_of(other):
            y = y.clone()  # memory that is read and written at once has its own tests
        actions: dict[str, Any] = {
            "add_": lambda: x.add_(y),
            "mul_": lambda: x.mul_(y),
            "sub_": lambda: x.sub_(y),
            "copy_": lambda: x.copy_(y),
            "set first to": lambda: x.__setitem__(0, y),
            "set all to": lambda: x.__setitem__(slice(None), y),
            "set numbers to": lambda: x.__setitem__(self.T.tensor([0]), y),
            "add_ twice": lambda: x.add_(y, alpha=2),
            "set column to": lambda: x.__setitem__((slice(None), 0), y),
        }
        self.quietly(quiet, actions[name])

    def spread(self, x: Any) -> bool:
        """Whether several elements lie in one place, as expand makes them: tested elsewhere too."""
        steps = [step for step, size in zip(x.stride(), x.shape, strict=True) if size > 1]
        return 0 in steps and x.numel() > 0

    def detach(self, place: int) -> None:
        self.keep(self.pick(place).detach(), self.memory_of(place))

    def mark(self, name: str, place: int) -> None:
        x = self.pick(place)
        number = place % len(self.variables)
        actions: dict[str, Any] = {
            "retain_grad": lambda: None if self.crashes(x) else x.retain_grad(),
            "hook": lambda: self.hook(
                x, lambda g: self.log.append([f"hook on {number}", *self.listed([g])])
            ),
            "doubling hook": lambda: self.hook(x, lambda g: None if g is None else g * 2),
            "forget grad": lambda: setattr(x, "grad", None),
            "step": lambda: self.optimizer_step(x),
            "node hook": lambda: (
                x.grad_fn
                and self.handles.append(
                    x.grad_fn.register_hook(
                        lambda gi, go: self.log.append(
                            [f"node hook on {number}", *map(self.listed, (gi, go))]
                        )
                    )
                )
            ),
            "node prehook": lambda: (
                x.grad_fn
                and self.handles.append(
                    x.grad_fn.register_prehook(
                        lambda go: self.log.append([f"prehook on {number}", self.listed(go)])
                    )
                )
            ),
            "post hook": lambda: self.handles.append(
                x.register_post_accumulate_grad_hook(
                    lambda leaf: self.log.append([f"post hook on {number}", self.plain(leaf.grad)])
                )
            ),
            "requires grad": lambda: x.requires_grad_(),
            "requires no grad": lambda: x.requires_grad_(False),
            "write to data": lambda: x.data.add_(1) if self.free_to_write(x) else None,
            # (PyTorch would look for a view with new data where those lie in their own memory.)
            "new data": lambda: (
                not x._is_view()
                and self.free_to_write(x)
                and setattr(x, "data", x.data.clone() + 1)
            ),
            "detach_": lambda: x.detach_(),
            "remove hook": lambda: self.handles and self.handles.pop(number % 3 - 1).remove(),
            "inner backward": lambda: self.hook(x, lambda g: self.inner_backward(number)),
            "keep grad": lambda: self.keep(x.grad.clone()) if x.grad is not None else None,
        }
        actions[name]()

    def listed(self, gradients: Any) -> Any:
        return [None if g is None else g.tolist() for g in gradients]

    def crashes(self, x: Any) -> bool:
        """Whether PyTorch 2.13 fails an assertion of its own when `x` keeps its gradient and is
        then written: it looks for the tensor at the first output of its node."""
        return bool(x.output_nr)

    def free_to_write(self, x: Any) -> bool:
        """Whether a write past the version counter does no harm but wrong gradients."""
        return not (self.spread(x) or x.is_inference()) and x.is_floating_point()

    def optimizer_step(self, x: Any) -> None:
        with self.T.no_grad():
            if x.grad is not None:
                x.sub_(x.grad)

    def hook(self, x: Any, action: Any) -> None:
        # The same state can also come from a write under no_grad.
        if x.grad_fn is not None or not x._is_view():
            self.handles.append(x.register_hook(action))

    def inner_backward(self, number: int) -> None:
        """A backward pass inside another, which a hook begins."""
        if not self.inside:
            self.inside = True
            x = self.variables[(number + 1) % len(self.variables)]
            self.guarded("inside", lambda: x.sum().backward(retain_graph=True))
            self.inside = False

    def checkpoint(self, x: Any, use_reentrant: bool) -> Any:
        def compute(t: Any) -> Any:
            self.log.append(["computed", t.tolist()])
            return (t * t).relu() * 2

        return self.T.utils.checkpoint.checkpoint(compute, x, use_reentrant=use_reentrant)

    def backward_with(self, place: int, other: int, create_graph: bool) -> None:
        x, y = self.pick(place), self.pick(other)
        # (The copy, because a leaf may keep what it is given as its gradient, and write to it.)
        x.backward(y.clone(), retain_graph=True, create_graph=create_graph)

    def give_grad(self, place: int, other: int) -> None:
        x, y = self.pick(place), self.pick(other)
        x.grad = y.detach().clone()

    def backward(self, place: int, summed: bool, retain_graph: bool) -> None:
        x = self.pick(place)
        (x.sum() if summed else x).backward(retain_graph=retain_graph)

    def grad(self, place: int, source: int, create_graph: bool) -> None:
        x, y = self.pick(source), self.pick(place)
        (g,) = self.T.autograd.grad(y.sum(), x, create_graph=create_graph)
        # A gradient may share memory or not; its copy does not.
        self.keep(g.clone())

    def grads(self, place: int, first: int, second: int, create_graph: bool) -> None:
        y, sources = self.pick(place), [self.pick(first), self.pick(second)]
        found = self.T.autograd.grad(y.sum(), sources, create_graph=create_graph, allow_unused=True)
        self.log.append([f"gradients of {place}", self.listed(found)])
        for g in found:
            if g is not None:
                self.keep(g.clone())

    def backward_to(self, place: int, source: int, retain_graph: bool) -> None:
        x = self.pick(source)
        if self.crashes(x):
            return
        # It now keeps its gradient. Reshaped, then written, that fails an assertion of PyTorch's.
        self.not_reshaped.append(x)
        self.pick(place).sum().backward(retain_graph=retain_graph, inputs=[x])

    def parts(self, name: str, place: int, quiet: bool) -> None:
        x = self.pick(place)
        actions: dict[str, Any] = {
            "max": lambda: x.max(0),
            "min": lambda: x.min(-1, keepdim=True),
            "sort": lambda: x.sort(stable=True, dim=0),
            "unbind": lambda: x.unbind(),
            "split": lambda: x.split(1, -1),
            "var_mean": lambda: (x.double() * 2, x.sum(0)),
        }
        is_view = name in ("unbind", "split")
        memory = self.memory_of(place) if is_view else None
        for part in self.quietly(quiet and not (is_view and x.requires_grad), actions[name]):
            self.keep(part, memory)

    def function(self, name: str, place: int, quiet: bool) -> None:
        x = self.pick(place)
        quiet = quiet and not (name == "a view" and x.requires_grad)  # as in `view`
        results = self.quietly(quiet, lambda: own_functions(self.T)[name].apply(x))
        memory = self.memory_of(place) if name in ("in place", "the same", "a view") else None
        for result in results if isinstance(results, tuple) else (results,):
            self.keep(result, memory)

    def packed(self, left: int, right: int, doubled: bool) -> None:
        """A product whose saved tensors went through hooks."""

        def pack(t: Any) -> Any:
            packed.append(["pack", t.tolist()])
            return t.detach().clone() * 2 if doubled else t

        def unpack(t: Any) -> Any:
            self.log.append(["unpack", t.tolist()])
            return t

        packed: list[Any] = []
        a, b = self.pick(left), self.pick(right)
        # Reshaped later, they would fail the formula: with RuntimeError or NumPy's ValueError.
        self.not_reshaped += [] if doubled else [a, b]
        with self.T.autograd.graph.saved_tensors_hooks(pack, unpack):
            self.keep(a * b)
        self.log += packed  # (of shapes that do not fit, PyTorch finds it out after packing)


@cache
def own_functions(T: Any) -> dict[str, Any]:
    """Operations as a user writes them, on the library `T`."""

    class Square(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * x * g

    class InPlace(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class Same(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 3

    class View(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.shape = x.shape
            return x.view(-1)

        @staticmethod
        def backward(ctx, g):
            return g.view(ctx.shape)

    class Two(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x + 1, x * 2

        @staticmethod
        def backward(ctx, g, h):
            return g + 2 * h

    class Constant(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y, z = x + 1, x.sum()
            ctx.mark_non_differentiable(y)
            return y, z

        @staticmethod
        def backward(ctx, g, h):
            return h.expand(g.shape)

    class Nothing(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x + 0

        @staticmethod
        def backward(ctx, g):
            return None

    made = (Square, InPlace, Same, View, Two, Constant, Nothing)
    return dict(zip(FUNCTIONS, made, strict=True))

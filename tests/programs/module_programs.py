"""Random programs with modules, optimizers, assignments, own functions, copies and nested modes.

They use the steps of random_programs.py and the steps below, and sizes of 0 and 1. Modules divide
and take roots, so the programs compute in float64 and are compared with a tolerance.
"""

from __future__ import annotations

import copy
import pickle
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tests.programs.random_programs import (
    BINARY,
    UNARY,
    VIEWS,
    Interpreter,
    number,
    small,
)
from tests.programs.random_programs import step as plain_step

SHAPES = [(), (1,), (3,), (2, 3), (1, 3), (2, 1), (0,), (0, 3), (2, 0), (1, 1), (2, 2, 1)]
MODULES = [
    *("linear", "deep", "layer norm", "batch norm", "batch norm in evaluation", "softmax"),
    *("leaky relu", "dropout in evaluation", "flatten", "twice the same", "identity", "gelu"),
]
LOSSES = ["mse", "l1", "smooth l1", "mse sum", "mse none", "cross entropy"]
OPTIMIZERS = ["SGD", "SGD with momentum", "Nesterov", "Adam", "AdamW", "RMSprop"]
KEYS = [
    *("0", "-1", "1:", "::2", "...", "None", "mask", "numbers", "a number twice", ":, 0", "0, 0"),
    *("numbers, numbers", "..., 0", "1:1", "True", "rows of a mask", "slice, numbers", "5"),
]
FUNCTIONS = [
    *("saves its result", "saves what it computed", "two inputs", "none for one", "once"),
    *("set up apart", "undefined gradients", "writes a part", "an input and a result", "constant"),
]
HOOKS = ["zero", "scale", "another's gradient", "node scale", "node prehook scale", "node zero"]
MODES = ["no_grad", "enable_grad", "inference_mode", "set False", "set True", "anomaly"]
COPIES = ["deepcopy", "pickle", "copy", "deepcopy of a pair", "clone.detach", "new tensor"]
CHECKPOINTS = ["two inputs", "nested", "an input unused", "several results", "in a row"]

CHOOSING = {"sort", "max", "min", "max 0", "relu", "clamp", "mask", "masked_fill", "abs"} | {
    *("maximum by where", "maximum", "minimum", "checkpoint", "older checkpoint"),
}

inner = st.one_of(
    st.tuples(st.just("leaf"), st.sampled_from(SHAPES), small, st.booleans()),
    st.tuples(st.just("unary"), st.sampled_from(UNARY), number, st.just(False)),
    st.tuples(st.just("binary"), st.sampled_from(BINARY), number, number, st.just(False)),
    st.tuples(st.just("backward"), number, st.booleans(), st.booleans()),
    st.tuples(st.just("apply"), st.sampled_from(FUNCTIONS), number, number),
    st.tuples(st.just("copied"), st.sampled_from(COPIES), number, number),
)
view = st.tuples(st.just("view"), st.sampled_from(VIEWS), number, st.just(False))
other_step = st.one_of(
    plain_step,
    st.tuples(st.just("leaf"), st.sampled_from(SHAPES), small, st.just(True)),
    st.tuples(st.just("module"), st.sampled_from(MODULES), number, st.booleans()),
    st.tuples(st.just("loss"), st.sampled_from(LOSSES), number, number),
    st.tuples(st.just("optimizer"), st.sampled_from(OPTIMIZERS), number, number),
    st.tuples(st.just("optimize"), number, st.booleans()),
    st.tuples(st.just("reload"), number, st.booleans()),
    st.tuples(st.just("taken"), st.sampled_from(KEYS), number),
    st.tuples(st.just("assign"), st.sampled_from(KEYS), number, small),
    st.tuples(st.just("assign tensor"), st.sampled_from(KEYS), number, number),
    st.tuples(st.just("apply"), st.sampled_from(FUNCTIONS), number, number),
    st.tuples(st.just("changing hook"), st.sampled_from(HOOKS), number, number),
    st.tuples(st.just("under"), st.lists(st.sampled_from(MODES), min_size=1, max_size=3), inner),
    st.tuples(st.just("copied"), st.sampled_from(COPIES), number, number),
    st.tuples(st.just("checkpointed"), st.sampled_from(CHECKPOINTS), number, number),
    st.tuples(st.just("data of another"), number, number),
    st.tuples(st.just("write alias"), number, number),
    st.tuples(st.just("second order"), number, number, st.lists(view, max_size=3)),
)

module_programs = st.builds(
    lambda start, steps, end: [*start, *steps, *end],
    st.lists(
        st.tuples(st.just("leaf"), st.sampled_from(SHAPES), small, st.just(True)),
        min_size=1,
        max_size=2,
    ),
    st.lists(other_step, min_size=4, max_size=14),
    st.lists(
        st.tuples(st.just("backward"), number, st.just(True), st.booleans()),
        min_size=1,
        max_size=2,
    ),
)


class ModuleInterpreter(Interpreter):
    """The same with modules and optimizers in addition to the variables."""

    def __init__(self, T: Any) -> None:
        super().__init__(T)
        self.optimizers: list[tuple[str, list[Any], Any]] = []
        self.recomputes = False

    def tensor(self, values: Any) -> Any:
        return self.T.tensor(values, dtype=self.T.float64)

    def seen(self) -> Any:
        found = super().seen()
        states = [self.numbers(optimizer.state_dict()) for _, _, optimizer in self.optimizers]
        return found, states

    def numbers(self, value: Any) -> Any:
        """Return the plain data of a state."""
        if isinstance(value, dict):
            return {str(key): self.numbers(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.numbers(each) for each in value]
        return value.tolist() if isinstance(value, self.T.Tensor) else value

    # --- Steps of the other kind that have to be exact

    def exact(self, place: int) -> bool:
        """Whether the numbers are those of an exact computation: of others the last digit may
        decide which of two is the larger."""
        x = self.pick(place).detach() * 64
        return not x.is_floating_point() or bool((x.round() == x).all())

    def unary(self, name: str, place: int, quiet: bool) -> None:
        if name not in CHOOSING or self.exact(place):
            super().unary(name, place, quiet)

    def binary(self, name: str, left: int, right: int, quiet: bool) -> None:
        if name not in CHOOSING or (self.exact(left) and self.exact(right)):
            super().binary(name, left, right, quiet)

    def parts(self, name: str, place: int, quiet: bool) -> None:
        if name not in CHOOSING or self.exact(place):
            super().parts(name, place, quiet)

    def view(self, name: str, place: int, quiet: bool) -> None:
        # (Of a single number PyTorch may read two, where it has got more memory than it asked for.)
        if name != "as_strided" or self.pick(place).numel() > 1:
            super().view(name, place, quiet)

    # --- Modules and optimizers

    def module(self, name: str, place: int, keep_parameters: bool) -> None:
        x, nn = self.pick(place), self.T.nn
        if not x.is_floating_point() or x.dtype is not self.T.float64:
            return
        width = x.shape[-1] if x.dim() else 1
        made: dict[str, Any] = {
            "linear": lambda: nn.Linear(width, 2),
            "deep": lambda: nn.Sequential(nn.Linear(width, 2), nn.Tanh(), nn.Linear(2, 1)),
            "layer norm": lambda: nn.LayerNorm(width),
            "batch norm": lambda: nn.BatchNorm1d(width),
            "batch norm in evaluation": lambda: nn.BatchNorm1d(width).eval(),
            "softmax": lambda: nn.Softmax(-1),
            "leaky relu": lambda: nn.LeakyReLU(0.5, inplace=keep_parameters),
            "dropout in evaluation": lambda: nn.Dropout(0.5).eval(),
            "flatten": lambda: nn.Flatten(0),
            "twice the same": lambda: nn.Sequential(*[nn.Linear(width, width)] * 2),
            "identity": lambda: nn.Identity(),
            "gelu": lambda: nn.GELU(),
        }
        module = made[name]().to(self.T.float64)
        with self.T.no_grad():
            for parameter in module.parameters():
                count = parameter.numel()
                values = self.tensor([(k % 5 - 2) / 2 for k in range(count)])
                parameter.copy_(values.reshape(parameter.shape))
        memory = self.memory_of(place)
        result = module(x)
        shares = result is x or result._is_view() or name == "leaky relu"
        self.keep(result, memory if shares else None)
        # For a bias alone, PyTorch's fused norms give a gradient that depends on all inputs.
        if keep_parameters and "norm" not in name:
            for parameter in module.parameters():
                self.keep(parameter)
        self.log.append(self.numbers(module.state_dict()))

    def loss(self, name: str, left: int, right: int) -> None:
        a, b, F = self.pick(left), self.pick(right), self.T.nn.functional
        if a.shape != b.shape:
            return
        actions: dict[str, Any] = {
            "mse": lambda: F.mse_loss(a, b),
            "l1": lambda: F.l1_loss(a, b),
            "smooth l1": lambda: F.smooth_l1_loss(a, b),
            "mse sum": lambda: F.mse_loss(a, b, reduction="sum"),
            "mse none": lambda: F.mse_loss(a, b, reduction="none"),
            "cross entropy": lambda: F.cross_entropy(a, b.softmax(-1)),
        }
        self.keep(actions[name]())

    def optimizer(self, name: str, first: int, second: int) -> None:
        leaves = [self.pick(first), self.pick(second)]
        leaves = leaves[:1] if leaves[0] is leaves[1] else leaves
        self.optimizers.append((name, leaves, self.made(name, leaves)))

    def made(self, name: str, leaves: list[Any]) -> Any:
        optim = self.T.optim
        make: dict[str, Any] = {
            "SGD": lambda: optim.SGD(leaves, lr=0.5, weight_decay=0.5),
            "SGD with momentum": lambda: optim.SGD(leaves, lr=0.5, momentum=0.5, dampening=0.25),
            "Nesterov": lambda: optim.SGD(leaves, lr=0.5, momentum=0.5, nesterov=True),
            "Adam": lambda: optim.Adam([{"params": leaves, "lr": 0.25}], amsgrad=True),
            "AdamW": lambda: optim.AdamW(leaves, lr=0.25),
            "RMSprop": lambda: optim.RMSprop(leaves, lr=0.25, momentum=0.5, centered=True),
        }
        return make[name]()

    def optimize(self, place: int, zero: bool) -> None:
        if self.optimizers:
            _, leaves, optimizer = self.optimizers[place % len(self.optimizers)]
            if not any(self.spread(leaf) for leaf in leaves):
                optimizer.step()
            if zero:
                optimizer.zero_grad()

    def reload(self, place: int, pickled: bool) -> None:
        """Go on with another optimizer, which gets the state of the first."""
        if self.optimizers:
            place %= len(self.optimizers)
            name, leaves, optimizer = self.optimizers[place]
            state = copy.deepcopy(optimizer.state_dict())
            if pickled:
                state = pickle.loads(pickle.dumps(state))
            fresh = self.made(name, leaves)
            fresh.load_state_dict(state)
            self.optimizers[place] = name, leaves, fresh

    # --- Indices

    def key(self, name: str, x: Any) -> Any:
        T = self.T
        places = T.tensor([0, -1])
        keys: dict[str, Any] = {
            "0": lambda: 0,
            "-1": lambda: -1,
            "5": lambda: 5,
            "1:": lambda: slice(1, None),
            "1:1": lambda: slice(1, 1),
            "::2": lambda: slice(None, None, 2),
            "...": lambda: ...,
            "None": lambda: None,
            "True": lambda: True,
            "mask": lambda: x.detach() > 0,
            "rows of a mask": lambda: x.detach().reshape(len(x), -1)[:, 0] > 0,
            "numbers": lambda: places,
            "a number twice": lambda: T.tensor([0, 0]),
            ":, 0": lambda: (slice(None), 0),
            "0, 0": lambda: (0, 0),
            "numbers, numbers": lambda: (places, places),
            "slice, numbers": lambda: (slice(None), places),
            "..., 0": lambda: (..., 0),
        }
        return keys[name]()

    def taken(self, name: str, place: int) -> None:
        x = self.pick(place)
        result = x[self.key(name, x)]
        self.keep(result, self.memory_of(place) if result._is_view() else None)

    def assign(self, name: str, place: int, value: int) -> None:
        x = self.pick(place)
        if not self.spread(x):
            x[self.key(name, x)] = float(value)

    def assign_tensor(self, name: str, place: int, other: int) -> None:
        x, y = self.pick(place), self.pick(other)
        if self.spread(x) or not x.is_floating_point() or name == "a number twice":
            return
        if self.memory_of(place) == self.memory_of(other):
            y = y.clone()
        x[self.key(name, x)] = y

    # --- Functions, hooks, modes, copies

    def apply(self, name: str, left: int, right: int) -> None:
        x, y = self.pick(left), self.pick(right)
        if name == "writes a part" and self.spread(x):
            return
        # (What is cloned from an inference tensor has the version 1 in PyTorch, a mean of it 2.)
        if x.is_inference() or y.is_inference():
            return
        results = more_functions(self.T)[name].apply(x, y)
        memories = {id(x): self.memory_of(left), id(y): self.memory_of(right)}
        for result in results if isinstance(results, tuple) else (results,):
            base = result._base if result._is_view() else result
            shares = name in ("writes a part", "an input and a result")
            memory = memories.get(id(base), self.memory_of(left)) if shares else None
            self.keep(result, memory)

    def changing_hook(self, name: str, place: int, other: int) -> None:
        x, y = self.pick(place), self.pick(other).detach()

        def times(g: Any, factor: float) -> Any:
            return None if g is None else g * factor

        def all_times(factor: float) -> Any:
            return lambda gradients, *_: tuple([times(g, factor) for g in gradients])

        tensor_hooks: dict[str, Any] = {
            "zero": lambda g: times(g, 0),
            "scale": lambda g: times(g, 3),
            "another's gradient": lambda g: (
                y.clone() if g is None or g.shape == y.shape else g[...]
            ),
        }
        if name in tensor_hooks:
            self.hook(x, tensor_hooks[name])
        elif x.grad_fn is not None and name == "node prehook scale":
            self.handles.append(x.grad_fn.register_prehook(all_times(2)))
        elif x.grad_fn is not None:
            self.handles.append(x.grad_fn.register_hook(all_times(0 if "zero" in name else 2)))

    def under(self, modes: list[str], one: Any) -> None:
        T = self.T
        if "inference_mode" in modes:
            # PyTorch takes a lone tensor that requires grad there for a constant outside; and
            # its functions record there, if grad mode is turned on inside. Neither is here.
            if one[0] in ("apply", "copied") or one[1] == "older checkpoint":
                return
            # Recomputing there must fail; which of two errors is said depends on how it is nested.
            if self.recomputes and one[0] in ("backward", "grad", "grads", "backward to"):
                return
            one = (*one[:3], False) if one[0] == "leaf" else one
        if not modes:
            self.step(one)
            return
        if modes[0] == "anomaly":
            mode = T.autograd.set_detect_anomaly(True, check_nan=False)
        elif modes[0].startswith("set"):
            mode = T.set_grad_enabled(modes[0] == "set True")
        else:
            mode = getattr(T, modes[0])()
        with mode:
            self.under(modes[1:], one)

    def copied(self, name: str, place: int, other: int) -> None:
        T, x, y = self.T, self.pick(place), self.pick(other)
        actions: dict[str, Any] = {
            "deepcopy": lambda: [copy.deepcopy(x)],
            "pickle": lambda: [pickle.loads(pickle.dumps(x))],
            "copy": lambda: [copy.copy(x)],
            "deepcopy of a pair": lambda: copy.deepcopy([x, x.grad, y]),
            "clone.detach": lambda: [x.clone().detach()],
            "new tensor": lambda: [x.new_tensor(y.tolist()), x.new_zeros(y.shape)],
        }
        if name == "copy" and isinstance(x, T.nn.Parameter):
            return  # PyTorch calls it by another version than other copies
        for each in actions[name]():
            if each is not None:
                self.keep(each, self.memory_of(place) if name == "copy" else None)

    def checkpointed(self, name: str, left: int, right: int) -> None:
        x, y, self.recomputes = self.pick(left), self.pick(right), True

        def run(f: Any, *args: Any) -> Any:
            return self.T.utils.checkpoint.checkpoint(f, *args, use_reentrant=False)

        def once(a: Any, b: Any) -> Any:
            self.log.append("computed")
            return (a * b).sum() * a

        actions: dict[str, Any] = {
            "two inputs": lambda: run(once, x, y),
            "nested": lambda: run(lambda a, b: run(once, a * 2, b) * a, x, y),
            "an input unused": lambda: run(lambda a, b: once(a, a), x, y),
            "several results": lambda: run(lambda a, b: (once(a, b), a * a, b.sum()), x, y),
            "in a row": lambda: run(once, run(once, x, y), y),
        }
        results = actions[name]()
        for result in results if isinstance(results, tuple) else (results,):
            self.keep(result)

    # --- Aliases

    def data_of_another(self, place: int, other: int) -> None:
        x, y = self.pick(place), self.pick(other)
        if x.is_inference() or y.is_inference():
            return
        if x.shape == y.shape and not x._is_view() and x.dtype is y.dtype and not self.spread(y):
            x.data = y.data.clone()

    def write_alias(self, place: int, value: int) -> None:
        x = self.pick(place)
        # (PyTorch counts versions of what is detached from an inference tensor.)
        if self.free_to_write(x) and not x.is_inference():
            x.detach().add_(value % 3)

    def detach(self, place: int) -> None:
        if not self.pick(place).is_inference():
            super().detach(place)

    def second_order(self, place: int, source: int, views: list[Any]) -> None:
        y, x = self.pick(place), self.pick(source)
        for one in views:
            self.view(one[1], place, False)
            place = len(self.variables) - 1
        y = self.pick(place)
        (g,) = self.T.autograd.grad((y * y).sum(), x, create_graph=True)
        self.keep(g.clone())
        (h,) = self.T.autograd.grad((g * g).sum(), x, retain_graph=True)
        self.keep(h.clone())


@cache
def more_functions(T: Any) -> dict[str, Any]:
    """Operations as users write them, of two tensors, on the library `T`."""
    Function = T.autograd.Function

    class SavesResult(Function):
        @staticmethod
        def forward(ctx, x, y):
            result = x.tanh()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, g):
            (result,) = ctx.saved_tensors
            return g * (1 - result * result), None

    class SavesComputed(Function):
        @staticmethod
        def forward(ctx, x, y):
            inside = x * 2 + 1
            ctx.save_for_backward(x, inside)
            return inside * x

        @staticmethod
        def backward(ctx, g):
            x, inside = ctx.saved_tensors
            return g * (inside + 2 * x), None

    class Two(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y.sum()

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            needs_x, needs_y = ctx.needs_input_grad
            return (
                g * y.sum() if needs_x else None,
                (g * x).sum().expand(y.shape) if needs_y else None,
            )

    class NoneForOne(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x + 1, y * 2

        @staticmethod
        def backward(ctx, g, h):
            return None, h * 2

    class Once(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @T.autograd.function.once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * g * x, None

    class SetUp(Function):
        @staticmethod
        def forward(x, y):
            return x * 3, x - 1

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0], output[0])

        @staticmethod
        def backward(ctx, g, h):
            x, result = ctx.saved_tensors
            return g * 3 + h + 0 * (x + result), None

    class Undefined(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.set_materialize_grads(False)
            return x * 2, y * 2

        @staticmethod
        def backward(ctx, g, h):
            return None if g is None else g * 2, None if h is None else h * 2

    class WritesPart(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.mark_dirty(x)
            x[:1] = 2.0
            return x

        @staticmethod
        def backward(ctx, g):
            g = g.clone()
            g[:1] = 0.0
            return g, None

    class InputAndResult(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x, x * 2

        @staticmethod
        def backward(ctx, g, h):
            return g + h * 2, None

    class Constant(Function):
        @staticmethod
        def forward(ctx, x, y):
            result = y * 2
            ctx.mark_non_differentiable(result)
            return result, x.clone()

        @staticmethod
        def backward(ctx, g, h):
            return h, None

    made = (
        *(SavesResult, SavesComputed, Two, NoneForOne, Once),
        *(SetUp, Undefined, WritesPart, InputAndResult, Constant),
    )
    return dict(zip(FUNCTIONS, made, strict=True))

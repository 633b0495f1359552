"""Subclasses of Tensor and `__torch_function__` agree with PyTorch's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

import minigrad as mg
from tests.core.test_regressions import outcome
from tests.parity import same
from tests.record import answer

RESULTS: dict[str, Callable[[Any, Any], Any]] = {
    "operators": lambda T, s: [s + 1, 1 + s, T.ones(2) - s, 2**s, s // 2, -s, abs(s), s @ s],
    "comparisons": lambda T, s: [s == s, s < 2, ~(s > 1), (s > 0) & (s > 1)],
    "functions": lambda T, s: [T.sin(s), T.cat([s, s]), T.stack((s, s)), T.where(s > 0, s, s)],
    "late functions": lambda T, s: [T.einsum("i,i->i", s, s), T.linalg.norm(s)],
    "methods": lambda T, s: [s.sum(), s.view(2, 1), s.detach(), s.clone(), s.new_zeros(2), s.T],
    "parts": lambda T, s: [s[0], *s, *s.split(1), s.max(0)[0], s.topk(1)[1]],
    "conversions": lambda T, s: [s.double(), s.data, T.zeros_like(s), T.as_tensor(s), T.tensor(s)],
    "in place": lambda T, s: [s.mul_(2), s.__iadd__(1), T.exp(T.ones(2), out=s)],
    "layers": lambda T, s: [T.nn.Linear(2, 1)(s), T.nn.ReLU()(s), T.nn.LayerNorm(2)(s)],
    "losses": lambda T, s: [T.nn.MSELoss()(s, s), T.nn.functional.softmax(s, 0)],
    "with parameters": lambda T, s: [s + T.nn.Parameter(T.ones(2)), T.nn.Parameter(T.ones(2)) * s],
    "plain tensors": lambda T, s: [
        T.ones(2) + 1,
        T.nn.Parameter(T.ones(2)) + 1,
        T.cat([T.ones(1)]),
    ],
    "no tensors": lambda T, s: [s.shape, s.size(), len(s), s[0].item(), float(s[1]), s.tolist()],
}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.filterwarnings("ignore")
def test_class_of_results(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        class Named(T.Tensor):  # type: ignore[misc, name-defined]
            pass

        T.manual_seed(0)
        found = RESULTS[name](T, T.tensor([1.0, 2.0]).as_subclass(Named))
        return [(type(each).__name__, getattr(each, "requires_grad", None)) for each in found]

    same(torch, program)


def printed_and_differentiated(T: Any) -> Any:
    class Named(T.Tensor):  # type: ignore[misc, name-defined]
        pass

    x = T.tensor([1.0, 2.0], requires_grad=True)
    s = x.as_subclass(Named)
    y = (s * s).sum()
    print(s, y, T.ones(2).as_subclass(Named), [s.detach()])
    y.backward()
    return type(y.grad_fn).__name__, type(x.grad).__name__, x.grad


def classes_that_meet(T: Any) -> Any:
    class One(T.Tensor):  # type: ignore[misc, name-defined]
        pass

    class Below(One):
        pass

    class Other(T.Tensor):  # type: ignore[misc, name-defined]
        pass

    class Silent(T.nn.Parameter):  # type: ignore[misc, name-defined]
        pass

    x, y, z = (T.ones(2).as_subclass(kind) for kind in (One, Below, Other))
    refused = [
        outcome(call) for call in (lambda: T.add(x, z), lambda: T.cat([x, z]), lambda: x.add(z))
    ]
    kinds = [type(each).__name__ for each in (x + y, y + x, Silent(T.ones(2)) + 1)]
    return kinds, [line for _, line in refused], outcome(lambda: x + z)[0]


def logged(T: Any) -> tuple[Any, list[str]]:
    """Return a class that notes the names of all functions about which it is asked."""
    seen: list[str] = []

    class Logged(T.Tensor):  # type: ignore[misc, name-defined]
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            assert all(kind is cls for kind in types)
            seen.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs)

    return Logged, seen


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "operators": lambda T, s: [
        s + 1,
        1 + s,
        1 - s,
        T.ones(2) - s,
        2**s,
        s**2,
        s / 2,
        1 // s,
        s // 2,
    ],
    "remainders": lambda T, s: [s % 2, 1 % s, s @ s, T.ones(2) @ s, -s, +s, abs(s), s.__iadd__(1)],
    "comparisons": lambda T, s: [s == s, s != s, s < 2, ~(s > 1), (s > 0) & (s > 1), s.isnan()],
    "bits": lambda T, s: [s.long() << 1, 1 << s.long(), s.long() ^ 1, 1 | s.long()],
    "indexing": lambda T, s: [
        s[0],
        s.__setitem__(0, 1.0),
        s.split(1),
        T.stack([s, s]),
        reversed(s),
    ],
    "attributes": lambda T, s: [s.shape, s.dtype, s.device, s.grad, s.is_leaf, s.requires_grad],
    "versions": lambda T, s: [s._version, s._base, s.grad_fn, s.data, s.view(2, 1).T, s.ndim],
    "assignments": lambda T, s: [setattr(s, "data", T.ones(2)), setattr(s, "grad", T.ones(2))],
    "numbers": lambda T, s: [float(s[0]), bool(s[0]), s[1].item(), len(s), 1.0 in s, s.tolist()],
    "layers": lambda T, s: [T.nn.Linear(2, 1)(s), T.nn.ReLU()(s), T.nn.LayerNorm(2)(s)],
    "losses": lambda T, s: [T.nn.MSELoss()(s, s), T.nn.functional.softmax(s, 0), s.softmax(0)],
    "of several": lambda T, s: [T.cat([s, T.ones(2)]), T.where(s > 1, s, s), T.einsum("i,i", s, s)],
    "made alike": lambda T, s: [T.zeros_like(s), s.new_zeros(2), s.clone(), s.detach(), s.double()],
    "into": lambda T, s: [T.exp(T.ones(2), out=s), T.add(s, s, out=T.ones(2)), s.copy_(s)],
    "gradients": lambda T, s: [(s.clone().requires_grad_() * s).sum().backward()],
    "hooks": lambda T, s: [s.clone().requires_grad_().register_hook(print)],
    "of none": lambda T, s: [s.as_subclass(T.Tensor), T.as_tensor(s), hash(s), T.is_tensor(s)],
}


@pytest.mark.parametrize("name", CALLS)
def test_classes_are_asked_about(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        kind, seen = logged(T)
        found = CALLS[name](T, T.tensor([1.0, 2.0]).as_subclass(kind))
        return seen, [type(each).__name__ for each in found]

    same(torch, program)


def functions_of_ones_own(T: Any) -> Any:
    handled: dict[Any, Any] = {}

    class Interval(T.Tensor):  # type: ignore[misc, name-defined]
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            if func in handled:
                return handled[func](*args, **(kwargs or {}))
            return NotImplemented

    handled[T.mean] = lambda x: "a mean"
    handled[T.Tensor.exp] = lambda x: "an exponential"
    x = T.ones(2).as_subclass(Interval)
    return T.mean(x), x.exp(), outcome(lambda: T.sum(x)), outcome(lambda: x + 1)[0]


def classes_that_are_no_tensors(T: Any) -> Any:
    """As the interval or the diagonal matrix of tutorials."""

    class Diagonal:
        def __init__(self, value: float) -> None:
            self.value = value

        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            if func.__name__ not in ("mean", "add") or not all(
                issubclass(kind, (T.Tensor, Diagonal)) for kind in types
            ):
                return NotImplemented
            return func.__name__, [getattr(each, "value", each) for each in args], kwargs or {}

    d, x = Diagonal(3.0), T.ones(2)
    return (
        T.mean(d),
        T.mean(d, dim=0),
        T.add(x, d),
        T.add(d, x, alpha=2),
        x + d,
        x.add(d),
        [outcome(call) for call in (lambda: T.sum(d), lambda: x.mul(d), lambda: T.cat([d, d]))],
        outcome(lambda: x * d),
    )


def a_tensor_with_notes(T: Any) -> Any:
    """As the tensor with metadata in PyTorch's notes: it wraps a tensor, and is none."""

    class Noted:
        def __init__(self, data: Any, note: str) -> None:
            self.data, self.note = T.as_tensor(data), note

        def __repr__(self) -> str:
            return f"{self.note}: {self.data}"

        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            notes = [each.note for each in args if isinstance(each, Noted)]
            plain = [
                getattr(each, "data", each) if isinstance(each, Noted) else each for each in args
            ]
            assert types == (Noted,) and notes
            return Noted(func(*plain, **(kwargs or {})), notes[0])

    noted, t = Noted([[1.0, 2.0], [3.0, 4.0]], "lengths"), T.tensor([[1.0, 2.0], [1.0, 2.0]])
    print(T.add(t, noted), T.mul(noted, t), T.nn.functional.relu(noted), T.sum(noted, dim=1))
    print(t * noted, t @ noted, t.max(noted))
    return T.overrides.is_tensor_like(noted), T.overrides.has_torch_function([t, noted])


def a_diagonal_tensor(T: Any) -> Any:
    """As the scalar tensor of PyTorch's notes: a table of functions, and a subclass with more."""
    table: dict[Any, Any] = {}

    class Diagonal:
        handled = table

        def __init__(self, size: int, value: float) -> None:
            self.size, self.value = size, value

        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            known = all(issubclass(kind, (T.Tensor, Diagonal)) for kind in types)
            if func not in cls.handled or not known:
                return NotImplemented
            return cls.handled[func](*args, **(kwargs or {}))

    class Below(Diagonal):
        handled: dict[Any, Any] = {}  # type: ignore[misc]

    table[T.mean] = lambda input: input.value / input.size
    table[T.add] = lambda input, other: "a sum"
    Below.handled[T.add] = lambda input, other: "a sum of the subclass"
    d, below, x = Diagonal(5, 2.0), Below(5, 2.0), T.ones(5, 5)
    return (
        T.mean(d),
        [T.add(d, d), T.add(x, d), T.add(d, below), T.add(below, x)],
        [outcome(call) for call in (lambda: T.mul(d, 3), lambda: T.mean(below))],
        outcome(lambda: T.nn.functional.mse_loss(d, x))[0],
    )


def computing_with_none_asked(T: Any) -> Any:
    kind, seen = logged(T)
    s = T.ones(2).as_subclass(kind)
    with T._C.DisableTorchFunctionSubclass():
        y = s + 1
        print(T.overrides.has_torch_function([s]))

    class Silent(T.Tensor):  # type: ignore[misc, name-defined]
        __torch_function__ = T._C._disabled_torch_function_impl

    quiet = T.ones(2).as_subclass(Silent)
    return seen, type(y).__name__, type(quiet + 1).__name__, type(quiet + s).__name__, seen


def errors_of_a_handler(T: Any) -> Any:
    """An error of a class's own code is passed on, and the code runs once."""
    calls = []

    class Failing(T.Tensor):  # type: ignore[misc, name-defined]
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            calls.append(func.__name__)
            raise KeyError(func.__name__)

    s = T.ones(2).as_subclass(Failing)
    attempts: list[Any] = [lambda: T.exp(s), lambda: s + 1, lambda: T.ones(2) * s, lambda: s.sum(0)]
    return [outcome(call) for call in attempts], calls


def functions_that_ask(T: Any) -> Any:
    """A program's own functions ask as those of the library do."""
    kind, seen = logged(T)

    def doubled(x: Any, times: int = 2) -> Any:
        if T.overrides.has_torch_function((x,)):
            return T.overrides.handle_torch_function(doubled, (x,), x, times=times)
        return x * times

    @T.overrides.wrap_torch_function(lambda x: (x,))
    def tripled(x: Any) -> Any:
        return x * 3

    class Refusing(T.Tensor):  # type: ignore[misc, name-defined]
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            return NotImplemented

    s, refusing = (T.ones(2).as_subclass(each) for each in (kind, Refusing))
    return (
        [doubled(T.ones(2)), type(doubled(s)).__name__, type(tripled(s)).__name__, seen],
        [outcome(call)[0] for call in (lambda: doubled(refusing), lambda: tripled(refusing))],
        [T.overrides.is_tensor_like(each) for each in (s, T.ones(1), T.nn.Parameter(T.ones(1)), 1)],
        [T.overrides.has_torch_function(each) for each in ([], [1, None], [T.ones(1)], [1, s])],
        [T.overrides.is_tensor_method_or_property(each) for each in (T.Tensor.add, T.add, doubled)],
    )


def modes_that_see_calls(T: Any) -> Any:
    class Seeing(T.overrides.TorchFunctionMode):  # type: ignore[misc, name-defined]
        def __init__(self, name: str, refuses: str = "") -> None:
            super().__init__()
            self.name, self.refuses, self.seen = name, refuses, []

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            self.seen.append((func.__name__, [kind.__name__ for kind in types], len(args)))
            if func.__name__ == self.refuses:
                return NotImplemented
            return func(*args, **(kwargs or {}))

    kind, seen = logged(T)
    s, x = T.ones(2).as_subclass(kind), T.ones(2, requires_grad=True)
    with Seeing("outer") as outer, Seeing("inner", refuses="sin") as inner:
        y = T.nn.functional.mse_loss(x * 2, T.zeros(2))
        y.backward()
        T.tensor([1.0]).exp_()
        both = s + x
        refused = [outcome(call)[0] for call in (lambda: T.sin(x), lambda: T.sin(s))]
    T.exp(x)
    return inner.seen, outer.seen, seen, refused, type(both).__name__, x.grad


def mode_of_constants(T: Any) -> Any:
    """A mode answers for functions that have no tensor, too, and ends with an error."""

    class Sevens(T.overrides.TorchFunctionMode):  # type: ignore[misc, name-defined]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            if func in (T.ones, T.zeros):
                return T.full(*args, 7.0)
            return func(*args, **(kwargs or {}))

    with Sevens():
        inside = T.ones((2,)), T.zeros((1,)) + 1
    try:
        with Sevens():
            raise KeyError
    except KeyError:
        return inside, T.ones((2,))


def modes_of_threads(T: Any) -> Any:
    """A mode belongs to the thread that entered it."""

    class Seeing(T.overrides.TorchFunctionMode):  # type: ignore[misc, name-defined]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
            seen.append(func.__name__)
            return func(*args, **(kwargs or {}))

    seen: list[str] = []
    with Seeing():
        other = threading.Thread(target=lambda: T.ones(2).exp())
        other.start()
        other.join()
        T.ones(2)
    return seen


PROGRAMS = [
    classes_that_are_no_tensors,
    printed_and_differentiated,
    classes_that_meet,
    functions_of_ones_own,
    a_tensor_with_notes,
    a_diagonal_tensor,
    computing_with_none_asked,
    errors_of_a_handler,
    functions_that_ask,
    modes_that_see_calls,
    mode_of_constants,
    modes_of_threads,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_backward_asks_none() -> None:
    kind, seen = logged(mg)
    x = mg.ones(2, requires_grad=True)
    y = x.as_subclass(kind) ** 3
    del seen[:]
    (gradient,) = mg.autograd.grad(y, x, mg.ones(2), create_graph=True)
    assert (seen, type(gradient)) == ([], mg.Tensor)


@pytest.mark.parametrize("given", [mg.ones(2), mg.nn.Parameter(mg.ones(2))])
def test_pytorch_refuses_other_tensors(torch: Any, given: Any) -> None:
    """PyTorch asks by the same name, and may not be sent in a circle."""

    def refused(torch: Any) -> str:
        with pytest.raises(TypeError) as caught:
            torch.exp(given)
        with pytest.raises(TypeError):
            torch.ones(2) + given
        with pytest.raises(TypeError):
            given * torch.ones(2)
        return type(caught.value).__name__

    assert answer(torch, refused) == "TypeError"

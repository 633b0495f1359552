"""Results written into `out=`, for every function with that argument in PyTorch.

The schemas say which functions have it; a test compares that with PyTorch. Each function is called
with arguments that both libraries accept (test_wrong_calls.py). Its `out` has the right or a wrong
dtype or size, another memory order, requires grad, shares memory with an argument, or is no tensor.
Compared are values, memory order, versions, the object itself, warnings and errors.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from tests.arrays.pytorch_names import at
from tests.numbers import compare
from tests.ops.refusals import Library, Outcome
from tests.ops.test_wrong_calls import Arguments, functions, good
from tests.parity import same, type_name, warn_always
from tests.record import answer

# Other arguments than those of test_wrong_calls.py, which call a row without `out`.
OTHER_CALLS: dict[str, Arguments] = {
    "argsort": lambda T: (T.tensor([[0.1, 0.5, 0.3], [0.4, 0.2, 0.6]]),),
    "bernoulli": lambda T: (T.tensor([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]),),
}
NAMED = {"argsort": {"stable": True}}
UNSAFE = {"functional.avg_pool3d", "tensordot", "chain_matmul", "kron"}
"""PyTorch writes past an `out` whose elements lie apart, and the process may abort.

(Two have no schema; PyTorch's, too, are written in Python. Of matrices by columns, PyTorch's kron
refuses some.)
"""


def with_out() -> dict[str, tuple[Any, Arguments, dict[str, Any]]]:
    """The functions whose schemas have an `out`, with arguments for each."""
    found = {}
    for name, (place, mine) in functions().items():
        if name not in UNSAFE and any(
            " out=None" in schema for schema in getattr(mine, "schemas", ())
        ):
            found[name] = (place, OTHER_CALLS.get(name) or good(name, mine), NAMED.get(name, {}))
    return found


FUNCTIONS = with_out()
TYPES = ("float64", "float32", "float16", "int64", "int32", "uint8", "bool")


Data = list[Any]
"""The visible results of a call."""


class Call:
    """One call of a function, in one library."""

    def __init__(self, T: Library, name: str) -> None:
        place, arguments, self.named = FUNCTIONS[name]
        self.T = T
        self.function = getattr(at(place, T.__name__), name.rpartition(".")[2])
        self.args = list(arguments(T))

    def results(self) -> list[Any]:
        """Return its result without an `out`."""
        self.T.manual_seed(0)
        result = self.function(*self.args, **self.named)
        return list(result) if isinstance(result, tuple) else [result]

    def zeros(self) -> list[Any]:
        """Tensors that fit the results."""
        return [self.T.zeros(result.shape, dtype=result.dtype) for result in self.results()]

    def empty(self, *shape: int) -> list[Any]:
        """Tensors of the types of the results, of another shape."""
        return [self.T.zeros(shape, dtype=result.dtype) for result in self.results()]

    def into(self, outs: Any) -> Data:
        """Return the visible results of writing into `outs`."""
        alone = isinstance(outs, list) and len(outs) == 1
        out = outs[0] if alone else outs
        self.T.manual_seed(0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = self.function(*self.args, **self.named, out=out)
            except Exception as error:
                line = Outcome(type(error).__name__, str(error)).line
                return [type(error).__name__, line, said(caught)]
        if self.function.__name__ == "empty":  # whatever was there
            with self.T.inference_mode(result.is_inference()):
                result.zero_()
        returned = result if isinstance(result, tuple) else [result]
        same = [one is other for one, other in zip(returned, outs or (), strict=False)]
        return [type(result).__name__, same, *map(seen, returned), said(caught)]


def said(caught: list[warnings.WarningMessage]) -> list[str]:
    """Return the warnings' messages, without NumPy's of numbers that have no logarithm."""
    kept = [each for each in caught if not issubclass(each.category, RuntimeWarning)]
    return [str(each.message).partition(" (Triggered")[0] for each in kept]


def seen(tensor: Any) -> Data:
    """A tensor as plain data."""
    values = np.array(tensor.detach().tolist(), np.float64)
    kind = type_name(tensor.dtype)
    if tensor.dtype.is_floating_point:  # what was computed in float32, also if it is kept in more
        values = values.astype(np.float32 if kind == "float64" else kind)
    version = None if tensor.is_inference() else tensor._version
    return [kind, values, [*tensor.stride()], version, tensor.requires_grad]


# --- The ways in which each function is called


def fits(T: Library, name: str) -> Data:
    """Into a tensor of the right type and shape."""
    call = Call(T, name)
    return call.into(call.zeros())


def empty(T: Library, name: str) -> Data:
    """Into one without elements, which is resized without a word."""
    call = Call(T, name)
    return call.into(call.empty(0))


def other_shape(T: Library, name: str) -> Data:
    """Into one of another shape, too small or large enough, which is resized with a warning."""
    found = []
    for shape in ((1,), (9, 5)):
        call = Call(T, name)
        found.append(call.into(call.empty(*shape)))
    return found


def transposed(T: Library, name: str) -> Data:
    """Into one whose elements lie apart, in another order; and resized by arguments that do."""
    call = Call(T, name)
    outs = []
    for like in call.zeros():
        longer = [2 * n for n in reversed(like.shape)]
        memory = T.zeros(longer, dtype=like.dtype)
        every_second = tuple(slice(None, None, 2) for _ in longer)
        outs.append(memory[every_second].permute(tuple(reversed(range(like.dim())))))
    turned = Call(T, name)
    turned.args = [in_columns(value) for value in turned.args]
    return [call.into(outs), turned.into(turned.empty(0))]


def in_columns(value: Any) -> Any:
    """The same matrix, its columns one after the other in memory."""
    matrix = hasattr(value, "requires_grad") and value.dim() == 2
    return value.t().contiguous().t() if matrix else value


def other_type(T: Library, name: str) -> Data:
    """Into one of each other type."""
    found = []
    for place in range(len(Call(T, name).results())):
        for kind in TYPES:
            call = Call(T, name)
            outs = call.zeros()
            outs[place] = outs[place].to(getattr(T, kind))
            found.append(call.into(outs))
    return found


def fitting(value: Any, out: Any) -> bool:
    """Whether an argument could be the `out`."""
    tensor = hasattr(value, "requires_grad")
    return tensor and value.dtype == out.dtype and value.shape == out.shape


def itself(T: Library, name: str) -> Data:
    """Into each of its arguments."""
    found = []
    for place, value in enumerate(Call(T, name).args):
        call = Call(T, name)
        outs = call.zeros()
        if fitting(value, outs[0]):
            outs[0] = call.args[place]
            found.append(call.into(outs))
    return found


def overlapping(T: Library, name: str) -> Data:
    """Into memory that is partly that of an argument."""
    found = []
    for place, value in enumerate(Call(T, name).args):
        call = Call(T, name)
        outs = call.zeros()
        if fitting(value, outs[0]) and value.dim():
            memory = T.zeros(value.numel() + 1, dtype=value.dtype)
            call.args[place] = memory[:-1].view(value.shape).copy_(value)
            outs[0] = memory[1:].view(value.shape)
            found.append(call.into(outs))
    return found


def repeated(T: Library, name: str) -> Data:
    """Into a tensor whose elements are all one place of memory."""
    call = Call(T, name)
    outs = call.zeros()
    outs[0] = T.zeros((), dtype=outs[0].dtype).expand(outs[0].shape)
    return call.into(outs)


def wanted(T: Library, name: str) -> Data:
    """With a gradient wanted of the `out`, then of the arguments; and where none is recorded."""
    found = []
    for of_out in (True, False):
        for recorded in (True, False):
            call = Call(T, name)
            outs = call.zeros()
            for tensor in outs if of_out else call.args:
                for each in tensor if isinstance(tensor, list) else [tensor]:
                    if hasattr(each, "requires_grad") and each.dtype.is_floating_point:
                        each.requires_grad_()
            with T.set_grad_enabled(recorded):
                found.append(call.into(outs))
    return found


def of_inference(T: Library, name: str) -> Data:
    """Into an inference tensor, outside of the mode and inside; and a plain one inside."""
    found = []
    for made, written in ((True, False), (True, True), (False, True)):
        call = Call(T, name)
        with T.inference_mode(made):
            outs = call.zeros()
        with T.inference_mode(written):
            end = call.into(outs)
        found.append(end[:2] if made and not written else [written, outs[0].tolist()])
    return found


def no_tensor(T: Library, name: str) -> Data:
    """Into what is no tensor, and a tuple of the wrong length; None is as none."""
    several = (T.zeros(0),) * 3 if len(Call(T, name).results()) != 3 else (T.zeros(0),) * 2
    bad: list[Any] = ["a", {}, (T.zeros(0),), several, ("a", "b")]
    found = [Call(T, name).into(each) for each in bad]
    return [*found, Call(T, name).into(None)[2:-1]]


WAYS = (
    fits, empty, other_shape, transposed, other_type, itself, overlapping, repeated, wanted,
    of_inference, no_tensor,
)  # fmt: skip


def all_seen(T: Library, way: str) -> dict[str, Data]:
    """Return the visible results of each function."""
    chosen = next(each for each in WAYS if each.__name__ == way)
    found = {name: chosen(T, name) for name in FUNCTIONS}
    if T is not mg:
        for name, products in PRODUCTS_BY_KERNEL.get(way, {}).items():
            for place, (*left, recorded) in products.items():
                seen_of_product = found[name][place][2]
                if seen_of_product[1].tolist() in left:
                    seen_of_product[1] = np.array(recorded, np.float32)
    return found


# Some of MKL's kernels read a factor after they have written into it. Of each place of `out` among
# the arguments: the products that they leave, by processor, and the one that is recorded.
Matrix = list[list[float]]
PRODUCT: Matrix = [[5, 5], [5, 10]]
MATMULS = ("mm", "matmul", "linalg.matmul")
POWERS = ("matrix_power", "linalg.matrix_power")
PRODUCTS_BY_KERNEL: dict[str, dict[str, dict[int, tuple[Matrix, ...]]]] = {
    "itself": {
        **{
            name: {
                0: ([[0, 0], [0, 0]], PRODUCT),
                1: ([[1, 3], [1, 3]], [[0, 0], [0, 0]], PRODUCT),
            }
            for name in MATMULS
        },
        **{name: {0: ([[0, 0], [0, 0]], PRODUCT)} for name in POWERS},
        "addmm": {2: ([[7, 6], [11, 18]], [[7, 6], [6, 13]])},
    },
    "overlapping": {
        **{
            name: {
                0: ([[4, 2], [4, 2]], PRODUCT),
                1: ([[4, 11], [35, 109]], [[4, 8], [26, 82]], PRODUCT),
            }
            for name in MATMULS
        },
        **{name: {0: ([[4, 2], [4, 2]], [[4, 8], [16, 32]], PRODUCT)} for name in POWERS},
        "addmm": {
            1: ([[8, 9], [20, 15]], [[8, 9], [4, 7]]),
            2: ([[7, 16], [51, 163]], [[7, 6], [6, 8]]),
        },
    },
}


# --- Where minigrad is different

OLD = {"cholesky", "range", "svd", "ger"}
"""Deprecated functions: PyTorch counts writes of its own, and warns twice or not."""

DIFFERENT: dict[str, set[str]] = {
    # PyTorch counts two writes for some: one for the new size, one for the numbers.
    "empty": {"cholesky_solve", "randn", "nanmean"},
    # So for the quotient of nanmean, whose own sum it names.
    "fits": {"nanmean"},
    # Of several results, PyTorch warns of another one first.
    # Here index_reduce warns of being new first.
    "other_shape": {
        "kthvalue", "randn", "linalg.eigh", "linalg.svd", "mode", "nanmean", "index_reduce",
        "cholesky_solve", "histogram", "linalg.lstsq",
    },
    # PyTorch's gelu leaves such an `out` as it was. Where it draws along memory, and minigrad in
    # the order of the elements: multinomial does so without an `out`, too. QR's Q lies in
    # rows, and so does what diff returns. PyTorch's bucketize warns of its speed.
    "transposed": {
        "randn", "normal", "multinomial", "functional.gelu", "linalg.qr", "diff", "nanmean",
        "bucketize", "special.ndtr", "cholesky_solve", "linalg.lstsq",
    },
    # PyTorch makes uint8 of the elements, so that 0.5 is false; and other words.
    "other_type": {
        "all", "any", "kthvalue", "median", "nanmedian", "normal", "nanmean", "nansum",
        "index_reduce", "quantile", "nanquantile", "searchsorted", "bucketize", "inner", "vdot",
        "special.logsumexp", "signbit", "histogram", "linalg.lstsq",
        "matrix_power", "linalg.matrix_power",
    },
    # PyTorch reads what it has written.
    "itself": {"bmm", "baddbmm", "normal"},
    "overlapping": {
        "bmm", "baddbmm", "addmm", "softmax", "log_softmax", "tril", "triu", "cummax", "cummin",
        "index_reduce", "special.ndtr", "linalg.lstsq", *POWERS,
    },
    # PyTorch writes several results into one place, or adds them up there. Here that is refused.
    "repeated": {
        "all", "amax", "amin", "any", "argmax", "argmin", "bmm", "eye", "full", "histc", "mv",
        "multinomial", "norm", "ones", "prod", "randperm", "std", "sum", "tril", "triu", "var",
        "zeros", "linalg.qr", "linalg.vector_norm", "cummax", "cummin", "nansum", "index_reduce",
        "histogram",
    },
    # PyTorch computes, and refuses to go back through it: here it is refused at once. It refuses
    # argsort, whose result has no gradient, and lets histc write. Other words: norms, pinv, cond.
    "wanted": {
        "diag", "floor_divide", "softmax", "log_softmax", "argsort", "histc", "linalg.norm",
        "linalg.matrix_norm", "linalg.pinv", "linalg.cond", "nanmean", "index_reduce", "inner",
        "quantile", "nanquantile", "special.ndtr", "histogram",
    },
    # Other words.
    "no_tensor": {"functional.normalize"},
}  # fmt: skip


def differing(torch: Any, way: str) -> dict[str, str]:
    """The functions that do otherwise than PyTorch, and what they do."""
    with warn_always(torch):  # otherwise the first test that calls a function sees its warning
        mine, theirs = all_seen(mg, way), answer(torch, all_seen, way)
    found = {}
    for name in mine:
        try:
            compare(mine[name], theirs[name], name)
        except AssertionError as error:
            found[name] = str(error)
    return found


@pytest.mark.parametrize("way", [way.__name__ for way in WAYS])
def test_every_function_in_each_way(torch: Any, way: str) -> None:
    found = differing(torch, way)
    assert found.keys() - OLD == DIFFERENT.get(way, set()), "\n\n".join(found.values())


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_schemas_know_functions_with_out(torch: Any) -> None:
    mine = accepting(mg)
    assert mine == answer(torch, accepting) == list(FUNCTIONS)
    assert len(mine) > 165


def accepting(T: Library) -> list[str]:
    """The functions that can be called with an `out`."""
    found = []
    for name, (place, mine) in functions().items():
        if name in UNSAFE:
            continue
        function = getattr(at(place, T.__name__), name.rpartition(".")[2])
        args, named = (OTHER_CALLS.get(name) or good(name, mine))(T), NAMED.get(name, {})
        result = function(*args, **named)
        several = isinstance(result, tuple)
        out = tuple(T.zeros_like(each) for each in result) if several else T.zeros(0)
        if isinstance(result, T.Tensor):
            out = T.zeros(result.shape, dtype=result.dtype)
        try:
            function(*args, **named, out=out)
        except TypeError:
            continue
        found.append(name)
    return found


# --- What a table does not show


def ended(action: Callable[[], Any]) -> str:
    """The first line of what an action raises."""
    try:
        action()
    except Exception as error:
        return Outcome(type(error).__name__, str(error)).line
    return "done"


def test_sums_use_the_dtype_of_out(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([[0.1, 0.7], [0.3, 1.6]])
        found = []
        for kind in (T.float64, T.int64, T.uint8):
            for function in (T.sum, T.prod, T.cumsum, T.cumprod):
                found.append(function(x * 2, 0, out=T.zeros(0, dtype=kind)))
        out = T.zeros(2)
        for function in (T.sum, T.mean, T.prod, T.cumsum, T.softmax):
            found.append(ended(lambda f=function: f(x, 0, dtype=T.float64, out=out)))
        return found

    same(torch, program)


def test_new_tensor_has_dtype_of_out(torch: Any) -> None:
    def program(T: Any) -> Any:
        found = []
        for kind in (T.float64, T.float16, T.int64, T.uint8, T.bool):
            out = T.zeros(3, dtype=kind)
            found += [T.ones(3, out=out).clone(), T.full((3,), 2.5, out=out).clone()]
            found += [ended(lambda o=out: T.arange(0, 3, out=o)), out.clone()]
            found += [ended(lambda o=out: T.linspace(0, 4, 3, out=o)), out.clone()]
            T.manual_seed(0)
            found += [ended(lambda o=out: T.rand(3, out=o)), out.clone()]
            found += [ended(lambda o=out: T.randn(3, out=o)), out.clone(), T.rand(2)]
            found += [ended(lambda o=out: T.normal(1.0, 2.0, (3,), out=o)), out.clone()]
            found += [ended(lambda o=out: T.zeros(3, out=o, dtype=T.float32)), out.clone()]
        return found

    same(torch, program)


def test_a_new_tensor_may_require_grad(torch: Any) -> None:
    def program(T: Any) -> Any:
        out = T.empty(2)
        wanted = T.ones(2, out=out, requires_grad=True) is out and out.requires_grad
        with T.no_grad():
            T.zeros(2, out=out)
        return wanted, out, ended(lambda: T.ones(2, out=out, device="cuda:0"))

    same(torch, program)


def test_counting_keeps_shape_of_equal_size(torch: Any) -> None:
    def program(T: Any) -> Any:
        return [
            T.arange(4, out=T.zeros(2, 2)),
            T.linspace(0, 1, 4, out=T.zeros(2, 2)),
            T.eye(2, out=T.zeros(4)),
            T.randperm(1, out=T.zeros(1, 1, dtype=T.int64)),
        ]

    same(torch, program)


@pytest.mark.filterwarnings("ignore:An output with one")
def test_view_as_out_can_grow(torch: Any) -> None:
    """Where the memory is large enough the new shape begins where the old one did."""

    def program(T: Any) -> Any:
        memory = T.arange(12.0)
        parts = [memory[2:4], memory[::3], memory.view(3, 4).t(), memory[10:], memory[:0]]
        found = []
        for part in parts:
            T.add(T.ones(2, 1), 7, out=part)
            found += [part.clone(), list(part.stride()), part.storage_offset(), memory.clone()]
            found += [part._version, memory._version]
        return found

    same(torch, program)


@pytest.mark.filterwarnings("ignore:An output with one")
def test_views_keep_memory_when_base_resizes(torch: Any) -> None:
    def program(T: Any) -> Any:
        base = T.zeros(6)
        view = base[1:3]
        T.add(T.ones(2), 1, out=base)
        base.requires_grad_()
        later = base.view(2, 1)
        (later * 3).sum().backward()
        return base, base.grad, view, later.detach()

    same(torch, program)


def test_out_over_saved_tensor_raises(torch: Any) -> None:
    def program(T: Any) -> Any:
        x, y = T.ones(2, requires_grad=True), T.ones(2)
        product = x * y
        T.exp(y.clone(), out=y)
        return ended(lambda: product.sum().backward())

    same(torch, program)


def test_out_keeps_its_history(torch: Any) -> None:
    """Where nothing is recorded, values change and the graph does not."""

    def program(T: Any) -> Any:
        x = T.ones(2, requires_grad=True)
        y = x * 3
        with T.no_grad():
            T.add(T.ones(2), 1, out=y)
        y.sum().backward()
        return y, x.grad

    same(torch, program)


def test_no_tangent_goes_through(torch: Any) -> None:
    def program(T: Any) -> Any:
        forward = T.autograd.forward_ad
        with forward.dual_level():
            dual = forward.make_dual(T.ones(2), T.ones(2))
            return [
                ended(lambda: T.add(dual, 1, out=T.empty(2))),
                ended(lambda: T.add(T.ones(2), 1, out=dual)),
            ]

    same(torch, program)


def test_named_results_and_lists_of_them(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([[1.0, 3.0], [4.0, 2.0]])
        values, indices = T.empty(0), T.empty(0, dtype=T.int64)
        found = T.max(x, 0, out=[values, indices])
        same_ones = found.values is values and found.indices is indices
        linalg = T.linalg.qr(x, out=(T.empty(0), T.empty(0)))
        return [
            repr(found), same_ones, type(linalg).__name__,
            ended(lambda: T.max(x, 0, out=(values,))),
            ended(lambda: T.max(x, 0, out=(values, 3))),
            ended(lambda: T.max(x, 0, out=values)),
            ended(lambda: T.max(x, out=(values, indices))),
        ]  # fmt: skip

    same(torch, program)


def test_positional_out(torch: Any) -> None:
    """norm and normalize are written in Python in PyTorch: they take it without its name."""

    def program(T: Any) -> Any:
        x, out = T.ones(2, 2), T.empty(2)
        normalize = T.nn.functional.normalize
        return [
            T.norm(x, 2, 0, False, out) is out, out, T.norm(x, 2, 0, False, None, T.float64),
            normalize(x, 2.0, 1, 1e-12, T.empty(2, 2)),
            ended(lambda: T.norm(x, 2, 0, False, out, T.float64)),
            ended(lambda: T.norm(x, 2, 0, False, out, out=out)),
        ]  # fmt: skip

    same(torch, program)


def test_functions_without_out_refuse_it(torch: Any) -> None:
    """Methods, in-place functions, and rows without it."""

    def program(T: Any) -> Any:
        x = T.ones(2, 2)
        return [
            ended(lambda: x.add(1, out=x)), ended(lambda: T.exp_(x, out=x)),
            ended(lambda: x.exp(out=x)), ended(lambda: T.clamp_min_(x, 0.0, out=x)),
            ended(lambda: T.sum(x, out=x)),
            ended(lambda: T.prod(x, out=x)), ended(lambda: T.median(x, out=x)),
            ended(lambda: T.relu(x, out=x)), ended(lambda: T.zeros_like(x, out=x)),
            ended(lambda: T.nonzero(x, as_tuple=True, out=T.zeros(0, dtype=T.int64))), x,
        ]  # fmt: skip

    same(torch, program)


@pytest.mark.filterwarnings("ignore:This overload of add is deprecated")
def test_every_overload(torch: Any) -> None:
    """Those that take an `out` and those that do not, in calls that are right and wrong."""

    def program(T: Any) -> Any:
        x, condition = T.tensor([[1.0, 2.0], [3.0, 4.0]]), T.tensor([[True], [False]])

        def into(function: Any, *args: Any, **named: Any) -> Any:
            out = T.empty(0)
            end = ended(lambda: function(*args, **named, out=out))
            return [end, out]

        return [
            into(T.add, x, 2, x), into(T.add, 1, 2), into(T.add, x, x, alpha=2),
            into(T.where, condition, x, 2.0), into(T.where, condition, x, x), into(T.pow, 2, x),
            into(T.where, condition), into(T.arange, 4), into(T.arange, 1, 5),
            into(T.arange, 1, 5, 2), into(T.arange, start=1, end=5), into(T.sum, x, dim=(0, 1)),
            into(T.mean, x), into(T.std, x), into(T.var, x, 0), into(T.std, x, dim=0, correction=0),
            into(T.mm, x, T.ones(3, 3)), into(T.add, x, T.ones(3)), into(T.exp, x, nosuch=1),
            into(T.exp), into(T.exp, "a"), into(T.exp, input=x), into(T.clamp, x, max=2.5),
            into(T.round, x / 7, decimals=1), into(T.zeros, (2, 2)), into(T.zeros, size=(2,)),
            into(T.div, x, 3, rounding_mode="floor"), into(T.max, x), into(T.max, x, x.t()),
            into(T.randn, 2, generator=T.Generator().manual_seed(3)), into(T.eye, 2, 3),
            into(T.nn.functional.linear, x, x), into(T.linspace, T.tensor(0.0), 1, 3),
        ]  # fmt: skip

    same(torch, program)


def test_out_view_of_differentiable_tensor(torch: Any) -> None:
    """A view that was made while nothing was recorded may be written, and so may an alias."""

    def program(T: Any) -> Any:
        leaf = T.ones(3, requires_grad=True)
        with T.no_grad():
            quiet = leaf[:2]
        found = [ended(lambda: T.add(T.ones(2), 1, out=quiet)), leaf.detach().clone()]
        found += [ended(lambda: T.add(T.ones(2), 1, out=leaf[:2])), leaf._version]
        T.add(T.ones(3), 4, out=leaf.detach())
        half, _ = leaf.split([1, 2])
        found += [ended(lambda: T.add(T.ones(1), 1, out=half))]
        parameter = T.nn.Parameter(T.ones(2))
        with T.no_grad():
            found += [ended(lambda: T.add(T.ones(1), 1, out=half))]
            found += [T.exp(parameter, out=parameter) is parameter, parameter.is_leaf]
        return [*found, leaf, leaf._version, parameter]

    same(torch, program)


def test_other_names_of_arguments(torch: Any) -> None:
    def program(T: Any) -> Any:
        x, out = T.ones(2, 3), T.empty(2)
        return [T.sum(x, axis=1, out=out) is out, out, T.mul(x1=x, x2=x, out=T.empty(2, 3))]

    same(torch, program)


def test_the_program_that_reuses_one_tensor(torch: Any) -> None:
    """The purpose of `out`: a loop that makes no new tensors."""

    def program(T: Any) -> Any:
        state, matrix = T.ones(3), T.arange(9.0).reshape(3, 3) / 10
        product, total = T.empty(3), T.zeros(3)
        places = (product, total)
        for _ in range(3):
            T.mv(matrix, state, out=product)
            T.add(total, product, out=total)
            T.tanh(product, out=state)
        return state, total, [a is b for a, b in zip(places, (product, total), strict=True)]

    same(torch, program)


def test_the_warning_is_of_the_callers_line() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mg.add(mg.ones(3), 1, out=mg.ones(2))
    assert [each.filename for each in caught] == [__file__]


def test_random_numbers_are_drawn_once() -> None:
    """A call with an `out` fails for the function that computes, and must fail before it draws."""
    draws = {
        "rand": lambda **out: mg.rand(5, **out),
        "randn": lambda **out: mg.randn(5, **out),
        "randint": lambda **out: mg.randint(9, (5,), **out),
        "randperm": lambda **out: mg.randperm(5, **out),
        "normal": lambda **out: mg.normal(0.0, 1.0, (5,), **out),
        "bernoulli": lambda **out: mg.bernoulli(mg.full((5,), 0.5), **out),
        "multinomial": lambda **out: mg.multinomial(mg.ones(5), 3, **out),
    }
    for name, draw in draws.items():
        mg.manual_seed(0)
        plain = draw(), mg.rand(3)
        mg.manual_seed(0)
        into = draw(out=mg.empty(0, dtype=plain[0].dtype)), mg.rand(3)
        assert [x.tolist() for x in plain] == [x.tolist() for x in into], name

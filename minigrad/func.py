"""PyTorch's `torch.func`: derivatives of functions as functions, `vmap`, and `functional_call`.

A derivative runs the backward pass of the function that it is given, and records that pass, so that
derivatives of derivatives need nothing else. `vmap` calls the function once for each row.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .arrays.left_out import missing_from
from .autograd.batched import grad as backward
from .autograd.mapping import leaves_of, map_tree, rebuild, vmap
from .core.edges import place_of
from .core.modes import enable_grad
from .core.node import AccumulateGrad, gradient_edge
from .core.views import requires_grad
from .nn.module import Module
from .nn.utils.stateless import called_with, merge
from .ops.indexing.joining import stack, unbind
from .tensors.tensor import Tensor

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "stack_module_state", "vjp", "vmap",
]  # fmt: skip

# --- Derivatives


def open_point(x: Tensor) -> Tensor:
    """Return `x` as a point of differentiation, connected to its history if it has one."""
    return x.view_as(x) if requires_grad(x) else x.detach().requires_grad_()


def close_result(value: Any, points: Sequence[Any]) -> Any:
    """Return a result without history if it depends on nothing but the points."""
    if not isinstance(value, Tensor) or not requires_grad(value):
        return value
    own = {gradient_edge(point) for point in points}
    waiting, seen = [place_of(gradient_edge(value))[0]], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, AccumulateGrad) and node not in own:
            return value
        waiting += [edge[0] for edge in node.next_functions]
    return value.detach()


def slopes(outputs: Sequence[Any], points: Sequence[Any], seeds: Sequence[Any]) -> list[Any]:
    """Return the recorded gradients of `outputs`, zeros where nothing depends on a point."""
    pairs = [(y, v) for y, v in zip(outputs, seeds, strict=True) if requires_grad(y)]
    if not pairs:
        return [point.new_zeros(point.shape) for point in points]
    found, starts = zip(*pairs, strict=True)
    options: Any = {"create_graph": True, "materialize_grads": True}
    return list(backward(found, points, starts, **options))


def chosen(args: tuple[Any, ...], argnums: Any) -> tuple[Any, list[Any]]:
    """Return the arguments to differentiate, opened, and all arguments with them."""
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    for number in numbers:
        if not -len(args) <= number < len(args):
            wanted = f"Got argnum={number}, but only {len(args)} positional inputs"
            raise RuntimeError(wanted)
    opened = list(args)
    for number in numbers:
        opened[number] = map_tree(open_point, args[number])
    picked = tuple([opened[number] for number in numbers])
    return (picked if isinstance(argnums, tuple) else picked[0]), opened


def grad_and_value(func: Any, argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return a function that computes the gradient of `func`, and its value; see `grad`."""

    @functools.wraps(func)
    def derivative(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            inputs, opened = chosen(args, argnums)
            found = func(*opened, **kwargs)
            value, aux = found if has_aux else (found, None)
            if not isinstance(value, Tensor):
                wanted = "Expected f(*args) to return a tensor, got tensor(s) of type"
                raise RuntimeError(f"{wanted} {type(value)}")
            if value.dim():
                wanted = "to return a scalar tensor, got tensor with"
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) {wanted} {value.dim()} dims. "
                    "Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            points = leaves_of(inputs)
            gradients = iter(slopes([value], points, [value.new_ones(())]))
            slope = rebuild(inputs, gradients)
        results = (slope, (value, aux) if has_aux else value)
        return map_tree(lambda each: close_result(each, points), results)

    return derivative


def grad(func: Any, argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return a function that computes the gradient of `func`, whose value is a single number.

    Args:
        argnums: the number of the argument to differentiate, or several as a tuple.
        has_aux: whether `func` returns a pair, of which the second is passed on.

    >>> import minigrad as mg
    >>> cube = lambda x: x**3
    >>> mg.func.grad(mg.func.grad(cube))(mg.tensor(2.0))
    tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def derivative(*args: Any, **kwargs: Any) -> Any:
        slope, value = both(*args, **kwargs)
        return (slope, value[1]) if has_aux else slope

    return derivative


def vjp(func: Any, *primals: Any, has_aux: bool = False) -> Any:
    """Return the value of `func`, and a function from a vector to its product with the Jacobian.

    >>> import minigrad as mg
    >>> value, product = mg.func.vjp(mg.sin, mg.zeros(2))
    >>> product(mg.tensor([1.0, 2.0]))
    (tensor([1., 2.]),)
    """
    with enable_grad():
        inputs = map_tree(open_point, primals)
        found = func(*inputs)
    value, aux = found if has_aux else (found, None)
    points = leaves_of(inputs)

    def product(cotangents: Any, retain_graph: bool = True, create_graph: bool = True) -> Any:
        with enable_grad():
            gradients = slopes(leaves_of(value), points, leaves_of(cotangents))
        return rebuild(primals, iter([close_result(g, points) for g in gradients]))

    closed, aux = map_tree(lambda each: close_result(each, points), (value, aux))
    return (closed, product, aux) if has_aux else (closed, product)


def jvp(
    func: Any, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """Return the value of `func`, and the product of its Jacobian with the tangents.

    >>> import minigrad as mg
    >>> mg.func.jvp(mg.sin, (mg.zeros(2),), (mg.tensor([1.0, 2.0]),))
    (tensor([0., 0.]), tensor([1., 2.]))
    """
    if not isinstance(primals, tuple):
        wanted = "Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        raise RuntimeError(f"jvp(f, primals, tangents): {wanted}")
    with enable_grad():
        inputs = map_tree(open_point, primals)
        found = func(*inputs)
        value, aux = found if has_aux else (found, None)
        points, outputs = leaves_of(inputs), leaves_of(value)
        # The vector-Jacobian product is linear in its vector: differentiate it with respect to it.
        seeds = [y.new_zeros(y.shape).requires_grad_() for y in outputs]
        gradients = slopes(outputs, points, seeds)
        products = slopes(gradients, seeds, leaves_of(tangents))
    own = [*points, *seeds]
    product = rebuild(value, iter([close_result(each, own) for each in products]))
    closed, aux = map_tree(lambda each: close_result(each, own), (value, aux))
    return (closed, product, aux) if has_aux else (closed, product)


def unit_rows(like: Tensor) -> list[Tensor]:
    """Return tensors of the form of `like`, each with one element 1 and zeros."""
    count = like.numel()
    rows = like.new_zeros((count, count))
    rows.diagonal().fill_(1.0)
    return list(unbind(rows.reshape((count, *like.shape))))


def jacrev(
    func: Any, argnums: Any = 0, *, has_aux: bool = False, chunk_size: Any = None
) -> Callable[..., Any]:
    """Return a function that computes the Jacobian of `func` by rows, in backward passes.

    >>> import minigrad as mg
    >>> mg.func.jacrev(lambda x: x**2)(mg.tensor([1.0, 3.0]))
    tensor([[2., 0.],
            [0., 6.]])
    """

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            inputs, opened = chosen(args, argnums)
            found = func(*opened, **kwargs)
            value, aux = found if has_aux else (found, None)
            points = leaves_of(inputs)

            def of_output(y: Any) -> Any:
                rows = [slopes([y], points, [seed]) for seed in unit_rows(y)]
                blocks = [
                    close_result(stack(column).reshape((*y.shape, *point.shape)), points)
                    for column, point in zip(zip(*rows, strict=True), points, strict=True)
                ]
                return rebuild(inputs, iter(blocks))

            blocks = rebuild(value, iter([of_output(y) for y in leaves_of(value)]))
            aux = map_tree(lambda each: close_result(each, points), aux)
        return (blocks, aux) if has_aux else blocks

    return jacobian


def jacfwd(
    func: Any, argnums: Any = 0, has_aux: bool = False, *, chunk_size: Any = None,
    randomness: str = "error",
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that computes the Jacobian of `func` by columns; see `jacrev`."""

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        picked = args[argnums] if not isinstance(argnums, tuple) else [args[n] for n in argnums]
        points = leaves_of(picked)

        def along(place: int, direction: Any) -> Any:
            def of_points(*given: Any) -> Any:
                inputs = list(args)
                tree = rebuild(picked, iter(given))
                numbers = argnums if isinstance(argnums, tuple) else (argnums,)
                for number, each in zip(
                    numbers, tree if numbers is argnums else [tree], strict=True
                ):
                    inputs[number] = each
                return func(*inputs, **kwargs)

            tangents = [point.new_zeros(point.shape) for point in points]
            tangents[place] = direction
            return jvp(of_points, tuple(points), tuple(tangents), has_aux=has_aux)

        columns = [[along(n, unit) for unit in unit_rows(x)] for n, x in enumerate(points)]
        value, *_, aux = columns[0][0] if has_aux else (*columns[0][0], None)
        of_inputs = [
            [
                stack([leaves_of(found[1])[k] for found in column], -1).reshape(
                    (*y.shape, *x.shape)
                )
                for column, x in zip(columns, points, strict=True)
            ]
            for k, y in enumerate(leaves_of(value))
        ]
        like = tuple(picked) if isinstance(argnums, tuple) else picked
        blocks = rebuild(value, iter([rebuild(like, iter(row)) for row in of_inputs]))
        return (blocks, aux) if has_aux else blocks

    return jacobian


def hessian(func: Any, argnums: Any = 0) -> Callable[..., Any]:
    """Return a function that computes the matrix of second derivatives of `func`.

    >>> import minigrad as mg
    >>> mg.func.hessian(lambda x: (x**3).sum())(mg.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


# --- Modules


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call `module` with the given parameters and buffers in place of its own.

    Args:
        parameter_and_buffer_dicts: tensors by the names of `named_parameters` and `named_buffers`;
            or several such dictionaries.
        args, kwargs: the arguments of the module.
        tie_weights: whether a tensor that the module uses twice stays one.
        strict: whether all must be given, and nothing else.

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(2, 1)
    >>> weights = {"weight": mg.ones(1, 2), "bias": mg.zeros(1)}
    >>> mg.func.functional_call(layer, weights, mg.tensor([1.0, 2.0]))
    tensor([3.])
    """
    args = () if args is None else args
    given = merge(parameter_and_buffer_dicts)
    return called_with(module, given, args, kwargs, tie_weights, strict)


def stack_module_state(
    models: Sequence[Module],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters and the buffers of several modules, those of one name as one tensor.

    With `vmap` and `functional_call` they compute an ensemble.

    Raises:
        RuntimeError: there is no module, or they differ in class, in training mode, or in which
            parameters require grad.

    >>> import minigrad as mg
    >>> parameters, buffers = mg.func.stack_module_state([mg.nn.Linear(2, 3) for _ in range(4)])
    >>> parameters["weight"].shape
    torch.Size([4, 3, 2])
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        alike = "Expected all models to have the same training/eval mode."
        raise RuntimeError(f"stack_module_state: {alike}")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    parameters = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return stacked_leaves(parameters), stacked_leaves(buffers)


def stacked_leaves(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the tensors of each name as one, which is a leaf if they require grad."""
    found = {}
    for name in states[0]:
        tensors = [state[name] for state in states]
        if len({tensor.requires_grad for tensor in tensors}) > 1:
            alike = "from each model to have the same .requires_grad"
            raise RuntimeError(f"Expected {name} {alike}")
        together: Any = stack(tensors)
        trained = tensors[0].requires_grad
        found[name] = together.detach().requires_grad_() if trained else together
    return found


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)

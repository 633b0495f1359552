"""Every operation of the tables against PyTorch: value, graph, gradient, second order."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import minigrad
from tests.numbers import compare
from tests.ops.tables.families import NAMES, TABLES
from tests.parity import (
    Case,
    differentiable,
    graph_text,
    make_inputs,
    observe,
    same,
    saved_text,
    variants,
    weights_like,
)
from tests.record import answer

CASES = [pytest.param(c, id=f"{family}: {c}") for family, cases in TABLES.items() for c in cases]
DIFFERENTIABLE = [param for param in CASES if not param.values[0].forward_only]


def leaves(T: Any, case: Case, inputs: Any, dtype: str, strided: bool) -> list[Any]:
    """Inputs that require grad wherever they can."""
    made = make_inputs(T, case, inputs, dtype, strided)
    for tensor in made:
        if isinstance(tensor, T.Tensor) and tensor.is_floating_point():
            tensor.requires_grad_()
    return made


def wanted(T: Any, made: list[Any]) -> list[Any]:
    return [tensor for tensor in made if isinstance(tensor, T.Tensor) and tensor.requires_grad]


@pytest.mark.parametrize("case", CASES)
def test_value_and_graph(torch: Any, case: Case) -> None:
    for inputs, dtype, strided in variants(case):

        def program(
            T: Any, inputs: Any = inputs, dtype: Any = dtype, strided: Any = strided
        ) -> Any:
            return case.function(T, *leaves(T, case, inputs, dtype, strided))

        same(torch, program)


@pytest.mark.parametrize("case", CASES)
def test_value_without_gradient(torch: Any, case: Case) -> None:
    for inputs, dtype, strided in variants(case):

        def program(
            T: Any, inputs: Any = inputs, dtype: Any = dtype, strided: Any = strided
        ) -> Any:
            with T.no_grad():
                quiet = case.function(T, *leaves(T, case, inputs, dtype, strided))
            return quiet, case.function(T, *make_inputs(T, case, inputs, dtype, strided))

        same(torch, program)


@pytest.mark.parametrize("case", DIFFERENTIABLE)
def test_gradient(torch: Any, case: Case) -> None:
    """Raw gradients, with every combination of inputs that require grad."""
    for inputs, dtype, strided in variants(case):
        places = [
            place
            for place, given in enumerate(inputs)
            if not isinstance(given, (int, float)) and place not in case.integers
        ]
        for choice in product((True, False), repeat=len(places)):
            if not any(choice):
                continue

            chosen = [place for place, c in zip(places, choice, strict=True) if c]

            def program(
                T: Any,
                inputs: Any = inputs,
                dtype: Any = dtype,
                strided: Any = strided,
                chosen: Any = chosen,
            ) -> Any:
                made = make_inputs(T, case, inputs, dtype, strided)
                for place in chosen:
                    made[place].requires_grad_()
                outputs = differentiable(T, case.function(T, *made))
                seeds = [weights_like(T, out, salt, strided) for salt, out in enumerate(outputs)]
                T.autograd.backward(outputs, seeds)
                return [made[place].grad for place in chosen], outputs

            same(torch, program)


WRITTEN_OTHERWISE = {
    "fused in PyTorch, plain arithmetic here": (
        "F.batch_norm in evaluation",
        "F.batch_norm in training",
        "F.elu",
        "F.elu in place",
        "F.gelu",
        "F.gelu tanh",
        "F.group_norm",
        "F.instance_norm",
        "F.layer_norm",
        "F.layer_norm without weights",
        "F.logsigmoid",
        "F.softplus",
        "F.softplus beta",
        "binary_cross_entropy mean",
        "binary_cross_entropy none",
        "binary_cross_entropy sum",
        "group_norm alone",
        "multilabel_soft_margin_loss mean",
        "multilabel_soft_margin_loss none",
        "multilabel_soft_margin_loss sum",
        "multilabel_soft_margin_loss weight",
    ),
    "an edge for the input, on which the gradient does not depend, or for a missing bias": (
        "F.adaptive_avg_pool2d",
        "F.avg_pool2d",
        "F.avg_pool2d divisor_override",
        "F.avg_pool2d padding",
        "F.conv1d",
        "F.conv2d",
        "F.conv2d same",
        "F.conv2d stride padding dilation groups",
        "F.conv_transpose1d",
        "F.conv_transpose2d",
        "F.max_pool1d",
        "F.max_pool1d return_indices",
        "F.max_pool2d",
        "F.max_pool2d return_indices",
        "F.max_pool2d stride padding",
        "conv_transpose2d stride padding dilation groups",
        "interpolate, area",
        *(
            case.name
            for case in TABLES["volumes"]
            if ("pool" in case.name or "conv" in case.name) and "to one" not in case.name
        ),
    ),
    "the gradient of singular values by other products": (
        "a.norm nuc, along two",
        "linalg.norm -2",
        "linalg.norm nuc",
        "torch.norm nuc",
        *(
            f"matrix_norm {ord} {dims}"
            for ord in ("nuc", 2, -2)
            for dims in ((-2, -1), (0, 1), (2, 0), (1, 0))
        ),
    ),
    "a shorter formula, or one that does not overflow": (
        "a.cumprod(0) with zeros",
        "a.prod() with a zero",
        "a.prod() with two zeros",
        "a.prod(1) with zeros",
        "a.trace",
        "bce_with_logits pos_weight mean",
        "bce_with_logits pos_weight none",
        "bce_with_logits pos_weight sum",
        "cosine_embedding_loss",
        "kl_div mean",
        "kl_div none",
        "kl_div sum",
        "linalg.det",
        "linalg.lstsq",
        "linalg.lstsq residuals",
        "linalg.matrix_exp of large",
        "linalg.slogdet",
        "linalg.solve",
        "torch.block_diag",
        "torch.logdet",
        "torch.matrix_exp",
        "torch.slogdet",
        "torch.trace",
    ),
}
"""The cases whose gradient has another graph than PyTorch's, of the same values, and why."""

OTHERWISE = {name for names in WRITTEN_OTHERWISE.values() for name in names}


@pytest.mark.parametrize("case", DIFFERENTIABLE)
def test_second_order(torch: Any, case: Case) -> None:
    """Gradients under create_graph, their graphs, and gradients of their sum."""
    graphs: list[tuple[str, str]] = []  # minigrad's and PyTorch's
    for inputs, dtype, strided in variants(case):

        def program(
            T: Any, inputs: Any = inputs, dtype: Any = dtype, strided: Any = strided
        ) -> Any:
            made = leaves(T, case, inputs, dtype, strided)
            sources = wanted(T, made)
            outputs = differentiable(T, case.function(T, *made))
            seeds = [
                weights_like(T, out, salt, strided).requires_grad_()
                for salt, out in enumerate(outputs)
            ]
            first = T.autograd.grad(outputs, sources, seeds, create_graph=True, allow_unused=True)
            # A derivative known to be zero may come without a graph, or with one that gives zeros.
            live = {salt: g for salt, g in enumerate(first) if g is not None and g.requires_grad}
            graph = f"{[*live]} {graph_text(*live.values())}"
            second: Any = [T.zeros_like(tensor) for tensor in (*sources, *seeds)]
            if live:
                again = [weights_like(T, g, salt + 3, strided) for salt, g in live.items()]
                second = T.autograd.grad(
                    list(live.values()),
                    [*sources, *seeds],
                    again,
                    allow_unused=True,
                    materialize_grads=True,
                )
            # The clone turns PyTorch's "known to be zero" tensors into ordinary ones.
            return graph, [None if g is None else g.detach().clone() for g in (*first, *second)]

        theirs = answer(torch, observe, program)["returned"]
        mine = observe(minigrad, program)["returned"]
        compare(mine[1], theirs[1])
        graphs.append((mine[0], theirs[0]))
    if case.name in OTHERWISE:
        assert any(mine != theirs for mine, theirs in graphs), "take it off the list"
    else:
        for mine, theirs in graphs:
            assert mine == theirs, f"\nminigrad {mine}\ntorch    {theirs}"


@pytest.mark.parametrize("case", CASES)
def test_saved_attributes(torch: Any, case: Case) -> None:
    """The same tensors are saved under the same names, and None where PyTorch saves nothing."""
    inputs = case.shapes[0]

    def program(T: Any) -> Any:
        result = case.function(T, *leaves(T, case, inputs, case.dtypes[0], False))
        listed = result if isinstance(result, (tuple, list)) else [result]
        return saved_text(*listed)

    same(torch, program)


def test_names_are_unique() -> None:
    """A case's name seeds its random inputs."""
    assert len(NAMES) == len(set(NAMES))
    assert set(NAMES) >= OTHERWISE

"""`multi_head_attention_forward`: the same results, gradients, graphs and errors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nn.test_transformer import composed, masks
from tests.parity import caught, same, weights_like

GIVEN: dict[str, str] = {
    "plain": "",
    "no biases": "b=None, ob=None",
    "bias of keys": "bk=R(1, 1, 4), bv=R(1, 1, 4)",
    "zeros": "zero=True",
    "bias and zeros": "bk=R(1, 1, 4), bv=R(1, 1, 4), zero=True",
    "static": "static_k=R(4, 3, 2), static_v=R(4, 3, 2)",
    "static keys": "static_k=R(4, 3, 2), zero=True",
    "separate": "w=None, use_separate_proj_weight=True, q_proj_weight=R(4, 4), "
    "k_proj_weight=R(4, 4), v_proj_weight=R(4, 4)",
    "heads apart": "average_attn_weights=False",
    "dropped": "p=0.3",
    "evaluated": "p=0.3, training=False",
}
MASKS = ["none", "causal", "added", "of each head", "padding", "both", "hinted"]


def attend(T: Any, inputs: tuple[Any, ...], text: str, made: list[Any], **more: Any) -> Any:
    """Call the function on three inputs of size 4, with two heads."""

    def R(*shape: int) -> Any:
        made.append(T.randn(shape, requires_grad=True))
        return made[-1]

    def call(
        w: Any = 0, b: Any = 0, bk: Any = None, bv: Any = None, zero: bool = False, p: float = 0.0,
        ob: Any = 0, **others: Any,
    ) -> Any:  # fmt: skip
        w = R(12, 4) if isinstance(w, int) else w
        b = R(12) if isinstance(b, int) else b
        ob = R(4) if isinstance(ob, int) else ob
        return T.nn.functional.multi_head_attention_forward(
            *inputs, 4, 2, w, b, bk, bv, zero, p, R(4, 4), ob, **others, **more
        )

    return eval(f"call({text})", {"call": call, "R": R, "T": T})


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("given", GIVEN)
def test_results_and_gradients_equal_pytorch(
    torch: Any, given: str, mask: str, need_weights: bool
) -> None:
    def program(T: Any) -> Any:
        x, z = (T.randn(3, 2, 4, requires_grad=True) for _ in range(2))
        made = [x, z]
        options = dict(masks(T)[mask], need_weights=need_weights)
        y, seen = attend(T, (x, z, z), GIVEN[given], made, **options)
        y.backward(weights_like(T, y, 0))
        return y, seen, [t.grad for t in made]

    with composed(torch):
        same(torch, program)


def test_shared_inputs_without_a_batch(torch: Any) -> None:
    """Three equal inputs are projected at once only where they are a batch."""

    def program(T: Any) -> Any:
        batch, alone = (T.randn(*shape, requires_grad=True) for shape in ((3, 2, 4), (3, 4)))
        layer, seen = T.nn.MultiheadAttention(4, 2, batch_first=True), []
        for x in (batch, alone):
            for inputs in ((x, x, x), (x * 1, x, x), (x, x, x * 1)):
                layer.zero_grad()
                y, weights = layer(*inputs)
                y.sum().backward()
                seen.append([y, weights, layer.in_proj_weight.grad, x.grad])
                seen.append(attend(T, inputs, "", []))
        return seen

    with composed(torch):
        same(torch, program)


@pytest.mark.parametrize(
    "text",
    [
        "w=None", "bk=R(1, 1, 4)", "bv=R(1, 1, 4)",
        "bk=R(1, 1, 4), bv=R(1, 1, 4), static_k=R(4, 3, 2)",
        "bk=R(1, 1, 4), bv=R(1, 1, 4), static_v=R(4, 3, 2)",
        "static_k=R(3, 3, 2)", "static_v=R(4, 3, 3)",
        "use_separate_proj_weight=True",
        "use_separate_proj_weight=True, q_proj_weight=R(4, 4)",
        "use_separate_proj_weight=True, q_proj_weight=R(4, 4), k_proj_weight=R(4, 4)",
        *(f"use_separate_proj_weight=True, q_proj_weight=R({q}), k_proj_weight=R({k}), "
          f"v_proj_weight=R({v})" for q, k, v in (("3, 4", "4, 4", "4, 4"),
          ("4, 4", "4, 3", "4, 4"), ("4, 4", "4, 4", "3, 3"))),
        "b=R(9), use_separate_proj_weight=True, q_proj_weight=R(4, 4), k_proj_weight=R(4, 4), "
        "v_proj_weight=R(4, 4)",
        "is_causal=True", "attn_mask=R(2, 3)", "attn_mask=R(3, 3, 3)", "attn_mask=R(3)",
        "attn_mask=T.ones(3, 3, dtype=T.int64)", "key_padding_mask=R(3, 3)",
        "key_padding_mask=R(2, 2)", "key_padding_mask=R(3)", "p=1.5", "w=R(12, 5)", "w=3.0",
        "p='a'", "no_such=1",
    ],
)  # fmt: skip
def test_errors_equal_those_of_pytorch(torch: Any, text: str) -> None:
    def program(T: Any) -> Any:
        x = T.randn(3, 2, 4)
        return caught(lambda: attend(T, (x, x, x), text, []))

    with composed(torch):
        same(torch, program)


@pytest.mark.parametrize("shapes", ["5 5 5", "4 43 43", "324 334 324", "324 224 324", "4 4 4"])
def test_errors_of_sizes_equal_those_of_pytorch(torch: Any, shapes: str) -> None:
    def program(T: Any) -> Any:
        inputs = tuple(T.ones(*map(int, shape)) for shape in shapes.split())
        return caught(lambda: attend(T, inputs, "", []))

    same(torch, program)


def test_size_must_be_shared_by_the_heads(torch: Any) -> None:
    def program(T: Any) -> Any:
        forward, x, w = T.nn.functional.multi_head_attention_forward, T.ones(3, 2, 5), T.ones(15, 5)
        given = (5, 2, w, None, None, None, False, 0.0, w[:5], None)
        return caught(lambda: forward(x, x, x, *given))

    same(torch, program)

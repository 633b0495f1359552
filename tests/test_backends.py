"""Questions that programs ask about GPUs before they begin, and the switches they set: on a machine
without a GPU both libraries answer alike."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from tests.parity import caught, same

pytestmark = pytest.mark.skipif(
    minigrad.cuda.is_available(), reason="it asks what is said where there is no GPU"
)


def test_the_questions_that_programs_begin_with(torch: Any) -> None:
    def program(T: Any) -> Any:
        T.cuda.manual_seed(1)
        T.cuda.manual_seed_all(1)
        T.cuda.seed_all()
        T.mps.manual_seed(1)
        T.cuda.empty_cache()
        T.backends.cudnn.deterministic, T.backends.cudnn.benchmark = True, False
        kind = T.accelerator.current_accelerator()
        device = T.device("cuda:0" if T.cuda.is_available() else "cpu")
        return (
            [T.cuda.is_available(), T.cuda.device_count(), T.cuda.is_initialized()],
            [T.cuda.memory_allocated(), T.cuda.memory_reserved(0), T.cuda.is_bf16_supported()],
            [T.mps.is_available(), T.mps.device_count()],
            [T.backends.mps.is_available(), T.backends.mps.is_built(), T.backends.cuda.is_built()],
            [T.backends.cudnn.is_available(), T.backends.cudnn.version(), T.backends.cudnn.enabled],
            [T.accelerator.is_available(), T.accelerator.device_count(), kind],
            T.ones(2, device=device),
        )

    same(torch, program)


def test_switches_as_they_are(torch: Any) -> None:
    def program(T: Any) -> Any:
        names = ("allow_tf32", "allow_fp16_reduced_precision_reduction")
        more = ("allow_bf16_reduced_precision_reduction",)
        return [getattr(T.backends.cuda.matmul, name) for name in (*names, *more)]

    same(torch, program)


def test_switches_for_a_while(torch: Any) -> None:
    def program(T: Any) -> Any:
        cudnn = T.backends.cudnn
        cudnn.deterministic = cudnn.benchmark = False
        before = cudnn.enabled, cudnn.deterministic
        with cudnn.flags(enabled=True, deterministic=True):
            inside = cudnn.enabled, cudnn.deterministic
        T.backends.cuda.matmul.allow_tf32 = True
        now = T.backends.cuda.matmul.allow_tf32
        T.backends.cuda.matmul.allow_tf32 = False
        return before, inside, (cudnn.enabled, cudnn.deterministic), now

    same(torch, program)


@pytest.mark.parametrize(
    "name", ["synchronize", "empty_cache", "memory_allocated", "current_device_index"]
)
def test_an_accelerator_that_is_not_there(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        said = "Cannot access accelerator device when none is available."
        return caught(getattr(T.accelerator, name), said)

    same(torch, program)


@pytest.mark.parametrize(
    "name", ["synchronize", "empty_cache", "current_allocated_memory", "driver_allocated_memory"]
)
def test_apples_gpu_that_is_not_there(torch: Any, name: str) -> None:
    same(torch, lambda T: caught(getattr(T.mps, name), "MPS backend"))


@pytest.mark.parametrize(
    "name", ["current_device", "get_device_name", "synchronize", "mem_get_info"]
)
def test_a_gpu_that_is_not_there(name: str) -> None:
    for needs_one in (getattr(minigrad.cuda, name), lambda: minigrad.cuda.FloatTensor([1])):
        with pytest.raises(RuntimeError, match="No CUDA GPUs are available"):
            needs_one()
    with pytest.raises(ValueError, match="Expected a cuda device"):
        minigrad.cuda.set_device("cpu")

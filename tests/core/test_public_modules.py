"""Public classes name the module of users as `__module__`, and Python still finds their source."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
import typing
from importlib import import_module

import pytest

import minigrad as mg

NAMESPACES = [
    "",
    ".autograd",
    ".autograd.function",
    ".autograd.graph",
    ".nn",
    ".optim",
    ".optim.lr_scheduler",
    ".utils.data",
    ".utils.checkpoint",
    ".random",
]

# Names that PyTorch reports under their public module, and names that it reports elsewhere.
FOUND = {
    "minigrad": "Generator Size Tensor device dtype enable_grad finfo inference_mode no_grad "
    "set_grad_enabled",
    "minigrad.autograd": "Function detect_anomaly set_detect_anomaly",
    "minigrad.autograd.function": "FunctionCtx",
    "minigrad.autograd.graph": "GradientEdge Node save_on_cpu saved_tensors_hooks",
    "minigrad.nn": "Linear Module Parameter ReLU Sequential CrossEntropyLoss BatchNorm1d",
    "minigrad.optim": "SGD Adam Optimizer",
    "minigrad.optim.lr_scheduler": "StepLR LambdaLR",
    "minigrad.utils.data": "DataLoader Dataset TensorDataset",
    "minigrad.utils.checkpoint": "CheckpointError",
}


def classes() -> dict[str, type]:
    """Every public class, by the namespace and the name that a user writes."""
    found = {}
    for suffix in NAMESPACES:
        module = import_module(f"minigrad{suffix}")
        own = [
            n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__
        ]
        for name in getattr(module, "__all__", own):
            value = getattr(module, name)
            if isinstance(value, type) and name[0] != "_":
                found[f"{module.__name__}.{name}"] = value
    return found


def test_public_classes_are_found() -> None:
    assert len(classes()) > 70


@pytest.mark.parametrize("place", FOUND)
def test_class_names_its_public_module(place: str) -> None:
    for name in FOUND[place].split():
        kind = getattr(import_module(place), name)
        assert kind.__module__ == place
        assert repr(kind) == f"<class '{place}.{name}'>"


@pytest.mark.parametrize("path", classes())
def test_class_pickles_by_public_name(path: str) -> None:
    kind = classes()[path]
    assert getattr(import_module(f"{kind.__module__}"), kind.__name__) is kind
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(kind, protocol)) is kind
    assert copy.deepcopy(kind) is kind


@pytest.mark.parametrize("path", classes())
def test_inspect_finds_the_source(path: str) -> None:
    kind = classes()[path]
    assert f"class {kind.__name__}" in inspect.getsource(kind)
    assert inspect.getmodule(kind) is not mg
    typing.get_type_hints(kind)  # names in annotations are those of the file


def test_pickles_load_in_another_process() -> None:
    """A pickle has the public name in it, and nothing else has to be imported first."""
    pickled = pickle.dumps((mg.nn.Linear, mg.float32, mg.device("cpu"), mg.ones(2), mg.Size([2])))
    assert b"minigrad.nn" in pickled
    assert b"layers" not in pickled
    program = (
        "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()))"  # imports by itself
    )
    done = subprocess.run([sys.executable, "-c", program], input=pickled, capture_output=True)
    shown = "(<class 'minigrad.nn.Linear'>, torch.float32, device(type='cpu'), tensor([1., 1.]), "
    assert done.stdout.decode().strip() == f"{shown}torch.Size([2]))", done.stderr.decode()


def test_dtypes_copy_to_themselves() -> None:
    for kind in (mg.float32, mg.bool, mg.int64, mg.half):
        assert copy.copy(kind) is copy.deepcopy(kind) is pickle.loads(pickle.dumps(kind)) is kind


def test_place_equals_both_names() -> None:
    place = mg.nn.Linear.__module__
    stands = place.stands  # type: ignore[attr-defined]
    assert place == "minigrad.nn"
    assert place == stands
    assert not place != stands
    assert place != "minigrad"


def test_user_class_keeps_its_module() -> None:
    class Net(mg.nn.Linear):
        """A user's layer."""

    assert Net.__module__ == __name__
    assert "A user's layer" in inspect.getsource(Net)

"""`nn.Buffer`, buffers and submodules by path, and other parts of the protocol of modules."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import minigrad as mg
from tests.parity import same


def listed(module: Any) -> Any:
    """Return the names of a module's buffers, and of what it saves."""
    return [name for name, _ in module.named_buffers()], list(module.state_dict())


def outcome(program: Callable[[Any], Any], T: Any) -> Any:
    """Return the result, or the error."""
    try:
        return program(T)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def assigned(T: Any) -> Any:
    module = T.nn.Module()
    module.a = T.nn.Buffer(T.ones(2))
    module.b = T.nn.Buffer(T.ones(1), persistent=False)
    module.c = T.nn.Parameter(T.ones(1))
    return module


def old_register(T: Any, persistent: bool) -> Any:
    class Old(T.nn.Module):  # type: ignore[misc, name-defined]
        def register_buffer(self, name: str, value: Any) -> None:
            super().register_buffer(name, value)

    module = Old()
    module.a = T.nn.Buffer(T.ones(1), persistent=persistent)
    return listed(module)


def replaced(T: Any, value: Callable[[Any], Any], *names: str) -> Any:
    module = assigned(T)
    for name in names:
        setattr(module, name, value(T))
    return listed(module)


def after_apply(T: Any) -> Any:
    layer = T.nn.Linear(1, 1)
    kept = layer.weight.mul(layer.weight)
    layer._apply(lambda x: x.add_(1.0))
    kept.backward()
    return layer


def merged(T: Any) -> Any:
    one = T.nn.ParameterDict({"a": T.ones(1)})
    one |= {"b": T.ones(2)}
    return repr(one | {"c": 1}), sorted({"d": 2} | one), repr(one.fromkeys(["x"], 3))


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "assigned": lambda T: listed(assigned(T)),
    "instances": lambda T: [
        isinstance(each, T.nn.Buffer) for each in (T.nn.Buffer(), T.ones(1), T.nn.Parameter())
    ],
    "class and text": lambda T: (
        type(T.nn.Buffer(T.ones(1))).__name__,
        repr(T.nn.Buffer(T.ones(1))),
    ),
    "persistent again": lambda T: replaced(T, lambda T: T.nn.Buffer(T.zeros(1)), "b"),
    "a tensor in its place": lambda T: replaced(T, lambda T: T.zeros(1), "a", "b"),
    "None in its place": lambda T: replaced(T, lambda T: None, "a"),
    "a number in its place": lambda T: replaced(T, lambda T: 3, "a"),
    "in place of a parameter": lambda T: replaced(T, lambda T: T.nn.Buffer(T.ones(1)), "c"),
    "over an attribute": lambda T: replaced(T, lambda T: T.nn.Buffer(T.ones(1)), "training"),
    "an old method": lambda T: old_register(T, True),
    "an old method, not saved": lambda T: old_register(T, False),
    "get_buffer": lambda T: T.nn.Sequential(assigned(T)).get_buffer("0.a"),
    "get_buffer, a parameter": lambda T: assigned(T).get_buffer("c"),
    "get_buffer, nothing": lambda T: assigned(T).get_buffer("nosuch"),
    "set_submodule, no name": lambda T: T.nn.Module().set_submodule("", T.nn.Module()),
    "set_submodule, a number": lambda T: T.nn.Module().set_submodule("a", 1),
    "set_submodule, over a number": lambda T: T.nn.Linear(1, 1).set_submodule(
        "in_features", T.nn.ReLU()
    ),
    "set_submodule, strict": lambda T: T.nn.Module().set_submodule("a", T.nn.ReLU(), strict=True),
    "to, copy": lambda T: T.nn.Linear(1, 1).to("cpu", copy=True),
    "_apply in place": after_apply,
    "ParameterDict": merged,
    "an index that is a tensor": lambda T: T.nn.ParameterList([T.ones(1), T.zeros(1)])[T.tensor(1)],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_protocol_of_modules(torch: Any, name: str) -> None:
    same(torch, lambda T: outcome(PROGRAMS[name], T))


def test_set_submodule_replaces_a_layer(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Sequential(T.nn.Sequential(T.nn.ReLU()))
        net.set_submodule("0.0", T.nn.Tanh())
        net.set_submodule("0.new", T.nn.ReLU())
        return repr(net)

    same(torch, program)


def test_saved_module_needs_trust() -> None:
    file = io.BytesIO()
    net = mg.nn.Sequential(mg.nn.Linear(2, 1), mg.nn.ReLU())
    mg.save({"net": net, "epoch": 3}, file)
    file.seek(0)
    with pytest.raises(pickle.UnpicklingError, match="weights_only=False"):
        mg.load(file)
    file.seek(0)
    found = mg.load(file, weights_only=False)
    x = mg.ones(1, 2)
    assert found["epoch"] == 3 and found["net"](x).equal(net(x))


def test_old_pickle_gets_missing_hooks() -> None:
    layer = mg.nn.Linear(1, 1)
    del layer._load_state_dict_post_hooks
    again = pickle.loads(pickle.dumps(layer))
    again.load_state_dict(layer.state_dict())
    assert again._load_state_dict_post_hooks == {}

"""State of modules: extra state, overridden saving and loading, hooks, old versions."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from tests.parity import caught, same


def test_extra_state_is_saved_and_loaded(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Counter(T.nn.Module):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                self.calls = 1
                self.linear = T.nn.Linear(1, 1)

            def get_extra_state(self) -> Any:
                return {"calls": self.calls}

            def set_extra_state(self, state: Any) -> None:
                self.calls = state["calls"]

        net = T.nn.Sequential(Counter())
        net[0].calls = 5
        state = net.state_dict()
        other = T.nn.Sequential(Counter())
        print(other.load_state_dict(state), other[0].calls, list(state))
        del state["0._extra_state"]
        print(caught(lambda: other.load_state_dict(state)), other.load_state_dict(state, False))
        plain = T.nn.Sequential(T.nn.Linear(1, 1))
        print(caught(lambda: plain.load_state_dict({**plain.state_dict(), "_extra_state": 1})))
        print(caught(plain.get_extra_state), caught(lambda: plain.set_extra_state(1)))
        return other[0].calls

    same(torch, program)


def test_overridden_saving_and_loading_is_called(torch: Any) -> None:
    def program(T: Any) -> Any:
        seen: list[Any] = []

        class Own(T.nn.Module):  # type: ignore[misc, name-defined]
            _version = 3

            def __init__(self) -> None:
                super().__init__()
                self.linear = T.nn.Linear(1, 1)

            def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
                super()._save_to_state_dict(destination, prefix, keep_vars)
                destination[prefix + "more"] = 3
                seen.append((prefix, keep_vars))

            def _load_from_state_dict(self, state: Any, prefix: str, *rest: Any) -> None:
                seen.append((list(state), state.pop(prefix + "more", None), prefix, *rest))
                super()._load_from_state_dict(state, prefix, *rest)

        net = T.nn.Sequential(Own(), T.nn.ReLU())
        state = net.state_dict()
        print(list(state), state._metadata, net.load_state_dict(state))
        print(caught(lambda: net.load_state_dict({"0.linear.weight": T.ones(1, 1), "x.y": 1})))
        print(list(state))  # what a module removed is still there
        return seen

    same(torch, program)


def test_hooks_of_state_dicts(torch: Any) -> None:
    def program(T: Any) -> Any:
        seen: list[Any] = []
        net = T.nn.Sequential(T.nn.Linear(1, 2), T.nn.Linear(2, 1))

        def after_saving(module: Any, state: Any, prefix: str, local: Any) -> None:
            seen.append(("saved", prefix, local))
            state[prefix + "added"] = 1

        def before_loading(*given: Any) -> None:
            given[1].pop(given[2] + "added", None)
            seen.append(("loading", type(given[0]).__name__, *map(str, given[2:])))

        def after_loading(module: Any, keys: Any) -> None:
            seen.append(("loaded", type(module).__name__, str(keys)))
            keys.missing_keys.clear()

        handles = [
            net.register_state_dict_pre_hook(lambda *a: seen.append(("saving", a[1:]))),
            net[0].register_state_dict_post_hook(after_saving),
            net[0].register_load_state_dict_pre_hook(before_loading),
            net.register_load_state_dict_post_hook(after_loading),
        ]
        state = net.state_dict()
        del state["1.bias"]
        print(list(state), net.load_state_dict(state))
        for handle in handles:
            handle.remove()
        print(list(net.state_dict()))
        net.register_state_dict_post_hook(lambda *a: 1)
        print(caught(net.state_dict))
        other = T.nn.Linear(1, 1)
        other._register_state_dict_hook(
            lambda m, state, *a: {k.upper(): v for k, v in state.items()}
        )
        print(list(other.state_dict()), list(T.nn.Sequential(other).state_dict(None, "top.")))
        return seen

    same(torch, program)


def test_state_of_an_older_version_is_loaded(torch: Any) -> None:
    def program(T: Any) -> Any:
        norm = T.nn.BatchNorm1d(2)
        state = OrderedDict(norm.state_dict())
        del state["num_batches_tracked"]
        print(norm.load_state_dict(state))
        state._metadata = {"": {"version": 2}}  # type: ignore[attr-defined]
        print(caught(lambda: norm.load_state_dict(state)))
        one = T.nn.Module()
        one.register_parameter("w", T.nn.Parameter(T.zeros(())))
        one.load_state_dict({"w": T.ones(1)})  # tensors without dimensions once had one
        return one.w, norm.num_batches_tracked

    same(torch, program)


def test_next_class_of_a_module_is_initialized(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Other:
            def __init__(self, value: int = 0) -> None:
                self.value = value

        class Both(T.nn.Module, Other):  # type: ignore[misc, name-defined]
            call_super_init = True

        class Plain(T.nn.Module, Other):  # type: ignore[misc, name-defined]
            pass

        for call in (lambda: Plain(3), lambda: Plain(value=3), lambda: T.nn.Module(1, 2)):
            print(caught(call))
        return Both(value=3).value, Both().value, hasattr(Plain(), "value")

    same(torch, program)

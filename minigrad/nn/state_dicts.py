"""Saving and loading the state of modules: `state_dict`, `load_state_dict`, and their hooks.

Each module saves and loads its own entries. A subclass that has further state overrides
`get_extra_state` and `set_extra_state`, or `_save_to_state_dict` and `_load_from_state_dict`.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, cast

from ..core.hooks import Hooks, RemovableHandle
from ..core.modes import no_grad
from ..tensors.tensor import Tensor
from .parameter import Parameter, is_lazy

EXTRA = "_extra_state"
"""The name of a module's extra state in its `state_dict`."""

STATE_HOOKS = (
    "_state_dict_pre_hooks",
    "_state_dict_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)

POSITIONAL = (
    "Positional args are being deprecated, use kwargs instead. Refer to "
    "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for "
    "details."
)


class IncompatibleKeys(NamedTuple):
    """The result of `load_state_dict`: names that only one side has."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        missing, unexpected = self
        if not missing and not unexpected:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={missing}, unexpected_keys={unexpected})"


class Stateful:
    """The part of a module that saves and loads its state."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_pre_hooks: Hooks
    _state_dict_hooks: Hooks
    _load_state_dict_pre_hooks: Hooks
    _load_state_dict_post_hooks: Hooks
    _version: ClassVar[int] = 1
    """Version of the class's `state_dict`, stored with it."""

    # --- Extra state, for subclasses

    def get_extra_state(self) -> Any:
        """Return state to be saved that is neither a parameter nor a buffer.

        A subclass defines this together with `set_extra_state`.
        """
        raise RuntimeError(unexpected_call("get_extra_state"))

    def set_extra_state(self, state: Any) -> None:
        """Restore what `get_extra_state` returned."""
        raise RuntimeError(unexpected_call("set_extra_state"))

    # --- Saving

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Tensor]:
        """Return all parameters and persistent buffers by path.

        The tensors share memory with the module's, and are detached unless `keep_vars`.
        """
        if args:
            warnings.warn(POSITIONAL, FutureWarning, stacklevel=2)
            given = (*args, *(None, "", False)[len(args) :])
            destination = given[0] if destination is None else destination
            prefix, keep_vars = prefix or given[1], keep_vars or given[2]
        found: Any = destination
        if found is None:
            found = OrderedDict()
            found._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(found, "_metadata"):
            found._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.now():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(found, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=found, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook, may_replace in self._state_dict_hooks.now():
            result = hook(self, found, prefix, metadata)
            if result is not None and not may_replace:
                raise RuntimeError("state_dict post-hook must return None")
            found = found if result is None else result
        return cast("OrderedDict[str, Tensor]", found)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Store the module's own entries; a subclass may override this."""
        for name, tensor in self._own_state():
            destination[prefix + name] = tensor if keep_vars or is_lazy(tensor) else tensor.detach()
        if type(self).get_extra_state is not Stateful.get_extra_state:
            destination[prefix + EXTRA] = self.get_extra_state()

    def _own_state(self) -> Iterator[tuple[str, Tensor]]:
        """Yield the module's own parameters and persistent buffers."""
        for name, tensor in {**self._parameters, **self._buffers}.items():
            if tensor is not None and name not in self._non_persistent_buffers_set:
                yield name, tensor

    # --- Loading

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy parameters and buffers from `state_dict`; with `assign`, use its tensors themselves.

        Raises:
            RuntimeError: a shape differs or, if `strict`, names do. All that fits has been copied.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        errors: list[str] = []
        keys = IncompatibleKeys([], [])
        metadata = getattr(state_dict, "_metadata", None)
        copied: Any = OrderedDict(state_dict)  # modules and hooks may change it
        if metadata is not None:
            copied._metadata = metadata
        self._load_tree(copied, "", metadata or {}, assign, keys, errors)
        if strict:
            for word, names in (
                ("Unexpected", keys.unexpected_keys),
                ("Missing", keys.missing_keys),
            ):
                if names:
                    listed = ", ".join(f'"{name}"' for name in names)
                    errors.insert(0, f"{word} key(s) in state_dict: {listed}. ")
        if errors:
            name, text = type(self).__name__, "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {name}:\n\t{text}")
        return keys

    def _load_tree(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        metadata: Mapping[str, Any],
        assign: bool,
        keys: IncompatibleKeys,
        errors: list[str],
    ) -> None:
        """Load the module, then its children from the entries of their own."""
        local = metadata.get(prefix[:-1], {})
        if assign:
            local["assign_to_params_buffers"] = assign
        self._load_from_state_dict(state_dict, prefix, local, True, *keys, errors)
        for name, child in self._modules.items():
            if child is not None:
                below = f"{prefix}{name}."
                part = {key: value for key, value in state_dict.items() if key.startswith(below)}
                child._load_tree(part, below, metadata, assign, keys, errors)
        for hook in self._load_state_dict_post_hooks.now():
            if hook(self, keys) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected "
                    "to return new values, if incompatible_keys need to be modified, it should be "
                    "done inplace."
                )

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Load the module's own entries; a subclass may override this.

        `local_metadata` has the `version` of the class that saved them. Add names and errors to the
        last three lists.
        """
        lists = missing_keys, unexpected_keys, error_msgs
        for hook, with_module in self._load_state_dict_pre_hooks.now():
            module = (self,) if with_module else ()
            hook(*module, state_dict, prefix, local_metadata, strict, *lists)
        own = dict(self._own_state())
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, tensor in own.items():
            key = prefix + name
            if key in state_dict:
                self._load_entry(name, tensor, key, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA
        takes_extra = type(self).set_extra_state is not Stateful.set_extra_state
        if takes_extra and extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict and takes_extra:
            missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        for key in state_dict if strict else ():
            if key.startswith(prefix) and key != extra:
                first, dot, _ = key[len(prefix) :].partition(".")
                if first not in (self._modules if dot else own):
                    unexpected_keys.append(key)

    def _load_entry(
        self, name: str, tensor: Any, key: str, value: Any, assign: bool, errors: list[str]
    ) -> None:
        """Copy `value` into the parameter or buffer `name`, or put it in its place."""
        if not isinstance(value, Tensor):
            errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                f"object from checkpoint but received {type(value)}"
            )
            return
        if is_lazy(tensor) and not is_lazy(value) and not assign:
            tensor.materialize(value.shape)
        lazy = is_lazy(tensor)
        if not lazy and tensor.shape == () and value.shape == (1,):
            value = value[0]  # as tensors without dimensions were once saved
        if not lazy and value.shape != tensor.shape:
            errors.append(
                f"size mismatch for {key}: copying a param with shape {value.shape} from "
                f"checkpoint, the shape in current model is {tensor.shape}."
            )
            return
        try:
            if assign:
                setattr(self, name, as_replacement(tensor, value))
            elif not lazy:
                with no_grad():
                    tensor.copy_(value)
        except Exception as error:
            errors.append(
                f'While copying the parameter named "{key}", whose dimensions in the model are '
                f"{tensor.size()} and whose dimensions in the checkpoint are {value.size()}, an "
                f"exception occurred : {error.args}."
            )

    # --- Hooks

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before the module's state is saved."""
        return self._state_dict_pre_hooks.add(hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` after the state was saved.

        It may change the `state_dict`, and returns None.
        """
        hook._from_public_api = True  # type: ignore[attr-defined]
        return self._state_dict_hooks.add((hook, False))

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Register a post-hook whose result, if there is one, replaces the `state_dict`."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously "
                "registered via register_state_dict_post_hook"
            )
        return self._state_dict_hooks.add((hook, True))

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook` with the module and the arguments of `_load_from_state_dict` before it."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], with_module: bool = False
    ) -> RemovableHandle:
        return self._load_state_dict_pre_hooks.add((hook, with_module))

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after the module and its children were loaded.

        It may change the two lists of keys.
        """
        return self._load_state_dict_post_hooks.add(hook)


def unexpected_call(method: str) -> str:
    """Return the error message for a base method that a subclass should have defined."""
    return (
        f"Reached a code path in Module.{method}() that should never be called. Please file an "
        "issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report "
        "this bug."
    )


def as_replacement(tensor: Tensor, value: Tensor) -> Tensor:
    """Return `value` as what takes the place of `tensor` in a module."""
    if not isinstance(tensor, Parameter):
        return value
    if not isinstance(value, Parameter):
        return Parameter(value, requires_grad=tensor.requires_grad)
    return value.requires_grad_(tensor.requires_grad)

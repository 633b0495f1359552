"""Parametrizations: a parameter that is computed from others whenever it is read.

The module gets a new class, in which the parameter is a property. The tensors from which it is
computed are in the module's child `parametrizations`, as `original`.

    >>> import minigrad as mg
    >>> class Positive(mg.nn.Module):
    ...     def forward(self, x):
    ...         return x.exp()
    >>> layer = mg.nn.Linear(1, 1, bias=False)
    >>> layer = mg.nn.utils.parametrize.register_parametrization(layer, "weight", Positive())
    >>> bool(layer.weight > 0), [name for name, _ in layer.named_parameters()]
    (True, ['parametrizations.weight.original'])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from ...arrays.left_out import missing_from
from ...core.modes import no_grad
from ...tensors.tensor import Tensor
from ..containers import ModuleDict, ModuleList
from ..module import Module
from ..parameter import Parameter

kept: dict[tuple[int, str], Tensor] | None = None
"""Parameters computed within `cached()`; None outside."""


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parameter once, and return the same tensor at each read."""
    global kept
    outer, kept = kept, {} if kept is None else kept
    try:
        yield
    finally:
        kept = outer


class ParametrizationList(ModuleList):
    """The modules that compute a parameter, each from the result of the previous one.

    They begin with `original`, or with `original0`, `original1`, ... if the first one takes several
    tensors.
    """

    original: Tensor

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        super().__init__(modules)
        self.unsafe = unsafe
        new: Any = original
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):  # then it is computed from `new` itself
                        new = module.right_inverse(new)
        if not isinstance(new, (Tensor, Sequence)):
            wanted = (
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...)"
            )
            raise ValueError(f"{wanted}. Got {type(new).__name__}")
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if isinstance(new, Tensor) else len(new)
        shape, dtype = original.shape, original.dtype
        if isinstance(new, Tensor):
            if new.dtype != dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {dtype}\nright_inverse(original).dtype: {new.dtype}"
                )
            original.data = new.detach()  # an optimizer may hold it already
            register_tensor(self, "original", original)
        else:
            for place, each in enumerate(new):
                as_parameter = isinstance(original, Parameter)
                each = Parameter(each, original.requires_grad) if as_parameter else each
                register_tensor(self, f"original{place}", each)
        if not unsafe:
            check_result(self(), {"shape": shape, "dtype": dtype})

    def originals(self) -> list[Tensor]:
        """Return the tensors from which the parameter is computed."""
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{place}") for place in range(self.ntensors)]

    def forward(self) -> Any:
        value: Any = self[0](*self.originals())
        for module in list(self)[1:]:
            value = module(value)
        return value

    def right_inverse(self, value: Tensor) -> None:
        """Set the originals so that they give `value`."""
        new: Any = value
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    name = type(module).__name__
                    raise RuntimeError(f"parametrization {name} does not implement right_inverse.")
                new = module.right_inverse(new)
            given = [new] if self.is_tensor else new
            for original, each in zip(self.originals(), given, strict=True):
                original.data = each.to(original.dtype).detach()


def check_result(value: Any, before: dict[str, Any]) -> None:
    """Raise if the value's shape or dtype differs from that of the parameter before."""
    if not isinstance(value, Tensor):
        kind = type(value).__name__
        raise ValueError(f"A parametrization must return a tensor. Got {kind}.")
    for what in ("dtype", "shape"):
        found = getattr(value, what)
        if found != before[what]:
            may = "unless `unsafe` flag is enabled"
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, {may}.\n"
                f"unparametrized {what}: {before[what]}\nparametrized {what}: {found}"
            )


def check_inverse(inverse: Any, value: Tensor, name: str) -> None:
    """Raise if the result of a right inverse cannot be the original."""
    if not isinstance(inverse, Tensor):
        wanted = "parametrization.right_inverse must return a tensor"
        raise ValueError(f"{wanted}. Got: {type(inverse).__name__}")
    for what in ("dtype", "shape"):
        found, wanted = getattr(inverse, what), getattr(value, what)
        if found != wanted:
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} "
                f"as module.{name}, unless the `unsafe` flag is enabled.\n"
                f"module.{name}.{what}: {wanted}\nreturned {what}: {found}"
            )


def register_tensor(module: Module, name: str, tensor: Tensor) -> None:
    """Register a tensor as a parameter or a buffer, according to its class."""
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Return whether a parameter of the module, or the named one, is computed."""
    found = module._modules.get("parametrizations")
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let `parametrization` compute a parameter or buffer of the module, from its current value.

    Args:
        parametrization: called with the original. If it has a method `right_inverse`, the result
            for the current value becomes the original.
        unsafe: whether shape and dtype of the result may differ.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        chain = cast(ParametrizationList, parametrizations_of(module)[tensor_name])
        if not unsafe:
            value = getattr(module, tensor_name)
            made = parametrization(value)
            check_result(made, {"shape": value.shape, "dtype": value.dtype})
            if hasattr(parametrization, "right_inverse"):
                check_inverse(parametrization.right_inverse(made), value, tensor_name)
        chain.append(parametrization)
        chain.unsafe |= unsafe
    elif tensor_name in module._parameters or tensor_name in module._buffers:
        chain = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            old = type(module)
            module.__class__ = type(f"Parametrized{old.__name__}", (old,), {"__module__": __name__})
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, make_property(tensor_name))
        parametrizations_of(module)[tensor_name] = chain
    else:
        missing = "does not have a parameter, a buffer, or a parametrized element with name"
        raise ValueError(f"Module '{module}' {missing} '{tensor_name}'")
    return module


def parametrizations_of(module: Module) -> ModuleDict:
    return cast(ModuleDict, module._modules["parametrizations"])


def make_property(name: str) -> property:
    """Return the property that stands for a parameter."""

    def get(module: Module) -> Any:
        if kept is None:
            return parametrizations_of(module)[name]()
        key = (id(module), name)
        if key not in kept:
            kept[key] = parametrizations_of(module)[name]()
        return kept[key]

    def set(module: Module, value: Tensor) -> None:
        cast(ParametrizationList, parametrizations_of(module)[name]).right_inverse(value)

    return property(get, set)


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Make a computed parameter an ordinary one.

    It keeps its current value or, if not `leave_parametrized`, gets the original one.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    chains = parametrizations_of(module)
    chain = cast(ParametrizationList, chains[tensor_name])
    value = getattr(module, tensor_name)
    if chain.is_tensor:
        original = chain.original
        if leave_parametrized:
            original.data = value.detach()
    elif leave_parametrized:
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
            "parametrized in terms of a sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del chains[tensor_name]
    register_tensor(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type[Any]:
    """Return the class that the module had before."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)

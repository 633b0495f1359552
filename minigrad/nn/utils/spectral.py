"""Spectral normalization: a weight divided by its largest singular value (Miyato et al. 2018).

A hook before `forward` computes the weight from `weight_orig`. The singular vectors `weight_u` and
`weight_v` are buffers, and move by power iterations in training.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ...core.modes import no_grad
from ...ops.linear_algebra.conditioning import pinverse
from ...ops.linear_algebra.matrix import dot, mm, mv
from .. import functional as F
from ..layers import ConvTranspose
from ..module import Module
from ..parameter import Parameter, is_lazy

M = TypeVar("M", bound=Module)

VERSION = 1
"""Stored with a state_dict; older ones have the weight instead of `weight_v`."""


class SpectralNorm:
    """The hook that computes one weight."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        if n_power_iterations <= 0:
            found = f"got n_power_iterations={n_power_iterations}"
            raise ValueError(f"Expected n_power_iterations to be positive, but {found}")
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.dim = dim
        self.eps = eps

    def matrix(self, weight: Any) -> Any:
        """Return a weight as a matrix, with a row for each output."""
        moved = weight.movedim(self.dim, 0) if self.dim else weight
        return moved.reshape(moved.size(0), -1)

    def unit(self, vector: Any) -> Any:
        return F.normalize(vector, dim=0, eps=self.eps)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Any:
        """Return the normalized weight, after power iterations in place."""
        weight, u, v = (getattr(module, self.name + end) for end in ("_orig", "_u", "_v"))
        matrix = self.matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(self.unit(mv(matrix.t(), u)))
                    u.copy_(self.unit(mv(matrix, v)))
                u, v = u.clone(), v.clone()  # backward needs these, and the buffers move again
        return weight / dot(u, mv(matrix, v))

    def attach(self, module: Module) -> None:
        """Replace the parameter by its parts."""
        weight = module._parameters[self.name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{self.name}` is None")
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make "
                "sure to run the dummy forward before applying spectral normalization"
            )
        with no_grad():
            sizes = self.matrix(weight).shape
            u, v = (self.unit(weight.new_zeros(size).normal_()) for size in sizes)
        delattr(module, self.name)
        module.register_parameter(f"{self.name}_orig", weight)
        setattr(module, self.name, weight.data)
        module.register_buffer(f"{self.name}_u", u)
        module.register_buffer(f"{self.name}_v", v)

    def remove(self, module: Module) -> None:
        """Make the weight as it is now a parameter again."""
        with no_grad():
            weight = self.compute_weight(module, False)
        for end in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + end)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))


class SaveVersion:
    """Note the version in a state_dict."""

    def __init__(self, norm: SpectralNorm) -> None:
        self.norm = norm

    def __call__(self, module: Module, state: Any, prefix: str, metadata: Any) -> None:
        versions = metadata.setdefault("spectral_norm", {})
        key = f"{self.norm.name}.version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = VERSION


class LoadOlder:
    """Compute `weight_v` of a state_dict that has the weight itself instead."""

    def __init__(self, norm: SpectralNorm) -> None:
        self.norm = norm

    def __call__(
        self, state: Any, prefix: str, metadata: Any, strict: bool, missing: list[str], *_: Any
    ) -> None:
        norm, key = self.norm, prefix + self.norm.name
        version = metadata.get("spectral_norm", {}).get(f"{norm.name}.version")
        complete = all(key + end in state for end in ("_orig", "_u", "_v")) and key not in state
        if (version is not None and version >= VERSION) or (version is None and complete):
            return
        lacking = [key + end for end in ("_orig", "", "_u") if key + end not in state]
        if lacking:
            missing += lacking if strict else []
            return
        with no_grad():
            original, u = state[f"{key}_orig"], state[f"{key}_u"]
            sigma = (original / state.pop(key)).mean()
            matrix = norm.matrix(original)
            v: Any = mv(mm(pinverse(mm(matrix.t(), matrix)), matrix.t()), u)
            state[f"{key}_v"] = v.mul_(sigma / dot(u, mv(matrix, v)))


def spectral_norm(
    module: M,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> M:
    """Divide a parameter of the module by its largest singular value, before each call.

    Args:
        dim: the dimension of the outputs; by default 1 of a transposed convolution, 0 of others.

    >>> import minigrad as mg
    >>> layer = mg.nn.utils.spectral_norm(mg.nn.Linear(3, 2))
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight_orig']
    """
    if dim is None:
        dim = 1 if isinstance(module, ConvTranspose) else 0
    if any(hook.name == name for hook in norms_of(module)):
        wrong = "Cannot register two spectral_norm hooks on the same parameter"
        raise RuntimeError(f"{wrong} {name}")
    norm = SpectralNorm(name, n_power_iterations, dim, eps)
    norm.attach(module)
    module.register_forward_pre_hook(norm)
    module._register_state_dict_hook(SaveVersion(norm))
    module._register_load_state_dict_pre_hook(LoadOlder(norm))
    return module


def remove_spectral_norm(module: M, name: str = "weight") -> M:
    """Make the parameter an ordinary one again, with its normalized value."""
    for number, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            for hooks in (module._state_dict_hooks, module._load_state_dict_pre_hooks):
                for place, (each, *_) in list(hooks.items()):
                    if getattr(each, "norm", None) is hook:
                        del hooks[place]
            return module
    raise ValueError(f"spectral_norm of '{name}' not found in {module}")


def norms_of(module: Module) -> list[SpectralNorm]:
    """Return the hooks of this kind."""
    return [hook for hook in module._forward_pre_hooks.now() if isinstance(hook, SpectralNorm)]

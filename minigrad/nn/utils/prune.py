"""Pruning: the least important elements of a parameter are set to zero, permanently.

The parameter becomes `..._orig`, and a buffer `..._mask` is added. The module computes with their
product, made anew before each call.

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(2, 1, bias=False)
    >>> layer.weight = mg.nn.Parameter(mg.tensor([[3.0, 1.0]]))
    >>> mg.nn.utils.prune.l1_unstructured(layer, "weight", amount=1).weight
    tensor([[3., 0.]], grad_fn=<MulBackward0>)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from ...arrays.left_out import missing_from
from ...linalg import vector_norm
from ...ops.reductions.sorting import topk
from ...tensors.creation import ones_like, rand, rand_like, zeros_like
from ...tensors.tensor import Tensor
from ..module import Module
from .convert_parameters import parameters_to_vector

M = TypeVar("M", bound=Module)


class BasePruningMethod:
    """A method of pruning. A subclass defines in `compute_mask` which elements stay."""

    PRUNING_TYPE: ClassVar[str] = "unstructured"
    """Which parts are pruned: single elements ("unstructured"), whole slices ("structured"), or
    masked elements ("global")."""
    _tensor_name: str

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Return ones for the elements that stay, out of those that `default_mask` has left."""
        raise NotImplementedError

    def apply_mask(self, module: Module) -> Tensor:
        """Return the pruned parameter."""
        name = self._tensor_name
        mask = getattr(module, name + "_mask")
        return mask.to(getattr(module, name + "_orig").dtype) * getattr(module, name + "_orig")  # type: ignore[no-any-return]

    def prune(
        self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Any = None
    ) -> Tensor:
        """Return the pruned tensor `t`; no module is involved."""
        scores = t if importance_scores is None else importance_scores
        default_mask = ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=default_mask)

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune the parameter of that name, also one that is already pruned."""
        method: BasePruningMethod = cls(*args, **kwargs)
        method._tensor_name = name
        before = method_on(module, name)
        if before is not None:
            number, old = before
            del module._forward_pre_hooks[number]
            container = old if isinstance(old, PruningContainer) else PruningContainer(old)
            container.methods.append(method)
            method = container
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if scores.shape != original.shape:
            wanted = f"importance_scores should have the same shape as parameter {name} of {module}"
            raise AssertionError(f"{wanted}, got {scores.shape} vs {original.shape}")
        left = ones_like(original) if before is None else getattr(module, name + "_mask").clone()
        mask = method.compute_mask(scores, default_mask=left.detach())
        if before is None:
            delattr(module, name)
            module.register_parameter(name + "_orig", original)
        module.register_buffer(name + "_mask", mask)
        method(module, ())
        module.register_forward_pre_hook(method)
        return method

    def remove(self, module: Module) -> None:
        """Make the pruned parameter an ordinary one, with its zeros."""
        name = self._tensor_name
        pruned = self.apply_mask(module)
        original = getattr(module, name + "_orig")
        original.data = pruned.detach()
        for each in (name, name + "_orig", name + "_mask"):
            delattr(module, each)
        module.register_parameter(name, original)


def method_on(module: Module, name: str) -> tuple[int, BasePruningMethod] | None:
    """Return the number of a parameter's pruning hook, and the method; None if it is not pruned."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            return number, hook
    return None


class PruningContainer(BasePruningMethod):
    """Several methods in sequence: each gets the elements that the previous ones left."""

    PRUNING_TYPE = "iterative"

    def __init__(self, first: BasePruningMethod) -> None:
        self.methods = [first]
        self._tensor_name = first._tensor_name

    def __len__(self) -> int:
        return len(self.methods)

    def __getitem__(self, index: int) -> BasePruningMethod:
        return self.methods[index]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        last, mask = self.methods[-1], default_mask.clone()
        where: Any = slice(None)
        if last.PRUNING_TYPE == "unstructured":
            where = default_mask == 1
        elif last.PRUNING_TYPE == "structured":
            dim = last.dim % t.dim()  # type: ignore[attr-defined]
            others = [each for each in range(t.dim()) if each != dim]
            where = (slice(None),) * dim + (default_mask.sum(others) != 0,)
        mask[where] = last.compute_mask(t[where], default_mask=mask[where]).to(mask.dtype)
        return mask


class Identity(BasePruningMethod):
    """Prune nothing."""

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask


class Counted(BasePruningMethod):
    """The base of methods that prune a number of elements or slices, or a fraction of them."""

    def __init__(self, amount: float) -> None:
        if not isinstance(amount, (int, float)):
            raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
        if amount < 0 or (isinstance(amount, float) and amount > 1.0):
            wanted = "should either be a float in the range [0, 1] or a non-negative integer"
            raise ValueError(f"amount={amount} {wanted}")
        self.amount = amount

    def count(self, total: int) -> int:
        """Return how many of `total` are pruned."""
        if isinstance(self.amount, float):
            return round(self.amount * total)
        if self.amount > total:
            wanted = "should be smaller than the number of parameters to prune"
            raise ValueError(f"amount={self.amount} {wanted}={total}")
        return self.amount


class Unstructured(Counted):
    """Prune single elements, those with the lowest scores."""

    def score(self, t: Tensor) -> Tensor:
        """Return the importance of each element."""
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        count, mask = self.count(t.numel()), default_mask.clone()
        if count:
            mask.view(-1)[topk(self.score(t).view(-1), count, largest=False).indices] = 0
        return mask


class L1Unstructured(Unstructured):
    """Prune the elements nearest to zero."""

    def score(self, t: Tensor) -> Tensor:
        return t.abs()


class RandomUnstructured(Unstructured):
    """Prune randomly drawn elements."""

    def score(self, t: Tensor) -> Tensor:
        return cast(Tensor, -rand_like(t))  # PyTorch removes the largest


class Structured(Counted):
    """Prune whole slices along `dim`."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def keeps(self, t: Tensor, size: int, count: int) -> Any:
        """Return which slices stay."""
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        if t.dim() <= 1:
            wanted = "Structured pruning can only be applied to multidimensional tensors."
            raise ValueError(f"{wanted} Found tensor of shape {t.shape} with {t.dim()} dims")
        dim, size = self.dim % t.dim(), t.shape[self.dim]
        count = self.count(size)
        if not count:
            return default_mask
        mask = zeros_like(t)
        mask[(slice(None),) * dim + (self.keeps(t, size, count),)] = 1
        return cast(Tensor, mask * default_mask.to(mask.dtype))


class RandomStructured(Structured):
    """Prune randomly drawn slices."""

    def keeps(self, t: Tensor, size: int, count: int) -> Any:
        draws = rand(size)
        return draws > draws.sort()[0][count - 1]


class LnStructured(Structured):
    """Prune the slices with the smallest norms."""

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        """`n`: the order of the norm."""
        super().__init__(amount, dim)
        self.n = n

    def keeps(self, t: Tensor, size: int, count: int) -> Any:
        others = [each for each in range(t.dim()) if each != self.dim % t.dim()]
        return topk(vector_norm(t, self.n, others), size - count).indices


class CustomFromMask(BasePruningMethod):
    """Prune the elements where a mask is 0."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask * self.mask.to(default_mask.dtype)


def identity(module: M, name: str) -> M:
    """Mark a parameter as pruned, and keep all its elements."""
    Identity.apply(module, name)
    return module


def l1_unstructured(module: M, name: str, amount: float, importance_scores: Any = None) -> M:
    """Set the elements nearest to zero to zero: `amount` of them, or that fraction."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_unstructured(module: M, name: str, amount: float) -> M:
    """Set randomly drawn elements to zero."""
    RandomUnstructured.apply(module, name, amount=amount)
    return module


def ln_structured(
    module: M, name: str, amount: float, n: Any, dim: int, importance_scores: Any = None
) -> M:
    """Set the slices along `dim` with the smallest n-norms to zero."""
    options = {"amount": amount, "n": n, "dim": dim}
    LnStructured.apply(module, name, importance_scores=importance_scores, **options)
    return module


def random_structured(module: M, name: str, amount: float, dim: int) -> M:
    """Set randomly drawn slices along `dim` to zero."""
    RandomStructured.apply(module, name, amount=amount, dim=dim)
    return module


def custom_from_mask(module: M, name: str, mask: Tensor) -> M:
    """Set the elements where the mask is zero to zero."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Module, str]],
    pruning_method: type[BasePruningMethod],
    importance_scores: dict[tuple[Module, str], Tensor] | None = None,
    **kwargs: Any,
) -> None:
    """Prune several parameters as if they were one."""
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    listed, scores = list(parameters), importance_scores or {}
    values = [scores.get(each, getattr(*each)) for each in listed]
    masks = [getattr(m, f"{name}_mask", ones_like(getattr(m, name))) for m, name in listed]
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        wrong = 'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method'
        raise TypeError(f"{wrong} {pruning_method} of type {method.PRUNING_TYPE}")
    method._tensor_name = "temp"
    container = PruningContainer(method)
    vector = parameters_to_vector(values)
    final = container.compute_mask(vector, parameters_to_vector(masks))
    start = 0
    for module, name in listed:
        parameter = getattr(module, name)
        end = start + parameter.numel()
        custom_from_mask(module, name, final[start:end].view_as(parameter))
        start = end


def remove(module: M, name: str) -> M:
    """Make a pruned parameter an ordinary one, with its zeros."""
    found = method_on(module, name)
    if found is None:
        wanted = "has to be pruned before pruning can be removed"
        raise ValueError(f"Parameter '{name}' of module {module} {wanted}")
    number, method = found
    method.remove(module)
    del module._forward_pre_hooks[number]
    return module


def is_pruned(module: Module) -> bool:
    """Return whether a parameter of the module, or of one below it, is pruned."""
    return any(
        isinstance(hook, BasePruningMethod)
        for each in module.modules()
        for hook in each._forward_pre_hooks.values()
    )


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)

"""EmbeddingBag: a table whose rows are reduced to one row for each bag."""

from __future__ import annotations

from typing import Any, Unpack

from ..core.modes import no_grad
from ..tensors.tensor import Tensor
from . import functional as F
from . import init
from .layers import Place, check_place, weight
from .module import Module
from .parameter import Parameter


class EmbeddingBag(Module):
    """The sum, mean or maximum of the rows of `weight` in each bag; see `embedding_bag`."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Any = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        **place: Unpack[Place],
    ) -> None:
        super().__init__()
        check_place("EmbeddingBag", place)
        self.scale_grad_by_freq = scale_grad_by_freq
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.max_norm, self.norm_type, self.mode = max_norm, norm_type, mode
        self.include_last_offset = include_last_offset
        self.sparse = sparse
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        if _weight is None:
            self.weight = weight((num_embeddings, embedding_dim), **place)
            self.reset_parameters()
        else:
            self.weight = Parameter(_weight)

    def reset_parameters(self) -> None:
        """Draw the rows again; that of `padding_idx` is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, **options: Any
    ) -> EmbeddingBag:
        """Make a layer with the given rows, [num_embeddings, embedding_dim]."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        made = cls(rows, columns, _weight=embeddings, **options)
        made.weight.requires_grad = not freeze
        return made

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        usual = {"max_norm": None, "norm_type": 2}
        shown = [name for name, value in usual.items() if getattr(self, name) != value]
        shown += ["scale_grad_by_freq"] * (self.scale_grad_by_freq is not False)
        shown += ["mode", *["padding_idx"] * (self.padding_idx is not None)]
        options = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{self.num_embeddings}, {self.embedding_dim}, {options}"

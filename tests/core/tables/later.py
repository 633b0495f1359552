"""Cases of the tables that PyTorch has and minigrad has not, by name.

A test makes sure that each of them is refused with an AttributeError or TypeError: whoever adds the
operation takes its name out of here, and all other tests of the tables start to count for it.
"""

from __future__ import annotations

NOT_YET: frozenset[str] = frozenset(
    {
        # elementwise
        # reductions
        "F.normalize",
        # matrix
        "linalg.inv",
        "linalg.det",
        "linalg.solve",
        "linalg.norm",
        "linalg.norm dim",
        "einsum ij,jk->ik",
        "einsum i,i->",
        "einsum bij,bjk->bik",
        "einsum ii->",
        "einsum ij->ji",
        "einsum ij->i",
        "einsum i,j->ij",
        "einsum ij,j->i",
        # shaping
        "a.unflatten",
        "a.squeeze((0, 2))",
        "torch.broadcast_to",
        "a.narrow",
        "a.split(2)",
        "a.split([1, 2], 1)",
        "a.chunk(2, 1)",
        "a.unbind()",
        "a.unbind(1)",
        "a.diagonal()",
        "a.as_strided",
        "torch.cat",
        "torch.cat dim=1",
        "torch.cat, the same one twice",
        "torch.stack",
        "torch.stack dim=-1",
        "a.repeat",
        "a.tile",
        "a.flip(0)",
        "a.roll(1)",
        "a.roll(1, 1)",
        "a.tril()",
        "a.triu(1)",
        # indexing
        "torch.gather",
        "a.gather",
        "a.index_select",
        "a.masked_select",
        "a.masked_fill",
        "a.masked_fill, a tensor",
        "a.scatter",
        "a.scatter_add",
        "a.index_add",
        "F.one_hot",
        "a.index_put",
        "torch.take_along_dim",
        "F.embedding padding_idx",
        "F.embedding",
        # losses
        "cross_entropy label_smoothing mean",
        "cross_entropy label_smoothing sum",
        "cross_entropy label_smoothing none",
        # neural
        "F.max_pool1d",
        "F.max_pool2d with indices",
        "F.avg_pool2d padding",
    }
)

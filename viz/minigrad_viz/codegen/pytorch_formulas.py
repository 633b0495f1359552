"""Backward formulas of PyTorch's most common nodes, as PyTorch code.

PyTorch's own formulas are C++ and have no Python text. A node has several texts where the first may
not be the same to the bit. pytorch_pass.py tries each on the gradients of the pass, and calls the
node if none gives the same.

In a text, g is the gradient (g0, g1, ... of several results), NAME is the node's `_saved_NAME`, and
a semicolon separates the gradients of the inputs.
"""

from __future__ import annotations

FORMULAS: dict[str, tuple[str, ...]] = {
    # Arithmetic.
    "AddBackward0": ("g; g", "g; g * alpha"),
    "SubBackward0": ("g; -g", "g; -g * alpha"),
    "RsubBackward1": ("-g", "-g * alpha"),
    "MulBackward0": ("g * other; g * self",),
    "DivBackward0": ("g / other; -g * ((self / other) / other)",),
    "NegBackward0": ("-g",),
    "PowBackward0": (
        "g * (self * exponent)",
        "g * (exponent * self)",
        "g * (self ** (exponent - 1) * exponent)",
        "g * (exponent * self ** (exponent - 1))",
    ),
    "SqrtBackward0": ("g / (2 * result)",),
    "RsqrtBackward0": ("-0.5 * g * result ** 3",),
    "ReciprocalBackward0": ("-g * (result * result)",),
    "AbsBackward0": ("g * self.sgn()",),
    # Functions of each element.
    "ExpBackward0": ("g * result",),
    "LogBackward0": ("g / self",),
    "SinBackward0": ("g * self.cos()",),
    "CosBackward0": ("g * -self.sin()",),
    "TanhBackward0": ("g * (1 - result * result)", "torch.ops.aten.tanh_backward(g, result)"),
    "SigmoidBackward0": (
        "g * (1 - result) * result",
        "g * ((1 - result) * result)",
        "torch.ops.aten.sigmoid_backward(g, result)",
    ),
    "ReluBackward0": (
        "g * (result > 0)",
        "torch.where(result > 0, g, 0)",
        "torch.ops.aten.threshold_backward(g, result, 0)",
    ),
    "GeluBackward0": ("torch.ops.aten.gelu_backward(g, self, approximate=approximate)",),
    "SiluBackward0": ("torch.ops.aten.silu_backward(g, self)",),
    "WhereBackward0": ("torch.where(condition, g, 0); torch.where(condition, 0, g)",),
    "ClampBackward1": ("g * ((self >= min) & (self <= max))",),
    "MaskedFillBackward0": ("g.masked_fill(mask, 0)",),
    # Products.
    "MmBackward0": ("g.mm(mat2.T); self.T.mm(g)", "g.mm(mat2.T); g.T.mm(self).T"),
    "AddmmBackward0": (
        "g; g.mm(mat2.T); mat1.T.mm(g)",
        "g; g.mm(mat2.T); g.T.mm(mat1).T",
    ),
    "BmmBackward0": ("g.bmm(mat2.transpose(1, 2)); self.transpose(1, 2).bmm(g)",),
    "MvBackward0": ("g.outer(vec); self.T.mv(g)",),
    "DotBackward0": ("g * tensor; g * self",),
    # Sums.
    "SumBackward0": ("g.expand(SHAPE)",),
    "SumBackward1": ("g.expand(SHAPE)", "g.unsqueeze(DIM).expand(SHAPE)"),
    "MeanBackward0": ("g.expand(SHAPE) / NUMEL",),
    "MeanBackward1": (
        "g.expand(SHAPE) / (NUMEL // g.numel())",
        "g.unsqueeze(DIM).expand(SHAPE) / (NUMEL // g.numel())",
    ),
    # Shapes.
    "TBackward0": ("g.T",),
    "TransposeBackward0": ("g.transpose(dim0, dim1)",),
    "ViewBackward0": ("g.reshape(SHAPE)",),
    "ReshapeAliasBackward0": ("g.reshape(SHAPE)",),
    "UnsafeViewBackward0": ("g.reshape(SHAPE)",),
    "UnsqueezeBackward0": ("g.reshape(SHAPE)",),
    "SqueezeBackward0": ("g.reshape(SHAPE)",),
    "SqueezeBackward1": ("g.reshape(SHAPE)",),
    "ExpandBackward0": ("g",),
    "CloneBackward0": ("g",),
    "AliasBackward0": ("g",),
    # Losses.
    "LogSoftmaxBackward0": (
        "g - result.exp() * g.sum(dim, keepdim=True)",
        "torch.ops.aten._log_softmax_backward_data(g, result, dim, result.dtype)",
    ),
    "SoftmaxBackward0": (
        "result * (g - (g * result).sum(dim, keepdim=True))",
        "torch.ops.aten._softmax_backward_data(g, result, dim, result.dtype)",
    ),
    "NllLossBackward0": (
        "torch.ops.aten.nll_loss_backward("
        "g, self, target, weight, reduction, ignore_index, total_weight)",
    ),
    "MseLossBackward0": ("torch.ops.aten.mse_loss_backward(g, self, target, reduction)",),
}
"""By the name of the node. SHAPE, NUMEL and DIM are those of the first input, and the dimension of
the operation."""

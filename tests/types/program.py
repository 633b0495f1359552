"""A user's program, with the types that its writer expects: what an editor shows, and marks.

Behind each `reveal_type` stands the type, and behind each mistake the word "error". A line without
a comment must be without fault. `test_user_program.py` asks mypy and pyright, and runs every
function without arguments but `mistakes`.
"""

from __future__ import annotations

from typing import Any, reveal_type

import minigrad_viz as viz

import minigrad as mg
import minigrad.nn.functional as F
from minigrad import Tensor, autograd, nn, optim
from minigrad.nn import Linear
from minigrad.optim import lr_scheduler
from minigrad.utils.data import (
    ConcatDataset,
    DataLoader,
    Dataset,
    Subset,
    TensorDataset,
    WeightedRandomSampler,
    random_split,
)


def creation() -> None:
    reveal_type(mg.tensor([1.0, 2.0]))  # Tensor
    reveal_type(mg.tensor([[1, 2], [3, 4]], dtype=mg.float64, requires_grad=True))  # Tensor
    reveal_type(mg.zeros(2, 3))  # Tensor
    reveal_type(mg.ones((2, 3), requires_grad=True))  # Tensor
    reveal_type(mg.full((2,), 7.0))  # Tensor
    reveal_type(mg.arange(10))  # Tensor
    reveal_type(mg.linspace(0, 1, 5))  # Tensor
    reveal_type(mg.eye(3))  # Tensor
    reveal_type(mg.rand(2, 3))  # Tensor
    reveal_type(mg.randn(2, 3, generator=mg.Generator().manual_seed(0)))  # Tensor
    reveal_type(mg.randint(0, 10, (3,)))  # Tensor
    reveal_type(mg.randperm(4))  # Tensor
    reveal_type(mg.zeros_like(mg.ones(2)))  # Tensor
    reveal_type(mg.zeros(2, out=mg.empty(2)))  # Tensor
    reveal_type(mg.manual_seed(0))  # Generator
    reveal_type(mg.float32)  # dtype
    reveal_type(mg.device("cpu"))  # device


def arithmetic() -> None:
    x, w = mg.ones(3, 3), mg.ones(3, 3)
    reveal_type(x + 1)  # Tensor
    reveal_type(mg.add(x, 1, out=w))  # Tensor
    reveal_type(2 * x - w / 3)  # Tensor
    reveal_type(1 - x)  # Tensor
    reveal_type(1 / x)  # Tensor
    reveal_type(x**2)  # Tensor
    reveal_type(2**x)  # Tensor
    reveal_type(x @ w)  # Tensor
    reveal_type(-x)  # Tensor
    reveal_type(abs(x))  # Tensor
    reveal_type(x // 2)  # Tensor
    reveal_type(x % 2)  # Tensor
    reveal_type(x > 0)  # Tensor
    reveal_type(x == 1)  # Tensor
    reveal_type(x != w)  # Tensor
    reveal_type((x > 0) & ~(w > 1))  # Tensor
    reveal_type(x[0])  # Tensor
    reveal_type(x[:, 1:])  # Tensor
    reveal_type(x[x > 0])  # Tensor
    x[0] = 1.0
    x[1] = w[1]
    x += 1
    reveal_type(x)  # Tensor
    reveal_type(x.exp().add_(1).relu_())  # Tensor
    reveal_type(x.view(9).reshape(-1, 3).unsqueeze(0).transpose(0, 1).permute(2, 0, 1))  # Tensor
    reveal_type(x.detach().float().to(mg.float64).to("cpu"))  # Tensor
    for row in x:
        reveal_type(row)  # Tensor


def operations() -> None:
    x, y = mg.rand(3, 3), mg.rand(3, 3)
    reveal_type(mg.exp(x))  # Tensor
    reveal_type(mg.add(x, y, alpha=2))  # Tensor
    reveal_type(mg.matmul(x, y))  # Tensor
    reveal_type(mg.sum(x, dim=0, keepdim=True))  # Tensor
    reveal_type(x.sum())  # Tensor
    reveal_type(x.mean(dim=(0, 1)))  # Tensor
    reveal_type(x.var(dim=0))  # Tensor
    reveal_type(mg.std(x))  # Tensor
    reveal_type(mg.var_mean(x))  # tuple[Tensor, Tensor]
    reveal_type(x.argmax(dim=1))  # Tensor
    reveal_type(x.max())  # Tensor
    reveal_type(x.max(dim=0))  # max[Tensor]
    reveal_type(x.max(dim=0).values)  # Tensor
    reveal_type(x.max(0).indices)  # Tensor
    reveal_type(mg.max(x, y))  # Tensor
    reveal_type(mg.min(x, 0))  # min[Tensor]
    reveal_type(mg.min(x))  # Tensor
    reveal_type(x.median())  # Tensor
    reveal_type(x.median(dim=0))  # median[Tensor]
    reveal_type(x.sort())  # sort[Tensor]
    reveal_type(x.sort().values)  # Tensor
    reveal_type(mg.topk(x, 2))  # topk[Tensor]
    reveal_type(x.topk(2).indices)  # Tensor
    largest, places = x.max(dim=1)
    reveal_type(largest)  # Tensor
    reveal_type(places)  # Tensor
    reveal_type(mg.cat([x, y]))  # Tensor
    reveal_type(mg.stack((x, y), dim=1))  # Tensor
    reveal_type(x.split(1))  # tuple[Tensor, ...]
    reveal_type(mg.chunk(x, 2)[0])  # Tensor
    reveal_type(x.unbind())  # tuple[Tensor, ...]
    reveal_type(mg.meshgrid(x[0], y[0], indexing="ij"))  # tuple[Tensor, ...]
    reveal_type(mg.broadcast_tensors(x, y[0]))  # tuple[Tensor, ...]
    reveal_type(mg.where(x > 0, x, y))  # Tensor
    reveal_type(mg.where(x > 0))  # tuple[Tensor, ...]
    reveal_type(x.nonzero())  # Tensor
    reveal_type(x.nonzero(as_tuple=True))  # tuple[Tensor, ...]
    reveal_type(mg.einsum("ij,jk->ik", x, y))  # Tensor
    reveal_type(mg.clamp(x, min=0.1, max=0.9))  # Tensor
    reveal_type(mg.softmax(x, dim=0))  # Tensor
    reveal_type(x.gather(1, mg.zeros(3, 1, dtype=mg.int64)))  # Tensor
    reveal_type(mg.flip(x, (0,)))  # Tensor
    reveal_type(x.norm())  # Tensor
    reveal_type(mg.linalg.solve(x + mg.eye(3), y))  # Tensor
    reveal_type(mg.linalg.solve_triangular(x, y, upper=True))  # Tensor
    reveal_type(mg.cholesky_solve(y, x))  # Tensor
    reveal_type(mg.slogdet(x).logabsdet)  # Tensor
    reveal_type(mg.logdet(x))  # Tensor
    reveal_type(mg.matrix_exp(x))  # Tensor
    reveal_type(mg.matrix_power(x, 2))  # Tensor
    reveal_type(mg.kron(x, y))  # Tensor
    reveal_type(mg.addmv(x[0], x, x[1]))  # Tensor
    reveal_type(mg.addr(x, x[0], x[1]))  # Tensor
    reveal_type(mg.ger(x[0], x[1]))  # Tensor
    reveal_type(mg.float_power(x, 2))  # Tensor
    reveal_type(mg.chain_matmul(x, x))  # Tensor
    reveal_type(mg.linalg.lstsq(x, y).solution)  # Tensor
    reveal_type(mg.linalg.slogdet(x).sign)  # Tensor
    reveal_type(mg.linalg.multi_dot([x, y]))  # Tensor
    reveal_type(mg.linalg.vander(x))  # Tensor
    reveal_type(mg.linalg.vecdot(x, y))  # Tensor
    reveal_type(mg.linalg.diagonal(x))  # Tensor
    reveal_type(mg.linalg.matrix_exp(x))  # Tensor
    reveal_type(mg.linalg.matrix_power(x, 2))  # Tensor
    reveal_type(mg.cov(x, correction=0))  # Tensor
    reveal_type(mg.corrcoef(x))  # Tensor
    reveal_type(mg.positive(x))  # Tensor
    reveal_type(mg.histogram(x, 3).hist)  # Tensor
    reveal_type(mg.renorm(x, 2, 0, 1.0))  # Tensor
    reveal_type(mg.poisson(x))  # Tensor
    reveal_type(mg.tril_indices(2, 3))  # Tensor
    reveal_type(mg.block_diag(x, y))  # Tensor
    reveal_type(mg.linalg.vector_norm(x))  # Tensor
    reveal_type(mg.linalg.pinv(x, hermitian=False))  # Tensor
    reveal_type(mg.linalg.matrix_rank(x, 0.1))  # Tensor
    reveal_type(mg.linalg.cond(x, "nuc" if x.numel() == 4 else None))  # Tensor
    reveal_type(mg.allclose(x, y))  # bool
    reveal_type(mg.equal(x, y))  # bool


def what_a_tensor_has() -> None:
    x = mg.ones(2, 3, requires_grad=True)
    y = (x * 2).sum()
    reveal_type(x.grad)  # Tensor | None
    reveal_type(y.grad_fn)  # Node | None
    reveal_type(x.requires_grad)  # bool
    reveal_type(x.is_leaf)  # bool
    reveal_type(x.shape)  # Size
    reveal_type(x.shape[0])  # int
    reveal_type(x.size())  # Size
    reveal_type(x.size(0))  # int
    reveal_type(x.stride())  # tuple[int, ...]
    reveal_type(x.dim())  # int
    reveal_type(x.numel())  # int
    reveal_type(len(x))  # int
    reveal_type(x.ndim)  # int
    reveal_type(x.dtype)  # dtype
    reveal_type(x.device)  # device
    reveal_type(x.T)  # Tensor
    reveal_type(x.data)  # Tensor
    reveal_type(y.item())  # float
    reveal_type(float(y.detach()))  # float
    reveal_type(x.requires_grad_())  # Tensor
    reveal_type(x.register_hook(lambda g: g * 2))  # RemovableHandle
    y.backward()
    if x.grad is not None:
        reveal_type(x.grad * 1)  # Tensor


class Square(autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        x: Tensor = ctx.saved_tensors[0]
        return 2.0 * x * g


@mg.no_grad()
def evaluate(x: Tensor) -> Tensor:
    return x * 2


def differentiation() -> None:
    x = mg.ones(2, requires_grad=True)
    y = (x**2).sum()
    reveal_type(autograd.grad(y, x, create_graph=True))  # tuple[Tensor, ...]
    reveal_type(autograd.grad(y, [x], retain_graph=True)[0])  # Tensor
    y.backward(retain_graph=True)
    autograd.backward([y])
    reveal_type(Square.apply(x))  # Tensor
    reveal_type(evaluate(x))  # Tensor
    with mg.no_grad(), autograd.set_grad_enabled(False), autograd.inference_mode():
        reveal_type(x * 2)  # Tensor
    with autograd.enable_grad(), autograd.detect_anomaly():
        reveal_type(x * 3)  # Tensor
    with autograd.record() as trace, autograd.track_lines():
        (x * 2).sum().backward()
    reveal_type(trace)  # Trace
    autograd.set_detect_anomaly(False)
    z = mg.ones(2, dtype=mg.float64, requires_grad=True)
    reveal_type(autograd.gradcheck(mg.exp, (z,)))  # bool
    reveal_type(autograd.gradgradcheck(mg.exp, (z,)))  # bool
    reveal_type(autograd.functional.jacobian(mg.exp, x))  # Tensor
    reveal_type(autograd.functional.hessian(lambda v: v.exp().sum(), x))  # Tensor
    reveal_type(autograd.functional.vjp(mg.exp, x, mg.ones(2)))  # tuple[Tensor, Tensor]
    reveal_type(autograd.graph.get_gradient_edge(x))  # GradientEdge


class Network(nn.Module):
    """As users write it: layers as attributes, and `forward`."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.first = nn.Linear(3, hidden)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(hidden, 2))
        self.scale = nn.Parameter(mg.ones(1))
        self.register_buffer("steps", mg.zeros(1))

    def forward(self, x: Tensor) -> Tensor:
        reveal_type(self.rest(self.first(x)) * self.scale)  # Tensor
        return self.rest(self.first(x)) * self.scale


def modules() -> None:
    x, model = mg.ones(4, 3), Network(5)
    reveal_type(Linear(3, 4)(x))  # Tensor
    reveal_type(Linear(3, 4, bias=False).weight)  # Parameter
    reveal_type(model(x))  # Tensor
    reveal_type(model.first)  # Linear
    reveal_type(model.rest(model.first(x)))  # Tensor
    reveal_type(model.scale)  # Parameter
    reveal_type(model.train())  # Network
    reveal_type(model.eval())  # Network
    reveal_type(model.to(mg.float32))  # Network
    reveal_type(model.rest[0])  # Module
    reveal_type(nn.ModuleList([nn.Linear(3, 3)])[0])  # Module
    reveal_type(model.training)  # bool
    reveal_type(model.state_dict()["scale"])  # Tensor
    for parameter in model.parameters():
        reveal_type(parameter)  # Parameter
    for name, named in model.named_parameters():
        reveal_type(name)  # str
        reveal_type(named)  # Parameter
    for child in model.children():
        reveal_type(child)  # Module
    nn.init.xavier_uniform_(model.first.weight)
    reveal_type(nn.init.zeros_(model.first.weight))  # Tensor
    reveal_type(nn.utils.clip_grad_norm_(model.parameters(), 1.0))  # Tensor
    reveal_type(nn.utils.parameters_to_vector(model.parameters()))  # Tensor


def layers() -> None:
    x, picture, sound = mg.ones(4, 6), mg.ones(1, 3, 8, 8), mg.ones(1, 3, 8)
    reveal_type(nn.ELU()(x))  # Tensor
    reveal_type(nn.CELU()(x))  # Tensor
    reveal_type(nn.GLU()(x))  # Tensor
    reveal_type(nn.SELU()(x))  # Tensor
    reveal_type(nn.Hardshrink()(x))  # Tensor
    reveal_type(nn.Hardsigmoid()(x))  # Tensor
    reveal_type(nn.Hardswish()(x))  # Tensor
    reveal_type(nn.Mish()(x))  # Tensor
    reveal_type(nn.PReLU()(x))  # Tensor
    reveal_type(nn.RReLU()(x))  # Tensor
    reveal_type(nn.Softshrink()(x))  # Tensor
    reveal_type(nn.Softsign()(x))  # Tensor
    reveal_type(nn.Tanhshrink()(x))  # Tensor
    reveal_type(nn.Softmax2d()(picture))  # Tensor
    reveal_type(nn.Threshold(0.1, 20.0)(x))  # Tensor
    reveal_type(nn.Buffer(mg.ones(2)).persistent)  # bool
    reveal_type(nn.GELU()(x))  # Tensor
    reveal_type(nn.LeakyReLU(0.1)(x))  # Tensor
    reveal_type(nn.LogSigmoid()(x))  # Tensor
    reveal_type(nn.LogSoftmax(dim=1)(x))  # Tensor
    reveal_type(nn.ReLU()(x))  # Tensor
    reveal_type(nn.SiLU()(x))  # Tensor
    reveal_type(nn.Sigmoid()(x))  # Tensor
    reveal_type(nn.Softmax(dim=1)(x))  # Tensor
    reveal_type(nn.Softmin(dim=1)(x))  # Tensor
    reveal_type(nn.Softplus()(x))  # Tensor
    reveal_type(nn.Tanh()(x))  # Tensor
    volume = mg.rand(2, 3, 2, 2, 2)
    zeros = sound.long() * 0
    reveal_type(nn.AdaptiveAvgPool1d(1)(sound))  # Tensor
    reveal_type(nn.AdaptiveAvgPool3d(1)(volume))  # Tensor
    reveal_type(nn.AdaptiveMaxPool1d(1)(sound))  # Tensor
    reveal_type(nn.AdaptiveMaxPool2d(1)(picture))  # Tensor
    reveal_type(nn.AdaptiveMaxPool3d(1)(volume))  # Tensor
    reveal_type(nn.AvgPool1d(2)(sound))  # Tensor
    reveal_type(nn.AvgPool3d(2)(volume))  # Tensor
    reveal_type(nn.BatchNorm3d(3)(volume))  # Tensor
    reveal_type(nn.Conv3d(3, 2, 2)(volume))  # Tensor
    reveal_type(nn.ConvTranspose3d(3, 2, 2)(volume))  # Tensor
    reveal_type(nn.InstanceNorm3d(3)(volume))  # Tensor
    reveal_type(nn.LazyBatchNorm3d()(volume))  # Tensor
    reveal_type(nn.LazyConv3d(2, kernel_size=2)(volume))  # Tensor
    reveal_type(nn.LazyConvTranspose3d(2, kernel_size=2)(volume))  # Tensor
    reveal_type(nn.LazyInstanceNorm3d()(volume))  # Tensor
    reveal_type(nn.MaxPool3d(2)(volume))  # Tensor
    reveal_type(nn.MaxUnpool1d(1)(sound, zeros))  # Tensor
    reveal_type(nn.MaxUnpool2d(1)(sound, zeros))  # Tensor
    reveal_type(nn.MaxUnpool3d(1)(picture, picture.long() * 0))  # Tensor
    reveal_type(nn.AdaptiveAvgPool2d(1)(picture))  # Tensor
    reveal_type(nn.AvgPool2d(2)(picture))  # Tensor
    reveal_type(nn.MaxPool1d(2)(sound))  # Tensor
    reveal_type(nn.MaxPool2d(2, stride=2)(picture))  # Tensor
    reveal_type(nn.CircularPad1d(1)(sound))  # Tensor
    reveal_type(nn.CircularPad2d(1)(picture))  # Tensor
    reveal_type(nn.ConstantPad1d(1, 2.0)(sound))  # Tensor
    reveal_type(nn.ConstantPad2d(1, 2.0)(picture))  # Tensor
    reveal_type(nn.ReflectionPad1d(1)(sound))  # Tensor
    reveal_type(nn.ReflectionPad2d(1)(picture))  # Tensor
    reveal_type(nn.ReplicationPad1d(1)(sound))  # Tensor
    reveal_type(nn.ReplicationPad2d(1)(picture))  # Tensor
    reveal_type(nn.ZeroPad1d(1)(sound))  # Tensor
    reveal_type(nn.ZeroPad2d(1)(picture))  # Tensor
    volume = mg.ones(1, 2, 2, 2)
    reveal_type(nn.CircularPad3d(1)(volume))  # Tensor
    reveal_type(nn.ConstantPad3d(1, 0.5)(volume))  # Tensor
    reveal_type(nn.ReflectionPad3d(1)(volume))  # Tensor
    reveal_type(nn.ReplicationPad3d(1)(volume))  # Tensor
    reveal_type(nn.ZeroPad3d(1)(volume))  # Tensor
    reveal_type(nn.BatchNorm1d(6)(x))  # Tensor
    reveal_type(nn.BatchNorm2d(3)(picture))  # Tensor
    reveal_type(nn.LayerNorm(6)(x))  # Tensor
    reveal_type(nn.RMSNorm(6)(x))  # Tensor
    reveal_type(nn.LocalResponseNorm(2)(mg.ones(1, 2, 3)))  # Tensor
    reveal_type(nn.PoissonNLLLoss()(x, x))  # Tensor
    reveal_type(nn.EmbeddingBag(10, 3)(mg.tensor([[1, 2]])))  # Tensor
    reveal_type(nn.Conv1d(3, 2, 3)(sound))  # Tensor
    reveal_type(nn.Conv2d(3, 2, kernel_size=3, padding="same")(picture))  # Tensor
    reveal_type(nn.Dropout(0.5)(x))  # Tensor
    reveal_type(nn.Dropout2d()(picture))  # Tensor
    reveal_type(nn.Embedding(10, 3)(mg.tensor([1, 2])))  # Tensor
    reveal_type(nn.Flatten()(picture))  # Tensor
    reveal_type(nn.Identity()(x))  # Tensor
    reveal_type(nn.Sequential(nn.Linear(6, 2), nn.Tanh())(x))  # Tensor
    reveal_type(nn.Hardtanh(-2, 2)(x))  # Tensor
    reveal_type(nn.ReLU6()(x))  # Tensor
    reveal_type(nn.CosineEmbeddingLoss()(x, x, mg.ones(len(x))))  # Tensor
    reveal_type(nn.CosineSimilarity()(x, x))  # Tensor
    reveal_type(nn.PairwiseDistance()(x, x))  # Tensor
    reveal_type(nn.HuberLoss()(x, x))  # Tensor
    reveal_type(nn.TripletMarginLoss()(x, x, x))  # Tensor
    reveal_type(nn.TripletMarginWithDistanceLoss()(x, x, x))  # Tensor
    reveal_type(nn.MarginRankingLoss()(x, x, x))  # Tensor
    reveal_type(nn.HingeEmbeddingLoss()(x, x))  # Tensor
    reveal_type(nn.MultiLabelSoftMarginLoss()(x, x))  # Tensor
    reveal_type(nn.MultiLabelMarginLoss()(x, mg.zeros_like(x).long()))  # Tensor
    reveal_type(nn.MultiMarginLoss()(x, mg.zeros(len(x), dtype=mg.int64)))  # Tensor
    reveal_type(nn.SoftMarginLoss()(x, x))  # Tensor
    reveal_type(nn.GaussianNLLLoss()(x, x, x * x))  # Tensor
    scores = mg.zeros(4, 1, 3).log_softmax(2)
    reveal_type(nn.CTCLoss()(scores, mg.tensor([[1, 2]]), [4], [2]))  # Tensor
    reveal_type(nn.Bilinear(6, 6, 2)(x, x))  # Tensor
    reveal_type(nn.parallel.DataParallel(nn.ReLU()).device_ids)  # list[Any]
    reveal_type(nn.Unfold(2)(picture))  # Tensor
    reveal_type(nn.Fold((2, 3), 2)(mg.ones(4, 2)))  # Tensor
    reveal_type(nn.PixelShuffle(1)(picture))  # Tensor
    reveal_type(nn.PixelUnshuffle(1)(picture))  # Tensor
    reveal_type(nn.ChannelShuffle(1)(picture))  # Tensor
    reveal_type(nn.Unflatten(1, (1, -1))(x))  # Tensor
    reveal_type(nn.Upsample(scale_factor=2)(picture))  # Tensor
    reveal_type(nn.UpsamplingNearest2d(scale_factor=2)(picture))  # Tensor
    reveal_type(nn.UpsamplingBilinear2d(scale_factor=2)(picture))  # Tensor
    reveal_type(nn.ConvTranspose1d(3, 2, 3)(sound))  # Tensor
    reveal_type(nn.ConvTranspose2d(3, 2, 3, stride=2)(picture, output_size=(17, 17)))  # Tensor
    reveal_type(nn.GroupNorm(3, 3)(picture))  # Tensor
    reveal_type(nn.InstanceNorm1d(3)(sound))  # Tensor
    reveal_type(nn.InstanceNorm2d(3)(picture))  # Tensor


def lazy_layers() -> None:
    x, picture, sound = mg.ones(4, 6), mg.ones(2, 3, 8, 8), mg.ones(2, 3, 8)
    reveal_type(nn.LazyLinear(3)(x))  # Tensor
    reveal_type(nn.LazyBatchNorm1d()(x))  # Tensor
    reveal_type(nn.LazyBatchNorm2d()(picture))  # Tensor
    reveal_type(nn.LazyConv1d(2, 3)(sound))  # Tensor
    reveal_type(nn.LazyConv2d(2, kernel_size=3)(picture))  # Tensor
    reveal_type(nn.LazyConvTranspose1d(2, 3)(sound))  # Tensor
    reveal_type(nn.LazyConvTranspose2d(2, 3)(picture))  # Tensor
    reveal_type(nn.LazyInstanceNorm1d()(sound))  # Tensor
    reveal_type(nn.LazyInstanceNorm2d()(picture))  # Tensor
    reveal_type(nn.LazyLinear(3).has_uninitialized_params())  # bool
    reveal_type(nn.UninitializedParameter())  # UninitializedParameter
    reveal_type(nn.UninitializedBuffer())  # UninitializedBuffer


def sequences() -> None:
    x = mg.ones(5, 2, 3)
    reveal_type(nn.RNN(3, 4)(x))  # tuple[Tensor, Tensor]
    reveal_type(nn.GRU(3, 4)(x, mg.zeros(1, 2, 4)))  # tuple[Tensor, Tensor]
    reveal_type(nn.LSTM(3, 4)(x))  # tuple[Tensor, tuple[Tensor, Tensor]]
    reveal_type(nn.RNNBase[Tensor]("GRU", 3, 4)(x))  # tuple[Tensor, Tensor]
    reveal_type(nn.RNNCell(3, 4)(x[0]))  # Tensor
    reveal_type(nn.GRUCell(3, 4)(x[0]))  # Tensor
    reveal_type(nn.LSTMCell(3, 4)(x[0]))  # tuple[Tensor, Tensor]
    reveal_type(isinstance(nn.GRUCell(3, 4), nn.RNNCellBase))  # bool
    packed = nn.utils.rnn.pack_padded_sequence(x, [5, 3])
    reveal_type(nn.GRU(3, 4)(packed)[0].data)  # Tensor
    reveal_type(nn.utils.rnn.pad_packed_sequence(packed))  # tuple[Tensor, Tensor]
    reveal_type(nn.utils.rnn.pad_sequence([x[0], x[1]]))  # Tensor
    q = mg.ones(3, 2, 4)
    reveal_type(nn.MultiheadAttention(4, 2)(q, q, q)[0])  # Tensor
    layer = nn.TransformerEncoderLayer(4, 2, 8)
    reveal_type(layer(mg.ones(3, 2, 4)))  # Tensor
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    reveal_type(encoder(mg.ones(3, 2, 4)))  # Tensor
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 2)
    reveal_type(decoder(q, q))  # Tensor
    reveal_type(nn.Transformer(4, 2, 1, 1, 8)(q, q))  # Tensor


def named() -> None:
    layers = nn.ModuleDict({"first": nn.Linear(2, 2)})
    reveal_type(layers["first"])  # Module
    reveal_type(list(layers.items()))  # list[tuple[str, Module]]
    parameters = nn.ParameterDict({"scale": mg.ones(2)})
    reveal_type(list(parameters))  # list[str]
    reveal_type(nn.utils.prune.is_pruned(nn.ReLU()))  # bool
    reveal_type(nn.utils.parametrize.is_parametrized(nn.ReLU()))  # bool
    reveal_type(nn.utils.prune.identity(nn.Linear(2, 2), "weight"))  # Linear
    reveal_type(len(nn.ParameterList([mg.ones(2)])))  # int
    reveal_type(bool(nn.parameter.is_lazy(mg.ones(2))))  # bool


def losses() -> None:
    x, y, p = mg.rand(4, 3), mg.rand(4, 3), mg.tensor([0, 1, 2, 0])
    reveal_type(nn.BCELoss()(x, y))  # Tensor
    reveal_type(nn.BCEWithLogitsLoss()(x, y))  # Tensor
    reveal_type(nn.CrossEntropyLoss(label_smoothing=0.1)(x, p))  # Tensor
    reveal_type(nn.KLDivLoss(reduction="batchmean")(x.log(), y))  # Tensor
    reveal_type(nn.L1Loss()(x, y))  # Tensor
    reveal_type(nn.MSELoss(reduction="sum")(x, y))  # Tensor
    reveal_type(nn.NLLLoss()(x, p))  # Tensor
    reveal_type(nn.SmoothL1Loss()(x, y))  # Tensor


def functions() -> None:
    x, y, p = mg.rand(4, 3), mg.rand(4, 3), mg.tensor([0, 1, 2, 0])
    picture, sound = mg.ones(1, 3, 8, 8), mg.ones(1, 3, 8)
    volume = mg.rand(2, 3, 2, 2, 2)
    zeros = sound.long() * 0
    reveal_type(F.adaptive_avg_pool1d(sound, 1))  # Tensor
    reveal_type(F.adaptive_avg_pool3d(volume, 1))  # Tensor
    reveal_type(F.adaptive_max_pool1d(sound, 1))  # Tensor
    reveal_type(F.adaptive_max_pool2d(picture, 1))  # Tensor
    reveal_type(F.adaptive_max_pool3d(volume, 1))  # Tensor
    reveal_type(F.avg_pool1d(sound, 2))  # Tensor
    reveal_type(F.avg_pool3d(volume, 2))  # Tensor
    reveal_type(F.conv3d(volume, mg.rand(2, 3, 1, 1, 1)))  # Tensor
    reveal_type(F.conv_transpose3d(volume, mg.rand(3, 2, 1, 1, 1)))  # Tensor
    reveal_type(F.max_pool3d(volume, 2))  # Tensor
    reveal_type(F.max_unpool1d(sound, zeros, 1))  # Tensor
    reveal_type(F.max_unpool2d(sound, zeros, 1))  # Tensor
    reveal_type(F.max_unpool3d(picture, picture.long() * 0, 1))  # Tensor
    reveal_type(F.adaptive_avg_pool2d(picture, 1))  # Tensor
    reveal_type(F.avg_pool2d(picture, 2))  # Tensor
    reveal_type(F.batch_norm(x, None, None, training=True))  # Tensor
    reveal_type(F.binary_cross_entropy(x, y))  # Tensor
    reveal_type(F.binary_cross_entropy_with_logits(x, y))  # Tensor
    reveal_type(F.conv_transpose1d(sound, mg.ones(3, 2, 3)))  # Tensor
    reveal_type(F.conv_transpose2d(picture, mg.ones(3, 2, 3, 3)))  # Tensor
    reveal_type(F.group_norm(picture, 3))  # Tensor
    reveal_type(F.hardtanh(x, -2, 2))  # Tensor
    reveal_type(F.instance_norm(picture))  # Tensor
    reveal_type(F.relu6(x))  # Tensor
    reveal_type(F.scaled_dot_product_attention(x, x, x, is_causal=True))  # Tensor
    reveal_type(F.conv1d(sound, mg.ones(2, 3, 3)))  # Tensor
    reveal_type(F.conv2d(picture, mg.ones(2, 3, 3, 3), stride=2))  # Tensor
    reveal_type(F.cross_entropy(x, p))  # Tensor
    reveal_type(F.dropout(x, 0.5, training=False))  # Tensor
    reveal_type(F.dropout2d(picture))  # Tensor
    reveal_type(F.elu(x))  # Tensor
    reveal_type(F.celu(x))  # Tensor
    reveal_type(F.celu_(x))  # Tensor
    reveal_type(F.elu_(x))  # Tensor
    reveal_type(F.glu(x, 0))  # Tensor
    reveal_type(F.hardshrink(x))  # Tensor
    reveal_type(F.hardsigmoid(x))  # Tensor
    reveal_type(F.hardswish(x))  # Tensor
    reveal_type(F.hardtanh_(x))  # Tensor
    reveal_type(F.leaky_relu_(x))  # Tensor
    reveal_type(F.mish(x))  # Tensor
    reveal_type(F.rrelu(x))  # Tensor
    reveal_type(F.selu(x))  # Tensor
    reveal_type(F.selu_(x))  # Tensor
    reveal_type(F.softshrink(x))  # Tensor
    reveal_type(F.softsign(x))  # Tensor
    reveal_type(F.tanhshrink(x))  # Tensor
    reveal_type(F.prelu(x, mg.ones(1)))  # Tensor
    reveal_type(F.threshold(x, 0.1, 20.0))  # Tensor
    reveal_type(F.threshold_(x, 0.1, 20.0))  # Tensor
    reveal_type(F.embedding(p, x))  # Tensor
    reveal_type(F.gelu(x))  # Tensor
    reveal_type(F.kl_div(x.log(), y, reduction="batchmean"))  # Tensor
    reveal_type(F.l1_loss(x, y))  # Tensor
    reveal_type(F.layer_norm(x, (3,)))  # Tensor
    reveal_type(F.leaky_relu(x))  # Tensor
    reveal_type(F.linear(x, y))  # Tensor
    reveal_type(F.log_softmax(x, dim=1))  # Tensor
    reveal_type(F.logsigmoid(x))  # Tensor
    reveal_type(F.max_pool1d(sound, 2))  # Tensor
    reveal_type(F.max_pool2d(picture, 2))  # Tensor
    reveal_type(F.max_pool2d(picture, 2, return_indices=True))  # tuple[Tensor, Tensor]
    reveal_type(F.mse_loss(x, y))  # Tensor
    reveal_type(F.nll_loss(x, p))  # Tensor
    reveal_type(F.normalize(x))  # Tensor
    reveal_type(F.one_hot(p, 3))  # Tensor
    reveal_type(F.pad(x, (1, 1)))  # Tensor
    reveal_type(F.relu(x))  # Tensor
    reveal_type(F.sigmoid(x))  # Tensor
    reveal_type(F.silu(x))  # Tensor
    reveal_type(F.smooth_l1_loss(x, y))  # Tensor
    reveal_type(F.huber_loss(x, y))  # Tensor
    reveal_type(F.cosine_embedding_loss(x, y, mg.ones(len(x))))  # Tensor
    reveal_type(F.cosine_similarity(x, y))  # Tensor
    reveal_type(F.pairwise_distance(x, y))  # Tensor
    reveal_type(F.triplet_margin_loss(x, y, x))  # Tensor
    reveal_type(F.triplet_margin_with_distance_loss(x, y, x))  # Tensor
    reveal_type(F.margin_ranking_loss(x, y, x))  # Tensor
    reveal_type(F.hinge_embedding_loss(x, y))  # Tensor
    reveal_type(F.poisson_nll_loss(x, y))  # Tensor
    reveal_type(F.multi_margin_loss(x, mg.zeros(len(x), dtype=mg.int64)))  # Tensor
    reveal_type(F.multilabel_margin_loss(x, mg.zeros_like(x).long()))  # Tensor
    reveal_type(F.multilabel_soft_margin_loss(x, y))  # Tensor
    reveal_type(F.embedding_bag(mg.tensor([[1, 0]]), x))  # Tensor
    reveal_type(F.local_response_norm(mg.ones(1, 2, 3), 2))  # Tensor
    reveal_type(F.rms_norm(x, (3,)))  # Tensor
    reveal_type(F.gumbel_softmax(x))  # Tensor
    reveal_type(F.soft_margin_loss(x, y))  # Tensor
    reveal_type(F.gaussian_nll_loss(x, y, x * x))  # Tensor
    reveal_type(F.ctc_loss(mg.zeros(4, 1, 3), mg.tensor([[1, 2]]), [4], [2]))  # Tensor
    reveal_type(F.affine_grid(mg.ones(1, 2, 3), (1, 1, 2, 2)))  # Tensor
    reveal_type(F.grid_sample(picture, mg.zeros(1, 2, 2, 2)))  # Tensor
    reveal_type(F.unfold(picture, 2))  # Tensor
    reveal_type(F.bilinear(x, y, mg.ones(2, 3, 3)))  # Tensor
    reveal_type(F.channel_shuffle(picture, 1))  # Tensor
    reveal_type(F.pdist(x))  # Tensor
    reveal_type(F.pixel_shuffle(picture, 1))  # Tensor
    reveal_type(F.pixel_unshuffle(picture, 1))  # Tensor
    reveal_type(F.fold(mg.ones(4, 2), (2, 3), 2))  # Tensor
    reveal_type(F.interpolate(mg.ones(1, 1, 4), scale_factor=2))  # Tensor
    reveal_type(F.softmax(x, dim=1))  # Tensor
    reveal_type(F.softmin(x, dim=1))  # Tensor
    reveal_type(F.softplus(x))  # Tensor
    reveal_type(F.tanh(x))  # Tensor


class Squares(Dataset[tuple[int, int]]):
    def __len__(self) -> int:
        return 10

    def __getitem__(self, index: int) -> tuple[int, int]:
        return index, index**2


def chances() -> None:
    normal = mg.distributions.Normal(mg.zeros(2), 1.0)
    reveal_type(normal.rsample((3,)))  # Tensor
    reveal_type(normal.log_prob(mg.ones(2)).sum())  # Tensor
    reveal_type(mg.distributions.Categorical(logits=mg.zeros(3)).sample())  # Tensor
    reveal_type(mg.distributions.kl_divergence(normal, normal))  # Tensor
    reveal_type(mg.LongTensor([1, 2]))  # Tensor
    variable: Tensor = mg.autograd.Variable(mg.ones(2))
    assert variable.numel() == 2
    reveal_type(mg.cdist(mg.ones(2, 2), mg.ones(3, 2)))  # Tensor
    reveal_type(mg.addcmul(mg.ones(2), mg.ones(2), mg.ones(2), value=2))  # Tensor
    reveal_type(mg.cuda.is_available())  # bool


def training() -> None:
    x, y = mg.rand(8, 3), mg.tensor([0, 1] * 4)
    data = TensorDataset(x, y)
    reveal_type(data[0])  # tuple[Tensor, ...]
    reveal_type(len(data))  # int
    train, test = random_split(data, [6, 2])
    reveal_type(len(Subset(data, [0, 1])) + len(test))  # int
    reveal_type(Squares()[3])  # tuple[int, int]
    reveal_type(ConcatDataset([test, train])[0])  # tuple[Tensor, ...]
    reveal_type(list(WeightedRandomSampler([0.1, 0.9], 3)))  # list[int]
    model, criterion = Network(5), nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    schedule = lr_scheduler.StepLR(optimizer, step_size=1)
    loader = DataLoader(train, batch_size=2, shuffle=True, pin_memory=False, num_workers=0)
    reveal_type(len(loader))  # int
    for inputs, labels in loader:
        reveal_type(inputs)  # Tensor
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        reveal_type(loss)  # Tensor
        loss.backward()
        optimizer.step()
    schedule.step()
    reveal_type(schedule.get_last_lr())  # list[float]
    reveal_type(optimizer.param_groups)  # list[dict[str, Any]]


def optimizers() -> None:
    p = nn.Parameter(mg.ones(2))
    reveal_type(optim.Adam([p], lr=0.1, betas=(0.9, 0.99)))  # Adam
    reveal_type(optim.AdamW([p], weight_decay=0.1))  # AdamW
    reveal_type(optim.Adadelta([p], rho=0.8))  # Adadelta
    reveal_type(optim.Adagrad([p], lr=0.1))  # Adagrad
    reveal_type(optim.Adamax([p], lr=0.1))  # Adamax
    reveal_type(optim.ASGD([p], lr=0.1))  # ASGD
    reveal_type(optim.LBFGS([p], history_size=5))  # LBFGS
    reveal_type(optim.NAdam([p], lr=0.1))  # NAdam
    reveal_type(optim.RAdam([p], lr=0.1))  # RAdam
    reveal_type(optim.Rprop([p], lr=0.1))  # Rprop
    reveal_type(optim.swa_utils.AveragedModel(nn.Linear(2, 1)))  # AveragedModel
    reveal_type(optim.RMSprop([p]))  # RMSprop
    reveal_type(optim.SGD([{"params": [p], "lr": 0.1}]))  # SGD
    optimizer: optim.Optimizer = optim.SGD([p], lr=0.1)
    reveal_type(optimizer.state_dict())  # dict[str, Any]
    reveal_type(lr_scheduler.CosineAnnealingLR(optimizer, 10))  # CosineAnnealingLR
    reveal_type(lr_scheduler.ExponentialLR(optimizer, gamma=0.9))  # ExponentialLR
    reveal_type(lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9**epoch))  # LambdaLR
    reveal_type(lr_scheduler.MultiStepLR(optimizer, [2, 4]))  # MultiStepLR


def pictures() -> None:
    x = mg.ones(2, requires_grad=True)
    y = (x * 2).sum()
    reveal_type(viz.draw(y))  # Drawing
    reveal_type(viz.draw(y, view="both", saved=False))  # Drawing
    reveal_type(viz.draw(y).text)  # str
    reveal_type(viz.draw(y).save("y.svg"))  # Path
    reveal_type(viz.explain(x))  # Explanation
    reveal_type(viz.step(y))  # Stepper
    pair = viz.compare(lambda T: T.ones(2, requires_grad=True).sum(), mg, mg)
    reveal_type(pair)  # Comparison
    reveal_type(pair.sentences)  # tuple[str, ...]
    viz.compare(lambda n: mg.ones(2, requires_grad=True).sum(), 1, 2, retain_graph=(True, False))
    reveal_type(viz.explore(lambda a: a * a, a=2.0))  # Exploration
    reveal_type(viz.derivatives(lambda a: a * a, -1, 1))  # Plot
    reveal_type(viz.loss_curve([3.0, 2.0, 1.0]))  # Plot
    reveal_type(viz.memory(lambda: (x * 2).exp()))  # Memory
    reveal_type(viz.program((x * 2).sum()))  # Program
    reveal_type(viz.forward_and_backward(lambda a: (a * a).sum(), x))  # ForwardAndBackward
    model = Network(5)
    model(mg.ones(4, 3)).sum().backward()
    reveal_type(viz.grad_flow(model))  # GradFlow
    with viz.plot_style():
        pass
    viz.set_language("en")
    with viz.watch():
        loss = model(mg.ones(4, 3)).sum()
    reveal_type(viz.diagnose(loss.detach))  # Diagnosis
    reveal_type(viz.diagnose())  # Observation
    examined: list[viz.Diagnosis | viz.Comparison | viz.Memory] = []
    print(examined)
    written: list[viz.Drawing | viz.Program | viz.ForwardAndBackward] = []
    plotted: list[viz.Plot | viz.GradFlow | viz.Exploration | viz.Explanation] = []
    print(written, plotted)


def mistakes() -> None:
    x = mg.ones(2)
    x.nosuch()  # error
    print(mg.nosuch)  # error
    print(nn.nosuch)  # error
    print(F.nosuch)  # error
    print(optim.nosuch)  # error
    print(autograd.nosuch)  # error
    print(viz.nosuch)  # error
    reveal_type(x + x)  # Tensor
    Linear("a")  # error
    Linear("a", 3)  # error
    Linear(3)  # error
    nn.Dropout("a")  # error
    nn.MSELoss(nosuch=1)  # error
    nn.CrossEntropyLoss()("a", "b")  # error
    mg.softmax(x, "a")  # error
    mg.exp([1.0])  # error
    mg.exp(x, 1)  # error
    mg.zeros("a")  # error
    mg.cat(3)  # error
    x.sum(dim="a")  # error
    x.reshape("a")  # error
    x.max(dim="a")  # error
    F.relu("a")  # error
    F.cross_entropy(x, "a")  # error
    optim.SGD([nn.Parameter(x)], lr="a")  # error
    autograd.grad("a", x)  # error
    viz.draw(x, nosuch=1)  # error
    viz.loss_curve(3)  # error

"""A convolution that gets other channels or dimensions than it was made for."""

from __future__ import annotations

import ast

from ...model.values import shape_of
from ..causes import Finding
from ..rules.rule import Match, Words
from .raised import Call, Raised, resized, size_text
from .rule import ErrorRule

MESSAGE = r"expected input\[.+?\] to have \d+ channels, but got \d+ channels"


def convolution(raised: Raised) -> Call | None:
    call = raised.inner
    if call is None or "Conv" not in raised.kind() or call.given is None:
        return None
    return call


def rank_of(raised: Raised) -> int:
    """Return the number of spatial dimensions: 2 for Conv2d."""
    digits = [int(letter) for letter in raised.kind() if letter.isdigit()]
    return digits[0] if digits else 0


def of_layer(raised: Raised, call: Call) -> dict[str, object]:
    parts = {"layer": raised.name_of(call.module), "takes": call.module.in_channels}
    return {**parts, "shape": size_text(call.given), "kind": raised.kind()}


def find_last(raised: Raised) -> Match | None:
    """Find channels in the last dimension, as images of other libraries have them."""
    call = convolution(raised)
    rank = rank_of(raised)
    if call is None or rank == 0:
        return None
    shape, name = shape_of(call.given), raised.origin(call.given) or raised.text_of(call.given)
    batched, texts = len(shape) == rank + 2, rank == 1  # such as what an embedding gives
    if not name or (call.given.requires_grad and not texts):
        return None
    if len(shape) not in (rank + 1, rank + 2):
        return None
    if shape[-1] != call.module.in_channels:
        return None
    last = len(shape) - 1
    order = [0, last, *range(1, last)] if batched else [last, *range(last)]
    cure = f"{name}.permute({', '.join(map(str, order))})"
    if rank == 1:
        cure = f"{name}.transpose({last - 1}, {last})"
    return Match({**of_layer(raised, call), "t": name, "cure": cure})


def find_gray(raised: Raised) -> Match | None:
    """Find a batch of gray images without a dimension of channels."""
    call = convolution(raised)
    if call is None or call.module.in_channels != 1 or call.given.requires_grad:
        return None
    shape, name = shape_of(call.given), raised.origin(call.given)
    if len(shape) != rank_of(raised) + 1 or not name:
        return None
    return Match({**of_layer(raised, call), "t": name})


def find_channels(raised: Raised) -> Match | None:
    call = convolution(raised)
    if call is None:
        return None
    shape, rank = shape_of(call.given), rank_of(raised)
    size = shape[1] if len(shape) == rank + 2 else shape[0]
    parts = {**of_layer(raised, call), "size": size}
    return Match({**parts, **resized(raised, call.module, "in_channels", size)})


def find_dimensions(raised: Raised) -> Match | None:
    """Find one image, of height and width alone."""
    call = convolution(raised)
    if call is None or rank_of(raised) != 2 or call.module.in_channels != 1:
        return None
    shape, name = shape_of(call.given), raised.origin(call.given)
    if len(shape) != 2 or not name or shape[0] == 1:
        return None
    return Match({**of_layer(raised, call), "t": name})


IMAGES = """
net = T.nn.Sequential(T.nn.Conv2d({channels}, 4, 3), T.nn.ReLU(), T.nn.Conv2d({second}, 2, 3))
images = T.rand({shape})
out = net(images)
"""
SOUND = IMAGES.format(channels=3, second=4, shape="2, 3, 8, 8")

LAST = ErrorRule(
    key="channels_last",
    en=Words(
        "images with their channels last",
        "`{t}` has the shape {shape}, with its {takes} channels in the last dimension. "
        "`{layer}`{where} takes them before the height and width.",
        "Give it `{cure}`.",
    ),
    zh=Words(
        "图像的通道在最后一维",
        "`{t}` 的形状是 {shape}，{takes} 个通道在最后一维。`{layer}`{where}要求通道在高和宽之前。",
        "请传入 `{cure}`。",
    ),
    message=MESSAGE,
    find=find_last,
    broken=IMAGES.format(channels=3, second=4, shape="2, 8, 8, 3"),
    sound=SOUND,
    before=("gray_images", "channels"),
)

GRAY = ErrorRule(
    key="gray_images",
    en=Words(
        "samples without a channel",
        "`{t}` has the shape {shape}, and `{layer}`{where} reads its first dimension as channels, "
        "of which it takes 1: a batch with one channel needs a dimension for it.",
        "Give it `{t}.unsqueeze(1)`.",
    ),
    zh=Words(
        "样本缺少通道维",
        "`{t}` 的形状是 {shape}，`{layer}`{where}把第一维当作通道，而它只接受 1 个通道：只有一个通"
        "道的批量也需要通道维。",
        "请传入 `{t}.unsqueeze(1)`。",
    ),
    message=MESSAGE,
    find=find_gray,
    broken=IMAGES.format(channels=1, second=4, shape="5, 8, 8"),
    sound=IMAGES.format(channels=1, second=4, shape="5, 1, 8, 8"),
    before=("channels",),
)

CHANNELS = ErrorRule(
    key="channels",
    en=Words(
        "a convolution for another number of channels",
        "`{layer}` takes {takes} channels, and its input of shape {shape} has {size}{where}.",
        "Make it `{cure}`{at}.",
    ),
    zh=Words(
        "卷积的通道数不对",
        "`{layer}` 需要 {takes} 个通道，而它的输入形状是 {shape}，有 {size} 个{where}。",
        "请写 `{cure}`{at}。",
    ),
    message=MESSAGE,
    find=find_channels,
    broken=IMAGES.format(channels=3, second=8, shape="2, 3, 8, 8"),
    sound=SOUND,
)

ONE_IMAGE = """
conv = T.nn.Conv2d(1, 4, 3)
image = T.rand({shape})
out = conv(image)
"""

DIMENSIONS = ErrorRule(
    key="image_alone",
    en=Words(
        "an image without batch and channel",
        "`{t}` has the shape {shape}. `{layer}`{where} is a {kind}, which takes (batch, channels, "
        "height, width).",
        "For one gray image, give it `{t}[None, None]`.",
    ),
    zh=Words(
        "图像缺少批量维和通道维",
        "`{t}` 的形状是 {shape}。`{layer}`{where}是 {kind}，接受（批量、通道、高、宽）。",
        "对一张灰度图像，请传入 `{t}[None, None]`。",
    ),
    message=r"\(unbatched\) or \dD \(batched\) input to conv",
    find=find_dimensions,
    broken=ONE_IMAGE.format(shape="8, 8"),
    sound=ONE_IMAGE.format(shape="1, 1, 8, 8"),
)


def find_flat(raised: Raised) -> Match | None:
    """Find features of a linear layer that a convolution needs as images."""
    call = convolution(raised)
    if call is None or rank_of(raised) != 2:
        return None
    shape, channels = shape_of(call.given), call.module.in_channels
    side = round((shape[1] / channels) ** 0.5) if len(shape) == 2 else 0
    if not side or channels * side * side != shape[1]:
        return None
    if not call.given.requires_grad and (side > 1 or channels == 1):
        return None  # an image
    return Match(
        {
            **of_layer(raised, call),
            "cure": f"{raised.nn}.Unflatten(1, ({channels}, {side}, {side}))",
        }
    )


DECODER = """
net = T.nn.Sequential(T.nn.Linear(8, 32), {images}T.nn.ConvTranspose2d(2, 1, 3))
out = net(T.randn(5, 8))
"""

FLAT = ErrorRule(
    key="not_unflattened",
    en=Words(
        "features that are not made into images",
        "`{layer}`{where} is a {kind}, which takes images, and its input has the shape {shape}: "
        "features in a row.",
        "Put `{cure}` before it.",
    ),
    zh=Words(
        "特征没有变回图像",
        "`{layer}`{where}是 {kind}，需要图像，而它的输入形状是 {shape}：排成一行的特征。",
        "请在它之前加上 `{cure}`。",
    ),
    message=r"\(unbatched\) or \dD \(batched\) input to conv",
    find=find_flat,
    broken=DECODER.format(images=""),
    sound=DECODER.format(images="T.nn.Unflatten(1, (2, 4, 4)), "),
    before=("image_alone",),
)


def find_small(raised: Raised) -> Match | None:
    call = raised.inner
    if call is None or call.given is None or not raised.line_calls:
        return None
    kernel = getattr(call.module, "kernel_size", None)
    if kernel is None:
        return None
    kernel = kernel if isinstance(kernel, int) else tuple(kernel)
    parts = {"layer": raised.name_of(call.module), "kind": raised.kind(), "kernel": kernel}
    return Match({**parts, "shape": size_text(call.given)}, rest=with_padding(raised, call))


def with_padding(raised: Raised, call: Call) -> Finding | None:
    """Return the convolution with half of its kernel as padding, if that is enough."""
    made, size = raised.maker_of(call.module), getattr(call.module, "kernel_size", 0)
    kernel = size[-1] if isinstance(size, tuple) else size
    if made is None or "Conv" not in raised.kind() or kernel < 2 or call.module.padding[-1]:
        return None
    if min(shape_of(call.given)[2:], default=0) + kernel // 2 * 2 < kernel:
        return None
    words = [*made[1].keywords, ast.keyword("padding", ast.Constant(kernel // 2))]
    cure = ast.unparse(ast.Call(made[1].func, made[1].args, words))
    parts = {"cure": cure, "at": raised.context.where(made[0])}
    return Finding("", [raised.context.say("cure_make_it", **parts)])


SMALL = """
net = T.nn.Sequential(T.nn.MaxPool2d(2), T.nn.Conv2d(1, 2, 3), T.nn.MaxPool2d(2))
out = net(T.rand(1, 1, {size}, {size}))
"""

TOO_SMALL = ErrorRule(
    key="image_too_small",
    en=Words(
        "images that are smaller than a kernel",
        "`{layer}`, a {kind} with kernel size {kernel}, gets an input of the shape {shape}{where}, "
        "which is too small for it.",
        "Use larger images, fewer poolings, or padding in the layers before.",
    ),
    zh=Words(
        "图像比卷积核还小",
        "`{layer}` 是核大小为 {kernel} 的 {kind}，得到的输入形状是 {shape}{where}，太小了。",
        "请使用更大的图像、更少的池化，或在前面的层中加填充。",
    ),
    message=r"Kernel size can't be greater than actual input size|Output size is too small",
    find=find_small,
    broken=SMALL.format(size=4),
    sound=SMALL.format(size=8),
)

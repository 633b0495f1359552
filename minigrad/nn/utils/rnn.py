"""Sequences of several lengths: padded to the longest, or packed.

Packed, a recurrent network does not compute the padding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...arrays.dtypes import float16, float32, float64, int64
from ...arrays.left_out import missing_from
from ...arrays.messages import type_name
from ...ops.neural.packing import pack_steps
from ...ops.public.dims import size_at
from ...tensors.creation import arange, as_tensor, empty, full, tensor
from ...tensors.tensor import Tensor


class PackedFields(NamedTuple):
    """The fields of a packed sequence."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(PackedFields):
    """The steps of several sequences, one step after the other, without padding.

    `data` has the first step of all sequences, then the second of those that have one, and so on;
    `batch_sizes` has their numbers. The sequences are ordered from the longest to the shortest. The
    last two fields are the permutations to this order and back, if it differs from the given one.
    """

    def __new__(
        cls,
        data: Tensor,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if batch_sizes is None:  # both are in `data`
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return PackedFields.__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return the same with data of another dtype or on another device."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        places = [None if at is None else at.to(data.device) for at in self[2:]]
        return type(self)(data, self.batch_sizes, *places)

    def cpu(self) -> PackedSequence:
        """Return the same in the host's memory."""
        return self.to("cpu")

    def cuda(self, *args: Any) -> PackedSequence:
        """Return the same on a GPU."""
        return self.to(*args or ("cuda",))

    def double(self) -> PackedSequence:
        """Return the same as float64."""
        return self.to(float64)

    def float(self) -> PackedSequence:
        """Return the same as float32."""
        return self.to(float32)

    def half(self) -> PackedSequence:
        """Return the same as float16."""
        return self.to(float16)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a GPU."""
        return bool(self.data.is_cuda)


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Return the inverse of a permutation."""
    if permutation is None:
        return None
    back = empty(permutation.numel(), dtype=int64, device=permutation.device)
    places = arange(permutation.numel(), device=permutation.device)
    return cast(Tensor, back.scatter_(0, permutation, places))


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack the sequences in `input` [T, B, ...], or [B, T, ...] if `batch_first`.

    Args:
        lengths: the length of each, from the longest to the shortest unless `enforce_sorted` is
            False.

    >>> import minigrad as mg
    >>> mg.nn.utils.rnn.pack_padded_sequence(mg.tensor([[1, 2], [3, 0]]), [2, 1])
    PackedSequence(data=tensor([1, 2, 3]), batch_sizes=tensor([2, 1]), sorted_indices=None, \
    unsorted_indices=None)
    """
    lengths = as_tensor(lengths, dtype=int64)
    order = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    check_kind("pack_padded_sequence", "input", 1, input, Tensor)
    check_kind("pack_padded_sequence", "batch_first", 3, batch_first, bool)
    if lengths.dim() != 1:
        found = f"but got {lengths.dim()}D cpu Long tensor"
        raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor, {found}")
    data, sizes = pack_steps(input, lengths.tolist(), batch_first)
    return PackedSequence(data, tensor(sizes), order, None)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the sequences padded again, and their lengths.

    Args:
        total_length: pad to this length instead of that of the longest.
    """
    sizes: list[int] = sequence.batch_sizes.tolist()
    longest = len(sizes)
    if total_length is not None and total_length < longest:
        wanted = "Expected total_length to be at least the length of the longest sequence in input"
        found = f"total_length={total_length} and max sequence length being {longest}"
        raise ValueError(f"{wanted}, but got {found}")
    data = sequence.data
    shape = (total_length or longest, sizes[0], *data.shape[1:])
    output = full(shape, padding_value, dtype=data.dtype, device=data.device)
    start = offset = 0
    for at, count in enumerate(sizes, 1):
        if at == longest or sizes[at] != count:  # the last step with this number of sequences
            end = offset + (at - start) * count
            part = data[offset:end].view(at - start, count, *data.shape[1:])
            output[start:at, :count].copy_(part)
            start, offset = at, end
    output = output.transpose(0, 1) if batch_first else output
    lengths = tensor([sum(size > place for size in sizes) for place in range(sizes[0])])
    back = sequence.unsorted_indices
    if back is None:
        return output, lengths
    return output.index_select(0 if batch_first else 1, back), lengths[back.cpu()]


def pad_sequence(
    sequences: Tensor | Iterable[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Stack sequences [length, ...], padded to the longest: [T, B, ...], or [B, T, ...].

    The second form is that of `batch_first`.

    >>> import minigrad as mg
    >>> mg.nn.utils.rnn.pad_sequence([mg.tensor([1, 2]), mg.tensor([3])], batch_first=True)
    tensor([[1, 2],
            [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        wanted = "pad_sequence: Expected iterable for input sequences"
        raise RuntimeError(f"{wanted}, but got arg of type: {type(sequences)}")
    listed = list(sequences.unbind(0) if isinstance(sequences, Tensor) else sequences)
    for place, each in enumerate(listed):
        if not isinstance(each, Tensor):
            wanted = f"expected Tensor as element {place} in argument 0"
            raise TypeError(f"{wanted}, but got {type_name(each)}")
    if not listed:
        raise RuntimeError("received an empty list of sequences")
    check_kind("pad_sequence", "batch_first", 2, batch_first, bool)
    if not isinstance(padding_value, (int, float, Tensor)):
        check_kind("pad_sequence", "padding_value", 3, padding_value, float)
    check_kind("pad_sequence", "padding_side", 4, padding_side, str)
    if padding_side not in ("left", "right"):
        wanted = "Expected padding_side to be one of left or right"
        raise RuntimeError(f"{wanted}, but got {padding_side}.")
    longest, first = max(size_at(each.shape, 0) for each in listed), listed[0]
    ends = (len(listed), longest) if batch_first else (longest, len(listed))
    output = full((*ends, *first.shape[1:]), padding_value, dtype=first.dtype, device=first.device)
    for place, each in enumerate(listed):
        start = longest - len(each) if padding_side == "left" else 0
        mine = output.select(0 if batch_first else 1, place)
        mine.narrow(0, start, len(each)).copy_(each)
    return cast(Tensor, output)


def check_kind(function: str, name: str, place: int, value: Any, kind: type) -> None:
    """Raise if an argument is not of type `kind`."""
    if not isinstance(value, kind):
        wanted = f"must be {kind.__name__}, not {type_name(value)}"
        raise TypeError(f"{function}(): argument '{name}' (position {place}) {wanted}")


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences [length, ...]."""
    lengths = [len(each) for each in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """Return padded sequences one by one, without the padding.

    (As in PyTorch, the first two dimensions of `padded_sequences` are exchanged in place unless
    `batch_first`.)
    """
    rows = padded_sequences if batch_first else padded_sequences.transpose_(0, 1)
    steps = arange(rows.shape[1], device=rows.device)
    return [row[steps < length] for row, length in zip(rows, lengths, strict=False)]


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Return packed sequences one by one."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)

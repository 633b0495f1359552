"""Random draws: the numbers of PyTorch's CPU generator for the same seed.

A lesson that seeds and draws must print the same text in both libraries, so these functions follow
PyTorch bit by bit. This concerns the number of Mersenne Twister words for each kind of draw, their
conversion to numbers, and the rounding. PyTorch's compiled code multiplies and adds with one
rounding. For large float32 normal draws, it computes logarithm and angle by polynomials of the
Cephes library. The tests compare all of this with PyTorch itself. (This is PyTorch on x86
processors with AVX2; elsewhere the last digit of a normal draw can differ.)

As in PyTorch, draws come from one generator for the whole process, unless a call gives its own.
`manual_seed` seeds it; until then its seed differs in every process.

This module makes NumPy arrays; creation functions and in-place methods wrap them in tensors.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from . import gpu_draws
from .devices import CPU
from .devices import device as Device
from .messages import beyond, c_name, check_floating, check_not_bool, type_name, type_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

Shape: TypeAlias = tuple[int, ...]
Kind: TypeAlias = "np.dtype[Any]"
Drawn: TypeAlias = "NDArray[Any]"
Source: TypeAlias = "Generator | None"

# The bytes of PyTorch's generator state, so that a state can move between the two libraries.
_STATE: Final = np.dtype(
    [
        ("seed", "<u8"),
        ("left", "<i4"),
        ("seeded", "<i4"),
        ("next", "<u8"),
        ("words", "<u8", 624),
        ("unused", "<f8"),
        ("normal", "<f8"),
        ("unused_too", "<f8"),
        ("has_normal", "<i8"),
        ("padding", "<i8"),
    ]
)


class Generator:
    """A source of random numbers with its own seed and state, for the CPU."""

    __slots__ = ("_made", "_seed", "spare_normal")

    def __init__(self, device: str | int | Device | None = "cpu") -> None:
        if device is None:
            device = CPU
        if not isinstance(device, (str, int, Device)):
            wanted = "argument 'device' (position 1) must be torch.device"
            raise TypeError(f"Generator(): {wanted}, not {type_name(device)}")
        if Device(device) != CPU:
            raise RuntimeError(
                f"Device type {device} is not supported: draws are made on the CPU and copied"
            )
        # The second value of a pair of normal draws, kept for the next call.
        self.spare_normal: float | None = None
        self.manual_seed(67280421310721)  # the seed of every new PyTorch generator

    @property
    def device(self) -> Device:
        return CPU

    def manual_seed(self, seed: int) -> Generator:
        """Restart from this seed, and return the generator. Negative seeds count from 2**64.

        Raises:
            RuntimeError: the seed is not an integer.
            ValueError: the seed does not fit into 64 bits.
        """
        if not isinstance(seed, int | np.integer) or isinstance(seed, bool):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = int(seed) % 2**64
        self._made: np.random.RandomState | None = None
        self.spare_normal = None
        return self

    @property
    def _twister(self) -> np.random.RandomState:
        # Made for the first draw: importing numpy.random takes a quarter of the time of `import
        # minigrad`.
        if self._made is None:
            self._made = _twister(self._seed)
        return self._made

    def seed(self) -> int:
        """Seed from the operating system's randomness, and return the seed."""
        self.manual_seed(int.from_bytes(os.urandom(8)))
        return self._seed

    def initial_seed(self) -> int:
        """Return the seed that was set last."""
        return self._seed

    def get_state(self) -> NDArray[np.uint8]:
        """Return the state as the 5,056 bytes of PyTorch's `get_state`."""
        words, position = _words_and_position(self._twister)
        fresh = position == 624 and np.array_equal(
            words, _words_and_position(_twister(self._seed))[0]
        )
        state = np.zeros((), _STATE)
        state["seed"], state["seeded"], state["words"] = self._seed, 1, words
        state["left"], state["next"] = (1, 0) if fresh else (625 - position, position)
        if self.spare_normal is not None:
            state["normal"], state["has_normal"] = self.spare_normal, 1
        return np.frombuffer(state.tobytes(), np.uint8).copy()

    def set_state(self, state: Any) -> None:
        """Set a state from `get_state`, of either library.

        Raises:
            TypeError, RuntimeError: the bytes are not a state; nothing is changed.
        """
        if not hasattr(state, "dtype"):
            raise TypeError(f"expected a torch.ByteTensor, but got {type_name(state)}")
        given = np.asarray(state)
        if given.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if given.size != _STATE.itemsize:
            wanted = f"Expected a CPUGeneratorImplState of size {_STATE.itemsize}"
            raise RuntimeError(f"{wanted} but found the input RNG state size to be {given.size}")
        read = np.frombuffer(given.tobytes(), _STATE)[0]
        left, position = int(read["left"]), int(read["next"])
        if read["seeded"] != 1 or not 0 < left <= 624 or position > 624:
            raise RuntimeError("Invalid mt19937 state")
        self._seed = int(read["seed"])
        words = read["words"].astype(np.uint32)
        inner = {"key": words, "pos": 624 if left == 1 else position}
        self._twister.set_state({"bit_generator": "MT19937", "state": inner})
        self.spare_normal = float(read["normal"]) if read["has_normal"] else None

    # --- Words and uniform numbers

    def words32(self, count: int) -> NDArray[np.uint32]:
        """Return the next `count` words of the twister."""
        return self._twister.randint(0, 2**32, count, dtype=np.uint32)

    def words64(self, count: int) -> NDArray[np.uint64]:
        """Return the next `count` numbers of 64 bits, each of two words, the high one first."""
        halves = self.words32(2 * count).astype(np.uint64)
        return (halves[0::2] << np.uint64(32)) | halves[1::2]

    def uniform32(self, count: int) -> NDArray[np.float32]:
        """Return numbers in [0, 1) with 24 random bits."""
        low_bits = self.words32(count) & np.uint32(2**24 - 1)
        return low_bits.astype(np.float32) * np.float32(2.0**-24)

    def uniform64(self, count: int) -> NDArray[np.float64]:
        """Return numbers in [0, 1) with 53 random bits."""
        low_bits = self.words64(count) & np.uint64(2**53 - 1)
        return low_bits.astype(np.float64) * 2.0**-53


def _twister(seed: int) -> np.random.RandomState:
    return np.random.RandomState(seed % 2**32)


def _words_and_position(twister: np.random.RandomState) -> tuple[NDArray[np.uint32], int]:
    state: Any = twister.get_state(legacy=False)
    return state["state"]["key"], state["state"]["pos"]


default_generator: Final = Generator()
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Seed the process-wide generator and those of the GPUs.

    Draws on the CPU are then PyTorch's for this seed.
    """
    generator = default_generator.manual_seed(int(seed))
    gpu_draws.manual_seed_all(int(seed))
    return generator


def seed() -> int:
    """Seed all generators from the operating system, and return the seed."""
    number = default_generator.seed()
    gpu_draws.manual_seed_all(number)
    return number


def initial_seed() -> int:
    """Return the seed of the process-wide generator."""
    return default_generator.initial_seed()


def get_rng_state() -> NDArray[np.uint8]:
    """Return the state of the process-wide generator, as bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Any) -> None:
    """Set the state of the process-wide generator to one from `get_rng_state`."""
    default_generator.set_state(new_state)


def states() -> Any:
    """Return the states of the generators of the CPU and of all GPUs."""
    return get_rng_state(), gpu_draws.states()


def set_states(found: Any) -> None:
    """Restore states from `states`."""
    set_rng_state(found[0])
    gpu_draws.set_states(found[1])


# --- Uniform draws


def rand(shape: Shape, dtype: Kind, generator: Source = None) -> Drawn:
    """Draw uniform numbers from [0, 1)."""
    return uniform(shape, dtype, 0.0, 1.0, generator)


def uniform(
    shape: Shape, dtype: Kind, low: float = 0.0, high: float = 1.0, generator: Source = None
) -> Drawn:
    """Draw uniform numbers from [low, high).

    Raises:
        NotImplementedError: `dtype` is not floating.
        RuntimeError: the bounds are not in order, or the dtype cannot hold them.
    """
    check_floating("check_uniform_bounds", dtype)
    largest = float(np.finfo(dtype).max)
    for name, bound in (("from", low), ("to", high)):
        if not -largest <= bound <= largest:
            raise RuntimeError(f"{name} is out of bounds for {c_name(dtype)}")
    if not low <= high:
        found = f"found from={low:g} > to={high:g}"
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but {found}")
    if not high - low <= largest:
        limit = f"std::numeric_limits<{type_word(dtype)}>::max()"
        found = f"found to={high:g} and from={low:g} which result in to-from to exceed the limit"
        raise RuntimeError(f"uniform_ expects to-from <= {limit}, but {found}")
    unit = _unit(shape, dtype, generator or default_generator)
    start, stop = unit.dtype.type(low), unit.dtype.type(high)
    drawn = _as_type(multiply_add(unit, stop - start, start), dtype)
    # `high` itself is not in the range, but rounding can produce it.
    drawn[drawn == dtype.type(high)] = low
    return drawn


def _unit(shape: Shape, dtype: Kind, source: Generator) -> Drawn:
    """Draw from [0, 1): float64 has draws of its own, the smaller dtypes share float32's."""
    count = math.prod(shape)
    double = dtype == np.float64
    drawn: Drawn = source.uniform64(count) if double else source.uniform32(count)
    return drawn.reshape(shape)


def bernoulli(p: Drawn, generator: Source = None) -> Drawn:
    """Draw 1 with the probability in `p`, else 0; in the shape and dtype of `p`.

    Raises:
        NotImplementedError: `p` is not floating.
        RuntimeError: a probability is outside [0, 1].
    """
    check_floating("bernoulli_tensor_cpu_p_", p.dtype)
    if not bool(((p >= 0) & (p <= 1)).all()):
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    drawn: NDArray[np.bool_] = _unit(p.shape, p.dtype, generator or default_generator) < p
    return drawn.astype(p.dtype)


def bernoulli_constant(shape: Shape, dtype: Kind, p: float, generator: Source = None) -> Drawn:
    """Draw 1 with the single probability `p`, else 0, in double precision for every dtype.

    On Intel processors PyTorch draws these numbers, which dropout also uses, with Intel's MKL
    library. The numbers here are those of all other processors.

    Raises:
        RuntimeError: `p` is outside [0, 1].
    """
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    drawn = (generator or default_generator).uniform64(math.prod(shape)) < p
    return drawn.reshape(shape).astype(dtype)


def exponential(shape: Shape, dtype: Kind, rate: float = 1.0, generator: Source = None) -> Drawn:
    """Draw waiting times with the given rate: -log(1 - u) / rate.

    Raises:
        RuntimeError: `dtype` is not floating, or the rate is not positive.
    """
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    if dtype.kind != "f":
        raise RuntimeError(f"Exponential {CONTINUOUS} {type_word(dtype)}")
    u = (generator or default_generator).uniform64(math.prod(shape))
    return _as_type(-1 / rate * _libm(math.log1p, -u), dtype).reshape(shape)


CONTINUOUS: Final = (
    "distribution is a continuous probability distribution. dtype must be a floating point but you "
    "specified"
)


def cauchy(
    shape: Shape, dtype: Kind, median: float, sigma: float, generator: Source = None
) -> Drawn:
    """Draw from a Cauchy distribution: the tangents of uniformly distributed angles.

    Raises:
        RuntimeError: `dtype` is not floating, or `sigma` is not positive.
    """
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if dtype.kind != "f":
        raise RuntimeError(f"Cauchy {CONTINUOUS} {c_name(dtype)}")
    u = (generator or default_generator).uniform64(math.prod(shape))
    eps = float(np.finfo(np.float64).eps)
    angles = math.pi * (np.clip(u, eps, 1 - eps) - 0.5)
    drawn = multiply_add(_libm(math.tan, angles), np.float64(sigma), np.float64(median))
    return _as_type(drawn, dtype).reshape(shape)


def geometric(shape: Shape, dtype: Kind, p: float, generator: Source = None) -> Drawn:
    """Draw how many trials, each with the probability `p`, it takes to succeed once.

    Raises:
        RuntimeError: `p` is not between 0 and 1.
        NotImplementedError: `dtype` is bool.
    """
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if dtype.kind == "b":
        raise NotImplementedError("\"geometric_cpu\" not implemented for 'Bool'")
    u = (generator or default_generator).uniform64(math.prod(shape))
    return np.ceil(_libm(math.log, u) / math.log1p(-p)).astype(dtype).reshape(shape)


def log_normal(
    shape: Shape, dtype: Kind, mean: float, std: float, generator: Source = None
) -> Drawn:
    """Draw numbers whose logarithms are normal.

    Raises:
        RuntimeError: `std` is not positive.
        NotImplementedError: `dtype` is not floating.
    """
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    check_floating("log_normal_cpu", dtype)
    source = generator or default_generator
    normals = _normal_pairs(math.prod(shape), np.dtype(np.float64), mean, std, source)
    return _as_type(_libm(math.exp, normals), dtype).reshape(shape)


# --- Normal draws


def randn(shape: Shape, dtype: Kind, generator: Source = None) -> Drawn:
    """Draw from the normal distribution with mean 0 and standard deviation 1."""
    return normal(shape, dtype, 0.0, 1.0, generator)


def normal(
    shape: Shape,
    dtype: Kind,
    mean: float = 0.0,
    std: float = 1.0,
    generator: Source = None,
    contiguous: bool = True,
) -> Drawn:
    """Draw from a normal distribution, by the method of Box and Muller.

    Up to 15 numbers are made one pair at a time, and half a pair is kept for the next such call.
    From 16 numbers on they are made in blocks, which neither use nor leave a half pair. So
    `randn(8)` twice differs from `randn(16)`, as in PyTorch. Memory that is not `contiguous` uses
    pairs.

    Raises:
        NotImplementedError: `dtype` is not floating.
        RuntimeError: `std` is negative.
    """
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    check_floating("normal_kernel_cpu", dtype)
    make = _normal_blocks if math.prod(shape) >= 16 and contiguous else _normal_pairs
    source = generator or default_generator
    return make(math.prod(shape), dtype, mean, std, source).reshape(shape)


def _normal_pairs(count: int, dtype: Kind, mean: float, std: float, source: Generator) -> Drawn:
    values = []
    if count and source.spare_normal is not None:
        values.append(source.spare_normal)
        source.spare_normal = None
    pairs = (count - len(values) + 1) // 2
    u = source.uniform64(2 * pairs).tolist()
    for around, outward in zip(u[0::2], u[1::2], strict=True):
        radius = math.sqrt(-2 * math.log1p(-outward))
        angle = 2 * math.pi * around
        values += [radius * math.cos(angle), radius * math.sin(angle)]
    if len(values) > count:
        source.spare_normal = values.pop()
    drawn = multiply_add(np.array(values, np.float64), np.float64(std), np.float64(mean))
    return _as_type(drawn, dtype)


_BLOCKS_AT_ONCE: Final = 1024  # temporary values stay in the processor's cache


def _normal_blocks(count: int, dtype: Kind, mean: float, std: float, source: Generator) -> Drawn:
    in_blocks = count - count % 16
    drawn = np.empty(count, np.float32 if dtype == np.float16 else dtype)
    # float16 draws for its whole blocks only; the other dtypes draw for all numbers.
    drawable = in_blocks if dtype == np.float16 else count
    drawn[:drawable] = _unit((drawable,), dtype, source)
    whole = drawn[:in_blocks].reshape(-1, 16)
    for start in range(0, len(whole), _BLOCKS_AT_ONCE):
        _box_muller(whole[start : start + _BLOCKS_AT_ONCE], mean, std)
    if count % 16:
        # The rest does not fill a block: the last 16 numbers are drawn again, as one block.
        drawn[-16:] = _unit((16,), dtype, source)
        _box_muller(drawn[-16:].reshape(1, 16), mean, std)
    return drawn.astype(dtype, copy=False)


def _box_muller(blocks: Drawn, mean: float, std: float) -> None:
    """Turn rows of 16 uniform numbers into normal ones, in place: 8 radii, 8 angles."""
    kind = blocks.dtype.type
    outward, around = kind(1) - blocks[:, :8], blocks[:, 8:]
    angle = kind(2 * math.pi) * around
    if kind is np.float64:
        radius = np.sqrt(-2 * _libm(math.log, outward))
        cos, sin = _libm(math.cos, angle), _libm(math.sin, angle)
    else:
        radius = np.sqrt(kind(-2) * _log32(outward))
        sin, cos = _sin_cos32(angle)
    blocks[:, :8] = multiply_add(radius * cos, kind(std), kind(mean))
    blocks[:, 8:] = multiply_add(radius * sin, kind(std), kind(mean))


# --- Integers


def end_of_integers(dtype: Kind) -> int:
    """Return the number after the largest integer up to which the dtype holds every integer."""
    if dtype.kind == "f":
        return int(2 ** (np.finfo(dtype).nmant + 1)) + 1
    return 2 if dtype.kind == "b" else int(np.iinfo(dtype).max) + 1


def any_integer(shape: Shape, dtype: Kind, generator: Source = None) -> Drawn:
    """Draw integers from 0 to the largest up to which the dtype holds every integer."""
    source, count = generator or default_generator, math.prod(shape)
    span = end_of_integers(dtype)
    words = source.words64(count) if dtype.itemsize == 8 else source.words32(count)
    return (words % words.dtype.type(span)).astype(dtype).reshape(shape)


def randint(low: int, high: int, shape: Shape, dtype: Kind, generator: Source = None) -> Drawn:
    """Draw integers from `low` to `high` - 1, as remainders of the generator's words.

    Raises:
        RuntimeError: the range is empty, or the dtype cannot hold it.
    """
    if low >= high:
        found = f"got from={low} >= to={high}"
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but {found}")
    for name, bound in (("from", low), ("to - 1", high - 1)):
        _check_integer_bound(name, bound, dtype)
    if dtype.kind == "f":  # a drawn number must not be rounded out of the range
        low, high = _moved_in(low, 1, dtype), _moved_in(high, -1, dtype)
        if low >= high:
            found = f"got from={low} >= to={high}"
            casted = "'from' casted to dtype to be less than 'to' casted to dtype"
            raise RuntimeError(f"random_ expects {casted}, but {found}")
    source, count = generator or default_generator, math.prod(shape)
    span = high - low
    # A range too wide for the remainder of 32 bits to be nearly even takes 64.
    words = source.words64(count) if span >= 2**28 else source.words32(count).astype(np.uint64)
    # The sum wraps around at 64 bits, as a negative `low` needs.
    drawn = (words % np.uint64(span) + np.uint64(low % 2**64)).view(np.int64)
    return drawn.astype(dtype).reshape(shape)


def _moved_in(bound: int, step: int, dtype: Kind) -> int:
    """Return `bound`, or the dtype's next number inside.

    The next one is needed if `bound` + `step` (1 or -1) is rounded beyond the bound.
    """
    inside = int(dtype.type(bound + step))
    if inside >= bound if step > 0 else inside < bound:
        return bound
    gap: int = 2 ** (abs(bound + step).bit_length() - np.finfo(dtype).nmant - 1)
    return inside + step * gap


def _check_integer_bound(name: str, bound: int, dtype: Kind) -> None:
    """Raise if the dtype cannot hold the bound; warn where it skips integers."""
    if dtype.kind == "f":
        least, most = float(np.finfo(dtype).min), float(np.finfo(dtype).max)
        digits = np.finfo(dtype).nmant + 1
        if 2**digits < abs(bound) <= most:
            limits = (
                f"{c_name(dtype)} can support discrete uniform distribution only within this range"
            )
            warnings.warn(
                f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations"
                f" {limits}. This warning will become an error in version 1.7 release, please fix "
                "the code in advance",
                stacklevel=1,
            )
    else:
        least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not least <= bound <= most:
        raise RuntimeError(f"{name} is out of bounds for {c_name(dtype)}")


def seed_number(generator: Source = None) -> int:
    """Draw an integer of 63 bits, as PyTorch does to seed another generator."""
    return int((generator or default_generator).words64(1)[0] % np.uint64(2**63))


def randperm(n: int, dtype: Kind, generator: Source = None) -> Drawn:
    """Return the numbers 0 to n - 1 in random order (the Fisher-Yates shuffle).

    Raises:
        NotImplementedError: `dtype` is bool.
        RuntimeError: `n` is negative, or more than the dtype can hold.
        ValueError: `n` is above some 200 million, where PyTorch draws differently.
    """
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    check_not_bool("randperm", dtype)
    if dtype.kind == "f":
        most = 2 ** (np.finfo(dtype).nmant + 1) + 1
        if n > most:
            raise RuntimeError(f"n cannot be greater than {most} for {type_word(dtype)} type.")
    elif n - 1 > np.iinfo(dtype).max:
        raise beyond(dtype)
    if n >= (2**32 - 1) // 20:
        raise ValueError(f"randperm() is limited to n < 2**32 / 20, got {n}")
    # Each swap may move the result of an earlier one, so the swaps need a loop; the draws do not.
    ahead = (generator or default_generator).words32(max(n - 1, 0)) % np.arange(n, 1, -1)
    order = list(range(n))
    for here, distance in enumerate(ahead.tolist()):
        there = here + distance
        order[here], order[there] = order[there], order[here]
    return np.array(order, dtype)


def multinomial(
    weights: Drawn, count: int, replacement: bool = False, generator: Source = None
) -> NDArray[np.int64]:
    """Draw indices in proportion to the weights along the last axis, for one row or several.

    Raises:
        RuntimeError: the weights are not a distribution, or too few to draw without replacement.
    """
    if weights.dtype.kind != "f":
        kind = type_word(weights.dtype)
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {kind}"
        )
    if not 1 <= weights.ndim <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if count <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and count > weights.shape[-1]:
        text = "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        raise RuntimeError(text)
    if not bool((np.isfinite(weights) & (weights >= 0)).all()):
        if not replacement or count == 1:
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        wrong = "= infinity or NaN" if bool((weights >= 0).all()) else "< 0"
        met = f"encountering probability entry {wrong}"
        raise RuntimeError(f"invalid multinomial distribution ({met})")
    totals = weights.sum(-1)
    if count == 1 and weights.shape[-1] == 0 and totals.size:
        no_identity = "cannot compute aminmax over an empty dimension as the operation has no"
        raise RuntimeError(f"aminmax(): {no_identity} identity.")
    if not bool((totals > 0).all()):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    source = generator or default_generator
    if not replacement or count == 1:
        # Each index waits for a time with rate equal to its weight; the shortest waits are drawn.
        race = weights / exponential(weights.shape, weights.dtype, 1.0, source)
        order = np.argsort(-race, axis=-1, kind="stable")[..., :count]
        return order.astype(np.int64).reshape(*weights.shape[:-1], count)
    rows = np.atleast_2d(weights)
    drawn = np.empty((len(rows), count), np.int64)
    for row, into in zip(rows, drawn, strict=True):
        reached = np.cumsum(row, dtype=row.dtype)
        reached = reached / reached[-1]
        into[:] = np.searchsorted(reached, source.uniform64(count), side="left")
    return drawn.reshape(*weights.shape[:-1], count)


# --- Arithmetic with PyTorch's rounding


def _as_type(values: Drawn, dtype: Kind) -> Drawn:
    """Convert values to a floating dtype; float16 comes from float32, so it is rounded twice."""
    if dtype == np.float16:
        values = values.astype(np.float32, copy=False)
    return values.astype(dtype, copy=False)


def _libm(function: Callable[[float], float], x: NDArray[np.float64]) -> Drawn:
    """Apply a function of the C library to each element.

    NumPy's float64 functions differ from the C library's, which PyTorch calls here, by up to one
    unit in the last place.
    """
    return np.fromiter(map(function, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)


def multiply_add(x: Drawn, factor: Any, term: Any) -> Drawn:
    """Return x * factor + term, rounded once, as a processor's fused multiply-add does."""
    if x.dtype == np.float32:
        # In double precision the product is exact.
        wide = x.astype(np.float64)
        wide *= factor
        wide += term
        return wide.astype(np.float32)
    # The product and the sum as pairs: the rounded result and its exact error (Dekker, Knuth).
    product = x * factor
    x_high, x_low = _halves(x)
    factor_high, factor_low = _halves(factor)
    product_error = (
        x_high * factor_high - product + x_high * factor_low + x_low * factor_high
    ) + x_low * factor_low
    total = product + term
    back = total - product
    total_error = (product - (total - back)) + (term - back)
    return np.asarray(total + np.nan_to_num(product_error + total_error, posinf=0, neginf=0))


def _halves(x: Any) -> tuple[Any, Any]:
    """Return x as a sum of two numbers of at most 26 bits, whose products are exact."""
    scaled = x * np.float64(2**27 + 1)
    high = scaled - (scaled - x)
    return high, x - high


def _float32(*values: float) -> list[np.float32]:
    return [np.float32(value) for value in values]


# Highest power first.
_LOG: Final = _float32(
    *(7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1),
    *(-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
_SIN: Final = _float32(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COS: Final = _float32(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
# pi / 4 and log(2), each in parts, so that multiples of them lose no digits.
_QUARTER_PI: Final = _float32(0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8)
_LN2: Final = _float32(0.693359375, -2.12194440e-4)
_ROOT_HALF: Final = np.float32(math.sqrt(0.5))


def _polynomial(coefficients: list[np.float32], x: NDArray[np.float32]) -> NDArray[np.float32]:
    value: Drawn = np.full_like(x, coefficients[0])
    for c in coefficients[1:]:
        value = multiply_add(value, x, c)
    return value


def _log32(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return log of positive float32 numbers by Cephes' polynomial (Moshier, logf)."""
    mantissa, exponent = np.frexp(x)
    below = mantissa < _ROOT_HALF
    power = (exponent - below).astype(np.float32)
    t = (mantissa - np.float32(1)) + np.where(below, mantissa, np.float32(0))
    square = t * t
    y = multiply_add(_polynomial(_LOG, t) * t, square, power * _LN2[1])
    return multiply_add(power, _LN2[0], t + (y - square * np.float32(0.5)))


def _sin_cos32(x: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return sin and cos of float32 numbers from 0 to 2 pi by Cephes' polynomials.

    They are Moshier's sinf and cosf.
    """
    octant = (x * np.float32(4 / math.pi)).astype(np.int32)
    octant = (octant + 1) & ~1  # the nearest even one: the remainder is within pi / 4
    rest: Drawn = x
    for part in _QUARTER_PI:
        rest = multiply_add(octant.astype(np.float32), -part, rest)
    square = rest * rest
    near_cos = multiply_add(
        _polynomial(_COS, square) * square, square, square * np.float32(-0.5)
    ) + np.float32(1)
    near_sin = multiply_add(_polynomial(_SIN, square) * square, rest, rest)
    swap = (octant & 2) != 0
    sin, cos = np.where(swap, near_cos, near_sin), np.where(swap, near_sin, near_cos)
    sin[(octant & 4) != 0] *= -1
    cos[((octant + 2) & 4) != 0] *= -1
    return sin, cos

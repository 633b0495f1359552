"""Selective checkpoints: a policy chooses the operations that are not computed again.

PyTorch's dispatcher sees every operation before it runs. Here, `Selecting` takes the place of the
operations' `forward` while a checkpointed function runs. In the first run it keeps the results that
the policy chooses; in the second one it returns them. Elsewhere selective checkpoints cost nothing.

>>> import minigrad as mg
>>> from functools import partial
>>> from minigrad.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts
>>> keep_products = partial(create_selective_checkpoint_contexts, [mg.ops.aten.mm.default])
>>> x = mg.ones(2, 2, requires_grad=True)
>>> y = checkpoint(lambda x: (x @ x).exp(), x, use_reentrant=False, context_fn=keep_products)
>>> y.sum().backward()  # computes no product again
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from ..core.modes import Mode, modes
from ..core.node import TensorBase, new_tensor
from ..core.views import ViewOperation
from ..ops.aten import OpOverload, OpOverloadPacket, name_of, operations, overload_of

__all__ = [
    "SAC_IGNORED_OPS",
    "CheckpointPolicy",
    "SelectiveCheckpointContext",
    "create_selective_checkpoint_contexts",
]


class CheckpointPolicy(Enum):
    """The answer of a policy. Here "must" and "prefer" are the same."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3


SAVED = (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE, True)
"""The answers by which a result is kept."""

SAC_IGNORED_OPS: frozenset[OpOverload] = frozenset()
"""Operations about which no policy is asked. (PyTorch has those that read sizes and strides.)"""


class SelectiveCheckpointContext:
    """The first argument of a policy."""

    def __init__(self, *, is_recompute: bool, op_output: Any = None) -> None:
        self.is_recompute, self.op_output = is_recompute, op_output


class Kept:
    """The result of an operation: its arrays, and the tensors that have them."""

    def __init__(self, op: Any, value: Any) -> None:
        self.op, self.value = op, value
        self.seen: list[tuple[Any, int]] = []

    def becomes(self, outputs: Sequence[Any]) -> None:
        """Remember the tensors that were made of the result, and their versions."""
        arrays = tuple([out.shared_array() for out in outputs])
        self.value = arrays if type(self.value) is tuple else arrays[0]
        self.seen = [(out.version_counter(), out.version()) for out in outputs]

    def read(self, allow_mutation: bool) -> Any:
        """Return the result.

        Raises:
            RuntimeError: a tensor of it was written since.
        """
        if not allow_mutation and any(counter.value != before for counter, before in self.seen):
            raise RuntimeError(
                "Tensor cached during selective activation checkpoint has been mutated"
            )
        return self.value


AGAIN, TAKEN = "computed again", "taken by the second run"

Storage = dict[OpOverload, list[Any]]
"""For each call of an operation in the first run a `Kept`, `AGAIN` or `TAKEN`."""


class Selecting(Mode):
    """A run of a checkpointed function, which is asked before each operation."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def __enter__(self) -> Any:
        use(1)
        runs.stack.append(self)
        try:
            return super().__enter__()
        except BaseException:
            self.leave()
            raise

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self.leave()

    def leave(self) -> None:
        runs.stack.remove(self)
        use(-1)

    def result(self, op: Any, name: OpOverload, forward: Callable[..., Any], args: Any) -> Any:
        """Return the result of an operation, computed or kept."""
        raise NotImplementedError


class FirstRun(Selecting):
    """Keeps the results that the policy chooses."""

    latest: Kept | None = None

    def __init__(self, policy: Callable[..., Any], storage: Storage) -> None:
        super().__init__(storage)
        self.policy = policy

    def switch(self) -> dict[str, Any]:
        outer = modes.watch

        def watch(node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
            kind = node if isinstance(node, type) else type(node)
            if self.latest is not None and getattr(kind, "leads", kind) is self.latest.op:
                self.latest.becomes([out for out in outputs if isinstance(out, TensorBase)])
            self.latest = None
            if outer is not None:
                outer(node, inputs, outputs)

        return {"watch": watch}

    def result(self, op: Any, name: OpOverload, forward: Callable[..., Any], args: Any) -> Any:
        value = forward(*args)
        output = tuple(map(shown, value)) if type(value) is tuple else shown(value)
        context = SelectiveCheckpointContext(is_recompute=False, op_output=output)
        chosen = self.policy(context, name, *map(shown, args)) in SAVED
        self.latest = Kept(op, value) if chosen else None
        self.storage[name].append(self.latest or AGAIN)
        return value


class SecondRun(Selecting):
    """Returns what the first run has kept."""

    def __init__(self, storage: Storage, allow_mutation: bool) -> None:
        super().__init__(storage)
        self.allow_mutation = allow_mutation

    def switch(self) -> dict[str, Any]:
        self.calls: Counter[OpOverload] = Counter()
        # Products call their `forward` only if someone watches.
        return {"watch": modes.watch or (lambda node, inputs, outputs: None)}

    def result(self, op: Any, name: OpOverload, forward: Callable[..., Any], args: Any) -> Any:
        number, entries = self.calls[name], self.storage.get(name, [])
        self.calls[name] += 1
        if number >= len(entries):
            which = f"{name} invocation index {number}" if entries else f"{name}"
            raise RuntimeError(
                f"{which} encountered during backward but not found in storage: the second run "
                "computes other operations than the first one."
            )
        entry = entries[number]
        if entry is AGAIN:
            return forward(*args)
        if entry is TAKEN:
            raise RuntimeError(
                "Trying to backward an extra time. You are only allowed to backward once on any "
                "region computed under selective activation checkpoint."
            )
        entries[number] = TAKEN
        return entry.read(self.allow_mutation)


def shown(value: Any) -> Any:
    """Return an array as a tensor, and anything else as it is."""
    return new_tensor(value) if hasattr(value, "dtype") else value


# --- The operations, while a function runs


class Runs(threading.local):
    """The runs of a thread, the innermost last, and whether one of its operations is computed."""

    def __init__(self) -> None:
        self.stack: list[Selecting] = []
        self.inside = False


runs = Runs()
lock = threading.Lock()
own: dict[Any, Any] = {}
"""What the operations' classes have as `forward` at other times."""
users = 0
"""In how many runs the threads are."""


def use(count: int) -> None:
    """Enter (1) or leave (-1) a run: the first replaces `forward`, the last restores it."""
    global users
    with lock:
        users += count
        if users and not own:
            for op in operations():
                if "forward" in vars(op) and not issubclass(op, ViewOperation):
                    own[op] = vars(op)["forward"]
            for op, forward in own.items():
                op.forward = Replaced(forward)
        elif not users:
            for op, forward in own.items():
                op.forward = forward
            own.clear()


class Replaced:
    """The attribute `forward` of an operation about which the innermost run decides."""

    def __init__(self, forward: Any) -> None:
        self.forward = forward

    def __get__(self, _: object, op: Any) -> Callable[..., Any]:
        forward: Any = self.forward
        if hasattr(forward, "__get__"):  # a ufunc has none
            forward = forward.__get__(None, op)
        if runs.inside or not runs.stack:
            return forward  # type: ignore[no-any-return]

        def decided(*args: Any) -> Any:
            runs.inside = True
            try:
                name = overload_of(name_of(op).replace("::", "."))
                return runs.stack[-1].result(op, name, forward, args)
            finally:
                runs.inside = False

        return decided


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> tuple[Selecting, Selecting]:
    """Return the contexts of both runs, for `context_fn` of `checkpoint`.

    Args:
        policy_fn_or_list: the operations whose results are kept; or a function of a
            `SelectiveCheckpointContext`, the operation and its arguments that returns a
            `CheckpointPolicy`. Views are always made again.
        allow_cache_entry_mutation: use a kept result that was written since.
    """
    policy = policy_fn_or_list
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            check_overload(op)

        def policy(_: Any, op: OpOverload, *args: Any) -> bool:
            return op in policy_fn_or_list

    elif not callable(policy_fn_or_list):
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    storage: Storage = defaultdict(list)
    return FirstRun(policy, storage), SecondRun(storage, allow_cache_entry_mutation)


def check_overload(op: Any) -> None:
    """Raise for what is no operation; a name without its overload is none."""
    if not isinstance(op, OpOverload):
        hint = (
            "Please update the OpOverloadPacket to a specific OpOverload. For example, if you have "
            "`torch.ops.aten.mm`, change it to `torch.ops.aten.mm.default`."
            if isinstance(op, OpOverloadPacket)
            else ""
        )
        raise ValueError(
            f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}. {hint}"
        )

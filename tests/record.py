"""PyTorch's answers, computed now or read from the record.

A question of a test is a function of the library: `answer(torch, f)` runs `f(torch)`, which returns
plain data. If PyTorch is installed, the record of the test's file must agree. Otherwise the answer
is read from the record. `make record` writes it again: `tests/answers/` has a file for each test
file, JSON in xz. An answer is found by its test and its place among the test's questions. The
record keeps the question's name, so a changed question is noticed.

Random examples are recorded, too: `examples` is hypothesis' `given` for a test with questions. With
PyTorch it draws new ones; the recorded ones run everywhere.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import inspect
import json
import lzma
import os
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from hypothesis import HealthCheck, currently_in_test_context, example, given, settings

from tests.numbers import compare

ANSWERS = Path(__file__).with_name("answers")
try:
    PRESENT = importlib.util.find_spec("torch") is not None
except ImportError:  # an import hook hides it
    PRESENT = False
WRITING = os.environ.get("MINIGRAD_RECORD", "") not in ("", "0")

CHANGED = "PyTorch does not say what was recorded. If it was asked otherwise then: make record"

T = TypeVar("T", bound=type)


class Absent:
    """Stands for PyTorch where it is not installed: only `answer` knows what it would say."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"torch.{name} is not recorded: ask for it by answer(torch, ...)")


def where_present(setting: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A context manager that sets something in PyTorch: where it is absent, it does nothing."""

    @wraps(setting)
    def entered(torch: Any) -> Any:
        return contextlib.nullcontext() if isinstance(torch, Absent) else setting(torch)

    return entered


# --- Plain data as JSON

PLAIN: dict[str, type] = {}


def plain(cls: T) -> T:
    """Let the record keep the objects of a dataclass: what its method `shortened` makes of one, if
    there is such a method."""
    PLAIN[cls.__name__] = cls
    return cls


def packed(value: Any) -> Any:
    """`value` in what JSON has: everything else is a dictionary of one item, named by its kind."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.ndarray):
        flat = value.reshape(-1)
        if value.dtype.kind == "c":
            return {
                "array": [value.dtype.str, value.shape, [[n.real, n.imag] for n in flat.tolist()]]
            }
        # Of half and single precision the shortest text that is read as the same number.
        short = value.dtype.kind == "f" and value.dtype.itemsize < 8
        numbers = [float(str(n)) for n in flat] if short else flat.tolist()
        return {"array": [value.dtype.str, value.shape, numbers]}
    if isinstance(value, np.generic):
        return {"number": packed(np.asarray(value))["array"]}
    if type(value) is list:
        return [packed(item) for item in value]
    if type(value) is tuple:
        return {"tuple": [packed(item) for item in value]}
    if type(value) is dict:
        return {"dict": [[packed(key), packed(item)] for key, item in value.items()]}
    if type(value) is slice:
        return {"slice": [value.start, value.stop, value.step]}
    if type(value) is bytes:
        return {"bytes": value.hex()}
    if type(value) is complex:
        return {"complex": [value.real, value.imag]}
    if value is ...:
        return {"...": None}
    name = type(value).__name__
    assert PLAIN.get(name) is type(value), f"a record cannot keep a {name}"
    shortened = getattr(value, "shortened", None)
    value = value if shortened is None else shortened()
    fields = [getattr(value, field.name) for field in dataclasses.fields(value)]
    return {name: [packed(item) for item in fields]}


def unpacked(value: Any) -> Any:
    """Return the value that `packed` got."""
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, inside),) = value.items()
    match kind:
        case "array":
            dtype, shape, numbers = inside
            if np.dtype(dtype).kind == "c":
                numbers = [complex(*parts) for parts in numbers]
            return np.array(numbers, dtype).reshape(shape)
        case "number":
            return unpacked({"array": inside})[()]
        case "tuple":
            return tuple(unpacked(inside))
        case "dict":
            return {unpacked(key): unpacked(item) for key, item in inside}
        case "slice":
            return slice(*inside)
        case "bytes":
            return bytes.fromhex(inside)
        case "complex":
            return complex(*inside)
        case "...":
            return ...
    return PLAIN[kind](*unpacked(inside))


# --- The files

Answers = list[list[Any]]
"""The questions of a test in order: the name of each, and its packed answer."""


@cache
def recorded(path: Path) -> dict[str, Answers]:
    """The answers in a file, by the test that asked."""
    return json.loads(lzma.decompress(path.read_bytes())) if path.exists() else {}


written: dict[Path, dict[str, Answers]] = {}
"""The answers that this process has recorded."""


# For text of digits: the byte before tells much of the next one, and its place tells nothing.
SMALL = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}


def write() -> None:
    """Put what was written down into the files. What other tests have asked stays there."""
    for path, answers in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        everything = recorded(path) | answers
        text = json.dumps(everything, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
        path.write_bytes(lzma.compress(text.encode(), filters=[SMALL]))


class Running:
    """The test that is running: the file of its answers, its name there, and how many questions it
    has asked."""

    path = ANSWERS
    name = ""
    asked = 0
    recorded = False

    @classmethod
    def begin(cls, test: str, recorded: bool) -> None:
        """`recorded`: whether its answers are. Of a test for real PyTorch they are not."""
        cls.recorded = recorded
        if not recorded:
            return
        file, _, cls.name = test.partition("::")
        cls.path = ANSWERS / Path(file).relative_to("tests").with_suffix(".json.xz")
        cls.asked = 0
        if WRITING:
            written.setdefault(cls.path, {})[cls.name] = []

    @classmethod
    def answers(cls) -> Answers:
        """The test's record: as it is being written, or as it was."""
        return (written[cls.path] if WRITING else recorded(cls.path)).get(cls.name, [])


# --- Asking


def answer(
    torch: Any,
    question: Callable[..., Any],
    *arguments: Any,
    agree: Callable[[Any, Any], None] = compare,
) -> Any:
    """Return `question(torch, *arguments)` as plain data: dataclasses marked `plain`, arrays,
    numbers, texts, and lists, tuples and dictionaries of them.

    `agree(now, recorded)` fails where the two differ by more than processors do.
    """
    name = question.__name__
    here = not isinstance(torch, Absent)
    now = question(torch, *arguments) if here else None
    if not Running.recorded or (currently_in_test_context() and not WRITING):
        return now  # the next run draws other examples
    if WRITING:
        Running.answers().append([name, packed(now)])
        return now
    known, place = Running.answers(), Running.asked
    Running.asked += 1
    if place >= len(known) or known[place][0] != name:
        raise AssertionError(f"there is no record of {name!r}, question {place} here: make record")
    before = unpacked(known[place][1])
    if not here:
        return before
    try:
        agree(now, before)
    except AssertionError as error:
        error.add_note(CHANGED)
        raise
    return now


# --- Examples drawn at random

KEPT = 30
"""Examples of a test that are stored, in addition to its explicit ones."""


def examples(
    *named: dict[str, Any], max_examples: int = 100, **drawn: Any
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """`given(**drawn)` for a test that asks PyTorch, whose first argument is `torch`; each of
    `named` is tried as well."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(torch: Any, **others: Any) -> None:
            def once(**values: Any) -> None:
                if not WRITING:
                    return test(torch, **others, **values)
                answers = Running.answers()
                start = len(answers)
                answers.append(["example", packed(values)])
                try:
                    test(torch, **others, **values)
                except BaseException:  # a failure, or an assumption that does not hold
                    del answers[start:]
                    raise

            if PRESENT:
                once.__qualname__ = test.__qualname__
                drawing = given(**drawn)(once)
                for values in named:
                    drawing = example(**values)(drawing)
                drawing = settings(
                    max_examples=KEPT if WRITING else max_examples,
                    suppress_health_check=[HealthCheck.too_slow],
                    **({"derandomize": True} if WRITING else {}),
                )(drawing)
                drawing()
            if not WRITING:
                for place, values in kept():
                    Running.asked = place
                    once(**values)

        signature = inspect.signature(test)
        shown = [each for name, each in signature.parameters.items() if name not in drawn]
        run.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
        return run

    return decorate


def kept() -> Iterator[tuple[int, dict[str, Any]]]:
    """The recorded examples of the running test, and the place of the first answer to each."""
    found = [
        (place + 1, unpacked(values))
        for place, (name, values) in enumerate(Running.answers())
        if name == "example"
    ]
    assert found, "there is no record of any example here: make record"
    yield from found

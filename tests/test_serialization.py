"""Files: what was saved comes back, nothing else does harm, and a file is complete or not there."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

import minigrad as mg
from tests.parity import same

pytest.importorskip("safetensors")


def state(T: Any) -> Any:
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.BatchNorm1d(3))
    optimizer = T.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    net(T.ones(4, 2)).sum().backward()
    optimizer.step()
    return {"epoch": 3, "net": net.state_dict(), "optimizer": optimizer.state_dict()}


THINGS = {
    "a tensor": lambda T: T.arange(6).reshape(2, 3).t(),
    "that requires grad": lambda T: T.ones(2, requires_grad=True) * 2,
    "a list": lambda T: [T.ones(2), T.zeros(0, 3), 3, "text", None, True, 2.5, (1, [2])],
    "numbers": lambda T: {1: float("inf"), None: -0.0, False: 2**70, 2.5: "é", "": float("nan")},
    "nested": lambda T: {"a.b": T.ones(1), "a": {"b": T.zeros(1), "__metadata__": T.ones(2)}},
    "a tensor of its own name": lambda T: {"__metadata__": T.ones(2), "tensor": T.ones(1)},
    "a checkpoint": state,
    "nothing": lambda T: {},
    "types": lambda T: [T.ones(2, dtype=T.float16), T.tensor([True]), T.ones(1, dtype=T.uint8)],
    "a scalar": lambda T: T.tensor(3.5),
}


@pytest.mark.parametrize("name", THINGS)
def test_load_returns_saved_objects(torch: Any, name: str, tmp_path: Path) -> None:
    def program(T: Any) -> Any:
        path, buffer = tmp_path / T.__name__, io.BytesIO()
        thing = THINGS[name](T)
        T.save(thing, path)
        T.save(thing, buffer)
        buffer.seek(0)
        found = T.load(path, weights_only=True, map_location="cpu")
        print(type(found).__name__, type(T.load(str(path))).__name__)
        again = T.load(buffer, map_location=lambda storage, location: storage)
        return found, again, list(found) if isinstance(found, dict) else None

    same(torch, program)


def test_shared_tensor_is_saved_once(torch: Any) -> None:
    def program(T: Any) -> Any:
        x, buffer = T.ones(1000), io.BytesIO()
        T.save([x, {"again": x}], buffer)
        size = len(buffer.getvalue())
        buffer.seek(0)
        one, other = T.load(buffer)
        return one is other["again"], size < 7000

    same(torch, program)


class Anything:
    """No tensor."""


REFUSED = {
    "an object": (lambda: {"a": [Anything()]}, "not Anything (at 'a.0')"),
    "a set": (lambda: {1, 2}, "not set"),
    "a key": (lambda: {(1, 2): 3}, "no tuple as a key"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_else_is_saved(tmp_path: Path, name: str) -> None:
    make, said = REFUSED[name]
    with pytest.raises(TypeError) as found:
        mg.save(make(), tmp_path / "x")
    assert said in str(found.value)
    assert list(tmp_path.iterdir()) == []


def test_saving_a_cycle_raises(tmp_path: Path) -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(TypeError, match="contains itself"):
        mg.save(endless, tmp_path / "x")


# --- A file is complete or not there


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "net"
    mg.save(mg.ones(2), path)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        mg.save(mg.zeros(1000), path)
    assert mg.load(path).equal(mg.ones(2))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links are those of POSIX")
def test_saving_keeps_file_mode_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "net", tmp_path / "link"
    mg.save(mg.ones(2), path)
    path.chmod(0o640)
    link.symlink_to(path)
    mg.save(mg.zeros(2), link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert mg.load(path).equal(mg.zeros(2))
    mg.save(mg.ones(2), os.devnull)
    assert not stat.S_ISREG(os.stat(os.devnull).st_mode)


# --- Files that are damaged, foreign or hostile


def file_of(header: Any, data: bytes = b"", length: int | None = None) -> bytes:
    """A safetensors file by hand."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def of_type(name: str, size: int) -> bytes:
    return file_of({"x": {"dtype": name, "shape": [1], "data_offsets": [0, size]}}, b"\0" * size)


def with_metadata(metadata: Any) -> bytes:
    return file_of({"__metadata__": metadata})


HOSTILE = {
    "nothing": b"",
    "text": b"hello world, how are you",
    "zeros": b"\0" * 100,
    "cut": of_type("F32", 4)[:-2],
    "too long": of_type("F32", 4) + b"\0",
    "a huge header": file_of({}, length=2**63),
    "a long header": file_of({}, length=10**6),
    "nested": file_of(b"[" * 100_000),
    "nested dictionaries": file_of(b'{"a":' * 100_000),
    "a list": file_of([1, 2]),
    "no type": file_of({"x": {"shape": [1], "data_offsets": [0, 4]}}, b"\0" * 4),
    "a number for a tensor": file_of({"x": 3}),
    "an unhashable type": file_of({"x": {"dtype": [], "shape": [1], "data_offsets": [0, 4]}}),
    "wrong offsets": file_of(
        {"x": {"dtype": "F32", "shape": [9], "data_offsets": [0, 4]}}, b"1234"
    ),
    "a negative size": file_of({"x": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}),
    "metadata of numbers": with_metadata({"structure": 3}),
    "metadata as a list": with_metadata([]),
    "no structure": with_metadata({"structure": "{"}),
    "an unknown kind": with_metadata({"structure": '["exec", "code"]'}),
    "an unknown tensor": with_metadata({"structure": '["tensor", "x", false]'}),
    "half a tensor": with_metadata({"structure": '["tensor", "x"]'}),
    "a key that is a list": with_metadata({"structure": '["dict", [[[1], 2]]]'}),
    "a nested structure": with_metadata({"structure": "[" * 100_000}),
    "BF16": of_type("BF16", 2),
    "U32": of_type("U32", 4),
    "C64": of_type("C64", 8),
    "F8": of_type("F8_E4M3", 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_clear_error(name: str) -> None:
    with pytest.raises(RuntimeError) as found:
        mg.load(io.BytesIO(HOSTILE[name]))
    foreign = len(name) < 5 and name[-1].isdigit()
    words = "The tensor 'x' in this file has elements of type" if foreign else "no safetensors"
    assert words in str(found.value)
    assert found.value.__cause__ is None


@pytest.mark.skipif(os.name != "posix", reason="files of POSIX")
def test_what_never_ends_is_refused(tmp_path: Path) -> None:
    """A pipe would wait for a writer, and /dev/zero would fill the memory."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "link", "/dev/zero"):
        with pytest.raises(RuntimeError, match=f"{path} is a pipe or a device"):
            mg.load(path)


@pytest.mark.parametrize("begin", [b"", b"\x80\x02", (2**45).to_bytes(8, "little") + b"[1"])
def test_vast_file_of_another_format_is_not_read(begin: bytes, tmp_path: Path) -> None:
    """A hole of a terabyte takes no room on the disk."""
    with (tmp_path / "vast").open("wb") as file:
        file.write(begin)
        file.truncate(2**40)
    with pytest.raises(RuntimeError, match="safetensors"):
        mg.load(tmp_path / "vast")


def test_one_clear_error_for_every_damaged_byte() -> None:
    """A file with one changed byte is read, or refused with that error."""
    buffer = io.BytesIO()
    mg.save({"w": mg.ones(2, requires_grad=True), "n": [1, "a"]}, buffer)
    whole = buffer.getvalue()
    for place in range(len(whole)):
        for byte in (0, 34, 57, 125, 255):
            try:
                mg.load(io.BytesIO(whole[:place] + bytes([byte]) + whole[place + 1 :]))
            except RuntimeError as error:
                assert "safetensors" in str(error) or "has elements" in str(error)


@pytest.mark.parametrize("protocol", [2, 5])
def test_a_pickle_is_refused_in_one_sentence(pytorch: Any, protocol: int, tmp_path: Path) -> None:
    """And nothing of it is run."""
    pytorch.save(pytorch.nn.Linear(1, 1), tmp_path / "net", pickle_protocol=protocol)
    old = io.BytesIO()
    pytorch.save(pytorch.ones(1), old, _use_new_zipfile_serialization=False)
    for file in (tmp_path / "net", io.BytesIO(old.getvalue())):
        with pytest.raises(RuntimeError) as refused:
            mg.load(file)
        assert str(refused.value) == (
            "This is a pickle, as torch.save writes it: loading it could run any code, so minigrad "
            "does not. In PyTorch, safetensors.torch.save_file(model.state_dict(), path) writes "
            "what minigrad.load reads."
        )


def test_a_file_of_another_library(pytorch: Any, tmp_path: Path) -> None:
    """Its tensors by name, in the order of the file; and PyTorch's users read ours so."""
    library = pytest.importorskip("safetensors.torch")
    library.save_file({"b": pytorch.zeros(1), "a": pytorch.ones(2)}, tmp_path / "theirs")
    assert repr(mg.load(tmp_path / "theirs")) == repr(OrderedDict(a=mg.ones(2), b=mg.zeros(1)))
    mg.save({"net": {"w": mg.ones(2)}, "epoch": 1}, tmp_path / "ours")
    assert {k: v.tolist() for k, v in library.load_file(tmp_path / "ours").items()} == {
        "net.w": [1.0, 1.0]
    }


def test_where_to() -> None:
    buffer = io.BytesIO()
    mg.save(mg.ones(1), buffer)
    for place in ("cpu", mg.device("cpu"), {"cuda:0": "cpu"}, None):
        buffer.seek(0)
        assert mg.load(buffer, map_location=place).device == mg.device("cpu")
    buffer.seek(0)
    with pytest.raises(TypeError, match="'float' object is not callable"):
        mg.load(buffer, map_location=2.5)
    if not mg.cuda.is_available():
        with pytest.raises(RuntimeError, match="No CUDA GPUs are available"):
            mg.load(buffer, map_location="cuda")

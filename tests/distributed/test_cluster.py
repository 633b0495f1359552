"""A client of a cluster: keys against strangers, and what is imported when."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minigrad.distributed import connect, write_keys
from minigrad.distributed.cluster import security

pytest.importorskip("distributed", reason="Dask is not installed (pip install '.[dist]')")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys") / "cluster"
    write_keys(folder)
    return folder


@pytest.fixture(scope="module")
def address(keys: Path) -> Iterator[str]:
    """A cluster with keys, as on several machines, in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1,
        processes=False,
        protocol="tls",
        host="127.0.0.1",
        security=security(keys),
        dashboard_address=None,
    ) as cluster:
        yield cluster.scheduler_address


def test_who_has_the_keys_gets_in(address: str, keys: Path) -> None:
    assert address.startswith("tls://")
    with connect(address, keys=keys) as client:
        assert client.submit(pow, 2, 10).result() == 1024


def test_missing_keys_are_named(address: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no_keys"):
        connect(address, keys=tmp_path / "no_keys")


@pytest.mark.parametrize("which", ["cluster.pem", "cluster-key.pem"])
@pytest.mark.parametrize("content", [b"", b"\0" * 99, b"no key", "\u3042".encode("utf-16"), None])
def test_damaged_keys_are_named(which: str, content: bytes | None, tmp_path: Path) -> None:
    """OpenSSL says that the PEM library failed, and of a key with a password it asks for that."""
    write_keys(tmp_path)
    path = tmp_path / which
    if content is None:
        content = locked(path) if "key" in which else path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"{re.escape(str(path))}.* are no keys"):
        connect("tls://127.0.0.1:1", keys=tmp_path)


def locked(path: Path) -> bytes:
    """Return a key with a password."""
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_pem_private_key(path.read_bytes(), None)
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )


def test_keys_of_two_clusters_are_refused(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_keys(tmp_path / name)
    (tmp_path / "other" / "cluster.pem").replace(tmp_path / "one" / "cluster.pem")
    with pytest.raises(ValueError, match=r"are no keys: .*mismatch"):
        connect("tls://127.0.0.1:1", keys=tmp_path / "one")


def test_no_stranger_gets_in(address: str, tmp_path: Path) -> None:
    """Neither without keys, nor with keys of his own, nor without TLS."""
    write_keys(tmp_path / "own")
    own = security(tmp_path / "own")
    from distributed import Client

    for other, held in ((address, own), (address.replace("tls", "tcp"), None)):
        with pytest.raises(OSError):
            Client(other, security=held, timeout=1)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_a_silent_port_is_named(scheme: str, keys: Path) -> None:
    """A port that accepts connections, and behind which no scheduler answers."""
    import dask

    soon = {"distributed.comm.timeouts.connect": "500ms"}
    with socket.create_server(("127.0.0.1", 0)) as server, dask.config.set(soon):
        address = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(OSError, match=re.escape(address)):
            connect(address, keys=keys if scheme == "tls" else None)


STRANGE = {
    "zeros": bytes(99),
    "a vast frame": b"\1" * 99,
    "a web server": b"HTTP/1.1 400 Bad\r\n\r\n",
}


@pytest.mark.parametrize("answer", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_a_port_that_talks_nonsense_is_named(scheme: str, answer: bytes, keys: Path) -> None:
    """Dask raises MemoryError, struct.error, ValueError, or an OSError without a word."""

    def talk() -> None:
        connection, _ = server.accept()
        with connection:
            connection.sendall(answer)
            connection.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=talk, daemon=True).start()
        address = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(OSError, match=re.escape(address)):
            connect(address, keys=keys if scheme == "tls" else None)


FULL = """
import resource, sys
from minigrad.distributed import write_keys
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
write_keys(sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a limit of POSIX")
def test_full_disk_leaves_no_half_key(tmp_path: Path) -> None:
    """It would be in the way of the next attempt."""
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "File too large" in done.stderr
    assert os.listdir(tmp_path) == []
    write_keys(tmp_path)


def test_key_is_private_and_never_overwritten(keys: Path) -> None:
    mode = stat.S_IMODE((keys / "cluster-key.pem").stat().st_mode)
    assert mode == 0o600 or os.name == "nt"
    before = {path: path.read_bytes() for path in keys.iterdir()}
    with pytest.raises(FileExistsError):
        write_keys(keys)
    assert {path: path.read_bytes() for path in keys.iterdir()} == before


@pytest.mark.parametrize("address", ["tcp://10.0.0.1:8786", "10.0.0.1:8786", "ws://cluster:80"])
def test_another_machine_without_keys_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"is another machine, and .*write_keys.*encrypted=False"):
        connect(address)


def test_only_connect_imports_dask() -> None:
    program = "import sys, minigrad.distributed; print('distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"minigrad-lab\[dist\]"):
        connect()


def test_the_size_of_a_tensor_is_known() -> None:
    """Otherwise Dask takes a shard for something small and moves it to the next idle worker."""
    from dask.sizeof import sizeof

    import minigrad as mg

    big: Any = mg.ones(1000, 1000)
    assert sizeof((big,)) > 4_000_000


STRANGER = """
import sys
from distributed import Client
from minigrad.distributed.cluster import security
folder, *addresses = sys.argv[1:]
for address in addresses:
    for other, held in ((address, security(folder)), (address.replace("tls", "tcp"), None)):
        try:
            Client(other, security=held, timeout=1)
        except OSError:
            print("refused")
"""


@pytest.mark.parametrize("own", [False, True])
def test_a_local_cluster_refuses_strangers(keys: Path, tmp_path: Path, own: bool) -> None:
    """Another user of the machine has no key, or another one."""
    others = tmp_path / "others"
    write_keys(others)
    with connect(workers=1, keys=keys if own else None) as client:
        assert client.submit(pow, 2, 3).result() == 8
        addresses = [client.scheduler.address, *client.nthreads()]
        assert all(address.startswith("tls://127.0.0.1:") for address in addresses)
        command = [sys.executable, "-c", STRANGER, str(others), *addresses]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.stdout.split() == ["refused"] * 4, run.stderr

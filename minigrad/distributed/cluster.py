"""Clients of Dask, for local workers or a cluster, and the keys of a cluster.

Dask sends functions as pickles, so every process that can connect to a scheduler or a worker can
run code there. A cluster of several machines therefore accepts only connections with its key: both
ends prove it by TLS before the first message is read.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import ssl
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from distributed import Client

FILES = {"cert": "cluster.pem", "key": "cluster-key.pem"}
HERE = ("127.0.0.1", "localhost", "::1")
ROLES = ("client", "scheduler", "worker")
KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": 2**26, "MALLOC_MMAP_THRESHOLD_": 2**25}
"""Let the C library keep what a step frees for the next one; Dask's own limit costs page faults."""


def connect(
    address: str | None = None,
    workers: int = 2,
    *,
    keys: str | Path | None = None,
    encrypted: bool = True,
) -> Client:
    """Return a Dask client of the scheduler at `address`, or of a local cluster of `workers`.

    A local cluster ends with its client, and has keys of its own unless `keys` names some. A
    scheduler on another machine needs the folder `keys` that `write_keys` has written, or keys in
    Dask's configuration. Without keys, ValueError is raised unless `encrypted=False` says that
    strangers cannot reach the network. Raises ValueError for damaged keys, ImportError without
    Dask, and OSError if the scheduler does not answer.

    >>> with connect(workers=1) as client:
    ...     client.submit(pow, 2, 10).result()
    1024
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError(
            "minigrad.distributed needs Dask: pip install 'minigrad-lab[dist]'"
        ) from error
    options: dict[str, Any] = {} if keys is None else {"security": security(keys)}
    if address is None:
        return local(workers, **options)
    there = urlsplit(address if "://" in address else f"tcp://{address}")
    safe = there.scheme in ("tls", "wss", "inproc") or there.hostname in HERE
    if encrypted and not safe:
        raise ValueError(
            f"{address} is another machine, and everyone who can connect to a Dask cluster can run "
            "code there. Give it keys (minigrad.distributed.write_keys) and connect to tls://..., "
            "or say encrypted=False if no stranger can reach that network"
        )
    if there.scheme != "inproc":
        check_answers(there.geturl(), options.get("security"))
    return Client(address, **options)


def check_answers(address: str, keys: Any) -> None:
    """Raise OSError if no scheduler answers: Dask waits forever at a port that stays silent."""
    import dask
    from dask.utils import parse_timedelta
    from distributed.comm import core
    from distributed.security import Security

    limit = parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    options = (keys or Security()).get_connection_args("client")

    async def ask() -> None:
        try:
            connection = await asyncio.wait_for(core.connect(address, **options), limit)
        except Exception as error:
            raise OSError(f"no scheduler answers at {address}: {error!r}") from None
        await connection.close()

    # In a thread, since a notebook runs an event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, ask()).result()


def local(workers: int, **options: Any) -> Client:
    """Return a client with a cluster of its own on this machine, which ends with the client."""
    import dask
    from distributed import Client, LocalCluster, SpecCluster
    from distributed.security import Security

    class Cluster(LocalCluster):
        def _update_worker_status(self, op: str, message: Any) -> None:
            # Dask's own method gives up a worker that takes 15 seconds to start again, as on a
            # loaded machine, and stops with KeyError at a worker of which it has not heard.
            with contextlib.suppress(KeyError):
                super(SpecCluster, self)._update_worker_status(op, message)  # type: ignore[no-untyped-call]

    class Owner(Client):
        def close(self, *given: Any, **named: Any) -> Any:
            super().close(*given, **named)  # type: ignore[no-untyped-call]
            return self.cluster.close()  # type: ignore[union-attr]

    # Another user of this machine could run code here without a key. This one is thrown away.
    options.setdefault("security", Security.temporary())
    settings: dict[str, Any] = {f"distributed.{role}.http.routes": [] for role in ROLES[1:]}
    settings["distributed.nanny.pre-spawn-environ"] = KEEP_MEMORY
    with dask.config.set(settings):
        started = Cluster(  # type: ignore[no-untyped-call]
            n_workers=workers,
            threads_per_worker=1,  # the parallelism is that of the processes
            protocol="tls",
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,  # a worker's death is expected
            **options,
        )
    return Owner(started)  # type: ignore[no-untyped-call]


def security(keys: str | Path) -> Any:
    """Return Dask's settings for the keys: the same for client, scheduler and workers."""
    from distributed.security import Security

    # `strict` raises an error that names the missing file; Dask's own names none.
    files = {each: str(Path(keys, name).resolve(strict=True)) for each, name in FILES.items()}
    try:
        trusted = ssl.create_default_context(cafile=files["cert"])
        trusted.load_cert_chain(files["cert"], files["key"], password="")
    except OSError as error:
        raise ValueError(f"{' and '.join(files.values())} are no keys: {error}") from None
    named = {f"tls_{role}_{kind}": file for role in ROLES for kind, file in files.items()}
    return Security(require_encryption=True, tls_ca_file=files["cert"], **named)


def write_keys(folder: str | Path) -> None:
    """Write the keys of a new cluster into `folder`; they are valid for a year.

    Copy the folder to the machines of the cluster only: every owner of a copy can run code there.
    Raises FileExistsError if the folder has keys, and ImportError without the package
    `cryptography`.
    """
    from distributed.security import Security

    made = Security.temporary()
    Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.ExitStack() as undo:
        for kind in ("key", "cert"):
            path = Path(folder, FILES[kind])
            # For the owner alone from the first moment on.
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            undo.callback(path.unlink)
            with open(number, "w", encoding="ascii") as file:
                file.write(getattr(made, f"tls_client_{kind}"))
        undo.pop_all()

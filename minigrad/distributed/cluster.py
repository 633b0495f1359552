"""A client of Dask, of workers here or of a cluster elsewhere, and keys against strangers.

Dask sends functions as pickles, so whoever can speak to a scheduler or a worker runs code there. On
a cluster of several machines nobody may, therefore, who does not hold its key: both ends of each
connection prove by TLS that they do, before the first byte of a message is read.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from distributed import Client

CERTIFICATE, KEY = "cluster.pem", "cluster-key.pem"
HERE = ("127.0.0.1", "localhost", "::1")


def connect(
    address: str | None = None,
    workers: int = 2,
    *,
    keys: str | Path | None = None,
    encrypted: bool = True,
) -> Client:
    """A Dask client: of the scheduler at `address`, or of a local cluster of `workers` processes.

    A local cluster ends with its client. A scheduler on another machine is reached with the `keys`
    that `write_keys` has put into a folder, or those of Dask's own configuration; without any,
    ValueError, unless `encrypted=False` says that the network is closed to strangers. ImportError
    without Dask; OSError if nobody answers.

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
    new: Any = Client  # which is not typed
    options: dict[str, Any] = {}
    if keys is not None:
        options["security"] = security(keys)
    if address is not None:
        there = urlsplit(address if "://" in address else f"tcp://{address}")
        safe = there.scheme in ("tls", "wss", "inproc") or there.hostname in HERE
        if encrypted and not safe:
            raise ValueError(
                f"{address} is another machine, and a Dask cluster runs whatever it is sent by "
                "anybody. Give it keys (minigrad.distributed.write_keys) and connect to tls://..., "
                "or say encrypted=False if no stranger can reach that network"
            )
        return new(address, **options)  # type: ignore[no-any-return]
    # One thread each: the parallelism is that of the processes. A worker's death is expected here
    # and no reason to write to the terminal.
    return new(  # type: ignore[no-any-return]
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",  # any free port: several clusters may run at once
        silence_logs=logging.CRITICAL,
        **({"protocol": "tls"} if keys is not None else {}),
        **options,
    )


def security(keys: str | Path) -> Any:
    """Dask's word for keys: the same for client, scheduler and workers."""
    from distributed.security import Security

    files = {"cert": str(Path(keys) / CERTIFICATE), "key": str(Path(keys) / KEY)}
    roles = ("client", "scheduler", "worker")
    named = {f"tls_{role}_{kind}": file for role in roles for kind, file in files.items()}
    new: Any = Security  # which is not typed
    return new(require_encryption=True, tls_ca_file=files["cert"], **named)


def write_keys(folder: str | Path) -> None:
    """Make the keys of a new cluster, and write them into `folder`; they hold for a year.

    Copy the folder to every machine of the cluster, and to nobody else: whoever has it may run
    anything there. FileExistsError if there are keys already; ImportError without the package
    `cryptography`.
    """
    from distributed.security import Security

    made = Security.temporary()  # type: ignore[no-untyped-call]
    Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, text in ((KEY, made.tls_client_key), (CERTIFICATE, made.tls_client_cert)):
        # For the owner alone from the first moment on.
        number = os.open(Path(folder) / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(number, "w") as file:
            file.write(text)

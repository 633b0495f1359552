"""Run the commands of the README's section "Start", as a newcomer does on this system.

Only a machine without any installation shows that these commands work. The script needs Python
alone.

    python tools/newcomer.py --list     print the commands
    python tools/newcomer.py            run them, in this folder and in a new one

A command that opens JupyterLab ends when the server answers; the server is then stopped. After each
part, the README's first program must print its documented output.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE = 900
"""Seconds to wait for a server; `make lab` makes the environment first."""

OPENS_JUPYTERLAB = re.compile(r"^make lab$|\bjupyter lab\b|^minigrad-lab\b")
WINDOWS = os.name == "nt"
PROGRAMS = "Scripts" if WINDOWS else "bin"


def section(root: Path) -> str:
    """Return the README's section "Start"."""
    text = (root / "README.md").read_text(encoding="utf-8")
    return text.partition("## Start\n")[2].partition("\n## ")[0]


def blocks(text: str, kind: str) -> list[list[str]]:
    """Return the commands of each fenced block of a kind."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)
    return [[line.partition("  #")[0].strip() for line in block.splitlines()] for block in found]


def checkout(root: Path, windows: bool) -> list[str]:
    """Return the commands for a reader with a checkout."""
    return blocks(section(root), "bat" if windows else "sh")[0]


def wheel(root: Path) -> list[str]:
    """Return the commands for a reader with a wheel, after the command that makes it."""
    text = section(root)
    making = re.search(r"`(pip wheel [^`]+)`", text)
    assert making, "the README has no command that makes the wheel"
    return [making[1], *blocks(text, "sh")[1]]


def arguments_of(command: str, path: str | None) -> list[str] | str:
    """Split a command; cmd.exe splits lines with a backslash itself."""
    if "\\" in command:
        return command
    name, *others = shlex.split(command)
    return [shutil.which(name, path=path) or name, *others]


def run(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command to its end, or until its JupyterLab answers."""
    print(f"$ {command}", flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as runtime:
        started = subprocess.Popen(
            arguments_of(command, environment.get("PATH")),
            cwd=folder,
            env={**environment, "JUPYTER_RUNTIME_DIR": runtime},
            shell="\\" in command,
        )
        try:
            if OPENS_JUPYTERLAB.search(command):
                stop(answering(Path(runtime), started))
            status = started.wait()
        finally:
            started.kill()
    if status:
        raise SystemExit(f"{command}: it ended with status {status}")


def answering(runtime: Path, started: subprocess.Popen[bytes]) -> tuple[str, str]:
    """Wait for the server with these runtime files, and return its address and token."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and started.poll() is None:
        with suppress(OSError, ValueError):  # the file is missing or incomplete
            for file in runtime.glob("jpserver-*.json"):
                server = json.loads(file.read_text(encoding="utf-8"))
                request_url(server["url"] + "api/status", server["token"])
                return server["url"], server["token"]
        time.sleep(0.2)
    raise SystemExit("JupyterLab did not start")


def stop(server: tuple[str, str]) -> None:
    address, token = server
    print(f"JupyterLab answers at {address}", flush=True)
    request_url(address + "api/shutdown", token, method="POST")


def request_url(address: str, token: str, method: str = "GET") -> None:
    headers = {"Authorization": f"token {token}"}
    request = urllib.request.Request(address, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=60):
        pass


def first_program(root: Path) -> tuple[str, str]:
    """Return the README's first program and its output."""
    text = (root / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.M | re.S)
    assert found
    return found[1], found[2]


def prove(python: Path, folder: Path) -> None:
    """Raise unless the installed engine prints the documented output of the first program."""
    program, output = first_program(ROOT)
    printed = subprocess.run(
        [python, "-c", program], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    if printed != output:
        raise SystemExit(f"the first program prints\n{printed}and not\n{output}")
    print("The first program prints its documented output.", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python tools/newcomer.py")
    parser.add_argument("--list", action="store_true", help="print the commands")
    if parser.parse_args(arguments).list:
        print("\n".join([*checkout(ROOT, WINDOWS), *wheel(ROOT)]))
        return 0
    kept = {n: v for n, v in os.environ.items() if n not in ("PYTHONPATH", "VIRTUAL_ENV")}
    if not WINDOWS:
        kept["BROWSER"] = "true"  # a program that does nothing
    for command in checkout(ROOT, WINDOWS):
        run(command, ROOT, kept)
    prove(ROOT / ".venv" / PROGRAMS / "python", ROOT)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        venv.create(folder / "own", with_pip=True)
        programs = folder / "own" / PROGRAMS
        own = {**kept, "PATH": os.pathsep.join([str(programs), kept["PATH"]])}
        making, *others = wheel(ROOT)
        run(f"{making[:-1]} {shlex.quote(ROOT.as_posix())}", folder, own)
        for command in others:
            run(command, folder, own)
        prove(programs / "python", folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

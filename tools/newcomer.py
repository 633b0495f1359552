"""What a newcomer types, typed: the commands of the README's section "Start" on this system.

Nobody who works here types them, so only a machine that begins with nothing can say that they
work. It needs nothing but Python.

    python tools/newcomer.py --list     which commands
    python tools/newcomer.py            all of them, in this folder and in one of its own

A command that opens JupyterLab is done when the server answers, which is then told to stop. At the
end of each part the README's first program must print what the README says.
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
"""Seconds until a server has to answer: `make lab` first makes the environment."""

OPENS_JUPYTERLAB = re.compile(r"^make lab$|\bjupyter lab\b|^minigrad-lab\b")
WINDOWS = os.name == "nt"
PROGRAMS = "Scripts" if WINDOWS else "bin"


def section(root: Path) -> str:
    """The README's section "Start"."""
    text = (root / "README.md").read_text(encoding="utf-8")
    return text.partition("## Start\n")[2].partition("\n## ")[0]


def blocks(text: str, kind: str) -> list[list[str]]:
    """The commands in each fenced block of a kind."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)
    return [[line.partition("  #")[0].strip() for line in block.splitlines()] for block in found]


def checkout(root: Path, windows: bool) -> list[str]:
    """The commands of whoever has this folder."""
    return blocks(section(root), "bat" if windows else "sh")[0]


def wheel(root: Path) -> list[str]:
    """The commands of whoever has the wheel alone, after the one that makes it."""
    text = section(root)
    making = re.search(r"`(pip wheel [^`]+)`", text)
    assert making, "the README does not say how the wheel is made"
    return [making[1], *blocks(text, "sh")[1]]


def words(command: str, path: str | None) -> list[str] | str:
    """A command as this system starts it: cmd.exe reads lines of its own kind itself."""
    if "\\" in command:
        return command
    name, *others = shlex.split(command)
    return [shutil.which(name, path=path) or name, *others]


def run(command: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command to its end, or until the JupyterLab that it opens has answered."""
    print(f"$ {command}", flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as runtime:
        started = subprocess.Popen(
            words(command, environment.get("PATH")),
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
    """Address and token of the server that keeps its runtime files there, once it answers."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and started.poll() is None:
        with suppress(OSError, ValueError):  # not yet there, or not yet written in full
            for file in runtime.glob("jpserver-*.json"):
                server = json.loads(file.read_text(encoding="utf-8"))
                asked(server["url"] + "api/status", server["token"])
                return server["url"], server["token"]
        time.sleep(0.2)
    raise SystemExit("JupyterLab did not start")


def stop(server: tuple[str, str]) -> None:
    address, token = server
    print(f"JupyterLab answers at {address}", flush=True)
    asked(address + "api/shutdown", token, method="POST")


def asked(address: str, token: str, method: str = "GET") -> None:
    headers = {"Authorization": f"token {token}"}
    request = urllib.request.Request(address, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=60):
        pass


def first_program(root: Path) -> tuple[str, str]:
    """The README's first program, and what it prints."""
    text = (root / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.M | re.S)
    assert found
    return found[1], found[2]


def prove(python: Path, folder: Path) -> None:
    """What was installed runs the first program."""
    program, says = first_program(ROOT)
    printed = subprocess.run(
        [python, "-c", program], cwd=folder, check=True, capture_output=True, text=True
    ).stdout
    if printed != says:
        raise SystemExit(f"the first program prints\n{printed}and not\n{says}")
    print("The first program prints what the README says.", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python tools/newcomer.py")
    parser.add_argument("--list", action="store_true", help="only say which commands")
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

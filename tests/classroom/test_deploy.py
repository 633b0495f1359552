"""The files for a class agree: a server and a cluster start the same program, equally limited."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
config = pytest.importorskip("traitlets.config", reason="traitlets is not installed")


@pytest.fixture(scope="module")
def values(root: Path) -> dict[str, Any]:
    return yaml.safe_load((root / "deploy" / "zero-to-jupyterhub" / "values.yaml").read_text())


def loaded(file: Path) -> Any:
    """The settings that JupyterHub would read from a configuration file."""
    settings = config.Config()
    exec(compile(file.read_text(), str(file), "exec"), {"get_config": lambda: settings})
    return settings


def test_a_cluster_is_configured_like_one_server(root: Path, values: dict[str, Any]) -> None:
    settings = loaded(root / "deploy" / "jupyterhub_config.py")
    student = values["singleuser"]
    started = [*settings.Spawner.cmd, *settings.Spawner.args]
    assert student["cmd"][1:] == started[1:]
    assert started[1:3] == ["-m", "minigrad_lessons.singleuser"]
    assert student["defaultUrl"] == settings.Spawner.default_url
    assert student["startTimeout"] == settings.Spawner.start_timeout
    assert student["extraEnv"] == settings.Spawner.environment
    assert student["memory"]["limit"] == settings.Spawner.mem_limit
    assert values["hub"]["concurrentSpawnLimit"] == settings.JupyterHub.concurrent_spawn_limit
    assert settings.Spawner.http_timeout >= settings.Spawner.start_timeout
    assert settings.JupyterHub.concurrent_spawn_limit == 0  # a class is not turned away
    (culler,) = settings.JupyterHub.services
    assert values["cull"]["enabled"]
    assert f"--timeout={values['cull']['timeout']}" in culler["command"]


@pytest.mark.parametrize(
    ("authenticator", "starts"),
    [
        (None, False),  # the chart's own choice is the dummy
        ("choose-one", False),
        ("dummy", False),
        ("jupyterhub.auth.DummyAuthenticator", False),
        ("null", False),  # lets nobody in, and nobody be told apart
        ("pam", True),
    ],
)
def test_a_cluster_starts_only_with_a_login_of_the_schools_own(
    values: dict[str, Any], tmp_path: Path, authenticator: str | None, starts: bool
) -> None:
    """JupyterHub itself is started as the chart does: the values, then what follows them. (It
    leaves again as soon as it has read them, when it is asked for its configuration.)"""
    pytest.importorskip("jupyterhub", reason="JupyterHub is not installed")
    hub = values["hub"]
    assert hub["config"]["JupyterHub"]["authenticator_class"] == "choose-one"
    lines = ["c = get_config()"]
    if authenticator is not None:
        lines.append(f"c.JupyterHub.authenticator_class = {authenticator!r}")
    (tmp_path / "config.py").write_text("\n".join([*lines, *hub["extraConfig"].values()]))
    command = [sys.executable, "-m", "jupyterhub", "--config=config.py", "--show-config"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (done.returncode == 0) is starts, done.stderr
    assert ("choose your school's login" in done.stderr) is not starts


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets two hold a port")
def test_a_server_gets_a_port_that_nobody_else_does(root: Path) -> None:
    spawner = SimpleNamespace()
    loaded(root / "deploy" / "jupyterhub_config.py").Spawner.pre_spawn_hook(spawner)
    place = ("127.0.0.1", spawner.port)
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(place)
    with socket.create_server(place), socket.create_connection(place):  # as the server does
        pass
    spawner.held.close()


def test_the_script_for_one_server_installs_what_the_hub_then_reads(
    root: Path, tmp_path: Path
) -> None:
    """On a copy of the folders that The Littlest JupyterHub makes, with programs that only note
    how they were called.
    """
    for program in ("user/bin/python", "user/bin/jupyter", "hub/bin/tljh-config"):
        path = tmp_path / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho {path.name} "$@" >> {tmp_path}/calls\n')
        path.chmod(0o755)
    script = root / "deploy" / "tljh" / "install.sh"
    subprocess.run([script], env=os.environ | {"TLJH": str(tmp_path)}, check=True, timeout=300)
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls[0] == f"python -m pip install --quiet --upgrade {root}[lab]"
    assert calls[1] == "python -m minigrad_lessons.keys remove all"
    assert calls[-1] == "tljh-config reload"
    settings = loaded(tmp_path / "config" / "jupyterhub_config.d" / "minigrad.py")
    assert settings.Spawner.cmd[0] == str(tmp_path / "user" / "bin" / "python")
    assert settings.Spawner.mem_limit == "1G"
    assert "services" not in settings.JupyterHub  # it has a culler of its own
    for marked, call in [("02 03", "keys remove 02 03"), ("none", "labextension")]:
        (tmp_path / "calls").unlink()
        variables = {"TLJH": str(tmp_path), "MARKED": marked}
        subprocess.run([script], env=os.environ | variables, check=True, timeout=300)
        assert call in (tmp_path / "calls").read_text().splitlines()[1]

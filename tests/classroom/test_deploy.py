"""The files for a class agree: a server and a cluster start the same program, equally limited."""

from __future__ import annotations

import getpass
import os
import pwd
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.classroom.readable import readable_python

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
config = pytest.importorskip("traitlets.config", reason="traitlets is not installed")


@pytest.fixture(scope="module")
def values(root: Path) -> dict[str, Any]:
    return yaml.safe_load((root / "deploy" / "zero-to-jupyterhub" / "values.yaml").read_text())


def loaded(file: Path) -> Any:
    """The settings that JupyterHub would read from a configuration file."""
    settings = config.Config()
    names = {"get_config": lambda: settings, "c": settings}
    kept = os.umask(0o077)
    try:
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    finally:
        os.umask(kept)
    return settings


def test_a_cluster_is_configured_like_one_server(root: Path, values: dict[str, Any]) -> None:
    settings = loaded(root / "deploy" / "jupyterhub_config.py")
    student = values["singleuser"]
    started = [*settings.Spawner.cmd, *settings.Spawner.args]
    assert student["cmd"][1:] == started[1:]
    assert started[1:3] == ["-m", "minigrad_lessons.lab.singleuser"]
    assert student["defaultUrl"] == settings.Spawner.default_url
    assert student["startTimeout"] == settings.Spawner.start_timeout
    assert student["extraEnv"] == settings.Spawner.environment
    assert student["memory"]["limit"] == settings.Spawner.mem_limit
    assert student["cpu"]["limit"] == settings.Spawner.cpu_limit
    assert values["hub"]["concurrentSpawnLimit"] == settings.JupyterHub.concurrent_spawn_limit
    assert settings.Spawner.http_timeout >= settings.Spawner.start_timeout
    assert settings.JupyterHub.authenticator_class == "pam"  # who has an account
    assert settings.JupyterHub.concurrent_spawn_limit == 0  # a class is not turned away
    (culler,) = settings.JupyterHub.services
    assert values["cull"]["enabled"]
    assert f"--timeout={values['cull']['timeout']}" in culler["command"]


@pytest.mark.sampled("COURSE", 3)
@pytest.mark.parametrize(
    ("authenticator", "starts"),
    [
        (None, False),  # the chart's own choice is the dummy
        ("choose-one", False),
        ("dummy", False),
        ("jupyterhub.auth.DummyAuthenticator", False),
        ("null", False),  # admits no user
        ("pam", True),
    ],
)
def test_cluster_needs_a_login_of_the_school(
    values: dict[str, Any], tmp_path: Path, authenticator: str | None, starts: bool
) -> None:
    """JupyterHub starts as with the chart: the values, then the lines after them.

    It prints its configuration and ends.
    """
    hub = values["hub"]
    assert hub["config"]["JupyterHub"]["authenticator_class"] == "choose-one"
    lines = ["c = get_config()"]
    if authenticator is not None:
        lines.append(f"c.JupyterHub.authenticator_class = {authenticator!r}")
    (tmp_path / "config.py").write_text("\n".join([*lines, *hub["extraConfig"].values()]))
    done = started(tmp_path)
    assert (done.returncode == 0) is starts, done.stderr
    assert ("choose your school's login" in done.stderr) is not starts


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets two hold a port")
def test_server_gets_an_unused_port(root: Path) -> None:
    user = SimpleNamespace(name=getpass.getuser())
    spawner = SimpleNamespace(user=user)
    loaded(root / "deploy" / "jupyterhub_config.py").Spawner.pre_spawn_hook(spawner)
    place = ("127.0.0.1", spawner.port)
    for option in (None, socket.SO_REUSEADDR):
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            if option is not None:
                other.setsockopt(socket.SOL_SOCKET, option, 1)
            other.bind(place)
    # As the server does: singleuser.py lets Tornado ask for its user's own.
    program = (
        "import sys\n"
        "from minigrad_lessons.lab import singleuser\n"
        "singleuser.share_port()\n"
        "from tornado.tcpserver import TCPServer\n"
        "TCPServer().listen(int(sys.argv[1]), '127.0.0.1')\n"
    )
    subprocess.run([sys.executable, "-c", program, str(spawner.port)], check=True, timeout=300)
    spawner.held.close()


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only root holds a port in another's name"
)
def test_other_users_cannot_take_student_port(root: Path) -> None:
    """Another user's process on the port would be taken for the student's server."""
    for name, reached in (("games", True), ("daemon", False)):
        spawner = SimpleNamespace(user=SimpleNamespace(name="games"))
        loaded(root / "deploy" / "jupyterhub_config.py").Spawner.pre_spawn_hook(spawner)
        program = (
            "import socket, sys\n"
            "place = ('127.0.0.1', int(sys.argv[1]))\n"
            "for options in ([], [socket.SO_REUSEADDR], [socket.SO_REUSEPORT],\n"
            "                [socket.SO_REUSEADDR, socket.SO_REUSEPORT]):\n"
            "    with socket.socket() as taken:\n"
            "        for option in options:\n"
            "            taken.setsockopt(socket.SOL_SOCKET, option, 1)\n"
            "        try:\n"
            "            taken.bind(place)\n"
            "            taken.listen()\n"
            "            sys.exit(7)\n"
            "        except OSError:\n"
            "            pass\n"
        )
        done = subprocess.run(
            [readable_python(), "-I", "-c", program, str(spawner.port)],
            user=name, group=pwd.getpwnam(name).pw_gid, extra_groups=[], cwd="/", timeout=300,
        )  # fmt: skip
        assert (done.returncode == 7) is reached
        spawner.held.close()


def test_hub_overrides_earlier_open_configuration(root: Path, tmp_path: Path) -> None:
    """Files are read one after the other, as by The Littlest JupyterHub."""
    ours = f"load_subconfig({str(root / 'deploy' / 'jupyterhub_config.py')!r})"
    dummy = "c = get_config()\nc.JupyterHub.authenticator_class = 'dummy'\n"
    (tmp_path / "config.py").write_text(f"{dummy}{ours}\n")
    done = started(tmp_path)
    assert done.returncode == 0 and "authenticator_class = 'pam'" in done.stdout, done.stdout


def started(folder: Path) -> subprocess.CompletedProcess[str]:
    """JupyterHub with a folder's config.py. (It leaves as soon as it has read it.)"""
    pytest.importorskip("jupyterhub", reason="JupyterHub is not installed")
    command = [sys.executable, "-m", "jupyterhub", "--config=config.py", "--show-config"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


# A program that only notes how it was called; asked for an environment, it makes one with itself.
NOTES = """#!/bin/sh
echo {name} "$@" >> {calls}
[ "$2" != venv ] || {{ mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; }}
"""


def fake_tljh(folder: Path) -> dict[str, str]:
    """The folders that The Littlest JupyterHub makes; the variables of an installation there."""
    programs = ("user/bin/python", "user/bin/jupyter", "hub/bin/tljh-config")
    system = ("useradd", "chown", "install", "setquota", "apt-get")
    for program in (*programs, *(f"system/{name}" for name in system)):
        path = folder / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(NOTES.format(name=path.name, calls=folder / "calls"))
        path.chmod(0o755)
    (folder / "home" / "jupyter-ada").mkdir(parents=True)
    return {
        "TLJH": str(folder),
        "HOMES": str(folder / "home"),
        "EXCHANGE": str(folder / "exchange"),
        "PATH": os.pathsep.join([str(folder / "system"), os.environ["PATH"]]),
    }


def installed(root: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    script = root / "deploy" / "tljh" / "install.sh"
    return subprocess.run(
        [script], env=os.environ | variables, capture_output=True, text=True, timeout=300
    )


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"TEACHER": "ada"}, "Choose who may log in"),
        ({"TEACHER": "ada", "LOGIN": "dummy"}, "admits everyone"),
        ({"TEACHER": "ada", "LOGIN": "jupyterhub.auth.NullAuthenticator"}, "admits everyone"),
        ({"LOGIN": "firstuse"}, "Name the teacher"),
        ({"LOGIN": "firstuse", "TEACHER": "../root"}, "Name the teacher"),
    ],
)
def test_nothing_is_installed_before_the_choice(
    root: Path, tmp_path: Path, chosen: dict[str, str], says: str
) -> None:
    done = installed(root, **(fake_tljh(tmp_path) | chosen))
    assert done.returncode != 0 and says in done.stderr
    assert not (tmp_path / "calls").exists()
    assert not (tmp_path / "config").exists()


def test_server_script_installs_hub_configuration(root: Path, tmp_path: Path) -> None:
    """On a copy of the folders that The Littlest JupyterHub makes, with programs that only note
    how they were called.
    """
    variables = fake_tljh(tmp_path) | {"LOGIN": "firstuse", "TEACHER": "ada"}
    done = installed(root, **variables)
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "calls").read_text().splitlines()
    classroom = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    (nbgrader,) = [
        each
        for each in classroom["optional-dependencies"]["classroom"]
        if each.startswith("nbgrader")
    ]
    constrained = f"--constraint {root}/constraints.txt {root}[lab,dist] {nbgrader}"
    install = f"python -m pip install --quiet --upgrade {constrained}"
    assert calls[:2] == [install, "python -m minigrad_lessons.grading.solutions remove all"]
    assert calls.count(install) == 2  # the second, with the solutions, is the teacher's
    kept = (tmp_path / "home" / "jupyter-ada").stat().st_mode & 0o777
    assert kept == 0o700
    assert f"install -d -m 1777 {tmp_path}/exchange" in calls
    for setting in (
        "auth.type firstuseauthenticator.FirstUseAuthenticator",
        "limits.memory 1G",
        "limits.cpu 2",
        "services.cull.timeout 3600",
    ):
        assert f"tljh-config set {setting}" in calls
    assert "tljh-config add-item users.admin ada" in calls
    assert calls[-1] == "tljh-config reload"
    exchange = loaded(tmp_path / "user" / "etc" / "jupyter" / "nbgrader_config.py")
    assert exchange.Exchange.root == str(tmp_path / "exchange")
    settings = loaded(tmp_path / "config" / "jupyterhub_config.d" / "minigrad.py")
    first_use = "firstuseauthenticator.FirstUseAuthenticator"
    assert settings.JupyterHub.authenticator_class == first_use
    assert settings.Spawner.cmd[0] == str(tmp_path / "user" / "bin" / "python")
    assert (settings.Spawner.mem_limit, settings.Spawner.cpu_limit) == ("1G", 2)
    assert "services" not in settings.JupyterHub  # it has a culler of its own
    for marked, call in [("02 03", "solutions remove 02 03"), ("none", "labextension")]:
        (tmp_path / "calls").unlink()
        assert installed(root, **variables, MARKED=marked).returncode == 0
        assert call in (tmp_path / "calls").read_text().splitlines()[1]

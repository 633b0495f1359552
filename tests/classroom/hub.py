"""A real JupyterHub on 127.0.0.1 with deploy/'s configuration, and students who use it.

A student is a client of the same HTTP and WebSocket interfaces that JupyterLab uses: logs in with a
form, starts a server, reads a notebook, runs its cells in a kernel.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import requests
import websocket

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "deploy" / "jupyterhub_config.py"
CHAPTER = "minigrad-lessons/en/02_backward.ipynb"
PATIENCE = 900  # seconds; a whole class shares the cores here, with whatever else is running

# Settings for tests alone: everyone may log in, and all servers run as one user. The
# proxy is not the hub's own, which would have to be there within ten seconds.
SETTINGS = """
c = get_config()
load_subconfig({config!r})
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.args = [*c.Spawner.args, *{arguments!r}]
c.Spawner.environment = {{**c.Spawner.environment, "JUPYTER_CONFIG_DIR": {folder!r}}}
c.Spawner.start_timeout = c.Spawner.http_timeout = {patience}
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {hub_port}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.ConfigurableHTTPProxy.auth_token = {token!r}
c.ConfigurableHTTPProxy.should_start = False
"""
# nbgrader is installed for the tests, and a student's server would load what it has for teachers.
STUDENTS_CONFIG = {
    "ServerApp": {
        "jpserver_extensions": {
            f"nbgrader.server_extensions.{name}": False
            for name in ("assignment_list", "course_list", "formgrader", "validate_assignment")
        }
    }
}


def proxy_program() -> str | None:
    """Where configurable-http-proxy is, if it is installed."""
    own = ROOT / "deploy" / "node_modules" / ".bin" / "configurable-http-proxy"
    return str(own) if own.exists() else shutil.which("configurable-http-proxy")


@dataclass
class Hub:
    """A running hub."""

    url: str
    homes: Path
    log: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    """The proxy and the hub, which has started everything else."""

    def descendants(self) -> list[psutil.Process]:
        """The processes, and all that they have started."""
        own = [psutil.Process(p.pid) for p in self.processes if p.poll() is None]
        return [*own, *(child for process in own for child in process.children(recursive=True))]

    def said(self) -> str:
        """Its log, without the requests that only ask whether a server is ready."""
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join(line for line in lines if "/api/status" not in line)


@contextlib.contextmanager
def running(folder: Path, more: str = "") -> Iterator[Hub]:
    """A hub that writes only to `folder`, a short path, with more settings if there are any; killed
    at the end with all its servers.
    """
    root = hasattr(os, "getuid") and os.getuid() == 0
    (folder / "homes").mkdir()
    (folder / "jupyter_server_config.json").write_text(json.dumps(STUDENTS_CONFIG))
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")
    } | {
        "PYTHONPATH": os.pathsep.join(map(str, [ROOT, ROOT / "viz", ROOT / "lessons"])),
        "HOME": str(folder),
        "CONFIGPROXY_AUTH_TOKEN": uuid.uuid4().hex,
    }
    with held_ports(3) as (port, hub_port, proxy_port):
        hub = Hub(f"http://127.0.0.1:{port}", folder / "homes", folder / "hub.log")
        settings = SETTINGS.format(
            config=str(CONFIG),
            homes=str(folder / "homes" / "{username}"),
            folder=str(folder),
            arguments=[
                f"--MappingKernelManager.kernel_info_timeout={PATIENCE}",
                "--LabApp.expose_app_in_browser=True",
                *(["--allow-root"] if root else []),
            ],
            patience=PATIENCE,
            port=port,
            hub_port=hub_port,
            proxy_port=proxy_port,
            token=environment["CONFIGPROXY_AUTH_TOKEN"],
        )
        (folder / "settings.py").write_text(settings + more, encoding="utf-8")
        (folder / "settings.py").chmod(0o600)  # the proxy's token is in it
        proxy = [
            *(str(proxy_program()), "--ip=127.0.0.1", f"--port={port}"),
            *("--api-ip=127.0.0.1", f"--api-port={proxy_port}"),
            f"--error-target=http://127.0.0.1:{hub_port}/hub/error",
        ]
        jupyterhub = [sys.executable, "-m", "jupyterhub", "--config", str(folder / "settings.py")]
        try:
            with hub.log.open("wb") as output:
                for command, path in [(proxy, "/"), (jupyterhub, "/hub/health")]:
                    process = subprocess.Popen(
                        command, cwd=folder, env=environment, stdout=output, stderr=output
                    )
                    hub.processes.append(process)
                    wait_until(functools.partial(answers, hub.url + path), hub)
            yield hub
        finally:
            for started in hub.descendants():
                with contextlib.suppress(psutil.NoSuchProcess):
                    started.kill()
            for process in hub.processes:
                process.wait()


@contextlib.contextmanager
def held_ports(count: int) -> Iterator[list[int]]:
    """Free ports, reserved on Linux until processes listen; see deploy/jupyterhub_config.py."""
    with contextlib.ExitStack() as held:
        probes = [held.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", 0))
        ports = [probe.getsockname()[1] for probe in probes]
        if sys.platform != "linux":
            held.close()
        yield ports


def answers(url: str) -> bool:
    """Whether a server answers, if only that `url` does not exist yet."""
    try:
        answer = requests.get(url, timeout=PATIENCE)
    except requests.RequestException:
        return False
    return answer.ok or not url.endswith("/health")


def wait_until(done: Callable[[], bool], hub: Hub) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        ended = any(process.poll() is not None for process in hub.processes)
        if ended or time.monotonic() > deadline:
            raise AssertionError(f"the hub is not ready:\n{hub.said()}")
        time.sleep(0.2)


class ServerFailed(Exception):
    """The hub gave up starting a student's server."""


class CellFailed(Exception):
    """A cell of the notebook raised what it should not."""


@dataclass
class Student:
    """A student with a browser, for the hub."""

    hub: Hub
    name: str
    session: requests.Session = field(default_factory=requests.Session)

    def __post_init__(self) -> None:
        self.session.trust_env = False  # no proxy between us and 127.0.0.1
        # The proxy ends what is idle for five seconds, and may meet a request that is on its way; a
        # browser sends it again.
        self.session.headers["Connection"] = "close"

    @property
    def server(self) -> str:
        return f"{self.hub.url}/user/{self.name}"

    @property
    def home(self) -> Path:
        return self.hub.homes / self.name

    def log_in(self) -> None:
        """Fill in the login form; afterwards the session has a token of its own, as an
        application of the student's would.
        """
        form = f"{self.hub.url}/hub/login"
        self.session.get(form, timeout=PATIENCE)
        xsrf = self._xsrf("/hub/")
        answer = self.session.post(
            form, data={"username": self.name, "password": "", "_xsrf": xsrf},
            allow_redirects=False, timeout=PATIENCE,
        )  # fmt: skip
        assert answer.status_code == 302, answer.text
        self.session.get(f"{self.hub.url}/hub/home", timeout=PATIENCE)
        token = self.session.post(
            f"{self.hub.url}/hub/api/users/{self.name}/tokens",
            headers={"X-XSRFToken": self._xsrf("/hub/"), "Referer": f"{self.hub.url}/hub/home"},
            json={},
            timeout=PATIENCE,
        )
        assert token.status_code == 201, token.text
        self.session.cookies.clear()
        self.session.headers["Authorization"] = f"token {token.json()['token']}"

    def _xsrf(self, path: str) -> str:
        return next(c.value or "" for c in self.session.cookies if c.name == "_xsrf")

    def start_server(self) -> float:
        """Start the student's server and wait until it answers; the seconds that took.

        ServerFailed, with the hub's log, if it never will.
        """
        begun = time.perf_counter()
        wait_until(self.has_no_server, self.hub)
        answer = self.session.post(
            f"{self.hub.url}/hub/api/users/{self.name}/server", timeout=PATIENCE
        )
        if answer.status_code not in (201, 202):
            raise ServerFailed(f"{self.name}: {answer.text}\n{self.hub.said()}")
        wait_until(self.is_ready, self.hub)
        return time.perf_counter() - begun

    def is_ready(self) -> bool:
        if self.get("/api/status").status_code == 200:
            return True
        if self.has_no_server():
            raise ServerFailed(f"{self.name}:\n{self.hub.said()}")
        return False

    def has_no_server(self) -> bool:
        """Neither one that runs, nor one that the hub is starting or stopping."""
        user = self.session.get(f"{self.hub.url}/hub/api/users/{self.name}", timeout=PATIENCE)
        return "" not in user.json()["servers"]

    def stop_server(self) -> None:
        self.session.delete(f"{self.hub.url}/hub/api/users/{self.name}/server", timeout=PATIENCE)

    def get(self, path: str) -> requests.Response:
        return self.session.get(self.server + path, timeout=PATIENCE, allow_redirects=False)

    def open(self, notebook: str) -> tuple[dict[str, Any], str]:
        """The notebook's contents, and the id of a kernel started for it in its folder."""
        contents = self.get(f"/api/contents/{notebook}")
        assert contents.status_code == 200, contents.text
        session = self.session.post(
            f"{self.server}/api/sessions",
            json={"path": notebook, "name": "", "type": "notebook", "kernel": {"name": "python3"}},
            timeout=PATIENCE,
        )
        assert session.status_code == 201, session.text
        return contents.json()["content"], session.json()["kernel"]["id"]

    def run(self, notebook: dict[str, Any], kernel: str) -> list[str]:
        """Run every code cell; for each stepper that was shown, its steps as text.

        CellFailed if a cell raises that is not tagged for it.
        """
        steppers: list[str] = []
        with self.channels(kernel) as channels:
            for cell in notebook["cells"]:
                if cell["cell_type"] != "code":
                    continue
                source = "".join(cell["source"])
                for message in execute(channels, source):
                    content = message["content"]
                    if message["msg_type"] == "error":
                        if "raises-exception" not in cell["metadata"].get("tags", []):
                            raise CellFailed(f"{source}\n{content['ename']}: {content['evalue']}")
                    elif "minigrad-output" in content.get("data", {}).get("text/html", ""):
                        steppers.append(content["data"]["text/plain"])
        return steppers

    @contextlib.contextmanager
    def channels(self, kernel: str) -> Iterator[websocket.WebSocket]:
        address = self.server.replace("http", "ws", 1) + f"/api/kernels/{kernel}/channels"
        connected = websocket.create_connection(
            address,
            timeout=PATIENCE,
            header=[f"Authorization: {self.session.headers['Authorization']!s}"],
        )
        try:
            yield connected
        finally:
            connected.close()


def execute(channels: websocket.WebSocket, code: str) -> Iterator[dict[str, Any]]:
    """Return the messages that the kernel publishes while it runs `code`."""
    request = uuid.uuid4().hex
    header = {"msg_id": request, "msg_type": "execute_request", "username": "", "session": request,
              "version": "5.4", "date": ""}  # fmt: skip
    content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
    request_message = {"channel": "shell", "header": header, "parent_header": {}, "metadata": {}}
    channels.send(json.dumps(request_message | {"content": content}))
    while True:
        message = json.loads(channels.recv())
        if message["parent_header"].get("msg_id") != request or message["channel"] != "iopub":
            continue
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return
        yield message


def memory(student: Student) -> float:
    """MiB that the student's server and kernels hold, shared pages divided among their users."""
    total = 0
    for process in psutil.process_iter(["environ"]):
        if (process.info["environ"] or {}).get("JUPYTERHUB_USER") == student.name:
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().pss
    return total / 2**20

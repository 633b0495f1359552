"""JupyterHub for a class: the settings that all installations share.

For one server, tljh/install.sh passes this file to The Littlest JupyterHub. For a cluster, the same
settings are in zero-to-jupyterhub/values.yaml. docs/teaching.md describes both installations, and
the size of the machine.
"""

import contextlib
import os
import pwd
import socket
import sys
from typing import Any

c = get_config()  # noqa: F821  (Jupyter's configuration files are given it)

# Only the hub may read its files: the users and their rights.
os.umask(0o077)

# The environment of the students' servers. On The Littlest JupyterHub, install.sh replaces it.
python = sys.executable

# Who may log in: accounts of this machine. install.sh replaces it by the teacher's choice. The
# setting is always written, and overrides the files before this one.
login = "pam"
c.JupyterHub.authenticator_class = login

# It copies the lessons to the student's folder, then becomes jupyterhub-singleuser.
c.Spawner.cmd = [python, "-m", "minigrad_lessons.lab.singleuser"]
c.Spawner.default_url = "/lab/tree/minigrad-lessons/en/00_index.ipynb"
# With ports, kernels of a whole class race for free ones, and one in twenty failed. Sockets in the
# student's folder have no such race, and no other user reaches them.
c.Spawner.args = ["--KernelManager.transport=ipc"]


# A student's server listens seconds after the hub has chosen its port. In between, a connection
# could take the port, or another student could listen there and be taken for that server. The hub
# therefore binds the port itself, as the student's user, without listening. Linux then gives it to
# no other user; singleuser.py requests it with SO_REUSEPORT. SystemdSpawner chooses its own ports,
# and a container has no other users.
def hold_port(spawner: Any) -> None:
    """Reserve the port of a student's server."""
    hub = os.geteuid()
    with contextlib.suppress(KeyError):  # a name without an account: a spawner for tests
        os.seteuid(pwd.getpwnam(spawner.user.name).pw_uid if hub == 0 else hub)
    try:
        spawner.held = socket.socket()
    finally:
        os.seteuid(hub)
    spawner.held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    spawner.held.bind(("127.0.0.1", 0))
    spawner.port = spawner.held.getsockname()[1]


if sys.platform == "linux":
    c.Spawner.pre_spawn_hook = hold_port
# A whole class logs in within a minute. With a limit, JupyterHub refuses the servers above it with
# an error, and its page does not try again. Without one, a hundred servers are ready after three
# minutes on two cores.
c.JupyterHub.concurrent_spawn_limit = 0
c.Spawner.start_timeout = 600
c.Spawner.http_timeout = 600
# Thread pools of many students compete for few cores.
c.Spawner.environment = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
# Enforced by SystemdSpawner and in containers; local processes are not limited.
c.Spawner.mem_limit = "1G"
c.Spawner.cpu_limit = 2

# A server that is idle for an hour is stopped; its files stay.
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600"],
    }
]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]

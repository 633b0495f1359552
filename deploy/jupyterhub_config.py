"""JupyterHub for a class: what every installation shares, whichever way it starts servers.

One server: tljh/install.sh hands this file to The Littlest JupyterHub. A cluster: the same settings
are in zero-to-jupyterhub/values.yaml. docs/teaching.md says how to install each, and how large a
machine must be.
"""

import contextlib
import os
import pwd
import socket
import sys
from typing import Any

c = get_config()  # noqa: F821  (Jupyter's configuration files are given it)

# What the hub writes down (who there is, who may do what) nobody else reads.
os.umask(0o077)

# The environment that the students' servers run in. The Littlest JupyterHub has one of its own for
# them, which install.sh writes here.
python = sys.executable

# Who may come in: whoever has an account of this machine. install.sh writes in its place what the
# teacher has chosen. It is said in any case: what a file before this one said counts no more.
login = "pam"
c.JupyterHub.authenticator_class = login

# It copies the lessons to the student's own folder, then becomes jupyterhub-singleuser.
c.Spawner.cmd = [python, "-m", "minigrad_lessons.singleuser"]
c.Spawner.default_url = "/lab/tree/minigrad-lessons/en/00_index.ipynb"
# Kernels that a whole class starts at once would race for free ports, and one in twenty lost
# (measured). Sockets in the student's own folder have no such race, and no other user reaches them.
c.Spawner.args = ["--KernelManager.transport=ipc"]


# A student's server listens seconds after the hub has chosen its port. A connection could have it
# by then, and with a whole class one in a hundred servers would not start; or another student could
# listen there first, and be taken for that server. So the hub holds the port itself, without
# listening, in the student's name: Linux then gives it to nobody of its own accord, and to no other
# user who asks for it (SO_REUSEPORT, by which singleuser.py does). SystemdSpawner chooses for
# itself, and in a container there is nobody else.
def hold_port(spawner: Any) -> None:
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
# A whole class comes in within the same minute. Where servers may start only so many at a time,
# JupyterHub turns the others away with an error, and its page does not try again. So they all start
# at once, and are waited for: on two cores a hundred are there after three minutes.
c.JupyterHub.concurrent_spawn_limit = 0
c.Spawner.start_timeout = 600
c.Spawner.http_timeout = 600
# Thread pools of many students on few cores stand in each other's way.
c.Spawner.environment = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
# Enforced by SystemdSpawner and in containers; local processes are not limited.
c.Spawner.mem_limit = "1G"
c.Spawner.cpu_limit = 2

# A server that nobody has used for an hour is stopped; its files stay.
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

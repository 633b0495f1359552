"""A student's server that only says that it is there; the hub takes it for a real one."""

from __future__ import annotations

import http.server
import os
from urllib.parse import urlsplit


class Here(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *anything: object) -> None:
        """Say nothing of a request."""


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_port = True  # the hub holds it, see deploy/jupyterhub_config.py


if __name__ == "__main__":
    port = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"]).port
    assert port is not None
    Server(("127.0.0.1", port), Here).serve_forever()

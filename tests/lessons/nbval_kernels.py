"""A plugin for nbval: the kernels of the lessons speak over sockets in a folder, not over ports.

nbval lets each kernel have five free ports, which are free when they are chosen and may be taken
when the kernel binds them a second later: by another worker's kernel, by a browser, by Dask. Such
a kernel dies before it has said a word. It takes the place of nbval's own option `--nbval`.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager, RunningKernel
from nbval.plugin import IPyNbFile

from tests.lessons import kernel_forks
from tests.sampling import in_this_run


class SocketKernel(RunningKernel):
    """A kernel of this environment's Python whose five channels are files in a folder."""

    def __init__(self, cwd: str, startup_timeout: float) -> None:
        # A socket's path may have some hundred characters: Jupyter's own folder may be too deep.
        self.sockets = tempfile.TemporaryDirectory(prefix="nbval-", ignore_cleanup_errors=True)
        self.km = KernelManager(
            transport="ipc",
            ip=f"{self.sockets.name}/k",
            kernel_name=CURRENT_ENV_KERNEL_NAME,
            kernel_spec_manager=NbvalKernelspecManager(),
        )
        with open(os.devnull, "w", encoding="utf-8") as silence, kernel_forks.used():
            self.km.start_kernel(cwd=cwd, stderr=silence)
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=startup_timeout)
        self._ensure_iopub_up()

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        """Run a cell as a notebook does, which nbval does not: the kernel remembers it. A check
        reads in the cell above it whether anything was answered.
        """
        return str(
            self.kc.execute(
                cell_input,
                store_history=True,
                allow_stdin=bool(allow_stdin),
                stop_on_error=False,
            )
        )

    def stop(self) -> None:
        super().stop()
        self.sockets.cleanup()


class Notebook(IPyNbFile):
    def setup(self) -> None:
        options = self.config.option
        self.kernel = SocketKernel(
            str(self.path.parent), startup_timeout=options.nbval_kernel_startup_timeout
        )
        self.setup_sanitize_files()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Notebook | None:
    if file_path.suffix != ".ipynb" or is_left_out(file_path, parent.config.args):
        return None
    return Notebook.from_parent(parent, path=file_path)


def is_left_out(notebook: Path, asked: list[str]) -> bool:
    """Whether it is in Chinese and not in the sample: its code is that of the English one."""
    if any(each.partition("::")[0].endswith(".ipynb") for each in asked):
        return False
    return notebook.parent.name == "zh" and not in_this_run("COURSE", f"zh/{notebook.stem}")

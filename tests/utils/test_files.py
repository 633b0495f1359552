"""`write_whole`: a file is complete or as it was, and nothing else is left."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from minigrad.utils.files import write_whole

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and links are those of POSIX")


@pytest.mark.parametrize("content", [b"a\n\xff", "a\n\u53f6", lambda file: file.write(b"a\n")])
def test_every_kind_of_content_is_written(tmp_path: Path, content: object) -> None:
    path = tmp_path / "file"
    path.write_text("an older and longer text")
    write_whole(path, content)  # type: ignore[arg-type]
    wanted = content if isinstance(content, bytes) else b"a\n"
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else wanted)
    assert os.listdir(tmp_path) == ["file"]


def test_half_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    write_whole(str(tmp_path / "file"), "a\ud800b")
    assert (tmp_path / "file").read_bytes() == b"a?b"


# --- Errors leave the old file and nothing else


def test_failing_function_leaves_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(path, fail)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_error_about_another_file_is_kept(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="template"):
        write_whole(tmp_path / "file", lambda _: open(tmp_path / "template", encoding="utf-8"))
    assert os.listdir(tmp_path) == []


FULL = """
import resource, sys
from minigrad.utils.files import write_whole
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_whole(sys.argv[1], b"x" * 500_000)
except OSError as error:
    print(error.errno, error)
"""


@POSIX
@pytest.mark.parametrize("old", [b"old", None])
def test_limit_of_size_leaves_old_file(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_bytes(old)
    command = [sys.executable, "-c", FULL, str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    text = f"[Errno {errno.EFBIG}] {os.strerror(errno.EFBIG)}: {str(path)!r}"
    assert (done.stdout, done.stderr) == (f"{errno.EFBIG} {text}\n", "")
    assert os.listdir(tmp_path) == ([] if old is None else ["file"])
    assert old is None or path.read_bytes() == old


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file system of 256 KiB; a folder whose disk is always full where none can be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    mounted = sys.platform == "linux" and not subprocess.run(mount, capture_output=True).returncode
    (place / "file").write_bytes(b"old" * 10_000)
    if not mounted:

        def full(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
    yield place
    if mounted:
        subprocess.run(["umount", str(place)], check=True)


def test_full_disk_leaves_old_file(small_disk: Path) -> None:
    path = small_disk / "file"
    with pytest.raises(OSError, match=f"No space left on device: '{path}'") as caught:
        write_whole(path, b"new" * 100_000)
    assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == b"old" * 10_000
    assert os.listdir(small_disk) == ["file"]


def test_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "file"
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(path, "text")
    assert caught.value.filename == str(path)
    assert ".part" not in str(caught.value)


def test_folder_as_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises((IsADirectoryError, PermissionError)) as caught:
        write_whole(tmp_path, "text")
    assert caught.value.filename == str(tmp_path)
    assert os.listdir(tmp_path) == []


AS_ANOTHER_USER = """
import os, sys
from minigrad.utils.files import write_whole
if os.getuid() == 0:
    os.setuid(65534)
try:
    write_whole(sys.argv[1], "new")
except PermissionError as error:
    print(error)
"""


@POSIX
@pytest.mark.parametrize("read_only", ["folder", "file"])
def test_read_only_place_is_refused(read_only: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # which another user may enter, unlike tmp_path
        path = Path(folder, "file")
        path.write_text("old", encoding="utf-8")
        path.chmod(0o444 if read_only == "file" else 0o666)
        os.chmod(folder, 0o777 if read_only == "file" else 0o555)
        command = [sys.executable, "-c", AS_ANOTHER_USER, str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        os.chmod(folder, 0o700)
        said = f"[Errno {errno.EACCES}] {os.strerror(errno.EACCES)}: {str(path)!r}\n"
        assert (done.stdout, done.stderr) == (said, "")
        assert path.read_text(encoding="utf-8") == "old"
        assert os.listdir(folder) == ["file"]


SLOW = """
import sys, time
from minigrad.utils.files import write_whole

def write(file):
    file.write(b"new" * 100_000)
    file.flush()
    print("half", flush=True)
    time.sleep(600)

write_whole(sys.argv[1], write)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files without names")
def test_killed_process_leaves_old_file(tmp_path: Path) -> None:
    """And nothing else, where the file system has files without names."""
    path = tmp_path / "file"
    path.write_text("old")
    killed_while_writing(path, SLOW)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]
    write_whole(path, "newer")
    assert path.read_text() == "newer"


@POSIX
def test_killed_process_leaves_hidden_part(tmp_path: Path) -> None:
    """Where no file without a name can be made."""
    path = tmp_path / "file"
    path.write_text("old")
    killed_while_writing(path, NAMED + SLOW)
    assert path.read_text() == "old"
    (part,) = (name for name in os.listdir(tmp_path) if name != "file")
    assert part.startswith(".") and part.endswith(".part")
    write_whole(path, "newer")
    assert path.read_text() == "newer"


NAMED = "from minigrad.utils import files; files.OPEN_FILES = '/no such folder'\n"


def killed_while_writing(path: Path, program: str) -> None:
    writer = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    assert writer.stdout.readline() == b"half\n"
    writer.kill()
    writer.communicate()


# --- Links, permissions, threads


@POSIX
def test_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path, link = tmp_path / "folder" / "file", tmp_path / "link"
    link.symlink_to(path)
    for text in ("new file", "replaced"):
        write_whole(link, text)
        assert link.is_symlink()
        assert path.read_text() == text
    assert sorted(os.listdir(tmp_path)) == ["folder", "link"]
    assert os.listdir(tmp_path / "folder") == ["file"]


@POSIX
def test_planted_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if its name is that of the temporary file."""
    monkeypatch.setattr(os, "urandom", bytes)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    folder = tmp_path / "folder"
    folder.mkdir()
    planted = folder / f".minigrad-{'00' * 8}.part"
    planted.symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_whole(folder / "file", "new")
    assert victim.read_text() == "precious"
    assert os.listdir(folder) == [planted.name]


@POSIX
def test_permissions_are_those_of_open(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    before = os.umask(0o027)
    try:
        write_whole(path, "new")
        other.write_text("new")
    finally:
        os.umask(before)
    assert path.stat().st_mode == other.stat().st_mode
    path.chmod(0o604)
    write_whole(path, "newer")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@POSIX
def test_device_stays_a_device() -> None:
    write_whole(os.devnull, "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_threads_write_one_path(tmp_path: Path) -> None:
    path, errors = tmp_path / "file", []

    def write(text: str) -> None:
        for _ in range(25):
            try:
                write_whole(path, text * 10_000)
            except OSError as error:
                errors.append(error)

    threads = [threading.Thread(target=write, args=(text,)) for text in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert path.read_text() in {text * 10_000 for text in "abcd"}
    assert os.listdir(tmp_path) == ["file"]

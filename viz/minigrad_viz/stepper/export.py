"""The steps of a pass as files to show elsewhere: pictures, a PDF, a GIF, a film.

A file is written beside its place and moved there when it is whole, so that no failure leaves half
of one. The same pass gives the same bytes: nothing in them tells when they were made.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, Protocol

from ..model.optional_packages import optional
from ..picture.sheet import POINTS, Sheet, pdf
from .payload import Payload
from .step_page import StepPages

SIZES: dict[str, tuple[float, float]] = {"slide": (12.8, 7.2), "post": (8.0, 8.0)}
"""Width and height in inches: of a slide, and of a square picture in a post."""

SMALLEST, LARGEST = 4.0, 40.0
"""Inches. A smaller page has no room for letters that can be read."""

MOST_PIXELS = 8192
"""Along one side of a picture."""

Size = tuple[float, float] | Literal["slide", "post"]


class Pages(Protocol):
    """What is exported: a page for each step."""

    def page(self, place: int) -> Sheet:
        """The page of the step at `place`, from 0."""


class Exports:
    """What can be written of a stepper without a browser."""

    payload: Any

    def to_svg_sequence(
        self,
        folder: str | Path,
        *,
        dark: bool = False,
        size: Size = "slide",
        steps: slice = slice(None),
    ) -> list[Path]:
        """Write an SVG of every step to `folder`, which is made if it is not there: step-01.svg,
        step-02.svg, ...; returns their paths.

        dark    the colours of the dark theme
        size    "slide" (12.8 by 7.2 inches), "post" (8 by 8), or width and height in inches
        steps   which of the steps, as of a list: slice(2, 5) are the third to the fifth

        ValueError if there is no step or no such size or the graph is too large for a picture,
        NoEngine without Graphviz, OSError if it cannot be written.

        >>> import tempfile
        >>> import minigrad as mg
        >>> import minigrad_viz as viz
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = viz.step(x * x).to_svg_sequence(folder, steps=slice(1, 3))
        >>> [file.name for file in files]
        ['step-2.svg', 'step-3.svg']
        """
        pages, chosen = self._pages(dark, size, steps)
        digits = len(str(self._count()))

        def files() -> Iterator[tuple[str, bytes]]:
            for place in chosen:
                svg = pages.page(place).svg()
                yield f"step-{place + 1:0{digits}}.svg", svg.encode(errors="replace")

        return _write_all(Path(folder), files())

    def to_pdf(
        self,
        file: str | Path,
        *,
        dark: bool = False,
        size: Size = "slide",
        steps: slice = slice(None),
    ) -> Path:
        """Write a PDF with a page for every step; returns its path. Arguments and errors as of
        `to_svg_sequence`.
        """
        pages, chosen = self._pages(dark, size, steps)

        def draw(beside: Path) -> None:
            with pdf() as (book, out):
                for place in chosen:
                    book.savefig(pages.page(place).figure)
            beside.write_bytes(out.getvalue())

        return _write(Path(file), draw)

    def to_gif(
        self,
        file: str | Path,
        *,
        dark: bool = False,
        size: Size = "slide",
        dpi: float = 100,
        seconds: float = 2.0,
        steps: slice = slice(None),
    ) -> Path:
        """Write a GIF that shows every step for some `seconds`, again and again; returns its path.

        dpi  pixels to an inch. All else as of `to_svg_sequence`.
        """
        images = self._images(dark, size, dpi, seconds, steps)

        def draw(beside: Path) -> None:
            # Each step gets colours of its own, so that none is missing.
            even = optional("PIL.Image").Dither.NONE
            frames = (image.quantize(256, dither=even) for image in images)
            next(frames).save(
                beside, "GIF", save_all=True, append_images=frames, loop=0,
                duration=round(seconds * 1000), optimize=False,
            )  # fmt: skip

        return _write(Path(file), draw)

    def to_mp4(
        self,
        file: str | Path,
        *,
        dark: bool = False,
        size: Size = "slide",
        dpi: float = 100,
        seconds: float = 2.0,
        steps: slice = slice(None),
    ) -> Path:
        """Write a film that shows every step for some `seconds`; returns its path. Arguments as of
        `to_gif`. RuntimeError if there is no program `ffmpeg`, or if it fails.
        """
        program = shutil.which("ffmpeg")
        if program is None:
            raise RuntimeError(
                "to_mp4() needs the program ffmpeg, which is not on the PATH: install it, or write "
                "a GIF with to_gif()"
            )
        images = self._images(dark, size, dpi, seconds, steps)
        return _write(Path(file), lambda beside: _film(program, images, seconds, beside))

    def _count(self) -> int:
        """How many pages there are at most."""
        payload: Payload = self.payload
        return len(payload["steps"])

    def _drawn(self, width: float, height: float, dark: bool, places: range) -> Pages:
        """The pages, in points."""
        return StepPages(self.payload, width, height, dark, places)

    def _pages(self, dark: bool, size: Size, steps: slice) -> tuple[Pages, range]:
        if not isinstance(steps, slice):
            raise TypeError(f"steps must be a slice, not a {type(steps).__name__}")
        count = self._count()
        chosen = range(count)[steps]
        if not chosen:
            which = f": {steps} has none of the {count} steps" if count else ": it has no step"
            raise ValueError(f"there is nothing to export of this pass{which}")
        width, height = _inches(size)
        return self._drawn(width * POINTS, height * POINTS, dark, chosen), chosen

    def _images(
        self, dark: bool, size: Size, dpi: float, seconds: float, steps: slice
    ) -> Iterator[Any]:
        """An image of every step, made when it is asked for; what is wrong is said at once."""
        most = round(MOST_PIXELS / max(_inches(size)))
        if not 10 <= dpi <= most:
            raise ValueError(f"dpi must be from 10 to {most} for this size, not {dpi}")
        if not 0.02 <= seconds <= 600:
            raise ValueError(f"seconds must be from 0.02 to 600, not {seconds}")
        pages, chosen = self._pages(dark, size, steps)
        return (pages.page(place).pixels(dpi) for place in chosen)


def _inches(size: Size) -> tuple[float, float]:
    if isinstance(size, str):
        if size not in SIZES:
            known = ", ".join(map(repr, SIZES))
            raise ValueError(f"size must be {known}, or width and height in inches, not {size!r}")
        return SIZES[size]
    width, height = size
    if not all(math.isfinite(x) and SMALLEST <= x <= LARGEST for x in (width, height)):
        raise ValueError(
            f"size must be width and height from {SMALLEST:g} to {LARGEST:g} inches, not {size}"
        )
    return width, height


def _film(program: str, images: Iterator[Any], seconds: float, file: Path) -> None:
    """Hand the images to ffmpeg, which chooses the codec that it has."""
    first = next(images)
    width, height = first.size
    command = [
        *(program, "-y", "-loglevel", "error"),
        *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"),
        *("-framerate", f"{1 / seconds:.6f}", "-i", "-"),
        # Most players want even sizes, these colours, and more than a picture every two seconds.
        *("-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,fps=10", "-pix_fmt", "yuv420p"),
        *("-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact"),
        *("-map_metadata", "-1", "-f", "mp4", str(file)),
    ]
    with tempfile.TemporaryFile() as said:
        running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=said, stderr=said)
        assert running.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError), running.stdin as film:  # it says why below
                film.write(first.tobytes())
                for image in images:
                    film.write(image.tobytes())
        except BaseException:
            running.kill()
            running.wait()
            raise
        if running.wait() != 0:
            said.seek(0)
            lines = said.read().decode(errors="replace").strip().splitlines()
            raise RuntimeError(f"ffmpeg failed: {lines[-1] if lines else running.returncode}")


def _write(path: Path, make: Callable[[Path], object]) -> Path:
    """Let `make` write a file beside `path`, and move it there."""
    beside = path.with_name(f"{path.name}.part-{os.getpid()}")
    with _said(path):
        try:
            beside.touch()  # what cannot be written is not drawn first
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            make(beside)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    return path


def _write_all(folder: Path, files: Iterator[tuple[str, bytes]]) -> list[Path]:
    """Write all files to a new folder beside `folder`, and move them there."""
    beside = folder.with_name(f"{folder.name}.part-{os.getpid()}")
    with _said(folder):
        try:
            if folder.exists() and not folder.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            beside.mkdir()
            names = []
            for name, data in files:
                (beside / name).write_bytes(data)
                names.append(name)
            if not folder.exists():
                os.replace(beside, folder)
            else:
                for name in names:
                    os.replace(beside / name, folder / name)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return [folder / name for name in names]


@contextlib.contextmanager
def _said(path: Path) -> Iterator[None]:
    """What the system says, about the file that was asked for."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise type(error)(f"cannot write {str(path)!r}: {why}") from error

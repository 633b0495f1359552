"""Save the steps of a pass to a file: a page, pictures, a PDF, a GIF or a film.

The file's ending chooses the format. A file is written whole or not at all. The same pass gives the
same bytes: no file contains the time at which it was made.
"""

from __future__ import annotations

import contextlib
import math
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from ..model.optional_packages import optional
from ..picture.saving import save_as
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
    """The pages of a pass: one for each step."""

    def page(self, place: int) -> Sheet:
        """The page of the step at `place`, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of `save`."""

    dark: bool
    size: Size
    steps: slice
    dpi: float
    seconds: float

    def check(self, unused: tuple[str, ...], format: str) -> None:
        """Raise TypeError for an option that has no effect on the format."""
        for name in unused:
            if getattr(self, name) != getattr(DEFAULT, name):
                raise TypeError(f"save() of {format} takes no {name}")


DEFAULT = Options(dark=False, size="slide", steps=slice(None), dpi=100, seconds=2.0)


class Exports:
    """Saves a stepper or a comparison, without a browser."""

    payload: Any
    illustrated: Any

    def save(
        self,
        file: str | Path,
        *,
        dark: bool = False,
        size: Size = "slide",
        steps: slice = slice(None),
        dpi: float = 100,
        seconds: float = 2.0,
    ) -> Path:
        """Write the steps to `file`, whole or not at all, and return its path.

        The ending of its name chooses the format:

        .html  the stepper, as a page that needs no kernel and no network
        .pdf   a page for each step
        .gif   the steps in turn, again and again
        .mp4   the steps in turn; needs the program `ffmpeg`
        .svg   a picture of one step, the one that `steps` selects
        .zip   an SVG for each step: step-01.svg, step-02.svg, ...

        Args:
            dark: the colours of the dark theme; not for .html, which follows the reader's theme.
            size: "slide" (12.8 by 7.2 inches), "post" (8 by 8), or width and height in inches.
            steps: the steps to save, as of a list: slice(2, 5) selects the third to the fifth.
            dpi: pixels per inch, for .gif and .mp4.
            seconds: how long each step is shown, for .gif and .mp4.

        Raises:
            ValueError: another ending, no step, an unknown size, or a graph too large to be drawn.
            TypeError: an option without effect on the format.
            NoGraphviz: there is no Graphviz.
            RuntimeError: `ffmpeg` is missing, or fails.
            OSError: the file cannot be written.

        >>> import tempfile
        >>> import minigrad as mg
        >>> import minigrad_viz as viz
        >>> x = mg.tensor(3.0, requires_grad=True)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     viz.step(x * x).save(f"{folder}/steps.pdf", size="post").name
        'steps.pdf'
        """
        options = Options(dark=dark, size=size, steps=steps, dpi=dpi, seconds=seconds)
        writers: dict[str, Callable[[Options], str | Callable[[BinaryIO], object]]] = {
            "html": self.write_html,
            "pdf": self.write_pdf,
            "gif": self.write_gif,
            "mp4": self.write_mp4,
            "svg": self.write_svg,
            "zip": self.write_zip,
        }
        return save_as(file, {ending: partial(write, options) for ending, write in writers.items()})

    def write_html(self, options: Options) -> str:
        options.check(("dark", "size", "steps", "dpi", "seconds"), "a page")
        return self._page()

    def write_pdf(self, options: Options) -> Callable[[BinaryIO], object]:
        options.check(("dpi", "seconds"), "a PDF")
        pages, chosen = self._pages(options)

        def write(file: BinaryIO) -> None:
            with pdf() as (book, out):
                for place in chosen:
                    book.savefig(pages.page(place).figure)
            file.write(out.getvalue())

        return write

    def write_gif(self, options: Options) -> Callable[[BinaryIO], object]:
        images = self._images(options)

        def write(file: BinaryIO) -> None:
            # A palette for each step, so that no colour is missing.
            plain = optional("PIL.Image").Dither.NONE
            frames = (image.quantize(256, dither=plain) for image in images)
            next(frames).save(
                file, "GIF", save_all=True, append_images=frames, loop=0,
                duration=round(options.seconds * 1000), optimize=False,
            )  # fmt: skip

        return write

    def write_mp4(self, options: Options) -> Callable[[BinaryIO], object]:
        program = shutil.which("ffmpeg")
        if program is None:
            raise RuntimeError(
                "a film needs the program ffmpeg, which is not on the PATH: install it, or save a "
                ".gif"
            )
        images = self._images(options)
        return lambda file: file.write(encode_film(program, images, options.seconds))

    def write_svg(self, options: Options) -> Callable[[BinaryIO], object]:
        options.check(("dpi", "seconds"), "an SVG")
        pages, chosen = self._pages(options)
        if len(chosen) > 1:
            raise ValueError(
                f"an SVG shows one step, not {len(chosen)}: select it with steps=slice(0, 1), or "
                "save a .zip with an SVG for each"
            )
        return lambda file: file.write(svg_bytes(pages, chosen[0]))

    def write_zip(self, options: Options) -> Callable[[BinaryIO], object]:
        options.check(("dpi", "seconds"), "a ZIP of SVGs")
        pages, chosen = self._pages(options)
        digits = len(str(self._count()))

        def write(file: BinaryIO) -> None:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                for place in chosen:
                    # A ZipInfo made from a name has no time of day.
                    info = zipfile.ZipInfo(f"step-{place + 1:0{digits}}.svg")
                    info.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(info, svg_bytes(pages, place))

        return write

    def _page(self) -> str:
        """The stepper as a whole page."""
        raise NotImplementedError

    def _count(self) -> int:
        """The number of pages."""
        payload: Payload = self.payload
        return len(payload["steps"])

    def _drawn(self, width: float, height: float, dark: bool, places: range) -> Pages:
        """The pages, in points."""
        return StepPages(self.illustrated, width, height, dark, places)

    def _pages(self, options: Options) -> tuple[Pages, range]:
        """Return the pages, and the places of those to save."""
        steps = options.steps
        if not isinstance(steps, slice):
            raise TypeError(f"steps must be a slice, not a {type(steps).__name__}")
        count = self._count()
        chosen = range(count)[steps]
        if not chosen:
            which = f": {steps} has none of the {count} steps" if count else ": it has no step"
            raise ValueError(f"there is nothing to save of this pass{which}")
        width, height = _inches(options.size)
        return self._drawn(width * POINTS, height * POINTS, options.dark, chosen), chosen

    def _images(self, options: Options) -> Iterator[Any]:
        """Return an iterator that draws an image of each step; check the options at once."""
        most = round(MOST_PIXELS / max(_inches(options.size)))
        if not 10 <= options.dpi <= most:
            raise ValueError(f"dpi must be from 10 to {most} for this size, not {options.dpi}")
        if not 0.02 <= options.seconds <= 600:
            raise ValueError(f"seconds must be from 0.02 to 600, not {options.seconds}")
        pages, chosen = self._pages(options)
        return (pages.page(place).pixels(options.dpi) for place in chosen)


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


def svg_bytes(pages: Pages, place: int) -> bytes:
    """The page of a step as an SVG file."""
    return pages.page(place).svg().encode(errors="replace")


def encode_film(program: str, images: Iterator[Any], seconds: float) -> bytes:
    """Return a film of the images, encoded by ffmpeg with the codec that it has."""
    first = next(images)
    width, height = first.size
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as messages:
        film = Path(folder, "film.mp4")  # ffmpeg moves in the file, so it cannot be a pipe
        command = [
            *(program, "-y", "-loglevel", "error"),
            *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"),
            *("-framerate", f"{1 / seconds:.6f}", "-i", "-"),
            # Most players need even sizes, these colours, and more than a picture in two seconds.
            *("-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,fps=10", "-pix_fmt", "yuv420p"),
            *("-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact"),
            *("-map_metadata", "-1", "-f", "mp4", str(film)),
        ]
        running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=messages, stderr=messages)
        assert running.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError), running.stdin as pipe:  # reported below
                pipe.write(first.tobytes())
                for image in images:
                    pipe.write(image.tobytes())
        except BaseException:
            running.kill()
            running.wait()
            raise
        if running.wait() != 0:
            messages.seek(0)
            lines = messages.read().decode(errors="replace").strip().splitlines()
            raise RuntimeError(f"ffmpeg failed: {lines[-1] if lines else running.returncode}")
        return film.read_bytes()

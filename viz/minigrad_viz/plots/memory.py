"""memory(program): the bytes that a program keeps for the backward pass, by line and moment."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from minigrad.autograd.events import CodeLine

from ..ledger.ledger import Ledger, Moment, Row
from ..ledger.memory import read_memory, record_memory
from ..model.either_library import AnyTensor, GivenNames
from ..model.graph_model import NOTHING_SAVED, walk
from ..model.names import given_names, is_tensor
from ..model.optional_packages import optional
from ..model.own_engines import is_own
from ..model.readable import check_callable, is_any
from ..picture.palette import AMBER, BLUE, GREEN
from ..picture.theme import LIGHT
from ..texts.language import Language, current_language
from ..texts.numerals import shape_text
from ..texts.printable import columns, printable
from ..texts.sentences import sentences
from .themed_plot import Plot, figure, literal, plot_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 24
"""Pieces of memory that are drawn and listed, the largest ones."""


class Peak(NamedTuple):
    """When most was kept: the bytes, the moment by number, and the node and the line that made it
    so. `node` is empty where nothing was ever kept.
    """

    bytes: int
    moment: int
    node: str
    line: CodeLine | None


class Piece(NamedTuple):
    """A piece of memory: how large it is, and the moments from which and until which it is kept."""

    label: str
    first: Row
    bytes: int
    born: int
    freed: int | None


class Memory(Plot):
    """The plot, and what it is drawn from.

    peak      the most that only the graph kept, when, and who made it so
    moments   each operation and each node that ran, with the bytes that were kept from then on
    saved     a row for each tensor that a node kept: name, shape, dtype, bytes, node, line; `born`
              and `freed` are moments by number, `freed` is None for what was kept at the end
    """

    def __init__(self, ledger: Ledger, language: Language) -> None:
        # Figures are full of cycles, so one is only drawn to be shown.
        super().__init__(lambda: _draw(ledger, language), text_of(ledger, language))
        self.peak = peak_of(ledger)
        self.moments: tuple[Moment, ...] = tuple(ledger.moments)
        self.saved: tuple[Row, ...] = tuple(ledger.rows)


def memory(
    program: Callable[[], object] | AnyTensor | Sequence[AnyTensor],
    *,
    names: GivenNames | None = None,
) -> Memory:
    """Show the bytes that `program` keeps for the backward pass, as a plot and as text.

    program   a function without arguments, which is called once: the plot shows what each operation
              saves, and when a pass or the end of the graph frees it. Or a tensor of minigrad or
              PyTorch, or a list of them: what their graph keeps now; then nothing runs
    names     a dict of name to tensor, or a module; by default, the names of the caller's variables

    Memory that several nodes keep counts once, and all of it if a view is kept. Leaves, and tensors
    made before the program began, live anyway: they are listed and not counted. Of a tensor's graph
    these are the leaves, and tensors with a name and no history. Plain numbers do not count. Some
    bytes are unknown, and the text says so: what PyTorch saves for an operation that wrote through
    a view, and what a hook packed into something that is no tensor. TypeError for anything else.

    >>> import minigrad as mg
    >>> import minigrad_viz as viz
    >>> x = mg.ones(2, 3, requires_grad=True)
    >>> used = viz.memory(lambda: (x * x).exp().sum().backward())
    >>> print(used)  # doctest: +ELLIPSIS
    kept for the backward pass: at most 24 bytes, by ExpBackward0 in ...
        bytes
    forward
           24 ... + ExpBackward0.result [2, 3], 24 bytes
    backward
            0 ... - ExpBackward0.result
    the program's own, which lives anyway: x [2, 3], 24 bytes
    >>> used.peak.bytes, used.saved[-1].node, used.saved[-1].freed
    (24, 'ExpBackward0', 4)
    """
    language = current_language()
    frame = sys._getframe(1)
    optional("matplotlib")
    several = is_any(program, list, tuple)
    tensors: list[Any] = list(cast(Sequence[AnyTensor], program)) if several else [program]
    if several or is_tensor(program) or is_own(program):
        if any(is_own(each) for each in tensors) or not tensors:
            raise TypeError("memory() needs tensors of minigrad or PyTorch, or a function")
        graph = walk(*tensors, names=names, frame=frame, who="memory", detail=NOTHING_SAVED)
        ledger = read_memory(graph)
    else:
        check_callable(program, "memory")
        known = list(given_names(names, frame).items())
        ledger = record_memory(cast(Callable[[], object], program), known)
    return Memory(ledger, language)


def peak_of(ledger: Ledger) -> Peak:
    place = max(range(len(ledger.moments)), key=lambda at: ledger.moments[at].held, default=0)
    if not ledger.moments or not ledger.moments[place].held:
        return Peak(0, 0, "", None)
    moment = ledger.moments[place]
    return Peak(moment.held, place, moment.node, moment.line)


def pieces_of(ledger: Ledger) -> list[Piece]:
    """The memory that was kept, in the order in which it began to be."""
    found = []
    for rows in ledger.of_piece.values():
        ends = [row.freed for row in rows if row.freed is not None]
        freed = max(ends) if len(ends) == len(rows) else None
        found.append(Piece(rows[0].label, rows[0], rows[0].bytes, rows[0].born, freed))
    return sorted(found, key=lambda piece: piece.born)


def largest(pieces: list[Piece]) -> list[Piece]:
    """As many as can be shown, in their own order."""
    chosen_ = sorted(pieces, key=lambda piece: -piece.bytes)[:MOST]
    return [piece for piece in pieces if piece in chosen_]


def bytes_text(count: int, words: Any) -> str:
    return str(words["bytes"].format(count=f"{count:,}"))


def described(piece: Piece, words: Any, language: Language) -> str:
    """A piece of memory in words."""
    name = f"{printable(piece.label)} {shape_text(piece.first.shape, language)}"
    return str(words["piece"].format(name=name, bytes=bytes_text(piece.bytes, words)))


def _code(line: CodeLine | None) -> str:
    """A line of code, not too long."""
    text = printable(line.text) if line is not None else ""
    return text if columns(text) <= 44 else f"{text[:43]}…"


def text_of(ledger: Ledger, language: Language) -> str:
    """The moments at which something changed, in words."""
    words = sentences(language, "memory")
    peak, pieces = peak_of(ledger), pieces_of(ledger)
    lines = [words["nothing"]]
    if peak.node:
        key = "title" if peak.line is not None and peak.line.text else "title_without_line"
        title = words[key].format(
            bytes=bytes_text(peak.bytes, words), node=peak.node, line=_code(peak.line)
        )
        lines = [title, f"{' ' * (9 - columns(words['held']))}{words['held']}"]
    graphs = [piece for piece in pieces if not piece.first.own]
    shown = largest(graphs)
    first: dict[int, list[str]] = {}
    for piece in shown:
        first.setdefault(piece.born, []).append(f"+ {described(piece, words, language)}")
    for piece in shown:
        if piece.freed is not None:
            first.setdefault(piece.freed, []).append(f"- {printable(piece.label)}")
    code = [_code(moment.line) for moment in ledger.moments]
    width = max((columns(code[at]) for at in first), default=0)
    part = ""
    for at in sorted(first):
        moment = ledger.moments[at]
        if moment.kind != part:
            part = moment.kind
            lines.append(words[part])
        line = code[at] + " " * (width - columns(code[at]))
        changes = ", ".join(first[at])
        lines.append(f"{moment.held:9,}  {line}   {changes}".rstrip())
    if len(shown) < len(graphs):
        rest = sum(piece.bytes for piece in graphs) - sum(piece.bytes for piece in shown)
        lines.append(
            words["more"].format(count=len(graphs) - len(shown), bytes=bytes_text(rest, words))
        )
    own = largest([piece for piece in pieces if piece.first.own])
    if own:
        listed = words["separator"].join(described(piece, words, language) for piece in own)
        lines.append(words["own"].format(listed=listed))
    lines += [
        words[f"unseen_{why}"].format(node=printable(node))
        for why, node in ledger.unseen.items()
        if why != "checkpoint"  # which is seen at work
    ]
    return "\n".join(lines)


BEHIND, GRAPH, OWN, AGAIN = LIGHT.edge, BLUE[0], GREEN[0], AMBER[0]


def _draw(ledger: Ledger, language: Language) -> Figure:
    words = sentences(language, "memory")
    moments, peak = ledger.moments, peak_of(ledger)
    pieces = largest(pieces_of(ledger))
    end = max(len(moments), 1)
    height = 2.3 + 0.26 * len(pieces)
    with plot_style() as plt:
        made, (curve, bars) = figure(
            plt,
            figsize=(7.2, height + 0.5),
            nrows=2,
            sharex=True,
            height_ratios=(1.9, max(0.26 * len(pieces), 0.3)),
        )
        held = [moment.held for moment in moments] or [0]
        curve.stairs(held, range(len(held) + 1), color=GRAPH, linewidth=1.8)
        curve.stairs(held, range(len(held) + 1), color=GRAPH, fill=True, alpha=0.18)
        curve.set_ylim(0, max(peak.bytes, 1) * 1.3)
        curve.set_xlim(0, end)
        curve.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        curve.yaxis.get_major_locator().set_params(integer=True, nbins=4)
        curve.set_ylabel(words["held"])
        curve.tick_params(axis="x", length=0)
        bars.tick_params(axis="both", length=0)
        bars.set_xticks([])
        for first, last, kind in _parts(moments):
            if first:
                for place in (curve, bars):
                    place.axvline(first, color=BEHIND, linewidth=0.8, linestyle=":")
            caption = words[kind] if (last - first) / end > 0.09 else ""
            left, top = first + end * 0.008, max(peak.bytes, 1) * 1.28
            curve.text(left, top, caption, va="top", fontsize=9, color=LIGHT.muted)
        if peak.node:
            curve.plot(peak.moment + 0.5, peak.bytes, "o", color=GRAPH, markersize=5)
        _draw_pieces(bars, pieces, end)
        title = words["plot_title"].format(bytes=bytes_text(peak.bytes, words))
        made.suptitle(title, x=0.02, ha="left", fontsize=11)
        if at := _code(peak.line) or peak.node:
            at = words["at_peak"].format(at=at)
            curve.set_title(literal(at), loc="right", fontsize=9, color=LIGHT.muted)
        _legend(made, plt, pieces, words)
    return made


def _draw_pieces(bars: Any, pieces: list[Piece], end: int) -> None:
    """Draw a bar for each piece of memory, from its first moment to its last."""
    for row, piece in enumerate(pieces):
        colour = OWN if piece.first.own else AGAIN if piece.first.again else GRAPH
        (bar,) = bars.barh(
            row,
            (end if piece.freed is None else piece.freed) - piece.born,
            left=piece.born,
            height=0.62,
            color="none" if piece.first.own else colour,
            edgecolor=colour,
            linewidth=1.0,
        )
        if piece.first.own:  # outlined, and hatched: not told by its hue alone
            bar.set_hatch("////")
    counts = Counter(piece.label for piece in pieces)
    labels = [f"{literal(_told_apart(p, counts))}  {p.bytes:,}" for p in pieces]
    bars.set_yticks(range(len(pieces)), labels, fontsize=9)
    bars.set_ylim(len(pieces) - 0.4, -0.6)
    bars.grid(visible=False)


def _told_apart(piece: Piece, counts: Mapping[str, int]) -> str:
    """Return a piece's label; of several with one name, with the node that keeps it."""
    return piece.label if counts[piece.label] == 1 else f"{piece.label} ({piece.first.node})"


def _legend(made: Figure, plt: Any, pieces: list[Piece], words: Any) -> None:
    patch = plt.Rectangle
    keys = []
    if any(not piece.first.own and not piece.first.again for piece in pieces):
        keys.append((patch((0, 0), 1, 1, color=GRAPH), words["by_graph"]))
    if any(piece.first.again and not piece.first.own for piece in pieces):
        keys.append((patch((0, 0), 1, 1, color=AGAIN), words["by_again"]))
    if any(piece.first.own for piece in pieces):
        own = patch((0, 0), 1, 1, facecolor="none", edgecolor=OWN, hatch="////")
        keys.append((own, words["by_program"]))
    if keys:
        handles, labels = zip(*keys, strict=True)
        made.legend(handles, labels, loc="outside lower left", ncols=len(keys), fontsize=9)


def _parts(moments: Sequence[Moment]) -> list[tuple[int, int, str]]:
    """Where the forward and the backward parts of a program begin and end."""
    found: list[tuple[int, int, str]] = []
    for at, moment in enumerate(moments):
        kind = {"again": "backward", "gone": found[-1][2] if found else "forward"}.get(
            moment.kind, moment.kind
        )
        if found and found[-1][2] == kind:
            found[-1] = (found[-1][0], at + 1, kind)
        else:
            found.append((at, at + 1, kind))
    return found

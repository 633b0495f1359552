"""minigrad_viz: see the graph behind a tensor, and step through its backward pass.

    import minigrad_viz as viz

    viz.draw(loss)    # the graph as a picture; view="forward" or "both" for what it came from
    viz.tree(loss)    # as text
    with viz.watch(): ...    # let what PyTorch computes remember its lines and modules
    viz.step(loss)    # run backward() and go through it, forwards and backwards
    viz.program(loss)    # its backward pass as straight-line code, to read, run and edit
    viz.step(loss).to_pdf("steps.pdf")    # a page for every step; or to_gif, to_mp4, ...
    viz.compare(program, a, b)    # a program on two engines, or with two settings, side by side
    viz.both_modes(f, x)    # forward mode and the backward pass, in one graph
    viz.explore(f, x=(-2, 2))    # sliders on the inputs of a function, live numbers in its graph
    viz.explain(w)    # why its .grad is None, why a backward pass failed, where a NaN came from
    viz.diagnose(train_step)    # what is wrong with a training step
    viz.grad_flow(model)    # the size of the gradient in each layer
    viz.memory(program)    # what it keeps for the backward pass, by which line, and until when
    viz.loss_curve(losses)    # and other plots: derivatives(), and style() for your own

Tensors of minigrad and of PyTorch are treated alike, and results of an engine of your own can be
drawn and stepped through (model/own_engines.py says what it must have). There are six rooms, and
each uses only those before it:

    texts/      what is said, in English and in Chinese; numbers in words
    model/      what is read from a program: graphs, passes, names, lines. graph_model.py says what
                is read from a graph, pytorch_passes.py what can be seen of a pass of PyTorch
    picture/    a graph as a picture and as text: draw, tree; a pass as a program
    plots/      curves and sliders: explore, both_modes, grad_flow, memory, loss_curve,
                derivatives, style
    explain/    what is wrong: explain, diagnose
    stepper/    a backward pass to go through: step; two side by side: compare

Importing this package lets every operation of minigrad remember the line that made it: a picture is
worth little without the code that it is a picture of. `minigrad.autograd.set_track_lines(False)`
undoes that.
"""

from typing import Any

from minigrad.autograd import set_track_lines

from .explain.diagnose import Observation, diagnose, register
from .explain.diagnosis import Diagnosis
from .explain.explain import Explanation, explain
from .model.graph_model import GraphModel
from .model.watch import watch
from .picture.draw import Drawing, draw
from .picture.program import Program, program
from .picture.tree import Tree, tree
from .plots.both_modes import BothModes, both_modes
from .plots.derivatives import derivatives
from .plots.explore import Exploration, explore
from .plots.grad_flow import GradFlow, grad_flow
from .plots.loss_curve import loss_curve
from .plots.memory import Memory, memory
from .plots.themed_plot import Plot, style
from .stepper.compare import Comparison, compare
from .stepper.step import step

__all__ = [
    "BothModes",
    "Comparison",
    "Diagnosis",
    "Drawing",
    "Explanation",
    "Exploration",
    "GradFlow",
    "GraphModel",
    "Memory",
    "Observation",
    "Plot",
    "Program",
    "Tree",
    "both_modes",
    "compare",
    "derivatives",
    "diagnose",
    "draw",
    "explain",
    "explore",
    "grad_flow",
    "loss_curve",
    "memory",
    "program",
    "step",
    "style",
    "tree",
    "watch",
]

set_track_lines(True)


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext minigrad_viz` calls: gives the notebook the cell magic `%%diagnose`."""
    register(shell)

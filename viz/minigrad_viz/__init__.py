"""minigrad_viz: see the graph behind a tensor, and step through its backward pass.

    import minigrad_viz as viz

    viz.draw(loss)    # the graph as a picture; view="forward" or "both" for what it came from
    viz.tree(loss)    # as text
    viz.step(loss)    # run backward() and go through it, forwards and backwards
    viz.explore(f, x=(-2, 2))    # sliders on the inputs of a function, live numbers in its graph
    viz.explain(w)    # why its .grad is None, why a backward pass failed, where a NaN came from
    viz.grad_flow(model)    # the size of the gradient in each layer
    viz.loss_curve(losses)    # and other plots: derivatives(), and style() for your own

Tensors of minigrad and of PyTorch are treated alike. Read graph.py to see what is read from a
graph, pytorch.py for what can be seen of a backward pass of PyTorch.

Importing this package lets every operation of minigrad remember the line that made it: a picture is
worth little without the code that it is a picture of. `minigrad.modes.set_track_lines(False)`
undoes that.
"""

from minigrad.modes import set_track_lines

from .explain.explain import Explanation, explain
from .model.graph_model import GraphModel
from .picture.draw import Drawing, draw
from .picture.tree import Tree, tree
from .plots.derivatives import derivatives
from .plots.explore import Exploration, explore
from .plots.grad_flow import GradFlow, grad_flow
from .plots.loss_curve import loss_curve
from .plots.themed_plot import Plot, style
from .stepper.step import step

__all__ = [
    "Drawing",
    "Explanation",
    "Exploration",
    "GradFlow",
    "GraphModel",
    "Plot",
    "Tree",
    "derivatives",
    "draw",
    "explain",
    "explore",
    "grad_flow",
    "loss_curve",
    "step",
    "style",
    "tree",
]

set_track_lines(True)

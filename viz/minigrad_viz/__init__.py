"""minigrad_viz: see the graph behind a tensor, and step through its backward pass.

    import minigrad_viz as viz

    viz.draw(loss)    # the graph as a picture; view="forward" or "both" for what it came from
    print(viz.draw(loss))    # as text
    with viz.watch(): ...    # let what PyTorch computes remember its lines and modules
    viz.step(loss)    # run backward() and go through it, forwards and backwards
    viz.program(loss)    # its backward pass as straight-line code, to read, run and edit
    viz.step(loss).save("steps.pdf")    # a page for every step; or .html, .gif, .mp4, .zip
    viz.compare(program, a, b)    # a program on two engines, or with two settings, side by side
    viz.forward_and_backward(f, x)    # forward mode and the backward pass, in one graph
    viz.explore(f, x=(-2, 2))    # sliders on the inputs of a function, live numbers in its graph
    viz.explain(w)    # why its .grad is None, why a backward pass failed, where a NaN came from
    viz.diagnose(train_step)    # what is wrong with a training step
    viz.grad_flow(model)    # the size of the gradient in each layer
    viz.memory(program)    # what it keeps for the backward pass, by which line, and until when
    viz.loss_curve(losses)    # and other plots: derivatives(), and plot_style() for your own

Tensors of minigrad and of PyTorch are treated alike, and results of an engine of your own can be
drawn and stepped through (model/own_engines.py says what it must have). Each room uses only those
before it:

    texts/      what is said, in English and in Chinese; numbers in words
    model/      what is read from a graph: nodes, names, lines, values
    passes/     what is recorded of a pass, of both libraries
    picture/    a graph as a picture and as text: draw
    ledger/     bytes kept for the backward pass
    codegen/    a pass written as code: program
    plots/      curves and sliders: explore, forward_and_backward, grad_flow,
                memory, loss_curve, derivatives, plot_style
    diagnosis/  what is wrong with a program: explain, diagnose
    stepper/    a backward pass to go through: step; two side by side: compare

Importing this package lets every operation of minigrad remember the line that made it: a picture is
worth little without the code that it is a picture of. `minigrad.autograd.set_track_lines(False)`
undoes that.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from minigrad.autograd import set_track_lines

from .passes.watch import watch
from .picture.draw import Drawing, draw
from .stepper.compare import Comparison, compare
from .stepper.step import step
from .texts.language import set_language

if TYPE_CHECKING:
    from .codegen.program import Program, program
    from .diagnosis.diagnose import diagnose
    from .diagnosis.explain import Explanation, explain
    from .diagnosis.report import Diagnosis
    from .plots.derivatives import derivatives
    from .plots.explore import Exploration, explore
    from .plots.forward_and_backward import ForwardAndBackward, forward_and_backward
    from .plots.grad_flow import GradFlow, grad_flow
    from .plots.loss_curve import loss_curve
    from .plots.memory import Memory, memory
    from .plots.themed_plot import Plot, plot_style
    from .stepper.widget import Stepper

__all__ = [
    "Comparison",
    "Diagnosis",
    "Drawing",
    "Explanation",
    "Exploration",
    "ForwardAndBackward",
    "GradFlow",
    "Memory",
    "Plot",
    "Program",
    "Stepper",
    "compare",
    "derivatives",
    "diagnose",
    "draw",
    "explain",
    "explore",
    "forward_and_backward",
    "grad_flow",
    "loss_curve",
    "memory",
    "plot_style",
    "program",
    "set_language",
    "step",
    "watch",
]

set_track_lines(True)


LATER = {
    "codegen.program": ("Program", "program"),
    "diagnosis.diagnose": ("diagnose",),
    "diagnosis.explain": ("Explanation", "explain"),
    "diagnosis.report": ("Diagnosis",),
    "plots.derivatives": ("derivatives",),
    "plots.explore": ("Exploration", "explore"),
    "plots.forward_and_backward": ("ForwardAndBackward", "forward_and_backward"),
    "plots.grad_flow": ("GradFlow", "grad_flow"),
    "plots.loss_curve": ("loss_curve",),
    "plots.memory": ("Memory", "memory"),
    "plots.themed_plot": ("Plot", "plot_style"),
    "stepper.widget": ("Stepper",),
}
"""Modules that are imported when one of their names is first used: they take half of the time that
importing the package took, and anywidget."""

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error

    def __getattr__(name: str) -> Any:
        """Import the module of a name in LATER."""
        for module, names in LATER.items():
            if name in names:
                found = globals()[name] = getattr(import_module(f".{module}", __name__), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """Give a notebook the cell magic `%%diagnose`; `%load_ext minigrad_viz` calls this."""
    from .diagnosis.diagnose import register

    register(shell)

"""Write a backward pass of PyTorch as straight-line PyTorch code.

Hooks that only observe record the gradients that each node gets and returns in a rehearsal of the
pass. Then each node gets a text (pytorch_formulas.py) that gives the same gradients to the bit. If
there is none, the program calls the node, and the first line names it. The program calls the node
of a user's Function, too, so that PyTorch calls its `backward`. It calls no hook of the reader's;
the first line says where they are.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name, saved_tensors
from ..model.either_library import function_class, outside_modes
from ..model.graph_model import Walk
from ..model.hooks import on_node
from ..model.names import made_by
from ..passes.record import SetAside
from .pytorch_formulas import FORMULAS
from .statements import Draft, Input

SMALL = 6
"""Tensors of at most this many elements are written out in the program."""


class NodeRun:
    """One run of a node: the gradients that it gets, and those that it returns."""

    def __init__(self, node: Any, given: tuple[Any, ...]) -> None:
        self.node = node
        self.given = given
        self.outgoing: tuple[Any, ...] = ()


def rehearse(graph: Walk, run: Callable[[], None], aside: SetAside) -> list[NodeRun]:
    """Rehearse a pass; return the runs of its nodes, in order."""
    runs: list[NodeRun] = []
    known: dict[int, NodeRun] = {}
    handles = []

    def before(node: Any) -> Callable[[Any], None]:
        def hook(given: Any) -> None:
            with outside_modes():
                copies = tuple(None if g is None else g.detach().clone() for g in given)
                runs.append(NodeRun(node, copies))
                known[id(node)] = runs[-1]

        return hook

    def after(node: Any) -> Callable[[Any, Any], None]:
        def hook(outgoing: Any, _: Any) -> None:
            with outside_modes():
                copies = tuple(None if g is None else g.detach().clone() for g in outgoing)
                known[id(node)].outgoing = copies

        return hook

    for each in graph.model.nodes:
        if each.kind in ("function", "accumulate"):
            node = graph.objects[each.id]
            handles += [node.register_prehook(before(node)), node.register_hook(after(node))]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
        aside.put_back()
    return runs


class PyTorchDraft(Draft):
    """The program of the runs of a pass."""

    library = "torch"

    def __init__(self, graph: Walk) -> None:
        super().__init__(graph)
        self.torch: Any = sys.modules["torch"]
        self.values: dict[str, Any] = {}
        """The value of each variable in this pass."""
        self._known: dict[Any, str] = {}
        nodes = [graph.objects[n.id] for n in graph.model.nodes if n.kind == "accumulate"]
        self._leaves = {id(node.variable): node for node in nodes}

    def input(self, name: str, tensor: Any) -> str:
        """Add an input of the program; return its name."""
        tensor = tensor.detach()
        key = (tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype, tensor.device)
        if tensor.numel() and key in self._known:
            return self._known[key]
        name = name if name not in self.inputs else self.unique_name(name)
        value = tensor.clone()
        self._known[key] = name
        self._alive.append(tensor)
        self.values[name] = value
        self.inputs[name] = Input(name, value, self.literal(value) or f"given[{name!r}]")
        return name

    def literal(self, tensor: Any) -> str:
        if tensor.numel() > SMALL or tensor.device.type != "cpu" or not tensor.is_contiguous():
            return ""
        if type(tensor) is not self.torch.Tensor:
            return ""
        if self.torch.get_default_dtype() != self.torch.float32:
            return ""
        text = f"torch.tensor({tensor.tolist()}, dtype={tensor.dtype})"
        if tensor.dtype == self.torch.float32:
            short = re.sub(r"\d+\.\d{8,}(e-?\d+)?", lambda m: f"{float(m[0]):.9g}", text)
            text = short.replace(", dtype=torch.float32", "")
        try:
            found = eval(text, {"torch": self.torch})
        except NameError:  # nan, inf
            return ""
        return text if same(found, tensor) else ""

    def name_of(self, tensor: Any, kind: str) -> str:
        """Return the name of a saved tensor."""
        node, index = made_by(tensor)
        if node is None:
            node, index = self._leaves.get(id(tensor)), 0
        if node is not None:
            return self.base(node, index)
        name = self.names.of(tensor)
        return self.unique_name(name) if name else self.numbered_name(kind)

    # --- The pass

    def write(self, runs: Sequence[NodeRun], seeds: Sequence[tuple[Any, int, Any]]) -> None:
        for node, index, seed in seeds:
            name = self.gradient(node, index)
            code = self.seed(seed)
            if name in self.values:
                self.assign(None, name, f"{name} + {code}")
            else:
                self.assign(None, name, code)
        for run in runs:
            self.check_hooks(run)
            if is_accumulate(run.node):
                self.accumulate(run)
            else:
                self.write_retained(run)
                self.write_node(run)

    def assign(self, node: Any, name: str, code: str, value: Any = None) -> None:
        """Add an assignment; compute its value, unless `value` is given."""
        self.add(node, *ast.parse(f"{name} = {code}").body)
        self.values[name] = self.evaluate(code) if value is None else value

    def evaluate(self, code: str, more: Mapping[str, Any] = MappingProxyType({})) -> Any:
        with self.torch.no_grad():
            return eval(code, {"torch": self.torch, **self.values, **more})

    def seed(self, seed: Any) -> str:
        if bool((seed == 1).all()) and seed.device.type == "cpu":
            kind = "" if seed.dtype == self.torch.float32 else f", dtype={seed.dtype}"
            return f"torch.ones({tuple(seed.shape)}{kind})"
        return self.input(self.numbered_name("gradient"), seed)

    def check_hooks(self, run: NodeRun) -> None:
        """Take a gradient as it arrived if a hook has changed it."""
        for index, g in enumerate(run.given):
            name = self.gradient(run.node, index)
            if g is None or (name in self.values and same(self.values[name], g)):
                continue
            self.note_unwritten(run.node, "hook")
            self.assign(run.node, name, self.input(self.unique_name(f"{name}_seen"), g), g)

    def accumulate(self, run: NodeRun) -> None:
        leaf, d = run.node.variable, self.gradient(run.node, 0)
        if not leaf.requires_grad or run.given[0] is None:
            return
        base = self.base(run.node, 0)
        name = self.unique_name(f"{base}_grad")
        self.grads[self.names.of(leaf) or base] = name
        if leaf.grad is None:
            self.assign(run.node, name, d)
        else:
            self.assign(run.node, name, f"{self.input(name, leaf.grad)} + {d}")

    def write_retained(self, run: NodeRun) -> None:
        """Write the `.grad` of tensors that keep their gradient."""
        for tensor in self.names.results_of(run.node):
            if tensor.retains_grad and run.given[tensor.output_nr] is not None:
                d = self.gradient(run.node, tensor.output_nr)
                base = self.base(run.node, tensor.output_nr)
                name = self.unique_name(f"{base}_grad")
                self.grads[self.names.of(tensor) or base] = name
                old = tensor.grad
                code = f"{d}.clone()" if old is None else f"{self.input(name, old)} + {d}"
                self.assign(run.node, name, code)

    def write_node(self, run: NodeRun) -> None:
        node, edges = run.node, run.node.next_functions
        wanted = {
            slot: run.outgoing[slot]
            for slot, (target, _) in enumerate(edges)
            if target is not None and run.outgoing[slot] is not None
        }
        if not wanted:
            return
        codes = self.formula(run, wanted) or self.as_call(run, wanted)
        for slot, code in codes.items():
            target, index = edges[slot]
            name = self.gradient(target, index)
            if name in self.values:
                total = self.values[name] + wanted[slot]
                self.assign(node, name, f"{name} + {code}", total)
            else:
                self.assign(node, name, code, wanted[slot])

    def formula(self, run: NodeRun, wanted: dict[int, Any]) -> dict[int, str] | None:
        """Return a text for each gradient that is wanted, or None if no formula is right."""
        texts = FORMULAS.get(node_name(run.node), ())
        for text in texts:
            found: dict[int, str] = {}
            parts = [part.strip() for part in text.split("; ")]
            known: dict[str, str] = {}
            for slot, real in wanted.items():
                code = slot < len(parts) and self.fill_in(run, parts[slot], real, known)
                if code:
                    found[slot] = code
            if len(found) == len(wanted):
                return found
        return None

    def fill_in(self, run: NodeRun, text: str, real: Any, known: dict[str, str]) -> str | None:
        """Return a text with the program's names, if it gives `real`."""
        node = run.node
        tree = ast.parse(text)
        taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - {"torch"}
        names: dict[str, str] = {}
        values: dict[str, Any] = {}
        for name in taken:
            value = self.find_value(run, name, real)
            if value is MISSING:
                return None
            if self.is_number(name, value):
                names[name] = repr(value.item())
            elif self.is_tensor(value):
                values[name] = value
            else:
                names[name] = repr(value)
        code = ast.unparse(Names(names).visit(tree))
        try:
            made = self.evaluate(code, values)
            if made.shape != real.shape:
                rows = made.shape[1:] == real.shape
                how = "sum(0)" if rows else f"sum_to_size({tuple(real.shape)})"
                code = ast.unparse(ast.parse(f"({code}).{how}"))
                made = self.evaluate(code, values)
        except Exception:  # a formula that does not fit
            return None
        if not same(made, real):
            return None
        for name, value in values.items():
            names[name] = self.variable(node, name, value)
        code = ast.unparse(Names(names).visit(ast.parse(code)))
        return code if same(self.evaluate(code), real) else None

    def is_number(self, name: str, value: Any) -> bool:
        """Whether this is a Python number that PyTorch has saved as a tensor."""
        if name not in ("self", "other") or not self.is_tensor(value) or value.dim():
            return False
        return not value.requires_grad and not self.names.of(value)

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.torch.Tensor)

    def find_value(self, run: NodeRun, name: str, real: Any) -> Any:
        """Return the value of a name in a formula at this node."""
        if re.fullmatch(r"g\d?", name):
            return run.given[int(name[1:] or 0)]
        if name in ("SHAPE", "NUMEL"):
            return tuple(real.shape) if name == "SHAPE" else real.numel()
        attribute = "_saved_dim" if name == "DIM" else f"_saved_{name}"
        if name not in dict(saved_tensors(run.node)) and not hasattr(run.node, attribute):
            return MISSING
        value = getattr(run.node, attribute)
        if name == "DIM":
            value = value[0] if isinstance(value, tuple) and len(value) == 1 else value
        if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
            value -= 2**64  # PyTorch stores a negative dimension without its sign
        return value

    def variable(self, node: Any, name: str, value: Any) -> str:
        """Return the program's name for a tensor of a formula."""
        if re.fullmatch(r"g\d?", name):
            return self.gradient(node, int(name[1:] or 0))
        flat = value.dim() == 2 and self.transposed(value)
        return flat or self.input(self.name_of(value, name), value)

    def transposed(self, tensor: Any) -> str:
        """Return the code of a matrix that is the transpose of a named one, else an empty text."""
        if self.names.of(tensor):
            return ""
        flipped = tensor.detach().T
        for each, _ in self.names.items():
            if each.dim() == 2 and each.data_ptr() == flipped.data_ptr():
                if (each.shape, each.stride()) == (flipped.shape, flipped.stride()):
                    return f"{self.input(self.name_of(each, 'matrix'), each)}.T"
        return ""

    def as_call(self, run: NodeRun, wanted: dict[int, Any]) -> dict[int, str]:
        """Write a call of the node with its gradients."""
        node = run.node
        own = function_class(node) is not None
        if own and any(g is None for g in run.given):
            return self.as_recorded(node, wanted)  # it got None or zeros, and no hook shows which
        name = self.numbered_name("ctx" if own else "node")
        self.inputs[name] = Input(name, node, f"given[{name!r}]")
        args = [
            "None" if g is None else self.gradient(node, index) for index, g in enumerate(run.given)
        ]
        call = f"{name}{'.apply' if own else ''}({', '.join(args)})"
        places = self.arguments(node) if own else dict(enumerate(range(len(node.next_functions))))
        single = len(node.needs_input_grad if own else node.next_functions) == 1
        found: dict[int, str] = {0: call}
        if not single:
            result = self.temporary_name()
            self.add(node, *ast.parse(f"{result} = {call}").body)
            found = {slot: f"{result}[{places[slot]}]" for slot in wanted}
        if own:  # the reader's code has run once in the rehearsal
            changed = bool(on_node(node))
        else:
            self.note_unwritten(node, "call")
            try:
                with self.torch.no_grad():
                    made = node(*run.given)
                changed = False
            except Exception:  # a node may refuse a gradient that a hook has changed
                made, changed = None, True
            for slot, real in wanted.items() if not changed else ():
                part = made if single else made[slot]
                if part is not None and part.shape != real.shape:
                    part = part.sum_to_size(real.shape)
                    found[slot] += f".sum_to_size({tuple(real.shape)})"
                changed |= part is None or not same(part, real)
        return self.as_recorded(node, wanted) if changed else found

    def as_recorded(self, node: Any, wanted: dict[int, Any]) -> dict[int, str]:
        """Take the gradients that the node returned in the rehearsal."""
        self.note_unwritten(node, "hook")
        return {slot: self.input(self.numbered_name("seen"), real) for slot, real in wanted.items()}

    def arguments(self, node: Any) -> dict[int, int]:
        """Return which argument of a user's `forward` each edge is for."""
        live = [slot for slot, (target, _) in enumerate(node.next_functions) if target is not None]
        needed = [place for place, needs in enumerate(node.needs_input_grad) if needs]
        return dict(zip(live, needed, strict=True))


MISSING = object()


class Names(ast.NodeTransformer):
    """Replace names by texts."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        text = self.texts.get(node.id)
        return node if text is None else ast.parse(text, mode="eval").body


def same(a: Any, b: Any) -> bool:
    """Whether two tensors have the same numbers, shape and type; any two NaNs are equal."""
    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device:
        return False
    if not a.is_floating_point():
        return bool((a == b).all())
    nan = a.isnan() & b.isnan()
    return bool((((a == b) & (a.signbit() == b.signbit())) | nan).all())


def write_pytorch_pass(
    graph: Walk,
    tensors: Sequence[Any],
    gradients: Sequence[Any],
    inputs: Sequence[Any] | None,
) -> PyTorchDraft:
    """Rehearse the pass, and write it as code; raise its errors."""
    from .._pytorch import post_accumulate_hooks

    torch: Any = sys.modules["torch"]
    for each in inputs or ():
        if each.grad_fn is not None:
            raise ValueError("program() of a tensor of PyTorch takes leaves as inputs")
    aside = SetAside(graph, last_hooks=False)
    for each in inputs or ():
        aside.take(each)

    def run_pass() -> None:
        torch.autograd.backward(tensors, gradients, retain_graph=True, inputs=inputs)

    draft = PyTorchDraft(graph)
    waited = [hooks for hooks, before in aside.hooks if before]
    runs = rehearse(graph, run_pass, aside)
    if waited:
        for run in runs:
            if is_accumulate(run.node) and post_accumulate_hooks(run.node.variable):
                draft.note_unwritten(run.node, "post_accumulate")
    seeds = []
    for tensor, gradient in zip(tensors, gradients, strict=True):
        seed = torch.ones_like(tensor) if gradient is None else gradient
        node, index = made_by(tensor)
        seeds.append((node, index, seed.detach()))
    with outside_modes():
        draft.write(runs, seeds)
    draft.renumber()
    return draft

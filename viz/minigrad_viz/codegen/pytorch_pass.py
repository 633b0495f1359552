"""A backward pass of PyTorch, written down as straight-line PyTorch code.

The pass is rehearsed under hooks that only keep what each node is given and what it hands on, in
the order in which the nodes run. Then each node gets a text (pytorch_formulas.py), which is tried
on those very gradients; a node for which none gives the same to the bit is called, and named in the
first line. A reader's own Function is a call of its node, too: so PyTorch calls its `backward`.
Hooks of the reader's are not called by the program, and the first line says where they are.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from .autograd_nodes import is_accumulate, node_name, saved_tensors
from .graph_model import Walk
from .hooks import on_node
from .names import made_by
from .passes import SetAside
from .pytorch_formulas import FORMULAS
from .pytorch_modes import unseen
from .written_program import Draft, Input

SMALL = 6
"""Elements of a tensor that is written out in the program; of a larger one stands the name."""


class Seen:
    """One turn of a node: what it was given, and what it handed on."""

    def __init__(self, node: Any, given: tuple[Any, ...]) -> None:
        self.node = node
        self.given = given
        self.outgoing: tuple[Any, ...] = ()


def rehearsed(graph: Walk, run: Callable[[], None], aside: SetAside) -> list[Seen]:
    """The turns of a pass, in their order."""
    turns: list[Seen] = []
    known: dict[int, Seen] = {}
    handles = []

    def before(node: Any) -> Callable[[Any], None]:
        def hook(given: Any) -> None:
            with unseen():
                copies = tuple(None if g is None else g.detach().clone() for g in given)
                turns.append(Seen(node, copies))
                known[id(node)] = turns[-1]

        return hook

    def after(node: Any) -> Callable[[Any, Any], None]:
        def hook(outgoing: Any, _: Any) -> None:
            with unseen():
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
    return turns


class PyTorchDraft(Draft):
    """The program of the turns of a pass."""

    library = "torch"

    def __init__(self, graph: Walk) -> None:
        super().__init__(graph)
        self.torch: Any = sys.modules["torch"]
        self.values: dict[str, Any] = {}
        """What each variable is in this pass."""
        self._known: dict[Any, str] = {}
        nodes = [graph.objects[n.id] for n in graph.model.nodes if n.kind == "accumulate"]
        self._leaves = {id(node.variable): node for node in nodes}

    def input(self, name: str, tensor: Any) -> str:
        """Something that the program begins with; the name by which it has it."""
        tensor = tensor.detach()
        key = (tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype, tensor.device)
        if tensor.numel() and key in self._known:
            return self._known[key]
        name = name if name not in self.inputs else self.unique(name)
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

    def named(self, tensor: Any, kind: str) -> str:
        """What a saved tensor is called."""
        node, index = made_by(tensor)
        if node is None:
            node, index = self._leaves.get(id(tensor)), 0
        if node is not None:
            return self.base(node, index)
        name = self.names.of(tensor)
        return self.unique(name) if name else self.numbered(kind)

    # --- The pass

    def write(self, turns: Sequence[Seen], seeds: Sequence[tuple[Any, int, Any]]) -> None:
        for node, index, seed in seeds:
            name = self.gradient(node, index)
            code = self.seed(seed)
            if name in self.values:
                self.put(None, name, f"{name} + {code}")
            else:
                self.put(None, name, code)
        for turn in turns:
            self.check_hooks(turn)
            if is_accumulate(turn.node):
                self.accumulate(turn)
            else:
                self.keep(turn)
                self.turn(turn)

    def put(self, node: Any, name: str, code: str, value: Any = None) -> None:
        """A statement; it is also run, so that what it gives is known, unless its `value` is."""
        self.say(node, *ast.parse(f"{name} = {code}").body)
        self.values[name] = self.tried(code) if value is None else value

    def tried(self, code: str, more: Mapping[str, Any] = MappingProxyType({})) -> Any:
        with self.torch.no_grad():
            return eval(code, {"torch": self.torch, **self.values, **more})

    def seed(self, seed: Any) -> str:
        if bool((seed == 1).all()) and seed.device.type == "cpu":
            kind = "" if seed.dtype == self.torch.float32 else f", dtype={seed.dtype}"
            return f"torch.ones({tuple(seed.shape)}{kind})"
        return self.input(self.numbered("gradient"), seed)

    def check_hooks(self, turn: Seen) -> None:
        """Where the engine came with something else than the program has, a hook has changed it:
        it is taken as it came."""
        for index, g in enumerate(turn.given):
            name = self.gradient(turn.node, index)
            if g is None or (name in self.values and same(self.values[name], g)):
                continue
            self.cannot(turn.node, "hook")
            self.put(turn.node, name, self.input(self.unique(f"{name}_seen"), g), g)

    def accumulate(self, turn: Seen) -> None:
        leaf, d = turn.node.variable, self.gradient(turn.node, 0)
        if not leaf.requires_grad or turn.given[0] is None:
            return
        base = self.base(turn.node, 0)
        name = self.unique(f"{base}_grad")
        self.grads[self.names.of(leaf) or base] = name
        if leaf.grad is None:
            self.put(turn.node, name, d)
        else:
            self.put(turn.node, name, f"{self.input(name, leaf.grad)} + {d}")

    def keep(self, turn: Seen) -> None:
        """What tensors have of it that keep their gradient."""
        for tensor in self.names.results_of(turn.node):
            if tensor.retains_grad and turn.given[tensor.output_nr] is not None:
                d = self.gradient(turn.node, tensor.output_nr)
                base = self.base(turn.node, tensor.output_nr)
                name = self.unique(f"{base}_grad")
                self.grads[self.names.of(tensor) or base] = name
                old = tensor.grad
                code = f"{d}.clone()" if old is None else f"{self.input(name, old)} + {d}"
                self.put(turn.node, name, code)

    def turn(self, turn: Seen) -> None:
        node, edges = turn.node, turn.node.next_functions
        wanted = {
            slot: turn.outgoing[slot]
            for slot, (target, _) in enumerate(edges)
            if target is not None and turn.outgoing[slot] is not None
        }
        if not wanted:
            return
        codes = self.formula(turn, wanted) or self.as_call(turn, wanted)
        for slot, code in codes.items():
            target, index = edges[slot]
            name = self.gradient(target, index)
            if name in self.values:
                total = self.values[name] + wanted[slot]
                self.put(node, name, f"{name} + {code}", total)
            else:
                self.put(node, name, code, wanted[slot])

    def formula(self, turn: Seen, wanted: dict[int, Any]) -> dict[int, str] | None:
        """A text for each gradient that is wanted, if there is one that is true."""
        texts = FORMULAS.get(node_name(turn.node), ())
        for text in texts:
            found: dict[int, str] = {}
            parts = [part.strip() for part in text.split("; ")]
            known: dict[str, str] = {}
            for slot, real in wanted.items():
                code = slot < len(parts) and self.filled(turn, parts[slot], real, known)
                if code:
                    found[slot] = code
            if len(found) == len(wanted):
                return found
        return None

    def filled(self, turn: Seen, text: str, real: Any, known: dict[str, str]) -> str | None:
        """A text with the program's names in it, if it gives `real`."""
        node = turn.node
        tree = ast.parse(text)
        taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - {"torch"}
        names: dict[str, str] = {}
        values: dict[str, Any] = {}
        for name in taken:
            value = self.place(turn, name, real)
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
            made = self.tried(code, values)
            if made.shape != real.shape:
                rows = made.shape[1:] == real.shape
                how = "sum(0)" if rows else f"sum_to_size({tuple(real.shape)})"
                code = ast.unparse(ast.parse(f"({code}).{how}"))
                made = self.tried(code, values)
        except Exception:  # a suggestion that does not fit
            return None
        if not same(made, real):
            return None
        for name, value in values.items():
            names[name] = self.variable(node, name, value)
        code = ast.unparse(Names(names).visit(ast.parse(code)))
        return code if same(self.tried(code), real) else None

    def is_number(self, name: str, value: Any) -> bool:
        """Is this a Python number that PyTorch has saved as a tensor?"""
        if name not in ("self", "other") or not self.is_tensor(value) or value.dim():
            return False
        return not value.requires_grad and not self.names.of(value)

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.torch.Tensor)

    def place(self, turn: Seen, name: str, real: Any) -> Any:
        """What a name in a text stands for at this node."""
        if re.fullmatch(r"g\d?", name):
            return turn.given[int(name[1:] or 0)]
        if name in ("SHAPE", "NUMEL"):
            return tuple(real.shape) if name == "SHAPE" else real.numel()
        attribute = "_saved_dim" if name == "DIM" else f"_saved_{name}"
        if name not in dict(saved_tensors(turn.node)) and not hasattr(turn.node, attribute):
            return MISSING
        value = getattr(turn.node, attribute)
        if name == "DIM":
            value = value[0] if isinstance(value, tuple) and len(value) == 1 else value
        if isinstance(value, int) and not isinstance(value, bool) and value >= 2**63:
            value -= 2**64  # PyTorch shows a negative dimension without its sign
        return value

    def variable(self, node: Any, name: str, value: Any) -> str:
        """What the program calls a tensor of a text."""
        if re.fullmatch(r"g\d?", name):
            return self.gradient(node, int(name[1:] or 0))
        flat = value.dim() == 2 and self.transposed(value)
        return flat or self.input(self.named(value, name), value)

    def transposed(self, tensor: Any) -> str:
        """A matrix that is the transposition of one with a name."""
        if self.names.of(tensor):
            return ""
        flipped = tensor.detach().T
        for each, _ in self.names.items():
            if each.dim() == 2 and each.data_ptr() == flipped.data_ptr():
                if (each.shape, each.stride()) == (flipped.shape, flipped.stride()):
                    return f"{self.input(self.named(each, 'matrix'), each)}.T"
        return ""

    def as_call(self, turn: Seen, wanted: dict[int, Any]) -> dict[int, str]:
        """The node, called with its gradients."""
        node = turn.node
        own = hasattr(node, "_forward_cls")
        if own and any(g is None for g in turn.given):
            return self.as_it_was(node, wanted)  # nobody can ask if it got None or zeros for it
        name = self.numbered("ctx" if own else "node")
        self.inputs[name] = Input(name, node, f"given[{name!r}]")
        args = [
            "None" if g is None else self.gradient(node, index)
            for index, g in enumerate(turn.given)
        ]
        call = f"{name}{'.apply' if own else ''}({', '.join(args)})"
        places = self.arguments(node) if own else dict(enumerate(range(len(node.next_functions))))
        single = len(node.needs_input_grad if own else node.next_functions) == 1
        found: dict[int, str] = {0: call}
        if not single:
            result = self.fresh()
            self.say(node, *ast.parse(f"{result} = {call}").body)
            found = {slot: f"{result}[{places[slot]}]" for slot in wanted}
        if own:  # it is the reader's: once in the rehearsal is enough
            changed = bool(on_node(node))
        else:
            self.cannot(node, "call")
            try:
                with self.torch.no_grad():
                    made = node(*turn.given)
                changed = False
            except Exception:  # a node may refuse what a hook has made of its gradient
                made, changed = None, True
            for slot, real in wanted.items() if not changed else ():
                part = made if single else made[slot]
                if part is not None and part.shape != real.shape:
                    part = part.sum_to_size(real.shape)
                    found[slot] += f".sum_to_size({tuple(real.shape)})"
                changed |= part is None or not same(part, real)
        return self.as_it_was(node, wanted) if changed else found

    def as_it_was(self, node: Any, wanted: dict[int, Any]) -> dict[int, str]:
        """What the node has given in the rehearsal."""
        self.cannot(node, "hook")
        return {slot: self.input(self.numbered("seen"), real) for slot, real in wanted.items()}

    def arguments(self, node: Any) -> dict[int, int]:
        """Of a reader's Function: which of `forward`'s arguments an edge is for."""
        live = [slot for slot, (target, _) in enumerate(node.next_functions) if target is not None]
        needed = [place for place, needs in enumerate(node.needs_input_grad) if needs]
        return dict(zip(live, needed, strict=True))


MISSING = object()


class Names(ast.NodeTransformer):
    """Puts texts in the place of names."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        text = self.texts.get(node.id)
        return node if text is None else ast.parse(text, mode="eval").body


def same(a: Any, b: Any) -> bool:
    """Whether two tensors are the same numbers, in the same shape and type: any two NaNs are."""
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
    """Rehearse the pass, and write it down. What it raises is raised."""
    torch: Any = sys.modules["torch"]
    for each in inputs or ():
        if each.grad_fn is not None:
            raise ValueError("program() of a tensor of PyTorch takes leaves as inputs")
    aside = SetAside(graph, last_hooks=False)
    for each in inputs or ():
        aside.take(each)

    def run() -> None:
        torch.autograd.backward(tensors, gradients, retain_graph=True, inputs=inputs)

    draft = PyTorchDraft(graph)
    waited = [hooks for hooks, before in aside.hooks if before]
    turns = rehearsed(graph, run, aside)
    if waited:
        for turn in turns:
            if is_accumulate(turn.node) and turn.node.variable._post_accumulate_grad_hooks:
                draft.cannot(turn.node, "post_accumulate")
    seeds = []
    for tensor, gradient in zip(tensors, gradients, strict=True):
        seed = torch.ones_like(tensor) if gradient is None else gradient
        node, index = made_by(tensor)
        seeds.append((node, index, seed.detach()))
    with unseen():
        draft.write(turns, seeds)
    draft.renumber()
    return draft

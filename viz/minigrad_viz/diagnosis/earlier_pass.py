"""Find the earlier iteration of a loop that has freed the graph of a failing backward pass.

The graph alone does not tell, since the failing pass has also freed nodes. The loop does: results
from before the loop are the same in every iteration. A value that is computed from its own earlier
value carries the graphs of all iterations.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from types import CodeType, FunctionType
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.names import is_tensor, made_by
from ..model.program_text import TRIED, Program, Statement, assigned, cuts, receivers
from .causes import UNNAMED, Context, Finding
from .evidence import leads_to, sequence_of, state_of
from .history import History
from .objects import function_called, is_library, is_module, member, resolve
from .passes import BEFORE_CLOSURE, HANDED_ON, PASSES, SOMEHOW
from .reachable import held_by, is_optimizer
from .scope import Scope, enter, parameters_of
from .syntax import as_code, calls_in, data_writes, last_name, names_in, root_of_pass


def explain_in_loop(context: Context, root: Any, finding: Finding) -> Finding:
    """Return a better answer than `finding` (a freed graph) if a loop gives one."""
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    found = find_before_closure(context, root) or search_loops(
        context, root, history, history.heads
    )
    return found or add_earlier_pass(context, root, finding, history)


def find_before_closure(context: Context, root: Any) -> Finding | None:
    """Find a freed result from before a closure that an optimizer calls several times."""
    statements = context.program.statements
    for frame, _ in context.running:
        name = frame.f_code.co_name
        calls = [(s, c) for s in statements for c in calls_in(s.tree) if last_name(c) == "step"]
        if not any(c.args and ast.unparse(c.args[0]) == name for _, c in calls):
            continue
        for read in sorted(names_in_code(frame.f_code)):
            tensor = context.variables.get(read)
            made = context.program.assignment(read)
            if made is None or not is_behind(context, root, tensor):
                continue
            if state_of(context.operations(tensor)) == "freed":
                parts = {"root": context.name(root), "t": read, "line": context.line(made)}
                return BEFORE_CLOSURE.finding(context, root, {**parts, "closure": name})
    return None


def names_in_code(code: CodeType) -> set[str]:
    return {*code.co_names, *code.co_freevars}


def explain_after_loop(context: Context, root: Any, finding: Finding) -> Finding:
    """As `explain_in_loop`, when no pass is running.

    The loop is the one in which a pass from `root` failed or would fail. It must match the graph,
    in which a state was computed more than once.
    """
    history = History(lambda tensor: bool(tensor.requires_grad), context.running)
    heads = [last_pass(context.name(root), scope) for scope in history.scopes]
    found = search_loops(context, root, history, heads)
    if found is None:
        found = find_repeated(context, root, history, heads[-1])
    return found if found is not None and is_state(context, root, found) else finding


def last_pass(name: str, scope: Scope) -> int | None:
    """Return the index of the last statement that always starts a pass from the variable."""
    places = [
        index
        for index, statement in enumerate(scope.statements)
        if any(passes_from(name, scope, index)) and all(arm == TRIED for _, arm in statement.arms)
    ]
    return places[-1] if places else None


def is_state(context: Context, root: Any, found: Finding) -> bool:
    """Return whether a finding is of a state, and another node like the state's lies behind it."""
    state = found.state if found.cause == "carried" else None
    for tensor in state if isinstance(state, tuple | list) else [state]:
        node = made_by(tensor)[0] if is_tensor(tensor) else None
        if node is not None and is_behind(context, root, tensor):
            names = [node_name(n) for n in context.operations(tensor) if n is not node]
            if node_name(node) in names:
                return True
    return False


def find_repeated(
    context: Context, root: Any, history: History, head: int | None
) -> Finding | None:
    """Find the state of lines that occur several times, each time with their own pass.

    An example is a notebook whose cells repeat a step.
    """
    if head is None:
        return None
    scope = history.scopes[-1]
    passes = [i for i in range(head) if any(map(root_of_pass, calls_in(scope.statements[i].tree)))]
    if not passes or scope.statements[head].loops or scope.statements[passes[-1]].loops:
        return None
    iteration = tuple(scope.statements[passes[-1] + 1 : head + 1])
    found = find_carried(Loop(context, root, history, scope, iteration, ()))
    return found if found is not None and is_state(context, root, found) else None


def search_loops(
    context: Context, root: Any, history: History, heads: list[int | None]
) -> Finding | None:
    """Return what the loops around these statements (one per scope) say about the pass."""
    for number in range(len(history.scopes) - 1, -1, -1):  # the innermost loop is the most specific
        scope, head = history.scopes[number], heads[number]
        if head is None:
            continue
        loops = scope.statements[head].loops
        # The head of a loop runs once, before the first iteration.
        if loops[-1:] == (scope.statements[head].line,):
            loops = loops[:-1]
        inner = [s for later in history.scopes[number + 1 :] for s in later.statements]
        for depth in range(len(loops), 0, -1):
            inside = [s for s in scope.statements if s.loops[:depth] == loops[:depth]]
            loop = Loop(context, root, history, scope, tuple(inside), tuple(inner))
            found = (find(loop) for find in FINDERS)
            if (finding := next((each for each in found if each is not None), None)) is not None:
                return finding
    return None


@dataclass(frozen=True)
class Loop:
    """The evidence of a loop around a failing pass."""

    context: Context
    root: Any
    history: History
    scope: Scope
    """The function or module with the loop."""
    inside: tuple[Statement, ...]
    """The statements of the loop."""
    inner: tuple[Statement, ...]
    """The statements of running functions that the loop has called."""

    @property
    def statements(self) -> list[Statement]:
        return [*self.inside, *self.inner]

    @property
    def objects(self) -> Mapping[str, Any]:
        return self.scope.objects

    def behind(self, tensor: Any) -> bool:
        """Return whether a tensor is a result behind the root of the pass."""
        return is_behind(self.context, self.root, tensor)

    def freed(self, tensor: Any) -> bool:
        """Return whether a tensor is a result behind the root whose graph is freed."""
        return self.behind(tensor) and state_of(self.context.operations(tensor)) == "freed"

    def finding(self, cause: str, name: str, statement: Statement, cure: str = "") -> Finding:
        parts = {"root": self.context.name(self.root), "t": name, "instead": cure or cut_off(name)}
        parts["line"] = self.context.line(statement)
        return RULE_OF[cause].finding(self.context, self.root, parts)

    def with_others(self, finding: Finding, states: list[str]) -> Finding:
        """Name the other states for which the finding holds, too."""
        if states:
            names = self.context.say("and").join(states)
            finding.sentences.append(self.context.say("carried_also", names=names))
        return finding

    @cached_property
    def entered(self) -> list[tuple[FunctionType, Any, Scope]]:
        """The user's functions that the loop calls, with the objects they are bound to."""
        return list(self.history.functions_entered(self.scope, list(self.inside)))


RULE_OF = {rule.key: rule for rule in PASSES}


def find_cached(loop: Loop) -> Finding | None:
    """Find a result that is computed once and returned again.

    A function under lru_cache does so, or one that stores its results in a dict.
    """
    for call in (call for statement in loop.inside for call in calls_in(statement.tree)):
        function = function_called(call, loop.scope)
        if function is not None and callable(
            getattr(resolve(call.func, loop.scope), "cache_info", None)
        ):
            lines = enter(*function, {}, {}).statements
            if returns := [s for s in lines if isinstance(s.tree, ast.Return)]:
                return loop.finding("kept_result", ast.unparse(call), returns[-1])
    for _, _, inner in loop.entered:
        for statement in inner.statements:
            targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
            for target in targets:
                if not isinstance(target, ast.Subscript) or not statement.arms:
                    continue
                held = resolve(target.value, inner)
                if type(held) is dict and any(map(loop.freed, held.values())):
                    return loop.finding("kept_result", ast.unparse(target), statement)
    return None


def find_carried(loop: Loop) -> Finding | None:
    """Find a variable or a module's attribute that is computed from its own earlier value."""
    if (collecting := find_collected(loop)) is not None:
        return collecting
    context, root = loop.context, loop.root
    finding: Finding | None = None
    states: list[str] = []
    for name, cycle in find_cycles(loop.statements):
        value = look_up(name, loop.objects)
        if not carries(context, root, value) or any(cuts(statement) for statement in cycle):
            continue
        statement = cycle[-1]
        if value is root and is_sum(statement):
            return loop.finding("carried_total", name, statement)
        states.append(name)
        if finding is None:
            cure = detach_all(name) if isinstance(value, tuple | list) else ""
            finding = loop.finding("carried", name, statement, cure)
            finding.state = value
    return loop.with_others(finding, states[1:]) if finding else find_carried_within(loop)


def find_carried_within(loop: Loop) -> Finding | None:
    """Find such a state in the functions that the loop calls."""
    for function, bound, _ in loop.entered:
        lines = Program.of(function).statements
        for statement in lines:
            for call in calls_in(statement.tree):
                attribute = appended_attribute(call, function)
                held = member(bound, attribute) if bound is not None and attribute else None
                if type(held) is list and sum(map(loop.behind, held)) > 1:
                    name = f"{function.__code__.co_varnames[0]}.{attribute}"
                    return loop.finding("collected", name, statement)
        states = [
            (*state, cycle)
            for name, cycle in find_cycles(lines)
            if not any(map(cuts, cycle)) and (state := state_within(loop, function, bound, name))
        ]
        if states:
            (name, value, cycle), *others = states
            first = name.partition(".")[0]
            if first == "self" and not any(
                root_of_pass(c) for s in lines for c in calls_in(s.tree)
            ):
                name = f"{owner_in(loop.objects, bound)}.{name.partition('.')[2]}"
                others = [(n.replace("self", name.rpartition(".")[0], 1), *r) for n, *r in others]
            cure = detach_all(name) if isinstance(value, tuple | list) else cut_off(name)
            found = loop.finding("carried", states[0][0], cycle[-1], cure)
            found.state = value
            return loop.with_others(found, [other[0] for other in others])
    return None


def state_within(
    loop: Loop, function: FunctionType, bound: Any, name: str
) -> tuple[str, Any] | None:
    """Return a function's state that carries a graph, by its name, if it outlives the call."""
    first, _, attribute = name.partition(".")
    if attribute and bound is not None and first == function.__code__.co_varnames[0]:
        value = member(bound, attribute)
    elif attribute.isidentifier() and first in function.__code__.co_varnames:
        # An argument: an object that the loop hands over.
        owners = (
            n
            for n, v in loop.objects.items()
            if carries(loop.context, loop.root, member(v, attribute))
        )
        name = f"{next(owners, first)}.{attribute}"
        value = look_up(name, loop.objects)
    elif outlives_calls(name, function) or (
        attribute.isidentifier() and first not in function.__code__.co_varnames
    ):
        value = look_up(name, enter(function, None, {}, {}).objects)
    else:
        return None
    return (name, value) if carries(loop.context, loop.root, value) else None


def find_handed_on(loop: Loop) -> Finding | None:
    """Find a line that reads an earlier iteration's result from a container.

    What is computed from the result must be stored in the same list, dict or deque again.
    """
    within = [enter(function, bound, {}, {}) for function, bound, _ in loop.entered]
    for statements, objects in ((loop.statements, loop.objects),
                                *((s.statements, s.objects) for s in within)):  # fmt: skip
        for index, statement in enumerate(statements):
            for read, holder in elements_read(statement):
                kept = elements_of(look_up(holder, objects))
                if not all(map(is_tensor, kept)) or not any(map(loop.behind, kept)):
                    continue
                if cuts(statement) or not keeps(statements[index:], holder):
                    continue
                parts = {"root": loop.context.name(loop.root), "t": holder}
                parts |= {"line": loop.context.line(statement), "read": ast.unparse(read)}
                parts |= {"instead": f"{ast.unparse(read)}.detach()"}
                return HANDED_ON.finding(loop.context, loop.root, parts)
    return None


def elements_of(held: Any) -> list[Any]:
    """Return the elements of a list, a tuple, a deque or a dict, and none of anything else."""
    if isinstance(held, dict):
        return list(held.values())
    return list(held) if isinstance(held, list | tuple | deque) else []


def elements_read(statement: Statement) -> Iterator[tuple[ast.expr, str]]:
    """Yield expressions that read an element of a container, with the container's name.

    Examples are `past[-1]` and `cache.get(key, start)`.
    """
    for node in ast.walk(getattr(statement.tree, "value", None) or ast.Pass()):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            yield node, node.value.id
        elif isinstance(node, ast.Call) and last_name(node) == "get" and len(node.args) == 2:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            # Without a default, get() may return None, which has no detach().
            if isinstance(owner, ast.Name) and not isinstance(node.args[1], ast.Constant):
                yield node, owner.id


def keeps(statements: list[Statement], holder: str) -> bool:
    """Return whether the first statement's value gets, with its history, into a container."""
    tainted: set[str] = set()
    for number, statement in enumerate(statements):
        names = names_in(getattr(statement.tree, "value", None))
        if number and not names & tainted:
            continue
        if cuts(statement):
            tainted -= assigned_by(statement)
            continue
        if puts_into(statement, holder):
            return True
        tainted |= assigned_by(statement)
    return False


def puts_into(statement: Statement, holder: str) -> bool:
    """Return whether a statement puts an element into a container."""
    if any(holder in receivers(statement, name) for name in ("append", "appendleft")):
        return True
    targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
    return any(isinstance(t, ast.Subscript) and ast.unparse(t.value) == holder for t in targets)


def outlives_calls(name: str, function: FunctionType) -> bool:
    """Return whether a function's variable outlives its calls.

    It does if it is global, of an outer function, or an element of a default argument.
    """
    base, _, element = name.partition("[")
    local = base in function.__code__.co_varnames
    return base in function.__code__.co_freevars or (bool(element) if local else "." not in base)


def appended_attribute(call: ast.Call, function: FunctionType) -> str:
    """Return "seen" for `self.seen.append(z)` in a method, or "" for another call."""
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    if last_name(call) != "append" or not isinstance(held, ast.Attribute):
        return ""
    owner = ast.unparse(held.value)
    return held.attr if (owner,) == function.__code__.co_varnames[:1] else ""


def find_collected(loop: Loop) -> Finding | None:
    """Find a list from before the loop to which each iteration adds a result.

    The root must have been computed from the list.
    """
    given = {name for s in loop.statements for name in assigned_by(s)}
    for statement in loop.statements:
        for name in receivers(statement, "append") - given:
            held = loop.objects.get(name)
            if isinstance(held, list) and sum(map(loop.behind, held)) > 1:
                return loop.finding("collected", name, statement)
    return None


def find_cycles(statements: list[Statement]) -> Iterator[tuple[str, list[Statement]]]:
    """Yield variables that a loop computes from their own earlier values.

    Each comes with the statements on the way, its own assignment last.
    """
    makers: dict[str, list[int]] = {}
    for index, statement in enumerate(statements):
        for name in sorted(assigned_by(statement)):
            makers.setdefault(name, []).append(index)
    reads = [read_by(statement) for statement in statements]
    for name, places in makers.items():
        place = places[-1]
        own = (i for i in places[:-1] if name not in reads[i] or cuts(statements[i]))
        if any(not keeps_previous_value(statements[i], statements[place]) for i in own):
            continue  # another line assigns an unrelated value
        first = next((i for i, read in enumerate(reads) if name in read), len(statements))
        if first > place:
            continue
        seen: set[int] = set()
        queue, closed = [place], False
        while queue:
            index = queue.pop()
            if index in seen or (index != place and cuts(statements[index])):
                continue
            seen.add(index)
            for source in reads[index]:
                closed = closed or source == name
                queue += [i for i in makers.get(source, ()) if source != name]
        if closed:
            yield (
                name,
                [statements[i] for i in sorted(seen - {place})] + [statements[place]],
            )


def keeps_previous_value(statement: Statement, cycle: Statement) -> bool:
    """Return whether a statement can keep the variable's value of the last iteration.

    A statement in a branch can, such as `if h is None: h = start`, if it cuts nothing.
    """
    return statement.arms[: len(cycle.arms)] != statement.arms and not cuts(statement)


def look_up(name: str, objects: Any) -> Any:
    """Return the value of a variable, of `memory["h"]`, or of an attribute `Agent.memory`."""
    tree = ast.parse(name, mode="eval").body
    if isinstance(tree, ast.Attribute) and isinstance(tree.value, ast.Name):
        if name not in objects:
            return member(objects.get(tree.value.id), tree.attr)
    if isinstance(tree, ast.Subscript) and isinstance(tree.value, ast.Name):
        holder, key = objects.get(tree.value.id), getattr(tree.slice, "value", None)
        if type(holder) is dict:
            return holder.get(key)
        if type(holder) is list and type(key) is int and -len(holder) <= key < len(holder):
            return holder[key]
    return objects.get(name)


def is_sum(statement: Statement) -> bool:
    tree: Any = statement.tree
    operation = tree if isinstance(tree, ast.AugAssign) else getattr(tree, "value", None)
    return isinstance(getattr(operation, "op", None), ast.Add | ast.Sub)


def assigned_by(statement: Statement) -> set[str]:
    tree = statement.tree
    if isinstance(tree, ast.AugAssign):
        return {ast.unparse(tree.target)}
    names = assigned(tree)
    targets = list(tree.targets) if isinstance(tree, ast.Assign) else []
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            targets += target.elts
        if isinstance(target, ast.Attribute) or _is_element(target):
            names.add(ast.unparse(target))
    return names


def read_by(statement: Statement) -> set[str]:
    """Return the variables and attributes (`self.h`) from which a statement computes a value."""
    value = getattr(statement.tree, "value", None)
    if value is None:
        return set()
    parts = (
        n for n in ast.walk(value) if isinstance(n, ast.Name | ast.Attribute) or _is_element(n)
    )
    names = {ast.unparse(n) for n in parts}
    return names | (assigned_by(statement) if isinstance(statement.tree, ast.AugAssign) else set())


def _is_element(tree: ast.AST) -> bool:
    """Return whether an expression is like `memory["h"]`, with a constant key."""
    return isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Constant)


def detach_all(name: str) -> str:
    """Return a line that detaches a state of several tensors."""
    return f"{name} = tuple(each.detach() for each in {name})"


def cut_off(name: str) -> str:
    """Return a line that detaches a state."""
    return f"{name} = {name}.detach()"


def owner_in(objects: Any, bound: Any) -> str:
    """Return the code for an object as the loop calls it: `net.cell`, or "self" if it has none."""
    for name, value in objects.items():
        if value is bound:
            return str(name)
    for name, value in objects.items():
        for path, inner in value.named_modules() if is_module(value) else ():
            if inner is bound:
                return as_code(f"{name}.{path}")
    return "self"


def is_behind(context: Context, root: Any, tensor: Any) -> bool:
    node = made_by(tensor)[0] if is_tensor(tensor) else None
    return node is not None and any(each is node for each in context.nodes(root))


def carries(context: Context, root: Any, value: Any) -> bool:
    """Return whether a state (a tensor or several) links `root` with an earlier pass.

    It does if it lies behind `root`, or if nodes that both share are freed. An LSTM's next state is
    not its output.
    """
    for tensor in value if isinstance(value, tuple | list) else [value]:
        if is_behind(context, root, tensor):
            return True
        if is_tensor(tensor) and tensor.grad_fn is not None:
            own = {id(node) for node in context.operations(tensor)}
            if state_of(node for node in context.operations(root) if id(node) in own) == "freed":
                return True
    return False


def find_before_loop(loop: Loop) -> Finding | None:
    """Find the newest freed result that was computed before the loop.

    Results that a running function stored in an earlier iteration count too.
    """
    context, statements = loop.context, loop.scope.statements
    given = {name for s in loop.statements for name in assigned(s.tree)}
    found: list[Result] = []
    for tensor in context.tensors:
        name = context.name(tensor)
        base = name.partition("[")[0]
        if base in given or name == UNNAMED or tensor.grad_fn is None:
            continue
        made = next((s for s in reversed(statements) if base in assigned(s.tree)), None)
        if made is not None and base != name and makes_empty(made):
            put = [statement for statement in statements if puts_into(statement, base)]
            made = put[0] if len(put) == 1 else None
        if made is not None and made not in loop.statements and loop.freed(tensor):
            found.append((sequence_of(tensor.grad_fn), name, made, tensor))
    kept = find_on_objects(loop)
    found += [each for each, _ in kept]
    if not found:
        return None
    _, name, made, tensor = max(found, key=itemgetter(0))
    if made in [each[2] for each, own in kept if own]:
        finding = loop.finding("kept_result", name, made)
    else:
        finding = loop.finding("before_loop", name, made)
        again = walked_again(loop, name)
        cure = again or cure_before_loop(loop, found, max(found, key=itemgetter(0)))
        finding.sentences[1:] = [cure] if cure else finding.sentences[1:]
    finding.culprits.append(tensor.grad_fn)
    return finding


Result = tuple[int, str, Statement, Any]
"""A freed result: the number of its node, its name, its line, and the tensor."""


def cure_before_loop(loop: Loop, found: list[Result], newest: Result) -> str:
    """Return a more precise cure for a result from before the loop, or ""."""
    context, (_, name, made, tensor) = loop.context, newest
    if instead := inside_parameter(made):
        return context.say("cure_scaled_parameter", instead=instead)
    nodes = context.operations(tensor)
    older = sorted((each for each in found if each[2] != made), key=itemgetter(0))
    behind = [line for *_, line, other in older if other.grad_fn in nodes]
    learned = learned_through(context, loop.root, tensor)
    quoted = map(context.line, [*behind, made] if learned else behind)
    lines = context.say("and").join(dict.fromkeys(quoted))
    if learned:
        return context.say("cure_before_loop_learned", lines=lines, learned=learned)
    running = {function.__name__ for function, *_ in loop.entered}
    if "forward" in running and name.partition(".")[2].isidentifier():
        return context.say("cure_before_loop_stored")
    return context.say("cure_before_loop_all", t=name, lines=lines) if behind else ""


def walked_again(loop: Loop, name: str) -> str | None:
    """Return the cure if each iteration walks the same graph.

    This is so if the pass starts from a result from before the loop, or from a part of it.
    """
    scope, head = loop.history.scopes[-1], loop.history.heads[-1]
    if head is None:
        return None
    line = scope.statements[head]
    starts = [each for call in calls_in(line.tree) if (each := root_of_pass(call)) is not None]
    if not any(name in names_in(each) for each in starts):
        return None
    iteration = [s for s in scope.statements if s.loops[: len(line.loops)] == line.loops]
    # If each iteration updates the weights, the graph of the old ones is useless.
    learns = any(receivers(s, "step") or s.block or data_writes(s) for s in iteration)
    cure = "cure_before_loop_own" if learns else "cure_before_loop_same"
    return loop.context.say(cure, line=loop.context.line(line))


def learned_through(context: Context, root: Any, tensor: Any) -> str:
    """Return a variable that an optimizer moves and that has no way around a tensor, or "".

    What a model has computed before the loop may be meant to stay, so its weights do not count.
    """
    optimizers = filter(is_optimizer, context.variables.values())
    held = {id(each) for optimizer in optimizers for each in held_by(optimizer)}
    held &= {id(each) for each in context.variables.values()}
    ends = [n for n in context.nodes(tensor) if is_accumulate(n) and id(n.variable) in held]
    only = (n for n in ends if not leads_to(root.grad_fn, n, without=tensor.grad_fn))
    return next((context.name(node.variable) for node in only), "")


def inside_parameter(made: Statement) -> str:
    """Return `Parameter(v * 0.01)` for a line that stores `Parameter(v) * 0.01`, or ""."""
    tree = made.tree
    if not isinstance(tree, ast.Assign) or not isinstance(tree.value, ast.BinOp):
        return ""
    call, number = tree.value.left, tree.value.right
    if not isinstance(call, ast.Call) or last_name(call) != "Parameter" or len(call.args) != 1:
        return ""
    if not isinstance(number, ast.Constant) or call.keywords:
        return ""
    value = ast.BinOp(call.args[0], tree.value.op, number)
    scaled = ast.Assign(tree.targets, ast.Call(call.func, [value], []), lineno=0)
    return ast.unparse(ast.fix_missing_locations(scaled))


def makes_empty(statement: Statement) -> bool:
    """Return whether a statement makes an empty container."""
    value = getattr(statement.tree, "value", None)
    if isinstance(value, ast.Call):
        return last_name(value) in ("dict", "list", "OrderedDict", "defaultdict")
    return value is not None and ast.unparse(value) in ("[]", "{}")


def find_on_objects(loop: Loop) -> list[tuple[Result, bool]]:
    """As `find_before_loop`, for attributes such as `self.features`.

    Another method set them before the loop, or one that runs in it did in an earlier iteration.
    """
    running = {function.__code__ for function, *_ in loop.entered}
    running |= {frame.f_code for frame, _ in loop.context.running}
    found = []
    for name, thing in loop.context.variables.items():
        kind = type(thing)
        if isinstance(thing, type) or is_library(kind) or is_tensor(thing):
            continue
        for attribute, tensor in list(getattr(thing, "__dict__", {}).items()):
            if not loop.freed(tensor):
                continue
            for function in vars(kind).values():
                function = getattr(function, "fget", function)
                if not isinstance(function, FunctionType):
                    continue
                for statement in Program.of(function).statements:
                    stored = {each.partition(".")[2] for each in assigned_by(statement)}
                    if isinstance(getattr(statement.tree, "value", None), ast.Constant):
                        continue
                    if attribute in stored and statement not in loop.statements:
                        at = (sequence_of(tensor.grad_fn), f"{name}.{attribute}", statement, tensor)
                        found.append((at, bool(statement.arms) or function.__code__ in running))
    return found


def add_earlier_pass(context: Context, root: Any, finding: Finding, history: History) -> Finding:
    """Return the finding with the line of an earlier pass from the same tensor."""
    scope, head = history.scopes[-1], history.heads[-1]
    name = context.name(root)
    if head is None or finding.cause != "freed":
        return finding
    # An earlier assignment gave the name to another tensor; its passes do not count.
    given = [i for i in range(head) if name in assigned(scope.statements[i].tree)]
    given = [i for i in given if not scope.statements[i].arms]
    first = given[-1] + 1 if given and not scope.statements[head].loops else 0
    earlier = [s for i in range(first, head) for s in passes_from(name, scope, i)]
    if not earlier and (again := find_repeated(context, root, history, head)) is not None:
        return again
    if earlier:
        finding.sentences.append(context.say("earlier_pass", line=context.line(earlier[-1])))
    elif was_made_this_iteration(name, scope, head, history):
        line = context.program.assignment(name)
        culprits = finding.culprits
        finding = SOMEHOW.finding(context, root, {"root": name, "where": context.where(line)})
        finding.culprits = culprits
    return finding


def was_made_this_iteration(name: str, scope: Scope, head: int, history: History) -> bool:
    """Return whether a variable and the only pass are of the same iteration.

    In that case the freed part is of an earlier iteration.
    """
    loops = scope.statements[head].loops
    iteration = [i for i in range(head) if loops and scope.statements[i].loops == loops]
    made = [i for i in iteration if name in assigned(scope.statements[i].tree or ast.Pass())]
    if not made:
        return False
    before = [s for s in scope.statements[:head] if s.loops[:1] == loops[:1]]
    entered_too = [
        s for *_, inner in history.functions_entered(scope, before) for s in inner.statements
    ]
    calls = [call for s in (*before, *entered_too) for call in calls_in(s.tree)]
    return not any(root_of_pass(call) is not None for call in calls)


def passes_from(name: str, scope: Scope, index: int) -> Iterator[Statement]:
    """Yield the statements that start a pass from the variable, also inside called functions."""
    statement = scope.statements[index]
    for call in calls_in(statement.tree):
        start = root_of_pass(call)
        if start is not None and ast.unparse(start) == name:
            yield statement
        function = function_called(call, scope)
        if function is None or is_library(function[0]):
            continue
        places = parameters_of(function[0])[function[1] is not None :]
        for place, argument in zip(places, call.args, strict=False):
            if isinstance(argument, ast.Name) and argument.id == name:
                inner = enter(*function, {}, {})
                for at in range(len(inner.statements)):
                    yield from passes_from(place, inner, at)


FINDERS = (find_carried, find_cached, find_before_loop, find_handed_on)
"""What finds the rules of passes.py in a loop, in their order; the first that matches answers."""

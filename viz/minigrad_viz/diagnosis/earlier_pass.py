"""Which earlier turn of a loop has used the graph already that a backward pass wants to walk.

The graph alone cannot tell: the failing pass, too, has freed what it came through. The loop tells:
what was computed before it is the same in every turn, and what is computed from its own earlier
value carries the graphs of all turns with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from operator import itemgetter
from types import CodeType, FunctionType
from typing import Any

from ..model.autograd_nodes import node_name
from ..model.names import is_tensor, made_by
from ..model.program import TRIED, Program, Statement, assigned, cuts, receivers
from .causes import UNNAMED, Case, Finding
from .evidence import sequence_of, state_of
from .history import History
from .objects import function_called, is_library, member, resolved
from .scope import Scope, entered, parameters_of
from .syntax import calls_in, last_name, names_in, root_of_pass


def in_a_loop(case: Case, root: Any, finding: Finding) -> Finding:
    """A better answer than `finding`, that what `root` needs was freed, if a loop gives one."""
    history = History(lambda tensor: bool(tensor.requires_grad), case.running)
    found = in_these_loops(case, root, history, history.heads)
    return found or with_earlier(case, root, finding, history)


def after_a_loop(case: Case, root: Any, finding: Finding) -> Finding:
    """The same, asked when no pass is running: of the loop in which one from `root` has failed, or
    would fail. The loop must be what the graph shows, in which a state was computed more than once.
    """
    history = History(lambda tensor: bool(tensor.requires_grad), case.running)
    heads = [last_pass(case.name(root), scope) for scope in history.scopes]
    found = in_these_loops(case, root, history, heads)
    if found is None:
        found = repeated(case, root, history.scopes[-1], heads[-1])
    if found is None or found.cause != "carried" or not computed_twice(case, root, found.state):
        return finding
    return found


def last_pass(name: str, scope: Scope) -> int | None:
    """The last statement that starts a pass from the variable, whenever the loop comes there."""
    places = [
        index
        for index, statement in enumerate(scope.statements)
        if any(passes_from(name, scope, index)) and all(arm == TRIED for _, arm in statement.arms)
    ]
    return places[-1] if places else None


def computed_twice(case: Case, root: Any, state: Any) -> bool:
    """Lies another node like that of the state behind it?"""
    for tensor in state if isinstance(state, tuple | list) else [state]:
        node = made_by(tensor)[0] if is_tensor(tensor) else None
        if node is not None and behind(case, root, tensor):
            names = [node_name(n) for n in case.operations(tensor) if n is not node]
            if node_name(node) in names:
                return True
    return False


def repeated(case: Case, root: Any, scope: Scope, head: int | None) -> Finding | None:
    """The state of lines that stand in the program more than once, each time with a pass of their
    own, as in the cells of a notebook.
    """
    if head is None:
        return None
    passes = [i for i in range(head) if any(map(root_of_pass, calls_in(scope.statements[i].tree)))]
    if not passes or scope.statements[head].loops or scope.statements[passes[-1]].loops:
        return None
    turn = scope.statements[passes[-1] + 1 : head + 1]
    found = carried(case, root, turn, [], scope.objects)
    if found is not None and found.cause == "carried" and computed_twice(case, root, found.state):
        return found
    return None


def in_these_loops(
    case: Case, root: Any, history: History, heads: list[int | None]
) -> Finding | None:
    """What the loops around these statements, one of each scope, say of the pass from `root`."""
    for number in range(len(history.scopes) - 1, -1, -1):  # the innermost loop says most
        scope, head = history.scopes[number], heads[number]
        if head is None:
            continue
        loops = scope.statements[head].loops
        if loops[-1:] == (
            scope.statements[head].line,
        ):  # its head runs once, before the first turn
            loops = loops[:-1]
        inner = [s for later in history.scopes[number + 1 :] for s in later.statements]
        for depth in range(len(loops), 0, -1):
            inside = [s for s in scope.statements if s.loops[:depth] == loops[:depth]]
            functions = [(f, bound) for f, bound, _ in history.entered_by(scope, inside)]
            found = carried(case, root, inside + inner, functions, scope.objects)
            found = found or cached(case, root, inside, history, scope)
            running = {f.__code__ for f, _ in functions} | {f.f_code for f, _ in case.running}
            found = found or before(case, root, inside + inner, scope.statements, running)
            found = found or handed_on(case, root, [(inside + inner, scope.objects)])
            within = [entered(function, bound, {}, {}) for function, bound in functions]
            found = found or handed_on(case, root, [(s.statements, s.objects) for s in within])
            if found is not None and found.cause == "before_loop":
                same_each_turn(case, found, history)
            if found is not None:
                return found
    return None


def cached(
    case: Case, root: Any, inside: list[Statement], history: History, scope: Scope
) -> Finding | None:
    """What is computed once, whenever it is first asked for, and handed out again: by a function
    under lru_cache, or one that keeps its results in a dict.
    """
    for statement in inside:
        for call in calls_in(statement.tree):
            value = resolved(call.func, scope)
            function = function_called(call, scope)
            if function is not None and callable(getattr(value, "cache_info", None)):
                inner = entered(*function, {}, {})
                returns = [s for s in inner.statements if isinstance(s.tree, ast.Return)]
                if returns:
                    return said(case, root, "kept_result", ast.unparse(call), returns[-1])
    for _, _, inner in history.entered_by(scope, inside):
        for statement in inner.statements:
            targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
            for target in targets:
                if not isinstance(target, ast.Subscript) or not statement.arms:
                    continue
                held = resolved(target.value, inner)
                kept = (
                    [t for t in held.values() if behind(case, root, t)]
                    if type(held) is dict
                    else []
                )
                if any(state_of(case.operations(t)) == "freed" for t in kept):
                    return said(case, root, "kept_result", ast.unparse(target), statement)
    return None


def same_each_turn(case: Case, finding: Finding, history: History) -> None:
    """If the pass starts from what was computed before the loop, or a part of it, each turn walks
    the same graph: then it must be kept.
    """
    scope, head = history.scopes[-1], history.heads[-1]
    if head is None:
        return
    line = scope.statements[head]
    turn = [s for s in scope.statements if s.loops[: len(line.loops)] == line.loops]
    starts = [each for call in calls_in(line.tree) if (each := root_of_pass(call)) is not None]
    if not any(finding.about in names_in(each) for each in starts):
        return
    # Where the weights move on in each turn, the graph of the old ones is no use.
    learns = any(receivers(s, "step") or s.block for s in turn)
    cure = "cure_before_loop_own" if learns else "cure_before_loop_same"
    finding.sentences[1:] = [case.say(cure, line=case.line(line))]


def carried(
    case: Case,
    root: Any,
    statements: list[Statement],
    functions: list[tuple[FunctionType, Any]],
    objects: Any,
) -> Finding | None:
    """A variable, or an attribute of a module, that is computed from its own earlier value."""
    if (collecting := collected(case, root, statements, objects)) is not None:
        return collecting
    finding: Finding | None = None
    states: list[str] = []
    for name, ring in rings(statements):
        value = found_at(name, objects)
        several = isinstance(value, tuple | list)
        if not carries(case, root, value) or any(cuts(statement) for statement in ring):
            continue
        statement = ring[-1]
        if value is root and adds_up(statement):
            return said(case, root, "carried_total", name, statement)
        if states:
            states.append(name)
            continue
        cure = detached(name) if several else ""
        finding, states = said(case, root, "carried", name, statement, cure), [name]
        finding.state = value
    if finding is not None:
        if states[1:]:
            names = case.say("and").join(states[1:])
            finding.sentences.append(case.say("carried_also", names=names))
        return finding
    for function, bound in functions:
        for statement in Program.of(function).statements:
            for call in calls_in(statement.tree):
                attribute = kept_in(call, function)
                held = member(bound, attribute) if bound is not None and attribute else None
                if type(held) is list and sum(behind(case, root, each) for each in held) > 1:
                    name = f"{function.__code__.co_varnames[0]}.{attribute}"
                    return said(case, root, "collected", name, statement)
        for name, ring in rings(Program.of(function).statements):
            first, _, attribute = name.partition(".")
            if attribute and bound is not None and first == function.__code__.co_varnames[0]:
                value = member(bound, attribute)
            elif attribute.isidentifier() and first not in function.__code__.co_varnames:
                value = found_at(name, entered(function, None, {}, {}).objects)
            elif lasts(name, function):
                value = found_at(name, entered(function, None, {}, {}).objects)
            else:
                continue
            if carries(case, root, value) and not any(cuts(statement) for statement in ring):
                cure = detached(name) if isinstance(value, tuple | list) else ""
                found = said(case, root, "carried", name, ring[-1], cure)
                found.state = value
                return found
    return None


def handed_on(case: Case, root: Any, levels: list[tuple[list[Statement], Any]]) -> Finding | None:
    """A line that goes on from what a list, a dict or a deque has kept of an earlier turn, if what
    is computed from it is kept there in its turn.
    """
    for statements, objects in levels:
        for index, statement in enumerate(statements):
            for read, holder in elements_read(statement):
                held = found_at(holder, objects)
                kept = list(held.values() if isinstance(held, dict) else held or ())
                if not all(map(is_tensor, kept)) or not any(behind(case, root, t) for t in kept):
                    continue
                if cuts(statement) or not keeps(statements[index:], holder):
                    continue
                parts = {"root": case.name(root), "t": holder, "line": case.line(statement)}
                parts |= {"read": ast.unparse(read), "instead": f"{ast.unparse(read)}.detach()"}
                said = [case.say("handed_on", **parts), case.say("cure_handed_on", **parts)]
                return Finding("handed_on", said, root)
    return None


def elements_read(statement: Statement) -> Iterator[tuple[ast.expr, str]]:
    """The expressions in a statement's value that take something out of a container: `past[-1]`,
    `cache.get(key, start)`, each with what the container is called.
    """
    for node in ast.walk(getattr(statement.tree, "value", None) or ast.Pass()):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            yield node, node.value.id
        elif isinstance(node, ast.Call) and last_name(node) == "get" and len(node.args) == 2:
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            # Without a start of its own, nothing may come out, which cannot be detached.
            if isinstance(owner, ast.Name) and not isinstance(node.args[1], ast.Constant):
                yield node, owner.id


def keeps(statements: list[Statement], holder: str) -> bool:
    """Do the statements put into a container what comes, uncut, of the first of them?"""
    tainted: set[str] = set()
    for number, statement in enumerate(statements):
        names = names_in(getattr(statement.tree, "value", None))
        if number and not names & tainted:
            continue
        if cuts(statement):
            tainted -= given_by(statement)
            continue
        if puts_into(statement, holder):
            return True
        tainted |= given_by(statement)
    return False


def puts_into(statement: Statement, holder: str) -> bool:
    """Does a statement put an element into a container?"""
    if any(holder in receivers(statement, name) for name in ("append", "appendleft")):
        return True
    targets = statement.tree.targets if isinstance(statement.tree, ast.Assign) else []
    return any(isinstance(t, ast.Subscript) and ast.unparse(t.value) == holder for t in targets)


def lasts(name: str, function: FunctionType) -> bool:
    """Does a variable of a function outlive its calls: one of an outer function, a global one, or
    an element of a default argument?
    """
    base, _, element = name.partition("[")
    local = base in function.__code__.co_varnames
    return base in function.__code__.co_freevars or (bool(element) if local else "." not in base)


def kept_in(call: ast.Call, function: FunctionType) -> str:
    """Of `self.seen.append(z)` in a method the attribute: "seen"; empty if it is another call."""
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    if last_name(call) != "append" or not isinstance(held, ast.Attribute):
        return ""
    owner = ast.unparse(held.value)
    return held.attr if (owner,) == function.__code__.co_varnames[:1] else ""


def collected(case: Case, root: Any, statements: list[Statement], objects: Any) -> Finding | None:
    """A list that was there before the loop, to which each turn adds a result, and from which the
    root was computed.
    """
    given = {name for s in statements for name in given_by(s)}
    for statement in statements:
        for name in receivers(statement, "append") - given:
            held = objects.get(name)
            if isinstance(held, list) and sum(behind(case, root, each) for each in held) > 1:
                return said(case, root, "collected", name, statement)
    return None


def rings(statements: list[Statement]) -> Iterator[tuple[str, list[Statement]]]:
    """The variables that a loop reads before it gives them the value that is computed from what it
    read: each with the statements on the way, its own last.
    """
    makers: dict[str, list[int]] = {}
    for index, statement in enumerate(statements):
        for name in given_by(statement):
            makers.setdefault(name, []).append(index)
    reads = [read_by(statement) for statement in statements]
    for name, places in makers.items():
        place = places[-1]
        own = (i for i in places[:-1] if name not in reads[i] or cuts(statements[i]))
        if any(not own_while(statements[i], statements[place]) for i in own):
            continue  # another line gives it a value of its own
        first = next((i for i, read in enumerate(reads) if name in read), len(statements))
        if first > place:
            continue
        seen: set[int] = set()
        queue, closed = [place], False
        while queue:
            index = queue.pop()
            if index in seen:
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


def own_while(statement: Statement, ring: Statement) -> bool:
    """Does an earlier assignment leave the later one its own value of the turn before, because it
    stands in a branch (`if h is None: h = start`), and cuts nothing?
    """
    return statement.arms[: len(ring.arms)] != statement.arms and not cuts(statement)


def found_at(name: str, objects: Any) -> Any:
    """What a variable holds, or an element of a dict or list: `memory["h"]`, or an object's
    attribute: `Agent.memory`.
    """
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


def adds_up(statement: Statement) -> bool:
    tree: Any = statement.tree
    operation = tree if isinstance(tree, ast.AugAssign) else getattr(tree, "value", None)
    return isinstance(getattr(operation, "op", None), ast.Add | ast.Sub)


def given_by(statement: Statement) -> set[str]:
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
    """The variables (and `self.h`) from which a statement computes a value."""
    value = getattr(statement.tree, "value", None)
    if value is None:
        return set()
    parts = (
        n for n in ast.walk(value) if isinstance(n, ast.Name | ast.Attribute) or _is_element(n)
    )
    names = {ast.unparse(n) for n in parts}
    return names | (given_by(statement) if isinstance(statement.tree, ast.AugAssign) else set())


def _is_element(tree: ast.AST) -> bool:
    """Is this `memory["h"]`, with a key that is written there?"""
    return isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Constant)


def detached(name: str) -> str:
    """How a state of several tensors is cut off."""
    return f"{name} = tuple(each.detach() for each in {name})"


def behind(case: Case, root: Any, tensor: Any) -> bool:
    node = made_by(tensor)[0] if is_tensor(tensor) else None
    return node is not None and any(each is node for each in case.nodes(root))


def carries(case: Case, root: Any, value: Any) -> bool:
    """Does a state (a tensor, or several) lie behind `root`, or come from what an earlier pass has
    freed there? What an LSTM hands on is not what it gives out.
    """
    for tensor in value if isinstance(value, tuple | list) else [value]:
        if behind(case, root, tensor):
            return True
        if is_tensor(tensor) and tensor.grad_fn is not None:
            own = {id(node) for node in case.operations(tensor)}
            if state_of(node for node in case.operations(root) if id(node) in own) == "freed":
                return True
    return False


def said(
    case: Case, root: Any, cause: str, name: str, statement: Statement, cure: str = ""
) -> Finding:
    parts = {"root": case.name(root), "t": name, "line": case.line(statement)}
    parts["instead"] = cure or f"{name} = {name}.detach()"
    finding = Finding(cause, [case.say(cause, **parts), case.say(f"cure_{cause}", **parts)], root)
    return finding


def before(
    case: Case,
    root: Any,
    inside: list[Statement],
    statements: list[Statement],
    running: set[CodeType],
) -> Finding | None:
    """The newest result that was computed before the loop and that a pass has gone through; or
    what one of the functions that run in it has kept from an earlier turn.
    """
    given = {name for s in inside for name in assigned(s.tree)}
    found = []
    for tensor in case.tensors:
        name = case.name(tensor)
        base = name.partition("[")[0]
        if base in given or name == UNNAMED or tensor.grad_fn is None:
            continue
        made = next((s for s in reversed(statements) if base in assigned(s.tree)), None)
        if made is not None and base != name and empty(made):
            put = [statement for statement in statements if puts_into(statement, base)]
            made = put[0] if len(put) == 1 else None
        if made is not None and made not in inside and behind(case, root, tensor):
            if state_of(case.operations(tensor)) == "freed":
                found.append((sequence_of(tensor.grad_fn), name, made, tensor))
    kept = of_objects(case, root, inside, running)
    found += [each for each, _ in kept]
    if not found:
        return None
    _, name, made, tensor = max(found, key=lambda each: each[0])
    cause = "kept_result" if made in [each[2] for each, own in kept if own] else "before_loop"
    finding = said(case, root, cause, name, made)
    older = [
        (at, line)
        for at, _, line, other in found
        if line != made and other.grad_fn in case.operations(tensor)
    ]
    if older and cause == "before_loop":
        lines = case.say("and").join(
            case.line(line) for _, line in sorted(older, key=itemgetter(0))
        )
        finding.sentences[1] = case.say("cure_before_loop_all", t=name, lines=lines)
    finding.culprits.append(tensor.grad_fn)
    finding.about = name
    return finding


def empty(statement: Statement) -> bool:
    """Does this make a container with nothing in it?"""
    value = getattr(statement.tree, "value", None)
    if isinstance(value, ast.Call):
        return last_name(value) in ("dict", "list", "OrderedDict", "defaultdict")
    return value is not None and ast.unparse(value) in ("[]", "{}")


def of_objects(
    case: Case, root: Any, inside: list[Statement], running: set[CodeType]
) -> list[tuple[tuple[int, str, Statement, Any], bool]]:
    """The same of attributes (`self.features`), which another method has set before the loop, or
    one that runs in it, in an earlier turn or in a branch.
    """
    found = []
    for name, thing in case.variables.items():
        kind = type(thing)
        if isinstance(thing, type) or not hasattr(thing, "__dict__") or is_tensor(thing):
            continue
        for attribute, tensor in list(vars(thing).items()):
            if not behind(case, root, tensor) or state_of(case.operations(tensor)) != "freed":
                continue
            for function in vars(kind).values():
                function = getattr(function, "fget", function)
                if not isinstance(function, FunctionType):
                    continue
                for statement in Program.of(function).statements:
                    stored = {each.partition(".")[2] for each in given_by(statement)}
                    if isinstance(getattr(statement.tree, "value", None), ast.Constant):
                        continue
                    if attribute in stored and statement not in inside:
                        at = (sequence_of(tensor.grad_fn), f"{name}.{attribute}", statement, tensor)
                        found.append((at, bool(statement.arms) or function.__code__ in running))
    return found


def with_earlier(case: Case, root: Any, finding: Finding, history: History) -> Finding:
    """The finding, with the line of the earlier pass where one from the same tensor is seen."""
    scope, head = history.scopes[-1], history.heads[-1]
    name = case.name(root)
    if head is None or finding.cause != "freed":
        return finding
    # A pass from what had the name before is another's.
    given = [i for i in range(head) if name in assigned(scope.statements[i].tree)]
    given = [i for i in given if not scope.statements[i].arms]
    first = given[-1] + 1 if given and not scope.statements[head].loops else 0
    earlier = [s for i in range(first, head) for s in passes_from(name, scope, i)]
    if not earlier and (again := repeated(case, root, scope, head)) is not None:
        return again
    if earlier:
        finding.sentences.append(case.say("earlier_pass", line=case.line(earlier[-1])))
    elif made_this_turn(name, scope, head, history):
        line = case.program.assignment(name)
        finding = Finding("carried_somehow", [], root, finding.culprits)
        parts = {"root": name, "where": case.where(line)}
        finding.sentences = [case.say("carried_somehow", **parts)]
        finding.sentences.append(case.say("cure_carried_somehow"))
    return finding


def made_this_turn(name: str, scope: Scope, head: int, history: History) -> bool:
    """Was a variable computed in the same turn of a loop as the pass from it, and is there no other
    pass in that turn? Then what was freed is of an earlier one.
    """
    loops = scope.statements[head].loops
    turn = [i for i in range(head) if loops and scope.statements[i].loops == loops]
    made = [i for i in turn if name in assigned(scope.statements[i].tree or ast.Pass())]
    if not made:
        return False
    before = [s for s in scope.statements[:head] if s.loops[:1] == loops[:1]]
    entered_too = [s for *_, inner in history.entered_by(scope, before) for s in inner.statements]
    calls = [call for s in (*before, *entered_too) for call in calls_in(s.tree)]
    return not any(root_of_pass(call) is not None for call in calls)


def passes_from(name: str, scope: Scope, index: int) -> Iterator[Statement]:
    """The statement, if it starts a pass from the variable, or those that do so in the functions
    that it gives the variable to.
    """
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
                inner = entered(*function, {}, {})
                for at in range(len(inner.statements)):
                    yield from passes_from(place, inner, at)

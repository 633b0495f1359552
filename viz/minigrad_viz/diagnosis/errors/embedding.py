"""An embedding that gets an index without a row, or an index that is no whole number."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from ...model.frame_locals import variables_of
from ...model.names import is_tensor
from ...model.program_text import Program
from ...model.values import shape_of
from ..causes import Finding
from ..rules.rule import Match, Words
from ..syntax import calls_in, names_in
from .raised import Raised, lines_of, resized, with_argument
from .rule import ErrorRule


def find(raised: Raised) -> Match | None:
    if raised.inner is None or raised.kind() != "Embedding" or raised.inner.given is None:
        return None
    given, rows = raised.inner.given, raised.inner.module.num_embeddings
    if not given.numel():
        return None
    low, high = int(given.min().item()), int(given.max().item())
    if low < 0 or high < rows:
        return None
    name = raised.name_of(raised.inner.module)
    parts = {"layer": name, "rows": rows, "last": rows - 1, "high": high}
    cure = sized_outside(raised, raised.inner.module, high + 1)
    cure = cure or resized(raised, raised.inner.module, "num_embeddings", high + 1)
    if crop := cropped(raised, given, rows):
        return Match({**parts, **cure}, rest=crop)
    shifted = low > 0 and raised.inner.module.padding_idx is None
    rest = Finding("", [raised.context.say("cure_from_zero", **cure)]) if shifted else None
    return Match({**parts, **cure}, rest=rest)


def cropped(raised: Raised, given: Any, rows: int) -> Finding | None:
    """Return a cure for positions: the text must be no longer than the table."""
    length = given.numel()
    if length < 2 or given.reshape(-1).tolist() != list(range(length)):
        return None
    for frame, number in raised.frames:
        for each in Program([(frame, frame.f_lineno)]).statements:
            for call in calls_in(each.tree) if each.line == number else ():
                name = ast.unparse(call.args[0]) if call.args else ""
                value = variables_of(frame).get(name)
                if is_tensor(value) and shape_of(value)[-1:] == (length,):
                    cut = (
                        f"{name}[:, -{rows}:]" if len(shape_of(value)) > 1 else f"{name}[-{rows}:]"
                    )
                    cure = ast.unparse(call).replace(f"({name}", f"({cut}", 1)
                    at = raised.context.where(each)
                    return Finding("", [raised.context.say("cure_crop", cure=cure, at=at)])
    return None


def sized_outside(
    raised: Raised, module: Any, rows: int, first_only: bool = False
) -> dict[str, object]:
    """Return the call of the owner's class, if the rows are its argument for several layers.

    With `first_only`, all of them take it as their first argument.
    """
    owner, made = raised.place_of(module)[0], raised.maker_of(module)
    size = made[1].args[0] if made is not None and made[1].args else None
    if owner is None and isinstance(size, ast.Name) and not first_only:
        return sized_by_variable(raised, size.id, rows)
    outer = raised.maker_of(owner) if owner is not None else None
    if outer is None:
        return {}
    names = list(inspect.signature(type(owner)).parameters)
    if not isinstance(size, ast.Name) or size.id not in names:
        return {}
    lines = lines_of(type(owner), "__init__")
    users = [s for s in lines if size.id in names_in(getattr(s.tree, "value", None))]
    calls = [call for s in users for call in calls_in(s.tree)]
    first = [c for c in calls if c.args and ast.unparse(c.args[0]) == size.id]
    if len(users) < 2 or (first_only and len(first) < len(users)):
        return {}
    cure = with_argument(outer[1], names.index(size.id), size.id, str(rows))
    return {"cure": cure, "at": raised.context.where(outer[0])} if cure else {}


def sized_by_variable(raised: Raised, size: str, rows: int) -> dict[str, object]:
    """Return a new line for the variable, if another line uses it as well: a last layer."""
    program = raised.context.program
    made = program.assignment(size)
    users = [s for s in program.statements if size in names_in(getattr(s.tree, "value", None))]
    targets = made.tree.targets if made and isinstance(made.tree, ast.Assign) else []
    if made is None or len(users) < 2 or not all(isinstance(each, ast.Name) for each in targets):
        return {}
    return {"cure": f"{size} = {rows}", "at": raised.context.where(made)} if targets else {}


def find_negative(raised: Raised) -> Match | None:
    if raised.inner is None or raised.kind() != "Embedding" or raised.inner.given is None:
        return None
    given = raised.inner.given
    if not given.numel() or int(given.min().item()) >= 0:
        return None
    name = raised.name_of(raised.inner.module)
    low, t = int(given.min().item()), raised.origin(given)
    return Match({"layer": name, "low": low, "t": f"`{t}`" if t else "`input`"})


PROGRAM = """
emb = T.nn.Embedding({rows}, 4)
words = T.tensor([[1, 2], [5, {first}]])
vectors = emb(words)
"""

RULE = ErrorRule(
    key="index_without_row",
    en=Words(
        "an index for which an embedding has no row",
        "`{layer}` has {rows} rows, for the indices 0 to {last}, and it gets the index "
        "{high}{where}.",
        "Make it `{cure}`{at}.",
    ),
    zh=Words(
        "嵌入层没有该索引对应的行",
        "`{layer}` 有 {rows} 行，对应索引 0 到 {last}，而它得到了索引 {high}{where}。",
        "请写 `{cure}`{at}。",
    ),
    message=r"index out of range in self",
    find=find,
    broken=PROGRAM.format(rows=5, first=1),
    sound=PROGRAM.format(rows=6, first=1),
    severity=2,
)

NEGATIVE = ErrorRule(
    key="negative_index",
    en=Words(
        "a negative index for an embedding",
        "`{layer}`{where} takes indices from 0 upwards, and {t} has {low}.",
        "Give padding and unknown words an index of their own, such as 0.",
    ),
    zh=Words(
        "嵌入层得到了负的索引",
        "`{layer}`{where}的索引从 0 开始，而 {t} 里有 {low}。",
        "请给填充和未知词各自一个索引，例如 0。",
    ),
    message=r"index out of range in self",
    find=find_negative,
    broken=PROGRAM.format(rows=6, first=-1),
    sound=PROGRAM.format(rows=6, first=0),
    severity=2,
)


def find_floats(raised: Raised) -> Match | None:
    if raised.inner is None or raised.kind() != "Embedding" or raised.inner.given is None:
        return None
    given = raised.inner.given
    name = raised.origin(given)
    if not name or not given.is_floating_point():
        return None
    return Match({"layer": raised.name_of(raised.inner.module), "t": name})


WORDS = """
emb = T.nn.Embedding(5, 4)
words = T.tensor([1{dot}, 2{dot}])
vectors = emb(words)
"""

FLOATS = ErrorRule(
    key="float_indices",
    en=Words(
        "indices that are no whole numbers",
        "`{layer}`{where} takes whole numbers as indices, and `{t}` holds floats.",
        "Give it `{t}.long()`.",
    ),
    zh=Words(
        "索引不是整数",
        "`{layer}`{where}的索引应是整数，而 `{t}` 是浮点数。",
        "请传入 `{t}.long()`。",
    ),
    message=r"argument #1 'indices' to have one of the following scalar types",
    find=find_floats,
    broken=WORDS.format(dot="."),
    sound=WORDS.format(dot=""),
)


def find_words(raised: Raised) -> Match | None:
    """Find words for a layer, and the list or dictionary that numbers them."""
    found = raised.calls[-1] if raised.calls else None
    value = found.args[0] if found is not None and found.args else None
    words = [value] if isinstance(value, str) else value
    if (
        not isinstance(words, list | tuple)
        or not all(isinstance(w, str) for w in words)
        or not words
    ):
        return None
    for name, held in raised.context.variables.items():
        if isinstance(held, dict) and isinstance(held.get(words[0]), int):
            number = f"{name}[{{word}}]"
        elif isinstance(held, list | tuple) and held is not words and words[0] in held:
            number = f"{name}.index({{word}})"
        else:
            continue
        text = next((n for n, v in raised.scope.objects.items() if v is value), "word")
        one = number.format(word=text if isinstance(value, str) else "word")
        given = one if isinstance(value, str) else f"[{one} for word in {text}]"
        parts = {"t": text, "first": repr(words[0]), "layer": raised.name_of(found.module)}  # type: ignore[union-attr]
        return Match({**parts, "cure": f"{raised.parts['library']}.tensor({given})"})
    return None


TEXT = """
words = ["a", "b", "c"]
emb = T.nn.Embedding(3, 4)
word = "b"
vector = emb({given})
"""

WORDS_GIVEN = ErrorRule(
    key="words_for_layer",
    en=Words(
        "words in place of numbers",
        "`{t}` holds words, such as {first}, and `{layer}`{where} takes numbers.",
        "Number them: `{cure}`.",
    ),
    zh=Words(
        "给的是文字而不是数字",
        "`{t}` 是文字，例如 {first}，而 `{layer}`{where}需要数字。",
        "请给它们编号：`{cure}`。",
    ),
    message=r"must be Tensor, not (str|tuple|list)",
    find=find_words,
    broken=TEXT.format(given="word"),
    sound=TEXT.format(given="T.tensor(words.index(word))"),
)

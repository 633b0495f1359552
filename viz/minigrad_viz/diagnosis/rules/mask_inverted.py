"""A padding mask that is True at the words: attention ignores them and sees the padding."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ...model.values import bare, has_numbers
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

MASKS = ("key_padding_mask", "src_key_padding_mask", "tgt_key_padding_mask",
         "memory_key_padding_mask")  # fmt: skip


def find(evidence: Evidence) -> Match | None:
    if (match := find_filled(evidence)) is not None:
        return match
    lines = (*evidence.forward_lines, *evidence.lines)
    for statement in lines:
        for call in calls_in(statement.tree):
            for word in call.keywords:
                if word.arg in MASKS and (found := keeping(lines, statement, word.value)):
                    line, text, instead = found
                    parts = {"line": evidence.context.line(line), "mask": word.arg}
                    return Match({**parts, "text": text, "instead": instead})
    return None


def find_filled(evidence: Evidence) -> Match | None:
    """Find scores that `masked_fill` hides at all words, so that one padding word is left.

    The words and the mask are arguments of one call; their numbers show what the mask leaves.
    """
    for _, owner, lines in evidence.forwards:
        for statement in lines:
            for call in calls_in(statement.tree):
                if last_name(call) not in FILLING or len(call.args) != 2:
                    continue
                mask = call.args[0]
                for given in given_to(evidence, owner):
                    hidden = given.get(ast.unparse(mask))
                    if hidden is not None and leaves_padding(hidden, given):
                        text = ast.unparse(mask)
                        parts = {"line": evidence.context.line(statement), "text": text}
                        return Match({**parts, "mask": last_name(call), "instead": f"~{text}"})
    return None


FILLING = ("masked_fill", "masked_fill_")


def given_to(evidence: Evidence, owner: Any) -> Iterator[dict[str, Any]]:
    """Yield the tensors that calls of a module get, by the names of `forward`'s parameters."""
    names = [n for n in inspect.signature(type(owner).forward).parameters if n != "self"]
    for statement in evidence.repeated:
        for call in calls_in(statement.tree):
            if evidence.object(call.func) is owner:
                values = [evidence.object(each) for each in call.args]
                tensors = zip(names, values, strict=False)
                yield {name: bare(v) for name, v in tensors if is_tensor(v) and has_numbers(v)}


def leaves_padding(hidden: Any, given: dict[str, Any]) -> bool:
    """Return whether all words that a mask leaves are one word, and those it hides are not."""
    if not str(hidden.dtype).endswith("bool") or not hidden.any() or hidden.all():
        return False
    for words in given.values():
        if words.shape == hidden.shape and not words.is_floating_point() and words is not hidden:
            left, lost = words[~hidden], words[hidden]
            if bool((left == left[0]).all()) and bool((lost != left[0]).all()):
                return True
    return False


def keeping(
    lines: tuple[Statement, ...], use: Statement, value: ast.expr
) -> tuple[Statement, str, str] | None:
    """Return the line that makes a mask True where a word is not the padding, and its negative."""
    made = use
    if isinstance(value, ast.Name):
        making = [s for s in lines if value.id in assigned(s.tree) and s.file == use.file]
        if not making:
            return None
        made, value = making[-1], getattr(making[-1].tree, "value", value)
    text = ast.unparse(value)
    if isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.NotEq):
        return made, text, text.replace("!=", "==", 1)
    if isinstance(value, ast.Call) and last_name(value) == "ne":
        return made, text, text.replace(".ne(", ".eq(", 1)
    return None


PROGRAM = training(
    first="table = T.nn.Embedding(9, 4, padding_idx=0)\n"
    "att, out = T.nn.MultiheadAttention(4, 2, batch_first=True), T.nn.Linear(4, 2)",
    net="",
    opt="T.optim.SGD([*table.parameters(), *att.parameters(), *out.parameters()], lr=0.1)",
    data="",
    before="words, y = T.randint(1, 9, (8, 5)), T.arange(8) % 2\nwords[:, 3:] = 0",
    inside="e = table(words)\n"
    "seen, _ = att(e, e, e, key_padding_mask=words {sign} 0)\n"
    "loss = T.nn.functional.cross_entropy(out(seen.mean(1)), y)",
)

RULE = Rule(
    key="mask_inverted",
    chapter="16",
    en=Words(
        "a padding mask the wrong way round",
        "In {line}, `{text}` is True at the words, and `{mask}` hides what is True: attention sees "
        "the padding only.",
        "Write `{instead}`.",
    ),
    zh=Words(
        "填充遮罩弄反了",
        "{line}里的 `{text}` 在词的位置为真，而 `{mask}` 会遮住为真的位置：注意力只看到填充。",
        "请写成 `{instead}`。",
    ),
    find=find,
    broken=PROGRAM.format(sign="!="),
    sound=PROGRAM.format(sign="=="),
    before=("zero", "vanishing"),
)

"""A padding mask that is True at the words: attention ignores them and sees the padding."""

from __future__ import annotations

import ast

from ...model.program_text import Statement, assigned
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .rule import Match, Rule, Words

MASKS = ("key_padding_mask", "src_key_padding_mask", "tgt_key_padding_mask",
         "memory_key_padding_mask")  # fmt: skip


def find(evidence: Evidence) -> Match | None:
    lines = (*evidence.forward_lines, *evidence.lines)
    for statement in lines:
        for call in calls_in(statement.tree):
            for word in call.keywords:
                if word.arg in MASKS and (found := keeping(lines, statement, word.value)):
                    line, text, instead = found
                    parts = {"line": evidence.context.line(line), "mask": word.arg}
                    return Match({**parts, "text": text, "instead": instead})
    return None


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


PROGRAM = """
table = T.nn.Embedding(9, 4, padding_idx=0)
att, out = T.nn.MultiheadAttention(4, 2, batch_first=True), T.nn.Linear(4, 2)
opt = T.optim.SGD([*table.parameters(), *att.parameters(), *out.parameters()], lr=0.1)
words, y = T.randint(1, 9, (8, 5)), T.arange(8) % 2
words[:, 3:] = 0
for i in range(4):
    opt.zero_grad()
    e = table(words)
    seen, _ = att(e, e, e, key_padding_mask=words {sign} 0)
    loss = T.nn.functional.cross_entropy(out(seen.mean(1)), y)
    loss.backward()
    opt.step()
"""

RULE = Rule(
    key="mask_inverted",
    severity=3,
    chapter="16",
    words={
        "en": Words(
            "a padding mask the wrong way round",
            "In {line}, `{text}` is True at the words, and `{mask}` hides what is True: attention "
            "sees the padding only.",
            "Write `{instead}`.",
        ),
        "zh": Words(
            "填充遮罩弄反了",
            "{line}里的 `{text}` 在词的位置为真，而 `{mask}` 会遮住为真的位置：注意力只看到填充。",
            "请写成 `{instead}`。",
        ),
    },
    find=find,
    broken=PROGRAM.format(sign="!="),
    sound=PROGRAM.format(sign="=="),
    before=("zero",),
)

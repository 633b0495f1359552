"""Sentences on answers that cannot be judged, for every exercise."""

from __future__ import annotations

from .exercise import Words

EMPTY = Words(
    "Replace the ... in the cell above by your answer, run that cell, then this one.",
    "请把上一个单元格里的 ... 换成你的答案，先运行那个单元格，再运行这一个。",
)
NO_VALUE = Words(
    "Your answer is None. (print shows a value; what it returns is None.)",
    "你的答案是 None。（print 只是显示一个值，它返回的是 None。）",
)
IN_QUOTES = Words(
    "Your answer is a string. Write the number without quotes.",
    "你的答案是字符串。请写数，不要加引号。",
)
ONE_STRING = Words(
    "Your answer is one string. Write a list: square brackets, with commas between its parts.",
    "你的答案是一个字符串。请写成列表：用方括号括起来，各部分之间用逗号隔开。",
)
RETURNS_NONE = Words(
    "None came back. A function gives back what stands after `return`; print only shows it.",
    "返回的是 None。函数返回的是 `return` 后面的东西；print 只是把它显示出来。",
)
LATER = Words(
    "There is an answer. It will be marked when you have handed it in.",
    "已经有答案了，交上去之后会批改。",
)


def nothing(name: str) -> Words:
    return Words(f"There is no exercise {name!r}.", f"没有编号为 {name!r} 的练习。")


def undefined(name: str) -> Words:
    return Words(
        f"`{name}` is not defined. Run the cell above, then this one.",
        f"`{name}` 还没有定义。请先运行上一个单元格，再运行这一个。",
    )


def not_imported() -> Words:
    return Words(
        "`mg` is not a library here. Run the first cell of the chapter, which imports it.",
        "`mg` 在这里不是一个库。请运行本章的第一个单元格，由它来导入。",
    )


def stopped(error: str) -> Words:
    return Words(
        f"The cell with your answer stopped with an error, so there is nothing to judge: {error}",
        f"写答案的单元格出错停下了，没有可以评判的东西：{error}",
    )


def not_a_function(name: str, kind: str) -> Words:
    return Words(
        f"`{name}` should be something that can be called, such as a function. It is of the type "
        f"{kind}.",
        f"`{name}` 应当是可以调用的东西，例如函数。现在它的类型是 {kind}。",
    )


def not_a_value(name: str) -> Words:
    return Words(
        f"`{name}` is a function where a value is needed: was it meant to be called, with ()?",
        f"`{name}` 是一个函数，而这里要的是一个值：是不是忘了用 () 调用它？",
    )


def reads(value: str) -> Words:
    return Words(
        f"Your code reads `{value}`, which is a value of your notebook. It is tried elsewhere, "
        "with other values: it should use only what it is given, and what it makes itself.",
        f"你的代码读取了 `{value}`，那是你笔记本里的一个值。检查会在别处用别的值来试：代码应当只用"
        "传给它的和它自己算出的东西。",
    )


def returned_none(call: str, line: str) -> Words:
    """A line of the check used a result, and the answer returned None."""
    return Words(
        f"`{call}` returned None, and the check needs its result: `{line}`. A function gives back "
        "what stands after `return`.",
        f"`{call}` 返回了 None，而检查要用它的结果：`{line}`。函数返回的是 `return` 后面的东西。",
    )


def unknown(name: str) -> Words:
    return Words(
        f"Your code uses `{name}`, and nothing of that name is there. Is it misspelt, or not "
        "imported?",
        f"你的代码用到了 `{name}`，但没有叫这个名字的东西。是拼错了，还是忘了导入？",
    )


CAUSES = {
    "backward through the graph a second time": Words(
        "An earlier pass went through the same part of the graph and freed what it had saved "
        "(chapter 4).",
        "之前的一次反向传播已经走过图的这一部分，并释放了其中保存的东西（第 4 章）。",
    ),
    "appears to not have been used in the graph": Words(
        "No path leads to one of the inputs. `allow_unused=True` gives None for it (chapter 9).",
        "没有路径通向其中一个输入。写上 `allow_unused=True`，它就得到 None（第 9 章）。",
    ),
    "does not require grad and does not have a grad_fn": Words(
        "No graph was recorded: does a leaf of it require a gradient, and was recording on "
        "(chapter 5)?",
        "没有记录下图：叶子节点要求梯度吗？当时在记录吗（第 5 章）？",
    ),
    "can be implicitly created only for scalar outputs": Words(
        "`backward()` starts from a single number; this result has more of them (chapter 6).",
        "`backward()` 从单个数出发，而这个结果不止一个数（第 6 章）。",
    ),
    "a leaf variable that requires grad is being used in an in-place": Words(
        "A leaf is changed in place while operations are recorded (chapter 5).",
        "在记录运算的时候就地修改了叶子节点（第 5 章）。",
    ),
    "has been modified by an inplace operation": Words(
        "A number that the backward pass needs was changed after it had been saved (chapter 5).",
        "反向传播需要的数在保存之后被改掉了（第 5 章）。",
    ),
    "call numpy() on tensor that requires grad": Words(
        "NumPy keeps no history. `detach()` gives the numbers without it (chapter 5).",
        "NumPy 不保留历史。`detach()` 给出没有历史的数（第 5 章）。",
    ),
    "'nonetype' object is not iterable": Words(
        "Something is None where a list is needed: is a `return` missing?",
        "需要列表的地方是 None：是不是少写了 `return`？",
    ),
}
"""What certainly led to an error, by a part of its message in lower case."""


def raised(call: str, error: str, line: str = "") -> Words:
    """The answer stopped in a call, at a line of its own."""
    error, cause = with_cause(error)
    if not line:
        return Words(
            f"`{call}` stopped with {error}{cause.en}", f"`{call}` 出错停下了：{error}{cause.zh}"
        )
    return Words(
        f"`{call}` stopped at your line `{line}` with {error}{cause.en}",
        f"`{call}` 停在了你写的这一行 `{line}`，错误是 {error}{cause.zh}",
    )


def with_cause(error: str) -> tuple[str, Words]:
    """Return an error and what certainly led to it; then its first sentence is enough."""
    for part, cause in CAUSES.items():
        if part in error.lower():
            first = error.partition(". ")[0].rstrip(".")
            return first, Words(f". {cause.en}", f"。{cause.zh}")
    return error, Words("", "")


def failed(line: str, call: str | None, error: str) -> Words:
    """A line of the check stopped; `call` is the last call of the answer before it."""
    error, cause = with_cause(error)
    if call is None:
        return Words(
            f"The check ran `{line}` with your answer, and that stopped with {error}{cause.en}",
            f"检查用你的答案运行了 `{line}`，出错停下了：{error}{cause.zh}",
        )
    return Words(
        f"The check called `{call}`. After that, `{line}` stopped with {error}{cause.en}",
        f"检查调用了 `{call}`，之后运行 `{line}` 时出错停下了：{error}{cause.zh}",
    )


def endless(call: str | None) -> Words:
    if call is None:
        return Words(
            "Your code had not come to an end after very many steps, and was stopped.",
            "你的代码运行了很多步还没有结束，已被中止。",
        )
    return Words(
        f"`{call}` had not come to an end after very many steps, and was stopped.",
        f"`{call}` 运行了很多步还没有结束，已被中止。",
    )

"""What `explain` says, in English and in Chinese: whole sentences, by cause.

{t} is the tensor's name. Code stands between backticks. {where} is a place in the program, or
nothing.
"""

from __future__ import annotations

from .language import Language, Texts, filled

REASONS: Texts = {
    # --- .grad is there
    "has_grad": {
        "en": "{t}.grad is {value}: what backward passes have brought to {t}, added up.",
        "zh": "{t}.grad 是 {value}：它是历次反向传播带给 {t} 的梯度之和。",
    },
    "zero_grad": {
        "en": "{t}.grad is there, and all of it is zero: a gradient has arrived, but no change of "
        "{t} changes the result.",
        "zh": "{t}.grad 存在，但全为零：梯度已经到达，只是 {t} 的变化不会改变结果。",
    },
    "hooked": {
        "en": "A hook on {t} ({hook}) sees the gradient first, and may have replaced it.",
        "zh": "{t} 上有钩子（{hook}），它先看到梯度，也可能换掉了它。",
    },
    # --- .grad is None
    "not_floating": {
        "en": "{t}.grad is None because {t} holds {dtype} numbers: only floating-point tensors can "
        "have gradients. Convert it with {t}.float() before you ask for gradients.",
        "zh": "{t}.grad 是 None，因为 {t} 的元素类型是 {dtype}：只有浮点张量才能有梯度。"
        "先用 {t}.float() 转换，再要求梯度。",
    },
    "not_leaf": {
        "en": "{t}.grad is None because {t} is not a leaf: {node} made it{where}. Gradients pass "
        "through it and are not kept. Call {t}.retain_grad() before backward() to keep its own.",
        "zh": "{t}.grad 是 None，因为 {t} 不是叶子：它由 {node} 产生{where}。梯度经过它，"
        "但不会留下。"
        "要留下它的梯度，就在 backward() 之前调用 {t}.retain_grad()。",
    },
    "meant_as_leaf": {
        "en": "If {t} is meant to be a weight, make its numbers first and call "
        "{t}.requires_grad_() last: the leaf that it was computed from has no name in your "
        "program, and takes the gradient.",
        "zh": "如果 {t} 本来要当作权重，就先算出它的数，最后再调用 {t}.requires_grad_()："
        "现在拿到梯度的，是算出它的那个没有名字的叶子。",
    },
    "retained": {
        "en": "{t}.grad is None because no backward pass has come through {t} since "
        "{t}.retain_grad() was called.",
        "zh": "{t}.grad 是 None，因为调用 {t}.retain_grad() 之后，还没有反向传播经过 {t}。",
    },
    "not_required": {
        "en": "{t}.grad is None because {t} does not require grad.",
        "zh": "{t}.grad 是 None，因为 {t} 不要求梯度。",
    },
    "inference": {
        "en": "It was made under inference_mode, whose results never meet autograd again.",
        "zh": "它是在 inference_mode 下产生的，这样的结果不再与自动微分有关。",
    },
    "made_in_block": {
        "en": "It was made without recording{where}, under `{block}`. Move this line out of there "
        "if a gradient shall pass.",
        "zh": "它产生时没有被记录{where}，因为处在 `{block}` 之中。若要让梯度通过，"
        "就把这一行移出来。",
    },
    "cut_off": {
        "en": "It has the numbers of {other} without its history: it was cut off{where}. No "
        "gradient goes from {t} to {other}; use {other} itself where one shall.",
        "zh": "它与 {other} 共用同一份数，却没有历史：它是被截断出来的{where}。梯度不会从 {t} 传到 "
        "{other}；需要梯度的地方请直接用 {other}。",
    },
    "cut_in_line": {
        "en": "It was cut off from its history{where}.",
        "zh": "它的历史被截断了{where}。",
    },
    "made_plain": {
        "en": "It was made without requires_grad=True{where}. Call {t}.requires_grad_() before it "
        "is used.",
        "zh": "它产生时没有写 requires_grad=True{where}。请在使用之前调用 {t}.requires_grad_()。",
    },
    "made_somehow": {
        "en": "It was made without requires_grad=True, from inputs that do not require grad, under "
        "no_grad, or by detach(). Call {t}.requires_grad_() before it is used.",
        "zh": "它产生时没有写 requires_grad=True，或者输入都不要求梯度，或者处在 no_grad 之中，"
        "或者来自 detach()。请在使用之前调用 {t}.requires_grad_()。",
    },
    "not_called": {
        "en": "{t}.grad is None because backward() has not been called: {root} leads to {t}, and "
        "still holds everything it saved. Call {root}.backward().",
        "zh": "{t}.grad 是 None，因为还没有调用 backward()：{root} 通向 {t}，而且保存的东西都还在。"
        "请调用 {root}.backward()。",
    },
    "taken_away": {
        "en": "{t}.grad is None although a backward pass has gone from {root} to {t}: it has been "
        "taken away since{where}, or the pass was autograd.grad(), which returns gradients and "
        "stores none.",
        "zh": "已经有一次反向传播从 {root} 走到 {t}，{t}.grad 却是 None："
        "要么后来又被清掉了{where}，"
        "要么用的是 autograd.grad()，它把梯度返回，而不存下来。",
    },
    "not_called_or_taken": {
        "en": "{t}.grad is None although {root} leads to {t}: backward() has not been called, or "
        "the gradient has been taken away since{where}, or the pass was autograd.grad(), which "
        "stores none. (These operations save nothing, so they do not show which.)",
        "zh": "{root} 通向 {t}，{t}.grad 却是 None：要么还没有调用 backward()，要么后来又被清掉了"
        "{where}，要么用的是不存梯度的 autograd.grad()。（这些运算什么也不保存，看不出是哪一种。）",
    },
    "returned_none": {
        "en": "Another suspect is {node}{where}, a Function of yours on the way: if its backward "
        "returns None for this input, nothing arrives.",
        "zh": "另一个可疑之处是途中你自己写的 {node}{where}："
        "如果它的 backward 对这个输入返回 None，"
        "就什么也不会到达。",
    },
    "always_returned_none": {
        "en": "{t}.grad is None although a backward pass has gone through {root}: the only way to "
        "{t} leads through {node}{where}, a Function of yours. Its backward has returned None for "
        "this input (or {t}.grad has been taken away since, or the pass was autograd.grad()).",
        "zh": "反向传播已经走过 {root}，{t}.grad 却是 None：通向 {t} 的路都要经过你自己写的 "
        "{node}{where}，它的 backward 对这个输入返回了 None（也可能 {t}.grad 后来又被清掉了，"
        "或者用的是 autograd.grad()）。",
    },
    "not_reached": {
        "en": "{t}.grad is None because the graph of {root} does not lead to {t}.",
        "zh": "{t}.grad 是 None，因为 {root} 的图到不了 {t}。",
    },
    "cut_at": {
        "en": "It was cut at {cut}, which {node} took as a constant{where}: {cut} has the numbers "
        "of {other}, which was computed from {t}, without its history.",
        "zh": "图在 {cut} 处断开，{node} 把它当作常数{where}：{cut} 与由 {t} 算出的 {other} "
        "共用同一份数，却没有历史。",
    },
    "lost_at": {
        "en": "On the way, {other} lost its history{where}.",
        "zh": "途中 {other} 失去了历史{where}。",
    },
    "never_used": {
        "en": "{t}.grad is None because nothing that you have a name for was computed from {t} "
        "with recording on. Use {t} in the computation, then call backward() on its result.",
        "zh": "{t}.grad 是 None，因为在记录打开时，没有任何有名字的结果是由 {t} 算出的。"
        "请先用 {t} 做计算，再对结果调用 backward()。",
    },
    "used_without_history": {
        "en": "{t}.grad is None because what was computed from {t} has no history: {other}{where}.",
        "zh": "{t}.grad 是 None，因为由 {t} 算出的 {other} 没有历史{where}。",
    },
    "used_in_block": {
        "en": "That line runs under `{block}`, where nothing is recorded.",
        "zh": "这一行处在 `{block}` 之中，不会被记录。",
    },
    "used_cut": {
        "en": "That line leaves the graph, by detach(), .data or Python numbers.",
        "zh": "这一行经过 detach()、.data 或 Python 的数，离开了图。",
    },
    "used_before": {
        "en": "{t} did not require grad yet when that line ran: nothing was recorded. Run it again "
        "now.",
        "zh": "运行这一行时 {t} 还不要求梯度，所以什么也没有记录。请现在重新运行它。",
    },
    # --- backward fails
    "in_place": {
        "en": "backward() from {root} cannot run: {node} saved {saved} at version {expected}"
        "{where}, and the tensor is at version {version} now, because it has been changed in "
        "place.",
        "zh": "不能从 {root} 反向传播：{node} 在版本 {expected} 时保存了 {saved}{where}，"
        "而这个张量被就地修改过，现在是版本 {version}。",
    },
    "changed_by": {
        "en": "It was changed{where}. Make that change on a clone, or after backward().",
        "zh": "修改它的是 {line}。请改在它的 clone() 上，或者放到 backward() 之后。",
    },
    "changed_by_one_of": {
        "en": "These lines change it: {lines}. Make the change on a clone, or after backward().",
        "zh": "修改它的是这些行：{lines}。请改在它的 clone() 上，或者放到 backward() 之后。",
    },
    "changed_somewhere": {
        "en": "Look for what changes it, or what shares its numbers: `x[0] = ...`, `x += ...`, a "
        "method whose name ends in _, an optimizer's step(). Make that change on a clone, or after "
        "backward().",
        "zh": "找一找是什么修改了它，或修改了与它共用数的张量：`x[0] = ...`、`x += ...`、"
        "名字以 _ 结尾的方法、优化器的 step()。请改在它的 clone() 上，或者放到 backward() 之后。",
    },
    "freed": {
        "en": "backward() from {root} cannot run again: an earlier pass has gone through its "
        "graph, and {node} has let go of {saved}{where}. Compute {root} anew, or call that earlier "
        "backward() with retain_graph=True.",
        "zh": "不能再次从 {root} 反向传播：前一次反向传播已走过它的图，"
        "{node} 已释放 {saved}{where}。"
        "请重新计算 {root}，或者在前一次调用 backward(retain_graph=True)。",
    },
    "freed_shared": {
        "en": "backward() from {root} cannot run: it shares {node}{where} with {other}, and the "
        "pass from there has made it let go of {saved}. Add the two results and call backward() "
        "once, or use retain_graph=True in the first pass; if it is the state of an earlier step, "
        "detach() it.",
        "zh": "不能从 {root} 反向传播：它与 {other} 共用 {node}{where}，"
        "而从那里开始的反向传播已让它"
        "释放 {saved}。把两个结果加起来，只调用一次 backward()；或者在第一次用 retain_graph=True；"
        "如果它是前一步留下的状态，就先 detach()。",
    },
    "freed_part": {
        "en": "backward() from {root} cannot run: part of its graph was used by an earlier pass, "
        "in which {node} has let go of {saved}{where}. Add the results and call backward() once, "
        "or use retain_graph=True in the first pass; if it is the state of an earlier step, "
        "detach() it.",
        "zh": "不能从 {root} 反向传播：它的图有一部分已被前一次反向传播走过，{node} 已释放 {saved}"
        "{where}。把几个结果加起来，只调用一次 backward()；或者在第一次用 retain_graph=True；"
        "如果它是前一步留下的状态，就先 detach()。",
    },
    "not_scalar": {
        "en": "backward() starts from 1, so it needs a single number, and {root} has the shape "
        "{shape}. Make it one number, as with {root}.sum(), or say with gradient= how much each "
        "element counts.",
        "zh": "backward() 从 1 开始，所以需要一个数，而 {root} 的形状是 {shape}。"
        "把它变成一个数，例如 {root}.sum()，或者用 gradient= 说明每个元素的分量。",
    },
    "no_graph": {
        "en": "backward() cannot start at {root}, which has no history.",
        "zh": "不能从 {root} 反向传播，因为它没有历史。",
    },
    "leaf_in_place": {
        "en": "{t} is a leaf that requires grad, and it is changed in place{where}. Recorded, it "
        "would be a leaf no more. If the change is an update and no part of the function, put it "
        "under no_grad.",
        "zh": "{t} 是要求梯度的叶子，却被就地修改{where}。如果记录下来，它就不再是叶子。"
        "如果这是更新，不属于要求导的函数，就把它放进 no_grad。",
    },
    "unused_input": {
        "en": "autograd.grad() was asked for the gradient of {root} with respect to {t}, to which "
        "its graph does not lead.",
        "zh": "autograd.grad() 被要求计算 {root} 对 {t} 的梯度，而它的图到不了 {t}。",
    },
    "nan_in_backward": {
        "en": "Anomaly mode has stopped the pass at {node}{where}: its formula has given NaN.",
        "zh": "异常检测在 {node} 处停下{where}：它的公式给出了 NaN。",
    },
    "inference_saved": {
        "en": "A tensor that was made under inference_mode meets autograd{where}. Clone it, or "
        "make it under no_grad.",
        "zh": "在 inference_mode 下产生的张量遇到了自动微分{where}。请先 clone()，或改用 no_grad。",
    },
    "unknown_error": {
        "en": "{error}. This is no error of autograd that explain() knows.",
        "zh": "{error}。这不是 explain() 认识的自动微分错误。",
    },
    "raised_at": {
        "en": "It was raised by {line}.",
        "zh": "抛出它的是 {line}。",
    },
    # --- NaN
    "nan_value": {
        "en": "{t} holds {what}. It comes up at {node}{where}: its result holds {what}, and what "
        "it was computed from holds none.",
        "zh": "{t} 里有 {what}，出自 {node}{where}：它的结果里有 {what}，而它的输入里没有。",
    },
    "nan_value_about": {
        "en": "{t} holds {what}. It is first seen at {node}{where}, and came up there or in an "
        "operation before it whose numbers nobody has kept.",
        "zh": "{t} 里有 {what}，最先在 {node} 看到{where}：它产生于此，"
        "或产生于之前某个没有留下数值的运算。",
    },
    "inf_before": {
        "en": "An inf came before it, out of {node}{where}.",
        "zh": "在它之前，{node} 已经给出 inf{where}。",
    },
    "nan_leaf": {
        "en": "{t} holds {what}, and so does {leaf}, from which it was computed.",
        "zh": "{t} 里有 {what}，而算出它的 {leaf} 里就已经有了。",
    },
    "nan_gradient": {
        "en": "The values are finite, but in a rehearsal of the backward pass {what} first comes "
        "out of {node}{where}: it gets {incoming} and gives {outgoing}.",
        "zh": "数值都是有限的，但预演反向传播时，{what} 最先出自 {node}{where}：它收到 {incoming}，"
        "给出 {outgoing}。",
    },
    "formula": {"en": "Its formula is {rule}.", "zh": "它的公式是 {rule}。"},
    "nan_in_grad": {
        "en": "{t}.grad holds {what}. Compute the loss again and ask explain(loss, nan=True): it "
        "rehearses the pass and names the operation.",
        "zh": "{t}.grad 里有 {what}。请重新计算损失，再用 explain(loss, nan=True)："
        "它会预演反向传播，并指出是哪个运算。",
    },
    "all_finite": {
        "en": "Everything is finite: the values behind {t}, and the gradients in a rehearsal of "
        "the backward pass.",
        "zh": "一切都是有限的：{t} 背后的数值如此，预演反向传播得到的梯度也如此。",
    },
    "values_finite": {
        "en": "The values behind {t} are finite. (No backward pass can be rehearsed, which would "
        "look at the gradients too.)",
        "zh": "{t} 背后的数值都是有限的。（无法预演反向传播，因此没有查看梯度。）",
    },
    # --- Parts
    "in_line": {"en": " in `{text}` ({place})", "zh": "（`{text}`，{place}）"},
    "at_line": {"en": "`{text}` ({place})", "zh": "`{text}`（{place}）"},
    "place_in_file": {"en": "line {line} of {file}", "zh": "{file} 第 {line} 行"},
    "place_in_cell": {"en": "line {line} of its cell", "zh": "单元格第 {line} 行"},
    "and": {"en": ", ", "zh": "、"},
    "space": {"en": " ", "zh": ""},
    "picture": {"en": "the graph, with the place marked", "zh": "计算图，标出了所说之处"},
}


def reason(language: Language, key: str, **parts: object) -> str:
    """A sentence, or a part of one."""
    return filled(REASONS, language, key, parts)

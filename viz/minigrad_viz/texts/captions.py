"""What is said about a step, in English and in Chinese: one table, so that neither language lags.

Each entry is a whole sentence with places for names and numbers; no sentence is put together from
translated words.
"""

from __future__ import annotations

from .language import Language, Texts, filled

TEXTS: Texts = {
    # One event each.
    "forward": {
        "en": "{operation} takes {inputs}.",
        "zh": "{operation} 取用 {inputs}。",
    },
    "result": {
        "en": "It makes {results}, and leaves {node} in the graph.",
        "zh": "它算出 {results}，并在图中留下 {node}。",
    },
    "seed": {
        "en": "backward() starts at {root}: its gradient with respect to itself is {gradient}, "
        "which goes to {node}.",
        "zh": "backward() 从 {root} 开始：它对自身的梯度是 {gradient}，交给 {node}。",
    },
    "start": {
        "en": "{node} runs: everything that uses its result has sent its gradient, {incoming}.",
        "zh": "{node} 开始运行：用到其结果的节点都已送来梯度，合计为 {incoming}。",
    },
    "start_saved": {
        "en": "{node} runs: everything that uses its result has sent its gradient, {incoming}. It "
        "reads what it saved in the forward pass: {saved}.",
        "zh": "{node} 开始运行：用到其结果的节点都已送来梯度，合计为 {incoming}。"
        "它读取前向传播时保存的 {saved}。",
    },
    "start_leaf": {
        "en": "{node} runs with the gradient of {leaf}, {incoming}.",
        "zh": "{node} 开始运行，收到 {leaf} 的梯度 {incoming}。",
    },
    "formula": {
        "en": "Its formula gives {outgoing}.",
        "zh": "按公式算出：{outgoing}。",
    },
    "reduce": {
        "en": "Input {index} was broadcast, so its gradient is summed from {before} to {after}.",
        "zh": "输入 {index} 在前向时被广播，因此它的梯度由 {before} 求和为 {after}。",
    },
    "first": {
        "en": "{added} goes to {target}, where it is the first to arrive.",
        "zh": "{added} 交给 {target}，是最先到达的梯度。",
    },
    "sum": {
        "en": "{added} goes to {target}, where {before} waits: together {after}.",
        "zh": "{added} 交给 {target}，与等在那里的 {before} 相加，得 {after}。",
    },
    "leaf_first": {
        "en": "{leaf}.grad was None and becomes {after}.",
        "zh": "{leaf}.grad 原为 None，现在是 {after}。",
    },
    "leaf_sum": {
        "en": "{leaf}.grad was {before}; with {added} added it is {after}.",
        "zh": "{leaf}.grad 原为 {before}，加上 {added} 后为 {after}。",
    },
    "hook": {
        "en": "A hook runs ({hook}): {before} becomes {after}.",
        "zh": "钩子运行（{hook}）：{before} 变为 {after}。",
    },
    "hook_same": {
        "en": "A hook runs ({hook}) and leaves the gradient as it is.",
        "zh": "钩子运行（{hook}），梯度不变。",
    },
    "hook_leaf": {
        "en": "A hook runs ({hook}), now that .grad is written.",
        "zh": ".grad 已写入，钩子运行（{hook}）。",
    },
    "retain_grad": {
        "en": "The gradient {after} is kept in .grad, because retain_grad() was called.",
        "zh": "由于调用过 retain_grad()，梯度 {after} 被保存到 .grad。",
    },
    "free": {
        "en": "{node} lets go of what it saved ({names}): it cannot run again.",
        "zh": "{node} 释放所保存的 {names}，之后不能再运行。",
    },
    "error": {
        "en": "{node} fails with {message}",
        "zh": "{node} 出错：{message}",
    },
    # Parts of the sentences above.
    "for_input": {"en": "{value} for input {index}", "zh": "输入 {index} 的梯度为 {value}"},
    "nothing_for_input": {
        "en": "nothing for input {index}, which needs no gradient",
        "zh": "输入 {index} 不需要梯度",
    },
    "saved_as": {
        "en": "{name} = {value} (version {version})",
        "zh": "{name} = {value}（版本 {version}）",
    },
    "saved_changed": {
        "en": "{name} = {value} (saved at version {expected}, now at version {version})",
        "zh": "{name} = {value}（保存时为版本 {expected}，现为版本 {version}）",
    },
    "nothing": {"en": "nothing", "zh": "无"},
    "with_norm": {"en": "{shape} with norm {norm}", "zh": "{shape}（范数 {norm}）"},
    "accumulate_of": {"en": "{name} of {leaf}", "zh": "{leaf} 的 {name}"},
    "seed_title": {"en": "seed", "zh": "种子"},
    "seed_again": {"en": "seed of pass {number}", "zh": "第 {number} 次的种子"},
    "cell": {"en": "cell {number}", "zh": "单元格 {number}"},
    "comma": {"en": ", ", "zh": "，"},
    "list_comma": {"en": ", ", "zh": "、"},
    "as_text": {"en": "The steps as text", "zh": "步骤的文字形式"},
    # The left column of the text form.
    "heading": {
        "en": "backward from {root}: {turns} turns",
        "zh": "从 {root} 反向传播：共 {turns} 步",
    },
    "rehearsal": {
        "en": "A rehearsal: .grad is as it was before.",
        "zh": "这是一次预演：.grad 仍与之前相同。",
    },
    "more": {"en": "... and {count} more turns", "zh": "……还有 {count} 步"},
    "heading_both": {
        "en": "forward to {root} and backward from it: {turns} turns",
        "zh": "正向算出 {root}，再从它反向传播：共 {turns} 步",
    },
    "label_inputs": {"en": "takes", "zh": "取用"},
    "label_results": {"en": "makes", "zh": "得到"},
    "label_hook": {"en": "hook", "zh": "钩子"},
    "label_incoming": {"en": "comes in", "zh": "传入"},
    "label_saved": {"en": "reads", "zh": "读取"},
    "label_outgoing": {"en": "gives", "zh": "算出"},
    "label_reduce": {"en": "sums", "zh": "求和"},
    "label_accumulate": {"en": "hands on", "zh": "交出"},
    "label_free": {"en": "frees", "zh": "释放"},
    "label_reason": {"en": "because", "zh": "原因"},
    "label_error": {"en": "fails", "zh": "出错"},
}


def say(language: Language, key: str, **parts: object) -> str:
    """What is said about a step."""
    return filled(TEXTS, language, key, parts)

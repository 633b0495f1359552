"""The words in pictures and in trees, in English and in Chinese.

Names are no words: what a node, a variable or an element type is called is the same in every
language. The sentences about a step are in captions.py.
"""

from __future__ import annotations

from .language import Language, Texts, filled

WORDS: Texts = {
    "scalar": {"en": "scalar", "zh": "标量"},
    "freed": {"en": "freed", "zh": "已释放"},
    "changed": {"en": "changed", "zh": "已被修改"},
    "input": {"en": "input", "zh": "输入"},
    "lost": {"en": "not kept", "zh": "未保留"},
    "nodes": {"en": "{count} nodes", "zh": "{count} 个节点"},
    # What is called so because it has no name.
    "leaf": {"en": "leaf {number}", "zh": "叶子 {number}"},
    "result": {"en": "result", "zh": "结果"},
    "results": {"en": "result {number}", "zh": "结果 {number}"},
    # A tree.
    "saved": {"en": "saved: {tensors}", "zh": "保存：{tensors}"},
    "in_state": {"en": "{tensor} ({state})", "zh": "{tensor}（{state}）"},
    "comma": {"en": ", ", "zh": "、"},
    "above": {"en": "({node}, see above)", "zh": "（{node}，见上文）"},
    "below": {"en": "({node}, continued below)", "zh": "（{node}，续在下文）"},
    "continued": {"en": "{node} continued:", "zh": "{node} 续："},
    "same": {"en": "({node})", "zh": "（{node}）"},
    # What is known of a node besides.
    "requires": {"en": "requires grad", "zh": "需要梯度"},
    "requires_not": {"en": "requires no grad", "zh": "不需要梯度"},
    "version": {"en": "changed in place {count} times", "zh": "被就地修改过 {count} 次"},
    "version_once": {"en": "changed in place once", "zh": "被就地修改过一次"},
    "holds": {"en": "value: {numbers}", "zh": "值：{numbers}"},
    "grad": {"en": ".grad: {numbers}", "zh": ".grad：{numbers}"},
    "hook": {"en": "hook: {hook}", "zh": "钩子：{hook}"},
    "module": {"en": "module: {module}", "zh": "模块：{module}"},
    "line": {"en": "line {number}: {text}", "zh": "第 {number} 行：{text}"},
    "numbers": {
        "en": "norm {norm}, from {minimum} to {maximum}",
        "zh": "范数 {norm}，从 {minimum} 到 {maximum}",
    },
    "numbers_not_finite": {
        "en": "norm {norm}, from {minimum} to {maximum}, {nonfinite} not finite",
        "zh": "范数 {norm}，从 {minimum} 到 {maximum}，{nonfinite} 个非有限值",
    },
    # A drawing.
    "picture": {"en": "computational graph of {root}", "zh": "{root} 的计算图"},
    "more": {
        "en": "... {count} more lines: print(viz.tree(t)) writes them all",
        "zh": "……还有 {count} 行：print(viz.tree(t)) 会全部写出",
    },
    "whole": {"en": "whole graph", "zh": "整张图"},
    "no_picture": {"en": "No picture: {error}.", "zh": "没有图：{error}。"},
    "as_dot": {
        "en": "No picture: {error}. The graph as DOT text:",
        "zh": "没有图：{error}。用 DOT 文本表示的计算图：",
    },
}


def word(language: Language, key: str, **parts: object) -> str:
    """The words `key` in `language`, with their places filled."""
    return filled(WORDS, language, key, parts)

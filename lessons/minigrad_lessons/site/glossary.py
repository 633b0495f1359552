"""The glossary of the course in both languages: a sentence for each word, and its chapter.

The chapter is the first one that refers to the word, by the role `{term}` in its source.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from dataclasses import dataclass

from .. import build
from ..lab.language import Language
from ..predictions.prediction import Words

__all__ = ["TERMS", "Term", "first_chapters", "page"]

HEAD: dict[Language, tuple[str, str, str]] = {
    "en": ("Glossary", "The words of the course, with their names in Chinese.", "First in {}."),
    "zh": ("术语表", "课程中的术语，以及它们的英文名称。", "首见于 {}。"),
}
"""The title, what the page is, and what leads to a chapter."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word as the course writes it: the first spelling is shown, any of them is found."""

    en: tuple[str, ...]
    zh: tuple[str, ...]
    says: Words

    def spellings(self, language: Language) -> tuple[str, ...]:
        return self.en if language == "en" else self.zh


def term(en: str, zh: str, says_en: str, says_zh: str) -> Term:
    """Spellings stand between bars."""
    return Term(tuple(en.split("|")), tuple(zh.split("|")), Words(says_en, says_zh))


TERMS = (
    term(
        "accumulate|adds up|added",
        "累加",
        "A leaf adds what arrives to what is in `.grad` already; nothing is overwritten.",
        "叶子把到达的梯度加到 `.grad` 里已有的数上，不会覆盖。",
    ),
    term(
        "automatic differentiation",
        "自动微分|自动求导",
        "Computing the derivative of a program from the derivatives of the operations that it ran.",
        "由程序运行过的各个运算的导数，算出整个程序的导数。",
    ),
    term(
        "backpropagation|backward pass",
        "反向传播",
        "Going through the graph from the result back to the leaves, and handing on at each node "
        "the gradient times that node's derivative.",
        "沿着图从结果走回叶子，在每个节点上把收到的梯度乘以该节点的导数再传下去。",
    ),
    term(
        "broadcasting",
        "广播",
        "Repeating a smaller tensor so that its shape fits a larger one; in the backward pass the "
        "copies' gradients are summed.",
        "把较小的张量重复，使形状与较大的张量相配；反向传播时，各个副本的梯度要加起来。",
    ),
    term(
        "chain rule",
        "链式法则",
        "The derivative of steps done one after the other is the product of the steps' "
        "derivatives; several ways to the same place are summed.",
        "相继进行的几步，其导数是各步导数的乘积；通向同一处的几条路则相加。",
    ),
    term(
        "computational graph",
        "计算图",
        "The operations that made a result, as nodes, and what each of them used, as edges.",
        "以产生结果的各次运算为节点、以运算之间的输入关系为边的图。",
    ),
    term(
        "cross-entropy|cross entropy",
        "交叉熵",
        "A loss for choosing among classes: minus the logarithm of the probability that the model "
        "gave to the right one.",
        "分类用的损失：模型给正确类别的概率取对数，再取负。",
    ),
    term(
        "derivative",
        "导数",
        "How fast the output of a function changes when its input changes a little.",
        "输入改变一点时，函数的输出改变得有多快。",
    ),
    term(
        "detach",
        "detach|分离",
        "`t.detach()` gives the same numbers without their history, so that no gradient flows "
        "through it.",
        "`t.detach()` 给出同样的数，但没有计算历史，梯度不会从它流过。",
    ),
    term(
        "edge",
        "边",
        "A link of the graph along which a gradient travels, from a node to one that made its "
        "input.",
        "图中传递梯度的连线，从一个节点通向产生其输入的节点。",
    ),
    term(
        "forward mode",
        "前向模式",
        "Automatic differentiation along with the program, from one input to all outputs; one pass "
        "for each input.",
        "与程序同方向进行的自动微分，从一个输入到所有输出；每个输入要走一次。",
    ),
    term(
        "forward propagation|forward pass",
        "前向传播",
        "Computing the result from the inputs; what the backward pass will need is kept on the "
        "way.",
        "从输入算出结果，并在途中保存反向传播要用的数。",
    ),
    term(
        "gradcheck",
        "gradcheck",
        "A test of a gradient: it compares the formula with the quotient of small differences.",
        "检验梯度的方法：把公式的结果与微小差分之商相比较。",
    ),
    term(
        "gradient",
        "梯度",
        "The partial derivatives of one number with respect to every element of a tensor, in the "
        "tensor's shape.",
        "一个数对张量中每个元素的偏导数，排成与该张量相同的形状。",
    ),
    term(
        "gradient descent",
        "梯度下降",
        "Changing the parameters by small steps against the gradient of the loss.",
        "让参数一小步一小步地沿损失的梯度的反方向改变。",
    ),
    term(
        "Hessian",
        "黑塞|海森",
        "The matrix of the second derivatives of a number with respect to a vector.",
        "一个数对一个向量的二阶导数组成的矩阵。",
    ),
    term(
        "hook",
        "钩子",
        "A function of yours that is called when a gradient comes by, and may change it.",
        "梯度经过时会被调用的函数，由你编写，可以修改梯度。",
    ),
    term(
        "in place|in-place",
        "就地|原地",
        "Writing a result into the memory of a tensor that exists, as `x.add_(1)` does.",
        "把结果写进已有张量的内存，例如 `x.add_(1)`。",
    ),
    term(
        "intermediate result",
        "中间结果",
        "A tensor between the leaves and the result; its gradient is not kept unless "
        "`retain_grad()` asks for it.",
        "叶子与结果之间的张量；不用 `retain_grad()` 要求，它的梯度不会保留。",
    ),
    term(
        "Jacobian",
        "雅可比",
        "The matrix of the derivatives of every output with respect to every input.",
        "每个输出对每个输入的导数组成的矩阵。",
    ),
    term(
        "leaf",
        "叶子节点|叶子",
        "A tensor that no recorded operation made; the gradients of those that ask for one are "
        "stored in `.grad`.",
        "不是由被记录的运算产生的张量；其中要求梯度的，梯度存放在 `.grad` 里。",
    ),
    term(
        "learning rate",
        "学习率",
        "The factor by which the gradient is multiplied before it is subtracted from a parameter.",
        "从参数中减去梯度之前，梯度要乘的那个系数。",
    ),
    term(
        "loss",
        "损失",
        "A number that says how far the outputs are from what is wanted; training makes it small.",
        "衡量输出与目标相差多远的一个数；训练就是让它变小。",
    ),
    term(
        "mode",
        "模式",
        "Has two meanings: the direction of automatic differentiation, forward or reverse, and a "
        "switch such as `no_grad()`, under which operations behave in another way.",
        "有两个意思：自动微分的方向，即前向或反向；以及像 `no_grad()` 那样的开关，"
        "打开时运算的行为不同。",
    ),
    term(
        "module",
        "模块",
        "An object that holds parameters and computes outputs with them, such as `nn.Linear`.",
        "持有参数并用它们算出输出的对象，例如 `nn.Linear`。",
    ),
    term(
        "node",
        "节点",
        "One recorded operation in the graph, or the place where a leaf's gradient is added up.",
        "图中一次被记录的运算，或者累加叶子梯度的地方。",
    ),
    term(
        "optimizer",
        "优化器",
        "The object that changes the parameters when `step()` is called, each by a rule on its "
        "gradient.",
        "调用 `step()` 时修改参数的对象，每个参数按照以其梯度为依据的规则改变。",
    ),
    term(
        "parameter",
        "参数",
        "A leaf that training changes: a weight or a bias of a model.",
        "训练要改变的叶子：模型的权重或偏置。",
    ),
    term(
        "partial derivative",
        "偏导数",
        "How fast the output changes when one of several inputs changes and the others stay.",
        "几个输入中只有一个改变、其余不变时，输出改变得有多快。",
    ),
    term(
        "reverse mode",
        "反向模式",
        "Automatic differentiation against the program, from one output to all inputs; one pass "
        "for each output.",
        "与程序反方向进行的自动微分，从一个输出到所有输入；每个输出要走一次。",
    ),
    term(
        "root",
        "根节点",
        "The node of the result on which `backward()` is called; the backward pass starts there.",
        "调用 `backward()` 的那个结果所在的节点，反向传播从这里开始。",
    ),
    term(
        "saved tensor|saved",
        "保存",
        "A tensor that a node keeps from the forward pass because its derivative needs it; it is "
        "freed once `backward()` has used it.",
        "节点在前向传播时留下的张量，因为求导要用；`backward()` 用完就释放。",
    ),
    term(
        "scalar",
        "标量",
        "A tensor with a single number and no dimensions.",
        "只有一个数、没有维度的张量。",
    ),
    term(
        "softmax",
        "softmax",
        "Exponentials divided by their sum, which makes probabilities of any numbers.",
        "取指数再除以总和，把任意一组数变成概率。",
    ),
    term(
        "tensor",
        "张量",
        "Numbers in a rectangle of any number of dimensions: a number, a vector, a matrix, and so "
        "on.",
        "排成任意维数的矩形的一组数：一个数、一个向量、一个矩阵，等等。",
    ),
    term(
        "topological order|topological",
        "拓扑",
        "An order in which each node comes after all nodes that send a gradient to it.",
        "一种顺序：每个节点都排在所有给它送梯度的节点之后。",
    ),
    term(
        "truncated backpropagation|truncated",
        "截断",
        "Cutting the history of a state that is carried over steps, so that a gradient goes back "
        "only some of them.",
        "把跨步携带的状态的历史切断，使梯度只往回走有限的几步。",
    ),
    term(
        "vanishing gradient|vanish|vanishes",
        "梯度消失",
        "A gradient that becomes too small to teach anything, as the product of many small "
        "factors.",
        "许多小因子相乘，梯度小到什么也教不会。",
    ),
    term(
        "version counter|version",
        "版本",
        "Counts the writes into a tensor's memory, so that `backward()` notices when a saved "
        "tensor has changed.",
        "记录张量的内存被写过几次，使 `backward()` 能发现保存的张量被改过。",
    ),
)


ROLE = re.compile(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`")


@functools.cache
def first_chapters(language: Language) -> dict[str, str]:
    """Return for each term, by its name in a language, the first chapter that refers to it."""
    found: dict[str, str] = {}
    for source in build.chapters():
        for name in ROLE.findall(source.read_text(encoding="utf-8")):
            found.setdefault(name, source.stem)
    names = {each.spellings(language)[0] for each in TERMS}
    return {name: stem for name, stem in found.items() if name in names}


def page(language: Language, stems: Collection[str]) -> str:
    """Return the glossary as MyST. `stems` are the chapters that the site has."""
    title, about, first = HEAD[language]
    other: Language = "zh" if language == "en" else "en"
    entries = []
    for each in sorted(TERMS, key=lambda each: each.spellings(language)[0].lower()):
        own, foreign = (each.spellings(spoken)[0] for spoken in (language, other))
        words = each.says.text(language)
        if own != foreign:
            words = f"({foreign}) {words}"
        stem = first_chapters(language).get(own)
        if stem in stems:
            words += " " + first.format(f"[](/{stem}.ipynb)")
        entries.append(f"{own}\n  {words}\n")
    listed = "\n".join(entries)
    return f"# {title}\n\n{about}\n\n::::{{glossary}}\n{listed}::::\n"

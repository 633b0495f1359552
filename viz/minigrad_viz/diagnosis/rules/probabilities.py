"""A loss that gets probabilities where it takes logits, or logits where it takes logarithms."""

from __future__ import annotations

from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

SQUASHING = {"Softmax": "softmax", "Sigmoid": "sigmoid"}
TAKING_LOGITS = {"LogSoftmax": "log_softmax", "BinaryCrossEntropyWithLogits": "sigmoid"}


def find(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        inner = evidence.input_of(node) if evidence.kind(node) in TAKING_LOGITS else None
        first = SQUASHING.get(evidence.kind(inner))
        if first is not None:
            made = evidence.context.where(evidence.node_line(inner))
            loss = evidence.node_line(node)
            parts = {"first": first, "second": TAKING_LOGITS[evidence.kind(node)], "where": made}
            parts["loss"] = "" if loss is None else evidence.context.where(loss)
            return Match(parts, culprits=(inner,))
    return None


def find_no_logarithm(evidence: Evidence) -> Match | None:
    for node in evidence.nodes:
        inner = evidence.input_of(node) if evidence.kind(node) in ("NllLoss", "NllLoss2D") else None
        if evidence.kind(inner) in ("Softmax", "Addmm", "Add", "Mm", "Sigmoid", "Relu"):
            where = evidence.context.where(evidence.node_line(node))
            return Match({"where": where}, culprits=(node,))
    return None


PROGRAM = training(
    net="T.nn.Linear(3, 4)",
    data="T.randn(8, 3), T.tensor([0, 1, 2, 3] * 2)",
    inside="scores = net(x)\nloss = {loss}",
)

RULE = Rule(
    key="softmax_twice",
    severity=2,
    chapter="16",
    en=Words(
        "softmax twice",
        "The loss{loss} takes logits and applies {second} itself, and it gets the result of "
        "{first}{where}: squashed twice, its gradients are small and it learns slowly.",
        "Give the loss the scores without {first}.",
    ),
    zh=Words(
        "做了两次 softmax",
        "损失{loss}接受的是 logits，自己会做 {second}，却得到了 {first} 的结果{where}：压缩了两次，"
        "梯度很小，学得很慢。",
        "请把没有经过 {first} 的分数交给损失。",
    ),
    find=find,
    broken=PROGRAM.format(loss="T.nn.CrossEntropyLoss()(T.softmax(scores, 1), y)"),
    sound=PROGRAM.format(loss="T.nn.NLLLoss()(T.log(T.softmax(scores, 1)), y)"),
    before=("softmax_dimension",),
)

NO_LOGARITHM = Rule(
    key="no_logarithm",
    chapter="16",
    en=Words(
        "probabilities in place of logarithms",
        "NLLLoss{where} takes log-probabilities, and it gets numbers that are none.",
        "Use `CrossEntropyLoss` on the scores, or give NLLLoss their `log_softmax`.",
    ),
    zh=Words(
        "传入的不是对数概率",
        "NLLLoss{where}接受的是对数概率，得到的却不是。",
        "请对分数用 `CrossEntropyLoss`，或者把它们的 `log_softmax` 交给 NLLLoss。",
    ),
    find=find_no_logarithm,
    broken=PROGRAM.format(loss="T.nn.functional.nll_loss(T.softmax(scores, 1), y)"),
    sound=PROGRAM.format(loss="T.nn.functional.nll_loss(T.log_softmax(scores, 1), y)"),
)

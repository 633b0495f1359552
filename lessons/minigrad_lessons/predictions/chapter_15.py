"""Predictions of chapter 15, modules and optimizers."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "15.a": Prediction(
        right="2|weight, bias|2, weight, bias|weight, bias, 2",
        why=Words(
            "Only the weight and the bias of the last layer: a module does not look into a list.",
            "只有最后一层的权重和偏置：模块不会往列表里看。",
        ),
        hint=Words(
            "Does a module look for parameters inside a Python list?",
            "模块会到 Python 列表里去找参数吗？",
        ),
        wrong=(
            Wrong(
                "6",
                Words(
                    "6 would be the tensors of three layers. Two of the layers lie in a list.",
                    "三层的张量一共有 6 个。但其中两层放在列表里。",
                ),
            ),
            Wrong(
                "3",
                Words(
                    "Layers are not tensors: each linear layer has a weight and a bias.",
                    "层不是张量：每个线性层有一个权重和一个偏置。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "A linear layer has two tensors, a weight and a bias.",
                    "一个线性层有两个张量：权重和偏置。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "The last layer is assigned to the module itself, so it is listed.",
                    "最后一层是直接赋给模块的，所以会列出来。",
                ),
            ),
        ),
    ),
    "15.b": Prediction(
        right="2|1/2",
        why=Words(
            "The optimizer holds the first layer and the old last one, which nobody uses.",
            "优化器拿着第一层和旧的最后一层，而后者已经没有人用了。",
        ),
        hint=Words(
            "The optimizer was made before the last layer was replaced. Whose tensors does it "
            "hold?",
            "优化器是在替换最后一层之前创建的。它手里是谁的张量？",
        ),
        unless=(
            r"(2|two|两|二) ?(个|of them)?的?(是|are|that|tensors|张量| )*"
            r"(unchanged|do(es)? ?n[o']t|stay|keep|not |不|没|原样)"
        ),
        wrong=(
            Wrong(
                "4",
                Words(
                    "That would be so if the optimizer asked the model at each step. It was given "
                    "four tensors once.",
                    "如果优化器每一步都去问模型，就是 4 个。可是它只在一开始拿到了四个张量。",
                ),
            ),
            Wrong(
                "0",
                Words(
                    "The first layer was not replaced, and the optimizer holds it.",
                    "第一层没有换掉，优化器拿着它。",
                ),
            ),
            Wrong(
                "an error|error|报错|出错",
                Words(
                    "Nothing is raised: an optimizer passes over tensors without a gradient.",
                    "不会报错：没有梯度的张量，优化器会跳过。",
                ),
            ),
        ),
    ),
    "15.c": Prediction(
        right="True|yes|leaf|a leaf|是|是叶子|是叶子节点",
        why=Words(
            "There is nothing to move, so `.to` returns the tensor itself.",
            "没有什么要移动，所以 `.to` 返回张量本身。",
        ),
        wrong=(
            Wrong(
                "False|no|not a leaf|否|不是|不是叶子|不是叶子节点",
                Words(
                    "It would be a result if there were anything to move. Here there is not.",
                    "如果真的有东西要移动，它就是结果。这里没有。",
                ),
            ),
        ),
        choices=True,
    ),
    "15.d": Prediction(
        right="True|yes|是|会|会改变|还会|仍会改变|会变|仍然会变",
        why=Words(
            "There is a gradient in `.grad`, and that is what a step looks at.",
            "`.grad` 里已经有梯度，而走一步时看的就是它。",
        ),
        wrong=(
            Wrong(
                "False|no|否|不会",
                Words(
                    "`requires_grad` decides what is recorded from now on. The gradient had "
                    "arrived before.",
                    "`requires_grad` 决定的是今后记录什么。而梯度在那之前就已经到了。",
                ),
            ),
        ),
        choices=True,
    ),
    "15.e": Prediction(
        right="True|yes|是|要求|仍然要求|还是要求",
        why=Words(
            "`eval()` tells the layers how to compute. Recording goes on.",
            "`eval()` 告诉各层怎样计算。记录照常进行。",
        ),
        wrong=(
            Wrong(
                "False|no|否|不要求",
                Words(
                    "That is what `no_grad` does. `eval()` leaves the recording alone.",
                    "那是 `no_grad` 做的事。`eval()` 不影响记录。",
                ),
            ),
        ),
        choices=True,
    ),
    "15.f": Prediction(
        right="9",
        why=Words(
            "Column and row are both repeated to 3 times 3.",
            "列和行都被重复成 3 乘 3。",
        ),
        hint=Words(
            "A column of 3 and a row of 3: broadcasting repeats both.",
            "一列 3 个，一行 3 个：广播会把两者都重复。",
        ),
        wrong=(
            Wrong(
                "3",
                Words(
                    "3 would come out if both had the same shape. A column and a row have not.",
                    "如果两者形状相同，就是 3。而一列和一行的形状不同。",
                ),
            ),
            Wrong(
                "an error|error|RuntimeError|报错|出错",
                Words(
                    "The shapes (3, 1) and (3,) fit each other by the rules of broadcasting.",
                    "按广播的规则，形状 (3, 1) 和 (3,) 是可以配合的。",
                ),
            ),
            Wrong(
                "6",
                Words(
                    "Each number of the column meets each number of the row.",
                    "列中的每个数都与行中的每个数相遇。",
                ),
            ),
        ),
    ),
}

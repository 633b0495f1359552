"""Predictions of chapter 11, training a network."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

ERROR = "an error|RuntimeError|error|报错|错误|出错"

PREDICTIONS = {
    "11.a": Prediction(
        right="2.3|2.30|2.303|ln 10|ln(10)|log(10)|log 10",
        why=Words(
            "The surprise at a probability of 1/10 is -ln(1/10) = ln 10, about 2.3.",
            "概率为 1/10 时的意外程度是 -ln(1/10) = ln 10，约为 2.3。",
        ),
        hint=Words(
            "The surprise is -ln(p). Compute it for p = 1/10.",
            "意外程度是 -ln(p)。取 p = 1/10 算一算。",
        ),
        wrong=(
            Wrong(
                "0.1|0.10|1/10",
                Words(
                    "0.1 is the probability of the right digit. The loss is minus its logarithm.",
                    "0.1 是正确数字的概率。损失是它的对数取负。",
                ),
            ),
            Wrong(
                "0.9|0.90|9/10",
                Words(
                    "0.9 is what is missing to certainty. The loss is a logarithm.",
                    "0.9 是离确信还差的部分。损失是一个对数。",
                ),
            ),
            Wrong(
                "1",
                Words(
                    "1 would come out with the logarithm to the base 10. Here it is the natural "
                    "one.",
                    "如果用以 10 为底的对数，结果是 1。这里用的是自然对数。",
                ),
            ),
            Wrong(
                "10",
                Words(
                    "10 is one over the probability. The loss is its logarithm.",
                    "10 是概率的倒数。损失是它的对数。",
                ),
            ),
            Wrong(
                "23|23.0|3453",
                Words(
                    "The losses of the images are not summed: their mean is taken.",
                    "各张图像的损失没有加起来，而是取平均。",
                ),
            ),
        ),
    ),
    "11.b": Prediction(
        right="5",
        why=Words(
            "The optimizer finds no gradient when its turn comes, so it moves nothing.",
            "轮到优化器时，它找不到梯度，所以什么也不移动。",
        ),
        hint=Words(
            "What does the optimizer find in `w.grad` when `step()` is called?",
            "调用 `step()` 时，优化器在 `w.grad` 里找到什么？",
        ),
        unless="(5|five|五) ?(turns?|steps?|rounds?|times|轮|步|次)",
        wrong=(
            Wrong(
                "3",
                Words(
                    "3 is where the loss is lowest, and where a training that works would go.",
                    "3 是损失最低的地方，正常的训练会走向那里。",
                ),
            ),
            Wrong(
                "3.52|3.5243|3.524|3.524288",
                Words(
                    "That is where a right order of the lines leads in six turns.",
                    "各行顺序正确时，六轮之后到达的是这里。",
                ),
            ),
            Wrong(
                "0.99|0.993|1",
                Words(
                    "`w` comes near that number if the gradients are never cleared.",
                    "如果从不清零，`w` 会来到这个数附近。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "An optimizer skips what has no gradient, and says nothing.",
                    "优化器会跳过没有梯度的参数，什么也不说。",
                ),
            ),
        ),
    ),
    "11.c": Prediction(
        right="4, 3",
        why=Words(
            "The rule of the addition hands on what comes in, and that has the shape of the sum.",
            "加法的规则把流入的梯度原样传下去，而它的形状就是和的形状。",
        ),
        hint=Words(
            "Your engine hands on what comes in at the addition. Which shape has that?",
            "你的引擎把加法收到的东西原样传下去。它是什么形状？",
        ),
        wrong=(
            Wrong(
                "3",
                Words(
                    "[3] is right, and PyTorch gives it. But look at the rule in your engine: "
                    "nobody has added the four rows up.",
                    "[3] 才是对的，PyTorch 就是这样。但看看你的引擎里的规则：没有谁把四行加起来。",
                ),
            ),
            Wrong(
                "4",
                Words(
                    "4 is how often each number of the bias was used.",
                    "4 是偏置的每个数用到的次数。",
                ),
            ),
            Wrong(
                "12",
                Words(
                    "Twelve numbers it has, in four rows.",
                    "确实有十二个数，但排成四行。",
                ),
            ),
            Wrong(
                "1, 3",
                Words(
                    "That would be the sum of the rows, kept as one row. Nobody sums here.",
                    "那是把各行加起来、留成一行的形状。这里没有谁求和。",
                ),
            ),
            Wrong(
                ERROR,
                Words(
                    "The engine does not compare shapes. It should have failed, or summed.",
                    "引擎不比较形状。它本该报错，或者求和。",
                ),
            ),
        ),
    ),
}

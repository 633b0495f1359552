"""Predictions of the appendix, past one machine."""

from __future__ import annotations

from .prediction import Prediction, Words, Wrong

PREDICTIONS = {
    "90.a": Prediction(
        right="-20.6667",
        why=Words(
            "The three samples bring -9.33 and the single one -32; the mean of the two is -20.67.",
            "三个样本带来 -9.33，单独的一个带来 -32，两者的平均是 -20.67。",
        ),
        hint=Words(
            "Take the mean of three samples, and the one sample alone. Then average the two.",
            "先求三个样本的平均，另一个样本单独算，再把两者平均。",
        ),
        wrong=(
            Wrong(
                "-15",
                Words(
                    "-15 is the gradient of the mean over all four samples. Here the single sample "
                    "counts as much as the three together.",
                    "-15 是对全部四个样本取平均时的梯度。而这里，单独的一个和另外三个合起来一样"
                    "重。",
                ),
            ),
            Wrong(
                "-41.3333",
                Words(
                    "That is the sum of the two gradients. They are averaged.",
                    "这是两个梯度之和。题中是取平均。",
                ),
            ),
        ),
    ),
    "90.b": Prediction(
        right="215, 214",
        fields=(Words("first shard", "第一个分片"), Words("last shard", "最后一个分片")),
        why=Words(
            "7 times 214 is 1498. The two digits that are left go to the first two shards.",
            "7 乘以 214 是 1498。余下的两个数字归前两个分片。",
        ),
        hint=Words(
            "How often does 7 go into 1500, and which shards get the digits that are left?",
            "1500 里有几个 7？余下的数字归哪几个分片？",
        ),
        wrong=(
            Wrong(
                "214, 214|214",
                Words(
                    "7 times 214 is 1498. Two digits are left, and `x[index::7]` drops none.",
                    "7 乘以 214 是 1498。还余两个数字，而 `x[index::7]` 一个也不会丢。",
                ),
            ),
            Wrong(
                "214, 215",
                Words(
                    "The first shard takes the numbers 0, 7, 14, ..., the last one 6, 13, 20, ... "
                    "Which of them takes the number 1498?",
                    "第一个分片取编号 0、7、14……，最后一个取 6、13、20……。编号 1498 归哪一个？",
                ),
            ),
            Wrong(
                "214, 216",
                Words(
                    "The last shard does not get all that is left: it takes every seventh digit, "
                    "too.",
                    "余下的并不都归最后一个分片：它也是每七个取一个。",
                ),
            ),
            Wrong(
                "215, 215|215",
                Words(
                    "7 times 215 is 1505, and there are only 1500 digits.",
                    "7 乘以 215 是 1505，而一共只有 1500 个数字。",
                ),
            ),
            Wrong(
                "214.3, 214.3|214.3|214.29, 214.29|214.29|214.2857, 214.2857",
                Words(
                    "That is 1500 / 7. A shard has whole digits.",
                    "这是 1500 / 7。而分片里的数字是整个整个的。",
                ),
            ),
            Wrong(
                "750, 750",
                Words(
                    "750 would be right for two shards. Here the digits are dealt to seven.",
                    "两个分片时各有 750 个。这里要分给七个。",
                ),
            ),
            Wrong(
                "1500, 1500",
                Words(
                    "A worker reads all 1500, but keeps every seventh one: `x[index::7]`.",
                    "工作进程读取全部 1500 个，但每七个只留一个：`x[index::7]`。",
                ),
            ),
        ),
    ),
    "90.c": Prediction(
        right="True|yes|the same|是|相同|一样",
        why=Words(
            "Dask computes again, on the other worker, what the dead one held.",
            "死掉的那个手里的东西，Dask 在另一个工作进程上重新计算。",
        ),
        wrong=(
            Wrong(
                "False|no|否",
                Words(
                    "They would differ if a half of that step were left out. It is computed again.",
                    "如果那一步漏掉一半，权重就会不同。可是那一半会重新计算。",
                ),
            ),
            Wrong(
                "an error|error|报错",
                Words(
                    "The step only takes longer: the worker that lives runs the lost tasks again.",
                    "这一步只是慢一些：丢失的任务在活着的工作进程上重新运行。",
                ),
            ),
        ),
        choices=True,
    ),
}

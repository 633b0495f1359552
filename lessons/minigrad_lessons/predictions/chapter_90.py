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
        right="750, 750|750|1/2, 750|750, 1/2",
        why=Words(
            "Each shard takes every second digit: one the even places, the other the odd ones.",
            "每一份隔一个取一个：一份取偶数位置上的，另一份取奇数位置上的。",
        ),
        hint=Words(
            "Each shard takes every second of 1500 digits.",
            "每份数据从 1500 个数字里隔一个取一个。",
        ),
        unless=(
            r"750 (in total|in all|altogether|together)|total of 750"
            r"|(共|共计|合计|总数|总计)(是|有|为)? ?750"
        ),
        wrong=(
            Wrong(
                "1500, 1500",
                Words(
                    "A worker reads all 1500, but keeps every second one: `x[index::count]`.",
                    "工作进程读取全部 1500 个，但隔一个留一个：`x[index::count]`。",
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

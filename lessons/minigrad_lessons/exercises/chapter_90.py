"""Exercises of the appendix, past one machine."""

from __future__ import annotations

from collections.abc import Sequence

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, letters, number

SQUARES = (14.0, 14.0, 10.0, 0.25)
SAMPLES = (3, 3, 2, 1)
TOTALS = (4, 10, 4, 8)
"""Of each shard that the probe of 90.2 hands over: the squared errors added up, how many samples it
has, and how many there are in all.
"""
PARTS = [s / n for s, n in zip(SQUARES, TOTALS, strict=True)]


XS, YS = (1.0, 2.0, 3.0, 4.0, -1.0), (2.0, 4.0, 7.0, 8.0, 0.0)
TRIALS = (
    (1.0, [3, 2]),
    (1.0, [1, 1, 1, 1, 1]),
    (-2.0, [2, 1, 2]),
    (0.5, [5]),
    (0.5, [1, 1, 2, 1]),
)
"""The arguments in the probe of 90.5: `w` and the sizes of the shards."""


def slope(w: float, first: int, count: int) -> float:
    """The gradient of the squared errors of some samples, added up."""
    pairs = list(zip(XS, YS, strict=True))[first : first + count]
    return sum(2 * (w * x - y) * x for x, y in pairs)


GRADIENTS = [slope(w, 0, 5) / 5 for w, sizes in TRIALS]
MEANS_OF_MEANS = [
    sum(slope(w, sum(sizes[:i]), size) / size for i, size in enumerate(sizes)) / len(sizes)
    for w, sizes in TRIALS
]


def parts(rounds: Sequence[int] = (1, 3, 2, 0, 2)) -> Test:
    """The gradients that 90.5 asks for, with so many rounds."""
    return each(*([g, count] for g, count in zip(GRADIENTS, rounds, strict=True)))


EXERCISES = {
    "90.1": Exercise(
        asks=("mean_gradient",),
        solution="(50 + 30) / (100 + 300)",
        accepted=("0.2", "1 / 5", "mg.tensor(80.0) / 400"),
        rejected=("0.5", "[0.2, 0.2]", "None"),
        right=number(0.2),
        because=Words("80 over 400 samples.", "80 除以 400 个样本。"),
        hints=(
            Hint(
                "(50 / 100 + 30 / 300) / 2",
                number(0.3),
                Words(
                    "That is the mean of the two means, in which the 100 samples count as much as "
                    "the 300.",
                    "这是两个平均的平均，这样 100 个样本和 300 个样本一样重。",
                ),
            ),
            Hint(
                "50 + 30",
                number(80),
                Words(
                    "That is the gradient of the sum over all samples. The mean is wanted.",
                    "这是全部样本之和的梯度。要的是平均的梯度。",
                ),
            ),
            Hint(
                "(50 + 30) / 2",
                number(40),
                Words(
                    "Divide by the number of samples, not of workers.",
                    "应当除以样本数，而不是工作进程数。",
                ),
            ),
            Hint(
                "50 / 100 + 30 / 300",
                number(0.6),
                Words(
                    "Each part was divided by its own number of samples. Divide by all of them.",
                    "每一部分除以的是自己的样本数。应当除以全部样本数。",
                ),
            ),
        ),
        otherwise=Words(
            "First the gradient of the sum over all samples, then divide.",
            "先求全部样本之和的梯度，再做除法。",
        ),
    ),
    "90.2": Exercise(
        asks=("shard_part",),
        probe="""
            shards = [
                (1.0, [1.0, 2.0, 3.0], [2.0, 4.0, 6.0], 4),
                (1.0, [1.0, 2.0, 3.0], [2.0, 4.0, 6.0], 10),
                (-2.0, [0.5, -1.0], [0.0, -1.0], 4),
                (0.5, [3.0], [1.0], 8),
            ]
            parts = [
                shard_part(mg.tensor(w, requires_grad=True), mg.tensor(x), mg.tensor(y), total)
                for w, x, y, total in shards
            ]
            seen = [parts, all(getattr(part, "requires_grad", False) for part in parts)]
        """,
        solution="((w * x - y) ** 2).sum() / total",
        accepted=(
            "mg.sum((y - x * w) * (y - x * w)) * (1 / total)",
            "sum((w * a - b) ** 2 for a, b in zip(x, y)) / total",
            "((w * x - y) ** 2 / total).sum()",
        ),
        rejected=("(w * x - y).sum() / total", "None", "w.no_such_name"),
        right=each(PARTS, True),
        because=Words(
            "14 from the samples 1, 2, 3, over all: 3.5 if there are four, 1.4 if there are ten.",
            "1、2、3 这三个样本合计 14，除以全部样本数：共四个时是 3.5，共十个时是 1.4。",
        ),
        hints=(
            Hint(
                "float(((w * x - y) ** 2).sum()) / total",
                each(PARTS, False),
                Words(
                    "The numbers are right, but they have no graph: from them no gradient gets "
                    "back to w. Leave the part a tensor.",
                    "数值对了，但没有图：梯度没有路回到 w。请让结果仍是张量。",
                ),
            ),
            Hint(
                "((w * x - y) ** 2).sum() / 4",
                each([s / 4 for s in SQUARES], True),
                Words(
                    "Right if there are four samples in all. Their number is handed over: total.",
                    "总共四个样本时是对的。样本总数会传进来：total。",
                ),
            ),
            Hint(
                "((w * x - y) ** 2).mean()",
                each([s / n for s, n in zip(SQUARES, SAMPLES, strict=True)], True),
                Words(
                    "That is the mean over the shard's own samples. Divide the sum by total.",
                    "这是对这份数据自己的样本取平均。应当把和除以 total。",
                ),
            ),
            Hint(
                "((w * x - y) ** 2).sum()",
                each(list(SQUARES), True),
                Words(
                    "That is the sum. Divide by the number of all samples.",
                    "这是和，还要除以全部样本的个数。",
                ),
            ),
            Hint(
                "((w * x - y) ** 2).mean() / total",
                each([s / n for s, n in zip(PARTS, SAMPLES, strict=True)], True),
                Words(
                    "Divided twice: once in mean(), once by total. Use sum().",
                    "除了两次：mean() 里一次，total 一次。请用 sum()。",
                ),
            ),
            Hint(
                "((w * x - y) ** 2) / total",
                lambda seen: isinstance(seen[0][0], list) and len(seen[0][0]) == 3,
                Words(
                    "One number for each sample. Add them up: the part of a shard is one number.",
                    "每个样本得到一个数。请把它们加起来：一份数据的部分是一个数。",
                ),
            ),
        ),
        otherwise=Words(
            "The squares of w * x - y, added up, over total.",
            "w * x - y 的平方，求和，再除以 total。",
        ),
    ),
    "90.3": Exercise(
        asks=("rounds",),
        solution="6",
        accepted=("6.0", "len(bin(64)) - 3", "sum(64 >> k > 1 for k in range(64))"),
        rejected=("16", "None"),
        right=number(6),
        because=Words("2 to the power of 6 is 64.", "2 的 6 次方是 64。"),
        hints=(
            Hint(
                "63",
                number(63),
                Words(
                    "That is how many additions there are. Those of one round happen at the same "
                    "time.",
                    "这是加法的次数。同一轮的加法是同时进行的。",
                ),
            ),
            Hint(
                "32",
                number(32),
                Words(
                    "After the first round 32 sums are left. How often can you go on halving?",
                    "第一轮之后剩下 32 个和。还能继续减半几次？",
                ),
            ),
            Hint(
                "7",
                number(7),
                Words(
                    "Count the halvings from 64 to 1, not the numbers on the way.",
                    "要数的是从 64 到 1 减半的次数，而不是途中数字的个数。",
                ),
            ),
            Hint(
                "8",
                number(8),
                Words(
                    "8 gradients take 3 rounds. 64 is 8 times 8.",
                    "8 份梯度要 3 轮。64 是 8 乘 8。",
                ),
            ),
        ),
        otherwise=Words(
            "8 gradients take 3 rounds: 8, 4, 2, 1. Begin with 64.",
            "8 份梯度要 3 轮：8、4、2、1。从 64 开始数。",
        ),
    ),
    "90.4": Exercise(
        asks=("bytes_moved",),
        solution="2 * (8 - 1) * 25_000_000 * 4",
        accepted=("1.4e9", "14 * 100 * 10**6"),
        rejected=("700", "None"),
        right=number(1.4e9),
        because=Words(
            "100 MB: seven sums are sent to be added, and the new weights to seven others.",
            "100 MB：相加要发送七次，新的权重又要送给其余七个。",
        ),
        hints=(
            Hint(
                "(8 - 1) * 25_000_000 * 4",
                number(7e8),
                Words(
                    "That is the way up the tree. The new weights have to go back to the others, "
                    "too.",
                    "这只是沿树上去的一趟。新的权重还要送回其余的每一个。",
                ),
            ),
            Hint(
                "2 * 8 * 25_000_000 * 4",
                number(1.6e9),
                Words(
                    "Eight gradients take 7 additions, and one of the eight workers has the new "
                    "weights already.",
                    "八个梯度相加要加 7 次，而且八个工作进程中有一个已经有新的权重。",
                ),
            ),
            Hint(
                "2 * (8 - 1) * 25_000_000",
                number(3.5e8),
                Words(
                    "That counts parameters. Each has 4 bytes.",
                    "这是参数的个数。每个参数 4 字节。",
                ),
            ),
            Hint(
                "1.4",
                lambda answer: number(1.4)(answer) or number(1400)(answer),
                Words(
                    "In gigabytes or megabytes that may be right. Give the number of bytes.",
                    "按 GB 或 MB 算可能是对的。请给出字节数。",
                ),
            ),
        ),
        otherwise=Words(
            "How many bytes has one gradient? How many messages does it take to add up eight, and "
            "how many to bring the result to those that do not have it?",
            "一份梯度有多少字节？把八份加起来要几条消息，把结果送到还没有它的各处又要几条？",
        ),
    ),
    "90.5": Exercise(
        asks=("in_parts",),
        probe="""
            x, y = [1.0, 2.0, 3.0, 4.0, -1.0], [2.0, 4.0, 7.0, 8.0, 0.0]
            seen = []
            for at, sizes in (
                (1.0, [3, 2]),
                (1.0, [1, 1, 1, 1, 1]),
                (-2.0, [2, 1, 2]),
                (0.5, [5]),
                (0.5, [1, 1, 2, 1]),
            ):
                w = mg.tensor(at, requires_grad=True)
                found = in_parts(w, mg.tensor(x), mg.tensor(y), sizes)
                seen.append(list(found) if isinstance(found, list | tuple) else [found])
        """,
        solution="""\
sums, start = [], 0
for size in sizes:
    copy = w.detach().clone().requires_grad_()
    error = copy * x[start : start + size] - y[start : start + size]
    ((error**2).sum() / len(x)).backward()
    sums.append(copy.grad)
    start += size
rounds = 0
while len(sums) > 1:
    sums = [sum(sums[i : i + 2]) for i in range(0, len(sums), 2)]
    rounds += 1
return sums[0], rounds""",
        accepted=(
            """\
def gradient(a, b):
    own = mg.tensor(w.item(), requires_grad=True)
    loss = mg.nn.functional.mse_loss(own * a, b, reduction="sum") / x.numel()
    return mg.autograd.grad(loss, own)[0]


def add(parts):
    if len(parts) == 1:
        return parts[0], 0
    pairs = [a + b for a, b in zip(parts[::2], parts[1::2])]
    if len(parts) % 2:
        pairs.append(parts[-1])
    total, rounds = add(pairs)
    return total, rounds + 1


return add([gradient(a, b) for a, b in zip(mg.split(x, sizes), mg.split(y, sizes))])""",
            """\
copies = [w.detach().clone().requires_grad_() for _ in sizes]
at = 0
for own, size in zip(copies, sizes):
    for i in range(at, at + size):
        ((own * x[i] - y[i]) ** 2 / sum(sizes)).backward()
    at += size
parts, rounds = [own.grad.item() for own in copies], 0
while len(parts) > 1:
    left = [parts.pop()] if len(parts) % 2 else []
    parts = [parts[i] + parts[i + 1] for i in range(0, len(parts), 2)] + left
    rounds += 1
return [parts[0], rounds]""",
            """\
import math

own = w.detach().requires_grad_()
(((own * x - y) ** 2).mean()).backward()
return own.grad, math.ceil(math.log2(len(sizes)))""",
        ),
        rejected=(
            "return 0, 0",
            "return w, len(sizes)",
            "print(w, len(sizes))",
            "return (w * x - y).sum(), 2",
        ),
        right=parts(),
        because=Words(
            "The same gradient however the samples are cut, and as many rounds as pairs need.",
            "不论样本怎样切分，梯度都一样；轮数也正是两两相加所需要的。",
        ),
        hints=(
            Hint(
                """\
own = w.detach().clone().requires_grad_()
((own * x - y) ** 2).mean().backward()
return own.grad""",
                lambda seen: all(len(row) == 1 and row[0] is not None for row in seen),
                Words(
                    "Return two things, with a comma between them: the gradient and the number of "
                    "rounds.",
                    "请返回两样东西，中间用逗号隔开：梯度和轮数。",
                ),
            ),
            Hint(
                """\
sums, start = [], 0
for size in sizes:
    copy = w.detach().clone().requires_grad_()
    error = copy * x[start : start + size] - y[start : start + size]
    (error**2).mean().backward()
    sums.append(copy.grad)
    start += size
return sum(sums) / len(sizes), (len(sizes) - 1).bit_length()""",
                lambda seen: alike([row[0] for row in seen], MEANS_OF_MEANS),
                Words(
                    "That is the mean of the shards' means, in which a small shard counts as much "
                    "as a large one.",
                    "这是各份平均的平均，这样小的一份和大的一份一样重。",
                ),
            ),
            Hint(
                """\
sums, start = [], 0
for size in sizes:
    copy = w.detach().clone().requires_grad_()
    error = copy * x[start : start + size] - y[start : start + size]
    (error**2).sum().backward()
    sums.append(copy.grad)
    start += size
return sum(sums), (len(sizes) - 1).bit_length()""",
                lambda seen: alike([row[0] for row in seen], [5 * g for g in GRADIENTS]),
                Words(
                    "That is the gradient of the sum. The loss is the mean over all samples.",
                    "这是总和的梯度。损失是全部样本的平均。",
                ),
            ),
            Hint(
                """\
total, start = 0, 0
for size in sizes:
    copy = w.detach().clone().requires_grad_()
    error = copy * x[start : start + size] - y[start : start + size]
    ((error**2).sum() / len(x)).backward()
    total += copy.grad
    start += size
return total, len(sizes) - 1""",
                parts([1, 4, 2, 0, 3]),
                Words(
                    "The gradients are right. The rounds are those of adding one after the other.",
                    "梯度都对。轮数却是一个接一个相加时的轮数。",
                ),
            ),
            Hint(
                """\
import math

own = w.detach().clone().requires_grad_()
((own * x - y) ** 2).mean().backward()
return own.grad, math.floor(math.log2(len(sizes)))""",
                parts([1, 2, 1, 0, 2]),
                Words(
                    "The gradients are right. With five shards it takes three rounds, with three "
                    "shards two: the one that is left over has to be added as well.",
                    "梯度都对。五份要三轮，三份要两轮：多出来的那一个也要加进去。",
                ),
            ),
            Hint(
                """\
import math

own = w.detach().clone().requires_grad_()
((own * x - y) ** 2).mean().backward()
return own.grad, math.log2(len(sizes))""",
                lambda seen: (
                    alike([row[0] for row in seen], GRADIENTS)
                    and any(row[1] != int(row[1]) for row in seen)
                ),
                Words(
                    "The gradients are right. A number of rounds is a whole number.",
                    "梯度都对。轮数应当是整数。",
                ),
            ),
        ),
        otherwise=Words(
            "For w = 1, x = 1, 2, 3, 4, −1 and y = 2, 4, 7, 8, 0 the gradient is −13.2, however "
            "the samples are cut. Five shards take three rounds: 5, 3, 2, 1.",
            "对 w = 1，x = 1、2、3、4、−1，y = 2、4、7、8、0，不论怎样切分，梯度都是 −13.2。"
            "五份要三轮：5、3、2、1。",
        ),
    ),
    "90.6": Exercise(
        asks=("run_again",),
        solution='["D", "E"]',
        accepted=('["E", "D"]', '{"D", "E"}', '["d", "e"]', 'list("DE")'),
        rejected=("[]", '["B", "D", "E", "F"]', "None"),
        right=letters("de"),
        because=Words(
            "What is lost and still needed runs again. sum of 0, 1 is there, so nothing below it "
            "is needed any more.",
            "丢失而且还需要的才重新运行。sum of 0, 1 还在，所以它下面的都用不着了。",
        ),
        hints=(
            Hint(
                '["A", "B", "C", "D", "E"]',
                letters("abcde"),
                Words(
                    "That is all that was lost. Is all of it still needed?",
                    "这是丢失的全部。它们都还需要吗？",
                ),
            ),
            Hint(
                '["E"]',
                letters("e"),
                Words(
                    "sum of 2, 3 must run again. Are both of its arguments still there?",
                    "sum of 2, 3 必须重新运行。它的两个参数都还在吗？",
                ),
            ),
            Hint(
                '["D"]',
                letters("d"),
                Words(
                    "gradients 2 must run again. For which task, and is that one done?",
                    "gradients 2 必须重新运行。是哪个任务要用它，那个任务的结果还在吗？",
                ),
            ),
            Hint(
                '["C", "D", "E"]',
                letters("cde"),
                Words(
                    "gradients 0 is needed by sum of 0, 1 alone, and that sum is still there.",
                    "只有 sum of 0, 1 需要 gradients 0，而这个和还在。",
                ),
            ),
        ),
        otherwise=Words(
            "Begin at sum of all and go down: is the result still there? If not, its task runs "
            "again, and needs those below.",
            "从 sum of all 往下走：结果还在吗？不在，它的任务就要重新运行，并且需要下面的结果。",
        ),
    ),
}

"""The training loop of most rules' programs, which say only in what they differ from it."""

from __future__ import annotations

from textwrap import indent


def training(
    *,
    first: str = "",
    net: str = "T.nn.Linear(3, 1)",
    opt: str = "T.optim.SGD(net.parameters(), lr=0.1)",
    data: str = "T.randn(8, 3), T.randn(8, 1)",
    before: str = "",
    inside: str = "loss = (net(x) - y).pow(2).mean()",
    after: str = "",
) -> str:
    """Return a program that trains `net` on `x` and `y` in four turns, with lines of a rule's own.

    `first` comes before the model, `before` stands in front of the loop, `inside` computes the
    loss, and `after` follows the step. An empty `net` or `data` leaves its line out.
    """
    start = [f"net = {net}" if net else "", f"opt = {opt}", f"x, y = {data}" if data else ""]
    turn = [inside, "opt.zero_grad()", "loss.backward()", "opt.step()", after]
    lines = [first, *start, before, "for i in range(4):", indent(joined(turn), "    ")]
    return f"\n{joined(lines)}\n"


def joined(parts: list[str]) -> str:
    """Return the lines that are not empty, with two blank lines below a class."""
    stripped = [part.strip("\n") for part in parts if part]
    return "\n".join(f"{p}\n\n" if p.startswith("class ") else p for p in stripped)

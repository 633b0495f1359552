"""The training loop of most rules' programs, which say only in what they differ from it."""

from __future__ import annotations

from textwrap import indent

STEPS = "opt.zero_grad()\nloss.backward()\nopt.step()"


def training(
    *,
    first: str = "",
    net: str = "T.nn.Linear(3, 1)",
    opt: str = "T.optim.SGD(net.parameters(), lr=0.1)",
    data: str = "T.randn(8, 3), T.randn(8, 1)",
    before: str = "",
    turns: str = "range(4)",
    inside: str = "loss = (net(x) - y).pow(2).mean()",
    steps: str = STEPS,
) -> str:
    """Return a program that trains `net` on `x` and `y`, with lines of a rule's own.

    `first` comes before the model, `before` stands in front of the loop, and `inside` computes the
    loss. An empty `net` or `data` leaves its line out.
    """
    start = [f"net = {net}" if net else "", f"opt = {opt}", f"x, y = {data}" if data else ""]
    turn = indent(joined([inside, steps]), "    ")
    return f"\n{joined([first, *start, before, f'for i in {turns}:', turn])}\n"


def joined(parts: list[str]) -> str:
    """Return the lines that are not empty, with two blank lines below a class or a function."""
    stripped = [part.strip("\n") for part in parts if part]
    return "\n".join(f"{p}\n\n" if p.startswith(("class ", "def ")) else p for p in stripped)

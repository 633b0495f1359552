"""The training loop of most rules' programs, which say only in what they differ from it."""

from __future__ import annotations

from textwrap import indent

STEPS = "opt.zero_grad()\nloss.backward()\nopt.step()"


def training(
    *,
    first: str = "",
    net: str = "T.nn.Linear(3, 1)",
    opt: str | float = 0.1,
    data: str = "T.randn(8, 3), T.randn(8, 1)",
    before: str = "",
    turns: str = "range(4)",
    inside: str = "loss = (net(x) - y).pow(2).mean()",
    steps: str = STEPS,
) -> str:
    """Return a program that trains `net` on `x` and `y`, with lines of a rule's own.

    `first` comes before the model, `before` stands in front of the loop, and `inside` computes the
    loss. An empty `net` or `data` leaves its line out. `net`, `data` and `turns` may have names
    of their own: `net="enc, dec = ..."`. A number for `opt` is the learning rate of SGD.
    """
    model, numbers = named("net", " = ", net), named("x, y", " = ", data)
    names = model.partition(" = ")[0].split(", ") if model else ["net"]
    held = ", ".join(f"*{name}.parameters()" for name in names)
    held = f"[{held}]" if len(names) > 1 else held[1:]
    made = opt if isinstance(opt, str) else f"T.optim.SGD({held}, lr={opt})"
    turn = indent(joined([inside, steps]), "    ")
    loop = f"for {named('i', ' in ', turns)}:"
    return f"\n{joined([first, model, f'opt = {made}', numbers, before, loop, turn])}\n"


def named(name: str, sign: str, text: str) -> str:
    """Return a text with a name before it, unless it is empty or has one."""
    return text if sign in text or not text else f"{name}{sign}{text}"


def joined(parts: list[str]) -> str:
    """Return the lines that are not empty, with two blank lines below a class or a function."""
    stripped = [part.strip("\n") for part in parts if part]
    return "\n".join(f"{p}\n\n" if p.startswith(("class ", "def ")) else p for p in stripped)


def variational(
    *,
    draw: str = "z = mu + T.randn_like(mu) * (0.5 * logvar).exp()",
    kl: str = "kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()",
    loss: str = "loss = (dec(z) - x).pow(2).mean() + kl",
    rate: float = 0.01,
) -> str:
    """Return a program that trains a variational autoencoder, with lines of a rule's own."""
    return training(
        net="enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)",
        opt=rate,
        data="x = T.randn(8, 4)",
        inside=f"mu, logvar = enc(x).chunk(2, 1)\n{draw}\n{kl}\n{loss}",
    )

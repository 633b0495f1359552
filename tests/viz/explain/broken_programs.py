"""Programs that do not work, as people write them, and what an answer to each must say.

Each runs on minigrad and on PyTorch, with the library called `T`. The guilty line ends in `#!`,
which is taken away before the program runs. Nothing here was written for `explain`: the shapes are
those of questions that people ask.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

MARK = "#!"


@dataclass(frozen=True)
class Broken:
    """A program, and what must be said of it.

    `cause` and `cure` are phrases of which one each must be in the answer (in the text, in lower
    case); `cure` is empty where no line cures it. `never` are phrases that would do harm. `ask` is
    what is asked once the program has failed, or has ended.
    """

    name: str
    text: str
    cause: tuple[str, ...]
    cure: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    ask: str = "viz.explain(error)"

    @property
    def lines(self) -> list[str]:
        return textwrap.dedent(self.text).strip("\n").splitlines()

    @property
    def program(self) -> str:
        return "\n".join(line.partition(MARK)[0].rstrip() for line in self.lines) + "\n"

    @property
    def guilty(self) -> list[str]:
        return [line.partition(MARK)[0].strip() for line in self.lines if MARK in line]

    def __str__(self) -> str:
        return self.name


REQUIRE = ("loss.requires_grad_()", "requires_grad_() before")
"""What makes the error vanish, and nothing learn."""

BROKEN: list[Broken] = []


def program(
    name: str,
    text: str,
    cause: str,
    cure: str = "",
    never: tuple[str, ...] = (),
    ask: str = "viz.explain(error)",
) -> Broken:
    def phrases(said: str) -> tuple[str, ...]:
        return tuple(each.lower() for each in said.split(" | ") if each)

    return Broken(name, text, phrases(cause), phrases(cure), never, ask)


def broken(
    name: str,
    text: str,
    cause: str,
    cure: str = "",
    never: tuple[str, ...] = (),
    ask: str = "viz.explain(error)",
) -> None:
    BROKEN.append(program(name, text, cause, cure, never, ask))


# --- The history ended before the loss


broken(
    "argmax",
    """
    model = T.nn.Linear(4, 3)
    x = T.randn(8, 4)
    labels = T.tensor([0, 1, 2, 0, 1, 2, 0, 1])
    scores = model(x)
    predicted = scores.argmax(1) #!
    loss = ((predicted - labels) ** 2).float().mean()
    loss.backward()
    """,
    "argmax",
    never=REQUIRE,
)
broken(
    "argmax_in_a_module",
    """
    class Classifier(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = T.nn.Linear(4, 8)
            self.last = T.nn.Linear(8, 3)

        def forward(self, x):
            hidden = T.relu(self.first(x))
            return self.last(hidden).argmax(dim=1).float() #!

    def compute_loss(model, x, y):
        out = model(x)
        return ((out - y) ** 2).mean()

    model = Classifier()
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    x = T.randn(8, 4)
    y = T.ones(8)
    for epoch in range(3):
        optimizer.zero_grad()
        loss = compute_loss(model, x, y)
        loss.backward()
        optimizer.step()
    """,
    "argmax",
    never=REQUIRE,
)
broken(
    "comparison",
    """
    w = T.randn(4, requires_grad=True)
    x = T.randn(10, 4)
    y = T.ones(10)
    right = (x @ w > 0).float() #!
    accuracy = (right == y).float().mean()
    loss = 1 - accuracy
    loss.backward()
    """,
    "comparison | > 0",
    never=REQUIRE,
)
broken(
    "comparison_in_a_helper",
    """
    def accuracy(scores, y):
        return ((scores > 0).float() == y).float().mean() #!

    def objective(model, x, y):
        scores = model(x).squeeze(1)
        return 1 - accuracy(scores, y)

    model = T.nn.Linear(4, 1)
    x, y = T.randn(10, 4), T.ones(10)
    loss = objective(model, x, y)
    loss.backward()
    """,
    "comparison | > 0",
    never=REQUIRE,
)
broken(
    "numpy_and_back",
    """
    import numpy as np

    w = T.ones(3, requires_grad=True)
    x = T.ones(3)
    y = w * x
    z = np.sin(y.detach().numpy()) #!
    loss = T.tensor(z).sum()
    loss.backward()
    """,
    "numpy",
    "t.sin | own operations | y itself",
    never=REQUIRE,
)
broken(
    "numpy_in_a_layer",
    """
    import numpy as np

    class Wave(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = T.nn.Linear(3, 3)

        def forward(self, x):
            h = self.inner(x)
            return T.from_numpy(np.cos(h.detach().numpy())) #!

    model = T.nn.Sequential(T.nn.Linear(3, 3), Wave())
    loss = model(T.ones(2, 3)).mean()
    loss.backward()
    """,
    "numpy",
    "t.cos | own operations",
    never=REQUIRE,
)
broken(
    "item",
    """
    model = T.nn.Linear(3, 1)
    losses = []
    for i in range(3):
        out = model(T.ones(2, 3) * i)
        losses.append((out ** 2).mean().item()) #!
    loss = T.tensor(losses).mean()
    loss.backward()
    """,
    "item()",
    "without .item() | leave out .item() | leave .item() out",
    never=REQUIRE,
)
broken(
    "tensor_of_a_loss",
    """
    w = T.ones(3, requires_grad=True)
    loss = (w * w).sum()
    loss = T.tensor(loss.item() * 2) #!
    loss.backward()
    """,
    "item()",
    "without .item() | leave out .item() | leave .item() out",
    never=REQUIRE,
)
broken(
    "float_of_a_loss",
    """
    def penalty(weights):
        return float((weights * weights).sum()) #!

    w = T.ones(3, requires_grad=True)
    loss = T.tensor(penalty(w))
    loss.backward()
    """,
    "float(",
    "without float() | leave out float | leave float() out",
    never=REQUIRE,
)
broken(
    "data",
    """
    w = T.ones(3, requires_grad=True)
    h = (w * 2).data #!
    loss = (h ** 2).sum()
    loss.backward()
    """,
    ".data",
    "without .data | leave out .data | leave .data out",
    never=REQUIRE,
)
broken(
    "data_in_a_helper",
    """
    def normalize(v):
        v = v.data #!
        return v / v.sum()

    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = T.nn.Linear(3, 3)

        def forward(self, x):
            return normalize(T.sigmoid(self.layer(x)))

    net = Net()
    optimizer = T.optim.Adam(net.parameters(), lr=0.01)
    x = T.ones(2, 3)
    target = T.ones(2, 3)
    criterion = T.nn.MSELoss()
    for step in range(5):
        optimizer.zero_grad()
        out = net(x)
        loss = criterion(out, target)
        loss.backward()
        optimizer.step()
    """,
    ".data",
    "without .data | leave out .data | leave .data out",
    never=REQUIRE,
)
broken(
    "detach_in_forward",
    """
    class Encoder(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = T.nn.Linear(3, 2)

        def forward(self, x):
            code = T.tanh(self.layer(x))
            return code.detach() #!

    encoder = Encoder()
    loss = encoder(T.ones(2, 3)).pow(2).mean()
    loss.backward()
    """,
    "detach()",
    "without .detach() | leave out .detach() | leave .detach() out",
    never=REQUIRE,
)
broken(
    "detach_in_place",
    """
    w = T.ones(3, requires_grad=True)
    h = w * 2
    h.detach_() #!
    loss = (h * h).sum()
    loss.backward()
    """,
    "detach_()",
    "without | leave out | leave .detach_() out",
    never=REQUIRE,
)
broken(
    "all_frozen",
    """
    model = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Linear(3, 1))
    for p in model.parameters():
        p.requires_grad = False #!
    loss = model(T.ones(2, 3)).mean()
    loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "frozen_in_a_helper",
    """
    def freeze(module):
        for p in module.parameters():
            p.requires_grad_(False) #!

    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.backbone = T.nn.Linear(3, 3)
            self.head = T.nn.Linear(3, 1)

        def forward(self, x):
            return self.head(T.relu(self.backbone(x)))

    model = Model()
    freeze(model)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    for i in range(2):
        optimizer.zero_grad()
        loss = model(T.ones(2, 3)).mean()
        loss.backward()
        optimizer.step()
    """,
    "frozen",
    "requires_grad = true | requires_grad_()",
    never=("loss.requires_grad_()",),
)
broken(
    "frozen_by_the_module",
    """
    model = T.nn.Linear(3, 1)
    model.requires_grad_(False) #!
    loss = model(T.ones(2, 3)).mean()
    loss.backward()
    """,
    "frozen",
    "requires_grad = true | requires_grad_()",
    never=("loss.requires_grad_()",),
)
broken(
    "new_weight_under_no_grad",
    """
    w = T.ones(2, requires_grad=True)
    x = T.tensor([1.0, 2.0])
    lr = 0.1
    for step in range(3):
        loss = ((w * x).sum() - 1) ** 2
        loss.backward()
        with T.no_grad():
            w = w - lr * w.grad #!
    """,
    "new tensor | another tensor",
    "w -= lr * w.grad | in place",
    never=("loss.requires_grad_()", "move this line out"),
)
broken(
    "new_weights_in_a_function",
    """
    def update(params, lr):
        with T.no_grad():
            return [p - lr * p.grad for p in params] #!

    def model(params, x):
        w, b = params
        return x * w + b

    params = [T.ones(1, requires_grad=True), T.zeros(1, requires_grad=True)]
    x, y = T.ones(4), T.zeros(4)
    for step in range(2):
        loss = ((model(params, x) - y) ** 2).mean()
        loss.backward()
        params = update(params, 0.1)
    """,
    "no_grad",
    "in place | -= | requires_grad_()",
    never=("loss.requires_grad_()",),
)
broken(
    "no_create_graph",
    """
    x = T.tensor(3.0, requires_grad=True)
    y = x ** 3
    (first,) = T.autograd.grad(y, x) #!
    second = T.autograd.grad(first, x)
    """,
    "create_graph",
    "create_graph=true",
    never=("first.requires_grad_()",),
)
broken(
    "gradient_penalty",
    """
    class Critic(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.first = T.nn.Linear(2, 4)
            self.last = T.nn.Linear(4, 1)

        def forward(self, x):
            return self.last(T.tanh(self.first(x)))

    def gradient_penalty(critic, x):
        x = x.clone().requires_grad_()
        score = critic(x).sum()
        gradient = T.autograd.grad(score, x, retain_graph=True)[0] #!
        return ((gradient.pow(2).sum(1)) - 1).pow(2).mean()

    critic = Critic()
    optimizer = T.optim.Adam(critic.parameters(), lr=0.001)
    for step in range(2):
        optimizer.zero_grad()
        penalty = gradient_penalty(critic, T.randn(4, 2))
        penalty.backward()
        optimizer.step()
    """,
    "create_graph",
    "create_graph=true",
    never=("requires_grad_()",),
)
broken(
    "second_derivative_of_grad",
    """
    x = T.tensor(2.0, requires_grad=True)
    y = x ** 2
    y.backward() #!
    z = x.grad * 3
    z.backward()
    """,
    "create_graph",
    "create_graph=true",
    never=("z.requires_grad_()", "requires_grad_()"),
)
broken(
    "second_derivative_of_a_line",
    """
    x = T.tensor(2.0, requires_grad=True)
    y = 3 * x
    (slope,) = T.autograd.grad(y, x, create_graph=True) #!
    slope.backward()
    """,
    "constant | does not depend | linear",
    never=("slope.requires_grad_()", "requires_grad_()"),
)
broken(
    "no_grad_decorator",
    """
    @T.no_grad() #!
    def forward(w, x):
        return (w * x).sum()

    w = T.ones(3, requires_grad=True)
    loss = forward(w, T.ones(3))
    loss.backward()
    """,
    "no_grad",
    "take the decorator away",
    never=REQUIRE,
)
broken(
    "no_grad_on_a_method",
    """
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = T.nn.Linear(3, 4)
            self.out = T.nn.Linear(4, 1)

        @T.no_grad() #!
        def predict(self, x):
            return self.out(T.relu(self.embed(x)))

        def forward(self, x):
            return self.predict(x)

    model = Model()
    loss = (model(T.ones(2, 3)) - 1).pow(2).mean()
    loss.backward()
    """,
    "no_grad",
    "take the decorator away",
    never=REQUIRE,
)
broken(
    "no_grad_in_forward",
    """
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = T.nn.Linear(3, 3)

        def forward(self, x):
            with T.no_grad():
                h = self.body(x) #!
            return h.mean()

    model = Model()
    model(T.ones(2, 3)).backward()
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "set_grad_enabled_false",
    """
    T.set_grad_enabled(False) #!
    w = T.ones(3, requires_grad=True)
    loss = (w * w).sum()
    loss.backward()
    """,
    "set_grad_enabled(false)",
    "set_grad_enabled(true)",
    never=REQUIRE,
)
broken(
    "gradients_left_off_by_a_helper",
    """
    def evaluate(model, x):
        model.eval()
        T.set_grad_enabled(False) #!
        value = model(x).mean().item()
        model.train()
        return value

    model = T.nn.Linear(3, 1)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    x = T.ones(4, 3)
    for epoch in range(3):
        optimizer.zero_grad()
        loss = (model(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(evaluate(model, x))
    """,
    "set_grad_enabled(false)",
    "set_grad_enabled(true) | with t.no_grad()",
    never=REQUIRE,
)
broken(
    "cast_to_int",
    """
    w = T.tensor([1.5, 2.5], requires_grad=True)
    steps = (w * 10).long() #!
    loss = (steps.float() / 10).sum()
    loss.backward()
    """,
    "long",
    never=REQUIRE,
)
broken(
    "round_trip_by_tolist",
    """
    w = T.ones(3, requires_grad=True)
    rows = (w * 2).tolist() #!
    loss = T.tensor([r * r for r in rows]).sum()
    loss.backward()
    """,
    "tolist()",
    "leave out .tolist() | without .tolist() | leave .tolist() out",
    never=REQUIRE,
)
broken(
    "tensor_of_a_list_of_tensors",
    """
    w = T.ones(3, requires_grad=True)
    parts = [(w * i).sum() for i in range(3)]
    loss = T.tensor([float(p) for p in parts]).sum() #!
    loss.backward()
    """,
    "float(",
    "t.stack",
    never=REQUIRE,
)
broken(
    "plain_weight",
    """
    w = T.randn(3) #!
    x = T.ones(3)
    loss = (w * x).sum()
    loss.backward()
    """,
    "requires grad | requires_grad",
    never=("loss.requires_grad_()",),
)
broken(
    "require_as_a_cure",
    """
    w = T.ones(3, requires_grad=True)
    p = (w * 2).argmax().float() #!
    loss = (p - 1) ** 2
    loss.requires_grad_()
    loss.backward()
    """,
    "argmax",
    ask="viz.explain(w, loss)",
)
broken(
    "require_as_a_cure_in_a_loop",
    """
    model = T.nn.Linear(4, 3)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    x = T.randn(8, 4)
    y = T.ones(8)
    for epoch in range(2):
        optimizer.zero_grad()
        guess = model(x).detach().max(1)[0] #!
        loss = ((guess - y) ** 2).mean()
        loss.requires_grad = True
        loss.backward()
        optimizer.step()
    """,
    "detach()",
    "without .detach() | leave out .detach() | leave .detach() out",
    ask="viz.explain(model.weight, loss)",
)

# --- A pass was there before


broken(
    "twice",
    """
    x = T.ones(3, requires_grad=True)
    loss = (x * x).sum()
    loss.backward() #!
    loss.backward()
    """,
    "again | second time | earlier pass",
    "retain_graph=true",
)
broken(
    "state_carried_over_batches",
    """
    rnn = T.nn.Linear(3, 2)
    back = T.nn.Linear(2, 2)
    optimizer = T.optim.SGD(rnn.parameters(), lr=0.1)
    h = T.zeros(1, 2)
    for batch in [T.ones(1, 3), T.ones(1, 3)]:
        h = T.tanh(rnn(batch) + back(h)) #!
        loss = h.pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    """,
    "turn | earlier",
    "h = h.detach()",
    never=("retain_graph=True",),
)
broken(
    "state_in_a_module",
    """
    class Memory(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.enter = T.nn.Linear(3, 2)
            self.again = T.nn.Linear(2, 2)
            self.h = T.zeros(1, 2)

        def forward(self, x):
            self.h = T.tanh(self.enter(x) + self.again(self.h)) #!
            return self.h

    model = Memory()
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    for i in range(3):
        optimizer.zero_grad()
        out = model(T.ones(1, 3))
        loss = (out - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
    """,
    "turn | earlier",
    "self.h = self.h.detach()",
    never=("retain_graph=True",),
)
broken(
    "state_returned_by_a_cell",
    """
    def cell(params, x, state):
        w, u = params
        return T.tanh(x @ w + state @ u)

    w = T.ones(3, 2, requires_grad=True)
    u = T.ones(2, 2, requires_grad=True)
    state = T.zeros(1, 2)
    for t in range(4):
        state = cell((w, u), T.ones(1, 3), state) #!
        loss = (state - t).pow(2).sum()
        loss.backward()
        with T.no_grad():
            for p in (w, u):
                p -= 0.1 * p.grad
                p.grad = None
    """,
    "turn | earlier",
    "state = state.detach()",
    never=("retain_graph=True",),
)
broken(
    "features_before_the_loop",
    """
    encoder = T.nn.Linear(3, 4)
    head = T.nn.Linear(4, 1)
    optimizer = T.optim.SGD(head.parameters(), lr=0.1)
    x = T.ones(5, 3)
    features = T.tanh(encoder(x)) #!
    for epoch in range(3):
        optimizer.zero_grad()
        loss = (T.sigmoid(head(features)) - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
    """,
    "before the loop",
    "features.detach() | into the loop",
)
broken(
    "regularizer_before_the_loop",
    """
    model = T.nn.Linear(3, 1)
    penalty = (model.weight ** 2).sum() #!
    x, y = T.ones(4, 3), T.ones(4, 1)
    optimizer = T.optim.SGD(model.parameters(), lr=0.01)

    def train_step():
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean() + 0.1 * penalty
        loss.backward()
        optimizer.step()
        return loss.item()

    history = []
    for epoch in range(4):
        history.append(train_step())
    """,
    "penalty",
    "inside | into the",
)
broken(
    "two_losses_share_a_part",
    """
    x = T.ones(3, requires_grad=True)
    shared = x.exp() #!
    first = shared.sum()
    second = (shared * 2).sum()
    first.backward()
    second.backward()
    """,
    "shares",
    "retain_graph=true | once",
)
broken(
    "gan_without_detach",
    """
    generator = T.nn.Linear(2, 3)
    critic = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
    g_opt = T.optim.SGD(generator.parameters(), lr=0.1)
    d_opt = T.optim.SGD(critic.parameters(), lr=0.1)
    for step in range(2):
        noise = T.ones(4, 2)
        fake = T.tanh(generator(noise)) #!
        d_loss = critic(fake).mean()
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
        g_loss = -critic(fake).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
    """,
    "shares",
    "detach",
)

# --- Something was changed in place


broken(
    "step_between_two_passes",
    """
    model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    loss = model(T.ones(2, 3)).pow(2).mean()
    loss.backward(retain_graph=True)
    optimizer.step() #!
    loss.backward()
    """,
    "in place | changed",
    "before that step",
)
broken(
    "gan_with_step_between",
    """
    generator = T.nn.Linear(2, 3)
    critic = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
    g_opt = T.optim.SGD(generator.parameters(), lr=0.1)
    d_opt = T.optim.SGD(critic.parameters(), lr=0.1)
    noise = T.ones(4, 2)
    fake = T.tanh(generator(noise))
    score = critic(fake)
    d_loss = score.mean()
    g_loss = -score.mean()
    d_loss.backward(retain_graph=True)
    d_opt.step() #!
    g_loss.backward()
    g_opt.step()
    """,
    "in place | changed",
    "before that step",
)
broken(
    "exp_result",
    """
    x = T.ones(3, requires_grad=True)
    y = x.exp()
    y += 1 #!
    y.sum().backward()
    """,
    "in place",
    "clone | y = y + 1",
)
broken(
    "residual",
    """
    class Block(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = T.nn.Linear(3, 3)

        def forward(self, x):
            out = T.sigmoid(self.a(x))
            out += x #!
            return out

    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = T.nn.Sequential(Block(), Block())

        def forward(self, x):
            return self.blocks(x).mean()

    net = Net()
    loss = net(T.ones(2, 3))
    loss.backward()
    """,
    "in place",
    "clone | out = out + x",
)
broken(
    "table_filled_in_a_loop",
    """
    w = T.tensor(2.0, requires_grad=True)
    table = T.zeros(4)
    table[0] = w
    for i in range(1, 4):
        table[i] = table[i - 1] * w #!
    table.sum().backward()
    """,
    "in place",
    "stack()",
)
broken(
    "relu_in_place_on_a_saved_result",
    """
    layer = T.nn.Linear(3, 3)
    x = T.ones(2, 3)
    h = T.sigmoid(layer(x))
    T.nn.functional.relu(h, inplace=True) #!
    h.sum().backward()
    """,
    "in place",
    "clone | inplace=false",
)
broken(
    "weight_clipped_between",
    """
    model = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
    x = T.ones(1, 2)
    loss = model(x).pow(2).sum()
    with T.no_grad():
        for p in model.parameters():
            p.clamp_(-0.1, 0.1) #!
    loss.backward()
    """,
    "in place",
    "after backward | clone",
)
broken(
    "leaf_written",
    """
    w = T.ones(3, requires_grad=True)
    w[0] = 5.0 #!
    (w * 2).sum().backward()
    """,
    "leaf",
    "no_grad | clone",
)
broken(
    "update_without_no_grad",
    """
    w = T.ones(3, requires_grad=True)
    loss = (w * w).sum()
    loss.backward()
    w -= 0.1 * w.grad #!
    """,
    "leaf",
    "no_grad",
)
broken(
    "one_of_several_views",
    """
    x = T.ones(2, 3, requires_grad=True)
    first, second = (x * 2).unbind(0)
    first.mul_(2) #!
    (first + second).sum().backward()
    """,
    "several views",
    "first = first.mul(2) | out of place | clone",
)
broken(
    "rows_of_an_iteration",
    """
    x = T.ones(2, 3, requires_grad=True)
    h = x * 2
    for row in h:
        row += 1 #!
    h.sum().backward()
    """,
    "several views",
    "row = row + 1 | out of place | clone",
)

# --- backward() or autograd.grad() was asked for what cannot be


broken(
    "not_a_scalar",
    """
    model = T.nn.Linear(3, 2)
    out = model(T.ones(4, 3))
    out.backward() #!
    """,
    "single number | one number",
    "out.sum() | out.mean()",
)
broken(
    "gradient_of_a_wrong_shape",
    """
    x = T.ones(2, 3, requires_grad=True)
    y = x * 2
    y.backward(T.ones(3)) #!
    """,
    "shape [3]",
    "ones_like(y) | shape [2, 3]",
)
broken(
    "unused_input",
    """
    a = T.ones(3, requires_grad=True)
    b = T.ones(3, requires_grad=True)
    loss = (a * 2).sum()
    T.autograd.grad(loss, [a, b]) #!
    """,
    "with respect to b",
    "allow_unused=true",
)
broken(
    "unused_input_where_x_is_a_loss",
    """
    def slope(x, y):
        return T.autograd.grad(x, y)[0] #!

    a = T.ones(3, requires_grad=True)
    b = T.ones(3, requires_grad=True)
    loss = (a * 2).sum()
    slope(loss, b)
    """,
    "of loss with respect to b | of x with respect to y | with respect to b",
    "allow_unused=true",
)
broken(
    "input_requires_no_grad",
    """
    x = T.ones(3) #!
    w = T.ones(3, requires_grad=True)
    loss = (w * x).sum()
    T.autograd.grad(loss, x)
    """,
    "x does not require grad",
    "x.requires_grad_()",
)

# --- Calls that autograd refuses


broken(
    "integers",
    """
    n = T.tensor([1, 2, 3], requires_grad=True) #!
    """,
    "integer | int64 | floating",
    "1.0 | float",
)
broken(
    "integers_later",
    """
    index = T.arange(3)
    index.requires_grad_() #!
    """,
    "integer | int64 | floating",
    "float()",
)
broken(
    "numpy_of_a_result",
    """
    model = T.nn.Linear(2, 1)
    out = model(T.ones(3, 2))
    points = out.numpy() #!
    """,
    "history | records",
    "out.detach().numpy()",
)
broken(
    "numpy_by_a_list",
    """
    import numpy as np

    model = T.nn.Linear(2, 1)
    losses = []
    for i in range(2):
        losses.append(model(T.ones(3, 2)).mean())
    curve = np.array([np.asarray(l) for l in losses]) #!
    """,
    "history | records",
    "detach() | item()",
)
broken(
    "deepcopy_of_a_result",
    """
    import copy

    w = T.ones(2, requires_grad=True)
    best = w * 2
    kept = copy.deepcopy(best) #!
    """,
    "leaves | leaf | history",
    "best.detach().clone() | .detach().clone()",
)
broken(
    "optimizer_of_a_result",
    """
    w = T.randn(3, requires_grad=True) * 0.1 #!
    optimizer = T.optim.SGD([w], lr=0.1)
    """,
    "w is not a leaf | no leaf | not a leaf",
    "w.requires_grad_() | requires_grad_() last",
)
broken(
    "layers_in_a_list",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [T.nn.Linear(2, 2), T.nn.Linear(2, 1)] #!

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    net = Net()
    optimizer = T.optim.SGD(net.parameters(), lr=0.1)
    """,
    "list",
    "modulelist",
)
broken(
    "parameters_used_up",
    """
    model = T.nn.Linear(2, 1)
    params = model.parameters()
    count = sum(p.numel() for p in params) #!
    optimizer = T.optim.SGD(params, lr=0.1)
    """,
    "used up | empty",
    "list(model.parameters())",
)
broken(
    "other_tensors_than_the_model",
    """
    import copy

    model = T.nn.Linear(2, 1)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1) #!
    model = copy.deepcopy(model)
    for i in range(2):
        optimizer.zero_grad()
        loss = model(T.ones(3, 2)).mean()
        loss.backward()
        optimizer.step()
    """,
    "it holds other tensors",
    "make the optimizer",
    ask="viz.explain(model.weight)",
)
broken(
    "wrong_number_of_gradients",
    """
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor #!

    x = T.ones(3, requires_grad=True)
    Scale.apply(x, 2.0).sum().backward()
    """,
    "as many | one for each",
    "return none | none",
)
broken(
    "function_without_apply",
    """
    class Double(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = T.ones(3, requires_grad=True)
    y = Double.forward(x) #!
    """,
    "apply",
    "double.apply(x) | double.apply(...)",
)
broken(
    "grad_of_another_shape",
    """
    w = T.ones(3, requires_grad=True)
    w.grad = T.ones(2) #!
    """,
    "shape",
    "shape [3] | [3]",
)
broken(
    "hook_on_what_needs_none",
    """
    x = T.ones(3)
    x.register_hook(lambda g: g * 2) #!
    """,
    "does not require grad | no gradient",
    "x.requires_grad_()",
)
broken(
    "zero_on_none",
    """
    w = T.ones(3, requires_grad=True)
    for i in range(2):
        w.grad.zero_() #!
        loss = (w * w).sum()
        loss.backward()
    """,
    "w.grad is none",
    "if w.grad is not none | after backward",
)
broken(
    "zero_on_none_after_item",
    """
    w = T.ones(3, requires_grad=True)
    v = w * 1
    (v * v).sum().backward()
    w.grad.zero_()
    v.grad.zero_() #!
    """,
    "v is not a leaf",
    "v.retain_grad()",
)

# --- Nothing fails, and it does not work


broken(
    "weight_times_a_number",
    """
    w = T.randn(3, requires_grad=True) * 0.01 #!
    loss = (w * T.ones(3)).pow(2).sum()
    loss.backward()
    """,
    "not a leaf",
    "w.requires_grad_() last",
    ask="viz.explain(w)",
)
broken(
    "total_of_losses",
    """
    model = T.nn.Linear(3, 1)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for step in range(4):
        optimizer.zero_grad()
        loss = T.tanh(model(T.ones(2, 3))).mean()
        loss.backward()
        optimizer.step()
        total += loss #!
    """,
    "keeps",
    "total += loss.item() | loss.item()",
    ask="viz.explain(total)",
)
broken(
    "untaken_branch",
    """
    x = T.tensor([0.0, 1.0], requires_grad=True)
    y = T.where(x > 0, T.sqrt(x), T.zeros(2)) #!
    loss = y.sum()
    """,
    "not taken",
    "t.where(x > 0, x, | second where | inner where | another where",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "cleared_between",
    """
    model = T.nn.Linear(3, 1)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = model(T.ones(2, 3)).pow(2).mean()
        loss.backward()
        optimizer.zero_grad() #!
        optimizer.step()
    """,
    "between | before the step",
    "before backward | after optimizer.step() | after `optimizer.step()`",
    ask="viz.explain(model.weight)",
)
broken(
    "eval_for_no_grad",
    """
    model = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Dropout(0.5), T.nn.Linear(3, 1))
    model.eval() #!
    scores = model(T.ones(2, 3))
    points = scores.numpy()
    """,
    "eval()",
    "no_grad | detach()",
)
broken(
    "never_called",
    """
    w = T.ones(3, requires_grad=True)
    loss = (w * w).sum()
    loss.backward #!
    """,
    "has not been called",
    "loss.backward()",
    ask="viz.explain(w)",
)
broken(
    "dead_path",
    """
    class TwoHeads(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = T.nn.Linear(3, 3)
            self.main = T.nn.Linear(3, 1)
            self.side = T.nn.Linear(3, 1) #!

        def forward(self, x):
            return self.main(T.tanh(self.body(x)))

    model = TwoHeads()
    loss = model(T.ones(2, 3)).mean()
    loss.backward()
    """,
    "does not lead to | not used | nothing that you",
    ask="viz.explain(model.side.weight, loss)",
)
broken(
    "cut_inside_the_network",
    """
    class Auto(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.encode = T.nn.Linear(3, 2)
            self.decode = T.nn.Linear(2, 3)

        def forward(self, x):
            code = T.sigmoid(self.encode(x)).detach() #!
            return self.decode(code)

    model = Auto()
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    x = T.ones(4, 3)
    for epoch in range(2):
        optimizer.zero_grad()
        loss = T.nn.functional.mse_loss(model(x), x)
        loss.backward()
        optimizer.step()
    """,
    "detach()",
    "without .detach() | leave out .detach() | leave .detach() out",
    ask="viz.explain(model.encode.weight, loss)",
)
broken(
    "frozen_parameter",
    """
    model = T.nn.Linear(3, 1)
    model.bias.requires_grad = False #!
    loss = model(T.ones(2, 3)).mean()
    loss.backward()
    """,
    "frozen",
    "requires_grad_() | requires_grad = true",
    never=("was made without",),
    ask="viz.explain(model.bias)",
)
broken(
    "nan_from_sqrt",
    """
    x = T.zeros(2, requires_grad=True)
    d = (x * x).sum().sqrt() #!
    loss = d * 2
    """,
    "inf | nan",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "total_that_is_walked_each_turn",
    """
    w = T.ones(3, requires_grad=True)
    total = T.zeros(())
    for step in range(3):
        loss = (w * w).sum() * step
        total = total + loss #!
        total.backward()
    """,
    "adds up",
    "once after the loop",
    never=("retain_graph=True",),
)
broken(
    "relu_module_in_place",
    """
    model = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Sigmoid(), T.nn.ReLU(inplace=True))
    loss = model(T.ones(2, 3)).sum()
    loss.backward()
    """,
    "in place",
    "without",
)
broken(
    "critic_clipped_before_the_second_pass",
    """
    critic = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
    actor = T.nn.Linear(2, 2)
    optimizer = T.optim.SGD(actor.parameters(), lr=0.1)
    for step in range(2):
        score = critic(actor(T.ones(3, 2))).mean()
        for p in critic.parameters():
            with T.no_grad():
                p.clamp_(-0.01, 0.01) #!
        optimizer.zero_grad()
        score.backward()
        optimizer.step()
    """,
    "in place",
    "after backward | clone",
)
broken(
    "student_frozen_and_teacher_detached",
    """
    teacher = T.nn.Linear(2, 2)
    student = T.nn.Linear(2, 2)
    student.requires_grad_(False) #!
    x = T.ones(3, 2)
    target = teacher(x).detach()
    loss = (student(x) - target).pow(2).mean()
    loss.backward()
    """,
    "frozen",
    "",
    never=("loss.requires_grad_()",),
)
broken(
    "cleared_to_zero",
    """
    model = T.nn.Linear(3, 1)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    for step in range(2):
        loss = model(T.ones(2, 3)).pow(2).mean()
        loss.backward()
        optimizer.zero_grad(set_to_none=False) #!
        optimizer.step()
    """,
    "between",
    "before backward",
    ask="viz.explain(model.weight)",
)
broken(
    "mean_under_inference_mode",
    """
    w = T.ones(3, requires_grad=True)
    with T.inference_mode():
        h = w * 2 #!
    loss = (h * h).sum()
    loss.backward()
    """,
    "inference_mode",
    "out of",
    never=REQUIRE,
)
broken(
    "copied_weights",
    """
    class Mixer(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = T.nn.Parameter(T.ones(3))

        def weights(self):
            return T.softmax(self.scale, dim=0)

        def forward(self, x):
            w = T.tensor([float(v) for v in self.weights()]) #!
            return (w * x).sum()

    mixer = Mixer()
    optimizer = T.optim.Adam(mixer.parameters(), lr=0.1)
    for step in range(2):
        optimizer.zero_grad()
        out = mixer(T.ones(3))
        loss = (out - 2).pow(2)
        loss.backward()
        optimizer.step()
    """,
    "float()",
    "t.stack",
    never=REQUIRE,
)
broken(
    "policy_by_argmax",
    """
    class Policy(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 2))

        def act(self, state):
            return self.net(state).max(1)[1] #!

    def rollout(policy, length):
        rewards = []
        state = T.ones(1, 2)
        for t in range(length):
            action = policy.act(state)
            rewards.append(action.float() * 0.5)
        return T.stack(rewards).sum()

    policy = Policy()
    optimizer = T.optim.SGD(policy.parameters(), lr=0.1)
    for episode in range(2):
        reward = rollout(policy, 3)
        loss = -reward
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    """,
    "indices",
    "softmax",
    never=REQUIRE,
)

# --- Longer ones

broken(
    "vae_like",
    """
    class VAE(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.enc = T.nn.Linear(4, 4)
            self.dec = T.nn.Linear(2, 4)

        def encode(self, x):
            h = self.enc(x)
            return h[:, :2], h[:, 2:]

        def sample(self, mu, logvar):
            eps = T.randn_like(mu)
            z = mu + T.exp(logvar / 2) * eps
            return z.data #!

        def forward(self, x):
            mu, logvar = self.encode(x)
            z = self.sample(mu, logvar)
            return self.dec(z), mu, logvar

    vae = VAE()
    opt = T.optim.Adam(vae.parameters(), lr=0.01)
    x = T.ones(3, 4)
    for i in range(2):
        out, mu, logvar = vae(x)
        loss = (out - x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    ".data",
    "leave .data out",
    ask="viz.explain(vae.enc.weight, loss)",
)
broken(
    "metric_as_loss",
    """
    def iou(pred, target):
        p = pred > 0.5 #!
        inter = (p & target).sum()
        union = (p | target).sum()
        return inter / union

    net = T.nn.Linear(4, 4)
    pred = T.sigmoid(net(T.ones(2, 4)))
    target = T.ones(2, 4) > 0
    loss = 1 - iou(pred, target)
    loss.backward()
    """,
    "comparison",
    never=REQUIRE,
)
broken(
    "dict_of_losses",
    """
    model = T.nn.Linear(3, 2)
    def losses(out, y):
        d = {}
        d["mse"] = ((out - y) ** 2).mean().item() #!
        d["l1"] = 0.1
        return d
    out = model(T.ones(4, 3))
    parts = losses(out, T.zeros(4, 2))
    loss = T.tensor(sum(parts.values()))
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "lambda_loss",
    """
    w = T.ones(2, requires_grad=True)
    objective = lambda v: (v.detach() ** 2).sum() #!
    loss = objective(w)
    loss.backward()
    """,
    "detach()",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "stateful_loop_list",
    """
    w = T.ones(2, requires_grad=True)
    outs = []
    for i in range(3):
        o = (w * i).detach() #!
        outs.append(o)
    loss = T.stack(outs).sum()
    loss.backward()
    """,
    "detach()",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "if_branch",
    """
    class M(T.nn.Module):
        def __init__(self, train=False):
            super().__init__()
            self.l = T.nn.Linear(2, 2)
            self.train_mode = train
        def forward(self, x):
            y = self.l(x)
            if not self.train_mode:
                y = y.detach() #!
            return y
    m = M()
    m(T.ones(1, 2)).sum().backward()
    """,
    "detach()",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "context_manager_whole_loop",
    """
    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.1)
    def run(train):
        with T.set_grad_enabled(train):
            out = model(T.ones(3, 2)) #!
            loss = out.mean()
        return loss
    loss = run(False)
    loss.backward()
    """,
    "set_grad_enabled",
    "",
    never=REQUIRE,
)
broken(
    "linear_regression_wrong_update",
    """
    X = T.ones(4, 2)
    Y = T.ones(4)
    theta = T.zeros(2, requires_grad=True)
    for epoch in range(3):
        pred = X @ theta
        loss = ((pred - Y) ** 2).mean()
        loss.backward()
        theta = theta - 0.1 * theta.grad #!
        theta.grad.zero_()
    """,
    "theta",
    "theta -= 0.1 * theta.grad | retain_grad | no_grad",
)
broken(
    "data_update_by_new",
    """
    w = T.ones(2, requires_grad=True)
    for i in range(2):
        loss = (w * w).sum()
        loss.backward()
        w = w.data - 0.1 * w.grad.data #!
    """,
    ".data | new tensor",
    "",
)
broken(
    "rnn_class_loop",
    """
    class RNN(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.i2h = T.nn.Linear(3, 3)
            self.h2h = T.nn.Linear(3, 3)
        def forward(self, x, hidden):
            return T.tanh(self.i2h(x) + self.h2h(hidden))

    rnn = RNN()
    crit = T.nn.MSELoss()
    opt = T.optim.SGD(rnn.parameters(), lr=0.01)
    hidden = T.zeros(1, 3)
    data = [T.ones(1, 3) for _ in range(4)]
    for x in data:
        opt.zero_grad()
        out = rnn(x, hidden)
        hidden = out #!
        loss = crit(out, T.zeros(1, 3))
        loss.backward()
        opt.step()
    """,
    "turn",
    "hidden = hidden.detach()",
    never=("retain_graph=True",),
)
broken(
    "lstm_like_tuple",
    """
    enc = T.nn.Linear(2, 2)
    def cell(x, state):
        h, c = state
        c = T.sigmoid(enc(x)) * c + T.tanh(h)
        h = T.tanh(c)
        return h, (h, c)
    state = (T.ones(1, 2), T.ones(1, 2))
    for step in range(3):
        out, state = cell(T.ones(1, 2), state) #!
        loss = out.pow(2).sum()
        loss.backward()
    """,
    "turn",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "trainer_class",
    """
    class Trainer:
        def __init__(self, model):
            self.model = model
            self.opt = T.optim.SGD(model.parameters(), lr=0.1)

        def loss(self, x, y):
            pred = self.model(x)
            pred = pred.round().int() #!
            return (pred - y).float().abs().mean()

        def step(self, x, y):
            self.opt.zero_grad()
            loss = self.loss(x, y)
            loss.backward()
            self.opt.step()
            return loss.item()

    trainer = Trainer(T.nn.Linear(3, 1))
    for i in range(2):
        trainer.step(T.ones(4, 3), T.ones(4, 1))
    """,
    "integers",
    "",
    never=REQUIRE,
)
broken(
    "trainer_features_once",
    """
    class Trainer:
        def __init__(self, backbone, head, x):
            self.head = head
            self.features = T.tanh(backbone(x)) #!
            self.opt = T.optim.SGD(head.parameters(), lr=0.1)
        def step(self):
            self.opt.zero_grad()
            loss = T.sigmoid(self.head(self.features)).mean()
            loss.backward()
            self.opt.step()
    trainer = Trainer(T.nn.Linear(3, 3), T.nn.Linear(3, 1), T.ones(2, 3))
    for i in range(3):
        trainer.step()
    """,
    "earlier pass",
    "detach()",
)
broken(
    "weights_normalized_in_place",
    """
    lin = T.nn.Linear(3, 3)
    out = lin(T.ones(2, 3, requires_grad=True)).tanh()
    lin.weight.data.div_(lin.weight.data.norm())
    out.mul_(2) #!
    out.sum().backward()
    """,
    "in place",
    "clone",
)
broken(
    "softmax_in_place",
    """
    logits = T.zeros(2, 3, requires_grad=True)
    p = T.softmax(logits, 1)
    p[:, 0] = 0 #!
    loss = p.sum()
    loss.backward()
    """,
    "in place",
    "clone",
)
broken(
    "attention_mask_in_place",
    """
    def attend(q, k, mask):
        s = T.exp(q @ k.t())
        s[mask] = 0 #!
        return s / s.sum()
    q = T.ones(2, 2, requires_grad=True)
    k = T.ones(2, 2)
    out = attend(q, k, T.tensor([[True, False], [False, False]]))
    out[0].sum().backward()
    """,
    "in place",
    "clone | t.where | masked_fill",
)
broken(
    "wgan_gp_no_create",
    """
    D = T.nn.Linear(2, 1)
    x = T.ones(3, 2).requires_grad_()
    d = T.tanh(D(x)).sum()
    d.backward(retain_graph=True) #!
    penalty = (x.grad.norm() - 1) ** 2
    penalty.backward()
    """,
    "create_graph",
    "create_graph=true",
    never=REQUIRE,
)
broken(
    "params_not_required_in_function",
    """
    def init(n):
        return {"w": T.randn(n), "b": T.zeros(1)} #!
    def forward(p, x):
        return (p["w"] * x).sum() + p["b"]
    params = init(3)
    loss = forward(params, T.ones(3)).sum()
    loss.backward()
    """,
    "requires grad",
    "requires_grad",
    never=("loss.requires_grad_()",),
)
broken(
    "parameter_overwritten",
    """
    class S(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = T.nn.Parameter(T.ones(2))
        def forward(self, x):
            return (self.a * x).sum()
    s = S()
    s.a = T.ones(2) * 2 #!
    """,
    "parameter",
    "in place",
)
broken(
    "copy_from_numpy_in_forward",
    """
    import numpy as np
    class Poly(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.c = T.nn.Parameter(T.ones(3))
        def forward(self, x):
            coefs = self.c.data.numpy() #!
            return T.tensor(np.polyval(coefs, x.numpy())).float()
    p = Poly()
    loss = (p(T.ones(4)) - 1).pow(2).sum()
    loss.backward()
    """,
    "numpy",
    "own operations",
    never=REQUIRE,
)
broken(
    "optimizer_before_reinit",
    """
    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.1) #!
    model = T.nn.Linear(2, 1)
    for i in range(2):
        opt.zero_grad()
        loss = model(T.ones(3, 2)).mean()
        loss.backward()
        opt.step()
    """,
    "other tensors",
    "make the optimizer",
    ask="viz.explain(model.weight)",
)
broken(
    "log_of_zero_in_where",
    """
    p = T.tensor([0.0, 0.5], requires_grad=True)
    loss = T.where(p > 0, p * T.log(p), T.zeros(2)).sum() #!
    """,
    "not taken",
    "where",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "division_in_where",
    """
    x = T.tensor([0.0, 2.0], requires_grad=True)
    y = T.where(x != 0, 1 / x, T.zeros(2)) #!
    loss = y.sum()
    """,
    "not taken",
    "where",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "running_mean",
    """
    w = T.ones(2, requires_grad=True)
    avg = T.zeros(2)
    for i in range(3):
        out = w.exp() * i
        avg = 0.9 * avg + 0.1 * out #!
        loss = (out - avg).pow(2).sum()
        loss.backward()
    """,
    "turn",
    "avg.detach()",
    never=("retain_graph=True",),
)
broken(
    "clone_then_grad",
    """
    w = T.ones(3, requires_grad=True)
    v = w.clone() #!
    loss = (v * v).sum()
    loss.backward()
    """,
    "not a leaf",
    "retain_grad",
    ask="viz.explain(v)",
)
broken(
    "cast_weight",
    """
    w = T.ones(3, requires_grad=True).double() #!
    loss = (w * w).sum()
    loss.backward()
    """,
    "not a leaf",
    "requires_grad_() last",
    ask="viz.explain(w)",
)
broken(
    "meshed_helpers",
    """
    def to_list(t):
        return [v.item() for v in t] #!
    def smooth(values):
        return [0.5 * (a + b) for a, b in zip(values, values[1:])]
    def objective(w):
        raw = w * 2
        values = smooth(to_list(raw))
        return T.tensor(values).sum()
    w = T.ones(4, requires_grad=True)
    score = objective(w)
    score.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "np_asarray_detached_target_only",
    """
    import numpy as np
    model = T.nn.Linear(2, 1)
    for p in model.parameters():
        p.requires_grad_(False) #!
    x = T.ones(3, 2)
    t = T.from_numpy(np.ones((3, 1), dtype=np.float32))
    loss = T.nn.functional.mse_loss(model(x), t)
    loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "grad_fn_by_property",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.raw = T.nn.Parameter(T.ones(2))
        @property
        def scale(self):
            return self.raw.exp().detach() #!
        def forward(self, x):
            return (x * self.scale).sum()
    n = Net()
    n(T.ones(2)).backward()
    """,
    "detach()",
    "",
    never=REQUIRE,
)
broken(
    "seq2seq",
    """
    class Encoder(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.e = T.nn.Linear(3, 4)
        def forward(self, xs):
            h = T.zeros(1, 4)
            for x in xs:
                h = T.tanh(self.e(x) + h)
            return h

    class Decoder(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.d = T.nn.Linear(4, 3)
        def forward(self, h, n):
            outs = []
            for i in range(n):
                o = self.d(h)
                outs.append(o.argmax(1)) #!
                h = h * 0.5
            return T.stack(outs)

    enc, dec = Encoder(), Decoder()
    opt = T.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.01)
    for epoch in range(2):
        xs = [T.ones(1, 3) for _ in range(3)]
        h = enc(xs)
        out = dec(h, 3)
        loss = out.float().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "indices",
    "softmax",
    never=REQUIRE,
)
broken(
    "actor_critic",
    """
    actor = T.nn.Linear(2, 2)
    critic = T.nn.Linear(2, 1)
    a_opt = T.optim.SGD(actor.parameters(), lr=0.1)
    c_opt = T.optim.SGD(critic.parameters(), lr=0.1)
    for t in range(2):
        s = T.ones(1, 2)
        value = T.tanh(critic(s)) #!
        c_loss = (value - 1).pow(2).mean()
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()
        logp = T.log_softmax(actor(s), 1)[0, 0]
        a_loss = (-logp * value).mean()
        a_opt.zero_grad()
        a_loss.backward()
        a_opt.step()
    """,
    "shares",
    "detach",
)
broken(
    "meta_learning_data",
    """
    w = T.ones(2, requires_grad=True)
    def inner(w, x):
        loss = ((w * x).sum() - 1) ** 2
        g = T.autograd.grad(loss, w)[0] #!
        return w.detach() - 0.1 * g
    fast = inner(w, T.ones(2))
    outer = (fast * fast).sum()
    outer.backward()
    """,
    "create_graph | detach",
    "create_graph=true | leave .detach() out",
    never=REQUIRE,
)
broken(
    "hessian",
    """
    def f(x):
        return (x ** 3).sum()
    x = T.ones(3, requires_grad=True)
    g = T.autograd.grad(f(x), x, retain_graph=True)[0] #!
    rows = []
    for i in range(3):
        rows.append(T.autograd.grad(g[i], x)[0])
    """,
    "create_graph",
    "create_graph=true",
    never=REQUIRE,
)
broken(
    "no_grad_wrapping_train",
    """
    model = T.nn.Linear(2, 1)
    def train(model, data):
        total = 0
        for x, y in data:
            out = model(x)
            loss = (out - y).pow(2).mean()
            loss.backward()
            total += loss.item()
        return total
    data = [(T.ones(3, 2), T.ones(3, 1))]
    with T.no_grad():
        train(model, data) #!
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "evaluate_calls_training_code",
    """
    class Trainer:
        def __init__(self):
            self.model = T.nn.Linear(2, 1)
        def compute(self, x):
            return self.model(x).mean()
        @T.no_grad() #!
        def evaluate(self, x):
            loss = self.compute(x)
            loss.backward()
            return loss
    Trainer().evaluate(T.ones(2, 2))
    """,
    "no_grad",
    "decorator",
    never=REQUIRE,
)
broken(
    "list_of_preds_numpy",
    """
    import numpy as np
    net = T.nn.Linear(2, 1)
    preds = []
    for i in range(3):
        p = net(T.ones(1, 2) * i)
        preds.append(p.detach().numpy()) #!
    loss = T.from_numpy(np.concatenate(preds)).mean()
    loss.backward()
    """,
    "numpy",
    "",
    never=REQUIRE,
)
broken(
    "weight_tying_copy",
    """
    class Tied(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = T.nn.Linear(3, 3)
        def forward(self, x):
            w = T.tensor(self.a.weight.tolist()) #!
            return (x @ w).sum()
    m = Tied()
    loss = m(T.ones(2, 3))
    loss.backward()
    """,
    "tolist",
    "leave .tolist() out",
    never=REQUIRE,
)
broken(
    "inplace_bn_stat",
    """
    x = T.ones(4, 3, requires_grad=True)
    h = x * 2
    mean = h.mean(0)
    z = (h - mean).pow(2)
    h -= 1
    s = T.sqrt(z + 1)
    out = (s * h).sum()
    s.mul_(2) #!
    out.backward()
    """,
    "in place",
    "clone",
)
broken(
    "sigmoid_times",
    """
    def gate(x):
        g = T.sigmoid(x)
        g *= x #!
        return g
    w = T.ones(3, requires_grad=True)
    gate(w).sum().backward()
    """,
    "in place",
    "clone",
)
broken(
    "adam_two_losses",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Tanh(), T.nn.Linear(2, 2))
    opt = T.optim.Adam(net.parameters(), lr=0.01)
    for i in range(2):
        out = net(T.ones(3, 2))
        l1, l2 = out[:, 0].pow(2).mean(), out[:, 1].pow(2).mean()
        opt.zero_grad()
        l1.backward(retain_graph=True)
        opt.step() #!
        opt.zero_grad()
        l2.backward()
        opt.step()
    """,
    "changed",
    "before that step",
)
broken(
    "grad_accum_metric_kept",
    """
    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.1)
    running = 0.
    for epoch in range(2):
        for i in range(2):
            opt.zero_grad()
            loss = T.tanh(model(T.ones(2, 2))).mean()
            loss.backward()
            opt.step()
            running += loss * 2 #!
    """,
    "keeps",
    ".item()",
    ask="viz.explain(running)",
)
broken(
    "state_dict_of_states",
    """
    enc = T.nn.Linear(2, 2)
    memory = {"h": T.zeros(1, 2)}
    for i in range(3):
        memory["h"] = T.tanh(enc(T.ones(1, 2)) + memory["h"]) #!
        loss = memory["h"].pow(2).sum()
        loss.backward()
    """,
    "turn",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "while_loop_state",
    """
    w = T.tensor(0.5, requires_grad=True)
    y = T.tensor(1.0)
    n = 0
    while n < 3:
        y = T.sin(w * y) #!
        y.backward()
        n += 1
    """,
    "turn | adds up",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "embedding_once",
    """
    table = T.nn.Embedding(4, 2)
    vec = table(T.tensor([0, 1])).exp() #!
    lin = T.nn.Linear(2, 1)
    for i in range(2):
        loss = lin(vec).pow(2).mean()
        loss.backward()
    """,
    "before the loop",
    "loop",
)
broken(
    "frozen_module_no_line",
    """
    def make():
        m = T.nn.Linear(2, 1)
        for p in m.parameters():
            p.requires_grad = False #!
        return m
    m = make()
    loss = m(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "requires_grad_after_use",
    """
    x = T.ones(3) #!
    y = (x * 2).sum() #!
    x.requires_grad_()
    y.backward()
    """,
    "requires grad | did not require",
    "",
    never=("y.requires_grad_()",),
)
broken(
    "bool_mask_loss",
    """
    w = T.tensor([0.2, 0.8], requires_grad=True)
    keep = T.gt(w, 0.5) #!
    loss = keep.sum().float()
    loss.backward()
    """,
    "comparison",
    "",
    never=REQUIRE,
)
broken(
    "int_dtype",
    """
    w = T.tensor([0.2, 0.8], requires_grad=True)
    b = (w * 255).to(T.uint8) #!
    loss = b.float().mean()
    loss.backward()
    """,
    "integers",
    "",
    never=REQUIRE,
)
broken(
    "custom_function_detached_output",
    """
    class Step(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x > 0).float()
        @staticmethod
        def backward(ctx, g):
            return None #!
    w = T.ones(3, requires_grad=True)
    loss = Step.apply(w).sum()
    loss.backward()
    """,
    "none",
    "",
    ask="viz.explain(w)",
)
broken(
    "no_parens_and_grad",
    """
    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.1)
    loss = model(T.ones(1, 2)).pow(2).sum()
    opt.zero_grad
    loss.backward #!
    opt.step()
    """,
    "parentheses",
    "",
    ask="viz.explain(model.weight)",
)
broken(
    "views_split",
    """
    x = T.ones(4, requires_grad=True)
    a, b = (x * 1).split(2)
    a += b #!
    a.sum().backward()
    """,
    "several views",
    "a = a + b",
)
broken(
    "param_in_list_wrong_opt",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.ws = [T.nn.Parameter(T.ones(2))] #!
        def forward(self, x):
            return (self.ws[0] * x).sum()
    net = Net()
    opt = T.optim.Adam(net.parameters(), lr=0.1)
    """,
    "list",
    "parameterlist",
)
broken(
    "grad_wrong_backward_shape",
    """
    class Mean(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.n = x.numel()
            return x.mean()
        @staticmethod
        def backward(ctx, g):
            return T.ones(2) * g #!
    w = T.ones(3, requires_grad=True)
    Mean.apply(w).backward()
    """,
    "shape",
    "shape of its input",
)
broken(
    "log_where",
    """
    p = T.tensor([0.0, 0.5], requires_grad=True)
    safe = T.where(p == 0, T.zeros(2), p.log()) #!
    loss = safe.sum()
    """,
    "not taken",
    "t.where(p == 0, 1.0, p)",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "data_changed_after_the_forward_pass",
    """
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    loss = (y * y).sum()
    y.data[0] = 100.0 #!
    loss.backward()
    """,
    "does not see",
    "after backward()",
    ask="viz.explain(x)",
)
broken(
    "weights_clipped_through_data",
    """
    model = T.nn.Linear(2, 1)
    head = T.ones(1, requires_grad=True)
    for step in range(2):
        loss = (T.tanh(model(T.ones(3, 2))) * head).mean()
        head.data.clamp_(-0.5, 0.5) #!
        loss.backward()
    """,
    "does not see",
    "after backward()",
    ask="viz.explain(model.weight)",
)
broken(
    "contrastive",
    """
    class Proj(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.f = T.nn.Sequential(T.nn.Linear(4, 4), T.nn.ReLU(), T.nn.Linear(4, 2))
        def forward(self, x):
            z = self.f(x)
            return z / z.detach().norm()

    def nce(a, b):
        sim = a @ b.t()
        ranks = sim.argsort(1) #!
        return ranks.float().diagonal().mean()

    p = Proj()
    opt = T.optim.SGD(p.parameters(), lr=0.1)
    for i in range(2):
        a, b = p(T.randn(3, 4)), p(T.randn(3, 4))
        loss = nce(a, b)
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "indices",
    "softmax",
    never=REQUIRE,
)
broken(
    "kfold_best_loss",
    """
    model = T.nn.Linear(2, 1)
    best = None
    for k in range(2):
        out = model(T.ones(2, 2) * (k + 1))
        loss = out.pow(2).mean()
        if best is None or loss < best:
            best = loss.detach() #!
    best.backward()
    """,
    "detach",
    "leave .detach() out",
    never=("best.requires_grad_()",),
)
broken(
    "early_return",
    """
    def regularize(params, strength):
        if strength == 0:
            return T.zeros(())
        total = T.zeros(())
        for p in params:
            total = total + (p.data ** 2).sum() #!
        return strength * total
    w = T.ones(3, requires_grad=True)
    loss = regularize([w], 0.1)
    loss.backward()
    """,
    ".data",
    "leave .data out",
    never=REQUIRE,
)
broken(
    "kwargs_call",
    """
    class Head(T.nn.Module):
        def __init__(self, dim, hard=True):
            super().__init__()
            self.lin = T.nn.Linear(dim, dim)
            self.hard = hard
        def forward(self, *, inputs, temperature=1.0):
            logits = self.lin(inputs) / temperature
            if self.hard:
                return (logits == logits.max()).float() #!
            return T.softmax(logits, 1)
    h = Head(3)
    out = h(inputs=T.ones(2, 3), temperature=0.5)
    out.mean().backward()
    """,
    "comparison",
    "",
    never=REQUIRE,
)
broken(
    "generator_batches",
    """
    def batches(n):
        for i in range(n):
            yield T.ones(2, 3) * i
    enc = T.nn.Linear(3, 3)
    state = T.zeros(2, 3)
    opt = T.optim.SGD(enc.parameters(), lr=0.1)
    for b in batches(3):
        state = 0.5 * state + T.tanh(enc(b)) #!
        err = (state ** 2).mean()
        opt.zero_grad()
        err.backward()
        opt.step()
    """,
    "turn",
    "state.detach()",
    never=("retain_graph=True",),
)
broken(
    "inherit_module",
    """
    class Base(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = T.nn.Parameter(T.ones(3))
        def features(self, x):
            return (self.w * x).detach() #!
    class Child(Base):
        def forward(self, x):
            return self.features(x).sum()
    Child()(T.ones(3)).backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "super_forward",
    """
    class Base(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = T.nn.Parameter(T.ones(3))
        def forward(self, x):
            return (self.w * x).data #!
    class Child(Base):
        def forward(self, x):
            return super().forward(x).sum()
    loss = Child()(T.ones(3))
    loss.backward()
    """,
    ".data",
    "leave .data out",
    never=REQUIRE,
)
broken(
    "zip_update",
    """
    ws = [T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)]
    for i in range(2):
        loss = sum((w * w).sum() for w in ws)
        grads = T.autograd.grad(loss, ws)
        with T.no_grad():
            ws = [w - 0.1 * g for w, g in zip(ws, grads)] #!
    """,
    "no_grad",
    "in place | -= | requires_grad_() | out of",
    never=("loss.requires_grad_()",),
)
broken(
    "shared_decorated",
    """
    import functools
    def timed(f):
        @functools.wraps(f)
        def inner(*a, **k):
            return f(*a, **k)
        return inner
    @timed
    def loss_fn(w):
        return (w.detach() * 2).sum() #!
    w = T.ones(2, requires_grad=True)
    loss = loss_fn(w)
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "try_except",
    """
    w = T.ones(2, requires_grad=True)
    try:
        value = (w * w).sum().item() #!
    except ValueError:
        value = 0.0
    loss = T.tensor(value)
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "inplace_relu_functional_in_forward",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = T.nn.Linear(3, 3)
        def forward(self, x):
            h = T.tanh(self.a(x))
            T.relu_(h) #!
            return h.sum()
    Net()(T.ones(2, 3)).backward()
    """,
    "in place",
    "clone",
)
broken(
    "hidden_list_append",
    """
    cell = T.nn.Linear(2, 2)
    h = T.zeros(1, 2)
    outs = []
    for t in range(3):
        h = T.tanh(cell(h))
        outs.append(h) #!
        T.stack(outs).sum().backward()
    """,
    "turn | earlier",
    "once | after the loop | detach",
    never=(),
)
broken(
    "two_backward_parts",
    """
    x = T.ones(3, requires_grad=True)
    y = (x * x).exp() #!
    a = y[0]
    b = y[1]
    a.backward()
    b.backward()
    """,
    "shares",
    "retain_graph=true | once",
)
broken(
    "weight_init_under_grad",
    """
    lin = T.nn.Linear(2, 2)
    lin.weight.fill_(0.5) #!
    lin(T.ones(1, 2)).sum().backward()
    """,
    "leaf",
    "no_grad",
)
broken(
    "index_put",
    """
    emb = T.zeros(4, 2, requires_grad=True)
    emb[1] = T.ones(2) #!
    emb.sum().backward()
    """,
    "leaf",
    "clone | no_grad",
)
broken(
    "wrong_loss_item_average",
    """
    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.1)
    def epoch(batches):
        avg = 0
        for b in batches:
            loss = model(b).pow(2).mean()
            avg += loss.item() / len(batches) #!
        return avg
    opt.zero_grad()
    l = T.tensor(epoch([T.ones(2, 2)] * 2))
    l.backward()
    opt.step()
    """,
    "item()",
    "leave .item() out",
    never=("l.requires_grad_()",),
)
broken(
    "linspace_params",
    """
    theta = T.linspace(0, 1, 3) #!
    loss = (theta ** 2).sum()
    loss.backward()
    """,
    "requires grad",
    "theta.requires_grad_()",
    never=("loss.requires_grad_()",),
)
broken(
    "global_freeze_partial",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
    for name, p in net.named_parameters():
        if "weight" in name:
            p.requires_grad = False #!
        else:
            p.requires_grad_(False)
    loss = net(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "retain_graph_for_second_order",
    """
    x = T.tensor(2.0, requires_grad=True)
    y = x ** 3
    y.backward(retain_graph=True) #!
    g = x.grad
    g.backward()
    """,
    "create_graph",
    "create_graph=true",
    never=("g.requires_grad_()",),
)
broken(
    "max_loss_index",
    """
    w = T.ones(3, requires_grad=True)
    value, index = T.max(w * T.tensor([1.0, 2.0, 3.0]), 0) #!
    loss = index.float()
    loss.backward()
    """,
    "indices",
    "",
    never=REQUIRE,
)
broken(
    "nerf_like",
    """
    class Field(T.nn.Module):
        def __init__(self, width=4):
            super().__init__()
            self.inp = T.nn.Linear(3, width)
            self.density = T.nn.Linear(width, 1)
            self.color = T.nn.Linear(width, 3)
        def forward(self, points):
            h = T.relu(self.inp(points))
            sigma = T.relu(self.density(h))
            rgb = T.sigmoid(self.color(h))
            return sigma, rgb

    def render(field, points):
        sigma, rgb = field(points)
        alpha = 1 - T.exp(-sigma)
        weights = alpha / alpha.sum()
        return (weights * rgb).sum(0).detach() #!

    field = Field()
    opt = T.optim.Adam(field.parameters(), lr=1e-2)
    target = T.ones(3)
    for it in range(2):
        opt.zero_grad()
        image = render(field, T.randn(5, 3))
        loss = T.nn.functional.mse_loss(image, target)
        loss.backward()
        opt.step()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "bandit",
    """
    class Bandit:
        def __init__(self):
            self.logits = T.zeros(3, requires_grad=True)
            self.opt = T.optim.SGD([self.logits], lr=0.1)
        def choose(self):
            probs = T.softmax(self.logits, 0)
            return T.multinomial(probs, 1) #!
        def learn(self, reward):
            action = self.choose()
            loss = -(action.float() * reward).sum()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
    b = Bandit()
    b.learn(1.0)
    """,
    "indices",
    "softmax",
    never=REQUIRE,
)
broken(
    "two_stage_config",
    """
    cfg = {"freeze": True, "lr": 0.1}
    body = T.nn.Linear(2, 2)
    head = T.nn.Linear(2, 1)
    def setup(cfg):
        if cfg["freeze"]:
            for module in (body, head):
                for p in module.parameters():
                    p.requires_grad = False #!
        return T.optim.SGD(body.parameters(), lr=cfg["lr"])
    opt = setup(cfg)
    for i in range(2):
        loss = head(T.relu(body(T.ones(2, 2)))).mean()
        loss.backward()
        opt.step()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "class_attr_state",
    """
    class Agent:
        def __init__(self):
            self.net = T.nn.Linear(2, 2)
            self.mem = T.zeros(1, 2)
            self.opt = T.optim.SGD(self.net.parameters(), lr=0.1)
        def observe(self, x):
            self.mem = T.tanh(self.net(x) + self.mem) #!
            return self.mem
        def update(self, x):
            loss = self.observe(x).sum()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
    agent = Agent()
    for i in range(3):
        agent.update(T.ones(1, 2))
    """,
    "turn",
    "self.mem.detach()",
    never=("retain_graph=True",),
)
broken(
    "numpy_metric",
    """
    import numpy as np
    def r2(pred, y):
        pred = pred.detach().cpu().numpy() #!
        y = y.numpy()
        return 1 - ((y - pred) ** 2).sum() / (y ** 2).sum()
    m = T.nn.Linear(2, 1)
    score = r2(m(T.ones(3, 2)), T.ones(3, 1))
    loss = -T.tensor(score)
    loss.backward()
    """,
    "numpy",
    "own operations",
    never=REQUIRE,
)
broken(
    "sum_of_items",
    """
    w = T.ones(3, requires_grad=True)
    total = 0
    for i in range(3):
        total += (w[i] ** 2).item() #!
    loss = T.tensor(total)
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "clamp_round_quant",
    """
    def quantize(x, bits):
        scale = 2 ** bits - 1
        return (x * scale).to(T.int32).float() / scale #!
    w = T.tensor([0.2, 0.9], requires_grad=True)
    loss = (quantize(w, 4) - 1).pow(2).sum()
    loss.backward()
    """,
    "integers",
    "",
    never=REQUIRE,
)
broken(
    "with_inside_loop",
    """
    model = T.nn.Linear(2, 1)
    losses = []
    for phase in ["train", "val"]:
        with T.no_grad():
            out = model(T.ones(2, 2)) #!
        losses.append(out.mean())
    loss = sum(losses) / len(losses)
    loss.backward()
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "named_tuple_out",
    """
    from collections import namedtuple
    Out = namedtuple("Out", "logits aux")
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(2, 2)
        def forward(self, x):
            z = self.l(x)
            return Out(logits=z.detach(), aux=z.sum().item()) #!
    out = Net()(T.ones(1, 2))
    loss = out.logits.mean()
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "closure_lbfgs",
    """
    w = T.ones(2, requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1)
    def closure():
        opt.zero_grad()
        loss = (w.data ** 2).sum() #!
        loss.backward()
        return loss
    opt.step(closure)
    """,
    ".data",
    "leave .data out",
    never=REQUIRE,
)
broken(
    "reparam_std_inplace",
    """
    mu = T.zeros(2, requires_grad=True)
    logvar = T.zeros(2, requires_grad=True)
    std = T.exp(0.5 * logvar)
    z = mu + std * T.ones(2)
    std.clamp_(max=1.0) #!
    kl = (std ** 2 + mu ** 2).sum()
    (z.sum() + kl).backward()
    """,
    "in place",
    "clone",
)
broken(
    "norm_inplace",
    """
    v = T.ones(3, requires_grad=True)
    u = v * 2
    n = u.norm()
    u /= n #!
    u.sum().backward()
    """,
    "in place",
    "clone | after backward",
)
broken(
    "ema_teacher_loss",
    """
    student, teacher = T.nn.Linear(2, 1), T.nn.Linear(2, 1)
    opt = T.optim.SGD(student.parameters(), lr=0.1)
    x = T.ones(3, 2)
    goal = T.tanh(teacher(x)) #!
    for i in range(2):
        loss = (student(x) - goal).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop",
    "goal.detach()",
)
broken(
    "grad_none_after_autograd_grad",
    """
    w = T.ones(2, requires_grad=True)
    loss = (w * w).sum()
    g = T.autograd.grad(loss, w)
    w.grad.zero_() #!
    """,
    "w.grad is none",
    "",
)
broken(
    "double_where_div",
    """
    x = T.tensor([0.0, 4.0], requires_grad=True)
    inv = T.where(x > 0, x.rsqrt(), T.zeros(2)) #!
    loss = inv.sum()
    """,
    "not taken",
    "where",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "lr_tensor_update",
    """
    w = T.ones(2, requires_grad=True)
    for i in range(2):
        loss = (w ** 2).sum()
        loss.backward()
        with T.no_grad():
            w.grad *= 0.1
            w = w - w.grad #!
    """,
    "new tensor",
    "w -= w.grad",
    never=("loss.requires_grad_()",),
)
broken(
    "multi_root_backward",
    """
    a = T.ones(2, requires_grad=True)
    x = (a * 2).sum()
    y = (a.detach() * 3).sum() #!
    T.autograd.backward([x, y])
    """,
    "detach",
    "leave .detach() out",
    never=("y.requires_grad_()",),
)
broken(
    "checkpoint_state",
    """
    w = T.ones(2, requires_grad=True)
    h = w.sin()
    saved = []
    for i in range(3):
        h = h.sin() * w #!
        saved.append(h.sum())
        saved[-1].backward()
    """,
    "turn | earlier",
    "detach() | once after",
    never=("retain_graph=True",),
)
broken(
    "not_scalar_per_sample",
    """
    net = T.nn.Linear(2, 1)
    def losses(x, y):
        return (net(x) - y).pow(2)
    l = losses(T.ones(4, 2), T.zeros(4, 1))
    l.backward() #!
    """,
    "one number",
    "l.sum()",
)
broken(
    "a weight asked after a decorated loss",
    """
    w = T.ones(2, requires_grad=True)

    @T.no_grad()
    def loss_of(w):
        return (w * w).sum() #!

    loss = loss_of(w)
    """,
    "no_grad",
    "decorator",
    never=("did not require grad yet", "run it again"),
    ask="viz.explain(w)",
)
broken(
    "a loss computed while its weight was frozen",
    """
    w = T.ones(2, requires_grad=True)
    w.requires_grad = False
    loss = (w * w).sum() #!
    w.requires_grad = True
    """,
    "required grad then",
    never=("loss.requires_grad_()",),
    ask="viz.explain(loss)",
)
broken(
    "a total of losses under no_grad",
    """
    w = T.ones(2, requires_grad=True)
    total = T.zeros(())
    with T.no_grad():
        for i in range(3):
            total += (w * i).sum() #!
    total.backward()
    """,
    "no_grad",
    "move the line out",
    never=REQUIRE,
)
broken(
    "a list that is filled under no_grad",
    """
    w = T.ones(2, requires_grad=True)
    losses = []
    with T.no_grad():
        for i in range(3):
            losses.append((w * i).sum()) #!
    sum(losses).backward()
    """,
    "no_grad",
    "move the line out",
    never=REQUIRE,
)
broken(
    "a pass that begins under no_grad",
    """
    w = T.ones(2, requires_grad=True)
    with T.no_grad():
        (w * w).sum().backward() #!
    """,
    "no_grad",
    "move the line out",
    never=REQUIRE,
)
broken(
    "features put into a list before the loop",
    """
    w = T.ones(2, requires_grad=True)
    features = []
    features.append((w * w).exp()) #!
    for epoch in range(2):
        loss = features[0].sum()
        loss.backward()
    """,
    "before the loop",
    "into the loop",
    never=("`features = []`",),
)
broken(
    "a start of another size for autograd.backward",
    """
    y = T.ones(2, requires_grad=True) * 2
    T.autograd.backward(y, grad_tensors=T.ones(3)) #!
    """,
    "shape of `y`",
    "t.ones_like(y)",
    never=("`t.autograd`",),
)

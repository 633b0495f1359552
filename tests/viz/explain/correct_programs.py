"""Programs that work, many close to one that does not: no answer may claim a defect in them.

As in broken_programs.py, each runs on minigrad and on PyTorch as `T`. Every tensor and parameter
that it has a name for is asked about, once it has ended.
"""

from __future__ import annotations

import textwrap

MODEL = """
model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x, y = T.ones(5, 3), T.ones(5, 1)
"""

CORRECT: dict[str, str] = {}


def written(text: str, before: str = "") -> str:
    return before.lstrip() + textwrap.dedent(text).strip("\n") + "\n"


def correct(name: str, text: str, before: str = "") -> None:
    CORRECT[name] = written(text, before)


correct("one_pass", "x = T.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()")
correct("two_leaves", "a = T.ones(3, requires_grad=True)\nb = T.ones(3, requires_grad=True)\n"
        "loss = (a * b).sum()\nloss.backward()")  # fmt: skip
correct("not_yet_called", "w = T.ones(3, requires_grad=True)\nloss = (w * w).sum()")
correct("retained", """
    w = T.ones(3, requires_grad=True)
    h = w * 2
    h.retain_grad()
    loss = (h * h).sum()
    loss.backward()
""")  # fmt: skip
correct("kept_for_a_second_pass", """
    w = T.ones(3, requires_grad=True)
    loss = w.exp().sum()
    loss.backward(retain_graph=True)
    loss.backward()
""")  # fmt: skip
correct("computed_anew", """
    w = T.ones(3, requires_grad=True)
    for i in range(3):
        loss = (w * w).sum()
        loss.backward()
""")  # fmt: skip
correct("zero_grad_first", """
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
""", MODEL)  # fmt: skip
correct("zero_grad_just_before_backward", """
    for step in range(3):
        loss = (model(x) - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""", MODEL)  # fmt: skip
correct("zero_grad_last", """
    for step in range(3):
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
""", MODEL)  # fmt: skip
correct("zero_grad_last_to_zero", """
    for step in range(3):
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
""", MODEL)  # fmt: skip
correct("zero_grad_of_the_model", """
    for step in range(2):
        model.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
""", MODEL)  # fmt: skip
correct("gradients_accumulated_over_batches", """
    for step in range(4):
        loss = (model(x) - y).pow(2).mean() / 2
        loss.backward()
        if (step + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
""", MODEL)  # fmt: skip
correct("total_of_numbers", """
    total = 0.0
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        total += loss.item()
""", MODEL)  # fmt: skip
correct("total_of_detached", """
    total = T.zeros(())
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
""", MODEL)  # fmt: skip
correct("total_that_is_walked_once", """
    optimizer.zero_grad()
    total = T.zeros(())
    for step in range(3):
        loss = (model(x * step) - y).pow(2).mean()
        total = total + loss
    total.backward()
    optimizer.step()
""", MODEL)  # fmt: skip
correct("total_added_in_place_and_walked_once", """
    total = 0.0
    for step in range(3):
        loss = (model(x * step) - y).pow(2).mean()
        total += loss
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
""", MODEL)  # fmt: skip
correct("validation_under_no_grad", """
    def validate(model, x, y):
        model.eval()
        with T.no_grad():
            score = (model(x) - y).abs().mean()
        model.train()
        return score.item()

    for step in range(2):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        best = validate(model, x, y)
""", MODEL)  # fmt: skip
correct("validation_by_a_decorator", """
    @T.no_grad()
    def validate(model, x, y):
        return (model(x) - y).abs().mean().item()

    optimizer.zero_grad()
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    optimizer.step()
    error_left = validate(model, x, y)
""", MODEL)  # fmt: skip
correct("gradients_off_and_on", """
    T.set_grad_enabled(False)
    before = (model(x) - y).pow(2).mean().item()
    T.set_grad_enabled(True)
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
""", MODEL)  # fmt: skip
correct("accuracy_beside_the_loss", """
    net = T.nn.Linear(3, 4)
    x = T.ones(5, 3)
    labels = T.tensor([0, 1, 2, 3, 0])
    scores = net(x)
    loss = T.nn.functional.cross_entropy(scores, labels)
    right = (scores.argmax(1) == labels).float().mean()
    loss.backward()
    print(right.item(), loss.item())
""")  # fmt: skip
correct("index_by_argmax", """
    scores = T.tensor([[1.0, 2.0], [4.0, 3.0]], requires_grad=True)
    best = scores.argmax(1)
    picked = scores.gather(1, best.unsqueeze(1))
    loss = picked.sum()
    loss.backward()
""")  # fmt: skip
correct("mask", """
    w = T.tensor([-1.0, 2.0], requires_grad=True)
    mask = (w > 0).float()
    loss = (w * mask).sum()
    loss.backward()
""")  # fmt: skip
correct("max_pooling", """
    w = T.tensor([[1.0, 2.0], [4.0, 3.0]], requires_grad=True)
    values, places = w.max(1)
    loss = values.sum()
    loss.backward()
""")  # fmt: skip
correct("detached_target", """
    teacher = T.nn.Linear(3, 1)
    target = teacher(x).detach()
    optimizer.zero_grad()
    loss = (model(x) - target).pow(2).mean()
    loss.backward()
    optimizer.step()
""", MODEL)  # fmt: skip
correct("target_under_no_grad", """
    teacher = T.nn.Linear(3, 1)
    with T.no_grad():
        target = teacher(x)
    loss = (model(x) - target).pow(2).mean()
    loss.backward()
""", MODEL)  # fmt: skip
correct("baseline_detached", """
    w = T.ones(3, requires_grad=True)
    reward = (w * 2).sum()
    advantage = reward - reward.detach()
    loss = advantage * 3
    loss.backward()
""")  # fmt: skip
correct("numbers_to_numpy", """
    import numpy as np

    w = T.ones(3, requires_grad=True)
    loss = (w * w).sum()
    loss.backward()
    curve = np.array([loss.item()])
    shown = w.detach().numpy()
""")  # fmt: skip
correct("list_of_numbers", """
    losses = []
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    mean = T.tensor(losses).mean()
""", MODEL)  # fmt: skip
correct("stacked_losses", """
    losses = [(model(x * i) - y).pow(2).mean() for i in range(3)]
    loss = T.stack(losses).mean()
    loss.backward()
""", MODEL)  # fmt: skip
correct("half_frozen", """
    for p in model[0].parameters():
        p.requires_grad = False
    tuner = T.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    tuner.step()
""", MODEL)  # fmt: skip
correct("frozen_and_thawed", """
    model.requires_grad_(False)
    model.requires_grad_(True)
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
""", MODEL)  # fmt: skip
correct("update_in_place", """
    w = T.ones(2, requires_grad=True)
    for step in range(3):
        loss = (w * w).sum()
        loss.backward()
        with T.no_grad():
            w -= 0.1 * w.grad
            w.grad = None
""")  # fmt: skip
correct("update_and_zero", """
    w = T.ones(2, requires_grad=True)
    for step in range(3):
        loss = (w * w).sum()
        loss.backward()
        with T.no_grad():
            w -= 0.1 * w.grad
        w.grad.zero_()
""")  # fmt: skip
correct("update_to_a_new_leaf", """
    w = T.ones(2, requires_grad=True)
    for step in range(3):
        loss = (w * w).sum()
        loss.backward()
        with T.no_grad():
            w = w - 0.1 * w.grad
        w.requires_grad_()
""")  # fmt: skip
correct("update_by_grad", """
    w = T.ones(2, requires_grad=True)
    for step in range(3):
        loss = (w * w).sum()
        (g,) = T.autograd.grad(loss, w)
        w = (w - 0.1 * g).detach().requires_grad_()
""")  # fmt: skip
correct("inner_step_that_is_recorded", """
    w = T.ones(2, requires_grad=True)
    inner = (w * w).sum()
    (g,) = T.autograd.grad(inner, w, create_graph=True)
    fast = w - 0.1 * g
    loss = (fast * fast).sum()
    loss.backward()
""")  # fmt: skip
correct("second_derivative", """
    x = T.tensor(3.0, requires_grad=True)
    y = x ** 3
    (first,) = T.autograd.grad(y, x, create_graph=True)
    (second,) = T.autograd.grad(first, x)
""")  # fmt: skip
correct("gradient_penalty", """
    x = T.ones(4, 3, requires_grad=True)
    score = model(x).sum()
    (g,) = T.autograd.grad(score, x, create_graph=True)
    loss = (g.pow(2).sum(1) - 1).pow(2).mean()
    loss.backward()
""", MODEL)  # fmt: skip
correct("saliency", """
    x = T.ones(4, 3, requires_grad=True)
    score = model(x).sum()
    score.backward()
    shown = x.grad.abs()
""", MODEL)  # fmt: skip
correct("state_detached_between_turns", """
    enter, again = T.nn.Linear(3, 2), T.nn.Linear(2, 2)
    h = T.zeros(1, 2)
    for turn in range(3):
        h = h.detach()
        h = T.tanh(enter(T.ones(1, 3)) + again(h))
        loss = h.pow(2).sum()
        loss.backward()
""")  # fmt: skip
correct("state_over_one_sequence", """
    enter, again = T.nn.Linear(3, 2), T.nn.Linear(2, 2)
    for batch in range(2):
        h = T.zeros(1, 2)
        for t in range(3):
            h = T.tanh(enter(T.ones(1, 3)) + again(h))
        loss = h.pow(2).sum()
        loss.backward()
""")  # fmt: skip
correct("state_in_a_module_detached", """
    class Memory(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.enter = T.nn.Linear(3, 2)
            self.again = T.nn.Linear(2, 2)
            self.h = T.zeros(1, 2)

        def forward(self, x):
            self.h = T.tanh(self.enter(x) + self.again(self.h.detach()))
            return self.h

    memory = Memory()
    for i in range(3):
        loss = memory(T.ones(1, 3)).pow(2).mean()
        loss.backward()
""")  # fmt: skip
correct("features_detached_before_the_loop", """
    encoder = T.nn.Linear(3, 3)
    features = T.tanh(encoder(x)).detach()
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(features) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
""", MODEL)  # fmt: skip
correct("gan", """
    generator, critic = T.nn.Linear(2, 3), T.nn.Linear(3, 1)
    g_opt = T.optim.SGD(generator.parameters(), lr=0.1)
    d_opt = T.optim.SGD(critic.parameters(), lr=0.1)
    for step in range(2):
        fake = T.tanh(generator(T.ones(4, 2)))
        d_loss = critic(fake.detach()).mean() - critic(T.ones(4, 3)).mean()
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
        g_loss = -critic(fake).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
""")  # fmt: skip
correct("two_losses_added", """
    h = model(x)
    first, second = h.mean(), (h * h).mean()
    loss = first + second
    loss.backward()
""", MODEL)  # fmt: skip
correct("in_place_on_what_nobody_saved", """
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.add_(1)
    loss = y.sum()
    loss.backward()
""")  # fmt: skip
correct("relu_in_place_after_a_linear_layer", """
    net = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.ReLU(inplace=True), T.nn.Linear(3, 1))
    loss = net(T.ones(2, 3)).sum()
    loss.backward()
""")  # fmt: skip
correct("in_place_on_a_clone", """
    x = T.ones(3, requires_grad=True)
    y = x.exp()
    z = y.clone()
    z += 1
    loss = z.sum()
    loss.backward()
""")  # fmt: skip
correct("table_of_views", """
    w = T.tensor(2.0, requires_grad=True)
    table = T.zeros(3)
    for i in range(3):
        table[i] = w * i
    loss = table.sum()
    loss.backward()
""")  # fmt: skip
correct("clipped_after_backward", """
    for step in range(2):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        T.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with T.no_grad():
            for p in model.parameters():
                p.clamp_(-0.5, 0.5)
""", MODEL)  # fmt: skip
correct("hook", """
    w = T.ones(3, requires_grad=True)
    h = w * 2
    h.register_hook(lambda g: g * 0.5)
    loss = (h * h).sum()
    loss.backward()
""")  # fmt: skip
correct("own_function", """
    class Double(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2

    w = T.ones(3, requires_grad=True)
    loss = Double.apply(w).sum()
    loss.backward()
""")  # fmt: skip
correct("own_function_with_a_number", """
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    w = T.ones(3, requires_grad=True)
    loss = Scale.apply(w, 3.0).sum()
    loss.backward()
""")  # fmt: skip
correct("straight_through", """
    w = T.tensor([0.3, 0.8], requires_grad=True)
    rounded = w + (w.round() - w).detach()
    loss = (rounded * 2).sum()
    loss.backward()
""")  # fmt: skip
correct("where_with_a_guard", """
    x = T.tensor([0.0, 1.0], requires_grad=True)
    safe = T.where(x > 0, x, T.ones(2))
    y = T.where(x > 0, safe.sqrt(), T.zeros(2))
    loss = y.sum()
""")  # fmt: skip
correct("where_that_is_finite", """
    x = T.tensor([0.5, 1.0], requires_grad=True)
    loss = T.where(x > 0.7, x.sqrt(), x * 2).sum()
""")  # fmt: skip
correct("sqrt_with_epsilon", """
    x = T.zeros(2, requires_grad=True)
    loss = ((x * x).sum() + 1e-8).sqrt()
    loss.backward()
""")  # fmt: skip
correct("zero_gradient_at_a_minimum", """
    x = T.zeros(3, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
""")  # fmt: skip
correct("eval_with_no_grad", """
    model.eval()
    with T.no_grad():
        points = model(x).numpy()
    model.train()
    loss = model(x).mean()
    loss.backward()
""", MODEL)  # fmt: skip
correct("eval_for_adversarial_input", """
    model.eval()
    x = T.ones(5, 3, requires_grad=True)
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    moved = (x + 0.1 * x.grad.sign()).detach()
""", MODEL)  # fmt: skip
correct("module_list", """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = T.nn.ModuleList([T.nn.Linear(2, 2), T.nn.Linear(2, 1)])

        def forward(self, x):
            for layer in self.layers:
                x = T.tanh(layer(x))
            return x

    net = Net()
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    loss = net(T.ones(3, 2)).mean()
    loss.backward()
    opt.step()
""")  # fmt: skip
correct("shared_layer", """
    layer = T.nn.Linear(3, 3)
    x = T.ones(2, 3)
    loss = layer(layer(x)).mean()
    loss.backward()
""")  # fmt: skip
correct("two_optimizers", """
    one = T.optim.SGD(model[0].parameters(), lr=0.1)
    two = T.optim.SGD(model[2].parameters(), lr=0.01)
    for step in range(2):
        one.zero_grad()
        two.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        one.step()
        two.step()
""", MODEL)  # fmt: skip
correct("one_of_two_cleared_between", """
    one = T.optim.SGD(model[0].parameters(), lr=0.1)
    two = T.optim.SGD(model[2].parameters(), lr=0.01)
    for step in range(2):
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        two.step()
        two.zero_grad()
        one.step()
        one.zero_grad()
""", MODEL)  # fmt: skip
correct("copy_of_the_best_model", """
    import copy

    best = copy.deepcopy(model)
    for step in range(2):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        best.load_state_dict(model.state_dict())
""", MODEL)  # fmt: skip
correct("moving_average_of_weights", """
    import copy

    shadow = copy.deepcopy(model)
    shadow.requires_grad_(False)
    for step in range(2):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        with T.no_grad():
            for mine, theirs in zip(shadow.parameters(), model.parameters()):
                mine.mul_(0.9).add_(0.1 * theirs)
""", MODEL)  # fmt: skip
correct("train_step_in_a_function", """
    def train_step(x, y):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    history = [train_step(x, y) for _ in range(3)]
""", MODEL)  # fmt: skip
correct("penalty_in_each_turn", """
    for step in range(3):
        optimizer.zero_grad()
        penalty = sum((p * p).sum() for p in model.parameters())
        loss = (model(x) - y).pow(2).mean() + 0.01 * penalty
        loss.backward()
        optimizer.step()
""", MODEL)  # fmt: skip
correct("data_of_a_weight_at_the_start", """
    model[0].weight.data.fill_(0.1)
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
""", MODEL)  # fmt: skip
correct("weight_by_nn_init", """
    T.nn.init.zeros_(model[2].bias)
    optimizer.zero_grad()
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    optimizer.step()
""", MODEL)  # fmt: skip
correct("backward_with_a_vector", """
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.backward(T.ones(3))
""")  # fmt: skip
correct("unused_is_allowed", """
    a = T.ones(3, requires_grad=True)
    b = T.ones(3, requires_grad=True)
    loss = (a * 2).sum()
    grads = T.autograd.grad(loss, [a, b], allow_unused=True)
""")  # fmt: skip
correct("unbind_without_writing", """
    x = T.ones(2, 3, requires_grad=True)
    first, second = x.unbind(0)
    loss = (first * 2 + second).sum()
    loss.backward()
""")  # fmt: skip
correct("embedding", """
    table = T.nn.Embedding(5, 2)
    ids = T.tensor([1, 3])
    loss = table(ids).pow(2).sum()
    loss.backward()
""")  # fmt: skip
correct("multitask", """
    body, one, two = T.nn.Linear(3, 3), T.nn.Linear(3, 1), T.nn.Linear(3, 1)
    h = T.tanh(body(T.ones(2, 3)))
    loss = one(h).mean() + 0.5 * two(h).mean()
    loss.backward()
""")  # fmt: skip
correct("dropout", """
    net = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Dropout(0.5), T.nn.Linear(3, 1))
    loss = net(T.ones(2, 3)).mean()
    loss.backward()
""")  # fmt: skip
correct("made_leaf_last", """
    w = (T.ones(3) * 0.1).requires_grad_()
    loss = (w * w).sum()
    loss.backward()
""")  # fmt: skip
correct("cleared_at_the_end_of_an_epoch", """
    for epoch in range(2):
        for batch in range(2):
            optimizer.zero_grad()
            loss = (model(x) - y).pow(2).mean()
            loss.backward()
            optimizer.step()
        optimizer.zero_grad()
""", MODEL)  # fmt: skip
correct("log_softmax", """
    logits = T.zeros(2, 3, requires_grad=True)
    loss = -T.log_softmax(logits, 1)[:, 0].mean()
    loss.backward()
""")  # fmt: skip
correct("power_of_a_leaf", """
    w = T.tensor([1.0, 2.0], requires_grad=True)
    loss = (w ** 2).sum().sqrt()
    loss.backward()
""")  # fmt: skip
correct("leaves_in_a_dict", """
    params = {"w": T.ones(3, requires_grad=True), "b": T.zeros(1, requires_grad=True)}
    loss = (params["w"] * 2 + params["b"]).sum()
    loss.backward()
""")  # fmt: skip
correct("clipped_through_data_after_the_step", """
    for step in range(2):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        model[0].weight.data.clamp_(-0.5, 0.5)
""", MODEL)  # fmt: skip
correct("data_of_the_input_changed_after_backward", """
    x = T.ones(5, 3, requires_grad=True)
    loss = (model(x) - y).pow(2).mean()
    loss.backward()
    x.data += 0.1 * x.grad
""", MODEL)  # fmt: skip

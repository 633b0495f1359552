"""More programs that work, as unlike each other as those that do not: no line may be blamed."""

from __future__ import annotations

from .correct_programs import written

CORRECT: dict[str, str] = {}


def correct(name: str, text: str) -> None:
    CORRECT[name] = written(text)


correct(
    "style_transfer_ok",
    """
    vgg = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.ReLU())
    for p in vgg.parameters():
        p.requires_grad_(False)
    image = T.rand(2, 3).requires_grad_()
    opt = T.optim.Adam([image], lr=0.1)
    target = vgg(T.ones(2, 3))
    for i in range(3):
        opt.zero_grad()
        loss = (vgg(image) - target).pow(2).mean()
        loss.backward()
        opt.step()
    """,
)
correct(
    "dqn_ok",
    """
    q, target = T.nn.Linear(3, 2), T.nn.Linear(3, 2)
    target.load_state_dict(q.state_dict())
    opt = T.optim.SGD(q.parameters(), lr=0.1)
    for i in range(3):
        s, s2 = T.randn(4, 3), T.randn(4, 3)
        with T.no_grad():
            goal = 1.0 + 0.9 * target(s2).max(1)[0]
        value = q(s).gather(1, T.zeros(4, 1).long()).squeeze(1)
        loss = (value - goal).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with T.no_grad():
            for a, b in zip(target.parameters(), q.parameters()):
                a.mul_(0.9).add_(0.1 * b)
    """,
)
correct(
    "reinforce_ok",
    """
    net = T.nn.Linear(4, 2)
    opt = T.optim.Adam(net.parameters())
    logps, rewards = [], []
    for t in range(4):
        logp = T.log_softmax(net(T.randn(4)), -1)
        a = int(logp.exp().multinomial(1))
        logps.append(logp[a])
        rewards.append(float(a))
    g = T.tensor([sum(rewards[i:]) for i in range(4)])
    loss = -(T.stack(logps) * g).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    """,
)
correct(
    "rnn_detached_ok",
    """
    cell = T.nn.Linear(5, 3)
    opt = T.optim.SGD(cell.parameters(), lr=0.1)
    h = T.zeros(1, 3)
    for i in range(4):
        h = h.detach()
        for t in range(3):
            h = T.tanh(cell(T.cat([T.randn(1, 2), h], 1)))
        loss = h.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "gan_ok",
    """
    G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
    og, od = T.optim.SGD(G.parameters(), lr=.1), T.optim.SGD(D.parameters(), lr=.1)
    for i in range(3):
        fake = G(T.randn(4, 1))
        ld = D(fake.detach()).mean() - D(T.randn(4, 2)).mean()
        od.zero_grad(); ld.backward(); od.step()
        loss = -D(fake).mean()
        og.zero_grad(); loss.backward(); og.step()
    """,
)
correct(
    "pinn_ok",
    """
    net = T.nn.Sequential(T.nn.Linear(1, 6), T.nn.Tanh(), T.nn.Linear(6, 1))
    opt = T.optim.Adam(net.parameters())
    for i in range(2):
        t = T.rand(5, 1).requires_grad_()
        u = net(t)
        du = T.autograd.grad(u.sum(), t, create_graph=True)[0]
        ddu = T.autograd.grad(du.sum(), t, create_graph=True)[0]
        loss = (ddu + u).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "vae_ok",
    """
    enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
    x = T.randn(3, 4)
    mu, logvar = enc(x).chunk(2, 1)
    z = mu + T.exp(0.5 * logvar) * T.randn_like(mu)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()
    loss = (dec(z) - x).pow(2).mean() + 0.01 * kl
    loss.backward()
    """,
)
correct(
    "total_item_ok",
    """
    m = T.nn.Linear(2, 1)
    total = 0.0
    for i in range(3):
        loss = m(T.ones(2, 2)).pow(2).mean()
        m.zero_grad()
        loss.backward()
        total += loss.item()
    """,
)
correct(
    "accumulate_steps_ok",
    """
    m = T.nn.Linear(2, 1)
    opt = T.optim.SGD(m.parameters(), lr=0.1)
    opt.zero_grad()
    for i in range(4):
        loss = m(T.randn(2, 2)).pow(2).mean() / 2
        loss.backward()
        if (i + 1) % 2 == 0:
            opt.step()
            opt.zero_grad()
    loss = m(T.randn(2, 2)).pow(2).mean()
    loss.backward()
    """,
)
correct(
    "sum_of_losses_once_ok",
    """
    m = T.nn.Linear(2, 1)
    total = 0
    for i in range(3):
        total += m(T.randn(2, 2)).pow(2).mean()
    loss = total / 3
    loss.backward()
    """,
)
correct(
    "maml_ok",
    """
    w = T.randn(2, 1, requires_grad=True)
    x, y = T.randn(6, 2), T.randn(6, 1)
    inner = (x @ w - y).pow(2).mean()
    g, = T.autograd.grad(inner, [w], create_graph=True)
    fast = w - 0.1 * g
    loss = (x @ fast - y).pow(2).mean()
    loss.backward()
    """,
)
correct(
    "byol_stop_gradient_ok",
    """
    online, target, pred = T.nn.Linear(3, 2), T.nn.Linear(3, 2), T.nn.Linear(2, 2)
    for p in target.parameters():
        p.requires_grad = False
    opt = T.optim.SGD([*online.parameters(), *pred.parameters()], lr=0.1)
    for i in range(2):
        a, b = T.randn(4, 3), T.randn(4, 3)
        loss = (pred(online(a)) - target(b)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "straight_through_ok",
    """
    w = T.randn(4, requires_grad=True)
    hard = (w > 0).float()
    ste = hard.detach() + w - w.detach()
    loss = (ste * T.arange(4.0)).sum()
    loss.backward()
    """,
)
correct(
    "early_stopping_state_ok",
    """
    m = T.nn.Linear(2, 1)
    opt = T.optim.SGD(m.parameters(), lr=0.1)
    best, state = float("inf"), None
    for i in range(3):
        m.train()
        loss = m(T.ones(2, 2)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        m.eval()
        with T.no_grad():
            val = m(T.zeros(1, 2)).pow(2).mean().item()
        if val < best:
            best, state = val, {k: v.clone() for k, v in m.state_dict().items()}
    """,
)
correct(
    "clip_and_schedule_ok",
    """
    m = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
    opt = T.optim.AdamW(m.parameters(), lr=1e-2)
    s = T.optim.lr_scheduler.StepLR(opt, 1)
    for i in range(2):
        loss = m(T.randn(3, 2)).pow(2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        T.nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        opt.step()
        s.step()
    """,
)
correct(
    "tbptt_two_state_ok",
    """
    class Cell(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.i, self.h = T.nn.Linear(2, 3), T.nn.Linear(3, 3)
        def forward(self, x, state):
            h, c = state
            c = T.tanh(self.i(x) + self.h(h)) + c
            return c, (T.tanh(c), c)
    cell = Cell()
    opt = T.optim.SGD(cell.parameters(), lr=0.1)
    state = (T.zeros(1, 3), T.zeros(1, 3))
    for i in range(3):
        state = tuple(s.detach() for s in state)
        out, state = cell(T.randn(1, 2), state)
        loss = out.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "balancer_detached_ok",
    """
    class Balancer:
        def __init__(self):
            self.avg = None
        def __call__(self, loss):
            value = loss.detach()
            self.avg = value if self.avg is None else 0.9 * self.avg + 0.1 * value
            return loss / self.avg
    net = T.nn.Linear(3, 1)
    bal = Balancer()
    for i in range(3):
        loss = bal(net(T.randn(4, 3)).pow(2).mean())
        net.zero_grad()
        loss.backward()
    """,
)
correct(
    "hook_store_ok",
    """
    acts = {}
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Linear(3, 1))
    net[0].register_forward_hook(lambda m, i, o: acts.__setitem__("h", o))
    out = net(T.ones(2, 2))
    loss = out.mean() + acts["h"].abs().mean()
    loss.backward()
    """,
)
correct(
    "context_timer_ok",
    """
    import contextlib
    @contextlib.contextmanager
    def timer(log):
        with T.no_grad():
            log.append(1)
        yield
    log = []
    net = T.nn.Linear(2, 1)
    with timer(log):
        loss = net(T.ones(1, 2)).sum()
    loss.backward()
    """,
)
correct(
    "eval_context_ok",
    """
    import contextlib
    @contextlib.contextmanager
    def evaluating(m):
        m.eval()
        with T.no_grad():
            yield m
        m.train()
    net = T.nn.Linear(2, 1)
    with evaluating(net) as m:
        val = m(T.ones(1, 2)).mean()
    loss = net(T.ones(1, 2)).mean()
    loss.backward()
    """,
)
correct(
    "checkpoint_ok",
    """
    import importlib
    cp = importlib.import_module(f"{T.__name__}.utils.checkpoint").checkpoint
    net = T.nn.Linear(2, 2)
    out = cp(net, T.ones(1, 2), use_reentrant=False)
    loss = out.sum()
    loss.backward()
    """,
)
correct(
    "ema_weights_ok",
    """
    net, ema = T.nn.Linear(2, 1), T.nn.Linear(2, 1)
    for p in ema.parameters():
        p.requires_grad_(False)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        loss = net(T.ones(1, 2)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with T.no_grad():
            for e, p in zip(ema.parameters(), net.parameters()):
                e.copy_(0.9 * e + 0.1 * p)
    """,
)
correct(
    "jacobian_ok",
    """
    x = T.randn(3, requires_grad=True)
    y = T.tanh(x * 2)
    rows = [T.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(3)]
    loss = y.sum()
    loss.backward()
    """,
)
correct(
    "fgsm_ok",
    """
    model = T.nn.Linear(4, 1)
    x = T.randn(2, 4)
    adv = x.clone().requires_grad_()
    loss = model(adv).sum()
    loss.backward()
    with T.no_grad():
        perturbed = adv + 0.1 * adv.grad.sign()
    """,
)
correct(
    "pgd_ok",
    """
    model = T.nn.Linear(4, 1)
    adv = T.zeros(2, 4, requires_grad=True)
    for i in range(3):
        loss = model(adv).sum()
        g, = T.autograd.grad(loss, adv)
        adv = (adv + 0.01 * g.sign()).detach().requires_grad_()
    loss = model(adv).sum()
    loss.backward()
    """,
)
correct(
    "log_losses_list_ok",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    logs = {"train": [], "val": []}
    for i in range(3):
        loss = net(T.randn(3, 2)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        logs["train"].append(loss.detach())
        with T.no_grad():
            logs["val"].append(net(T.randn(3, 2)).pow(2).mean())
    """,
)
correct(
    "round_metric_ok",
    """
    net = T.nn.Linear(2, 1)
    out = net(T.randn(4, 2))
    acc = (T.round(T.sigmoid(out)) == 1).float().mean()
    loss = out.pow(2).mean()
    loss.backward()
    """,
)
correct(
    "ste_round_ok",
    """
    w = T.randn(4, requires_grad=True)
    q = w + (T.round(w) - w).detach()
    loss = (q * q).sum()
    loss.backward()
    """,
)
correct(
    "tied_weights_ok",
    """
    class Auto(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.enc = T.nn.Linear(4, 2, bias=False)
        def forward(self, x):
            return T.sigmoid(self.enc(x)) @ self.enc.weight
    net = Auto()
    loss = (net(T.ones(2, 4)) - 1).pow(2).mean()
    loss.backward()
    """,
)
correct(
    "param_groups_frozen_part_ok",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.body, self.head = T.nn.Linear(2, 3), T.nn.Linear(3, 1)
            for p in self.body.parameters():
                p.requires_grad = False
        def forward(self, x):
            with T.no_grad():
                h = self.body(x)
            return self.head(h)
    net = Net()
    opt = T.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
    for i in range(2):
        loss = net(T.ones(2, 2)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "replay_detached_ok",
    """
    G, D = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
    og, od = T.optim.Adam(G.parameters()), T.optim.Adam(D.parameters())
    pool = []
    for it in range(3):
        fake = G(T.randn(2, 2))
        loss = -D(fake).mean()
        og.zero_grad(); loss.backward(); og.step()
        pool.append(fake.detach())
        loss_d = D(T.cat(pool)).mean()
        od.zero_grad(); loss_d.backward(); od.step()
    """,
)
correct(
    "rollout_bptt_ok",
    """
    f = T.nn.Linear(4, 3)
    opt = T.optim.SGD(f.parameters(), lr=0.1)
    for episode in range(2):
        s = T.zeros(1, 3)
        for t in range(3):
            s = T.tanh(f(T.cat([s, T.ones(1, 1)], -1)))
        loss = (s - 1).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "queue_clone_ok",
    """
    enc = T.nn.Linear(3, 2)
    queue = T.randn(4, 2)
    for i in range(2):
        q, k = enc(T.randn(2, 3)), enc(T.randn(2, 3)).detach()
        logits = q @ queue.clone().T
        queue[:2] = k
        loss = -T.log_softmax(logits, 1)[:, 0].mean()
        loss.backward()
    """,
)
correct(
    "property_ok",
    """
    class P:
        def __init__(self):
            self.raw = T.zeros(2, requires_grad=True)
        @property
        def value(self):
            return T.exp(self.raw)
    p = P()
    opt = T.optim.SGD([p.raw], lr=0.1)
    for i in range(2):
        loss = (p.value - 2).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "custom_function_ok",
    """
    class Exp(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y
        @staticmethod
        def backward(ctx, g):
            y, = ctx.saved_tensors
            return g * y
    x = T.ones(3, requires_grad=True)
    loss = Exp.apply(x).sum()
    loss.backward()
    """,
)
correct(
    "no_grad_stats_ok",
    """
    net = T.nn.Linear(2, 1)
    stats = []
    for i in range(3):
        out = net(T.randn(4, 2))
        loss = out.pow(2).mean()
        net.zero_grad()
        loss.backward()
        with T.no_grad():
            stats.append((out.mean(), out.max()))
            for p in net.parameters():
                p -= 0.1 * p.grad
    """,
)
correct(
    "closure_optimizer_ok",
    """
    w = T.ones(2, requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1)
    def closure():
        opt.zero_grad()
        loss = (w ** 2).sum()
        loss.backward()
        return loss
    for i in range(2):
        loss = opt.step(closure)
    """,
)
correct(
    "list_state_reset_ok",
    """
    net = T.nn.Linear(2, 1)
    for epoch in range(2):
        losses = []
        for i in range(3):
            losses.append(net(T.randn(2, 2)).pow(2).mean())
        loss = T.stack(losses).mean()
        net.zero_grad()
        loss.backward()
    """,
)
correct(
    "grad_norm_logging_ok",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    norms = []
    for i in range(2):
        loss = net(T.randn(2, 2)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        norms.append(sum(p.grad.norm().item() ** 2 for p in net.parameters()) ** 0.5)
        opt.step()
    """,
)
correct(
    "partial_freeze_ok",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
    net[0].weight.requires_grad = False
    loss = net(T.ones(2, 2)).sum()
    loss.backward()
    """,
)
correct(
    "double_backward_ok",
    """
    x = T.tensor(2.0, requires_grad=True)
    y = x ** 3
    g, = T.autograd.grad(y, x, create_graph=True)
    loss = g ** 2
    loss.backward()
    """,
)
correct(
    "decorated_timer_ok",
    """
    import functools
    def logged(f):
        @functools.wraps(f)
        def inner(*a, **k):
            return f(*a, **k)
        return inner
    class M(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(2, 1)
        @logged
        def forward(self, x):
            return self.l(x)
    m = M()
    loss = m(T.ones(1, 2)).sum()
    loss.backward()
    """,
)
correct(
    "accuracy_beside_ok",
    """
    net = T.nn.Linear(2, 3)
    x, y = T.randn(4, 2), T.tensor([0, 1, 2, 0])
    out = net(x)
    acc = (out.argmax(1) == y).float().mean()
    loss = -T.log_softmax(out, 1)[T.arange(4), y].mean()
    loss.backward()
    """,
)
correct(
    "hook_scale_ok",
    """
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g * 0.5)
    loss = y.sum()
    loss.backward()
    """,
)
correct(
    "sum_in_object_item_ok",
    """
    class Meter:
        def __init__(self):
            self.total = 0.0
        def add(self, v):
            self.total += v
    meter = Meter()
    net = T.nn.Linear(2, 1)
    for i in range(3):
        loss = net(T.randn(2, 2)).pow(2).mean()
        net.zero_grad()
        loss.backward()
        meter.add(loss.item())
    """,
)
correct(
    "bilevel_ok",
    """
    alpha = T.tensor(0.1, requires_grad=True)
    w = T.ones(3, requires_grad=True)
    x, y = T.randn(5, 3), T.randn(5)
    inner = (x @ w - y).pow(2).mean() + alpha * w.pow(2).sum()
    g, = T.autograd.grad(inner, w, create_graph=True)
    loss = (x @ (w - 0.1 * g) - y).pow(2).mean()
    loss.backward()
    """,
)
correct(
    "decoder_ok",
    """
    cell, out = T.nn.Linear(5, 3), T.nn.Linear(3, 2)
    y, h = T.zeros(1, 2), T.zeros(1, 3)
    outs = []
    for i in range(3):
        h = T.tanh(cell(T.cat([y.detach(), h], 1)))
        y = out(h)
        outs.append(y)
    loss = T.cat(outs).pow(2).mean()
    loss.backward()
    """,
)
correct(
    "memo_cleared_ok",
    """
    net = T.nn.Linear(2, 2)
    memo = {}
    def encode(k):
        if k not in memo:
            memo[k] = T.tanh(net(T.ones(2) * k))
        return memo[k]
    for epoch in range(2):
        memo.clear()
        loss = (encode(1) + encode(2) + encode(1)).pow(2).sum()
        net.zero_grad()
        loss.backward()
    """,
)
correct(
    "kalman_ok",
    """
    q = T.tensor(0.1, requires_grad=True)
    mean, var = T.tensor(0.0), T.tensor(1.0)
    terms = []
    for z in [1.0, 1.2]:
        var = var + q * q
        gain = var / (var + 1)
        mean = mean + gain * (z - mean)
        var = (1 - gain) * var
        terms.append((mean - z) ** 2)
    loss = T.stack(terms).sum()
    loss.backward()
    """,
)
correct(
    "param_slice_no_grad_ok",
    """
    lin = T.nn.Linear(3, 2)
    with T.no_grad():
        lin.weight[0] = T.zeros(3)
    loss = lin(T.ones(1, 3)).sum()
    loss.backward()
    """,
)
correct(
    "frozen_backbone_eval_ok",
    """
    backbone, head = T.nn.Linear(2, 3), T.nn.Linear(3, 1)
    backbone.eval()
    for p in backbone.parameters():
        p.requires_grad = False
    opt = T.optim.SGD(head.parameters(), lr=0.1)
    with T.no_grad():
        feats = backbone(T.ones(4, 2))
    for i in range(2):
        loss = head(feats).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "relu_dead_ok",
    """
    w = T.tensor([-1.0, 2.0], requires_grad=True)
    loss = T.relu(w).sum()
    loss.backward()
    """,
)
correct(
    "sign_beside_ok",
    """
    w = T.tensor([-1.0, 2.0], requires_grad=True)
    loss = (w.abs() + T.sign(w)).sum()
    loss.backward()
    """,
)
correct(
    "branch_ok",
    """
    def robust(loss, limit):
        if loss > limit:
            return loss * 0.5
        return loss
    w = T.ones(2, requires_grad=True)
    loss = robust((w * 10).sum(), 5.0)
    loss.backward()
    """,
)
correct(
    "step_then_new_loss_ok",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(2):
        pred = net(T.ones(4, 2))
        loss = pred.pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
    """,
)
correct(
    "container_of_outputs_ok",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.t, self.a, self.b = T.nn.Linear(2, 3), T.nn.Linear(3, 1), T.nn.Linear(3, 1)
        def forward(self, x):
            h = T.relu(self.t(x))
            return {"a": self.a(h), "b": self.b(h)}
    net = Net()
    outs = net(T.ones(2, 2))
    losses = {k: v.pow(2).mean() for k, v in outs.items()}
    loss = sum(losses.values())
    loss.backward()
    """,
)
correct(
    "dataclass_batch_ok",
    """
    from dataclasses import dataclass
    @dataclass
    class Out:
        loss: object
        acc: float
    net = T.nn.Linear(2, 2)
    def step(x, y):
        z = net(x)
        return Out(loss=(z - y).pow(2).mean(), acc=float((z > 0).float().mean()))
    out = step(T.ones(2, 2), T.zeros(2, 2))
    loss = out.loss
    loss.backward()
    """,
)
correct(
    "generator_of_losses_ok",
    """
    net = T.nn.Linear(2, 1)
    def terms():
        for i in range(3):
            yield net(T.ones(2) * i).sum()
    loss = sum(terms())
    loss.backward()
    """,
)
correct(
    "inplace_before_use_ok",
    """
    w = T.randn(3, requires_grad=True)
    h = w * 2
    h += 1
    loss = h.sum()
    loss.backward()
    """,
)
correct(
    "temperature_detached_ok",
    """
    t = T.tensor(1.0, requires_grad=True)
    logits = T.randn(3, 2, requires_grad=True)
    loss = -T.log_softmax(logits.detach() / t, 1)[:, 0].mean() + logits.pow(2).mean()
    loss.backward()
    """,
)
correct(
    "lagrangian_ok",
    """
    x = T.tensor([1.0, 2.0], requires_grad=True)
    lam = T.tensor(0.0)
    opt = T.optim.SGD([x], lr=0.1)
    for it in range(3):
        h = x.sum() - 1
        loss = x.pow(2).sum() + lam * h
        opt.zero_grad()
        loss.backward()
        opt.step()
        lam = lam + 0.5 * h.detach()
    """,
)
correct(
    "table_by_list_ok",
    """
    theta = T.tensor([0.1, 0.2], requires_grad=True)
    V = [T.zeros(())]
    for s in (1, 0):
        V.append(theta[s] * V[-1] + theta[s] ** 2)
    loss = V[-1]
    loss.backward()
    """,
)
correct(
    "fill_buffer_ok",
    """
    theta = T.tensor([0.1, 0.2], requires_grad=True)
    out = T.zeros(2)
    for i in range(2):
        out[i] = theta[i] * 2
    loss = out.sum()
    loss.backward()
    """,
)
correct(
    "saliency_ok",
    """
    net = T.nn.Linear(4, 1)
    image = (T.rand(1, 4) * 2 - 1).requires_grad_()
    loss = net(image).sum()
    loss.backward()
    saliency = image.grad.abs().max()
    """,
)
correct(
    "sam_ok",
    """
    net = T.nn.Linear(2, 1)
    x = T.ones(4, 2)
    loss = net(x).pow(2).mean()
    loss.backward()
    old = [p.detach().clone() for p in net.parameters()]
    with T.no_grad():
        for p in net.parameters():
            p.add_(0.05 * p.grad)
    net.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    with T.no_grad():
        for p, o in zip(net.parameters(), old):
            p.copy_(o)
            p -= 0.1 * p.grad
    """,
)
correct(
    "td_detached_ok",
    """
    class Agent:
        def __init__(self):
            self.v = T.nn.Linear(2, 1)
            self.opt = T.optim.SGD(self.v.parameters(), lr=0.1)
            self.last = None
        def learn(self, s, r):
            value = self.v(s).sum()
            if self.last is not None:
                loss = (r + 0.9 * self.last - value).pow(2)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            self.last = value.detach()
    agent = Agent()
    for i in range(4):
        agent.learn(T.ones(2) * i, 1.0)
    """,
)
correct(
    "safe_where_ok",
    """
    a = T.tensor([[1.0, 1.0], [2.0, 0.0]], requires_grad=True)
    d2 = (a[:, 0] - a[:, 1]).pow(2)
    loss = T.where(d2 == 0, T.zeros(2), T.where(d2 == 0, T.ones(2), d2).sqrt()).sum()
    loss.backward()
    """,
)
correct(
    "seen_detached_ok",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(3, 2)
            self.seen = []
        def forward(self, x):
            z = T.tanh(self.l(x))
            self.seen.append(z.detach())
            return z + T.stack(self.seen).mean(0)
    net = Net()
    for i in range(3):
        loss = net(T.randn(1, 3)).pow(2).sum()
        net.zero_grad()
        loss.backward()
    """,
)
correct(
    "spectral_ok",
    """
    W = T.nn.Parameter(T.randn(3, 3))
    u = T.ones(3)
    for i in range(2):
        with T.no_grad():
            v = W.T @ u
            u = W @ v / (W @ v).norm()
        loss = u @ W @ v
        loss.backward()
    """,
)
correct(
    "hyper_ok",
    """
    class Hyper(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.z = T.nn.Parameter(T.zeros(2))
            self.gen = T.nn.Linear(2, 3)
    h = Hyper()
    loss = (h.gen(h.z) * T.ones(3)).sum()
    loss.backward()
    """,
)
correct(
    "two_optimizers_ok",
    """
    a, b = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
    oa, ob = T.optim.SGD(a.parameters(), lr=.1), T.optim.SGD(b.parameters(), lr=.1)
    for i in range(2):
        h = a(T.ones(1, 2))
        loss = b(h).mean() + h.pow(2).mean()
        oa.zero_grad(); ob.zero_grad()
        loss.backward()
        oa.step(); ob.step()
    """,
)
correct(
    "clone_before_inplace_ok",
    """
    q = T.randn(2, 4, requires_grad=True)
    a = T.softmax(q, -1)
    b = a.clone()
    b *= 0.5
    loss = (a * b).sum()
    loss.backward()
    """,
)
correct(
    "momentum_ok",
    """
    w = T.ones(2, requires_grad=True)
    v = T.zeros(2)
    for i in range(3):
        loss = (w ** 2).sum()
        loss.backward()
        with T.no_grad():
            v = 0.9 * v + w.grad
            w -= 0.1 * v
        w.grad = None
    loss = (w ** 2).sum()
    loss.backward()
    """,
)
correct(
    "eval_grad_ok",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Dropout(0.5))
    net.eval()
    x = T.ones(1, 2, requires_grad=True)
    loss = net(x).sum()
    loss.backward()
    """,
)
correct(
    "list_grads_ok",
    """
    net = T.nn.Linear(2, 1)
    loss = net(T.ones(1, 2)).sum()
    grads = T.autograd.grad(loss, list(net.parameters()))
    with T.no_grad():
        for p, g in zip(net.parameters(), grads):
            p -= 0.1 * g
    """,
)
correct(
    "closure_state_ok",
    """
    def make():
        cell = T.nn.Linear(4, 2)
        h = T.zeros(1, 2)
        def run(x):
            nonlocal h
            h = T.tanh(cell(T.cat([x, h.detach()], 1)))
            return h
        return cell, run
    cell, run = make()
    for i in range(3):
        loss = run(T.randn(1, 2)).pow(2).sum()
        loss.backward()
    """,
)
correct(
    "no_grad_predict_ok",
    """
    class R:
        def __init__(self):
            self.net = T.nn.Linear(2, 1)
        def predict(self, X):
            with T.no_grad():
                return self.net(X)
    r = R()
    pred = r.predict(T.ones(1, 2))
    loss = (r.net(T.ones(1, 2)) - pred).pow(2).mean()
    loss.backward()
    """,
)
correct(
    "partial_ok",
    """
    import functools
    def scaled(model, x, k):
        return model(x) * k
    model = T.nn.Linear(2, 1)
    f = functools.partial(scaled, model, k=2.0)
    loss = f(T.ones(1, 2)).sum()
    loss.backward()
    """,
)
correct(
    "conditional_detach_ok",
    """
    net = T.nn.Linear(2, 2)
    stop = False
    h = net(T.ones(1, 2))
    z = h.detach() if stop else h
    loss = z.sum()
    loss.backward()
    """,
)
correct(
    "masked_mean_ok",
    """
    x = T.tensor([1.0, 2.0], requires_grad=True)
    mask = T.tensor([0.0, 1.0])
    loss = (x * mask).sum() / mask.sum().clamp(min=1)
    loss.backward()
    """,
)
correct(
    "viterbi_value_ok",
    """
    trans = T.nn.Parameter(T.zeros(3, 3))
    score = T.randn(3)
    for i in range(3):
        best, back = (score.unsqueeze(1) + trans).max(0)
        score = best
    loss = -score.max()
    loss.backward()
    """,
)
correct(
    "out_of_place_graph_ok",
    """
    lin = T.nn.Linear(2, 2)
    h = list(T.sigmoid(lin(T.randn(4, 2))))
    for a, b in [(0, 1), (1, 2)]:
        h[b] = h[b] + h[a]
    loss = T.stack(h).pow(2).sum()
    loss.backward()
    """,
)
correct(
    "default_argument_ok",
    """
    net = T.nn.Linear(2, 1)
    def step(x, log=[]):
        out = net(x).pow(2).mean()
        log.append(out.item())
        return out
    for i in range(2):
        loss = step(T.ones(1, 2))
        net.zero_grad()
        loss.backward()
    """,
)
correct(
    "style_ok",
    """
    feat = T.nn.Linear(3, 3)
    def gram(x):
        f = feat(x)
        return f.T @ f
    with T.no_grad():
        style = gram(T.randn(4, 3))
    image = T.randn(4, 3, requires_grad=True)
    for step in range(2):
        loss = (gram(image) - style).pow(2).mean()
        image.grad = None
        loss.backward()
    """,
)
correct(
    "weight_decay_ok",
    """
    net = T.nn.Linear(2, 1)
    loss = net(T.ones(1, 2)).sum() + 0.1 * sum(p.pow(2).sum() for p in net.parameters())
    loss.backward()
    """,
)
correct(
    "set_grad_enabled_both_ok",
    """
    net = T.nn.Linear(2, 1)
    for train in (False, True):
        with T.set_grad_enabled(train):
            loss = net(T.ones(1, 2)).sum()
    loss.backward()
    """,
)
correct(
    "loss_dict_ok",
    """
    net = T.nn.Linear(2, 2)
    out = net(T.ones(3, 2))
    parts = {"a": out[:, 0].pow(2).mean(), "b": out[:, 1].abs().mean()}
    logged = {k: v.item() for k, v in parts.items()}
    loss = parts["a"] + 0.5 * parts["b"]
    loss.backward()
    """,
)
correct(
    "inplace_on_data_copy_ok",
    """
    net = T.nn.Linear(2, 1)
    x = T.randn(5, 2)
    x -= x.mean(0)
    loss = net(x).mean()
    loss.backward()
    """,
)
correct(
    "total_then_backward_ok",
    """
    net = T.nn.Linear(2, 1)
    total = T.zeros(())
    for i in range(3):
        total = total + net(T.randn(2, 2)).pow(2).mean()
    loss = total
    loss.backward()
    """,
)
correct(
    "cached_constant_ok",
    """
    import functools
    @functools.lru_cache(None)
    def table(n):
        return T.arange(float(n))
    w = T.ones(3, requires_grad=True)
    for i in range(2):
        loss = (w * table(3)).sum()
        w.grad = None
        loss.backward()
    """,
)
correct(
    "char_rnn_ok",
    """
    rnn = T.nn.Linear(7, 4)
    opt = T.optim.Adam(rnn.parameters())
    for epoch in range(2):
        hidden = T.zeros(1, 4)
        loss = 0
        for t in range(3):
            hidden = T.tanh(rnn(T.cat([T.eye(3)[t:t + 1], hidden], 1)))
            loss = loss + hidden.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "critic_steps_ok",
    """
    G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
    od = T.optim.SGD(D.parameters(), lr=0.1)
    fake = G(T.randn(4, 1)).detach()
    for k in range(3):
        loss = D(fake).mean() - D(T.randn(4, 2)).mean()
        od.zero_grad()
        loss.backward()
        od.step()
    """,
)
correct(
    "penalty_ok",
    """
    D = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    with T.no_grad():
        mix = 0.5 * T.randn(3, 2) + 0.5 * T.randn(3, 2)
    mix.requires_grad_()
    g = T.autograd.grad(D(mix).sum(), mix, create_graph=True)[0]
    loss = ((g.norm(2, 1) - 1) ** 2).mean()
    loss.backward()
    """,
)
correct(
    "saved_log_probs_ok",
    """
    pi = T.nn.Linear(3, 2)
    saved = []
    def select(s):
        probs = T.softmax(pi(s), -1)
        a = int(T.multinomial(probs.detach(), 1))
        saved.append(T.log(probs[a]))
        return a
    rewards = [float(select(T.randn(3))) for _ in range(4)]
    loss = sum(-lp * r for lp, r in zip(saved, rewards))
    loss.backward()
    """,
)
correct(
    "scratch_regression_ok",
    """
    X, y = T.randn(10, 2), T.randn(10)
    w = T.zeros(2, requires_grad=True)
    for epoch in range(3):
        loss = (X @ w - y).pow(2).mean()
        loss.backward()
        with T.no_grad():
            w -= 0.1 * w.grad
            w.grad.zero_()
    """,
)
correct(
    "average_of_weights_ok",
    """
    net = T.nn.Linear(2, 1)
    avg = T.zeros(1, 2)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        avg = 0.9 * avg + 0.1 * net.weight.detach()
        loss = (net(T.ones(1, 2)) ** 2).sum() + (net.weight * avg).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
)
correct(
    "unfreeze_ok",
    """
    net = T.nn.Linear(2, 1)
    for p in net.parameters():
        p.requires_grad = False
    warm = net(T.ones(1, 2)).item()
    for p in net.parameters():
        p.requires_grad = True
    loss = net(T.ones(1, 2)).sum()
    loss.backward()
    """,
)
correct(
    "ensemble_ok",
    """
    class Ens(T.nn.Module):
        def __init__(self, n):
            super().__init__()
            self.members = T.nn.ModuleList([T.nn.Linear(2, 1) for _ in range(n)])
        def forward(self, x):
            return sum(m(x) for m in self.members)
    ens = Ens(2)
    loss = ens(T.ones(1, 2)).sum()
    loss.backward()
    """,
)
correct(
    "safe_distance_ok",
    """
    pts = T.randn(3, 2, requires_grad=True)
    diff = pts.unsqueeze(0) - pts.unsqueeze(1)
    loss = ((diff ** 2).sum(-1) + 1e-8).sqrt().sum()
    loss.backward()
    """,
)
correct(
    "function_none_for_flag_ok",
    """
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.k = k
            return x * k
        @staticmethod
        def backward(ctx, g):
            return g * ctx.k, None
    x = T.ones(2, requires_grad=True)
    loss = Scale.apply(x, 3.0).sum()
    loss.backward()
    """,
)
correct(
    "mask_beside_value_ok",
    """
    w = T.randn(5, requires_grad=True)
    mask = (w.abs() > 0.5).float()
    loss = (w * mask).pow(2).sum()
    loss.backward()
    """,
)
correct(
    "gathered_q_ok",
    """
    q = T.nn.Linear(3, 2)
    values = q(T.randn(4, 3))
    best = values.max(1).indices
    loss = -values.gather(1, best.unsqueeze(1)).mean()
    loss.backward()
    """,
)
correct(
    "two_passes_added_ok",
    """
    enc, h1, h2 = T.nn.Linear(3, 4), T.nn.Linear(4, 1), T.nn.Linear(4, 1)
    z = T.relu(enc(T.randn(5, 3)))
    l1, l2 = h1(z).mean(), h2(z).pow(2).mean()
    l1.backward(retain_graph=True)
    l2.backward()
    """,
)
correct(
    "trainer_object_ok",
    """
    class Trainer:
        def __init__(self, net):
            self.net, self.history = net, []
            self.opt = T.optim.SGD(net.parameters(), lr=0.1)
        def step(self, x):
            loss = self.net(x).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.history.append(float(loss))
            return loss
    trainer = Trainer(T.nn.Linear(2, 1))
    for i in range(3):
        loss = trainer.step(T.randn(4, 2))
    """,
)
correct(
    "layers_in_turn_ok",
    """
    steps = [T.nn.Linear(3, 4), T.tanh, lambda h: h * 2, T.nn.Linear(4, 1)]
    x = T.randn(2, 3)
    for f in steps:
        x = f(x)
    loss = x.mean()
    loss.backward()
    """,
)

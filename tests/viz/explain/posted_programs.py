"""More programs that do not work, in the forms that people post: training loops with modules,
helpers, decorators, hooks, caches and states, and what an answer to each must say.

They were written before anybody looked at what `explain` says of them.
"""

from __future__ import annotations

from .broken_programs import REQUIRE, Broken, program

BROKEN: list[Broken] = []
TORCH_ONLY: list[Broken] = []
"""Those with parts that minigrad has not."""


def broken(
    name: str,
    text: str,
    cause: str,
    cure: str = "",
    never: tuple[str, ...] = (),
    ask: str = "viz.explain(error)",
    torch_only: bool = False,
) -> None:
    made = program(name, text, cause, cure, never, ask)
    (TORCH_ONLY if torch_only else BROKEN).append(made)


broken(
    "lstm_state_across_epochs",
    """
    class Tagger(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = T.nn.LSTM(3, 4)
            self.out = T.nn.Linear(4, 2)
            self.hidden = self.init_hidden()

        def init_hidden(self):
            return (T.zeros(1, 1, 4), T.zeros(1, 1, 4))

        def forward(self, x):
            y, self.hidden = self.lstm(x, self.hidden) #!
            return self.out(y)

    model = Tagger()
    opt = T.optim.SGD(model.parameters(), lr=0.1)
    for sentence in [T.randn(2, 1, 3), T.randn(3, 1, 3)]:
        opt.zero_grad()
        loss = model(sentence).pow(2).mean()
        loss.backward()
        opt.step()
    """,
    "turn",
    "detach()",
    never=("retain_graph=True",),
    torch_only=True,
)
broken(
    "gru_decoder_feeds_hidden",
    """
    enc = T.nn.GRU(2, 3)
    dec = T.nn.GRU(1, 3)
    head = T.nn.Linear(3, 1)
    params = [*enc.parameters(), *dec.parameters(), *head.parameters()]
    opt = T.optim.Adam(params)
    _, context = enc(T.randn(5, 1, 2)) #!
    for step in range(4):
        out, _ = dec(T.ones(1, 1, 1), context)
        loss = (head(out) - 1).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop",
    "context.detach()",
    never=("retain_graph=True",),
    torch_only=True,
)
broken(
    "dqn_with_gather_ok_but_target_max_numpy",
    """
    import numpy as np
    from collections import deque
    from dataclasses import dataclass

    @dataclass
    class Transition:
        state: object
        action: int
        reward: float

    class QNet(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = T.nn.Linear(3, 8)
            self.fc2 = T.nn.Linear(8, 2)
        def forward(self, s):
            return self.fc2(T.relu(self.fc1(s)))

    q = QNet()
    buffer = deque(maxlen=10)
    for i in range(4):
        buffer.append(Transition(T.randn(3), i % 2, float(i)))

    def td_loss(batch):
        states = T.stack([t.state for t in batch])
        values = q(states).detach().numpy() #!
        chosen = np.array([values[i, t.action] for i, t in enumerate(batch)])
        target = np.array([t.reward for t in batch])
        return T.tensor(((chosen - target) ** 2).mean())

    loss = td_loss(list(buffer))
    loss.backward()
    """,
    "numpy",
    "own operations",
    never=REQUIRE,
)
broken(
    "reinforce_log_of_sampled_action",
    """
    class Policy(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = T.nn.Sequential(T.nn.Linear(4, 8), T.nn.Tanh(), T.nn.Linear(8, 2))
        def act(self, obs):
            with T.no_grad():
                logp = T.log_softmax(self.net(obs), -1) #!
            action = int(logp.exp().multinomial(1))
            return action, logp[action]

    policy = Policy()
    opt = T.optim.Adam(policy.parameters(), lr=1e-2)
    log_probs, rewards = [], []
    for t in range(5):
        action, lp = policy.act(T.randn(4))
        log_probs.append(lp)
        rewards.append(float(action))
    returns = [sum(rewards[i:]) for i in range(len(rewards))]
    loss = -sum(lp * g for lp, g in zip(log_probs, returns))
    opt.zero_grad()
    loss.backward()
    opt.step()
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "maml_inner_without_create_graph_second_order",
    """
    import copy

    w = T.randn(2, 1, requires_grad=True)
    b = T.zeros(1, requires_grad=True)

    def model(params, x):
        return x @ params[0] + params[1]

    def adapt(params, x, y, lr=0.1):
        loss = (model(params, x) - y).pow(2).mean()
        grads = T.autograd.grad(loss, params) #!
        return [(p - lr * g).detach().requires_grad_() for p, g in zip(params, grads)] #!

    x, y = T.randn(6, 2), T.randn(6, 1)
    fast = adapt([w, b], x, y)
    meta = (model(fast, x) - y).pow(2).mean()
    meta.backward()
    w.grad
    """,
    "detach",
    "detach() out",
    ask="viz.explain(w, meta)",
)
broken(
    "triplet_hard_mining",
    """
    net = T.nn.Linear(3, 2)
    a, p, n = net(T.randn(4, 3)), net(T.randn(4, 3)), net(T.randn(4, 3))

    def dist(u, v):
        return (u - v).pow(2).sum(1).sqrt()

    violated = dist(a, p) + 0.2 > dist(a, n) #!
    loss = violated.float().mean()
    loss.backward()
    """,
    "comparison",
    never=REQUIRE,
)
broken(
    "contrastive_norm_zero_nan",
    """
    x = T.zeros(2, 3, requires_grad=True)
    n = x / x.pow(2).sum(1, keepdim=True).sqrt() #!
    loss = (n @ n.T).sum()
    """,
    "nan",
    ask="viz.explain(loss)",
)
broken(
    "vae_reparam_in_helper_module",
    """
    class Encoder(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.mu = T.nn.Linear(4, 2)
            self.logvar = T.nn.Linear(4, 2)
        def forward(self, x):
            return self.mu(x), self.logvar(x)

    def reparameterize(mu, logvar):
        std = T.exp(0.5 * logvar)
        eps = T.randn_like(std)
        std *= eps #!
        return std + mu

    enc, dec = Encoder(), T.nn.Linear(2, 4)
    x = T.randn(3, 4)
    mu, logvar = enc(x)
    z = reparameterize(mu, logvar)
    loss = (dec(z) - x).pow(2).mean()
    loss.backward()
    """,
    "in place",
    "clone | out of place",
)
broken(
    "pinn_second_derivative_no_create",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = T.nn.Linear(1, 8)
            self.b = T.nn.Linear(8, 1)
        def forward(self, t):
            return self.b(T.tanh(self.a(t)))

    net = Net()
    t = T.linspace(0, 1, 5).reshape(-1, 1).requires_grad_()

    def d(y, x):
        return T.autograd.grad(y, x, grad_outputs=T.ones_like(y))[0] #!

    u = net(t)
    du = d(u, t)
    ddu = d(du, t)
    residual = (ddu + u).pow(2).mean()
    residual.backward()
    """,
    "create_graph",
    "create_graph=true",
    never=("du.requires_grad_()",),
)
broken(
    "pinn_collocation_points_plain",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 6), T.nn.Tanh(), T.nn.Linear(6, 1))
    xt = T.rand(10, 2) #!
    u = net(xt)
    grads = T.autograd.grad(u.sum(), xt, create_graph=True)[0]
    residual = (grads[:, 0] + grads[:, 1]).pow(2).mean()
    residual.backward()
    """,
    "does not require grad",
    "xt.requires_grad_()",
)
broken(
    "heat_equation_unused",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 6), T.nn.Tanh(), T.nn.Linear(6, 1))
    x = T.rand(10, 1, requires_grad=True)
    t = T.rand(10, 1, requires_grad=True)
    xt = T.cat([x, t], 1)
    u = net(xt)
    u_x = T.autograd.grad(u.sum(), xt, create_graph=True)[0][:, :1]
    u_xx = T.autograd.grad(u_x.sum(), x, create_graph=True)[0]
    u_ttt = T.autograd.grad(u_x.detach().sum() + x.sum(), t)[0] #!
    """,
    "detach | t",
    "allow_unused | detach",
)
broken(
    "ste_quantizer_without_trick",
    """
    class Quant(T.nn.Module):
        def __init__(self, levels):
            super().__init__()
            self.levels = levels
        def forward(self, x):
            idx = T.searchsorted(self.levels, x) #!
            return self.levels[idx]

    net = T.nn.Sequential(T.nn.Linear(3, 3), Quant(T.linspace(-1, 1, 5)))
    out = net(T.randn(2, 3))
    loss = out.pow(2).mean()
    loss.backward()
    """,
    "indices",
    never=REQUIRE,
    torch_only=True,
)
broken(
    "round_kills_gradient",
    """
    net = T.nn.Linear(3, 3)
    out = T.round(net(T.ones(2, 3)) * 10) / 10 #!
    loss = (out - 1).pow(2).mean()
    loss.backward()
    """,
    "zero",
    ask="viz.explain(net.weight)",
)
broken(
    "gradient_penalty_interpolates_detached",
    """
    D = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.LeakyReLU(0.2), T.nn.Linear(4, 1))
    G = T.nn.Linear(1, 2)

    def penalty(real, fake):
        alpha = T.rand(real.shape[0], 1)
        mixed = (alpha * real + (1 - alpha) * fake).detach() #!
        scores = D(mixed)
        g = T.autograd.grad(scores, mixed, grad_outputs=T.ones_like(scores), create_graph=True)[0]
        return ((g.norm(2, dim=1) - 1) ** 2).mean()

    real = T.randn(4, 2)
    fake = G(T.randn(4, 1))
    gp = penalty(real, fake)
    gp.backward()
    """,
    "detach | does not require grad",
    "requires_grad",
)
broken(
    "checkpointed_block_without_grad_input",
    """
    from torch.utils.checkpoint import checkpoint

    class Block(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = T.nn.Linear(2, 2)
        def forward(self, x):
            return T.relu(self.lin(x))

    blocks = T.nn.ModuleList([Block() for _ in range(2)])
    x = T.randn(1, 2)
    for b in blocks:
        x = checkpoint(b, x, use_reentrant=True) #!
    loss = x.sum()
    loss.backward()
    """,
    "checkpoint",
    "use_reentrant=false",
    never=REQUIRE,
    torch_only=True,
)
broken(
    "multi_task_separate_backward",
    """
    class Shared(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.trunk = T.nn.Linear(3, 4)
            self.a, self.b = T.nn.Linear(4, 1), T.nn.Linear(4, 2)
        def forward(self, x):
            h = T.relu(self.trunk(x)) #!
            return {"a": self.a(h), "b": self.b(h)}

    net = Shared()
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        outs = net(T.randn(5, 3)) #!
        losses = {k: v.pow(2).mean() for k, v in outs.items()}
        opt.zero_grad()
        for name in losses:
            losses[name].backward()
        opt.step()
    """,
    "shares | same part | earlier",
    "sum | once | together | retain_graph=true",
)
broken(
    "two_optimizers_shared_encoder_step_between",
    """
    enc = T.nn.Linear(2, 3)
    cls, dom = T.nn.Linear(3, 1), T.nn.Linear(3, 1)
    opt_c = T.optim.SGD([*enc.parameters(), *cls.parameters()], lr=0.1)
    opt_d = T.optim.SGD(dom.parameters(), lr=0.1)
    for i in range(3):
        f = enc(T.randn(4, 2))
        lc = cls(f).pow(2).mean()
        ld = -dom(f).pow(2).mean()
        opt_d.zero_grad()
        ld.backward(retain_graph=True)
        opt_d.step() #!
        opt_c.zero_grad()
        (lc + 0.1 * dom(T.relu(f)).mean()).backward()
        opt_c.step()
        ld.backward()
    """,
    "freed | optimizer | earlier",
)
broken(
    "scheduler_loss_history_plot",
    """
    import math
    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.1)
    sched = T.optim.lr_scheduler.StepLR(opt, 2)
    history = []
    for epoch in range(3):
        loss = model(T.ones(4, 2)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        history.append(loss)
    import numpy as np
    curve = np.array([h.numpy() for h in history]) #!
    """,
    "numpy",
    "detach | .item()",
)
broken(
    "hook_returns_wrong_shape",
    """
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g.sum()) #!
    y.sum().backward()
    """,
    "hook",
    "shape",
)
broken(
    "forward_hook_detaches_activation",
    """
    acts = {}
    def keep(name):
        def hook(module, inputs, output):
            acts[name] = output.detach() #!
        return hook

    model = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
    model[0].register_forward_hook(keep("first"))
    model(T.ones(4, 2))
    sparsity = acts["first"].abs().mean()
    sparsity.backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "generator_yields_items",
    """
    def batches(model, xs):
        for x in xs:
            yield model(x).mean().item() #!

    m = T.nn.Linear(2, 1)
    loss = sum(batches(m, [T.ones(2), T.zeros(2)]))
    loss = T.tensor(loss)
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "decorator_no_grad_timing",
    """
    import functools, time

    def timed(f):
        @functools.wraps(f)
        def inner(*args, **kwargs):
            t0 = time.time()
            with T.no_grad():
                result = f(*args, **kwargs) #!
            inner.took = time.time() - t0
            return result
        return inner

    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(2, 2)
        @timed
        def forward(self, x):
            return self.l(x)

    loss = Model()(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "context_manager_class_frozen_eval",
    """
    import contextlib

    @contextlib.contextmanager
    def evaluating(model):
        was = model.training
        model.eval()
        T.set_grad_enabled(False) #!
        try:
            yield model
        finally:
            model.train(was)

    net = T.nn.Linear(2, 1)
    with evaluating(net):
        val = net(T.ones(1, 2)).item()
    for i in range(2):
        loss = net(T.ones(3, 2)).mean()
        loss.backward()
    """,
    "set_grad_enabled",
    "no_grad | set_grad_enabled(true)",
    never=REQUIRE,
)
broken(
    "weights_list_comprehension_scaled",
    """
    sizes = [3, 4, 1]
    W = [T.randn(m, n, requires_grad=True) * 0.1 for m, n in zip(sizes, sizes[1:])] #!
    def f(x):
        for w in W[:-1]:
            x = T.tanh(x @ w)
        return x @ W[-1]
    loss = f(T.ones(2, 3)).pow(2).mean()
    loss.backward()
    with T.no_grad():
        for w in W:
            w -= 0.1 * w.grad
    """,
    "not a leaf | is the result | result of",
    "requires_grad_()",
)
broken(
    "micrograd_style_update_next_turn",
    """
    W = T.randn(3, 3, requires_grad=True)
    xs = T.eye(3)
    for k in range(3):
        logits = xs @ W
        loss = -T.log_softmax(logits, 1)[:, 0].mean()
        loss.backward()
        W = W - 0.1 * W.grad #!
        W.grad = None
    """,
    "result | not a leaf | none",
    "no_grad | in place",
)
broken(
    "makemore_xenc_before",
    """
    words = [[0, 1, 2], [1, 2, 0]]
    W = T.randn(3, 3, requires_grad=True)
    xenc = T.eye(3)
    logits = xenc @ W #!
    counts = logits.exp()
    prob = counts / counts.sum(1, keepdim=True)
    for k in range(3):
        loss = -prob[T.arange(3), T.tensor([1, 2, 0])].log().mean()
        W.grad = None
        loss.backward()
        W.data += -0.1 * W.grad
    """,
    "before the loop",
    "into the loop",
)
broken(
    "unused_branch_parameter_none_clip",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.used = T.nn.Linear(2, 2)
            self.aux = T.nn.Linear(2, 2) #!
        def forward(self, x):
            return self.used(x)
    net = Net()
    loss = net(T.ones(1, 2)).sum()
    loss.backward()
    total = 0
    for p in net.parameters():
        total += p.grad.norm() ** 2
    """,
    "none",
)
broken(
    "embedding_index_float",
    """
    emb = T.nn.Embedding(5, 3)
    idx = T.tensor([1, 2], requires_grad=True) #!
    loss = emb(idx).sum()
    loss.backward()
    """,
    "integers",
)
broken(
    "relabel_mask_assign_leaf",
    """
    logits = T.zeros(2, 3, requires_grad=True)
    mask = T.tensor([[True, False, False], [False, False, True]])
    logits[mask] = float("-inf") #!
    loss = -T.log_softmax(logits, 1)[:, 1].mean()
    loss.backward()
    """,
    "leaf",
    "clone | no_grad",
)
broken(
    "loss_averager_object_keeps",
    """
    class Averager:
        def __init__(self):
            self.sum, self.n = 0.0, 0
        def add(self, loss):
            self.sum = self.sum + loss #!
            self.n += 1
        def mean(self):
            return self.sum / self.n

    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.01)
    meter = Averager()
    for i in range(4):
        loss = model(T.ones(3, 2)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.add(loss)
    total = meter.mean()
    """,
    "keeps",
    ".item()",
    ask="viz.explain(total)",
)
broken(
    "perceptual_loss_vgg_numpy_wrapped",
    """
    class VGG(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.ReLU())
            for p in self.parameters():
                p.requires_grad = False
        @T.no_grad() #!
        def forward(self, x):
            return self.body(x)

    vgg = VGG()
    gen = T.nn.Linear(2, 3)
    fake = gen(T.ones(2, 2))
    target = T.ones(2, 3)
    content = (vgg(fake) - vgg(target)).pow(2).mean()
    content.backward()
    """,
    "no_grad",
    "decorator",
    never=REQUIRE,
)
broken(
    "transformer_cached_keys",
    """
    class Attention(T.nn.Module):
        def __init__(self, d):
            super().__init__()
            self.q, self.k, self.v = T.nn.Linear(d, d), T.nn.Linear(d, d), T.nn.Linear(d, d)
            self.cache = None
        def forward(self, x):
            k, v = self.k(x), self.v(x)
            if self.cache is not None:
                k = T.cat([self.cache[0], k], 0)
                v = T.cat([self.cache[1], v], 0)
            self.cache = (k, v) #!
            scores = self.q(x) @ k.T
            return T.softmax(scores, -1) @ v

    attn = Attention(4)
    opt = T.optim.SGD(attn.parameters(), lr=0.1)
    for step in range(3):
        loss = attn(T.randn(2, 4)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "turn",
    "self.cache",
    never=("retain_graph=True",),
)
broken(
    "ema_of_loss_for_balance",
    """
    class Balancer:
        def __init__(self):
            self.avg = None
        def __call__(self, loss):
            if self.avg is None:
                self.avg = loss
            self.avg = 0.9 * self.avg + 0.1 * loss #!
            return loss / self.avg

    net = T.nn.Linear(3, 1)
    bal = Balancer()
    opt = T.optim.Adam(net.parameters())
    for i in range(3):
        raw = net(T.randn(4, 3)).pow(2).mean()
        scaled = bal(raw)
        opt.zero_grad()
        scaled.backward()
        opt.step()
    """,
    "turn",
    "self.avg",
    never=("retain_graph=True",),
)
broken(
    "metric_learning_center_update",
    """
    centers = T.zeros(3, 2, requires_grad=True)
    net = T.nn.Linear(4, 2)
    labels = T.tensor([0, 1, 2, 1])
    feats = net(T.randn(4, 4))
    loss = (feats - centers[labels]).pow(2).sum()
    centers[labels[0]] = feats[0].detach() #!
    loss.backward()
    """,
    "leaf",
    "no_grad | clone",
)
broken(
    "sigmoid_mul_inplace_in_residual",
    """
    class SE(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = T.nn.Linear(4, 4)
        def forward(self, x):
            s = T.sigmoid(self.fc(x))
            s.mul_(x) #!
            return x + s

    net = T.nn.Sequential(T.nn.Linear(2, 4), SE(), T.nn.Linear(4, 1))
    loss = net(T.ones(3, 2)).mean()
    loss.backward()
    """,
    "in place",
    "clone | out of place",
)
broken(
    "batch_norm_stat_own",
    """
    class MyNorm(T.nn.Module):
        def __init__(self, n):
            super().__init__()
            self.gain = T.nn.Parameter(T.ones(n))
            self.register_buffer("running", T.zeros(n))
        def forward(self, x):
            self.running = 0.9 * self.running + 0.1 * x.mean(0) #!
            return (x - self.running) * self.gain

    net = T.nn.Sequential(T.nn.Linear(2, 3), MyNorm(3), T.nn.Linear(3, 1))
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for batch in [T.randn(4, 2) for _ in range(3)]:
        opt.zero_grad()
        loss = net(batch).pow(2).mean()
        loss.backward()
        opt.step()
    """,
    "turn",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "actor_critic_advantage_shared",
    """
    class AC(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = T.nn.Linear(3, 8)
            self.pi, self.v = T.nn.Linear(8, 2), T.nn.Linear(8, 1)
        def forward(self, s):
            h = T.tanh(self.body(s)) #!
            return T.log_softmax(self.pi(h), -1), self.v(h) #!

    ac = AC()
    opt = T.optim.Adam(ac.parameters())
    logp, value = ac(T.randn(5, 3)) #!
    reward = T.ones(5, 1)
    adv = reward - value
    critic_loss = adv.pow(2).mean()
    actor_loss = -(logp[:, :1] * adv).mean()
    opt.zero_grad()
    critic_loss.backward()
    actor_loss.backward()
    opt.step()
    """,
    "shares",
    "detach | add | once",
)
broken(
    "ppo_epochs_old_logp",
    """
    policy = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 2))
    opt = T.optim.Adam(policy.parameters(), lr=1e-2)
    states = T.randn(6, 3)
    actions = T.tensor([0, 1, 0, 1, 1, 0])
    adv = T.randn(6)

    def logprob(s, a):
        return T.log_softmax(policy(s), -1).gather(1, a.unsqueeze(1)).squeeze(1)

    old = logprob(states, actions) #!
    for epoch in range(4):
        ratio = T.exp(logprob(states, actions) - old)
        loss = -(ratio * adv).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop",
    "old.detach()",
    never=("retain_graph=True",),
)
broken(
    "distill_teacher_numpy_cache",
    """
    import numpy as np
    student = T.nn.Linear(3, 2)
    cache = {}
    def soft(key, x):
        if key not in cache:
            cache[key] = student(x).detach().numpy() #!
        return T.tensor(cache[key])
    out = soft("a", T.ones(2, 3))
    loss = out.pow(2).mean()
    loss.backward()
    """,
    "numpy",
    "own operations",
    never=REQUIRE,
)
broken(
    "spiking_threshold",
    """
    class Neuron(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = T.nn.Linear(3, 3)
        def forward(self, inputs):
            v = T.zeros(3)
            spikes = []
            for x in inputs:
                v = 0.9 * v + self.w(x)
                s = (v >= 1.0).float() #!
                spikes.append(s)
                v = v * (1 - s)
            return T.stack(spikes)

    net = Neuron()
    out = net(T.randn(5, 3))
    loss = (out.mean() - 0.5) ** 2
    loss.backward()
    """,
    "comparison",
    never=REQUIRE,
)
broken(
    "hessian_vector_without_graph",
    """
    w = T.randn(3, requires_grad=True)
    def f(w):
        return (w ** 3).sum()
    g = T.autograd.grad(f(w), w, retain_graph=True)[0] #!
    v = T.ones(3)
    hvp = T.autograd.grad((g * v).sum(), w)[0]
    """,
    "create_graph",
    "create_graph=true",
    never=REQUIRE,
)
broken(
    "jacobian_rows_freed",
    """
    x = T.randn(3, requires_grad=True)
    y = T.tanh(x * 2) #!
    rows = []
    for i in range(3):
        rows.append(T.autograd.grad(y[i], x)[0]) #!
    J = T.stack(rows)
    """,
    "before the loop | earlier pass | freed",
    "retain_graph=true | into the loop",
)
broken(
    "dataloader_worker_grad_inputs_adversarial",
    """
    model = T.nn.Linear(4, 2)
    x = T.randn(3, 4)
    labels = T.tensor([0, 1, 0])
    adv = x.clone()
    loss = -T.log_softmax(model(adv), 1)[T.arange(3), labels].mean()
    loss.backward()
    perturbed = adv + 0.1 * adv.grad.sign() #!
    """,
    "require grad",
    "requires_grad_()",
)
broken(
    "pgd_attack_second_step",
    """
    model = T.nn.Linear(4, 1)
    adv = T.zeros(2, 4, requires_grad=True)
    for i in range(3):
        loss = model(adv).sum()
        loss.backward()
        adv = adv + 0.01 * adv.grad.sign() #!
    """,
    "not a leaf | is the result",
    "detach() | requires_grad_() | no_grad",
)
broken(
    "image_optimizer_clamped",
    """
    image = T.rand(1, 3, requires_grad=True)
    image = image.clamp(0, 1) #!
    opt = T.optim.Adam([image], lr=0.1)
    loss = (image - 1).pow(2).mean()
    loss.backward()
    opt.step()
    """,
    "leaf",
    "requires_grad_() last",
)
broken(
    "model_to_double_after_optimizer_param_replaced",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(2, 1)
    net = Net()
    opt = T.optim.SGD(net.parameters(), lr=0.1) #!
    net.l = T.nn.Linear(2, 1)
    for i in range(2):
        loss = net.l(T.ones(1, 2)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "holds other tensors",
    "after the model",
    ask="viz.explain(net.l.weight)",
)
broken(
    "freeze_bn_then_all_requires",
    """
    class Wrapper(T.nn.Module):
        def __init__(self, base, train_base=False):
            super().__init__()
            self.base = base
            if not train_base:
                for p in self.base.parameters():
                    p.requires_grad_(False) #!
        def forward(self, x):
            return self.base(x).mean()

    def build(cfg):
        return Wrapper(T.nn.Linear(2, 2), **cfg)

    model = build({"train_base": False})
    loss = model(T.ones(1, 2))
    loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "log_softmax_then_log_nan",
    """
    net = T.nn.Linear(2, 3)
    with T.no_grad():
        for p in net.parameters():
            p.zero_()
    logits = net(T.ones(2, 2))
    p = T.softmax(logits * 1000, 1)
    q = p - p
    loss = -(q * q.log()).sum() #!
    """,
    "nan",
    ask="viz.explain(loss)",
)
broken(
    "cosine_similarity_norm_grad_nan",
    """
    a = T.zeros(3, requires_grad=True)
    dist = (a - T.zeros(3)).pow(2).sum().sqrt() #!
    loss = dist + 1
    """,
    "inf",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "exp_overflow",
    """
    w = T.tensor([100.0, 1.0], requires_grad=True)
    e = T.exp(w) #!
    p = e / e.sum()
    loss = p.pow(2).sum()
    """,
    "nan | inf",
    ask="viz.explain(loss)",
)
broken(
    "custom_function_saves_plain_number",
    """
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_backward(x, k) #!
            return x * k
        @staticmethod
        def backward(ctx, g):
            x, k = ctx.saved_tensors
            return g * k, None
    x = T.ones(2, requires_grad=True)
    Scale.apply(x, 3.0).sum().backward()
    """,
    "tensors only",
    "ctx.",
)
broken(
    "custom_function_swapped_gradients",
    """
    class MatMul(T.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a @ b
        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return a.T @ g, g @ b.T #!
    a = T.ones(2, 3, requires_grad=True)
    b = T.ones(3, 4, requires_grad=True)
    out = MatMul.apply(a, b)
    out.sum().backward()
    """,
    "shape",
)
broken(
    "zero_grad_inside_micro_batches",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for step in range(2):
        for micro in range(3):
            loss = net(T.ones(2, 2)).pow(2).mean()
            loss.backward()
            opt.zero_grad() #!
        opt.step()
    """,
    "cleared",
    "zero_grad",
    ask="viz.explain(net.weight)",
)
broken(
    "no_grad_validation_model_forward_kept",
    """
    def run_epoch(model, data, optimizer=None):
        train = optimizer is not None
        losses = []
        with T.set_grad_enabled(train): #!
            for x in data:
                loss = model(x).pow(2).mean() #!
                losses.append(loss)
        total = T.stack(losses).mean()
        total.backward()
        return total
    model = T.nn.Linear(2, 1)
    run_epoch(model, [T.ones(1, 2)])
    """,
    "set_grad_enabled",
    "out of | turn it on",
    never=REQUIRE,
)
broken(
    "dataclass_config_loss_float",
    """
    from dataclasses import dataclass, field

    @dataclass
    class Result:
        loss: float = 0.0
        parts: dict = field(default_factory=dict)

    def step(model, x):
        out = model(x)
        a, b = out.pow(2).mean(), out.abs().mean()
        return Result(loss=float(a + b), parts={"a": a, "b": b}) #!

    model = T.nn.Linear(2, 1)
    res = step(model, T.ones(2, 2))
    T.tensor(res.loss).backward()
    """,
    "float()",
    "leave float() out",
    never=REQUIRE,
)
broken(
    "list_of_detached_then_cat",
    """
    enc = T.nn.Linear(2, 3)
    memory = []
    def remember(x):
        z = enc(x)
        memory.append(z.detach()) #!
        return z
    for i in range(3):
        remember(T.randn(1, 2))
    loss = T.cat(memory).pow(2).mean()
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "weight_norm_in_place_param",
    """
    layer = T.nn.Linear(3, 2)
    opt = T.optim.SGD(layer.parameters(), lr=0.1)
    for i in range(2):
        out = layer(T.ones(1, 3))
        layer.weight /= layer.weight.norm() #!
        loss = out.sum()
        loss.backward()
        opt.step()
    """,
    "leaf | parameter",
    "no_grad",
)
broken(
    "loss_requires_grad_leaf_wrapped_variable",
    """
    net = T.nn.Linear(2, 2)
    x = T.ones(1, 2)
    pred = net(x)
    best = pred.max(1)[1].float() #!
    loss = T.nn.functional.mse_loss(best, T.ones(1))
    loss.requires_grad = True
    loss.backward()
    net.weight.grad
    """,
    "indices",
    ask="viz.explain(net.weight)",
)
broken(
    "parallel_losses_map",
    """
    models = [T.nn.Linear(2, 1) for _ in range(3)]
    x = T.ones(4, 2)
    losses = list(map(lambda m: m(x).pow(2).mean().item(), models)) #!
    loss = T.tensor(losses).sum()
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "siamese_where_int_labels_long_loss",
    """
    net = T.nn.Linear(3, 2)
    y = T.tensor([0, 1])
    pred = net(T.ones(2, 3))
    loss = T.abs(pred.long() - y).sum() #!
    loss.backward()
    """,
    "integers",
    never=REQUIRE,
)
broken(
    "second_backward_in_logging",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    def grad_norm(loss, params):
        grads = T.autograd.grad(loss, params) #!
        return sum(g.norm() for g in grads)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(2):
        loss = net(T.ones(3, 2)).mean()
        norm = grad_norm(loss, list(net.parameters()))
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "earlier | again",
    "retain_graph=true | compute",
)
broken(
    "cyclegan_buffer_of_fakes",
    """
    class Pool:
        def __init__(self, size):
            self.size, self.items = size, []
        def query(self, fake):
            self.items.append(fake) #!
            return T.cat(self.items[-self.size:])

    G, D = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
    opt_g = T.optim.Adam(G.parameters(), lr=1e-3)
    opt_d = T.optim.Adam(D.parameters(), lr=1e-3)
    pool = Pool(3)
    for it in range(3):
        fake = G(T.randn(2, 2)) #!
        loss_g = -D(fake).mean()
        opt_g.zero_grad()
        loss_g.backward()
        loss_d = D(pool.query(fake)).mean()
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()
    """,
    "holds | shares | earlier",
    "detach",
)
broken(
    "world_model_rollout_state",
    """
    class World(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.f = T.nn.Linear(4, 3)
        def step(self, s, a):
            return T.tanh(self.f(T.cat([s, a], -1)))

    world = World()
    opt = T.optim.SGD(world.parameters(), lr=0.1)
    s = T.zeros(1, 3)
    for episode in range(2):
        for t in range(3):
            s = world.step(s, T.ones(1, 1)) #!
        loss = (s - 1).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "turn",
    "s = s.detach()",
    never=("retain_graph=True",),
)
broken(
    "gan_step_d_before_g_backward",
    """
    G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
    og, od = T.optim.SGD(G.parameters(), lr=0.1), T.optim.SGD(D.parameters(), lr=0.1)
    for i in range(2):
        fake = G(T.randn(4, 1))
        real = T.randn(4, 2)
        g_loss = -D(fake).mean()
        d_loss = D(fake.detach()).mean() - D(real).mean()
        od.zero_grad()
        d_loss.backward()
        od.step() #!
        og.zero_grad()
        g_loss.backward()
        og.step()
    """,
    "optimizer",
    "before that step | again after",
)
broken(
    "moco_queue_in_place",
    """
    enc = T.nn.Linear(3, 2)
    queue = T.randn(4, 2)
    x = T.randn(2, 3)
    k = enc(x)
    q = enc(x + 0.1)
    logits = q @ queue.T
    queue[:2] = k.detach() #!
    loss = -T.log_softmax(logits, 1)[:, 0].mean()
    loss.backward()
    """,
    "in place",
    "clone | after backward",
)
broken(
    "softmax_subtract_max_inplace",
    """
    w = T.randn(2, 3, requires_grad=True)
    z = w * 2
    e = z.exp()
    e -= e.max() #!
    loss = e.sum()
    loss.backward()
    """,
    "in place",
    "clone | after backward",
)
broken(
    "scheduled_freeze_generator_params",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
    params = (p for p in net.parameters() if p.requires_grad) #!
    n = sum(p.numel() for p in params) #!
    opt = T.optim.SGD(params, lr=0.1)
    """,
    "used up | generator",
    "list(",
)
broken(
    "mixup_targets_one_hot_argmax_loss",
    """
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = T.nn.Linear(4, 3)
        def predict(self, x):
            return T.argmax(T.softmax(self.net(x), dim=1), dim=1) #!
        def loss(self, x, y):
            return T.nn.functional.l1_loss(self.predict(x).float(), y.float())
    m = Model()
    loss = m.loss(T.randn(5, 4), T.tensor([0, 1, 2, 1, 0]))
    loss.backward()
    """,
    "indices",
    never=REQUIRE,
)
broken(
    "lambda_metric_registry",
    """
    import numpy as np
    METRICS = {}
    def register(name):
        def deco(f):
            METRICS[name] = f
            return f
        return deco

    @register("rmse")
    def rmse(p, y):
        return np.sqrt(((p.detach().numpy() - y.numpy()) ** 2).mean()) #!

    net = T.nn.Linear(2, 1)
    value = METRICS["rmse"](net(T.ones(3, 2)), T.zeros(3, 1))
    loss = T.tensor(value)
    loss.backward()
    """,
    "numpy",
    "own operations",
    never=REQUIRE,
)
broken(
    "init_weights_normal_inside_forward",
    """
    class Noisy(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = T.nn.Parameter(T.ones(3))
        def forward(self, x):
            self.w.normal_(1.0, 0.01) #!
            return (self.w * x).sum()
    net = Noisy()
    loss = net(T.ones(3))
    loss.backward()
    """,
    "leaf",
    "no_grad",
)
broken(
    "pruning_mask_multiplied_data",
    """
    net = T.nn.Linear(3, 2)
    x = T.ones(1, 3, requires_grad=True)
    out = net(x)
    net.weight.data *= (net.weight.data.abs() > 0.2).float() #!
    loss = out.sum()
    loss.backward()
    """,
    "through .data",
    "after backward | clone",
    ask="viz.explain(x)",
)
broken(
    "early_exit_returns_float_on_branch",
    """
    def robust(loss, limit):
        if loss > limit:
            return T.tensor(limit) #!
        return loss
    w = T.ones(2, requires_grad=True)
    loss = robust((w * 10).sum(), 5.0)
    loss.backward()
    """,
    "t.tensor(limit) | requires grad",
    never=REQUIRE,
)
broken(
    "clip_by_value_python_min",
    """
    w = T.tensor(3.0, requires_grad=True)
    y = w * 2
    loss = T.tensor(min(y.item(), 1.0)) #!
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "two_step_lookahead_param_clone",
    """
    net = T.nn.Linear(2, 1)
    slow = [p.clone() for p in net.parameters()] #!
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(2):
        away = sum(((p - s) ** 2).sum() for p, s in zip(net.parameters(), slow))
        loss = net(T.ones(1, 2)).sum() + away
        opt.zero_grad()
        loss.backward()
        opt.step()
    import copy
    saved = copy.deepcopy(slow) #!
    """,
    "deepcopy | result",
    "detach",
)
broken(
    "ewc_fisher_from_previous_task",
    """
    net = T.nn.Linear(2, 1)
    old = {n: p for n, p in net.named_parameters()}
    loss1 = net(T.ones(3, 2)).pow(2).mean()
    grads = T.autograd.grad(loss1, list(net.parameters()), create_graph=True)
    fisher = {n: g ** 2 for (n, p), g in zip(net.named_parameters(), grads)} #!
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(2):
        penalty = sum((fisher[n] * p ** 2).sum() for n, p in net.named_parameters())
        loss = net(T.zeros(1, 2)).mean() + penalty
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop",
    "detach() | into the loop",
)
broken(
    "self_attention_mask_fill_none_result",
    """
    scores = T.randn(2, 2, requires_grad=True)
    mask = T.tensor([[True, False], [False, True]])
    scores.masked_fill_(mask, -1e9) #!
    loss = T.softmax(scores, -1).sum()
    loss.backward()
    """,
    "leaf",
    "no_grad | clone",
)
broken(
    "beam_search_scores_sorted_indices",
    """
    lm = T.nn.Linear(3, 5)
    h = T.randn(2, 3)
    logp = T.log_softmax(lm(h), -1)
    best = T.topk(logp, 2)[1] #!
    loss = -best.float().mean()
    loss.backward()
    """,
    "indices",
    never=REQUIRE,
)
broken(
    "no_grad_as_function_call_left_on",
    """
    def evaluate(net, x):
        ctx = T.no_grad()
        ctx.__enter__() #!
        return net(x).mean()
    net = T.nn.Linear(2, 1)
    loss = evaluate(net, T.ones(1, 2))
    T.set_grad_enabled(True)
    loss.backward()
    """,
    "no_grad",
    never=REQUIRE,
)
broken(
    "inference_class_method",
    """
    class Predictor:
        def __init__(self, net):
            self.net = net
        @classmethod
        def default(cls):
            return cls(T.nn.Linear(2, 1))
        @T.inference_mode()
        def predict(self, x):
            return self.net(x) #!
    p = Predictor.default()
    loss = p.predict(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "inference_mode",
    "decorator",
    never=REQUIRE,
)
broken(
    "property_cached_embedding",
    """
    class Graph:
        def __init__(self, n):
            self.table = T.randn(n, 2, requires_grad=True)
            self._norm = None
        @property
        def normed(self):
            if self._norm is None:
                self._norm = self.table / self.table.norm() #!
            return self._norm

    g = Graph(3)
    opt = T.optim.SGD([g.table], lr=0.1)
    for i in range(3):
        loss = (g.normed[0] * g.normed[1]).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "earlier",
    "detach | each turn | anew",
    never=("loss.requires_grad_()",),
)
broken(
    "lru_cached_features",
    """
    import functools
    net = T.nn.Linear(2, 2)
    data = [T.ones(1, 2), T.zeros(1, 2)]

    @functools.lru_cache(None)
    def features(i):
        return T.tanh(net(data[i])) #!

    head = T.nn.Linear(2, 1)
    opt = T.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
    for epoch in range(2):
        for i in range(2):
            loss = head(features(i)).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    """,
    "earlier",
    "anew | cache",
    never=("loss.requires_grad_()",),
)
broken(
    "multi_file_like_exec_module",
    """
    import linecache, types
    lines = ["def cost(model, x):", "    out = model(x)", "    return float(out.pow(2).mean())"]
    text = chr(10).join(lines) + chr(10)
    linecache.cache["losses.py"] = (len(text), None, text.splitlines(True), "losses.py")
    losses = types.ModuleType("losses")
    exec(compile(text, "losses.py", "exec"), losses.__dict__)
    model = T.nn.Linear(2, 1)
    loss = T.tensor(losses.cost(model, T.ones(2, 2)))
    loss.backward()
    """,
    "float()",
    "leave float() out",
    never=REQUIRE,
)
broken(
    "try_finally_requires_grad_toggle",
    """
    def frozen(module):
        for p in module.parameters():
            p.requires_grad_(False) #!
        return module
    D = frozen(T.nn.Linear(2, 1))
    x = T.randn(3, 2)
    for i in range(2):
        loss = D(x).mean()
        loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "wrong_variable_backward",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        pred = net(T.ones(4, 2))
        loss = (pred - 1).pow(2).mean()
        loss_value = loss.item() #!
        total = T.tensor(loss_value, requires_grad=True)
        opt.zero_grad()
        total.backward()
        opt.step()
    """,
    "item()",
    "leave .item() out",
    ask="viz.explain(net.weight, total)",
)
broken(
    "gumbel_hard_without_st",
    """
    logits = T.zeros(2, 3, requires_grad=True)
    u = T.rand(2, 3)
    g = -T.log(-T.log(u + 1e-9) + 1e-9)
    y = T.softmax((logits + g) / 0.5, -1)
    idx = y.max(-1, keepdim=True)[1] #!
    hard = (idx == T.arange(3)).float()
    loss = (hard * T.arange(3.0)).sum()
    loss.backward()
    """,
    "indices",
    "softmax",
    never=REQUIRE,
)
broken(
    "sqrt_of_variance_zero_grad_nan",
    """
    x = T.ones(4, requires_grad=True)
    std = (x - x.mean()).pow(2).mean().sqrt() #!
    loss = 1 - std
    """,
    "sqrt",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "acos_of_one",
    """
    a = T.tensor([1.0, 0.0], requires_grad=True)
    b = T.tensor([1.0, 0.0])
    cos = (a * b).sum()
    angle = T.acos(cos) #!
    loss = angle
    """,
    "acos",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "pow_zero_half_gradient",
    """
    x = T.tensor([0.0, 1.0], requires_grad=True)
    y = x ** 0.5 #!
    loss = y.sum()
    """,
    "pow",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "grad_scaler_style_none",
    """
    net = T.nn.Linear(2, 1)
    loss = net(T.ones(1, 2)).sum()
    for p in net.parameters():
        p.grad.mul_(0.5) #!
    loss.backward()
    """,
    "none",
    "backward",
)
broken(
    "optimizer_wrong_args_module",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net, lr=0.1) #!
    """,
    "parameters()",
    "parameters()",
)
broken(
    "loss_list_backward_on_list",
    """
    net = T.nn.Linear(2, 1)
    losses = []
    for i in range(2):
        losses.append(net(T.ones(1, 2)).sum())
    losses.backward() #!
    """,
    "list",
    "sum | stack",
)
broken(
    "bilevel_hyperparameter",
    """
    alpha = T.tensor(0.1, requires_grad=True)
    w = T.ones(3, requires_grad=True)
    x, y = T.randn(5, 3), T.randn(5)
    def train_loss(w, alpha):
        return (x @ w - y).pow(2).mean() + alpha * w.pow(2).sum()
    for k in range(2):
        g = T.autograd.grad(train_loss(w, alpha), w)[0] #!
        w = (w - 0.1 * g).detach().requires_grad_() #!
    val = (x @ w - y).pow(2).mean()
    val.backward()
    """,
    "detach | create_graph",
    "detach() out | create_graph=true",
    ask="viz.explain(alpha, val)",
)
broken(
    "curriculum_weighting_numpy_softmax",
    """
    import numpy as np

    class Curriculum:
        def __init__(self, n):
            self.scores = T.zeros(n, requires_grad=True)
        def weights(self):
            e = np.exp(self.scores.detach().numpy()) #!
            return T.from_numpy(e / e.sum())
    cur = Curriculum(3)
    losses = T.tensor([1.0, 2.0, 3.0])
    loss = (cur.weights() * losses).sum()
    loss.backward()
    """,
    "numpy",
    "own operations | t.exp",
    never=REQUIRE,
)
broken(
    "seq_loss_inside_no_grad_teacher_forcing",
    """
    import random
    class Decoder(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = T.nn.Linear(5, 3)
            self.out = T.nn.Linear(3, 2)
        def forward(self, y, steps):
            h = T.zeros(1, 3)
            outs = []
            for i in range(steps):
                with T.no_grad():
                    h = T.tanh(self.cell(T.cat([y, h], 1))) #!
                    y = self.out(h) #!
                outs.append(y)
            return T.cat(outs)
    net = Decoder()
    pred = net(T.zeros(1, 2), 3)
    loss = (pred - 1).pow(2).mean()
    loss.backward()
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "optimizer_zero_grad_after_forward_in_closure_none",
    """
    model = T.nn.Linear(2, 1)
    opt = T.optim.SGD(model.parameters(), lr=0.5)
    for _ in range(3):
        loss = model(T.ones(3, 2)).pow(2).mean()
        loss.backward()
        opt.zero_grad() #!
        opt.step()
    """,
    "cleared",
    "before backward | after the step",
    ask="viz.explain(model.weight)",
)
broken(
    "hinge_by_python_max",
    """
    w = T.tensor([1.0, -1.0], requires_grad=True)
    margins = 1 - (w * T.tensor([0.5, 2.0]))
    total = 0.0
    for m in margins:
        total += max(0.0, float(m)) #!
    loss = T.tensor(total)
    loss.backward()
    """,
    "float()",
    "leave float() out",
    never=REQUIRE,
)
broken(
    "residual_relu_inplace_functional",
    """
    class Block(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = T.nn.Linear(3, 3), T.nn.Linear(3, 3)
        def forward(self, x):
            h = T.tanh(self.a(x))
            h += x #!
            return self.b(h)
    net = T.nn.Sequential(T.nn.Linear(2, 3), Block(), Block())
    loss = net(T.randn(4, 2)).pow(2).mean()
    loss.backward()
    """,
    "in place",
    "clone | out of place",
)
broken(
    "positional_embedding_added_in_place_to_leaf",
    """
    pos = T.nn.Parameter(T.zeros(4, 2))
    x = T.randn(4, 2)
    pos += x #!
    loss = pos.sum()
    loss.backward()
    """,
    "leaf",
    "no_grad",
)
broken(
    "dropout_mask_times_bool_of_result",
    """
    w = T.randn(3, requires_grad=True)
    keep = T.where(w > 0, T.ones(3), T.zeros(3)) #!
    loss = (keep * T.tensor([1.0, 2.0, 3.0])).sum()
    loss.backward()
    """,
    "comparison",
    never=REQUIRE,
)
broken(
    "tree_rnn_memo_dict",
    """
    net = T.nn.Linear(4, 2)
    leafs = {"a": T.randn(2), "b": T.randn(2)}
    memo = {}
    def encode(node):
        if isinstance(node, str):
            return leafs[node]
        if node not in memo:
            memo[node] = T.tanh(net(T.cat([encode(node[0]), encode(node[1])]))) #!
        return memo[node]
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        loss = encode((("a", "b"), "a")).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "earlier",
    "anew | detach",
    never=REQUIRE,
)
broken(
    "kalman_covariance_carried",
    """
    q = T.tensor(0.1, requires_grad=True)
    r = T.tensor(1.0, requires_grad=True)
    opt = T.optim.SGD([q, r], lr=0.01)
    mean, var = T.tensor(0.0), T.tensor(1.0)
    for z in [1.0, 1.2, 0.9]:
        var = var + q * q
        gain = var / (var + r * r)
        mean = mean + gain * (z - mean)
        var = (1 - gain) * var #!
        loss = (mean - z) ** 2
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "turn",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "target_network_soft_update_recorded",
    """
    q, target = T.nn.Linear(2, 1), T.nn.Linear(2, 1)
    opt = T.optim.SGD(q.parameters(), lr=0.1)
    for i in range(2):
        loss = (q(T.ones(1, 2)) - target(T.ones(1, 2))).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for t, s in zip(target.parameters(), q.parameters()):
            t.mul_(0.9).add_(0.1 * s) #!
    """,
    "leaf",
    "no_grad",
)
broken(
    "assign_parameter_slice",
    """
    lin = T.nn.Linear(3, 2)
    lin.weight[0] = T.zeros(3) #!
    loss = lin(T.ones(1, 3)).sum()
    loss.backward()
    """,
    "leaf",
    "no_grad",
)
broken(
    "output_of_scheduler_lr_tensor",
    """
    lr = T.tensor(0.1, requires_grad=True)
    w = T.nn.Parameter(T.ones(2))
    loss = (w * w).sum()
    loss.backward()
    with T.no_grad():
        w_new = w - lr * w.grad #!
    meta = w_new.sum()
    meta.backward()
    """,
    "no_grad",
    never=REQUIRE,
)
broken(
    "two_heads_detached_wrong_one",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = T.nn.Linear(2, 3)
            self.h1, self.h2 = T.nn.Linear(3, 1), T.nn.Linear(3, 1)
        def forward(self, x):
            z = T.relu(self.body(x)).detach() #!
            return self.h1(z), self.h2(z)
    net = Net()
    a, b = net(T.ones(2, 2))
    loss = a.mean() + b.mean()
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    ask="viz.explain(net.body.weight, loss)",
)
broken(
    "log_prob_of_action_item",
    """
    import math
    policy = T.nn.Linear(3, 2)
    def log_prob(state, a):
        p = T.softmax(policy(state), -1)
        return math.log(p[a]) #!
    loss = -T.tensor(log_prob(T.randn(3), 0)) * 2.0
    loss.backward()
    """,
    "number | math",
    never=REQUIRE,
)
broken(
    "grad_of_vector_without_sum",
    """
    x = T.randn(4, requires_grad=True)
    y = x ** 2
    dy = T.autograd.grad(y, x)[0] #!
    """,
    "one number",
    "sum()",
)
broken(
    "backward_with_wrong_gradient_vector",
    """
    W = T.randn(3, 2, requires_grad=True)
    out = T.ones(4, 3) @ W
    out.backward(T.ones(4)) #!
    """,
    "shape",
    "ones_like(out)",
)
broken(
    "param_dict_plain_dict",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = {"in": T.nn.Linear(2, 3), "out": T.nn.Linear(3, 1)} #!
        def forward(self, x):
            return self.layers["out"](T.relu(self.layers["in"](x)))
    net = Net()
    opt = T.optim.Adam(net.parameters())
    """,
    "python",
    "moduledict",
)
broken(
    "feature_extractor_eval_with_set_grad_false_forgotten",
    """
    def extract(net, x):
        prev = True
        T.set_grad_enabled(False) #!
        f = net(x)
        return f
    backbone, head = T.nn.Linear(2, 3), T.nn.Linear(3, 1)
    f = extract(backbone, T.ones(4, 2))
    loss = head(f).mean()
    loss.backward()
    """,
    "turned recording off",
    "set_grad_enabled(true)",
    never=REQUIRE,
)
broken(
    "numpy_array_of_params_history",
    """
    import numpy as np
    w = T.ones(2, requires_grad=True)
    traj = []
    for i in range(2):
        loss = (w ** 2).sum()
        loss.backward()
        with T.no_grad():
            w -= 0.1 * w.grad
        traj.append(np.array(w)) #!
    """,
    "numpy",
    "detach",
)
broken(
    "plot_loss_fstring_numpy",
    """
    net = T.nn.Linear(2, 1)
    losses = []
    for i in range(3):
        loss = net(T.ones(1, 2)).pow(2).mean()
        loss.backward()
        losses.append(loss.numpy()) #!
    """,
    "numpy",
    "detach | item()",
)
broken(
    "running_loss_plus_equals_tensor",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    running_loss = 0.0
    for i in range(4):
        opt.zero_grad()
        out = net(T.randn(2, 2))
        loss = T.nn.functional.mse_loss(out, T.zeros(2, 1))
        loss.backward()
        opt.step()
        running_loss = running_loss + loss #!
    """,
    "keeps",
    ".item()",
    ask="viz.explain(running_loss)",
)
broken(
    "unused_param_in_grad_call",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = T.nn.Linear(2, 2), T.nn.Linear(2, 2)
        def forward(self, x):
            return self.a(x)
    net = Net()
    loss = net(T.ones(1, 2)).sum()
    grads = T.autograd.grad(loss, list(net.parameters())) #!
    """,
    "net.b.weight",
    "allow_unused",
)
broken(
    "retain_graph_then_param_update_loop",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    loss = net(T.ones(4, 2)).pow(2).mean()
    for i in range(3):
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step() #!
    """,
    "optimizer",
    "again after",
)
broken(
    "loss_computed_outside_loop",
    """
    w = T.zeros(2, requires_grad=True)
    opt = T.optim.SGD([w], lr=0.1)
    loss = ((w - 1) ** 2).sum() #!
    for i in range(5):
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop | earlier",
    "into the loop | anew",
)
broken(
    "custom_grad_returns_tuple_missing",
    """
    class Add(T.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b
        @staticmethod
        def backward(ctx, g):
            return g #!
    a, b = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)
    Add.apply(a, b).sum().backward()
    """,
    "as many gradients",
    "none | one for each",
)
broken(
    "function_instance_call",
    """
    class Square(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x
        @staticmethod
        def backward(ctx, g):
            x, = ctx.saved_tensors
            return 2 * x * g
    x = T.ones(2, requires_grad=True)
    y = Square()(x) #!
    """,
    "apply",
    "square.apply(x)",
)
broken(
    "labels_require_grad_int",
    """
    emb = T.nn.Embedding(4, 2)
    tokens = T.tensor([0, 1, 3])
    tokens.requires_grad_(True) #!
    """,
    "integers",
    "float",
)
broken(
    "grad_assign_wrong_dtype_shape",
    """
    w = T.ones(3, requires_grad=True)
    loss = (w * 2).sum()
    loss.backward()
    w.grad = w.grad.sum() #!
    """,
    "shape",
    "[3]",
)
broken(
    "log_of_negative_nan_param",
    """
    rate = T.tensor(-0.5, requires_grad=True)
    ll = T.log(rate) - rate #!
    loss = -ll
    """,
    "nan",
    ask="viz.explain(loss)",
)
broken(
    "stateful_metric_in_forward",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(3, 2)
            self.seen = []
        def forward(self, x):
            z = T.tanh(self.l(x))
            self.seen.append(z) #!
            return T.stack(self.seen).mean(0)
    net = Net()
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for batch in range(3):
        loss = net(T.randn(1, 3)).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "holds | earlier turn | kept",
    "detach | each turn",
    never=REQUIRE,
)
broken(
    "meta_sgd_new_leaf_each_step",
    """
    w = T.zeros(2, requires_grad=True)
    target = T.ones(2)
    for step in range(3):
        loss = (w - target).pow(2).sum()
        loss.backward()
        w = T.tensor(w.detach().numpy() - 0.1 * w.grad.numpy()) #!
    """,
    "numpy | copies | require grad",
    "requires_grad",
    never=REQUIRE,
)
broken(
    "noise_schedule_sampled_index",
    """
    class Diffusion(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.net = T.nn.Linear(3, 3)
            self.betas = T.nn.Parameter(T.linspace(0.1, 0.5, 4))
        def sample_t(self, n):
            p = T.softmax(self.betas, 0)
            return T.multinomial(p, n) if n < 3 else T.zeros(n).long() #!
    d = Diffusion()
    t = d.sample_t(2)
    loss = (t.float() / 4).mean()
    loss.backward()
    """,
    "indices",
    "softmax",
    never=REQUIRE,
)
broken(
    "loss_from_confusion_counts",
    """
    net = T.nn.Linear(3, 1)
    x, y = T.randn(6, 3), T.tensor([1.0, 0, 1, 0, 1, 0])
    p = T.sigmoid(net(x)).squeeze(1)
    def f1(p, y):
        hard = p.round().bool() #!
        tp = (hard & (y > 0)).float().sum()
        return 2 * tp / (hard.float().sum() + y.sum())
    loss = 1 - f1(p, y)
    loss.backward()
    """,
    "integers | comparison",
    never=REQUIRE,
)
broken(
    "attention_weights_saved_then_scaled",
    """
    q = T.randn(2, 4, requires_grad=True)
    k = T.randn(2, 4)
    a = T.softmax(q @ k.T, -1)
    a *= 0.5 #!
    loss = a.pow(2).sum()
    loss.backward()
    """,
    "in place",
    "clone | after backward",
)
broken(
    "normalize_rows_in_place_loop",
    """
    W = T.rand(3, 3, requires_grad=True)
    P = T.exp(W)
    for i in range(3):
        P[i] = P[i] / P[i].sum() #!
    loss = P.diagonal().sum() if False else P[0].sum()
    loss.backward()
    """,
    "in place | changed",
    "list | stack | clone",
)
broken(
    "value_iteration_table",
    """
    theta = T.tensor([0.1, 0.2], requires_grad=True)
    V = T.zeros(3)
    for s in (1, 0):
        V[s] = theta[s] * V[s + 1] + theta[s] ** 2 #!
    loss = V[0]
    loss.backward()
    """,
    "changed",
    "list | stack | clone",
)
broken(
    "frozen_encoder_loaded_checkpoint",
    """
    def load(path=None):
        net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh())
        for p in net.parameters():
            p.requires_grad = False #!
        return net
    class Clf(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.enc = load()
            self.scale = 2.0
        def forward(self, x):
            return self.scale * self.enc(x)
    net = Clf()
    loss = net(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "augmented_lagrangian_multiplier",
    """
    x = T.tensor([1.0, 2.0], requires_grad=True)
    lam = T.tensor(0.0)
    opt = T.optim.SGD([x], lr=0.1)
    for it in range(3):
        h = x.sum() - 1
        L = x.pow(2).sum() + lam * h
        opt.zero_grad()
        L.backward()
        opt.step()
        lam = lam + 0.5 * h #!
    """,
    "turn",
    "lam.detach()",
    never=("retain_graph=True",),
)
broken(
    "momentum_by_hand",
    """
    w = T.ones(2, requires_grad=True)
    v = T.zeros(2)
    for i in range(3):
        loss = (w ** 2).sum()
        g, = T.autograd.grad(loss, w, create_graph=True)
        v = 0.9 * v + g #!
        w.data -= 0.1 * v.data
        v.sum().backward()
    """,
    "turn",
    "v.detach()",
    never=("retain_graph=True",),
)
broken(
    "loss_scaling_int_division",
    """
    net = T.nn.Linear(2, 1)
    out = net(T.ones(4, 2))
    loss = (out.sum() // 4).int() #!
    loss.backward()
    """,
    "integers",
    never=REQUIRE,
)
broken(
    "softplus_custom_missing_return_none_for_flag",
    """
    class LeakyClamp(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, lo, hi):
            ctx.save_for_backward(x)
            ctx.lo, ctx.hi = lo, hi
            return x.clamp(lo, hi)
        @staticmethod
        def backward(ctx, g):
            x, = ctx.saved_tensors
            return g * ((x > ctx.lo) & (x < ctx.hi)).float() #!
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(2, 2)
        def forward(self, x):
            return LeakyClamp.apply(self.l(x), -1.0, 1.0)
    loss = Net()(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "as many gradients",
    "none",
)
broken(
    "hook_on_input_batch",
    """
    net = T.nn.Linear(2, 1)
    grads = {}
    batch = T.randn(3, 2) #!
    batch.register_hook(lambda g: grads.setdefault("x", g))
    loss = net(batch).sum()
    loss.backward()
    """,
    "does not require grad",
    "batch.requires_grad_()",
)
broken(
    "retain_grad_on_plain",
    """
    feats = T.randn(3, 2) #!
    feats.retain_grad()
    loss = feats.sum()
    """,
    "does not require grad",
    "requires_grad_()",
)
broken(
    "saliency_non_leaf",
    """
    net = T.nn.Linear(4, 1)
    image = T.rand(1, 4).requires_grad_()
    image = image * 2 - 1 #!
    score = net(image).sum()
    score.backward()
    saliency = image.grad.abs().max() #!
    """,
    "not a leaf",
    "retain_grad()",
)
broken(
    "optimizer_given_activation",
    """
    net = T.nn.Linear(2, 2)
    code = net(T.ones(1, 2)) #!
    opt = T.optim.Adam([code], lr=0.1)
    """,
    "leaf",
    "requires_grad_() last | detach",
)
broken(
    "layers_in_tuple_attribute",
    """
    class MLP(T.nn.Module):
        def __init__(self, sizes):
            super().__init__()
            self.blocks = tuple(T.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])) #!
        def forward(self, x):
            for b in self.blocks:
                x = T.relu(b(x))
            return x
    model = MLP([2, 3, 1])
    opt = T.optim.SGD(model.parameters(), lr=0.1)
    """,
    "python",
    "modulelist",
)
broken(
    "grad_inputs_list_with_label",
    """
    net = T.nn.Linear(2, 1)
    x = T.ones(3, 2, requires_grad=True)
    y = T.zeros(3, 1) #!
    loss = (net(x) - y).pow(2).mean()
    gx, gy = T.autograd.grad(loss, [x, y])
    """,
    "does not require grad",
    "y.requires_grad_()",
)
broken(
    "unused_latent_in_hypernet",
    """
    class Hyper(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.z = T.nn.Parameter(T.zeros(2))
            self.gen = T.nn.Linear(2, 3)
        def weights(self):
            return self.gen(self.z.detach()) #!
    h = Hyper()
    loss = (h.weights() * T.ones(3)).sum()
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    ask="viz.explain(h.z, loss)",
)
broken(
    "never_backward_just_step",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        opt.zero_grad()
        loss = net(T.ones(1, 2)).mean()
        opt.step()
    """,
    "backward() has not been called",
    "loss.backward()",
    ask="viz.explain(net.weight)",
)
broken(
    "backward_inside_no_grad",
    """
    net = T.nn.Linear(2, 1)
    with T.no_grad():
        out = net(T.ones(1, 2)) #!
        loss = out.mean()
        loss.backward()
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "detached_mean_teacher_target_wrong_way",
    """
    student, teacher = T.nn.Linear(2, 2), T.nn.Linear(2, 2)
    for p in teacher.parameters():
        p.requires_grad_(False) #!
    x = T.ones(3, 2)
    loss = T.nn.functional.mse_loss(teacher(x), student(x).detach()) #!
    loss.backward()
    """,
    "frozen",
    never=REQUIRE,
)
broken(
    "sharpness_aware_two_passes",
    """
    net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    x = T.ones(4, 2)
    loss = net(x).pow(2).mean()
    loss.backward(retain_graph=True)
    with T.no_grad():
        for p in net.parameters():
            p.add_(0.05 * p.grad) #!
    loss.backward()
    """,
    "in place",
    "after backward | again | clone",
)
broken(
    "spectral_power_iteration_buffer",
    """
    W = T.nn.Parameter(T.randn(3, 3))
    u = T.ones(3)
    opt = T.optim.SGD([W], lr=0.1)
    for i in range(2):
        v = W.T @ u
        u = W @ v / (W @ v).norm() #!
        sigma = u @ W @ v
        opt.zero_grad()
        sigma.backward()
        opt.step()
    """,
    "turn",
    "u.detach()",
    never=("retain_graph=True",),
)
broken(
    "bootstrapped_value_target_kept",
    """
    class Agent:
        def __init__(self):
            self.v = T.nn.Linear(2, 1)
            self.opt = T.optim.SGD(self.v.parameters(), lr=0.1)
            self.last = None
        def learn(self, s, r):
            value = self.v(s).sum()
            if self.last is not None:
                loss = (self.last - (r + 0.9 * value)).pow(2)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            self.last = value #!
    agent = Agent()
    for i in range(4):
        agent.learn(T.ones(2) * i, 1.0)
    """,
    "self.last | turn | earlier",
    "detach",
    never=("retain_graph=True) in",),
)
broken(
    "norm_of_zero_difference_where",
    """
    a = T.tensor([[1.0, 1.0], [2.0, 0.0]], requires_grad=True)
    d2 = (a[:, 0] - a[:, 1]).pow(2)
    dist = T.where(d2 == 0, T.zeros(2), d2.sqrt()) #!
    loss = dist.sum()
    """,
    "not taken",
    "where",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "bce_with_saturated_sigmoid",
    """
    w = T.tensor(200.0, requires_grad=True)
    p = T.sigmoid(w)
    nll = -T.log(1 - p) #!
    loss = nll + 0.0
    """,
    "inf",
    ask="viz.explain(loss)",
)
broken(
    "float_accumulator_class",
    """
    class Total:
        def __init__(self):
            self.value = 0.0
        def add(self, t):
            self.value += t.item() #!
    net = T.nn.Linear(2, 1)
    total = Total()
    for i in range(3):
        total.add(net(T.ones(2) * i).sum())
    loss = T.tensor(total.value)
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "list_backward_tuple_unpack",
    """
    def losses(net, x):
        out = net(x)
        return out.mean(), out.pow(2).mean()
    net = T.nn.Linear(2, 1)
    loss = losses(net, T.ones(3, 2))
    loss.backward() #!
    """,
    "tuple",
    "sum(loss)",
)
broken(
    "float_loss_backward",
    """
    net = T.nn.Linear(2, 1)
    def criterion(out):
        return float(((out - 1) ** 2).mean()) #!
    loss = criterion(net(T.ones(3, 2)))
    loss.backward()
    """,
    "number",
    "leave float() out",
    never=REQUIRE,
)
broken(
    "ner_crf_viterbi_score",
    """
    class CRF(T.nn.Module):
        def __init__(self, tags):
            super().__init__()
            self.trans = T.nn.Parameter(T.zeros(tags, tags))
        def viterbi(self, feats):
            score = feats[0]
            for f in feats[1:]:
                best, back = (score.unsqueeze(1) + self.trans).max(0) #!
                score = best + f
            return back #!
    crf = CRF(3)
    path = crf.viterbi(T.randn(4, 3))
    loss = (path.float() - 1).abs().sum()
    loss.backward()
    """,
    "indices",
    never=REQUIRE,
)
broken(
    "word2vec_negative_sampling_cached_dot",
    """
    emb = T.nn.Embedding(6, 3)
    ctx = T.nn.Embedding(6, 3)
    opt = T.optim.SGD([*emb.parameters(), *ctx.parameters()], lr=0.1)
    center = emb(T.tensor([0, 1])) #!
    for word in range(2, 5):
        score = (center * ctx(T.tensor([word, word]))).sum(1)
        loss = -T.log(T.sigmoid(score)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop",
    "into the loop",
    never=REQUIRE,
)
broken(
    "graph_message_passing_scatter_inplace",
    """
    lin = T.nn.Linear(2, 2)
    x = T.randn(4, 2)
    edges = [(0, 1), (1, 2), (2, 3)]
    h = T.sigmoid(lin(x))
    for a, b in edges:
        h[b] += h[a] #!
    loss = h.pow(2).sum()
    loss.backward()
    """,
    "changed",
    "list | stack | clone",
)
broken(
    "neural_ode_euler_in_place",
    """
    f = T.nn.Linear(2, 2)
    y = T.ones(1, 2)
    dt = 0.1
    traj = [y]
    y = T.tanh(f(y))
    for k in range(3):
        y += dt * T.tanh(f(y)) #!
        traj.append(y)
    loss = T.cat(traj).pow(2).mean()
    loss.backward()
    """,
    "in place | changed",
    "clone | out of place | list",
)
broken(
    "quantile_loss_numpy_where",
    """
    import numpy as np
    class Quantile(T.nn.Module):
        def __init__(self, q):
            super().__init__()
            self.q = q
        def forward(self, pred, y):
            err = (y - pred).detach().numpy() #!
            return T.tensor(np.where(err > 0, self.q * err, (self.q - 1) * err).mean())
    net = T.nn.Linear(2, 1)
    loss = Quantile(0.9)(net(T.ones(3, 2)), T.zeros(3, 1))
    loss.backward()
    """,
    "numpy",
    "own operations | t.where",
    never=REQUIRE,
)
broken(
    "federated_average_deepcopy_state",
    """
    import copy
    global_net = T.nn.Linear(2, 1)
    def local(net, x):
        net = copy.deepcopy(net)
        out = net(x).mean()
        return net, out
    clients = [local(global_net, T.ones(1, 2) * i) for i in range(2)]
    history = {"loss": [c[1] for c in clients]}
    snapshot = copy.deepcopy(history) #!
    """,
    "deepcopy",
    "detach",
)
broken(
    "loss_weights_from_losses_item",
    """
    net = T.nn.Linear(2, 2)
    def weighted(parts):
        total = sum(p.item() for p in parts) #!
        return T.tensor([p.item() / total for p in parts]).pow(2).sum() #!
    out = net(T.ones(3, 2))
    loss = weighted([out[:, 0].pow(2).mean(), out[:, 1].pow(2).mean()])
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "style_gram_target_live",
    """
    feat = T.nn.Linear(3, 3)
    def gram(x):
        f = feat(x)
        return f.T @ f
    style = gram(T.randn(4, 3)) #!
    image = T.randn(4, 3, requires_grad=True)
    opt = T.optim.Adam([image], lr=0.1)
    for step in range(2):
        loss = (gram(image) - style).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop",
    "style.detach()",
    never=REQUIRE,
)
broken(
    "early_stopping_best_loss_tensor_compare",
    """
    import math
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    best = None
    for i in range(3):
        loss = net(T.randn(4, 2)).pow(2).mean()
        best = loss if best is None else T.minimum(best, loss) #!
        opt.zero_grad()
        best.backward()
        opt.step()
    """,
    "turn",
    "best",
    never=("retain_graph=True",),
)
broken(
    "bayes_by_backprop_sigma_leaf",
    """
    rho = T.zeros(3)
    rho.requires_grad = True
    sigma = T.log(1 + T.exp(rho)) #!
    opt = T.optim.SGD([sigma], lr=0.1) #!
    """,
    "leaf",
    "requires_grad_() last | detach",
)
broken(
    "curiosity_reward_detached_wrong",
    """
    class ICM(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.enc = T.nn.Linear(3, 2)
            self.fwd = T.nn.Linear(3, 2)
        @staticmethod
        def gap(a, b):
            return (a - b).pow(2).sum(1).detach() #!
        def forward(self, s, s2, act):
            z, z2 = self.enc(s), self.enc(s2)
            return self.gap(self.fwd(T.cat([z, act], 1)), z2)
    icm = ICM()
    reward = icm(T.randn(4, 3), T.randn(4, 3), T.randn(4, 1))
    loss = reward.mean()
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "soft_actor_alpha_optimizer_log_alpha_item",
    """
    log_alpha = T.zeros(1, requires_grad=True)
    opt = T.optim.Adam([log_alpha], lr=1e-3)
    class Temp:
        @property
        def alpha(self):
            return log_alpha.exp().item() #!
    temp = Temp()
    entropy = T.tensor([0.3, 0.2])
    loss = (temp.alpha * (entropy - 0.5)).mean()
    opt.zero_grad()
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "capsule_routing_frozen_logits_no_grad_ctx",
    """
    class no_history(T.no_grad):
        pass
    W = T.randn(2, 2, requires_grad=True)
    u = T.ones(3, 2)
    with no_history():
        v = u @ W #!
    loss = v.pow(2).sum()
    loss.backward()
    """,
    "no_history | no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "cell_state_default_argument",
    """
    cell = T.nn.Linear(4, 2)
    opt = T.optim.SGD(cell.parameters(), lr=0.1)
    def step(x, memory={"h": T.zeros(1, 2)}):
        memory["h"] = T.tanh(cell(T.cat([x, memory["h"]], 1))) #!
        return memory["h"]
    for i in range(3):
        loss = step(T.randn(1, 2)).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "turn",
    "detach()",
    never=REQUIRE,
)
broken(
    "closure_nonlocal_state",
    """
    def make_rnn():
        cell = T.nn.Linear(4, 2)
        h = T.zeros(1, 2)
        def run(x):
            nonlocal h
            h = T.tanh(cell(T.cat([x, h], 1))) #!
            return h
        return cell, run
    cell, run = make_rnn()
    for i in range(3):
        loss = run(T.randn(1, 2)).pow(2).sum()
        loss.backward()
    """,
    "turn",
    "detach()",
    never=REQUIRE,
)
broken(
    "itertools_accumulate_losses",
    """
    net = T.nn.Linear(2, 1)
    batches = [T.randn(2, 2) for _ in range(3)]
    total = T.zeros(1)
    for b in batches:
        total = total + net(b).pow(2).mean() #!
        total.backward()
    """,
    "adds up | earlier turn",
    "once after the loop | this turn alone",
)
broken(
    "teacher_student_eval_mode_grad_off_globally",
    """
    T.set_grad_enabled(False) #!
    teacher = T.nn.Linear(2, 2)
    target = teacher(T.ones(1, 2))
    student = T.nn.Linear(2, 2)
    for i in range(2):
        loss = (student(T.ones(1, 2)) - target).pow(2).mean()
        loss.backward()
    """,
    "turned recording off",
    "set_grad_enabled(true)",
    never=REQUIRE,
)
broken(
    "sklearn_style_fit_predict",
    """
    import numpy as np
    class Regressor:
        def __init__(self):
            self.net = T.nn.Linear(2, 1)
        def predict(self, X):
            with T.no_grad():
                return self.net(X) #!
        def fit(self, X, y, epochs=2):
            opt = T.optim.SGD(self.net.parameters(), lr=0.1)
            for _ in range(epochs):
                opt.zero_grad()
                loss = T.nn.functional.mse_loss(self.predict(X), y)
                loss.backward()
                opt.step()
            return self
    Regressor().fit(T.ones(4, 2), T.zeros(4, 1))
    """,
    "no_grad",
    "out of",
    never=REQUIRE,
)
broken(
    "lambda_layers_argmax_pipeline",
    """
    steps = [T.nn.Linear(3, 4), T.relu, lambda h: h.argmax(1)] #!
    x = T.randn(2, 3)
    for s in steps:
        x = s(x)
    loss = x.float().mean()
    loss.backward()
    """,
    "argmax | indices",
    never=REQUIRE,
)
broken(
    "functools_partial_helper_data",
    """
    import functools
    def scaled(model, x, k):
        return model(x).data * k #!
    model = T.nn.Linear(2, 1)
    f = functools.partial(scaled, model, k=2.0)
    loss = f(T.ones(1, 2)).sum()
    loss.backward()
    """,
    ".data",
    "leave .data out",
    never=REQUIRE,
)
broken(
    "reduce_with_float",
    """
    import functools
    net = T.nn.Linear(2, 1)
    outs = [net(T.ones(2) * i).sum() for i in range(3)]
    total = functools.reduce(lambda a, b: a + float(b), outs, 0.0) #!
    loss = T.tensor(total)
    loss.backward()
    """,
    "float()",
    "leave float() out",
    never=REQUIRE,
)
broken(
    "match_statement_losses",
    """
    net = T.nn.Linear(2, 3)
    def make_loss(kind, out, y):
        match kind:
            case "hard":
                return (out.argmax(1) != y).float().mean() #!
            case "soft":
                return -T.log_softmax(out, 1)[:, 0].mean()
    loss = make_loss("hard", net(T.ones(2, 2)), T.tensor([0, 1]))
    loss.backward()
    """,
    "indices | comparison",
    never=REQUIRE,
)
broken(
    "walrus_and_conditional_detach",
    """
    net = T.nn.Linear(2, 2)
    stop_gradient = True
    h = net(T.ones(1, 2))
    z = h.detach() if stop_gradient else h #!
    loss = (z * 2).sum()
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "weight_decay_by_hand_on_result",
    """
    net = T.nn.Linear(2, 1)
    w = net.weight * 1.0
    loss = net(T.ones(1, 2)).sum() + w.pow(2).sum()
    loss.backward()
    with T.no_grad():
        net.weight -= 0.1 * w.grad #!
    """,
    "not a leaf",
    "retain_grad()",
)
broken(
    "clip_before_backward_none",
    """
    net = T.nn.Linear(2, 1)
    loss = net(T.ones(1, 2)).sum()
    total = sum(p.grad.pow(2).sum() for p in net.parameters()) #!
    loss.backward()
    """,
    "none",
    "backward",
)
broken(
    "log_zero_prob_value",
    """
    logits = T.tensor([0.0, 200.0], requires_grad=True)
    p = T.softmax(logits, 0)
    loss = -T.log(p[0]) #!
    """,
    "inf",
    ask="viz.explain(loss)",
)
broken(
    "division_by_count_zero",
    """
    x = T.tensor([1.0, 2.0], requires_grad=True)
    mask = T.tensor([0.0, 0.0])
    loss = (x * mask).sum() / mask.sum() #!
    """,
    "nan",
    ask="viz.explain(loss)",
)
broken(
    "sequence_of_returns_none",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(2, 1)
        def forward(self, x):
            y = self.l(x) #!
    net = Net()
    loss = net(T.ones(1, 2))
    loss.backward()
    """,
    "none",
    "return",
)
broken(
    "char_rnn_epoch_hidden",
    """
    class CharRNN(T.nn.Module):
        def __init__(self, v, h):
            super().__init__()
            self.h = h
            self.i2h = T.nn.Linear(v + h, h)
            self.i2o = T.nn.Linear(h, v)
        def forward(self, x, hidden):
            hidden = T.tanh(self.i2h(T.cat([x, hidden], 1)))
            return self.i2o(hidden), hidden
        def start(self):
            return T.zeros(1, self.h)
    rnn = CharRNN(3, 4)
    opt = T.optim.Adam(rnn.parameters())
    hidden = rnn.start()
    for epoch in range(3):
        loss = 0
        for t in range(2):
            out, hidden = rnn(T.eye(3)[t:t + 1], hidden) #!
            loss = loss - T.log_softmax(out, 1)[0, t]
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "turn",
    "hidden.detach()",
    never=("loss.requires_grad_()", "requires_grad_() before", "retain_graph=True"),
)
broken(
    "vae_train_loop_recon_only_items",
    """
    enc, dec = T.nn.Linear(4, 4), T.nn.Linear(2, 4)
    def elbo(x):
        mu, lv = enc(x).chunk(2, 1)
        z = mu + T.exp(lv / 2) * T.randn_like(mu)
        rec = (dec(z) - x).pow(2).mean()
        kl = -0.5 * (1 + lv - mu ** 2 - T.exp(lv)).mean()
        return {"rec": rec.item(), "kl": kl.item()} #!
    parts = elbo(T.randn(3, 4))
    loss = T.tensor(parts["rec"] + parts["kl"])
    loss.backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "wgan_critic_loop_reuses_fake",
    """
    G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
    od = T.optim.SGD(D.parameters(), lr=0.1)
    fake = G(T.randn(4, 1)) #!
    for k in range(3):
        d_loss = D(fake).mean() - D(T.randn(4, 2)).mean()
        od.zero_grad()
        d_loss.backward()
        od.step()
    """,
    "before the loop",
    "fake.detach()",
    never=REQUIRE,
)
broken(
    "grad_penalty_under_no_grad_interp",
    """
    D = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    def gp(real, fake):
        with T.no_grad():
            mix = 0.5 * real + 0.5 * fake #!
        out = D(mix)
        g = T.autograd.grad(out.sum(), mix, create_graph=True)[0]
        return ((g.norm(2, 1) - 1) ** 2).mean()
    loss = gp(T.randn(3, 2), T.randn(3, 2))
    loss.backward()
    """,
    "does not require grad",
    "requires_grad",
)
broken(
    "policy_gradient_probs_detached_log",
    """
    pi = T.nn.Sequential(T.nn.Linear(3, 8), T.nn.ReLU(), T.nn.Linear(8, 2))
    opt = T.optim.Adam(pi.parameters())
    saved = []
    def select(s):
        probs = T.softmax(pi(s), -1)
        a = int(T.multinomial(probs, 1))
        saved.append(T.log(probs[a]).detach()) #!
        return a
    rewards = [float(select(T.randn(3))) for _ in range(4)]
    loss = sum(-lp * r for lp, r in zip(saved, rewards))
    opt.zero_grad()
    loss.backward()
    """,
    "detach",
    "leave .detach() out",
    never=REQUIRE,
)
broken(
    "dropout_residual_add_inplace",
    """
    class FF(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = T.nn.Linear(3, 3), T.nn.Linear(3, 3)
        def forward(self, x):
            y = T.sigmoid(self.a(x))
            y += self.b(y) #!
            return y
    net = FF()
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(2):
        loss = net(T.ones(2, 3)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "in place",
    "clone",
)
broken(
    "linear_regression_from_scratch_lost_grad",
    """
    X, y = T.randn(10, 2), T.randn(10)
    w = T.zeros(2, requires_grad=True)
    b = T.zeros(1, requires_grad=True)
    for epoch in range(3):
        loss = (X @ w + b - y).pow(2).mean()
        loss.backward()
        w = w - 0.1 * w.grad #!
        b = b - 0.1 * b.grad
    """,
    "not a leaf",
    "w -= 0.1 * w.grad",
)
broken(
    "frozen_then_optimizer_only_head_missing",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.backbone = T.nn.Linear(2, 3)
            self.head = T.nn.Linear(3, 1)
        def freeze(self):
            for p in self.parameters():
                p.requires_grad = False #!
        def forward(self, x):
            return self.head(T.relu(self.backbone(x)))
    net = Net()
    net.freeze()
    loss = net(T.ones(2, 2)).mean()
    loss.backward()
    """,
    "frozen",
    "requires_grad = true",
    never=("loss.requires_grad_()",),
)
broken(
    "accuracy_for_loss_in_trainer",
    """
    class Trainer:
        def __init__(self, net):
            self.net = net
            self.opt = T.optim.SGD(net.parameters(), lr=0.1)
        def metric(self, out, y):
            return (out.argmax(1) == y).float().mean() #!
        def step(self, x, y):
            out = self.net(x)
            loss = 1 - self.metric(out, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
    Trainer(T.nn.Linear(3, 2)).step(T.randn(4, 3), T.tensor([0, 1, 0, 1]))
    """,
    "indices | comparison",
    never=REQUIRE,
)
broken(
    "meta_inner_loop_no_create",
    """
    meta = T.randn(2, requires_grad=True)
    x, y = T.randn(5, 2), T.randn(5)
    def inner(p):
        return (x @ p - y).pow(2).mean()
    grad = T.autograd.grad(inner(meta), meta)[0] #!
    sharp = grad.pow(2).sum()
    sharp.backward()
    """,
    "create_graph",
    "create_graph=true",
    never=REQUIRE,
)
broken(
    "plot_with_numpy_of_prediction",
    """
    net = T.nn.Linear(1, 1)
    x = T.linspace(0, 1, 5).unsqueeze(1)
    y = net(x)
    ys = y.numpy() #!
    """,
    "numpy",
    "detach",
)
broken(
    "moving_average_of_weights_in_list",
    """
    net = T.nn.Linear(2, 1)
    avg = T.zeros(1, 2)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        avg = 0.9 * avg + 0.1 * net.weight #!
        loss = (net(T.ones(1, 2)) ** 2).sum() + (net.weight * avg).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "turn | optimizer",
    "avg.detach() | before that step",
    never=REQUIRE,
)
broken(
    "two_losses_one_pass_each_shared_encoder",
    """
    enc = T.nn.Linear(3, 4)
    h1, h2 = T.nn.Linear(4, 1), T.nn.Linear(4, 1)
    x = T.randn(5, 3)
    z = T.relu(enc(x)) #!
    l1 = h1(z).mean()
    l2 = h2(z).pow(2).mean()
    l1.backward()
    l2.backward()
    """,
    "shares",
    "add the two",
)
broken(
    "integer_input_grad",
    """
    x = T.arange(4)
    x.requires_grad = True #!
    y = (x * 2).sum()
    y.backward()
    """,
    "integers",
    "float",
)
broken(
    "optimizer_on_model_class_list",
    """
    class Ens(T.nn.Module):
        def __init__(self, n):
            super().__init__()
            self.members = [] #!
            for i in range(n):
                self.members.append(T.nn.Linear(2, 1))
        def forward(self, x):
            return sum(m(x) for m in self.members)
    ens = Ens(2)
    opt = T.optim.Adam(ens.parameters(), lr=0.1)
    """,
    "python list",
    "modulelist",
)
broken(
    "loss_not_reduced",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    for x in [T.ones(3, 2), T.zeros(3, 2)]:
        loss = (net(x) - 1).abs()
        opt.zero_grad()
        loss.backward() #!
        opt.step()
    """,
    "one number | single number",
    "sum()",
)
broken(
    "grad_after_no_retain",
    """
    x = T.ones(2, requires_grad=True)
    h = x * 3 #!
    loss = (h ** 2).sum()
    loss.backward()
    """,
    "not a leaf",
    "retain_grad()",
    ask="viz.explain(h)",
)
broken(
    "module_unused_in_forward",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.a = T.nn.Linear(2, 2)
            self.b = T.nn.Linear(2, 2) #!
        def forward(self, x):
            return self.a(self.a(x))
    net = Net()
    loss = net(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "does not lead to net.b.weight",
    "does forward use it",
    ask="viz.explain(net.b.weight, loss)",
)
broken(
    "sqrt_distance_nan_training",
    """
    pts = T.zeros(3, 2, requires_grad=True)
    diff = pts.unsqueeze(0) - pts.unsqueeze(1)
    dist = (diff ** 2).sum(-1).sqrt() #!
    loss = dist.sum()
    """,
    "sqrt",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "entropy_log_zero",
    """
    p = T.tensor([0.0, 1.0], requires_grad=True)
    loss = -(p * T.log(p)).sum() #!
    """,
    "nan",
    ask="viz.explain(loss)",
)
broken(
    "func_return_missing_grad_none",
    """
    class Round(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.round()
        @staticmethod
        def backward(ctx, g):
            return None #!
    w = T.tensor([0.4, 1.6], requires_grad=True)
    loss = (Round.apply(w) * 2).sum()
    loss.backward()
    """,
    "none",
    ask="viz.explain(w, loss)",
)
broken(
    "update_weights_without_no_grad",
    """
    layers = [T.randn(2, 3, requires_grad=True), T.randn(3, 1, requires_grad=True)]
    x = T.ones(4, 2)
    for i in range(2):
        loss = (T.tanh(x @ layers[0]) @ layers[1]).pow(2).mean()
        loss.backward()
        for w in layers:
            w -= 0.1 * w.grad #!
            w.grad.zero_()
    """,
    "leaf",
    "no_grad",
)
broken(
    "evaluate_inside_train_step_off",
    """
    class Model(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = T.nn.Linear(2, 1)
        def forward(self, x):
            return self.l(x)
        @T.no_grad() #!
        def embed(self, x):
            return T.tanh(self.l(x))
    m = Model()
    a, b = m.embed(T.ones(1, 2)), m.embed(T.zeros(1, 2))
    loss = (a - b).pow(2).sum()
    loss.backward()
    """,
    "no_grad",
    "decorator",
    never=REQUIRE,
)
broken(
    "threshold_mask_multiplied_only_mask",
    """
    w = T.randn(5, requires_grad=True)
    mask = (w.abs() > 0.5).float() #!
    sparsity = mask.mean()
    sparsity.backward()
    """,
    "comparison",
    never=REQUIRE,
)
broken(
    "torch_tensor_of_model_output",
    """
    net = T.nn.Linear(2, 1)
    out = net(T.ones(3, 2))
    pred = T.tensor(out.tolist()) #!
    loss = (pred - 1).pow(2).mean()
    loss.backward()
    """,
    "tolist",
    "leave .tolist() out",
    never=REQUIRE,
)
broken(
    "accumulate_total_loss_backward_each",
    """
    net = T.nn.Linear(2, 1)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    total = 0
    for x in [T.ones(1, 2), T.zeros(1, 2), T.ones(1, 2)]:
        total += net(x).pow(2).mean() #!
        opt.zero_grad()
        total.backward()
    """,
    "adds up",
    "once after the loop",
)
broken(
    "embedding_renorm_in_place",
    """
    emb = T.nn.Embedding(4, 2)
    e = emb(T.tensor([0, 1]))
    s = T.exp(e)
    s.div_(s.sum(1, keepdim=True)) #!
    loss = s.pow(2).sum()
    loss.backward()
    """,
    "in place",
    "clone | after backward",
)
broken(
    "checkpoint_loss_cut_by_float_in_loop_sum",
    """
    net = T.nn.Linear(2, 1)
    loss = 0.0
    for x in [T.ones(1, 2), T.zeros(1, 2)]:
        loss = loss + net(x).pow(2).mean().item() #!
    T.tensor(loss).backward()
    """,
    "item()",
    "leave .item() out",
    never=REQUIRE,
)
broken(
    "target_requires_gather_indices_loss",
    """
    q = T.nn.Linear(3, 2)
    s = T.randn(4, 3)
    best_action = q(s).max(1).indices #!
    loss = best_action.float().mean()
    loss.backward()
    """,
    "indices",
    never=REQUIRE,
)
broken(
    "backward_again_for_second_optimizer",
    """
    a, b = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
    oa, ob = T.optim.SGD(a.parameters(), lr=.1), T.optim.SGD(b.parameters(), lr=.1)
    loss = b(T.tanh(a(T.ones(1, 2)))).pow(2).sum()
    oa.zero_grad()
    loss.backward() #!
    oa.step()
    ob.zero_grad()
    loss.backward()
    ob.step()
    """,
    "earlier pass | optimizer",
    "anew | again after",
)

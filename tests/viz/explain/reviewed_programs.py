"""Programs that were written by somebody who wanted to see explain fail: states that are kept in
global variables, classes, closures, caches and queues; and what is right to say of each.
"""

from __future__ import annotations

from .broken_programs import REQUIRE, Broken, program

BROKEN: list[Broken] = []


def broken(
    name: str,
    text: str,
    cause: str,
    cure: str = "",
    never: tuple[str, ...] = (),
    ask: str = "viz.explain(error)",
) -> None:
    BROKEN.append(program(name, text, cause, cure, never, ask))


broken(
    "global_hidden_in_step_function",
    """
    cell = T.nn.Linear(3, 3)
    hidden = T.zeros(1, 3)
    opt = T.optim.SGD(cell.parameters(), lr=0.1)
    def step(x):
        global hidden
        opt.zero_grad()
        hidden = T.tanh(cell(x) + hidden) #!
        loss = hidden.pow(2).sum()
        loss.backward()
        opt.step()
    for i in range(3):
        step(T.ones(1, 3))
    """,
    "turn | earlier | carries | before",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "detached_while_anomalies_are_looked_for",
    """
    w = T.ones(2, requires_grad=True)
    with T.autograd.set_detect_anomaly(True):
        y = w.detach() * 2 #!
        loss = y.sum()
    loss.backward()
    """,
    "detach",
    "detach()",
    never=("no_grad",),
)
broken(
    "module_level_dict_of_state",
    """
    net = T.nn.Linear(2, 2)
    CACHE = {}
    def forward(x, key):
        prev = CACHE.get(key, T.zeros(1, 2)) #!
        CACHE[key] = T.tanh(net(x) + prev)
        return CACHE[key]
    for t in range(3):
        loss = forward(T.ones(1, 2), "a").sum()
        loss.backward()
    """,
    "turn | earlier | carries",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "class_attribute_state",
    """
    class Agent:
        memory = T.zeros(2)
        def __init__(self):
            self.w = T.ones(2, requires_grad=True)
        def act(self, obs):
            Agent.memory = 0.5 * Agent.memory + self.w * obs #!
            return Agent.memory.sum()
    agent = Agent()
    for _ in range(2):
        loss = agent.act(T.ones(2)) ** 2
        loss.backward()
    """,
    "turn | earlier | carries",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "global_running_total_then_backward",
    """
    net = T.nn.Linear(2, 1)
    total = 0.0
    def accumulate(x):
        global total
        total = total + net(x).pow(2).mean() #!
        return total
    for i in range(3):
        loss = accumulate(T.ones(1, 2))
        loss.backward()
    """,
    "turn | earlier | carries",
    "detach() | sum | once | .item()",
    never=("retain_graph=True",),
)
broken(
    "accuracy_as_loss",
    """
    net = T.nn.Linear(4, 3)
    xs, ys = T.randn(8, 4), T.tensor([0, 1, 2, 0, 1, 2, 0, 1])
    def accuracy(logits, target):
        hits = (logits.max(1)[1] == target) #!
        return hits.float().mean()
    loss = 1 - accuracy(net(xs), ys)
    loss.backward()
    """,
    "comparison | indices",
    never=REQUIRE,
)
broken(
    "round_and_long",
    """
    net = T.nn.Linear(2, 1)
    price = net(T.ones(4, 2)).round().long() #!
    loss = (price - T.tensor([[1], [2], [3], [4]])).float().abs().mean()
    loss.backward()
    """,
    "integers | long",
    never=REQUIRE,
)
broken(
    "numpy_metric_in_dict",
    """
    import numpy as np
    net = T.nn.Linear(3, 1)
    def mse(a, b): return np.mean((a - b) ** 2)
    METRICS = {"mse": mse}
    out = net(T.ones(4, 3))
    score = METRICS["mse"](out.detach().numpy(), np.zeros((4, 1))) #!
    loss = T.tensor(float(score))
    loss.backward()
    """,
    "numpy | detach",
    never=REQUIRE,
)
broken(
    "in_place_relu_after_sigmoid_in_block",
    """
    class Block(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = T.nn.Linear(3, 3)
        def forward(self, x):
            gate = T.sigmoid(self.lin(x))
            x = gate * x
            gate.mul_(0.5) #!
            return x + gate
    net = Block()
    loss = net(T.ones(2, 3)).sum()
    loss.backward()
    """,
    "changed",
    "gate * 0.5 | gate.mul(0.5) | clone | out of place | without | copy",
)
broken(
    "optimizer_step_before_second_loss",
    """
    enc, a, c = T.nn.Linear(2, 2), T.nn.Linear(2, 1), T.nn.Linear(2, 1)
    opt = T.optim.SGD([*enc.parameters(), *a.parameters(), *c.parameters()], lr=0.1)
    z = T.tanh(enc(T.ones(1, 2)))
    loss_a, loss_c = a(z).pow(2).sum(), c(T.tanh(enc(z))).pow(2).sum()
    loss_a.backward(retain_graph=True)
    opt.step() #!
    loss_c.backward()
    """,
    "step | optimizer",
    "before",
)
broken(
    "two_backwards_plain",
    """
    w = T.ones(3, requires_grad=True)
    loss = (w.exp() * w).sum()
    loss.backward()
    print(w.grad)
    loss.backward() #!
    """,
    "again",
    "retain_graph=true | anew | again",
)
broken(
    "grad_of_intermediate",
    """
    x = T.ones(3, requires_grad=True)
    h = x * 2
    loss = h.pow(2).sum()
    loss.backward()
    """,
    "retain_grad | not a leaf | leaf",
    "retain_grad()",
    ask="viz.explain(h)",
)
broken(
    "copy_of_parameter_rebinding",
    """
    w = T.randn(3, requires_grad=True)
    for i in range(2):
        loss = (w * T.ones(3)).pow(2).sum()
        loss.backward()
        with T.no_grad():
            w = w - 0.1 * w.grad #!
    """,
    "no_grad | new",
    "w -= ",
    never=REQUIRE,
)
broken(
    "log_of_softmax_of_masked",
    """
    x = T.zeros(2, 2, requires_grad=True)
    masked = x.masked_fill(T.tensor([[True, True], [False, False]]), float("-inf"))
    p = T.softmax(masked, dim=1) #!
    loss = p.sum()
    loss.backward()
    """,
    "nan",
    ask="viz.explain(loss, nan=True)",
)
broken(
    "layers_in_set_via_dict",
    """
    class Net(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = {"in": T.nn.Linear(2, 2), "out": T.nn.Linear(2, 1)} #!
        def forward(self, x):
            return self.layers["out"](T.relu(self.layers["in"](x)))
    net = Net()
    opt = T.optim.Adam(net.parameters(), lr=0.1)
    """,
    "python | dict",
    "moduledict",
)
broken(
    "backward_of_list_comprehension_items",
    """
    net = T.nn.Linear(2, 1)
    losses = [net(T.ones(1, 2) * i).pow(2).mean().item() for i in range(3)] #!
    loss = T.tensor(losses).mean()
    loss.backward()
    """,
    "item",
    "t.stack",
    never=REQUIRE,
)
broken(
    "frozen_in_init_of_subclass",
    """
    class Base(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = T.nn.Linear(2, 2)
            for p in self.parameters():
                p.requires_grad = False #!
    class Child(Base):
        def forward(self, x):
            return self.fc(x)
    net = Child()
    loss = net(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "frozen",
    "requires_grad",
    never=REQUIRE,
)
broken(
    "property_detaches",
    """
    class Model:
        def __init__(self):
            self.raw = T.ones(2, requires_grad=True)
        @property
        def scale(self):
            return self.raw.exp().data #!
    m = Model()
    loss = (m.scale * T.ones(2)).sum()
    loss.backward()
    """,
    ".data",
    never=REQUIRE,
)
broken(
    "staticmethod_under_no_grad",
    """
    class Ops:
        @staticmethod
        def norm(v):
            with T.no_grad():
                return v / v.pow(2).sum().sqrt() #!
    w = T.ones(3, requires_grad=True)
    loss = Ops.norm(w).sum()
    loss.backward()
    """,
    "no_grad",
    never=REQUIRE,
)
broken(
    "generator_of_losses_item",
    """
    net = T.nn.Linear(2, 1)
    def losses():
        for i in range(3):
            yield float(net(T.ones(1, 2) * i).mean()) #!
    loss = T.tensor(sum(losses()))
    loss.backward()
    """,
    "float | number",
    never=REQUIRE,
)
broken(
    "zero_grad_on_tensor_none",
    """
    w = T.ones(2, requires_grad=True)
    for i in range(2):
        w.grad.zero_() #!
        loss = (w * 2).sum()
        loss.backward()
    """,
    "none",
    "is not none | after | first",
)
broken(
    "wrong_shape_target_broadcast_backward_vector",
    """
    net = T.nn.Linear(2, 3)
    out = net(T.ones(4, 2))
    out.backward() #!
    """,
    "single number",
    "sum() | mean() | ones_like",
)
broken(
    "function_returns_grad_for_flag",
    """
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.k = k
            return x * k
        @staticmethod
        def backward(ctx, g):
            return g * ctx.k #!
    x = T.ones(2, requires_grad=True)
    loss = Scale.apply(x, 3.0).sum()
    loss.backward()
    """,
    "gradients",
    "none",
)
broken(
    "leaf_in_place_init",
    """
    w = T.zeros(3, requires_grad=True)
    w.uniform_(-1, 1) #!
    """,
    "leaf",
    "no_grad",
)
broken(
    "slice_assign_leaf",
    """
    table = T.zeros(3, 2, requires_grad=True)
    for i in range(3):
        table[i] = T.ones(2) * i #!
    """,
    "leaf",
    "clone | no_grad",
)
broken(
    "nested_function_state_nonlocal",
    """
    def make():
        w = T.ones(2, requires_grad=True)
        state = T.zeros(2)
        def step(x):
            nonlocal state
            state = T.tanh(state + w * x) #!
            return state.sum()
        return w, step
    w, step = make()
    for i in range(2):
        loss = step(T.ones(2))
        loss.backward()
    """,
    "turn | earlier | carries",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "list_state_last_element",
    """
    cell = T.nn.Linear(2, 2)
    states = [T.zeros(1, 2)]
    for t in range(3):
        states.append(T.tanh(cell(states[-1]))) #!
        loss = states[-1].pow(2).mean()
        loss.backward()
    """,
    "turn | earlier | carries",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "deque_state",
    """
    from collections import deque
    cell = T.nn.Linear(2, 2)
    past = deque([T.zeros(1, 2)], maxlen=2)
    for t in range(3):
        h = T.tanh(cell(past[-1])) #!
        past.append(h)
        loss = h.pow(2).mean()
        loss.backward()
    """,
    "turn | earlier | carries",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "embedding_looked_up_before_loop",
    """
    emb, head = T.nn.Embedding(4, 2), T.nn.Linear(2, 1)
    opt = T.optim.SGD([*emb.parameters(), *head.parameters()], lr=0.1)
    vectors = emb(T.tensor([0, 1])) #!
    scaled = vectors * vectors
    for epoch in range(2):
        loss = head(scaled).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    """,
    "before the loop",
    "into the loop | inside | detach",
    never=("retain_graph=True",),
)
broken(
    "requires_grad_on_int_labels",
    """
    y = T.tensor([1, 0, 1], requires_grad=True) #!
    """,
    "integers | floating",
    "float",
)
broken(
    "train_function_args_state",
    """
    net = T.nn.Linear(2, 2)
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    def train(x, h):
        h = T.tanh(net(x) + h) #!
        loss = h.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        return h
    h = T.zeros(1, 2)
    for x in [T.ones(1, 2)] * 3:
        h = train(x, h)
    """,
    "turn | earlier | carries",
    "detach()",
    never=("retain_graph=True",),
)
broken(
    "global_weights_updated_in_function",
    """
    w = T.ones(2, requires_grad=True)
    def sgd(lr):
        global w
        with T.no_grad():
            w = w - lr * w.grad #!
    for i in range(2):
        loss = (w * 2).pow(2).sum()
        loss.backward()
        sgd(0.1)
    """,
    "no_grad | new",
    "w -= ",
    never=REQUIRE,
)
broken(
    "global_flag_frozen_encoder",
    """
    TRAIN_ENCODER = False
    enc, head = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
    def encode(x):
        with T.set_grad_enabled(TRAIN_ENCODER):
            return enc(x) #!
    loss = encode(T.ones(1, 2)).sum()
    loss.backward()
    """,
    "set_grad_enabled",
    never=REQUIRE,
)
broken(
    "unused_output",
    """
    net = T.nn.Linear(2, 2)
    w = T.ones(2, requires_grad=True)
    out = net(T.ones(1, 2))
    loss = out.sum()
    g = T.autograd.grad(loss, [w])
    """,
    "loss | not",
    "allow_unused",
    never=REQUIRE,
)

CORRECT: dict[str, str] = {
    "global_hidden_detached": """
cell = T.nn.Linear(3, 3)
hidden = T.zeros(1, 3)
def step(x):
    global hidden
    hidden = T.tanh(cell(x) + hidden.detach())
    loss = hidden.pow(2).sum()
    loss.backward()
    return loss
for i in range(3):
    loss = step(T.ones(1, 3))
""",
    "cache_dict_detached": """
net = T.nn.Linear(2, 2)
CACHE = {}
for t in range(3):
    out = T.tanh(net(T.ones(1, 2)) + CACHE.get("h", T.zeros(1, 2)))
    CACHE["h"] = out.detach()
    loss = out.sum()
    loss.backward()
""",
    "argmax_for_metric_only": """
net = T.nn.Linear(4, 3)
xs, ys = T.randn(6, 4), T.tensor([0, 1, 2, 0, 1, 2])
logits = net(xs)
acc = (logits.argmax(1) == ys).float().mean()
loss = T.nn.functional.cross_entropy(logits, ys)
loss.backward()
""",
    "global_sgd": """
w = T.ones(2, requires_grad=True)
def sgd(lr):
    with T.no_grad():
        w.sub_(lr * w.grad)
        w.grad.zero_()
for i in range(2):
    loss = (w * 2).pow(2).sum()
    loss.backward()
    sgd(0.1)
""",
    "straight_through_by_hand": """
x = T.randn(4, requires_grad=True)
hard = (x > 0).float()
soft = T.sigmoid(x)
out = soft + (hard - soft).detach()
loss = (out - 1).pow(2).sum()
loss.backward()
""",
    "clone_before_in_place": """
x = T.ones(3, requires_grad=True)
y = x.exp()
z = y.clone()
z[0] = 0.0
z += 1
loss = (z * y).sum()
loss.backward()
""",
    "in_place_on_unsaved": """
x = T.ones(3, requires_grad=True)
y = x + 1
y *= 2
y.relu_()
loss = y.sum()
loss.backward()
""",
    "retained_then_scaled": """
x = T.ones(3, requires_grad=True)
h = x * 2
h.retain_grad()
loss = h.pow(2).sum()
loss.backward()
""",
    "double_backward_hvp": """
x = T.randn(3, requires_grad=True)
loss = x.pow(3).sum()
(g,) = T.autograd.grad(loss, x, create_graph=True)
v = T.ones(3)
loss = (g * v).sum()
loss.backward()
""",
    "where_safe": """
x = T.tensor([0.0, 4.0], requires_grad=True)
safe = T.where(x > 0, x, T.ones(2))
loss = T.where(x > 0, safe.sqrt(), T.zeros(2)).sum()
loss.backward()
""",
    "frozen_backbone_head_learns": """
body, head = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
for p in body.parameters():
    p.requires_grad = False
loss = head(body(T.ones(1, 2))).sum()
loss.backward()
""",
    "two_losses_two_passes_retain": """
enc, a, d = T.nn.Linear(2, 2), T.nn.Linear(2, 1), T.nn.Linear(2, 1)
z = T.tanh(enc(T.ones(1, 2)))
loss_a, loss = a(z).sum(), d(z).sum()
loss_a.backward(retain_graph=True)
loss.backward()
""",
    "list_of_states_one_pass": """
cell = T.nn.Linear(2, 2)
states = [T.zeros(1, 2)]
for t in range(3):
    states.append(T.tanh(cell(states[-1])))
loss = T.stack(states[1:]).pow(2).mean()
loss.backward()
""",
    "closure_counter": """
def make():
    w = T.ones(2, requires_grad=True)
    count = 0
    def step(x):
        nonlocal count
        count += 1
        return (w * x * count).sum()
    return w, step
w, step = make()
for i in range(2):
    loss = step(T.ones(2))
    loss.backward()
""",
    "gan_half_detached": """
g, d = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
fake = g(T.ones(3, 2))
loss_d = d(fake.detach()).mean()
loss_d.backward()
d.zero_grad()
loss = -d(fake).mean()
loss.backward()
""",
    "no_grad_eval_between": """
net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    loss = net(T.ones(1, 2)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with T.no_grad():
        score = net(T.zeros(1, 2)).item()
""",
    "module_dict_registered": """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = T.nn.ModuleList([T.nn.Linear(2, 2), T.nn.Linear(2, 1)])
        self.names = {"in": 0, "out": 1}
    def forward(self, x):
        return self.layers[self.names["out"]](T.relu(self.layers[self.names["in"]](x)))
net = Net()
loss = net(T.ones(1, 2)).sum()
loss.backward()
""",
    "embedding_in_loop": """
emb, head = T.nn.Embedding(4, 2), T.nn.Linear(2, 1)
for epoch in range(2):
    vectors = emb(T.tensor([0, 1]))
    loss = head(vectors * vectors).pow(2).mean()
    loss.backward()
""",
    "numpy_for_plot": """
net = T.nn.Linear(2, 1)
out = net(T.ones(3, 2))
curve = out.detach().numpy().tolist()
loss = out.pow(2).mean()
loss.backward()
history = [loss.item()]
""",
    "function_two_outputs": """
class Split(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, x * 3
    @staticmethod
    def backward(ctx, a, b):
        return a * 2 + b * 3
x = T.ones(2, requires_grad=True)
p, q = Split.apply(x)
loss = (p * q).sum()
loss.backward()
""",
}

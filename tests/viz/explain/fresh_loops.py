"""Training loops that were written after the doctor, to see how often it is right about loops that
it was not made for; written as those of sick_loops.py and healthy_loops.py are.
"""

from __future__ import annotations

from .sick_loops import Sick

FRESH_SICK = {
    "experts in a tuple": Sick(
        "hidden",
        ("`self.experts[0]`",),
        """
class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 2)
        self.experts = tuple(nn.Linear(4, 1) for _ in range(2))

    def forward(self, x):
        weights = F.softmax(self.gate(x), dim=1)
        outs = T.cat([expert(x) for expert in self.experts], dim=1)
        return (weights * outs).sum(1, keepdim=True)

model = Mixture()
optimizer = optim.Adam(model.parameters(), lr=1e-2)

def train_step():
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    return float(loss)
""",
    ),
    "blocks in a list, in a block": Sick(
        "hidden",
        ("ModuleList",),
        """
class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = []
        for _ in range(2):
            self.blocks.append(nn.Sequential(nn.Linear(4, 4), nn.Tanh()))

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return x

model = nn.Sequential(Stack(), nn.Linear(4, 1))
optimizer = optim.SGD(model.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        pred = model(x)
        loss = F.mse_loss(pred, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    ),
    "weights drawn again after the optimizer": Sick(
        "held_elsewhere",
        ("`optimizer`",),
        """
model = nn.Linear(4, 3)
optimizer = optim.Adam(model.parameters(), lr=1e-2)
model.weight = nn.Parameter(T.randn(3, 4))
model.bias = nn.Parameter(T.zeros(3))
criterion = nn.CrossEntropyLoss()

def train_step():
    optimizer.zero_grad()
    loss = criterion(model(x), classes)
    loss.backward()
    optimizer.step()
""",
    ),
    "a trainer that freezes too late": Sick(
        "frozen",
        ("`self.model.0.weight`",),
        """
class Trainer:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        self.optimizer = optim.SGD(self.model.parameters(), lr=0.1)
        for p in self.model[0].parameters():
            p.requires_grad_(False)

    def step(self):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()

train_step = Trainer().step
""",
    ),
    "a second model left out": Sick(
        "not_held",
        ("`model.decoder.weight`",),
        """
class Auto(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 2)
        self.decoder = nn.Linear(2, 4)

    def forward(self, x):
        return self.decoder(T.tanh(self.encoder(x)))

model = Auto()
optimizer = optim.Adam(model.encoder.parameters(), lr=1e-2)

def train_step():
    loss = F.mse_loss(model(x), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    ),
    "a dropout layer's sibling unused": Sick(
        "not_called",
        ("`model.norm.weight`",),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.norm = nn.LayerNorm(8)
        self.fc2 = nn.Linear(8, 1)

    def forward(self, x):
        h = self.fc1(x)
        return self.fc2(F.relu(h))

model = Net()
optimizer = optim.RMSprop(model.parameters(), lr=1e-3)

with viz.diagnose() as report:
    for epoch in range(2):
        for i in range(0, 16, 8):
            optimizer.zero_grad()
            loss = F.mse_loss(model(x[i:i + 8]), y[i:i + 8])
            loss.backward()
            optimizer.step()
""",
    ),
    "codes made by argmax": Sick(
        "cut",
        ("`coder.weight`",),
        """
coder, table, out = nn.Linear(4, 6), nn.Embedding(6, 8), nn.Linear(8, 1)
params = [*coder.parameters(), *table.parameters(), *out.parameters()]
optimizer = optim.SGD(params, lr=0.1)

def train_step():
    optimizer.zero_grad()
    logits = coder(x)
    code = logits.argmax(dim=1)
    loss = F.mse_loss(out(table(code)), y)
    loss.backward()
    optimizer.step()
""",
    ),
    "a list of numbers made of a tensor": Sick(
        "cut",
        ("`scale`",),
        """
net = nn.Linear(4, 1)
scale = T.ones(1, requires_grad=True)
optimizer = optim.SGD([*net.parameters(), scale], lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        optimizer.zero_grad()
        factor = T.tensor(scale.tolist())
        loss = F.mse_loss(net(x) * factor, y)
        loss.backward()
        optimizer.step()
""",
    ),
    "an inner model in inference": Sick(
        "no_grad",
        ("`model.backbone.weight`",),
        """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        with T.no_grad():
            features = self.backbone(x)
        return self.head(F.relu(features))

model = Model()
optimizer = optim.AdamW(model.parameters(), lr=1e-2)

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(model(x), classes).backward()
    optimizer.step()
""",
    ),
    "grad disabled and not enabled again": Sick(
        "failed",
        ("set_grad_enabled",),
        """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def evaluate():
    T.set_grad_enabled(False)
    return F.mse_loss(model(x), y).item()

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    evaluate()
""",
    ),
    "tanh of far too large weights": Sick(
        "vanishing",
        ("`model.0.weight`",),
        """
layers = [nn.Linear(4, 16)]
for _ in range(25):
    layers += [nn.Sigmoid(), nn.Linear(16, 16)]
model = nn.Sequential(*layers, nn.Linear(16, 3))
optimizer = optim.Adam(model.parameters())

with viz.diagnose() as report:
    for step in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), classes)
        loss.backward()
        optimizer.step()
""",
    ),
    "a learning rate of ten": Sick(
        "exploding",
        ("Clip",),
        """
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = optim.SGD(model.parameters(), lr=10.0)
target = y * 100

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), target)
    loss.backward()
    optimizer.step()
""",
    ),
    "a sum over a deep product": Sick(
        "exploding",
        ("`w`",),
        """
w = (T.eye(4) * 3.0).requires_grad_()
optimizer = optim.SGD([w], lr=0.1)

def train_step():
    h = x
    for _ in range(8):
        h = h @ w
    loss = h.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    ),
    "relus pushed below zero": Sick(
        "zero",
        ("`model.hidden.weight`",),
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x) - 50))

model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
""",
    ),
    "one over a mask of zeros": Sick(
        "nan",
        ("`model.weight`",),
        """
model = nn.Linear(4, 1)
optimizer = optim.Adam(model.parameters())
mask = T.zeros(16, 1)

def train_step():
    optimizer.zero_grad()
    error = ((model(x) - y) ** 2 * mask).sum() / mask.sum()
    error.backward()
    optimizer.step()
""",
    ),
    "a bad row in the data": Sick(
        "nan",
        ("`model.weight`",),
        """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
rows = x.clone()
rows[3, 2] = float("nan")

with viz.diagnose() as report:
    for i in range(2):
        optimizer.zero_grad()
        loss = F.mse_loss(model(rows), y)
        loss.backward()
        optimizer.step()
""",
    ),
    "metrics that keep tensors": Sick(
        "kept",
        ("`metrics`",),
        """
model = nn.Linear(4, 3)
optimizer = optim.SGD(model.parameters(), lr=0.1)
metrics = {"loss": []}

with viz.diagnose() as report:
    for epoch in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), classes)
        loss.backward()
        optimizer.step()
        metrics["loss"].append(loss)
""",
    ),
    "a mean loss over the epoch": Sick(
        "kept",
        ("`running`",),
        """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
running = 0.0

def train_step():
    global running
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    running = 0.9 * running + 0.1 * loss
""",
    ),
    "memory written and kept": Sick(
        "failed",
        ("`memory`", "detach"),
        """
writer, reader = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = optim.Adam([*writer.parameters(), *reader.parameters()])
memory = T.zeros(16, 8)

def train_step():
    global memory
    optimizer.zero_grad()
    memory = T.sigmoid(writer(x)) * memory + T.tanh(writer(x))
    loss = F.mse_loss(reader(memory), y)
    loss.backward()
    optimizer.step()
""",
    ),
    "zero_grad of the wrong model": Sick(
        "not_cleared",
        ("`student.weight`",),
        """
teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
optimizer = optim.SGD(student.parameters(), lr=0.1)

def train_step():
    teacher.zero_grad()
    with T.no_grad():
        target = teacher(x)
    loss = F.mse_loss(student(x), target)
    loss.backward()
    optimizer.step()
""",
    ),
    "accumulation that never clears": Sick(
        "not_cleared",
        ("zero_grad",),
        """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.01)

with viz.diagnose() as report:
    for i in range(8):
        loss = F.mse_loss(model(x), y) / 2
        loss.backward()
        if (i + 1) % 2 == 0:
            optimizer.step()
""",
    ),
    "gradients set to None before the step": Sick(
        "cleared_early",
        ("step",),
        """
model = nn.Linear(4, 1)
optimizer = optim.Adam(model.parameters())

def train_step():
    loss = F.mse_loss(model(x), y)
    loss.backward()
    for p in model.parameters():
        p.grad = None
    optimizer.step()
""",
    ),
    "two steps for one pass": Sick(
        "taken_twice",
        ("`optimizer`",),
        """
model = nn.Linear(4, 3)
optimizer = optim.AdamW(model.parameters(), lr=1e-2)

def update(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

with viz.diagnose() as report:
    for epoch in range(3):
        loss = F.cross_entropy(model(x), classes)
        update(loss)
        optimizer.step()
""",
    ),
    "an evaluation helper that forgets train": Sick(
        "eval",
        ("`model`", "BatchNorm1d, Dropout"),
        """
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.Linear(8, 3))
optimizer = optim.SGD(model.parameters(), lr=0.1)

def accuracy():
    model.eval()
    with T.no_grad():
        return (model(x).argmax(1) == classes).float().mean().item()

def train_step():
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), classes)
    loss.backward()
    optimizer.step()
    accuracy()
""",
    ),
    "a step before any pass": Sick(
        "no_pass",
        ("`optimizer`", "backward"),
        """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    optimizer.step()
    return loss.item()
""",
    ),
    "backward without its brackets": Sick(
        "no_pass",
        ("`optimizer`",),
        """
model = nn.Linear(4, 1)
optimizer = optim.Adam(model.parameters())

with viz.diagnose() as report:
    for i in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward
        optimizer.step()
""",
    ),
    "weights that came broken": Sick(
        "nan_before",
        ("`model.weight`",),
        """
model = nn.Linear(4, 1)
with T.no_grad():
    model.weight[0, 0] = float("nan")
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    optimizer.step()
""",
    ),
    "infinite weights from a file": Sick(
        "nan_before",
        ("`model.0.bias`",),
        """
model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
loaded = {name: t.clone() for name, t in model.state_dict().items()}
loaded["0.bias"][1] = float("inf")
model.load_state_dict(loaded)
optimizer = optim.SGD(model.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(2):
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
""",
    ),
    "one pass in a helper and one outside": Sick(
        "taken_twice",
        ("same loss",),
        """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def penalize(value):
    value.backward(retain_graph=True)
    return value

def train_step():
    optimizer.zero_grad()
    penalize(F.mse_loss(model(x), y)).backward()
    optimizer.step()
""",
    ),
}

FRESH_HEALTHY = {
    "dataloader, epochs, accuracy": """
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=1e-3)

def evaluate():
    model.eval()
    with T.no_grad():
        return (model(x).argmax(dim=1) == classes).float().mean().item()

with viz.diagnose() as report:
    for epoch in range(2):
        model.train()
        running, losses = 0.0, []
        for i in range(0, 16, 4):
            inputs, labels = x[i:i + 4], classes[i:i + 4]
            optimizer.zero_grad()
            loss = criterion(model(inputs), labels)
            loss.backward()
            optimizer.step()
            running += loss.item()
            losses.append(loss.detach())
        evaluate()
""",
    "a critic trained more often": """
critic, actor = nn.Linear(4, 1), nn.Linear(2, 4)
critic_opt = optim.RMSprop(critic.parameters(), lr=1e-3)
actor_opt = optim.RMSprop(actor.parameters(), lr=1e-3)

with viz.diagnose() as report:
    for i in range(3):
        for _ in range(2):
            critic.zero_grad()
            loss = critic(actor(T.randn(16, 2)).detach()).mean() - critic(x).mean()
            loss.backward()
            critic_opt.step()
            with T.no_grad():
                for p in critic.parameters():
                    p.clamp_(-0.1, 0.1)
        actor.zero_grad()
        loss = -critic(actor(T.randn(16, 2))).mean()
        loss.backward()
        actor_opt.step()
""",
    "a target network": """
import copy
online = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target = copy.deepcopy(online)
optimizer = optim.Adam(online.parameters())
steps = 0

def train_step():
    global steps
    with T.no_grad():
        wanted = y.squeeze(1) + 0.9 * target(x).max(1).values
    chosen = online(x).gather(1, T.zeros(16, 1, dtype=T.int64)).squeeze(1)
    loss = F.smooth_l1_loss(chosen, wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    steps += 1
    if steps % 2 == 0:
        target.load_state_dict(online.state_dict())
""",
    "a sharpness-aware step": """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    moved = []
    with T.no_grad():
        for p in model.parameters():
            e = 0.05 * p.grad / (p.grad.norm() + 1e-12)
            p.add_(e)
            moved.append(e)
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    with T.no_grad():
        for p, e in zip(model.parameters(), moved):
            p.sub_(e)
    optimizer.step()
""",
    "gradients made by hand": """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    grads = T.autograd.grad(F.mse_loss(model(x), y), list(model.parameters()))
    for p, g in zip(model.parameters(), grads):
        p.grad = g
    optimizer.step()
""",
    "gradients of two tasks, projected": """
body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)
optimizer = optim.SGD([*body.parameters(), *a.parameters(), *b.parameters()], lr=0.1)

def train_step():
    h = T.tanh(body(x))
    optimizer.zero_grad()
    F.mse_loss(a(h), y).backward(retain_graph=True)
    first = [p.grad.clone() for p in body.parameters()]
    for p in body.parameters():
        p.grad = None
    F.cross_entropy(b(h), classes).backward()
    for p, g in zip(body.parameters(), first):
        p.grad = p.grad + g if (p.grad * g).sum() > 0 else p.grad
    optimizer.step()
""",
    "two towers with one encoder": """
class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))

    def forward(self, a, b):
        return self.encoder(a), self.encoder(b)

model = Towers()
optimizer = optim.Adam(model.parameters(), lr=1e-3)

with viz.diagnose() as report:
    for i in range(3):
        left, right = model(x, x + 0.1)
        loss = F.cross_entropy(left @ right.T, T.arange(16))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    "stop-gradient on one side": """
encoder, predictor = nn.Linear(4, 8), nn.Linear(8, 8)
optimizer = optim.SGD([*encoder.parameters(), *predictor.parameters()], lr=0.05)

def train_step():
    one, two = encoder(x), encoder(x + 0.1)
    loss = F.mse_loss(predictor(one), two.detach()) + F.mse_loss(predictor(two), one.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "layers in a ModuleList": """
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])
        self.first, self.last = nn.Linear(4, 8), nn.Linear(8, 1)
        self.sizes = [8, 8]

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = x + T.tanh(layer(x))
        return self.last(x)

model = Deep()
optimizer = optim.AdamW(model.parameters())

def train_step():
    optimizer.zero_grad(set_to_none=True)
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
""",
    "a learned temperature": """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)
        self.temperature = nn.Parameter(T.tensor(1.0))

    def forward(self, x):
        return self.linear(x) / self.temperature

head = Head()
optimizer = optim.SGD([{"params": head.linear.parameters()},
                       {"params": [head.temperature], "lr": 0.01}], lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(head(x), classes).backward()
    optimizer.step()
""",
    "warm-up of the head, then all": """
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        for p in body.parameters():
            p.requires_grad_(epoch > 0)
        optimizer.zero_grad()
        loss = F.mse_loss(head(F.relu(body(x))), y)
        loss.backward()
        optimizer.step()
""",
    "a hinge that is satisfied": """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    loss = F.relu(-5 - model(x)).mean()
    loss.backward()
    optimizer.step()
""",
    "truncated backpropagation": """
cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
optimizer = optim.SGD([*cell.parameters(), *head.parameters()], lr=0.01)

with viz.diagnose() as report:
    h = T.zeros(16, 8)
    for chunk in range(4):
        h = h.detach()
        loss = 0.0
        for t in range(3):
            h = T.tanh(cell(h) + 0.1)
            loss = loss + F.mse_loss(head(h), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
    "losses kept for a plot": """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)
history = []

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    history.append(loss.detach())
    return loss
""",
    "a perceptual loss by a frozen net": """
judge = nn.Sequential(nn.Linear(4, 8), nn.ReLU()).eval()
maker = nn.Linear(4, 4)
optimizer = optim.Adam(maker.parameters())

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(judge(maker(x)), judge(x).detach())
    loss.backward()
    optimizer.step()
""",
    "weight decay written out": """
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss = loss + 1e-4 * sum(p.pow(2).sum() for p in model.parameters())
    loss.backward()
    optimizer.step()
""",
    "a hook that scales": """
model = nn.Linear(4, 1)
handle = model.weight.register_hook(lambda g: g * 0.0)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(model(x), y).backward()
    optimizer.step()
""",
    "a loop without any model": """
point = T.tensor([2.0, -1.0], requires_grad=True)
optimizer = optim.SGD([point], lr=0.1, momentum=0.5)
path = []

with viz.diagnose() as report:
    for i in range(5):
        optimizer.zero_grad()
        value = (point ** 2).sum()
        value.backward()
        optimizer.step()
        path.append(point.detach().clone())
""",
    "style by its pixels": """
net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU())
for p in net.parameters():
    p.requires_grad_(False)
image = T.randn(1, 1, 6, 6, requires_grad=True)
wanted = net(T.randn(1, 1, 6, 6))
optimizer = optim.Adam([image], lr=0.1)

def train_step():
    optimizer.zero_grad()
    F.mse_loss(net(image), wanted).backward()
    optimizer.step()
""",
    "a meta step": """
model = nn.Linear(4, 1)
optimizer = optim.SGD(model.parameters(), lr=0.1)

def train_step():
    w, b = model.weight, model.bias
    inner = F.mse_loss(x @ w.T + b, y)
    gw, gb = T.autograd.grad(inner, [w, b], create_graph=True)
    outer = F.mse_loss(x @ (w - 0.1 * gw).T + b - 0.1 * gb, y)
    optimizer.zero_grad()
    outer.backward()
    optimizer.step()
""",
}

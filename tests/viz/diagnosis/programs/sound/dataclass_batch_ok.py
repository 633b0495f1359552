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

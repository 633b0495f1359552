# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.l.weight)"
# says_any = ["holds other tensors"]
# cure_any = ["after the model"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(2, 1)
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)  # guilty
net.l = T.nn.Linear(2, 1)
for i in range(2):
    loss = net.l(T.ones(1, 2)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()

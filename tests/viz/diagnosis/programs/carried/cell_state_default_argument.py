# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["detach()"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

cell = T.nn.Linear(4, 2)
opt = T.optim.SGD(cell.parameters(), lr=0.1)
def step(x, memory={"h": T.zeros(1, 2)}):
    memory["h"] = T.tanh(cell(T.cat([x, memory["h"]], 1)))  # guilty
    return memory["h"]
for i in range(3):
    loss = step(T.randn(1, 2)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()

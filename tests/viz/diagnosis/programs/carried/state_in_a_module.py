# subject = "An earlier pass freed the graph"
# says_any = ["turn", "earlier"]
# cure_any = ["model.h = model.h.detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#         self.h = T.tanh'''
# new = '''
#         self.h = self.h.detach()
#         self.h = T.tanh'''

class Memory(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = T.nn.Linear(3, 2)
        self.again = T.nn.Linear(2, 2)
        self.h = T.zeros(1, 2)

    def forward(self, x):
        self.h = T.tanh(self.enter(x) + self.again(self.h))  # guilty
        return self.h

model = Memory()
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    optimizer.zero_grad()
    out = model(T.ones(1, 3))
    loss = (out - 1).pow(2).mean()
    loss.backward()
    optimizer.step()

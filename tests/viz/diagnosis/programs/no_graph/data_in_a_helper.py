# subject = "The history ended before the loss"
# says_any = [".data"]
# cure_any = ["without .data", "leave out .data", "leave .data out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = ".data"
# new = ""

def normalize(v):
    v = v.data  # guilty
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

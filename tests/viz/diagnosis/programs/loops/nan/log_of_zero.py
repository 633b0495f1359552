# subject = "Sizes of gradients"
# says_all = ["log"]
# example = true

net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)
far = x * 1e4

def train_step():
    opt.zero_grad()
    p = F.softmax(net(far), dim=1)
    loss = -(p * T.log(p)).sum()
    loss.backward()
    opt.step()

# subject = "Closures of optimizers"
# says_any = ["`closure` several times"]
# cure_any = ["move that line into `closure`"]
# never = ["retain_graph"]

net = T.nn.Linear(2, 1)
opt = T.optim.LBFGS(net.parameters())
x, y = T.randn(4, 2), T.randn(4, 1)
made = net(x)  # guilty

def closure():
    opt.zero_grad()
    loss = (made - y).pow(2).mean()
    loss.backward()
    return loss

opt.step(closure)

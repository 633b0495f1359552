# subject = "Measured answers"
# says_any = ["`viz.diagnose(train_step)`"]
# never = ["retain_graph", "cannot run"]
# ask = "viz.explain(loss)"

net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
x, y = T.randn(8, 3), T.randn(8, 1)
def train_step():
    global loss
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()  # guilty
    opt.step()
for i in range(5):
    train_step()

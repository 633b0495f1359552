# subject = "Closures of optimizers"
# says_any = ["several times"]
# cure_any = ["`opt.step(closure)`"]

net = T.nn.Linear(2, 1)
opt = T.optim.LBFGS(net.parameters())
loss = net(T.randn(4, 2)).pow(2).mean()
loss.backward()
opt.step()  # guilty

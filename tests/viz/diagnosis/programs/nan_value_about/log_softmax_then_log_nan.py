# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(loss)"
# says_any = ["nan"]

net = T.nn.Linear(2, 3)
with T.no_grad():
    for p in net.parameters():
        p.zero_()
logits = net(T.ones(2, 2))
p = T.softmax(logits * 1000, 1)
q = p - p
loss = -(q * q.log()).sum()  # guilty

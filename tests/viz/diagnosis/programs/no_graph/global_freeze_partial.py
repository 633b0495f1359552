# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
for name, p in net.named_parameters():
    if "weight" in name:
        p.requires_grad = False  # guilty
    else:
        p.requires_grad_(False)
loss = net(T.ones(1, 2)).sum()
loss.backward()

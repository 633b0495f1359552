# says_any = ["leaf"]
# cure_any = ["no_grad"]

lin = T.nn.Linear(2, 2)
lin.weight.fill_(0.5)  # guilty
lin(T.ones(1, 2)).sum().backward()

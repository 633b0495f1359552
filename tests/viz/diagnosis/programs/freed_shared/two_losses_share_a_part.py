# subject = "An earlier pass freed the graph"
# says_any = ["shares"]
# cure_any = ["retain_graph=true", "once"]

x = T.ones(3, requires_grad=True)
shared = x.exp()  # guilty
first = shared.sum()
second = (shared * 2).sum()
first.backward()
second.backward()

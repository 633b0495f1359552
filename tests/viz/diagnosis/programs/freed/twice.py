# subject = "An earlier pass freed the graph"
# says_any = ["again", "second time", "earlier pass"]
# cure_any = ["retain_graph=true"]

x = T.ones(3, requires_grad=True)
loss = (x * x).sum()
loss.backward()  # guilty
loss.backward()

params = {"w": T.ones(3, requires_grad=True), "b": T.zeros(1, requires_grad=True)}
loss = (params["w"] * 2 + params["b"]).sum()
loss.backward()

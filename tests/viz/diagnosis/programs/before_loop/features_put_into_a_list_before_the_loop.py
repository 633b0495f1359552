# says_any = ["before the loop"]
# cure_any = ["into the loop"]
# never = ["`features = []`"]

w = T.ones(2, requires_grad=True)
features = []
features.append((w * w).exp())  # guilty
for epoch in range(2):
    loss = features[0].sum()
    loss.backward()

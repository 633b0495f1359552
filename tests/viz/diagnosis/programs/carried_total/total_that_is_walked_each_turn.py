# subject = "No error, but no training"
# says_any = ["adds up"]
# cure_any = ["once after the loop"]
# never = ["retain_graph=True"]

w = T.ones(3, requires_grad=True)
total = T.zeros(())
for step in range(3):
    loss = (w * w).sum() * step
    total = total + loss  # guilty
    total.backward()

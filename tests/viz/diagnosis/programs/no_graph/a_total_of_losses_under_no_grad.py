# says_any = ["no_grad"]
# cure_any = ["move the line out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(2, requires_grad=True)
total = T.zeros(())
with T.no_grad():
    for i in range(3):
        total += (w * i).sum()  # guilty
total.backward()

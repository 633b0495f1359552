# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

model = T.nn.Linear(2, 1)
losses = []
for phase in ["train", "val"]:
    with T.no_grad():
        out = model(T.ones(2, 2))  # guilty
    losses.append(out.mean())
loss = sum(losses) / len(losses)
loss.backward()

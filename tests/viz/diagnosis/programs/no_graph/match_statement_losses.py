# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices", "comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 3)
def make_loss(kind, out, y):
    match kind:
        case "hard":
            return (out.argmax(1) != y).float().mean()  # guilty
        case "soft":
            return -T.log_softmax(out, 1)[:, 0].mean()
loss = make_loss("hard", net(T.ones(2, 2)), T.tensor([0, 1]))
loss.backward()

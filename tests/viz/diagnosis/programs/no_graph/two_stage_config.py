# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

cfg = {"freeze": True, "lr": 0.1}
body = T.nn.Linear(2, 2)
head = T.nn.Linear(2, 1)
def setup(cfg):
    if cfg["freeze"]:
        for module in (body, head):
            for p in module.parameters():
                p.requires_grad = False  # guilty
    return T.optim.SGD(body.parameters(), lr=cfg["lr"])
opt = setup(cfg)
for i in range(2):
    loss = head(T.relu(body(T.ones(2, 2)))).mean()
    loss.backward()
    opt.step()

backbone, head = T.nn.Linear(2, 3), T.nn.Linear(3, 1)
backbone.eval()
for p in backbone.parameters():
    p.requires_grad = False
opt = T.optim.SGD(head.parameters(), lr=0.1)
with T.no_grad():
    feats = backbone(T.ones(4, 2))
for i in range(2):
    loss = head(feats).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

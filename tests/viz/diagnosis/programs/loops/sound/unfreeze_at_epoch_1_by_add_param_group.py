backbone, head = (nn.Linear(4, 8), nn.Linear(8, 3))
for p in backbone.parameters():
    p.requires_grad = False
opt = optim.SGD(head.parameters(), lr=0.1)
with viz.diagnose() as report:
    for epoch in range(4):
        if epoch == 1:
            for p in backbone.parameters():
                p.requires_grad = True
            opt.add_param_group({'params': list(backbone.parameters()), 'lr': 0.01})
        loss = F.cross_entropy(head(F.relu(backbone(x))), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()

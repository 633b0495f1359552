# says_all = ["argmax"]

stage1 = nn.Linear(4, 5)
emb = nn.Embedding(5, 4)
stage2 = nn.Linear(4, 3)
opt = optim.Adam([*stage1.parameters(), *emb.parameters(), *stage2.parameters()])
with viz.diagnose() as report:
    for i in range(3):
        ids = stage1(x).argmax(1)
        loss = F.cross_entropy(stage2(emb(ids)), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()

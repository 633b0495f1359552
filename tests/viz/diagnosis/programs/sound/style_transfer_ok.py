vgg = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.ReLU())
for p in vgg.parameters():
    p.requires_grad_(False)
image = T.rand(2, 3).requires_grad_()
opt = T.optim.Adam([image], lr=0.1)
target = vgg(T.ones(2, 3))
for i in range(3):
    opt.zero_grad()
    loss = (vgg(image) - target).pow(2).mean()
    loss.backward()
    opt.step()

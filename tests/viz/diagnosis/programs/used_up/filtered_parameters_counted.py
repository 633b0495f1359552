# says_any = ["used up by"]
# cure_any = ["list(filter("]

net = T.nn.Linear(2, 1)
trainable = filter(lambda p: p.requires_grad, net.parameters())
count = sum(p.numel() for p in trainable)
opt = T.optim.Adam(trainable, lr=0.1)

feat = T.nn.Linear(3, 3)
def gram(x):
    f = feat(x)
    return f.T @ f
with T.no_grad():
    style = gram(T.randn(4, 3))
image = T.randn(4, 3, requires_grad=True)
for step in range(2):
    loss = (gram(image) - style).pow(2).mean()
    image.grad = None
    loss.backward()

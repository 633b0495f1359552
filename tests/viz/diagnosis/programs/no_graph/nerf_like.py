# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Field(T.nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.inp = T.nn.Linear(3, width)
        self.density = T.nn.Linear(width, 1)
        self.color = T.nn.Linear(width, 3)
    def forward(self, points):
        h = T.relu(self.inp(points))
        sigma = T.relu(self.density(h))
        rgb = T.sigmoid(self.color(h))
        return sigma, rgb

def render(field, points):
    sigma, rgb = field(points)
    alpha = 1 - T.exp(-sigma)
    weights = alpha / alpha.sum()
    return (weights * rgb).sum(0).detach()  # guilty

field = Field()
opt = T.optim.Adam(field.parameters(), lr=1e-2)
target = T.ones(3)
for it in range(2):
    opt.zero_grad()
    image = render(field, T.randn(5, 3))
    loss = T.nn.functional.mse_loss(image, target)
    loss.backward()
    opt.step()

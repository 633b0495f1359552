# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# cure_any = ["decorator"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class VGG(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.ReLU())
        for p in self.parameters():
            p.requires_grad = False
    @T.no_grad()  # guilty
    def forward(self, x):
        return self.body(x)

vgg = VGG()
gen = T.nn.Linear(2, 3)
fake = gen(T.ones(2, 2))
target = T.ones(2, 3)
content = (vgg(fake) - vgg(target)).pow(2).mean()
content.backward()

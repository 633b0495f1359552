# subject = "The history ended before the loss"
# says_any = ["detach()"]
# cure_any = ["without .detach()", "leave out .detach()", "leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = ".detach()"
# new = ""

class Encoder(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = T.nn.Linear(3, 2)

    def forward(self, x):
        code = T.tanh(self.layer(x))
        return code.detach()  # guilty

encoder = Encoder()
loss = encoder(T.ones(2, 3)).pow(2).mean()
loss.backward()

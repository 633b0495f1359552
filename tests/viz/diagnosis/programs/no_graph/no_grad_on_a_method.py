# subject = "The history ended before the loss"
# says_any = ["no_grad"]
# cure_any = ["take the decorator away"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
#     @T.no_grad()
# '''
# new = ""

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = T.nn.Linear(3, 4)
        self.out = T.nn.Linear(4, 1)

    @T.no_grad()  # guilty
    def predict(self, x):
        return self.out(T.relu(self.embed(x)))

    def forward(self, x):
        return self.predict(x)

model = Model()
loss = (model(T.ones(2, 3)) - 1).pow(2).mean()
loss.backward()

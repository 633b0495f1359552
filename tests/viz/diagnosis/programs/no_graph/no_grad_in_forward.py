# subject = "The history ended before the loss"
# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
#         with T.no_grad():
#             h = self.body(x)'''
# new = '''
#         h = self.body(x)'''

class Model(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = T.nn.Linear(3, 3)

    def forward(self, x):
        with T.no_grad():
            h = self.body(x)  # guilty
        return h.mean()

model = Model()
model(T.ones(2, 3)).backward()

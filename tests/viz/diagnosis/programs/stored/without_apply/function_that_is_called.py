# subject = "Refused calls"

class Twice(T.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        return v * 2
y = Twice()(x)

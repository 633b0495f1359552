# subject = "Refused calls"

class Twice(T.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(2.0)
        return v * 2
twice = Twice.apply
twice(x)

# subject = "Refused calls"

n = T.tensor([1, 2])
n.requires_grad_()

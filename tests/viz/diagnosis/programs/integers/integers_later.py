# subject = "Calls that autograd refuses"
# says_any = ["integer", "int64", "floating"]
# cure_any = ["float()"]

index = T.arange(3)
index.requires_grad_()  # guilty

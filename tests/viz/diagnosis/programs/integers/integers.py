# subject = "Calls that autograd refuses"
# says_any = ["integer", "int64", "floating"]
# cure_any = ["1.0", "float"]

n = T.tensor([1, 2, 3], requires_grad=True)  # guilty

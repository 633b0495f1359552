# subject = "Refused calls"

model = T.nn.Linear(2, 1)
parameters = model.parameters()
count = sum(p.numel() for p in parameters)
optimizer = T.optim.SGD(parameters, lr=0.1)

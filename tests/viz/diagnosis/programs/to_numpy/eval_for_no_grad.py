# subject = "No error, but no training"
# says_any = ["eval()"]
# cure_any = ["no_grad", "detach()"]

model = T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Dropout(0.5), T.nn.Linear(3, 1))
model.eval()  # guilty
scores = model(T.ones(2, 3))
points = scores.numpy()

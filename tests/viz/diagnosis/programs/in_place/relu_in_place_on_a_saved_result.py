# subject = "Something was changed in place"
# says_any = ["in place"]
# cure_any = ["clone", "inplace=false"]

layer = T.nn.Linear(3, 3)
x = T.ones(2, 3)
h = T.sigmoid(layer(x))
T.nn.functional.relu(h, inplace=True)  # guilty
h.sum().backward()

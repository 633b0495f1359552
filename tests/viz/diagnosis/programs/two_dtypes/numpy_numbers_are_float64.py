# subject = "Numbers of two types"
# says_any = ["float64"]
# cure_any = ["`x = x.float()`"]

import numpy as np

x = T.from_numpy(np.ones((4, 2)))
net = T.nn.Linear(2, 1)
loss = net(x).mean()  # guilty
loss.backward()

# subject = "Own context managers that turn recording off"

training = False
with T.set_grad_enabled(training):
    y = x * 2
y = y.sum()
y.backward()

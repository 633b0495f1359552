# subject = "Own context managers that turn recording off"

training = True
with T.set_grad_enabled(training):
    y = x * 2
y = y.detach().sum()
y.backward()

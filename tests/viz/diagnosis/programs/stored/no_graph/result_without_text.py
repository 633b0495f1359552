# subject = "Functions within functions"

loss = (x * 2).sum()
y = eval("loss.detach()")
y.backward()

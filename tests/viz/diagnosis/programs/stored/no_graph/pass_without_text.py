# subject = "Functions within functions"

y = (x * 2).detach().sum()
exec("y.backward()")

# subject = "Refused calls"

y = x * 2
y.backward(T.ones(3))

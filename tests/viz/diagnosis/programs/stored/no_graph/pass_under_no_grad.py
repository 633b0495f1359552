# subject = "Where nothing is recorded"

with T.no_grad():
    (x * 2).sum().backward()

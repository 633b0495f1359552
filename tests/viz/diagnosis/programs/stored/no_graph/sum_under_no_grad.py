# subject = "Where nothing is recorded"

total = T.zeros(())
with T.no_grad():
    total += (x * 2).sum()
total.backward()

# subject = "Where nothing is recorded"

rows = T.zeros(2)
with T.no_grad():
    rows[0] = (x * 2).sum()
y = rows.sum()
y.backward()

# subject = "Where nothing is recorded"

parts = []
@T.no_grad()
def keep(v):
    parts.append(v * 2)
keep(x)
y = sum(parts).sum()
y.backward()

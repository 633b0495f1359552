# subject = "Where nothing is recorded"

parts = []
with T.no_grad():
    parts.append((x * 2).sum())
y = sum(parts)
y.backward()

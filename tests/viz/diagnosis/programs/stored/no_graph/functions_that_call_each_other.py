# subject = "Functions within functions"

def down(v, n):
    return v.detach() if n == 0 else down(v * 2, n - 1)
y = down(x, 3).sum()
y.backward()

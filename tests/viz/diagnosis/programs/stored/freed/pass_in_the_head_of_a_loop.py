# subject = "Loops that carry a state"

y = (x * w).sum()
for turn in [y.backward(), y.backward()]:
    pass

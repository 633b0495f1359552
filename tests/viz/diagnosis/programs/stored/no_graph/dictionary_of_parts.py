# subject = "Functions within functions"

parts = {"one": x * 2, "two": (x * 3).data}
y = parts["two"].sum()
y.backward()

# subject = "Functions within functions"

def run(v, factor):
    (v * factor).sum().backward()
run(T.ones(2), factor=x.detach())

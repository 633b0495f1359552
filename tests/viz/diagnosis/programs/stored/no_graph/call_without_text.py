# subject = "Functions within functions"

def run(v):
    v.sum().backward()
exec("run(x.detach())")

# subject = "Functions within functions"

total = x.sum()
def forget():
    global total
    total = total.detach()
forget()
total.backward()

# subject = "Functions within functions"

y = x
if x[0] > 0:
    y = y * 2
else:
    y = y * 3
if x[0] > 1:
    y = y * 2
else:
    y = y * 3
if x[0] > 2:
    y = y * 2
else:
    y = y * 3
if x[0] > 3:
    y = y * 2
else:
    y = y * 3
if x[0] > 4:
    y = y * 2
else:
    y = y * 3
if x[0] > 5:
    y = y * 2
else:
    y = y * 3
if x[0] > 6:
    y = y * 2
else:
    y = y * 3
if x[0] > 7:
    y = y * 2
else:
    y = y * 3
if x[0] > 8:
    y = y * 2
else:
    y = y * 3
if x[0] > 9:
    y = y * 2
else:
    y = y * 3
if x[0] > 10:
    y = y * 2
else:
    y = y * 3
if x[0] > 11:
    y = y * 2
else:
    y = y * 3
if x[0] > 12:
    y = y * 2
else:
    y = y * 3
if x[0] > 13:
    y = y * 2
else:
    y = y * 3
if x[0] > 14:
    y = y * 2
else:
    y = y * 3
if x[0] > 15:
    y = y * 2
else:
    y = y * 3
if x[0] > 16:
    y = y * 2
else:
    y = y * 3
if x[0] > 17:
    y = y * 2
else:
    y = y * 3
if x[0] > 18:
    y = y * 2
else:
    y = y * 3
if x[0] > 19:
    y = y * 2
else:
    y = y * 3
if x[0] > 20:
    y = y * 2
else:
    y = y * 3
if x[0] > 21:
    y = y * 2
else:
    y = y * 3
if x[0] > 22:
    y = y * 2
else:
    y = y * 3
if x[0] > 23:
    y = y * 2
else:
    y = y * 3
if x[0] > 24:
    y = y * 2
else:
    y = y * 3
if x[0] > 25:
    y = y * 2
else:
    y = y * 3
if x[0] > 26:
    y = y * 2
else:
    y = y * 3
if x[0] > 27:
    y = y * 2
else:
    y = y * 3
if x[0] > 28:
    y = y * 2
else:
    y = y * 3
if x[0] > 29:
    y = y * 2
else:
    y = y * 3
y = y.detach().sum()
y.backward()

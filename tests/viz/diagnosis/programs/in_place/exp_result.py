# subject = "Something was changed in place"
# says_any = ["in place"]
# cure_any = ["clone", "y = y + 1"]
# [repair]
# old = '''
# y = x.exp()
# y += 1'''
# new = '''
# y = x.exp().clone()
# y += 1'''

x = T.ones(3, requires_grad=True)
y = x.exp()
y += 1  # guilty
y.sum().backward()

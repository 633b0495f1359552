# subject = "Something was changed in place"
# says_any = ["in place"]
# cure_any = ["stack()"]
# [repair]
# old = '''
# table = T.zeros(4)
# table[0] = w
# for i in range(1, 4):
#     table[i] = table[i - 1] * w
# table.sum()'''
# new = '''
# table = [w]
# for i in range(1, 4):
#     table.append(table[-1] * w)
# T.stack(table).sum()'''

w = T.tensor(2.0, requires_grad=True)
table = T.zeros(4)
table[0] = w
for i in range(1, 4):
    table[i] = table[i - 1] * w  # guilty
table.sum().backward()

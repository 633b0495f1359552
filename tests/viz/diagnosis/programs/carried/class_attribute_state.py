# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#         Agent.memory = 0.5'''
# new = '''
#         Agent.memory = Agent.memory.detach()
#         Agent.memory = 0.5'''

class Agent:
    memory = T.zeros(2)
    def __init__(self):
        self.w = T.ones(2, requires_grad=True)
    def act(self, obs):
        Agent.memory = 0.5 * Agent.memory + self.w * obs  # guilty
        return Agent.memory.sum()
agent = Agent()
for _ in range(2):
    loss = agent.act(T.ones(2)) ** 2
    loss.backward()

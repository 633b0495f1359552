# subject = "Weights that are computed"
# ask = "viz.explain(hyper.weight)"
# says_any = ["copies the numbers of made"]
# cure_any = ["functional_call"]
# never = ["made.backward()"]

hyper, small = T.nn.Linear(2, 3), T.nn.Linear(3, 1, bias=False)
made = hyper(T.ones(1, 2))
small.load_state_dict({"weight": made})  # guilty
loss = small(T.randn(4, 3)).pow(2).mean()
loss.backward()

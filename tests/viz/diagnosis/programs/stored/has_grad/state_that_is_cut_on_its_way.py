# subject = "Loops that carry a state"
# ask = "viz.explain(x)"

past = {}
for turn in range(2):
    h = past.get("h", T.zeros(2)) * w + x
    past["h"] = h.detach()
    h.sum().backward()

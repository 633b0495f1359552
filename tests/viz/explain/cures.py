"""The cures that explain names, carried out: what is replaced in a broken program, and by what.

Where the answer quotes code for it, that very code is put in.
"""

from __future__ import annotations

from typing import NamedTuple


class Cure(NamedTuple):
    old: str
    new: str
    quoted: bool = False
    """Is `new` what the answer says, word for word?"""


CURES: dict[str, Cure] = {
    "numpy_and_back": Cure(
        "z = np.sin(y.detach().numpy())\nloss = T.tensor(z).sum()", "loss = T.sin(y).sum()"
    ),
    "numpy_in_a_layer": Cure("T.from_numpy(np.cos(h.detach().numpy()))", "T.cos(h)", True),
    "item": Cure(".mean().item())\nloss = T.tensor(losses)", ".mean())\nloss = T.stack(losses)"),
    "tensor_of_a_loss": Cure("T.tensor(loss.item() * 2)", "loss * 2"),
    "data": Cure(".data", ""),
    "data_in_a_helper": Cure(".data", ""),
    "detach_in_forward": Cure(".detach()", ""),
    "detach_in_place": Cure("h.detach_()\n", ""),
    "all_frozen": Cure("requires_grad = False", "requires_grad = True"),
    "new_weight_under_no_grad": Cure("w = w - lr * w.grad", "w -= lr * w.grad", True),
    "new_weights_in_a_function": Cure(
        "        return [p - lr * p.grad for p in params]",
        "        for p in params:\n            p -= lr * p.grad\n        return params",
    ),
    "no_create_graph": Cure("T.autograd.grad(y, x)", "T.autograd.grad(y, x, create_graph=True)"),
    "gradient_penalty": Cure("retain_graph=True)", "create_graph=True)"),
    "second_derivative_of_grad": Cure("y.backward()", "y.backward(create_graph=True)"),
    "no_grad_decorator": Cure("@T.no_grad()\n", ""),
    "no_grad_on_a_method": Cure("    @T.no_grad()\n", ""),
    "no_grad_in_forward": Cure(
        "        with T.no_grad():\n            h = self.body(x)", "        h = self.body(x)"
    ),
    "set_grad_enabled_false": Cure("set_grad_enabled(False)", "set_grad_enabled(True)"),
    "gradients_left_off_by_a_helper": Cure(
        "    T.set_grad_enabled(False)\n    value", "    with T.no_grad():\n        value"
    ),
    "tensor_of_a_list_of_tensors": Cure("T.tensor([float(p) for p in parts])", "T.stack(parts)"),
    "plain_weight": Cure("T.randn(3)", "T.randn(3, requires_grad=True)"),
    "state_carried_over_batches": Cure("    h = T.tanh", "    h = h.detach()\n    h = T.tanh"),
    "state_in_a_module": Cure(
        "        self.h = T.tanh", "        self.h = self.h.detach()\n        self.h = T.tanh"
    ),
    "state_returned_by_a_cell": Cure(
        "    state = cell", "    state = state.detach()\n    state = cell"
    ),
    "rnn_class_loop": Cure(
        "    opt.zero_grad()", "    hidden = hidden.detach()\n    opt.zero_grad()"
    ),
    "lstm_like_tuple": Cure(
        "    out, state",
        "    state = tuple(each.detach() for each in state)\n    out, state",
    ),
    "state_dict_of_states": Cure(
        '    memory["h"] = T', '    memory["h"] = memory["h"].detach()\n    memory["h"] = T'
    ),
    "running_mean": Cure("    avg = 0.9", "    avg = avg.detach()\n    avg = 0.9"),
    "features_before_the_loop": Cure("head(features)", "head(features.detach())"),
    "trainer_features_once": Cure("self.head(self.features)", "self.head(self.features.detach())"),
    "step_between_two_passes": Cure("optimizer.step()\nloss.backward()", "loss.backward()"),
    "table_filled_in_a_loop": Cure(
        "table = T.zeros(4)\ntable[0] = w\nfor i in range(1, 4):\n"
        "    table[i] = table[i - 1] * w\ntable.sum()",
        "table = [w]\nfor i in range(1, 4):\n    table.append(table[-1] * w)\nT.stack(table).sum()",
    ),
    "one_of_several_views": Cure("first.mul_(2)", "first = first.mul(2)", True),
    "views_split": Cure("a += b", "a = a + b", True),
    "gradient_of_a_wrong_shape": Cure("T.ones(3))", "T.ones_like(y))"),
    "numpy_of_a_result": Cure("out.numpy()", "out.detach().numpy()"),
    "deepcopy_of_a_result": Cure("copy.deepcopy(best)", "best.detach().clone()"),
    "layers_in_a_list": Cure(
        "[T.nn.Linear(2, 2), T.nn.Linear(2, 1)]",
        "T.nn.ModuleList([T.nn.Linear(2, 2), T.nn.Linear(2, 1)])",
    ),
    "parameters_used_up": Cure(
        "params = model.parameters()", "params = list(model.parameters())", True
    ),
    "wrong_number_of_gradients": Cure("return g * ctx.factor", "return g * ctx.factor, None"),
    "function_without_apply": Cure("y = Double.forward(x)", "y = Double.apply(x)", True),
    "zero_on_none": Cure(
        "    w.grad.zero_()", "    if w.grad is not None:\n        w.grad.zero_()"
    ),
    "total_of_losses": Cure("total += loss", "total += loss.item()", True),
    "untaken_branch": Cure(
        "T.where(x > 0, T.sqrt(x), T.zeros(2))",
        "T.where(x > 0, T.sqrt(T.where(x > 0, x, 1.0)), T.zeros(2))",
        True,
    ),
    "log_where": Cure(
        "T.where(p == 0, T.zeros(2), p.log())",
        "T.where(p == 0, T.zeros(2), T.where(p == 0, 1.0, p).log())",
        True,
    ),
    "relu_module_in_place": Cure("inplace=True", "inplace=False"),
    "exp_result": Cure("y = x.exp()\ny += 1", "y = x.exp().clone()\ny += 1"),
    "frozen_parameter": Cure("model.bias.requires_grad = False", "pass"),
    "cut_inside_the_network": Cure(".detach()", ""),
    "vae_like": Cure(".data", ""),
    "deque_state": Cure("past[-1]", "past[-1].detach()", True),
    "module_level_dict_of_state": Cure(
        "CACHE.get(key, T.zeros(1, 2))", "CACHE.get(key, T.zeros(1, 2)).detach()", True
    ),
    "class_attribute_state": Cure(
        "        Agent.memory = 0.5",
        "        Agent.memory = Agent.memory.detach()\n        Agent.memory = 0.5",
    ),
    "global_hidden_in_step_function": Cure(
        "    opt.zero_grad()", "    hidden = hidden.detach()\n    opt.zero_grad()"
    ),
    "nested_function_state_nonlocal": Cure(
        "        state = T.tanh", "        state = state.detach()\n        state = T.tanh"
    ),
    "list_state_last_element": Cure("cell(states[-1])", "cell(states[-1].detach())"),
    "train_function_args_state": Cure("    h = T.tanh", "    h = h.detach()\n    h = T.tanh"),
    "global_weights_updated_in_function": Cure("w = w - lr * w.grad", "w -= lr * w.grad", True),
    "property_detaches": Cure(".data", ""),
    "backward_of_list_comprehension_items": Cure(
        ".mean().item() for i in range(3)]\nloss = T.tensor(losses)",
        ".mean() for i in range(3)]\nloss = T.stack(losses)",
    ),
    "function_returns_grad_for_flag": Cure("return g * ctx.k", "return g * ctx.k, None"),
    "zero_grad_on_tensor_none": Cure(
        "    w.grad.zero_()", "    if w.grad is not None:\n        w.grad.zero_()"
    ),
    "copy_of_parameter_rebinding": Cure("w = w - 0.1 * w.grad", "w -= 0.1 * w.grad", True),
    "embedding_looked_up_before_loop": Cure("head(scaled)", "head(scaled.detach())"),
}

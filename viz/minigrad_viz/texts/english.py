"""Everything that is said in English, by what it is said about.

Whole sentences, with places for names and numbers: none is put together from translated words. What
a node, a variable or an element type is called is the same in every language. In what `explain`
says, {t} is the tensor's name, {where} a place in the program or nothing, and code stands between
backticks.
"""

from __future__ import annotations

from .language import Sentences

ENGLISH: Sentences = {
    "picture": {
        "scalar": "scalar",
        "freed": "freed",
        "changed": "changed",
        "packed": "packed by a hook",
        "input": "input",
        "lost": "not kept",
        "nodes": "{count} nodes",
        # Names of unnamed things.
        "leaf": "leaf {number}",
        "result": "result",
        "results": "result {number}",
        # A tree.
        "saved": "saved: {tensors}",
        "in_state": "{tensor} ({state})",
        "comma": ", ",
        "above": "({node}, see above)",
        "below": "({node}, continued below)",
        "continued": "{node} continued:",
        "same": "({node})",
        # Other facts about a node.
        "requires": "requires grad",
        "requires_not": "requires no grad",
        "version": "changed in place {count} times",
        "version_once": "changed in place once",
        "holds": "value: {numbers}",
        "grad": ".grad: {numbers}",
        "hook": "hook: {hook}",
        "module": "module: {module}",
        "line": "line {number}: {text}",
        "numbers": "norm {norm}, from {minimum} to {maximum}",
        "numbers_not_finite": "norm {norm}, from {minimum} to {maximum}, {nonfinite} not finite",
        # A drawing.
        "picture": "computational graph of {root}",
        "more": "... {count} more lines: print(viz.draw(t)) writes them all",
        # Its legend.
        "key_root": "result",
        "key_operation": "operation",
        "key_tensor": "tensor",
        "key_function": "backward node",
        "key_saved": "saved tensor",
        "key_freed": "freed",
        "key_leaf": "leaf",
        "key_cluster": "box of several nodes",
        "iteration": "iteration {number}",
        "whole": "whole graph",
        "no_picture": "No picture: {error}.",
        "as_dot": "No picture: {error}. The graph as DOT text:",
        # A pass as a program.
        "program": "The backward pass of {roots}.",
        "program_whole": "The backward pass of {roots}, all of it written out.",
        "program_call": "Called, and not written out: {nodes}.",
        "program_pass": "Begins a pass of its own, which is not written out: {nodes}.",
        "program_post_accumulate": "Has a hook that comes after it, and is left out: {nodes}.",
        "program_hook": "Taken as it was in this pass: what comes to or from {nodes}.",
        "program_given": "What the forward pass has left:",
        "program_node": "{node}, line {number}: {text}",
    },
    "step": {
        # Nudges.
        "nudge_said": (
            "{leaf} pushed by {push}: the gradient promises {promise}, the result moves by "
            "{truth}, the rest is {rest}."
        ),
        "nudge_in_function": (
            "The program cannot be run again: the result was computed in the function {function}. "
            "Give step a function without arguments instead of the tensor."
        ),
        "nudge_in_block": (
            "The program cannot be run again, because step is called inside a loop or another "
            "block. Give step a function without arguments instead of the tensor."
        ),
        "nudge_no_text": (
            "The program cannot be run again, because its text is unknown. Give step a function "
            "without arguments instead of the tensor."
        ),
        "nudge_impure": (
            "The program is not run again, because line {line}, `{code}`, would change something a "
            "second time. Give step a function without arguments instead of the tensor."
        ),
        "nudge_made_within": (
            "{leaf} is made anew each time the function runs, so it cannot be pushed. Make it "
            "outside of the function."
        ),
        "nudge_made_elsewhere": (
            "The program that was run again does not compute the result from {leaf}. Give step a "
            "function without arguments instead of the tensor."
        ),
        "nudge_other_result": (
            "Run again, the program gives {now} and no longer {then}, so a push would show nothing."
        ),
        "nudge_no_gradient": "The pass gave {leaf} no gradient; it gave one to {known}.",
        "nudge_no_place": "{leaf} has {count} numbers, so there is none at place {place}.",
        "nudge_large_leaf": "{leaf} is too large: the recording kept only a summary of it.",
        "nudge_large_result": "The result is too large: the recording kept only a summary of it.",
        # One event each.
        "forward": "{operation} takes {inputs}.",
        "result": "It makes {results}, and leaves {node} in the graph.",
        "seed": (
            "backward() starts at {root}: its gradient with respect to itself is {gradient}, which "
            "goes to {node}."
        ),
        "start": "{node} runs: everything that uses its result has sent its gradient, {incoming}.",
        "start_saved": (
            "{node} runs: everything that uses its result has sent its gradient, {incoming}. It "
            "reads what it saved in the forward pass: {saved}."
        ),
        "own_start": "{node} runs with {incoming}.",
        "own_start_saved": "{node} runs with {incoming}. It has kept {saved}.",
        "own_first": "{added} goes to {target}, where nothing waits.",
        "start_leaf": "{node} runs with the gradient of {leaf}, {incoming}.",
        "formula": "Its formula gives {outgoing}.",
        "reduce": (
            "Input {index} was broadcast, so its gradient is summed from {before} to {after}."
        ),
        "first": "{added} goes to {target}, where it is the first to arrive.",
        "sum": "{added} goes to {target}, where {before} waits: together {after}.",
        "no_sum": "{added} goes to {target}, where {before} waits: after that {after} is there.",
        "leaf_first": "{leaf}.grad was None and becomes {after}.",
        "leaf_sum": "{leaf}.grad was {before}; with {added} added it is {after}.",
        "leaf_no_sum": "{leaf}.grad was {before}; {added} arrives, and after that it is {after}.",
        "hook": "A hook runs ({hook}): {before} becomes {after}.",
        "hook_same": "A hook runs ({hook}) and leaves the gradient as it is.",
        "hook_leaf": "A hook runs ({hook}), now that .grad is written.",
        "hook_leaf_changed": (
            "A hook runs ({hook}), now that .grad is written: .grad was {before} and is {after}."
        ),
        "retain_grad": "The gradient {after} is kept in .grad, because retain_grad() was called.",
        "free": "{node} lets go of what it saved ({names}): it cannot run again.",
        "error": "{node} fails with {message}",
        "error_hook": "A hook that {node} called ({hook}) fails with {message}",
        # Parts of the sentences above.
        "for_input": "{value} for input {index}",
        "nothing_for_input": "nothing for input {index}, which needs no gradient",
        "saved_as": "{name} = {value} (version {version})",
        "saved_changed": "{name} = {value} (saved at version {expected}, now at version {version})",
        "saved_packed": "{name} (packed by a hook: its numbers were not seen)",
        "nothing": "nothing",
        "with_norm": "{shape} with norm {norm}",
        "without_numbers": "{shape} without numbers",
        "none_finite": "none finite",
        "accumulate_of": "{name} of {leaf}",
        "seed_title": "seed",
        "seed_again": "seed of pass {number}",
        "cell": "cell {number}",
        # A program that was handed over as text.
        "stands_in": (
            "There is no PyTorch in a browser: minigrad stands in for it, with the same values, "
            "names and errors."
        ),
        "first_of": "The first of {count} backward passes:",
        "comma": ", ",
        "list_comma": ", ",
        "as_text": "The steps as text",
        # The left column of the text form.
        "heading": "backward from {root}: {turns} turns",
        "rehearsal": "A rehearsal: .grad is as it was before.",
        "more": "... and {count} more turns",
        "without_lines": (
            "To see the code of PyTorch's graph, compute it inside `with viz.watch():`, or give "
            "`viz.step` a function."
        ),
        "heading_both": "forward to {root} and backward from it: {turns} turns",
        "label_inputs": "takes",
        "label_results": "makes",
        "label_hook": "hook",
        "label_incoming": "comes in",
        "label_saved": "reads",
        "label_held": "with",
        "label_outgoing": "gives",
        "label_reduce": "sums",
        "label_accumulate": "hands on",
        "differ": "They differ from step {number} on.",
        "differ_nowhere": "They do the same in every step.",
        "pair_title": "“{title}”",
        "pair_semicolon": "; ",
        "pair_more": "and {count} more",
        "pair_node": "{node} (line {number}: `{text}`)",
        "pair_alike": "Both graphs have the same operations ({count}), joined in the same way.",
        "pair_joined": "Both graphs have the same operations, joined in another way.",
        "pair_only": "Only in {title}: {nodes}.",
        "pair_counts": (
            "{node}: {one} in {title}, {second} in {other}. Which is which cannot be told."
        ),
        "pair_counted": (
            "{node}: {one} in {title}, {second} in {other}. Those nearest to the result stand side "
            "by side."
        ),
        "pair_leaf_only": "Only in {title} does a gradient find its way to {leaves}.",
        "pair_ends": (
            "Input {slot} of {node}: in {title} the gradient goes on to {target}, in {other} "
            "nowhere."
        ),
        "pair_leads": (
            "Input {slot} of {node}: in {title} the gradient goes on to {target}, in {other} "
            "to {second}."
        ),
        "pair_more_joints": "{count} more inputs lead elsewhere.",
        "pair_more_leaves": "The same holds of {count} more leaves.",
        "pair_value": "{name} is {one} in {title}, {second} in {other}.",
        "pair_before": "Before the pass {name}.grad is {one} in {title}, {second} in {other}.",
        "pair_after": "After the pass {name}.grad is {one} in {title}, {second} in {other}.",
        "pair_grads_same": "After the pass the leaves that both have hold the same .grad.",
        "pair_row_one": "{step}: only in {title}",
        "pair_row_other": "{one} | {second}",
        "pair_row_unsure": "both have such steps, one of them more: which is which cannot be told",
        "pair_no_step": "no step here",
        "pair_over": "over",
        "pair_row_same": "both do the same",
        "pair_keeps": "{title} lets go of what it has saved; {other} keeps it.",
        "pair_fails": "{title} fails in its step {number}: {message}",
        "pair_large": (
            "Of tensors with more than {count} numbers, shape, norm, minimum and maximum "
            "were compared."
        ),
        "not_added": "{before}, {added} arrives -> {after}",
        "label_free": "frees",
        "label_reason": "because",
        "label_error": "fails",
    },
    "explain": {
        # --- .grad is there
        "has_grad": "{t}.grad is {value}: what backward passes have brought to {t}, added up.",
        "zero_grad": (
            "{t}.grad is there, and all of it is zero: a gradient has arrived, but no change of "
            "{t} changes the result."
        ),
        "hooked": "A hook on {t} ({hook}) sees the gradient first, and may have replaced it.",
        # --- .grad is None
        "not_floating": (
            "{t}.grad is None because {t} holds {dtype} numbers: only floating-point tensors can "
            "have gradients."
        ),
        "cure_not_floating": "Convert it with {t}.float() before you ask for gradients.",
        "computed_of_integers": (
            "It was computed from whole numbers, {names}{where}: make them floating-point numbers "
            "there (1.0, not 1), or convert them with .float() first."
        ),
        "cure_not_floating_either": (
            "If {t} is data, convert it with {t}.float() before you ask for gradients. If it was "
            "computed from what requires grad, the history has ended on the way: indices, "
            "comparisons and casts to integers have none."
        ),
        "not_leaf": (
            "{t}.grad is None because {t} is not a leaf: {node} made it{where}. Gradients pass "
            "through it and are not kept."
        ),
        "not_walked": (
            "No backward pass starts from {t}, made{where}: it only measures, and the steps follow "
            "another loss."
        ),
        "cure_not_leaf": "Call {t}.retain_grad() before backward() to keep its own.",
        "meant_as_leaf": (
            "If {t} is meant to be a weight, make its numbers first and call {t}.requires_grad_() "
            "last: the leaf that it was computed from has no name in your program, and takes the "
            "gradient."
        ),
        "retained": (
            "{t}.grad is None because no backward pass has come through {t} since "
            "{t}.retain_grad() was called."
        ),
        "cure_retained": "Call {t}.retain_grad() before backward(); it stands in {line}.",
        "cut_out_of": (
            "{t} was cut out of {source}{where}, and {root} was computed from {source} itself, "
            "not from {t}."
        ),
        "cure_cut_out_of": (
            "Ask for the gradient with respect to {source} and take its part, or compute {root} "
            "from {t}."
        ),
        "fault_state": (
            "{t} multiplies the state {count} times{where}, and nothing bounds it, so its numbers "
            "grow by each step and overflow."
        ),
        "cure_nan_state": (
            "Begin with a smaller {t}, such as the identity, bound the state with tanh(), or use "
            "an LSTM."
        ),
        "cure_nan_pow": (
            "A negative number has no power with a fraction: keep the base above 0, with "
            "`x.clamp(min=1e-6)`."
        ),
        "not_required": "{t}.grad is None because {t} does not require grad.",
        "inference": "It was made under inference_mode, whose results never meet autograd again.",
        "made_in_block": (
            "It was made without recording{where}, under `{block}`. Move this line out of there if "
            "a gradient must pass."
        ),
        "cut_off": (
            "It has the numbers of {other} without its history: it was cut off{where}. No gradient "
            "goes from {t} to {other}; use {other} itself where one must."
        ),
        "cut_in_line": "It was cut off from its history{where}.",
        "made_plain": (
            "It was made without requires_grad=True{where}. Call {t}.requires_grad_() before it is "
            "used."
        ),
        "made_unrecorded": (
            "Nothing was recorded when it was computed{where}: nothing that it was computed from "
            "required grad then, or recording was off."
        ),
        "computed_somehow": "It is the result of a computation that was not recorded{where}.",
        "made_somehow": (
            "It was made without requires_grad=True, from inputs that do not require grad, under "
            "no_grad, or by detach(). Call {t}.requires_grad_() before it is used."
        ),
        "not_called": (
            "{t}.grad is None because backward() has not been called: {root} leads to {t}, and "
            "still holds everything it saved. Call {root}.backward()."
        ),
        "by_grad": (
            "{t}.grad is None because {line} called autograd.grad(), which returns the gradients "
            "and stores none in .grad. Take them from there, or call {root}.backward() "
            "in its place."
        ),
        "taken_away": (
            "{t}.grad is None although a backward pass has gone from {root} to {t}: it has been "
            "taken away since{where}, or the pass was autograd.grad(), which returns gradients and "
            "stores none."
        ),
        "not_called_or_taken": (
            "{t}.grad is None although {root} leads to {t}: backward() has not been called, or the "
            "gradient has been taken away since{where}, or the pass was autograd.grad(), which "
            "stores none. (These operations save nothing, so they do not show which.)"
        ),
        "walked_elsewhere": (
            "{t}.grad is None because no backward pass has started at {root}, which leads to {t}: "
            "{line} starts at another result."
        ),
        "cure_walked_elsewhere": (
            "Add {root} to `{start}`, made in {made}, or call {root}.backward()."
        ),
        "returned_none": (
            "Another suspect is {node}{where}, a Function of yours on the way: if its backward "
            "returns None for this input, nothing arrives."
        ),
        "always_returned_none": (
            "{t}.grad is None although a backward pass has gone through {root}: the only way to "
            "{t} leads through {node}{where}, a Function of yours. Its backward has returned None "
            "for this input (or {t}.grad has been taken away since, or the pass was "
            "autograd.grad())."
        ),
        "not_reached": "{t}.grad is None because the graph of {root} does not lead to {t}.",
        "rebound": (
            "When {root} was computed in {line}, {t} was another tensor; {since} has given the "
            "name to a new one since. Compute {root} anew."
        ),
        "cut_at": (
            "It was cut at {cut}, which {node} took as a constant{where}: {cut} has the numbers of "
            "{other}, which was computed from {t}, without its history."
        ),
        "cut_at_itself": (
            "It was cut at {cut}, which {node} took as a constant{where}: {cut} has the numbers of "
            "{t} without its history."
        ),
        "lost_at": "On the way, {other} lost its history{where}.",
        "never_used": (
            "{t}.grad is None because nothing that you have a name for was computed from {t} with "
            "recording on. Use {t} in the computation, then call backward() on its result."
        ),
        "features_then": "the features that it then gets",
        "features_in": "{count} features in",
        "cleared_since": (
            "{t}.grad is None because {line} has cleared it since the last pass, and no pass has "
            "run after it."
        ),
        "cure_cleared_since": "To see the gradient, ask between backward() and that line.",
        "used_without_history": (
            "{t}.grad is None because what was computed from {t} has no history: {other}{where}."
        ),
        "used_in_block": "That line runs under `{block}`, where nothing is recorded.",
        "used_leaf": "That line makes a new leaf of the numbers, which has no history.",
        "cure_used_leaf": (
            "Make the weight of numbers alone, and compute the product in each forward pass."
        ),
        "used_cut": "That line leaves the graph, by detach(), .data or Python numbers.",
        "used_before": (
            "{t} did not require grad yet when that line ran: nothing was recorded. Run it again "
            "now."
        ),
        # --- backward fails
        "in_place": (
            "backward() from {root} cannot run: {node} saved {saved} at version {expected}{where}, "
            "and it is at version {version} now, because it has been changed in place."
        ),
        "in_place_unseen": (
            "A backward pass cannot run: an operation saved {saved} at version {expected}, which "
            "is at version {version} now, because it has been changed in place."
        ),
        "changed_by": "It was changed{where}. Make that change on a clone, or after backward().",
        "changed_by_out_of_place": (
            "It was changed in {line}. Write `{instead}`, which makes a new tensor."
        ),
        "changed_by_one_of": (
            "These lines change it: {lines}. Make the change on a clone, or after backward()."
        ),
        "changed_by_parts": "{lines} change it. Before them, write `{name} = {name}.clone()`.",
        "changed_somewhere": (
            "Look for what changes it, or what shares its numbers: `x[0] = ...`, `x += ...`, a "
            "method whose name ends in _, an optimizer's step(). Make that change on a clone, or "
            "after backward()."
        ),
        "freed": (
            "backward() from {root} cannot run again: an earlier pass has gone through its graph, "
            "and {node} has freed {saved}{where}."
        ),
        "cure_freed": (
            "Compute {root} anew, or call that earlier backward() with retain_graph=True."
        ),
        "cure_freed_anew": "Compute {root} anew before each backward().",
        "freed_shared": (
            "backward() from {root} cannot run: it shares {node}{where} with {other}, and the pass "
            "from there has made it free {saved}."
        ),
        "cure_freed_shared": (
            "Add the two results and call backward() once, or use retain_graph=True in the first "
            "pass; if it is the state of an earlier step, detach() it."
        ),
        "cure_freed_adversary": (
            "`{opt}`, which steps for {other}, holds nothing behind {t}, so {other} needs no "
            "history of it: write `{instead}`."
        ),
        "cure_freed_once": (
            "Add the two results and call backward() once, before the step; if it is the state of "
            "an earlier step, detach() it."
        ),
        "freed_part": (
            "backward() from {root} cannot run: part of its graph was used by an earlier pass, in "
            "which {node} has freed {saved}{where}."
        ),
        "not_scalar": (
            "backward() starts from 1, so it needs a single number, and {root} has the shape "
            "{shape}. Make it one number, as with {one}, or say with gradient= how much "
            "each element counts."
        ),
        "no_graph": "backward() cannot start at {root}, which has no history.",
        # --- Where a history ended
        "root_not_floating": (
            "It holds {dtype} numbers, and only floating-point tensors have a history. Start from "
            "a loss of floating-point numbers."
        ),
        "ended_somewhere": (
            "Either nothing that it was computed from requires grad, or the history was cut off on "
            "the way: by detach(), .data, item(), NumPy, tensor(), indices, a comparison or a cast "
            "to integers, or because a line ran under no_grad. To find the place, print "
            "requires_grad after each line, beginning with the weights."
        ),
        "cut_detach": (
            "Its history was cut off in {line}: `{what}` has the numbers of `{other}` without the "
            "history."
        ),
        "cure_cut_detach": "Leave .detach() out there if a gradient must pass.",
        "cure_cut_detach_used": (
            "Another pass uses `{name}` before. Leave that line, and write `{other}` in place of "
            "`{name}` in {use}."
        ),
        "cut_data": (
            "Its history was cut off in {line}: `{what}` is the numbers without the history."
        ),
        "cure_cut_data": "Leave .data out there if a gradient must pass.",
        "cut_detach_": (
            "Its history was cut off in {line}: `{what}` takes the history away from {other} "
            "itself."
        ),
        "cut_sample": (
            "Its history was cut off in {line}: `{what}` draws numbers, which have no history."
        ),
        "cure_cut_sample": (
            "Write `.rsample()` there, which keeps it, or use the logarithm `log_prob()` of what "
            "was drawn."
        ),
        "cure_cut_detach_": "Leave .detach_() out there if a gradient must pass.",
        "asked_late": ("{line} used {t} before {asked}: nothing was recorded for {t} there."),
        "cure_asked_late": "Call {t}.requires_grad_() before that line.",
        "cut_index": (
            "Its history ends in {line}: {what} makes a whole number, and an index has no slope."
        ),
        "cure_cut_index": (
            "No gradient comes through an index: weigh the elements by their distance from "
            "`{other}` in its place, as an interpolation does."
        ),
        "cut_number": (
            "Its history was cut off in {line}: {what} gives Python numbers, which have none."
        ),
        "cure_cut_number": (
            "Leave {what} out there and compute with tensors; several are joined by "
            "{library}.stack(), for {library}.tensor() copies numbers only."
        ),
        "cure_update": (
            "As an update, change {t} itself in place, under no_grad: {instead}; or "
            "call requires_grad_() on the new one."
        ),
        "cure_cut_math": "Use `{instead}` there, which computes with tensors.",
        "cut_numpy": (
            "Its history was cut off in {line}: `{what}` hands the numbers to NumPy, which records "
            "nothing."
        ),
        "cure_cut_numpy": "Compute with {library}'s own operations on `{other}` in NumPy's place.",
        "cure_cut_numpy_by": (
            "Compute with {library}'s own operations in NumPy's place: `{library}.{instead}`."
        ),
        "cut_copied": (
            "Its history was cut off in {line}: `{what}` copies the numbers, without their history."
        ),
        "cure_cut_copied": (
            "Use the tensors themselves there; several are joined by {library}.stack()."
        ),
        "cut_indices": (
            "Its history ends in {line}: `{what}` gives indices, which change in jumps, so they "
            "have no slope and no history."
        ),
        "cure_cut_indices": (
            "No gradient can come through this step, so the loss must be computed from `{other}` "
            "itself, as a cross-entropy is, or from its softmax."
        ),
        "cure_cut_indices_scores": (
            "No gradient can come through this step: give the scores `{scores}`, before the "
            "softmax, to a cross-entropy, with whole numbers as targets."
        ),
        "cut_comparison": (
            "Its history ends in {line}: `{what}` is a comparison, and true or false has no slope "
            "and no history."
        ),
        "cure_cut_comparison": (
            "No gradient can come through this step, so the loss must be computed from `{other}` "
            "itself, or from something smooth such as its sigmoid."
        ),
        "cut_cast": (
            "Its history ends in {line}: `{what}` makes integers, which have no slope and no "
            "history."
        ),
        "cure_cut_cast": (
            "No gradient can come through this step, so the loss must be computed from `{other}` "
            "itself."
        ),
        "in_block": (
            "Its history ends in {line}: this runs under `{block}`, where nothing is recorded."
        ),
        "cure_other_case": "`{name}` is {value} there: write `{cure}`.",
        "cure_in_block": "Move the line out of there if a gradient must pass.",
        "decorated": (
            "Its history ends in {line}: this function runs under {mode}, where nothing is "
            "recorded."
        ),
        "cure_decorated": "Take the decorator away if a gradient must pass through the function.",
        "switched": "Nothing is recorded since {line} has turned recording off.",
        "cure_switched": (
            "Turn it on again with {library}.set_grad_enabled(True), or write `with "
            "{library}.no_grad():` in its place, which ends by itself."
        ),
        "new_weight": (
            "{line} makes a new tensor under `{block}`: it takes the place of the weight, and does "
            "not require grad."
        ),
        "cure_new_weight": "Change the weight itself, in place, in the same block: {instead}.",
        "new_weights": (
            "{line} makes new tensors under `{block}`: they take the place of {other}, and do not "
            "require grad."
        ),
        "cure_new_weights": (
            "Change the old ones in place, in the same block (`w -= ...`), or call "
            "requires_grad_() on the new ones."
        ),
        "no_create_graph": (
            "Its history ends in {line}: `{what}` was not recorded itself, so the gradients that "
            "it brings are numbers without a history."
        ),
        "cure_no_create_graph": "Write create_graph=True in this call.",
        "linear": (
            "{line} was recorded, and its result is constant: `{what}` is linear in `{other}`, so "
            "the gradient does not depend on anything that requires grad."
        ),
        "cure_linear": "There is nothing to repair: the second derivative is zero.",
        "ended_also": "So do other parts of it in {lines}.",
        "ended_again": "Without that, the history would end in {lines}.",
        "cut_too": "{cut} Undo whichever of the two was not meant.",
        "all_frozen": (
            "Nothing that it was computed from requires grad: the parameters of {names} are "
            "frozen{where}."
        ),
        "bare_weight": (
            "`{t}` does not require grad: it was made{where} without requires_grad=True."
        ),
        "cure_bare_weight": "Write `{instead}`.",
        "copies_of_parameters": (
            "{names} have the numbers of {others} without the history, as state_dict() and .data "
            "return them."
        ),
        "cure_copies": "Compute with {others} themselves.",
        "cure_plain_learners": (
            "Make the tensors that are to learn with requires_grad=True; inputs and targets need "
            "none."
        ),
        "frozen": "It is a parameter that has been frozen.",
        "frozen_parameter": "It is a parameter, and parameters are frozen by {lines}.",
        "lesson": "Chapter {number} of the lessons is about this.",
        "frozen_by": " by {lines}",
        "cure_frozen": "Set requires_grad = True again for those that are to learn.",
        "all_plain": "Nothing that it was computed from requires grad: not {names}{where}.",
        "made_in": ", made in {lines}",
        "cure_plain": "Call {t}.requires_grad_() when it has been made, before it is used.",
        "cure_plain_one_of": (
            "Require grad of the one whose gradient you want, where it is made: "
            "`requires_grad=True`."
        ),
        "changed_by_module": (
            "Look at {modules}: made with inplace=True, it writes over what it is given. Make it "
            "without."
        ),
        "changed_by_step": (
            "An optimizer changed it: {line}. Call every backward() before that step, or compute "
            "the loss again after it."
        ),
        "changed_by_other_step": (
            "An optimizer changed it: {line}. Call the model again after that step, compute the "
            "loss from its result, and call backward() then."
        ),
        "changed_by_step_carried": (
            "An optimizer changed it: {line}. `{state}` carries the graph of earlier turns, from "
            "before that step: cut it with `{state} = {state}.detach()` right after each pass."
        ),
        "filled_in_loop": (
            "It was changed by {line}, in this turn of the loop or a later one. Keep the parts in "
            "a Python list, and join them at the end with stack()."
        ),
        # --- What fails silently
        "made_for_module": (
            "It was made in {line}, but nothing that was computed there has come into the "
            "result: does forward use it?"
        ),
        "zero_given": "every number of `{x}` is 0",
        "cure_zero_given": (
            "Look for the line that makes them 0: data cut to whole numbers or a mask of zeros "
            "does that."
        ),
        "exactly_zero": "exactly zero",
        "next_to_zero": "next to zero",
        "zero_of_one": "it normalizes over a single number or over equal numbers, so all become 0",
        "cure_zero_of_one": (
            "Normalize over several numbers, such as the features of a layer with many outputs."
        ),
        "kept_graphs": (
            "{t} keeps the graphs of all turns in memory: {line} adds a result with its history, "
            "though each turn has had its own backward pass."
        ),
        "cure_kept_graphs": "Add the number: `{instead}`.",
        "untaken": (
            "That gradient came in as zero, from the branch of where() that was not taken: zero "
            "times an infinite slope is nan."
        ),
        "cure_untaken": (
            "Give the operation harmless numbers in that branch, by another where() around what "
            "it takes."
        ),
        "cure_untaken_by": (
            "Give the operation harmless numbers there, by another where() around what it takes: "
            "`{instead}`."
        ),
        # --- Other refusals, and loops
        "made_by_node": ": {node} made it{where}",
        "branch": (
            "Its history ends in {line}: this time `{what}` was taken, a new tensor made of "
            "numbers, which has none."
        ),
        "cure_branch": (
            "Compute in that case, too, from the tensors that have a history, or leave backward() "
            "out then."
        ),
        "is_called": "Here {t} is {known}.",
        "remade": (
            "{line} gives the name {t} to a new tensor, its result. Change it in place instead, "
            "under no_grad: {instead}.{then}"
        ),
        "that_line": "That line",
        "then_clear": " Then write `{t}.grad = None`, since backward() adds to what is there.",
        "flat_clamped": "which has no slope beyond its limits, where all of its inputs lie",
        "flat_together": "which has no slope where its inputs lie",
        "flat_all": "All gradients are",
        "flat_some": "The gradients of {names} are",
        "flat_relu": "which has no slope below 0, where all of its inputs lie",
        "flat_drawn": "which draws numbers, and so passes no gradient on",
        "flat_jumps": "whose result changes in jumps, so that its slope is zero",
        "flat_cancelled": "where it comes in twice with opposite signs, which cancel",
        "cure_flat_cancelled": "Write `{instead}`: a difference that is cut off keeps the slope.",
        "cure_flat_relu": "Leave the ReLU out after the last layer.",
        "cure_drawn": "Write `mean + std * {library}.randn_like(std)`, which has a slope.",
        "cure_flat_clamped": (
            "Leave the clamp out while you train, or use `{library}.sigmoid`, which has a slope."
        ),
        "cure_flat": (
            "Leave that step out while you train, or let the gradient pass around it: "
            "`y + (rounded - y).detach()` has the numbers of `rounded` and the slope of `y`."
        ),
        "reentrant": (
            "Its history ends in {line}: `{what}` runs without recording, and a reentrant "
            "checkpoint has a history only if one of the tensors given to it requires grad; the "
            "parameters inside do not count."
        ),
        "cure_reentrant": "Write use_reentrant=False in this call.",
        "or_a_leaf_there": (
            "If only the gradient with respect to {t} itself is wanted, call {t}.requires_grad_() "
            "there."
        ),
        "cure_held_result": (
            "It is `{t}`{made}: write `{t} = None` before the copy, or keep it with `.detach()`."
        ),
        "cure_before_loop_own": (
            "Move that line into the loop, with those that it is computed from, so that each turn "
            "has a graph of its own."
        ),
        "cure_before_loop_same": (
            "Each turn goes through that same graph again, in {line}: write retain_graph=True in "
            "this call, and the graph is kept until the last one."
        ),
        "cure_before_loop_stored": (
            "Keep what it is computed from, and compute it in `forward`, which runs in each turn."
        ),
        "cure_before_loop_all": (
            "Move it into the loop, inside each turn, with the lines from which it is computed: "
            "{lines}; or, if gradients need not go beyond {t}, use {t}.detach() in the loop."
        ),
        "cure_before_loop_learned": (
            "Move {lines} into the loop, inside each turn: an optimizer changes {learned}, from "
            "which it is computed."
        ),
        "carried_also": "The same holds for {names}: cut each of them.",
        "cure_scaled_parameter": (
            "A product of a Parameter is a result, not a Parameter: write `{instead}`."
        ),
        "asked_by": "It was asked for by {line}.",
        "cure_unused_input": (
            "Use {t} in the computation, or say allow_unused=True and get None for it."
        ),
        "earlier_pass": "That earlier pass was {line}.",
        "eval_records": (
            "{line} does not stop the recording: eval() changes what dropout and batch norm do, "
            "no_grad() is for the history."
        ),
        "leaf_in_place": (
            "{t} is a leaf that requires grad, and it is changed in place{where}. Recorded, it "
            "would be a leaf no more. If the change is an update and no part of the function, put "
            "it under no_grad."
        ),
        "unused_input": (
            "autograd.grad() was asked for the gradient of {root} with respect to {t}, to which "
            "its graph does not lead."
        ),
        "nan_in_backward": (
            "Anomaly mode has stopped the pass at {node}{where}: its formula has given NaN."
        ),
        "inference_saved": (
            "A tensor that was made under inference_mode meets autograd{where}, which may not save "
            "it."
        ),
        "made_in_inference": "It was made in {line}.",
        "cure_inference_saved": "Clone it, or make it under no_grad.",
        "unknown_error": "{error}. This is no error that explain() knows.",
        "unseen_error": (
            "{error}. The program's text is nowhere, so its line is unknown. Such a message comes "
            "from {causes}."
        ),
        "or": " or ",
        "unseen_line": "a line whose text is unknown",
        "raised_at": "It was raised by {line}.",
        "operands": "The tensors there: {tensors}.",
        # --- NaN
        "nan_value": (
            "{t} holds {what}. It comes up at {node}{where}: its result holds {what}, and what it "
            "was computed from holds none."
        ),
        "nan_value_about": (
            "{t} holds {what}. It is first seen at {node}{where}, and came up there or in an "
            "operation before it whose numbers were not kept."
        ),
        "inf_before": "An inf came before it, out of {node}{where}.",
        "nan_leaf": "{t} holds {what}, and so does {leaf}, from which it was computed.",
        "finished": (
            "{t} was used as it should be: {line} has run through its graph once and freed it, "
            "and nothing failed."
        ),
        "finished_value": "{t} is {value} now.",
        "finished_list": "`{name}` goes from {first} to {last} in {count} numbers.",
        "finished_cleared": "The gradients have been cleared since.",
        "finished_gradients": "The largest elements of the gradients are: {names}.",
        "finished_more": " and others",
        "cure_left_out": "Leave that line out.",
        "cure_write_there": "Write `{instead}` there.",
        "guess_costs": "A guess that knows `{y}` alone costs {guess}.",
        "guess_reached": (
            "The loss {value} is no better than a guess that knows `{y}` alone, which costs "
            "{guess}: nothing of `{x}` is used so far."
        ),
        "labels_unrelated": (
            "And samples of `{x}` that are near each other agree in `{y}` no more often than by "
            "chance: see whether they belong together in {lines}."
        ),
        "binary_entropy": "The binary cross-entropy",
        "overlap": "The share of the overlap",
        "cure_steps_rate": "Take a larger rate than {rate}, such as `lr=0.01`.",
        "cure_steps_written": "{line} changes the gradients, which are at most {size} at the step.",
        "cure_steps_gradient": (
            "The gradients are at most {size}: see what makes them small on the way."
        ),
        "passes_seen": "After {count} passes, the first with {first}",
        "steps_counted": "After some {count} steps",
        "what_loss": "the loss",
        "what_term": "the term `{term}`",
        "cure_not_learned_term": (
            "The rest of `{loss}`{where} counts for more, so it is not learned: give the other "
            "terms a smaller factor, or try `{loss} = {term}` first."
        ),
        "cure_not_learned_still": (
            "No weight has changed either. A line must change them after each pass, as an "
            "optimizer's `step()` does: see {line}."
        ),
        "weights_left": "`{optimizer}`{where} does not hold {names}, which get gradients.",
        "weights_frozen": (
            "`{optimizer}`{where} holds tensors that do not require grad and never move: {names}."
        ),
        "weights_unwritten": "No optimizer holds {names}, and no line has written to them.",
        "cure_not_learned_left": (
            "{names} get gradients, and `{optimizer}`{where} does not hold them: give it all that "
            "is to learn."
        ),
        "cure_not_learned_undone": (
            "It is the same in each pass, to the last digit, though each step changes weights: "
            "something puts them back, such as {line}."
        ),
        "cure_not_learned_worse": (
            "It is far worse than that: take a smaller rate than {rate} for `{optimizer}`{where}, "
            "begin with smaller weights, or scale the data, which come from {lines}."
        ),
        "cure_not_learned_data": (
            "Samples of `{x}` that are near each other agree in `{y}` no more often than by "
            "chance: see whether they belong together in {lines}."
        ),
        "cure_not_learned_few": (
            "Train on `{x}[:8]` and `{y}[:8]` alone: if the loss stays there too, the fault is in "
            "the model or its steps, and else in the rate or the data, which come from {lines}."
        ),
        "made_at": "{t} is made in {line}.",
        "finished_function": "To see whether it learns, type `{call}`.",
        "finished_step": (
            "To see whether it learns, write one iteration as a function and type `{call}`."
        ),
        "finished_loop": "To see whether it learns, write `{call}` around {head}.",
        "likely_weights": (
            "Nothing that it was computed from requires grad, so no gradient reaches {names}."
        ),
        "its_weights": "the weights",
        "its_state": "the state",
        "not_sorted": "are not sorted from the longest to the shortest",
        "empty_sequences": "have lengths of which one is 0, a text without a known word",
        "cure_pad_rows": "Bring the rows to one length: `{cure}`.",
        "cure_keep_number": "Keep the number alone: write `{cure}`{at}.",
        "cure_static": (
            "Write `@staticmethod` above forward and above backward, with `ctx` for `self`, and "
            "call `{cure}`."
        ),
        "also_plain": "The same holds for {names}.",
        "cure_make_it": "Make it `{cure}`{at}.",
        "cure_write_at": "Write `{cure}`{at}.",
        "cure_batch_first": "`{t}` has the batch first, which the layer is to know: `{cure}`{at}.",
        "give_mask": "Give it `{cure}`.",
        "cure_output_padding": "Give {layers} the argument `{cure}`.",
        "cure_crop": "A longer sequence than that must be cut: write `{cure}`{at}.",
        "cure_from_zero": "Make it `{cure}`{at}; or count the indices from 0.",
        "cure_drop_last": "That is the last, smaller batch. Leave it out: `{cure}`.",
        "cure_one_step": "Here it is one step of each sequence: write `{cure}` for `{t}`.",
        "cure_star": "`{t}` holds them all: write `{cure}`.",
        "cure_divisor": "Give `{name}` a value that divides {size}, such as {best}.",
        "takes_class": "takes the index of each sample's class, a whole number",
        "takes_scores": "compares them with floating-point scores",
        "cure_flatten": "Put `{nn}.Flatten()` before that layer.",
        "cure_without_none": (
            "Leave such samples out: give the DataLoader `collate_fn=lambda samples: "
            "{library}.utils.data.default_collate([s for s in samples if s is not None])`."
        ),
        "cure_one_size": "Bring them to one size in the data set, or use `batch_size=1`.",
        "last_step": " (the last time step alone, as `{t}` has no dimension of time)",
        "or_last_step": "; of the last time step alone, `{step}`",
        "last_step_there": ", and take the last time step, as `{t}` has no time: `{step}`",
        "by_import": "`import {module}` and ",
        "cure_likely_weights": "Make what is to learn as {instead}.",
        "more": "More:",
        "zero_hook": "is a hook that multiplies the gradient by 0",
        "cure_zero_hook": "Take the hook out.",
        "zero_function": "is a backward that returns 0",
        "cure_zero_function": (
            "Return the gradient that comes in, as a straight-through estimator does, or another "
            "slope."
        ),
        "cure_cut_fractions": "Take the whole numbers before they are scaled, not `{instead}()`.",
        "cure_prefix": "Load `{instead}`.",
        "cure_strict": "Leave `strict=False` out: the error then lists the names.",
        "cure_floor_division": "Write `{instead}`, which keeps the fractions.",
        "out_of_reach_below": "no number below {low}",
        "cure_negate_divergence": "Put a minus before that term: then it is never below 0.",
        "cure_add_divergence": "Add it: `+ {t}`.",
        "gain_likelihood": (
            "the logarithm of the data's probabilities to the loss. Steps make a loss smaller, so "
            "here they make the data less likely."
        ),
        "gain_cosine": (
            "a cosine similarity to the loss. Steps make a loss smaller, so here they make the two "
            "results point away from each other."
        ),
        "gain_score": (
            "a score to the loss that is the larger the better the model is. Steps make a loss "
            "smaller, so here they make the model worse."
        ),
        "cure_gain_score": "Use `1 -` that score.",
        "cure_gain_likelihood": "Put a minus before it.",
        "cure_gain_cosine": "If they are to become alike, use `1 -` that similarity.",
        "out_of_reach": "numbers from {low} to {high} only",
        "cure_never_cleared_call": "Call `{instead}` once in each iteration, before backward().",
        "cure_never_cleared_by_hand": "Write `{instead}` after each update.",
        "mask_for_each_head": "For one mask a sample and head, write `{cure}`.",
        "mask_from_length": "Make the mask from the length of this batch.",
        "cure_far_weights": "Initialise `{t}` with smaller numbers.",
        "dead": "gives zero for every input",
        "saturated": "is saturated for every input",
        "cure_dead": ("Take a smaller learning rate or bias, or `LeakyReLU`, and scale the data."),
        "cure_far_data": ("`{t}` holds numbers up to {most}. Scale it: `{instead}`."),
        "cure_one_class": (
            "For two classes with one output, use `BCEWithLogitsLoss` on the output without "
            "softmax; otherwise give the last layer one output for each class."
        ),
        "cure_one_weight": "Take it over the axis of {count} numbers: `dim={axis}`.",
        "twice_left": (
            "`{one}` and `{other}` hold the same parameters, and no optimizer holds those of "
            "`{module}`, which get gradients: `{module}` never changes."
        ),
        "cure_twice_left": "Give `{wrong}`{where} `{module}.parameters()`.",
        "twice_both": (
            "`{one}` and `{other}` both hold the parameters of `{first}` and of `{second}`: each "
            "steps on what the other's loss teaches, so one undoes the steps of the other."
        ),
        "cure_twice_both": (
            "Give `{one}` only `{first}.parameters()`, and `{other}` only `{second}.parameters()`."
        ),
        "held_teacher": (
            "`{other}`{where} holds the parameters of `{first}`, and none holds those of "
            "`{module}`, which get gradients: the teacher moves to the student, which stays."
        ),
        "cure_held_teacher": (
            "Give `{other}` `{module}.parameters()`, and call `{first}` under `no_grad()`."
        ),
        "cure_fresh_given": "Give the loss the noise that was added: `{t}`.",
        "cure_fresh_other": (
            "Draw the noise once: use that target in {line} too, in place of `{other}`."
        ),
        "over_samples": "over all samples",
        "over_code": "over the code of each sample",
        "cure_over_samples": (
            "Divide the divergence by the number of elements of the data, as the mean does."
        ),
        "cure_over_code": "Sum the error of each sample, too: `{instead}`.",
        "cure_over_code_by_hand": (
            'Sum the error of each sample, too: with `reduction="sum"`, divided by the number of '
            "samples."
        ),
        "cure_end_as_padding": (
            "`{made}` makes the end of a sequence padding, so no end is learned. Give padding a "
            "number that no word has, such as {free}, with a row for it in the table of words."
        ),
        "cure_ignored_class": (
            "Leave `ignore_index` out; if there is padding, give it the label -100."
        ),
        "cure_not_learned_ids": (
            "`{x}` has whole numbers up to {most}, and no `Embedding` reads them. If they are "
            "names of things, give each a vector: `{nn}.Embedding({count}, 16)`, and the next "
            "layer 16 inputs."
        ),
        "unread_layer": "the weights of `{layer}`, which an optimizer holds, get no gradient.",
        "unread_determinant": "a density without its term shrinks the data to a point.",
        "cure_unmasked": "Give it `{option}`, a mask that is True above the diagonal.",
        "cure_unmasked_call": "Write `is_causal=True` there.",
        "cure_unmasked_own": (
            "Before the softmax, set the later places to -inf: "
            "`scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)`."
        ),
        "batch_by_loss": "the loss has {time} samples",
        "batch_by_loader": "the loader gives {time} samples at a time",
        "batch_by_positions": "the positions that are added have the shape {shape}",
        "cure_batch_for_time_option": "Make the layer with `batch_first=True`.",
        "cure_batch_for_time_one": (
            "Give it each sample as a sequence of its own, of shape (batch, time, features), and "
            "`batch_first=True`: `x.unsqueeze(-1)` for numbers, or `x.unsqueeze(1)` for a step."
        ),
        "over_softmax": "The softmax",
        "over_mean": "The mean",
        "over_sum": "The sum",
        "over_norm": "The length",
        "summed_pairs": (
            "and {node} comes after it: once that number is large, no pair counts any more"
        ),
        "summed_factor": (
            "and all of the factors after it multiply that one: no sample has a factor of its own"
        ),
        "cure_summed_pairs": (
            "Sum over the features of a pair alone, with `dim=1`, and take the mean after {node}."
        ),
        "cure_summed_factor": "Leave it out there: multiply first, and take the mean after that.",
        "cure_summed_factor_loss": (
            'Give the loss `reduction="none"`, multiply, and take the mean after that.'
        ),
        "aim_of_critic": (
            "the critic's own loss moves it the same way, so the two do not compete."
        ),
        "aim_of_reward": (
            "it learns rewards, and steps make a loss smaller, so they look for the least reward."
        ),
        "cure_saturated": "Scale its inputs: `x = (x - x.mean()) / x.std()`.",
        "number_to_read": (
            "It is a number to read: `{loss}` has its own backward pass, and {line} takes its "
            "value alone, which is right."
        ),
        "cure_first_loss_inputs": (
            "Keep the inputs small: they go up to {given}. Write `x = x / x.abs().max()`."
        ),
        "cure_first_loss_weights": (
            "Begin with smaller scores: multiply the last layer's weights by 0.1 before the loop."
        ),
        "its_targets": "its target",
        "drops_all": (
            "every number, so nothing of the layers before it arrives and no gradient goes back"
        ),
        "drops_most": "{share} of all numbers, so hardly anything of the layers before it arrives",
        "new_value_after": "{after} gives `{t}` a new value",
        "read_by_none": "no later line has `{t}`, and {after} takes another",
        "cure_read_there": "If that line is to use it, write `{t}` there for `{other}`.",
        "cure_read_it": "If a later line is to use it, read `{t}` there.",
        "cure_loss_of_data": (
            "Give the loss the data as its second argument in place of `{name}`."
        ),
        "cure_divergence_of_itself": (
            "Compute the first argument from the scores of the model that is to learn, in place "
            "of `{name}`."
        ),
        "cure_loss_of_alias": (
            "{made} gives one tensor two names: what is written into it changes both. Write "
            "`{name} = {instead}`."
        ),
        "the_anchor": "the anchor",
        "the_positive": "the positive",
        "sum_of_softmax": "of all probabilities of a softmax",
        "sum_of_normalized": "of numbers that a normalization has given the mean 0",
        "cure_shuffle": "Write `shuffle=True` there.",
        "cure_order": "Draw an order for each epoch, `order = {library}.randperm(len({y}))`, and "
        "take each batch by `order[i : i + size]`.",
        "cure_weights": "Give the sampler a weight for each sample.",
        "cure_weights_of": "Give it `{instead}` in place of `{weights}`, where `{y}` are the "
        "labels of all samples.",
        "cure_flat_overlap": "Nothing can move two boxes that do not overlap: add a loss with a "
        "slope there, such as `{library}.nn.functional.smooth_l1_loss(boxes, targets)`.",
        "cure_focal": "Take the power of 1 minus the probability.",
        "cure_focal_by": "Write `{instead}` in place of `{old}`.",
        "cure_scale": "Scale the data to about 1: `{instead}`.",
        "cure_scaled_twice": "{first} has scaled them: leave the division out in {lines}.",
        "cure_smoothing": "Take a small share, `{name}={one}`.",
        "cure_unused_batch": "Give the model the batch: `{instead}`.",
        "nan_late_hidden": (
            "{t} is finite, but {leaf}, which {line} has changed, holds {what}: a backward pass of "
            "an earlier iteration brought it."
        ),
        "nan_late": (
            "{t} holds {what}, and so does {leaf}, which {line} has changed: the first NaN "
            "appeared in an earlier iteration."
        ),
        "nan_late_number": "`{name}` holds no finite number from the first on.",
        "nan_late_after": (
            "`{name}` is finite up to {last}; number {number} is the first that is not."
        ),
        "nan_risk": ("The first operation that can make it of finite numbers is {node}{where}."),
        "nan_range": "It got {t}, whose numbers go from {low} to {high}.",
        "nan_late_diagnose": (
            "`with viz.diagnose():` around the loop names the iteration and the operation."
        ),
        "nan_data": (
            "{t} holds {what}, because `{data}`{where} holds it: a step has carried it into {leaf}."
        ),
        "cure_other_tensors": "Write `{instead}`.",
        "cure_rebuilt_fold": (
            "{line} makes a new `{model}` in each turn: write `{instead}` after it, in the loop."
        ),
        "cure_rebuilt": (
            "{line} makes a new `{model}` in each iteration: make it once, before the optimizer."
        ),
        "cure_nan_data": (
            "Look at the data: replace missing values, and divide by no spread of zero, as with "
            "`/ (std + 1e-8)`."
        ),
        "cure_nan_rate": (
            "The numbers grew from step to step: take a smaller learning rate, or clip the "
            "gradients with clip_grad_norm_()."
        ),
        "cure_nan_grew": (
            "If the loss grew from step to step before, take a smaller learning rate, or clip the "
            "gradients with clip_grad_norm_()."
        ),
        "nan_by_rate": "`{t}` has a learning rate of {rate}, which makes each step overshoot more.",
        "cure_nan_by_rate": "Take a smaller learning rate, such as 0.01.",
        "cure_exploding": "Clip the gradients, take a smaller learning rate, or scale the data.",
        "nan_by_data": "`{t}`{where} holds numbers up to {most}, which make the gradients huge.",
        "cure_nan_by_data": "Scale it to about 1: `{instead}`.",
        "finished_zero": (
            "The last pass brought exactly 0 to {names}: nothing in it changes the loss there."
        ),
        "nan_masked": "Where a mask hides a complete row, its softmax is 0/0.",
        "without_retaining": ", and leave `retain_graph=True` out",
        "cure_log": "Add the term of its logarithm: `+ {term}`.",
        "cure_log_there": "Add the logarithm of the spread, as a normal distribution's has it.",
        "clipped_scaled": "the gradients there are still multiplied by the scale of `{scaler}`",
        "cure_unscaled": "Write `{instead}` before that line.",
        "cure_clipped": "Call it between backward() and the step.",
        "cure_write": "Write those of `{model}` into `{other}` in place of that.",
        "cure_write_as": "Write `{instead}` in place of that.",
        "cure_rate_up": "Take a larger rate.",
        "cure_rate_schedule": (
            "Call the scheduler's step() once in each epoch, or let the rate fall more slowly."
        ),
        "cure_made_before": "Make the optimizer after {line}, which replaced what it holds.",
        "cure_nan_log": "Keep zero out of the logarithm: `log({v}.clamp(min=1e-7))`.",
        "cure_nan_scores": "Compute it from the scores themselves, with `{instead}`.",
        "cure_nan_sqrt": "Keep zero out of the root: `sqrt({v} + 1e-8)`.",
        "cure_nan_div": "Keep zero out of the denominator: `/ ({v} + 1e-8)`.",
        "cure_nan_exp": "Limit what the exponential gets: `exp({v}.clamp(max=20))`.",
        "cure_nan_root": "Keep numbers below zero out of the root: `sqrt({v}.clamp(min=1e-8))`.",
        "cure_nan_arc": "Keep inside of the domain: `acos({v}.clamp(-1 + 1e-6, 1 - 1e-6))`.",
        "cure_nan_softplus": "Write `softplus(x)`, which does not overflow, for `log(1 + exp(x))`.",
        "cure_nan_mask": (
            "Leave at least one number of each row unmasked, or leave such rows out of the batch."
        ),
        "cure_nan_labels": (
            "Give `ignore_index` a number that is no class, such as -100, or skip such batches."
        ),
        "cure_nan_empty": "Skip the loss where nothing is left to average.",
        "cure_nan_eps": "Leave `eps` at its default, 1e-8.",
        "nan_known": "{t} holds {what}.",
        "nan_known_grad": "{t}.grad holds {what}.",
        "its_input": "its input",
        "fault_log": (
            "{node}{where} got {t}, whose smallest number is {low}: a logarithm needs numbers "
            "above 0."
        ),
        "fault_root": (
            "{node}{where} got {t}, whose smallest number is {low}: a root needs numbers from 0 on."
        ),
        "fault_slope": (
            "{node}{where} got {t}, which holds 0: there the slope of a root is infinite, and "
            "0 times infinity is nan."
        ),
        "fault_slope_of": (
            "{t}, the result of {node}{where}, holds 0: there the slope of a root is infinite, "
            "and 0 times infinity is nan."
        ),
        "fault_arc": (
            "{node}{where} got {t}, whose numbers go from {low} to {high}: its slope is infinite "
            "at -1 and 1, and beyond it has no value."
        ),
        "fault_exp": (
            "{node}{where} got {t}, which goes up to {high}: exp() of more than 88 is infinite."
        ),
        "fault_div": "{line} divides by `{t}`, which holds 0.",
        "fault_mask": (
            "In {line}, `{t}` sets a complete row of scores to -inf, and the softmax of that row "
            "is 0/0, nan."
        ),
        "fault_labels": (
            "In {line}, every label of `{t}` is {ignored}, which `ignore_index` leaves out: the "
            "mean of nothing is 0/0, nan."
        ),
        "fault_empty": "{node}{where} takes the mean of no numbers, which is 0/0, nan.",
        "fault_eps": (
            "`{t}`{where} has eps=0: where a gradient has always been 0, its step is 0/0, nan."
        ),
        "fault_spread": (
            "{line} divides by `{t}`, which is 0 where all numbers are equal, and nan for a single "
            "one."
        ),
        "cure_nan_spread": "Add `1e-8` to it, and leave out batches of one sample.",
        "clipped_early": "{pass} comes after it and brings new gradients",
        "clipped_late": "{step} has used the gradients before",
        "nan_gradient": (
            "The values are finite, but in a rehearsal of the backward pass {what} first comes out "
            "of {node}{where}: it gets {incoming} and gives {outgoing}."
        ),
        "formula": "Its formula is {rule}.",
        "nan_in_grad": (
            "{t}.grad holds {what}. Compute the loss again and ask explain(loss, nan=True): it "
            "rehearses the pass and names the operation."
        ),
        "all_finite": (
            "Everything is finite: the values behind {t}, and the gradients in a rehearsal of the "
            "backward pass."
        ),
        "values_finite": (
            "The values behind {t} are finite. (No backward pass can be rehearsed, which would "
            "look at the gradients too.)"
        ),
        # --- Parts
        "in_line": " in `{text}` ({place})",
        "at_line": "`{text}` ({place})",
        "place_in_file": "line {line} of {file}",
        "place_in_cell": "line {line} of its cell",
        "and": ", ",
        "space": " ",
        "picture": "the graph, with the place marked",
    },
    "explore": {
        "along": "along",
        "value": "value",
        "grad": "grad",
        "key_up": "gradient above 0",
        "key_down": "below 0 (stronger is larger)",
        "failed": "{function} fails here: {error}",
        "state": "At {inputs}: {function} = {value}, {slopes}.",
        "comma": ", ",
    },
    "memory": {
        "title": "kept for the backward pass: at most {bytes}, by {node} in {line}",
        "title_without_line": "kept for the backward pass: at most {bytes}, by {node}",
        "plot_title": "kept for the backward pass: at most {bytes}",
        "at_peak": "most at: {at}",
        "nothing": "Nothing is kept for a backward pass that does not live anyway.",
        "held": "bytes",
        "bytes": "{count} bytes",
        "piece": "{name}, {bytes}",
        "separator": "; ",
        "forward": "forward",
        "backward": "backward",
        "again": "computed within the pass",
        "gone": "the graph is gone",
        "more": "and {count} smaller ones, {bytes}",
        "own": "the program's own, which lives anyway: {listed}",
        "by_graph": "only the graph keeps it",
        "by_again": "computed again, or within the pass",
        "by_program": "lives anyway",
        "unseen_packed": (
            "A hook has packed what {node} keeps into something that is no tensor: its bytes "
            "are unknown, and not counted."
        ),
        "unseen_written": (
            "{node} wrote through a view: PyTorch does not tell what it keeps, and it is not "
            "counted."
        ),
        "unseen_checkpoint": (
            "A checkpoint computes part of this graph again within the pass. What that keeps is "
            "not shown here; viz.memory of a function that makes the whole pass shows it."
        ),
    },
    "grad_flow": {
        "title": "gradient by layer",
        "layer": "parameter",
        "mean": "mean |g|",
        "largest": "max |g|",
        "zeros": "zeros",
        "missing": "None",
        "no_numbers": "no numbers",
        "not_finite": "not finite",
        "zero": "all zero",
        "vanishing": "vanishing",
        "exploding": "exploding",
    },
    "doctor": {
        "running": "The steps are still being watched.",
        "raised": "The block ended with an error: {text}",
        "same_batch": (
            "Run {count} times on one batch, and then undone, the loss goes from {first} to {last}."
        ),
        "curve": "The loss went from {first} to {last} in {count} passes.",
        "healthy": (
            "Healthy in what was watched (steps: {iterations}): {count} parameters got a gradient, "
            "and nothing was found that is wrong."
        ),
        "nothing_seen": "No backward pass came to a parameter: there was nothing to examine.",
        "found": "Steps watched: {iterations}; findings: {count}.",
        "trouble": "The steps ran, but could not be watched to the end: {error}.",
        "what": "finding",
        "why": "why, and what to do",
        "memory": "kept for the backward pass",
        "picture": "the gradient of each parameter",
        "comma": ", ",
        "and_more": "{names} and {count} more",
        # --- The step itself
        "title_failed": "the step fails",
        "failed": "{error}. {text}",
        "failed_carried": (
            "{error}. The graph of this step leads on into that of an earlier step, whose pass is "
            "done and has freed it: `{keeper}` carries it over. Go on with `{keeper}.detach()`, or "
            "(if gradients must reach earlier steps) add up their losses and call backward() once."
        ),
        "failed_off": (
            "{error}. Gradients were recorded when the first step began, and not when this one "
            "did: a step leaves recording turned off, by `set_grad_enabled(False)` or its like. "
            "Write `with no_grad():` around what must not be recorded, which turns it on again."
        ),
        # --- Numbers
        "nan_module": (
            "It began on the way forward, in `{name}` ({kind}): what went in was finite, what "
            "came out is not."
        ),
        "nan_input": (
            "It began on the way forward, before `{name}` ({kind}): what went in was not finite. "
            "Look at the data, and at what is computed before it."
        ),
        "nan_loss": (
            "It began on the way forward, after the modules: all of them gave finite numbers, and "
            "the loss is not finite."
        ),
        "nan_gradient": (
            "It began on the way back: the loss was finite, and the first gradient that was not is "
            "that of `{name}`."
        ),
        "nan_later": "It happened after the watched iterations.",
        "nan_iteration": "The first gradient that is not finite came in iteration {iteration}.",
        "nan_step": "All gradients were finite: the step itself went beyond the largest number.",
        # --- Kept and cleared
        "grows_keeper": (
            "`{keeper}` carries it over: go on with `{keeper}.detach()` if gradients need not "
            "reach earlier steps."
        ),
        "same_loss": "the same loss",
        # --- Cures that were tried
        "tried_falls": (
            "Tried: {what}. With it the loss falls from {first} to {last} in {count} iterations."
        ),
        "tried_gone": "Tried: {what}. In {count} iterations with it, this was not found again.",
        "in_vain_falls": (
            "Tried: {what}. With it the loss went from {first} to {last} in {count} iterations, so "
            "this alone is no cure."
        ),
        "in_vain": "Tried: {what}. In {count} iterations with it, this was found again.",
        "in_vain_raised": "Tried: {what}. The step then raised {error}.",
        "edit_clear": "clearing the gradients of `{optimizer}` before each iteration",
        "edit_clear_by_hand": "`{name}.grad = None` and the like before each iteration",
        "edit_hold": "giving `{optimizer}` the {count} parameters that it does not hold",
        "edit_thaw": "`requires_grad_(True)` on `{name}` and the others that are named",
        "edit_train": "`{name}.train()` before each iteration",
        "edit_clip": "clipping the gradients of `{optimizer}` to a norm of {norm:g}",
        "edit_step": "`{optimizer}.step()` after each iteration",
        "edit_rate": "a learning rate of {value} in `{optimizer}`",
        "edit_decay": "a weight decay of {value} in `{optimizer}`",
        "untried": "The cure was not tried: {why}.",
        "untried_generator": "the function reads the generator `{name}`, which cannot go back",
        "untried_iterator": "the function reads the iterator `{name}`, which cannot go back",
        "untried_file": "the function uses the file `{name}`",
        "untried_graph": "`{name}` carries a graph, which a second run would free",
        "untried_elsewhere": "the function uses `{name}`, which can change things elsewhere",
        "untried_hook": "`{name}` has hooks, which would see the second run",
        "untried_large": "`{name}` makes the data that it can change too large to copy",
        "untried_slow": "the steps take too long",
        "untried_far": "the watched steps took the parameters too far, so begin with new ones",
        "untried_other": "`{name}` may change something that cannot be restored",
    },
    "loss_curve": {
        "loss": "loss",
        "line": "{name}  {count} values, from {first} to {last}, lowest {lowest} at {at}",
        "not_finite": "; {count} not finite, the first at {at}",
    },
    "forward_and_backward": {
        "comma": ", ",
        "node": "node",
        "value": "value",
        "tangent": "tangent",
        "gradient": "gradient",
        "product": "tangent \u00d7 gradient",
        "cuts": "cut",
        "sum": "sum",
        "crosses": "on the edges to",
        "cut": "{number}",
        "none": "none",
        # In the picture: the tangent goes up to the result, the gradient down to the inputs.
        "row_value": "value {value}",
        "row_tangent": "tangent \u2191 {tangent}",
        "row_gradient": "gradient \u2193 {gradient}",
        "line": "cut {number}: {sum}",
        "of_many": "{total}, from {count} edges",
        # Below it.
        "along": "{name} along {tangent}",
        "at_speed": "{name} at speed {speed}",
        "moves": "Forward mode moves {inputs}: {result} moves at speed {derivative}.",
        "same": (
            "The backward pass finds the same: tangent times gradient, added up over what a cut "
            "crosses, is {derivative} at each of {count} cuts."
        ),
        "parted": (
            "The cuts do not give one number: the two modes part at {nodes}. One of them has taken "
            "something there that the other has not: what was computed under no_grad moves in "
            "forward mode alone, a hook changes gradients alone, as_strided may reach past what it "
            "was given, and a Function may have a jvp and a backward that do not belong together."
        ),
        "unseen": "Not known: the tangent at {nodes}, whose result could not be read.",
        "passes": (
            "For the whole derivative, numbers in: {inputs}, numbers out: {outputs}. Passes in "
            "reverse mode: {reverse} (operations: {reverse_operations}); in forward mode: "
            "{forward} (operations: {forward_operations})."
        ),
        "reverse": "Reverse mode is the cheaper one here.",
        "forward": "Forward mode is the cheaper one here.",
        "equal": "Both cost the same here.",
    },
}

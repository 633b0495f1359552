"""The later sets of posted programs: right answers stay right, and none crashes or does harm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from minigrad_viz.diagnosis.rules.table import RULES

from tests.sampling import drawn
from tests.viz.diagnosis.headed_run import Headed, programs
from tests.viz.diagnosis.posted_run import FOLDER, LIBRARIES, ask_diagnose, ask_explain

pytestmark = pytest.mark.usefixtures("clean_linecache")

PARTS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
JUDGED: dict[str, Any] = {
    part: json.loads((FOLDER / part / "first_run.json").read_text(encoding="utf-8"))
    for part in PARTS
}
PROGRAMS = [pytest.param(each, id=f"{part}/{each}") for part in PARTS for each in programs(part)]
LEFT_OUT = ("broken/53_margin_target_zero", "sound/k37_few_rows_of_a_sparse_table")
"""Programs with a name that minigrad leaves out."""


@pytest.mark.parametrize("part", PARTS)
def test_every_program_was_judged(part: str) -> None:
    judged, chosen = JUDGED[part], programs(part)
    assert [str(each) for each in chosen] == sorted(judged)
    asked = {str(p): [q for q in ("explain", "diagnose") if p.asked(q)] for p in chosen}
    assert all(list(judged[name]) == questions for name, questions in asked.items())


@pytest.mark.parametrize("program", drawn("PROOFS", "second", PROGRAMS))
def test_answer_about_headed_program_stays_right(program: Headed, tmp_path: Path) -> None:
    """Answers that were right in the first run keep their causes."""
    if str(program) in LEFT_OUT:
        return
    for question, asking in (("explain", ask_explain), ("diagnose", ask_diagnose)):
        answer = asking(program, "minigrad", tmp_path)
        if answer is None:
            continue
        assert not answer.crash, answer.crash
        judged = JUDGED[program.part][str(program)][question]
        if program.kind == "sound" and question == "diagnose":
            assert answer.causes == (), answer.text
        elif judged["judged"] == "right":
            said = {*answer.causes, *hidden_by(answer.causes)}
            assert {*judged["causes"]} <= said and answer.causes, answer.text


def hidden_by(causes: tuple[str, ...]) -> set[str]:
    """Return the causes about which these say more."""
    return {each for rule in RULES if rule.key in causes for each in rule.before}


MENDED = {
    "second/03_blocks_in_plain_list": "Put them into `nn.ModuleList`",
    "second/03_gradient_accumulation": "number to read",
    "second/04_gan_discriminator_step": "was used as it should be",
    "second/05_scheduler_instead_of_optimizer": "Call `optimizer.step()` after",
    "second/06_gamma_zero_schedule": "has gamma=0",
    "second/09_all_weights_zero": "`net.0.weight`, `net.2.weight` are all zero",
    "second/10_twelve_sigmoids": "through 12 activations",
    "second/12_relu_on_the_output": "no number below 0, and 100% of `temperature`",
    "second/12_truncated_bptt": "number to read",
    "second/13_rate_far_too_large": "Take a smaller learning rate",
    "second/15_detach_between_encoder_and_decoder": "`code = encoder(x).detach()` (line 23",
    "second/16_shuffled_apart": "`xb = x[torch.randperm(len(x))]` (line 20",
    "second/17_dropout_of_one": "`model.drop` (Dropout) has p=1",
    "second/19_softmax_of_one_output": "the shape [30, 1]",
    "second/22_loss_wrapped_again": "`loss = fit + 0.01 * size`",
    "second/24_clipped_before_backward": "comes after it and brings new gradients",
    "second/26_rebinding_in_the_update": "`p -= rate * p.grad`",
    "second/27_generator_sees_detached_fake": "`g_loss = bce(D(fake.detach()), real_label)`",
    "second/28_dqn_wrong_side_detached": "`q.detach()` has the numbers of `q`",
    "second/30_best_weights_loaded_each_time": "loads the weights in `best`",
    "second/31_tokens_cut_to_zero": "`table.long()` makes whole numbers",
    "second/32_integer_division_of_pixels": "Write `raw / 255`",
    "second/36_every_label_ignored": "every label of `tags` is 0",
    "second/37_one_nan_in_the_table": '`table[7, 2] = float("nan")` (line 14',
    "second/38_body_rate_zero": "learning rate 0",
    "second/42_accumulation_never_reaches_step": "has not stepped once",
    "second/43_never_zeroed": "Call `opt.zero_grad()` once",
    "second/44_adam_without_eps": "has eps=0",
    "second/46_two_factors_start_at_zero": "`U`, `V` are all zero",
    "second/47_advantage_of_one": "`returns` holds one number",
    "second/48_all_keys_masked": "`pad` sets a complete row of scores to -inf",
    "second/51_batch_first_forgotten": "Make the layer with `batch_first=True`",
    "second/52_view_in_place_of_permute": "`signal.permute(0, 2, 1)`",
    "second/55_hook_left_from_debugging": "a hook that multiplies the gradient by 0",
    "second/56_straight_through_written_wrong": "a backward that returns 0",
    "second/57_only_one_task_in_the_sum": "`total = gender_loss` (line 39",
    "second/70_where_with_sqrt": "got `distance`, which holds 0",
    "second/71_pairwise_distance_diagonal": "`dist`, the result of SqrtBackward0",
    "second/72_acos_at_one": "from 0.955 to 1",
    "second/73_log_of_zero_probability": "got `prob`, whose smallest number is 0",
    "second/74_softplus_by_hand": "Write `softplus(x)`",
    "second/75_empty_mask_mean": "divides by `valid.sum()`",
    "second/76_zero_times_infinity": "got `p`, whose smallest number is 0",
    "second/79_requires_grad_after_forward": "used probe before",
    "second/82_chain_rule_left_out": "`return grad_output * 2 * x`",
    "second/84_typo_in_freeze": "`p.requires_grad = False`",
    "second/85_index_is_a_whole_number": "an index has no slope",
    "third/04_adam_rate_ten": "moves each weight by about its rate",
    "third/05_parameter_of_a_product": "makes a new leaf",
    "third/06_std_of_one_sample": "divides by `xb.std(0)`",
    "third/07_clip_after_step": "has used the gradients before",
    "third/09_same_layer_three_times": "`[nn.Linear(6, 6) for _ in range(3)]`",
    "third/10_loss_of_the_last_batch": "only the last batch's loss",
    "third/12_huge_initial_weights": "Initialise `layer.bias` with smaller numbers",
    "third/14_manual_update_never_cleared": "Write `p.grad = None`",
    "third/23_labels_from_one": "write `y - 1`",
    "third/24_unused_branch": "`self.aux = nn.Linear(4, 1)` (line 17",
    "third/28_zero_grad_of_the_wrong_optimizer": "Call `opt_g.zero_grad()`",
    "fourth/04_cost_and_loss_mixed_up": "Write `cost.backward()`",
    "fourth/05_layers_bypassed_by_a_typo": "nothing reads the result",
    "fourth/06_triplet_with_the_same_image_twice": "gives `tower(p)` as the negative",
    "fourth/07_vae_with_the_wrong_sign_of_kl": "Add it: `+ kl`",
    "fourth/08_sampling_with_torch_normal": "mean + std * torch.randn_like(std)",
    "fourth/09_optimizer_of_generator_holds_discriminator": "`gen` never changes",
    "fourth/10_generator_wants_to_be_caught": "learns to be recognized",
    "fourth/12_attention_normalised_over_the_queries": "Write `dim=-1` there",
    "fourth/13_lbfgs_closure_without_backward": "Write `loss.backward()` before its return",
    "fourth/15_plateau_scheduler_in_mode_max": 'Write `mode="min"` there',
    "fourth/16_optimizer_made_in_each_iteration": "makes a new optimizer in each iteration",
    "fourth/17_weights_initialised_in_each_epoch": "Move that line before the loop",
    "fourth/21_layer_made_in_forward": "makes new weights in each call of `net`",
    "fourth/22_learnable_scale_as_a_buffer": "It is a buffer",
    "fourth/23_only_the_variable_lr_is_lowered": '`opt.param_groups[0]["lr"] = lr`',
    "fourth/24_generator_of_parameters_used_up": "`params = list(net.parameters())`",
    "fourth/25_wrong_variable_in_the_batch_loop": "no line of the loop reads `xb`",
    "fourth/26_batches_of_one_class_each": "Write `shuffle=True` there",
    "fourth/27_kl_div_arguments_swapped": "`F.kl_div(logp, soft, reduction='batchmean')`",
    "fourth/28_cosine_loss_with_labels_zero_and_one": "Write `same = 2 * same - 1`",
    "fourth/29_hinge_loss_with_zero_and_one": "Write `t = 2 * t - 1`",
    "fourth/30_relu_rnn_explodes": "W multiplies the state 200 times",
    "fourth/32_std_of_equal_outputs": "Keep zero out of the root",
    "fourth/34_fractional_power_of_a_negative": "A negative number has no power with a fraction",
    "fourth/35_poisson_rate_overflows": "Limit what the exponential gets",
    "fourth/36_dqn_target_is_the_prediction": "gives one tensor two names",
    "fourth/38_penalty_of_the_data": "It was cut off from its history",
    "fourth/39_lbfgs_prediction_outside_the_closure": "Move that line into `closure`",
    "fourth/41_only_h_is_detached": "`c = c.detach()`",
    "fourth/47_hypernetwork_through_load_state_dict": "copies the numbers of made",
    "fourth/49_criterion_built_with_the_tensors": "`nn.MSELoss()(pred, y)`",
    "fourth/52_derivative_with_respect_to_a_slice": "t was cut out of xt",
    "fourth/55_state_dict_to_the_optimizer": "Write `net.parameters()`",
    "fourth/56_features_under_inference_mode": "It was made in `feats = backbone(x)`",
    "fourth/58_sum_of_a_softmax": "of all probabilities of a softmax",
    "fourth/60_retain_grad_after_backward": "Call h.retain_grad() before backward()",
    "fourth/65_threshold_by_comparison": "`x > threshold` is a comparison",
    "fourth/66_sample_in_place_of_rsample": "Write `.rsample()` there",
    "fourth/67_float64_from_numpy": "Write `x = x.float()`",
    "fifth/a02_logsoftmax_over_batch": "`return F.log_softmax(self.out(h), dim=0)`",
    "fifth/a03_head_replaced_after_optimizer": "after `model.fc = nn.Linear(16, 2)`",
    "fifth/a04_labels_shuffled_apart": "shuffles `x`, and `y` does not get the same order",
    "fifth/a05_zero_grad_before_step": "Move `self.optimizer.zero_grad()` before",
    "fifth/a06_reinforce_without_minus": "`-(dist.log_prob(actions) * rewards)`",
    "fifth/a07_generator_step_on_detached_fake": "`opt_g` holds `G.0.weight`",
    "fifth/a13_losses_into_new_tensor": "`torch.stack(losses)`",
    "fifth/a14_triplet_arguments_swapped": "Write `emb(positive), emb(negative)`",
    "fifth/a15_ema_in_the_wrong_direction": "writes the weights of `ema` into `net`",
    "fifth/a16_hwc_view": "`images.permute(0, 3, 1, 2)`",
    "fifth/e05_fully_masked_row": "Where a mask hides a complete row",
    "fifth/e10_custom_backward_ignores_grad_output": "`return grad_output * 2 * x`",
    "fifth/e13_numpy_round_trip": "`torch.clip(h, -1, 1)`",
    "sixth/b01_advantage_broadcast": "every sample is multiplied with the number of every other",
    "sixth/b06_optimizer_of_the_target_network": "does not hold. Write `optimizer = ",
    "sixth/b09_padding_mask_inverted": "Write `tokens == 0`",
    "sixth/b10_logits_viewed_for_sequence_loss": "`logits.permute(0, 2, 1)`",
    "sixth/b14_kl_sign": "Put a minus before that term",
    "sixth/f07_flatten_missing": "Write `self.fc(x.flatten(1))`",
    "sixth/f12_super_init_forgotten": "as the first line of `Model.__init__`",
    "sixth/f14_lstm_tuple": "`model[0]` (LSTM) returns a tuple",
    "sixth/f15_embedding_too_small": "Make it `nn.Embedding(21, 8)`",
    "sixth/f17_last_batch_of_one": "batch_size=16, drop_last=True)`",
    "seventh/s04_never_back_to_train_mode": "switched on in `model.eval()`",
    "seventh/s08_policy_loss_without_minus": "`-(dist.log_prob(a) * (r - r.mean()))`",
    "seventh/s10_sample_in_the_variational_encoder": "Write `dist.rsample()`",
    "seventh/s14_missing_causal_mask": "each place sees the word that it is to predict",
    "seventh/s21_inputs_not_scaled": "Scale it: `X = (X - X.mean(0)) / X.std(0)`",
    "seventh/s22_constant_initialisation": "units of `xor_net.0.weight` have the same weights",
    "seventh/s23_pretrained_embedding_stays_frozen": "Write `freeze=False` in that call",
    "seventh/s24_advantage_moves_the_critic": "Call `.detach()` on the advantages",
    "seventh/s28_kl_div_of_probabilities": "Write `F.log_softmax(student(x) / T, dim=1)`",
    "seventh/s33_ignored_index_is_a_class": "leaves out the label 0 by its `ignore_index`",
    "seventh/s34_plain_tensors_for_parameters": "Make each an `nn.Parameter`",
    "seventh/e06_weight_bound_to_a_result": "Then write `w.grad = b.grad = None`",
    "seventh/e12_hook_replaces_the_output": "Let it return nothing: write `def hook(m, i, o): ",
    "seventh/e20_stale_prediction_of_the_discriminator": "Call the model again after that step",
    "seventh/e22_mask_for_each_batch": "`mask.repeat_interleave(4, 0)`",
    "seventh/e23_state_for_a_full_batch": "batch_size=16, drop_last=True)`",
    "seventh/e28_odd_size_and_skip_connection": "interpolate(self.up(m), size=s.shape[2:])`",
}
"""Programs whose answer was wrong in the first run, and what it says now."""


def parameters(names: dict[str, str]) -> list[Any]:
    return [pytest.param(name, id=name) for name in names]


@pytest.mark.parametrize("name", drawn("PROOFS", "mended", parameters(MENDED)))
def test_mended_answer_is_same_in_both_libraries(name: str, tmp_path: Path, pytorch: Any) -> None:
    program = find(name)
    mine, other = (ask_explain(program, library, tmp_path) for library in LIBRARIES)
    assert mine and other and MENDED[name] in mine.text, mine
    assert mine == other and "Leave" not in mine.text.partition("number to read")[2]


def find(name: str) -> Headed:
    part, _, stem = name.partition("/")
    return next(each for each in programs(part) if each.name == stem)


DIAGNOSED = {
    "second/06_gamma_zero_schedule": "factor_zero",
    "second/12_relu_on_the_output": "limited_output",
    "second/16_shuffled_apart": "shuffled_apart",
    "second/30_best_weights_loaded_each_time": "loaded_each_time",
    "second/31_tokens_cut_to_zero": "fractions_cut_off",
    "second/32_integer_division_of_pixels": "fractions_cut_off",
    "second/51_batch_first_forgotten": "batch_for_time",
    "second/52_view_in_place_of_permute": "mixed_axes",
    "second/47_advantage_of_one": "centred",
    "second/55_hook_left_from_debugging": "zero_backward",
    "second/56_straight_through_written_wrong": "zero_backward",
    "third/04_adam_rate_ten": "large_steps",
    "third/07_clip_after_step": "misplaced_clip",
    "third/09_same_layer_three_times": "shared_layers",
    "third/10_loss_of_the_last_batch": "last_batch_only",
    "fourth/01_relu_on_the_class_scores": "flat_output",
    "fourth/04_cost_and_loss_mixed_up": "unlinked_loss",
    "fourth/05_layers_bypassed_by_a_typo": "thrown_away",
    "fourth/06_triplet_with_the_same_image_twice": "same_pair",
    "fourth/07_vae_with_the_wrong_sign_of_kl": "divergence_sign",
    "fourth/08_sampling_with_torch_normal": "drawn_between",
    "fourth/09_optimizer_of_generator_holds_discriminator": "held_twice",
    "fourth/10_generator_wants_to_be_caught": "generator_label",
    "fourth/12_attention_normalised_over_the_queries": "attention_dimension",
    "fourth/13_lbfgs_closure_without_backward": "closure_without_pass",
    "fourth/14_lbfgs_closure_never_clears": "closure_not_cleared",
    "fourth/15_plateau_scheduler_in_mode_max": "plateau_mode",
    "fourth/16_optimizer_made_in_each_iteration": "optimizer_each_time",
    "fourth/17_weights_initialised_in_each_epoch": "weights_made_anew",
    "fourth/21_layer_made_in_forward": "layer_in_forward",
    "fourth/23_only_the_variable_lr_is_lowered": "rate_variable",
    "fourth/24_generator_of_parameters_used_up": "used_up_parameters",
    "fourth/25_wrong_variable_in_the_batch_loop": "unused_batch",
    "fourth/26_batches_of_one_class_each": "sorted_labels",
    "fourth/27_kl_div_arguments_swapped": "kl_swapped",
    "fourth/28_cosine_loss_with_labels_zero_and_one": "label_signs",
    "fourth/29_hinge_loss_with_zero_and_one": "label_signs",
    "fourth/36_dqn_target_is_the_prediction": "loss_of_itself",
    "fourth/38_penalty_of_the_data": "constant_penalty",
    "fifth/a04_labels_shuffled_apart": "shuffled_apart",
    "fifth/a06_reinforce_without_minus": "policy_sign",
    "fifth/a13_losses_into_new_tensor": "copied_losses",
    "fifth/a14_triplet_arguments_swapped": "triplet_swapped",
    "fifth/a15_ema_in_the_wrong_direction": "written_back",
    "fifth/a16_hwc_view": "mixed_axes",
    "fifth/e15_saturated_sigmoid": "dead_units",
    "sixth/b01_advantage_broadcast": "broadcast_product",
    "sixth/b06_optimizer_of_the_target_network": "other_tensors",
    "sixth/b09_padding_mask_inverted": "mask_inverted",
    "sixth/b10_logits_viewed_for_sequence_loss": "mixed_axes",
    "sixth/b11_seed_inside_the_loop": "seed_in_loop",
    "sixth/b12_no_activation": "no_activation",
    "sixth/b13_zero_grad_in_the_accumulation": "cleared_batches",
    "sixth/b14_kl_sign": "divergence_sign",
    "seventh/s08_policy_loss_without_minus": "policy_sign",
    "seventh/s10_sample_in_the_variational_encoder": "cut_sample",
    "seventh/s14_missing_causal_mask": "unmasked_future",
    "seventh/s23_pretrained_embedding_stays_frozen": "frozen_table",
    "seventh/s24_advantage_moves_the_critic": "attached_advantage",
    "seventh/s28_kl_div_of_probabilities": "kl_of_probabilities",
    "seventh/s33_ignored_index_is_a_class": "ignored_class",
}
"""Programs that `diagnose` called healthy in the first run, or of which it named no cause."""


@pytest.mark.parametrize("name", drawn("PROOFS", "diagnosed", parameters(DIAGNOSED)))
def test_mended_report_names_the_cause(name: str, tmp_path: Path) -> None:
    answer = ask_diagnose(find(name), "minigrad", tmp_path)
    assert answer and answer.causes == (DIAGNOSED[name],), answer


def test_hook_of_zero_is_no_saturation(tmp_path: Path) -> None:
    answer = ask_explain(find("second/55_hook_left_from_debugging"), "minigrad", tmp_path)
    assert answer and "saturated" not in answer.text


@pytest.mark.parametrize("name", ["13_lbfgs", "14_lbfgs_with_a_line_search"])
def test_loss_of_closure_was_used_well(name: str, tmp_path: Path) -> None:
    answer = ask_explain(find(f"fourth/{name}"), "minigrad", tmp_path)
    assert answer and answer.causes == ("finished",), answer

"""Everything that is said in Chinese: the same keys as in english.py, with the same places."""

from __future__ import annotations

from .language import Sentences

CHINESE: Sentences = {
    "picture": {
        "scalar": "标量",
        "freed": "已释放",
        "changed": "已被修改",
        "packed": "已由钩子打包",
        "input": "输入",
        "lost": "未保留",
        "nodes": "{count} 个节点",
        # Names of unnamed things.
        "leaf": "叶子 {number}",
        "result": "结果",
        "results": "结果 {number}",
        # A tree.
        "saved": "保存：{tensors}",
        "in_state": "{tensor}（{state}）",
        "comma": "、",
        "above": "（{node}，见上文）",
        "below": "（{node}，续在下文）",
        "continued": "{node} 续：",
        "same": "（{node}）",
        # Other facts about a node.
        "requires": "需要梯度",
        "requires_not": "不需要梯度",
        "version": "被就地修改过 {count} 次",
        "version_once": "被就地修改过一次",
        "holds": "值：{numbers}",
        "grad": ".grad：{numbers}",
        "hook": "钩子：{hook}",
        "module": "模块：{module}",
        "line": "第 {number} 行：{text}",
        "numbers": "范数 {norm}，从 {minimum} 到 {maximum}",
        "numbers_not_finite": "范数 {norm}，从 {minimum} 到 {maximum}，{nonfinite} 个非有限值",
        # A drawing.
        "picture": "{root} 的计算图",
        "more": "……还有 {count} 行：print(viz.draw(t)) 会全部写出",
        # Its legend.
        "key_root": "结果",
        "key_operation": "运算",
        "key_tensor": "张量",
        "key_function": "反向节点",
        "key_saved": "保存的张量",
        "key_freed": "已释放",
        "key_leaf": "叶子节点",
        "key_cluster": "含多个节点的框",
        "iteration": "第 {number} 轮",
        "whole": "整张图",
        "no_picture": "没有图：{error}。",
        "as_dot": "没有图：{error}。用 DOT 文本表示的计算图：",
        # A pass as a program.
        "program": "{roots} 的反向传播。",
        "program_whole": "{roots} 的反向传播，已全部写出。",
        "program_call": "只是调用、没有写出的：{nodes}。",
        "program_pass": "自己又开始一次反向传播、没有写出的：{nodes}。",
        "program_post_accumulate": "其后还有一个钩子、此处略去的：{nodes}。",
        "program_hook": "直接取自这次反向传播的，是出入这些节点的梯度：{nodes}。",
        "program_given": "前向传播留下的：",
        "program_node": "{node}，第 {number} 行：{text}",
    },
    "step": {
        # Nudges.
        "nudge_said": (
            "{leaf} 被推动 {push}：梯度承诺 {promise}，结果实际移动 {truth}，余下 {rest}。"
        ),
        "nudge_in_function": (
            "程序无法重新运行：结果是在函数 {function} 中计算的。"
            "请把一个没有参数的函数而不是张量交给 step。"
        ),
        "nudge_in_block": (
            "程序无法重新运行，因为 step 是在循环或别的代码块里调用的。"
            "请把一个没有参数的函数而不是张量交给 step。"
        ),
        "nudge_no_text": (
            "程序无法重新运行，因为不知道它的文本。请把一个没有参数的函数而不是张量交给 step。"
        ),
        "nudge_impure": (
            "程序不会重新运行，因为第 {line} 行 `{code}` 会再次改变某些东西。"
            "请把一个没有参数的函数而不是张量交给 step。"
        ),
        "nudge_made_within": "{leaf} 在函数每次运行时重新创建，因此无法推动它。请在函数外创建它。",
        "nudge_made_elsewhere": (
            "重新运行的程序并没有用 {leaf} 计算结果。请把一个没有参数的函数而不是张量交给 step。"
        ),
        "nudge_other_result": "重新运行时，程序给出 {now} 而不再是 {then}，因此推动说明不了什么。",
        "nudge_no_gradient": "这次传播没有给 {leaf} 梯度；得到梯度的是 {known}。",
        "nudge_no_place": "{leaf} 有 {count} 个数，第 {place} 个位置上没有数。",
        "nudge_large_leaf": "{leaf} 太大：记录中只保留了它的概要。",
        "nudge_large_result": "结果太大：记录中只保留了它的概要。",
        # One event each.
        "forward": "{operation} 取用 {inputs}。",
        "result": "它算出 {results}，并在图中留下 {node}。",
        "seed": "backward() 从 {root} 开始：它对自身的梯度是 {gradient}，交给 {node}。",
        "start": "{node} 开始运行：用到其结果的节点都已送来梯度，合计为 {incoming}。",
        "start_saved": (
            "{node} 开始运行：用到其结果的节点都已送来梯度，合计为 {incoming}。"
            "它读取前向传播时保存的 {saved}。"
        ),
        "own_start": "{node} 收到 {incoming}，开始运行。",
        "own_start_saved": "{node} 收到 {incoming}，开始运行。它保存着 {saved}。",
        "own_first": "{added} 交给 {target}，那里没有等待的梯度。",
        "start_leaf": "{node} 开始运行，收到 {leaf} 的梯度 {incoming}。",
        "formula": "按公式算出：{outgoing}。",
        "reduce": "输入 {index} 在前向时被广播，因此它的梯度由 {before} 求和为 {after}。",
        "first": "{added} 交给 {target}，是最先到达的梯度。",
        "sum": "{added} 交给 {target}，与等在那里的 {before} 相加，得 {after}。",
        "no_sum": "{added} 交给 {target}，那里等着 {before}；此后那里是 {after}。",
        "leaf_first": "{leaf}.grad 原为 None，现在是 {after}。",
        "leaf_sum": "{leaf}.grad 原为 {before}，加上 {added} 后为 {after}。",
        "leaf_no_sum": "{leaf}.grad 原为 {before}；{added} 到达之后，它是 {after}。",
        "hook": "钩子运行（{hook}）：{before} 变为 {after}。",
        "hook_same": "钩子运行（{hook}），梯度不变。",
        "hook_leaf": ".grad 已写入，钩子运行（{hook}）。",
        "hook_leaf_changed": (
            ".grad 已写入，钩子运行（{hook}）：.grad 原为 {before}，现在是 {after}。"
        ),
        "retain_grad": "由于调用过 retain_grad()，梯度 {after} 被保存到 .grad。",
        "free": "{node} 释放所保存的 {names}，之后不能再运行。",
        "error": "{node} 出错：{message}",
        "error_hook": "{node} 调用的钩子（{hook}）出错：{message}",
        # Parts of the sentences above.
        "for_input": "输入 {index} 的梯度为 {value}",
        "nothing_for_input": "输入 {index} 不需要梯度",
        "saved_as": "{name} = {value}（版本 {version}）",
        "saved_changed": "{name} = {value}（保存时为版本 {expected}，现为版本 {version}）",
        "saved_packed": "{name}（已由钩子打包，没有看到其中的数）",
        "nothing": "无",
        "with_norm": "{shape}（范数 {norm}）",
        "without_numbers": "{shape}（没有数值）",
        "none_finite": "没有有限值",
        "accumulate_of": "{leaf} 的 {name}",
        "seed_title": "种子",
        "seed_again": "第 {number} 次的种子",
        "cell": "单元格 {number}",
        # A program that was handed over as text.
        "stands_in": "浏览器里没有 PyTorch，由 minigrad 代替：数值、名称和报错都一样。",
        "first_of": "共 {count} 次反向传播，这是第一次：",
        "comma": "，",
        "list_comma": "、",
        "as_text": "步骤的文字形式",
        # The left column of the text form.
        "heading": "从 {root} 反向传播：共 {turns} 步",
        "rehearsal": "这是一次预演：.grad 仍与之前相同。",
        "more": "……还有 {count} 步",
        "without_lines": (
            "想看到 PyTorch 计算图的代码，请在 `with viz.watch():` 中计算，"
            "或者把函数交给 `viz.step`。"
        ),
        "heading_both": "正向算出 {root}，再从它反向传播：共 {turns} 步",
        "label_inputs": "取用",
        "label_results": "得到",
        "label_hook": "钩子",
        "label_incoming": "传入",
        "label_saved": "读取",
        "label_held": "其中",
        "label_outgoing": "算出",
        "label_reduce": "求和",
        "label_accumulate": "交出",
        "differ": "从第 {number} 步起，两者不同。",
        "differ_nowhere": "两者每一步都相同。",
        "pair_title": "“{title}”",
        "pair_semicolon": "；",
        "pair_more": "另有 {count} 项",
        "pair_node": "{node}（第 {number} 行：`{text}`）",
        "pair_alike": "两个图的运算相同（{count} 个），连接方式也相同。",
        "pair_joined": "两个图的运算相同，但连接方式不同。",
        "pair_only": "只在{title}里有：{nodes}。",
        "pair_counts": (
            "{node}：{title}里有 {one} 个，{other}里有 {second} 个。无法确定哪个对应哪个。"
        ),
        "pair_counted": (
            "{node}：{title}里有 {one} 个，{other}里有 {second} 个。从结果数起，逐个对照。"
        ),
        "pair_leaf_only": "只有在{title}里，梯度才能传到 {leaves}。",
        "pair_ends": (
            "{node}：输入 {slot} 的梯度在{title}里继续传给 {target}，在{other}里不再往下传。"
        ),
        "pair_leads": (
            "{node}：输入 {slot} 的梯度在{title}里传给 {target}，在{other}里传给 {second}。"
        ),
        "pair_more_joints": "另有 {count} 个输入，梯度的去向也不同。",
        "pair_more_leaves": "另有 {count} 个叶子节点也是如此。",
        "pair_value": "{name} 在{title}里是 {one}，在{other}里是 {second}。",
        "pair_before": "反向传播之前，{name}.grad 在{title}里是 {one}，在{other}里是 {second}。",
        "pair_after": "反向传播之后，{name}.grad 在{title}里是 {one}，在{other}里是 {second}。",
        "pair_grads_same": "反向传播之后，两者共有的叶子节点的 .grad 都相同。",
        "pair_row_one": "{step}：只在{title}里有",
        "pair_row_other": "{one} | {second}",
        "pair_row_unsure": "两者都有这样的步骤，但数目不同：无法确定哪个对应哪个",
        "pair_no_step": "此处无步骤",
        "pair_over": "已结束",
        "pair_row_same": "两者相同",
        "pair_keeps": "{title}释放了保存的张量；{other}仍保留着。",
        "pair_fails": "{title}在它的第 {number} 步出错：{message}",
        "pair_large": "元素多于 {count} 个的张量，只比较了形状、范数、最小值和最大值。",
        "not_added": "{before}，{added} 到达 -> {after}",
        "label_free": "释放",
        "label_reason": "原因",
        "label_error": "出错",
    },
    "explain": {
        # --- .grad is there
        "has_grad": "{t}.grad 是 {value}：它是历次反向传播带给 {t} 的梯度之和。",
        "zero_grad": "{t}.grad 存在，但全为零：梯度已经到达，只是 {t} 的变化不会改变结果。",
        "hooked": "{t} 上有钩子（{hook}），它先看到梯度，也可能换掉了它。",
        # --- .grad is None
        "not_floating": (
            "{t}.grad 是 None，因为 {t} 的元素类型是 {dtype}：只有浮点张量才能有梯度。"
        ),
        "cure_not_floating": "先用 {t}.float() 转换，再要求梯度。",
        "computed_of_integers": (
            "它由整数 {names} 算出{where}：请在那里写成浮点数（1.0，而不是 1），或者先用 .float() "
            "转换。"
        ),
        "cure_not_floating_either": (
            "如果 {t} 是数据，就先用 {t}.float() 转换，再要求梯度。如果它由要求梯度的张量算出，历史"
            "已经在途中结束：下标、比较和转换成的整数都没有历史。"
        ),
        "not_leaf": (
            "{t}.grad 是 None，因为 {t} 不是叶子节点：它由 {node} 产生{where}。反向传播时梯度会经"
            "过它，但不保存在它的 .grad 里。"
        ),
        "not_walked": "没有反向传播从 {t}{where}开始：它只用来衡量，权重的更新依据的是另一个损失。",
        "cure_not_leaf": "想看它的梯度，请在 backward() 之前调用 {t}.retain_grad()。",
        "meant_as_leaf": (
            "如果 {t} 本来要当作权重，就先算出它的数，最后再调用 {t}.requires_grad_()：现在得到梯"
            "度的，是算出它的那个没有名字的叶子节点。"
        ),
        "retained": "{t}.grad 是 None，因为调用 {t}.retain_grad() 之后，还没有反向传播经过 {t}。",
        "cure_retained": "请在 backward() 之前调用 {t}.retain_grad()；它现在在{line}。",
        "cut_out_of": (
            "{t} 是从 {source} 切出来的{where}，而 {root} 由 {source} 本身算出，与 {t} 无关。"
        ),
        "cure_cut_out_of": "请对 {source} 求梯度再取出那一部分，或者用 {t} 来计算 {root}。",
        "fault_state": (
            "{t} 与状态相乘了 {count} 次{where}，没有任何东西限制它，所以数值一步步变大直至溢出。"
        ),
        "cure_nan_state": ("请用较小的初始 {t}（例如单位矩阵），用 tanh() 限制状态，或使用 LSTM。"),
        "cure_nan_pow": ("负数没有分数次幂：请让底数大于 0，例如 `x.clamp(min=1e-6)`。"),
        "not_required": "{t}.grad 是 None，因为 {t} 不要求梯度。",
        "inference": "它是在 inference_mode 下产生的，自动微分不再处理这样的结果。",
        "made_in_block": (
            "它产生时没有被记录{where}，因为处在 `{block}` 之中。若要让梯度通过，就把这一行移出来。"
        ),
        "cut_off": (
            "它与 {other} 共用同一份数，却没有历史：它是被截断出来的{where}。梯度不会从 {t} 传到 "
            "{other}；需要梯度的地方请直接用 {other}。"
        ),
        "cut_in_line": "它的历史被截断了{where}。",
        "made_plain": (
            "它产生时没有写 requires_grad=True{where}。请在使用之前调用 {t}.requires_grad_()。"
        ),
        "made_unrecorded": (
            "计算它的时候什么也没有记录{where}：当时它的输入都不要求梯度，或者记录是关着的。"
        ),
        "computed_somehow": "它是一次没有被记录的计算的结果{where}。",
        "made_somehow": (
            "它产生时没有写 requires_grad=True，或者输入都不要求梯度，或者处在 no_grad 之中，"
            "或者来自 detach()。请在使用之前调用 {t}.requires_grad_()。"
        ),
        "not_called": (
            "{t}.grad 是 None，因为还没有调用 backward()：{root} 由 {t} 算出，它的计算图还没有用过"
            "。请调用 {root}.backward()。"
        ),
        "by_grad": (
            "{t}.grad 是 None，因为 {line}调用的是 autograd.grad()，它把梯度返回，而不存进 .grad。"
            "请从返回值中取梯度，或者改为调用 {root}.backward()。"
        ),
        "taken_away": (
            "已经有一次反向传播从 {root} 走到 {t}，{t}.grad 却是 None：要么后来又被清掉了{where}，"
            "要么用的是 autograd.grad()，它把梯度返回，而不存下来。"
        ),
        "not_called_or_taken": (
            "{root} 通向 {t}，{t}.grad 却是 None：要么还没有调用 backward()，"
            "要么后来又被清掉了{where}，要么用的是不存梯度的 autograd.grad()。"
            "（这些运算什么也不保存，看不出是哪一种。）"
        ),
        "walked_elsewhere": (
            "{t}.grad 是 None，因为没有从 {root}（它通向 {t}）出发的反向传播：{line}从别的结果"
            "出发。"
        ),
        "cure_walked_elsewhere": (
            "请把 {root} 加到 `{start}` 里（它由{made}得到），或者调用 {root}.backward()。"
        ),
        "returned_none": (
            "另一个可疑之处是途中你自己写的 {node}{where}：如果它的 backward 对这个输入返回 None，"
            "就什么也不会到达。"
        ),
        "always_returned_none": (
            "反向传播已经走过 {root}，{t}.grad 却是 None：通向 {t} 的路都要经过你自己写的 "
            "{node}{where}，它的 backward 对这个输入返回了 None（也可能 {t}.grad 后来又被清掉了，"
            "或者用的是 autograd.grad()）。"
        ),
        "not_reached": "{t}.grad 是 None，因为从 {root} 反向传播到不了 {t}。",
        "rebound": (
            "{line}计算 {root} 时，{t} 是另一个张量；此后 {since}把这个名字给了新的张量。"
            "请重新计算 {root}。"
        ),
        "cut_at": (
            "图在 {cut} 处断开，{node} 把它当作常数{where}：{cut} 与由 {t} 算出的 {other} "
            "共用同一份数，却没有历史。"
        ),
        "cut_at_itself": (
            "图在 {cut} 处断开，{node} 把它当作常数{where}：{cut} 与 {t} 共用同一份数，却没有历史。"
        ),
        "lost_at": "途中 {other} 失去了历史{where}。",
        "never_used": (
            "{t}.grad 是 None，因为在记录打开时，没有任何有名字的结果是由 {t} 算出的。请先用 {t} "
            "做计算，再对结果调用 backward()。"
        ),
        "features_then": "相应的特征数",
        "features_in": " {count} 个输入特征",
        "cleared_since": (
            "{t}.grad 是 None，因为最后一次反向传播之后，{line}把它清掉了，此后没有再做反向传播。"
        ),
        "cure_cleared_since": "要看梯度，请在 backward() 与这一行之间查看。",
        "used_without_history": "{t}.grad 是 None，因为由 {t} 算出的 {other} 没有历史{where}。",
        "used_in_block": "这一行处在 `{block}` 之中，不会被记录。",
        "used_leaf": "那一行用这些数值创建了新的叶子节点，它没有历史。",
        "cure_used_leaf": "请只用数值创建权重，并在每次前向传播中计算这个乘积。",
        "used_cut": "这一行经过 detach()、.data 或 Python 的数，离开了图。",
        "used_before": "运行这一行时 {t} 还不要求梯度，所以什么也没有记录。请现在重新运行它。",
        # --- backward fails
        "in_place": (
            "不能从 {root} 反向传播：{node} 保存了 {saved}{where}，反向传播要用它，可它后来被就地"
            "修改了（保存时是版本 {expected}，现在是版本 {version}）。"
        ),
        "in_place_unseen": (
            "反向传播无法运行：某个运算保存了 {saved}，可它后来被就地修改了"
            "（保存时是版本 {expected}，现在是版本 {version}）。"
        ),
        "changed_by": (
            "修改它的是 {line}。请改为修改它的副本 clone()，或者等 backward() 之后再修改。"
        ),
        "changed_by_out_of_place": (
            "修改它的是 {line}。请写成 `{instead}`，它会产生一个新的张量。"
        ),
        "changed_by_one_of": (
            "修改它的是这些行：{lines}。请改为修改它的副本 clone()，或者等 backward() 之后再修改。"
        ),
        "changed_by_parts": "改动它的是 {lines}。请在它们之前写 `{name} = {name}.clone()`。",
        "changed_somewhere": (
            "请找一找是哪一行修改了它，或修改了与它共用内存的张量：`x[0] = ...`、`x += ...`、名字"
            "以 _ 结尾的方法、优化器的 step()。请改为修改副本 clone()，或者等 backward() 之后再修"
            "改。"
        ),
        "freed": (
            "不能再次从 {root} 反向传播：前一次反向传播已走过它的图，{node} 已释放 {saved}{where}。"
        ),
        "cure_freed": "请重新计算 {root}，或者在前一次调用 backward(retain_graph=True)。",
        "cure_freed_anew": "请在每次 backward() 之前重新计算 {root}。",
        "freed_shared": (
            "不能从 {root} 反向传播：它与 {other} 共用 {node}{where}，"
            "而从那里开始的反向传播已让它释放 {saved}。"
        ),
        "cure_freed_shared": (
            "把两个结果加起来，只调用一次 backward()；"
            "或者在第一次用 retain_graph=True；如果它是前一步留下的状态，就先 detach()。"
        ),
        "cure_freed_adversary": (
            "为 {other} 更新参数的 `{opt}` 不持有 {t} 背后的任何参数，所以 {other} 不需要它的历史："
            "请写 `{instead}`。"
        ),
        "cure_freed_once": (
            "把两个结果加起来，在更新之前只调用一次 backward()；"
            "如果它是前一步留下的状态，就先 detach()。"
        ),
        "freed_part": (
            "不能从 {root} 反向传播：它的图有一部分已被前一次反向传播走过，{node} 已释放 "
            "{saved}{where}。"
        ),
        "not_scalar": (
            "不带参数的 backward() 只能从一个数（标量）开始，而 {root} 的形状是 {shape}。请先把它"
            "变成一个数，例如 {one}；或者用 gradient= 给出每个元素的权重。"
        ),
        "no_graph": "不能从 {root} 反向传播，因为它没有历史（没有 grad_fn）。",
        # --- Where a history ended
        "root_not_floating": (
            "它的元素类型是 {dtype}，而只有浮点张量才有历史。请从浮点数的损失开始。"
        ),
        "ended_somewhere": (
            "要么算出它的一切都不要求梯度，要么历史在途中被截断：detach()、.data、item()、NumPy、"
            "tensor()、下标、比较、转换为整数，或者某一行处在 no_grad 之中。要找到这个地方，"
            "就从权重开始，在每一行之后打印 requires_grad。"
        ),
        "cut_detach": ("历史在 {line}被截断：`{what}` 有 `{other}` 的数，却没有它的历史。"),
        "cure_cut_detach": "如果要让梯度通过，就去掉这里的 .detach()。",
        "cure_cut_detach_used": (
            "`{name}` 此前已被另一次反向传播使用。请保留这一行，"
            "在{use}里把 `{name}` 写成 `{other}`。"
        ),
        "cut_data": "历史在 {line}被截断：`{what}` 只是数，没有历史。",
        "cure_cut_data": "如果要让梯度通过，就去掉这里的 .data。",
        "cut_detach_": "历史在 {line}被截断：`{what}` 去掉了 {other} 自己的历史。",
        "cut_sample": "它的历史在{line}被截断：`{what}` 抽取随机数，没有历史。",
        "cure_cut_sample": (
            "请在那里写 `.rsample()`，它保留历史；或者使用所抽样本的对数概率 `log_prob()`。"
        ),
        "cure_cut_detach_": "如果要让梯度通过，就去掉这里的 .detach_()。",
        "asked_late": "{line}在{asked}之前就用了 {t}：那时没有为 {t} 记录任何东西。",
        "cure_asked_late": "请在那一行之前调用 {t}.requires_grad_()。",
        "cut_index": "它的历史终止于{line}：{what} 得到的是整数，而索引没有斜率。",
        "cure_cut_index": (
            "梯度不能通过索引：请像插值那样，按各元素到 `{other}` 的距离加权求和，以此代替索引。"
        ),
        "cut_number": "历史在 {line}被截断：{what} 给出 Python 的数，而它们没有历史。",
        "cure_cut_number": (
            "请去掉这里的 {what}，直接用张量计算；几个张量用 {library}.stack() 合在一起，因为 "
            "{library}.tensor() 只复制数值。"
        ),
        "cure_update": (
            "如果是更新，就在 no_grad 下就地改变 {t} 本身：{instead}；或者对新的张量"
            "调用 requires_grad_()。"
        ),
        "cure_cut_math": "请在那里用 `{instead}`，它用张量计算。",
        "cut_numpy": "历史在 {line}被截断：`{what}` 把数交给 NumPy，而 NumPy 什么也不记录。",
        "cure_cut_numpy": "请改用 {library} 自己的运算来处理 `{other}`。",
        "cure_cut_numpy_by": "请改用 {library} 自己的运算：`{library}.{instead}`。",
        "cut_copied": "历史在 {line}被截断：`{what}` 只复制数值，不带历史。",
        "cure_cut_copied": "请直接使用这些张量；几个张量用 {library}.stack() 合在一起。",
        "cut_indices": (
            "历史在 {line}结束：`{what}` 给出的是下标，下标只会跳变，没有导数，所以没有历史。"
        ),
        "cure_cut_indices": (
            "梯度无法通过这一步，所以损失要由 `{other}` 本身算出（交叉熵就是这样），"
            "或者由它的 softmax 算出。"
        ),
        "cure_cut_indices_scores": (
            "梯度无法通过这一步：请把 softmax 之前的分数 `{scores}` 交给交叉熵，目标用整数。"
        ),
        "cut_comparison": "历史在 {line}结束：`{what}` 是比较，真与假没有导数，所以没有历史。",
        "cure_cut_comparison": (
            "梯度无法通过这一步，所以损失要由 `{other}` 本身算出，或者由平滑的函数"
            "（例如它的 sigmoid）算出。"
        ),
        "cut_cast": "历史在 {line}结束：`{what}` 得到整数，整数没有导数，所以没有历史。",
        "cure_cut_cast": "梯度无法通过这一步，所以损失要由 `{other}` 本身算出。",
        "in_block": "历史在 {line}结束：这一行处在 `{block}` 之中，什么也不会记录。",
        "cure_other_case": "`{name}` 在那里是 {value}：请写 `{cure}`。",
        "cure_in_block": "如果要让梯度通过，就把这一行移出来。",
        "decorated": ("历史在 {line}结束：这个函数带有 {mode}，其中什么也不会记录。"),
        "cure_decorated": "如果要让梯度通过这个函数，就去掉这个装饰器。",
        "switched": "{line}关掉了记录，此后什么也没有记录。",
        "cure_switched": (
            "请用 {library}.set_grad_enabled(True) 重新打开，或者改写成会自行结束的 "
            "`with {library}.no_grad():`。"
        ),
        "new_weight": ("{line}在 `{block}` 之中造出一个新张量，它取代了权重，却不要求梯度。"),
        "cure_new_weight": "请在同一个代码块里就地修改权重本身：{instead}。",
        "new_weights": ("{line}在 `{block}` 之中造出新张量，它们取代了 {other}，却不要求梯度。"),
        "cure_new_weights": (
            "请在同一个代码块里就地修改原来的张量（`w -= ...`），或者对新张量调用 "
            "requires_grad_()。"
        ),
        "no_create_graph": (
            "历史在 {line}结束：`{what}` 自身没有被记录，所以它带来的梯度只是数，没有历史。"
        ),
        "cure_no_create_graph": "请在这个调用里写上 create_graph=True。",
        "linear": (
            "{line}已被记录，但结果是常数：`{what}` 对 `{other}` 是线性的，"
            "因此梯度不取决于任何要求梯度的张量。"
        ),
        "cure_linear": "这里没有什么要改的：二阶导数为零。",
        "ended_also": "它的其他部分也在 {lines}处断开。",
        "ended_again": "即使改掉这一处，历史也会在 {lines}断开。",
        "cut_too": "{cut}请改掉两者之中并非本意的一个。",
        "all_frozen": "算出它的一切都不要求梯度：{names} 的参数被冻结了{where}。",
        "bare_weight": "`{t}` 不要求梯度：创建时没有写{where}。",
        "cure_bare_weight": "请写成 `{instead}`。",
        "copies_of_parameters": (
            "{names} 有 {others} 的数，却没有历史：state_dict() 和 .data 给出的就是这样的张量。"
        ),
        "cure_copies": "请直接用 {others} 计算。",
        "cure_plain_learners": ("请在创建要学习的张量时写 requires_grad=True；输入和目标不需要。"),
        "frozen": "它是被冻结的参数。",
        "frozen_parameter": "它是参数，而 {lines}冻结了参数。",
        "lesson": "参见课程第 {number} 章。",
        "frozen_by": "（{lines}）",
        "cure_frozen": "对需要学习的参数，请重新设置 requires_grad = True。",
        "all_plain": "参与计算的张量都不要求梯度：{names}{where}。",
        "made_in": "，产生于 {lines}",
        "cure_plain": "请在创建它之后、使用它之前调用 {t}.requires_grad_()。",
        "cure_plain_one_of": "想要谁的梯度，就在产生它的地方写上 `requires_grad=True`。",
        "changed_by_module": (
            "请看 {modules}：它带有 inplace=True，会覆盖交给它的张量。请去掉 inplace=True。"
        ),
        "changed_by_step": (
            "修改它的是优化器：{line}。请在这一步之前调用所有的 backward()，"
            "或者在它之后重新计算损失。"
        ),
        "changed_by_other_step": (
            "修改它的是优化器：{line}。请在这一步之后重新调用模型，用它的结果计算损失，"
            "然后再调用 backward()。"
        ),
        "changed_by_step_carried": (
            "修改它的是优化器：{line}。`{state}` 带着这一步之前各轮的计算图："
            "请在每次反向传播之后立即用 `{state} = {state}.detach()` 切断。"
        ),
        "filled_in_loop": (
            "修改它的是 {line}，在循环的这一轮或后面某一轮。请把各部分放进 Python 列表，"
            "最后用 stack() 合起来。"
        ),
        # --- What fails silently
        "made_for_module": "它在 {line}产生，但由它算出的东西没有进入结果：forward 用到它了吗？",
        "zero_given": "`{x}` 的数全是 0",
        "cure_zero_given": ("请找出使它变成 0 的那一行：数据被截成整数、掩码全零，都会这样。"),
        "exactly_zero": "恰好是零",
        "next_to_zero": "几乎是零",
        "zero_of_one": "它对单个数或全部相等的数做归一化，结果全是 0",
        "cure_zero_of_one": "请对多个数做归一化，例如一个有许多输出的层的特征。",
        "kept_graphs": (
            "{t} 让各轮的图都留在内存里：每一轮已有自己的反向传播，{line}却连同历史一起累加。"
        ),
        "cure_kept_graphs": "请累加数值：`{instead}`。",
        "untaken": "传入的梯度是零，来自 where() 没有选中的分支：零乘以无穷大的斜率得 nan。",
        "cure_untaken": "请在那个分支里再用一个 where()，让这个运算拿到无害的数。",
        "cure_untaken_by": "请再用一个 where()，让这个运算在那里拿到无害的数：`{instead}`。",
        # --- Other refusals, and loops
        "made_by_node": "：它由 {node} 产生{where}",
        "branch": ("历史在 {line}结束：这一次取的是 `{what}`，一个由数字造出的新张量，没有历史。"),
        "cure_branch": ("请在这种情况下也由有历史的张量来计算，或者这时不要调用 backward()。"),
        "is_called": "这里的 {t} 是 {known}。",
        "remade": (
            "{line}让名字 {t} 指向一个新张量，即它的结果。请改为在 no_grad 下就地修改："
            "{instead}。{then}"
        ),
        "that_line": "这一行",
        "then_clear": "然后写 `{t}.grad = None`，因为 backward() 会加到已有的梯度上。",
        "flat_clamped": "它在界限之外没有斜率，而它的输入都在界限之外",
        "flat_together": "它在输入所在的地方没有斜率",
        "flat_all": "所有梯度",
        "flat_some": "{names} 的梯度",
        "flat_relu": "它在 0 以下没有斜率，而它的输入都在 0 以下",
        "flat_drawn": "它抽取随机数，不传递梯度",
        "flat_jumps": "它的结果是跳变的，所以斜率为零",
        "flat_cancelled": "它以相反的符号出现两次，互相抵消",
        "cure_flat_cancelled": "请写成 `{instead}`：把差从图中分离，斜率就保留下来。",
        "cure_flat_relu": "请去掉最后一层之后的 ReLU。",
        "cure_drawn": "请写 `mean + std * {library}.randn_like(std)`，它有斜率。",
        "cure_flat_clamped": "训练时请去掉 clamp，或改用有斜率的 `{library}.sigmoid`。",
        "cure_flat": (
            "训练时请去掉这一步，或者让梯度绕过它：`y + (rounded - y).detach()` 取 `rounded` "
            "的数值，用 `y` 的斜率。"
        ),
        "reentrant": (
            "历史在 {line}结束：`{what}` 运行时不记录；可重入的检查点只有在传给它的张量中有一个要求"
            "梯度时才有历史，里面的参数不算。"
        ),
        "cure_reentrant": "请在这个调用中写 use_reentrant=False。",
        "or_a_leaf_there": "如果只需要对 {t} 本身的梯度，就在那里调用 {t}.requires_grad_()。",
        "cure_held_result": (
            "它就是 `{t}`{made}：请在复制之前写 `{t} = None`，或者用 `.detach()` 保存它。"
        ),
        "cure_before_loop_own": ("请把这一行连同算出它的各行移进循环，让每一轮都有自己的图。"),
        "cure_before_loop_same": (
            "每一轮都在 {line}再次走过同一张图：请在这个调用中写 retain_graph=True，图就会保留到"
            "最后一次。"
        ),
        "cure_before_loop_stored": (
            "请保存算出它所需要的东西，并在 `forward` 里计算它，`forward` 每一轮都会运行。"
        ),
        "cure_before_loop_all": (
            "请把它连同算出它的各行移进循环，每一轮都重新计算：{lines}；如果梯度不必传到 {t} 之前，"
            "就在循环里用 {t}.detach()。"
        ),
        "cure_before_loop_learned": (
            "请把{lines}移进循环，每一轮都重新计算：它由 {learned} 算出，而优化器在更新 {learned}。"
        ),
        "carried_also": "{names} 也是如此：每一个都要切断。",
        "cure_scaled_parameter": (
            "Parameter 参与运算得到的是运算结果，不是 Parameter：请写 `{instead}`。"
        ),
        "asked_by": "出错的调用是 {line}。",
        "cure_unused_input": "请在计算中用到 {t}，或者写 allow_unused=True，这样得到的是 None。",
        "earlier_pass": "前一次反向传播是 {line}。",
        "eval_records": (
            "{line}并不停止记录：eval() 改变的是 dropout 和批归一化的行为，与历史有关的是 "
            "no_grad()。"
        ),
        "leaf_in_place": (
            "{t} 是要求梯度的叶子节点，不能直接就地修改{where}：修改一经记录，它就不再是叶子节点。"
            "如果这是更新参数，请把这一行放进 no_grad() 代码块。"
        ),
        "unused_input": "autograd.grad() 被要求计算 {root} 对 {t} 的梯度，而它的图到不了 {t}。",
        "nan_in_backward": "异常检测在 {node} 处停下{where}：它的公式给出了 NaN。",
        "inference_saved": ("在 inference_mode 下产生的张量遇到了自动微分{where}，它不能被保存。"),
        "made_in_inference": "它产生于{line}。",
        "cure_inference_saved": "请改用 no_grad()，或先 clone()。",
        "unknown_error": "{error}。这不是 explain() 认识的错误。",
        "unseen_error": (
            "{error}。看不到程序的文字，所以不知道是哪一行。这样的消息来自：{causes}。"
        ),
        "or": "，或者",
        "unseen_line": "某一行（看不到它的文字）",
        "raised_at": "抛出它的是 {line}。",
        "operands": "那里的张量：{tensors}。",
        # --- NaN
        "nan_value": (
            "{t} 里有 {what}，最先由 {node} 算出{where}：它的输入里没有 {what}，结果里却有。"
        ),
        "nan_value_about": (
            "{t} 里有 {what}，最早能看到的地方是 {node}{where}：它在这里产生，或者在此之前由某个没"
            "有保存数值的运算产生。"
        ),
        "inf_before": "在它之前，{node} 已经给出 inf{where}。",
        "nan_leaf": "{t} 里有 {what}，因为参与计算的 {leaf} 里本来就有。",
        "finished": "{t} 的用法没有问题：{line}在它的图上走了一次并释放了它，没有出错。",
        "finished_value": "{t} 现在是 {value}。",
        "finished_list": "`{name}` 共 {count} 个数，从 {first} 到 {last}。",
        "finished_cleared": "此后梯度已被清除。",
        "finished_gradients": "各个梯度的最大元素：{names}。",
        "finished_more": " 等",
        "cure_left_out": "请去掉这一行。",
        "cure_write_there": "请在那里写 `{instead}`。",
        "guess_costs": "只看 `{y}` 的猜测，损失是 {guess}。",
        "guess_reached": (
            "损失 {value} 并不比只看 `{y}` 的猜测（{guess}）好：到目前为止没有用上 `{x}` 里的任何"
            "东西。"
        ),
        "labels_unrelated": (
            "而且 `{x}` 中彼此接近的样本，它们的 `{y}` 相同的机会不比随机更大：请检查在{lines}里"
            "它们是否还对应。"
        ),
        "binary_entropy": "二元交叉熵",
        "overlap": "重叠的比例",
        "cure_steps_rate": "请用比 {rate} 更大的学习率，例如 `lr=0.01`。",
        "cure_steps_written": "{line}改动了梯度：更新时它们最大只有 {size}。",
        "cure_steps_gradient": "梯度最大只有 {size}：请看看途中是什么使它们这么小。",
        "passes_seen": "{count} 次反向传播之后（第一次的损失是 {first}）",
        "steps_counted": "大约 {count} 步之后",
        "what_loss": "损失",
        "what_term": "其中一项 `{term}`",
        "cure_not_learned_term": (
            "`{loss}`{where}的其余部分占得更多，使它学不到：请给其他项更小的系数，或先试 "
            "`{loss} = {term}`。"
        ),
        "cure_not_learned_still": (
            "而且没有任何权重改变过。每次反向传播之后必须有一行改变它们，如优化器的 `step()`：请看"
            "{line}。"
        ),
        "weights_left": "`{optimizer}`{where}不持有 {names}，而它们得到梯度。",
        "weights_frozen": "`{optimizer}`{where}持有一些不要求梯度、从不改变的张量：{names}。",
        "weights_unwritten": "没有优化器持有 {names}，也没有任何一行写过它们。",
        "cure_not_learned_left": (
            "{names} 得到梯度，而 `{optimizer}`{where}不持有它们：请把所有要学习的都交给它。"
        ),
        "cure_not_learned_undone": (
            "每次反向传播的损失一模一样，而每一步都改变了权重：有什么又把它们放了回去，例如{line}。"
        ),
        "cure_not_learned_worse": (
            "它差得多：请给 `{optimizer}`{where}用比 {rate} 更小的学习率，从更小的权重开始，或缩放"
            "数据，数据来自{lines}。"
        ),
        "cure_not_learned_data": (
            "`{x}` 中彼此接近的样本，它们的 `{y}` 相同的机会不比随机更大：请检查在{lines}里它们是否"
            "还对应。"
        ),
        "cure_not_learned_few": (
            "请只用 `{x}[:8]` 和 `{y}[:8]` 训练：如果损失仍不下降，问题在模型或更新里，否则在学习率"
            "或数据里，数据来自{lines}。"
        ),
        "made_at": "{t} 在{line}里创建。",
        "finished_function": "要知道它是否在学习，请输入 `{call}`。",
        "finished_step": "要知道它是否在学习，请把一轮写成函数，然后输入 `{call}`。",
        "finished_loop": "要知道它是否在学习，请在{head}外面写 `{call}`。",
        "likely_weights": "算出它的张量都不要求梯度，所以没有梯度到达 {names}。",
        "its_weights": "权重",
        "its_state": "状态",
        "not_sorted": "没有从最长到最短排序",
        "empty_sequences": "中有长度为 0 的，例如不含任何已知词的文本",
        "cure_pad_rows": "请把各行补成同样长度：`{cure}`。",
        "cure_keep_number": "请只保存数值：写 `{cure}`{at}。",
        "cure_static": (
            "请在 forward 和 backward 上面各写 `@staticmethod`，用 `ctx` 代替 `self`，"
            "并调用 `{cure}`。"
        ),
        "also_plain": "{names} 也是如此。",
        "cure_make_it": "请写 `{cure}`{at}。",
        "cure_write_at": "请写 `{cure}`{at}。",
        "cure_batch_first": "`{t}` 的第一维是批量，要让这一层知道：`{cure}`{at}。",
        "give_mask": "请传入 `{cure}`。",
        "cure_output_padding": "请给 {layers} 加上参数 `{cure}`。",
        "cure_crop": "更长的序列必须截短：请写 `{cure}`{at}。",
        "cure_from_zero": "请写 `{cure}`{at}；或者让索引从 0 开始。",
        "cure_drop_last": "这是最后一个较小的批量。请略去它：`{cure}`。",
        "cure_one_step": "这里是每个序列的一步：请把 `{t}` 写成 `{cure}`。",
        "cure_star": "`{t}` 里就是全部参数：请写 `{cure}`。",
        "cure_divisor": "请让 `{name}` 取能整除 {size} 的值，例如 {best}。",
        "takes_class": "需要每个样本的类别下标，即整数",
        "takes_scores": "要把它们与浮点数得分比较",
        "cure_flatten": "请在该层之前加上 `{nn}.Flatten()`。",
        "cure_without_none": (
            "请略去这样的样本：给 DataLoader 加上 `collate_fn=lambda samples: "
            "{library}.utils.data.default_collate([s for s in samples if s is not None])`。"
        ),
        "cure_one_size": "请在数据集里把它们变成同样大小，或者使用 `batch_size=1`。",
        "last_step": "（只取最后一个时间步，因为 `{t}` 没有时间维）",
        "or_last_step": "；若只取最后一个时间步，则为 `{step}`",
        "last_step_there": "，并只取最后一个时间步，因为 `{t}` 没有时间维：`{step}`",
        "by_import": "`import {module}` 和 ",
        "cure_likely_weights": "请把要学习的写成 {instead}。",
        "more": "更多：",
        "zero_hook": "是一个把梯度乘以 0 的钩子",
        "cure_zero_hook": "请去掉这个钩子。",
        "zero_function": "使 backward 返回 0",
        "cure_zero_function": "请返回传入的梯度（直通估计），或者返回别的斜率。",
        "cure_cut_fractions": "请使用缩放之前的整数，而不是 `{instead}()`。",
        "cure_prefix": "请载入 `{instead}`。",
        "cure_strict": "请去掉 `strict=False`：这样错误信息会列出各个名字。",
        "cure_floor_division": "请写 `{instead}`，它保留小数部分。",
        "out_of_reach_below": "不小于 {low} 的数",
        "cure_negate_divergence": "请在这一项前面加上负号：这样它就不会小于 0。",
        "cure_add_divergence": "请把它加上：`+ {t}`。",
        "gain_likelihood": ("数据概率的对数。更新使损失变小，所以这里会使数据越来越不可能。"),
        "gain_cosine": ("余弦相似度。更新使损失变小，所以这里会使两个结果指向相反的方向。"),
        "gain_score": "一个越大越好的得分。更新使损失变小，所以这里会使模型变差。",
        "cure_gain_score": "请用 `1 -` 这个得分。",
        "cure_gain_likelihood": "请在它前面加上负号。",
        "cure_gain_cosine": "如果要使它们相似，请用 `1 -` 这个相似度。",
        "out_of_reach": "介于 {low} 和 {high} 之间的数",
        "cure_never_cleared_call": "请在每一轮的 backward() 之前调用一次 `{instead}`。",
        "cure_never_cleared_by_hand": "请在每次更新之后写 `{instead}`。",
        "mask_for_each_head": "要给每个样本、每个头各一个掩码，请写 `{cure}`。",
        "mask_from_length": "请按这个批量的长度建立掩码。",
        "cure_far_weights": "请用更小的数初始化 `{t}`。",
        "dead": "对所有输入都给出零",
        "saturated": "对所有输入都已饱和",
        "cure_dead": "请减小学习率或偏置，或改用 `LeakyReLU`，并缩放数据。",
        "cure_far_data": ("`{t}` 里有大到 {most} 的数。请缩放它：`{instead}`。"),
        "cure_one_class": (
            "两个类别、一个输出时，请去掉 softmax，用 `BCEWithLogitsLoss`；"
            "否则让最后一层的输出个数等于类别数。"
        ),
        "cure_one_weight": "请沿有 {count} 个数的轴计算：`dim={axis}`。",
        "twice_left": (
            "`{one}` 和 `{other}` 管理相同的参数，而 `{module}` 的参数得到梯度却没有优化器管理："
            "`{module}` 不会改变。"
        ),
        "cure_twice_left": "请把 `{module}.parameters()` 交给 `{wrong}`{where}。",
        "twice_both": (
            "`{one}` 和 `{other}` 都管理 `{first}` 与 `{second}` 的参数："
            "每个优化器都按另一个的损失更新，互相抵消。"
        ),
        "cure_twice_both": (
            "请只把 `{first}.parameters()` 交给 `{one}`，"
            "只把 `{second}.parameters()` 交给 `{other}`。"
        ),
        "held_teacher": (
            "`{other}`{where}管理 `{first}` 的参数，而 `{module}` 的参数得到梯度却没有优化器管理："
            "教师在向学生靠拢，学生却不变。"
        ),
        "cure_held_teacher": (
            "请把 `{module}.parameters()` 交给 `{other}`，并在 `no_grad()` 下调用 `{first}`。"
        ),
        "cure_fresh_given": "请把加进输入的噪声 `{t}` 交给损失。",
        "cure_fresh_other": "噪声只抽取一次：在{line}也用这个目标，代替 `{other}`。",
        "over_samples": "所有样本的总和",
        "over_code": "每个样本各维的总和",
        "cure_over_samples": "请把散度也除以数据的元素个数。",
        "cure_over_code": "请把每个样本的误差也加起来：`{instead}`。",
        "cure_over_code_by_hand": '请把每个样本的误差也加起来：`reduction="sum"`，再除以样本数。',
        "cure_end_as_padding": (
            "`{made}` 把序列的结尾当作填充，所以学不到结尾。请给填充一个没有词用的数，"
            "例如 {free}，词表里要有它的一行。"
        ),
        "cure_ignored_class": "请去掉 `ignore_index`；如果有填充，请把填充的标签设为 -100。",
        "cure_not_learned_ids": (
            "`{x}` 是最大到 {most} 的整数，而没有 `Embedding` 读取它们。如果它们是事物的编号，"
            "请给每个编号一个向量：`{nn}.Embedding({count}, 16)`，并让下一层有 16 个输入。"
        ),
        "unread_layer": "优化器持有 `{layer}` 的权重，而它们得不到梯度。",
        "unread_determinant": "密度缺了这一项，就会把数据缩成一点。",
        "cure_unmasked": "请给它 `{option}`：一个在对角线以上为真的遮罩。",
        "cure_unmasked_call": "请在那里写 `is_causal=True`。",
        "cure_unmasked_own": (
            "请在 softmax 之前把后面的位置设为 -inf："
            "`scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)`。"
        ),
        "batch_by_loss": "损失正好有 {time} 个样本",
        "batch_by_loader": "加载器每次给出 {time} 个样本",
        "batch_by_positions": "加上的位置编码的形状是 {shape}",
        "cure_batch_for_time_option": "请在创建这一层时写 `batch_first=True`。",
        "cure_batch_for_time_one": (
            "请把每个样本作为一个序列交给它，形状为（批次、时间、特征），并写 `batch_first=True`。"
            "一行数写成 `x.unsqueeze(-1)`，一个时间步写成 `x.unsqueeze(1)`。"
        ),
        "over_softmax": "softmax ",
        "over_mean": "平均值",
        "over_sum": "总和",
        "over_norm": "长度",
        "summed_pairs": "然后才用 {node}：这个数一旦很大，就没有一对样本还起作用",
        "summed_factor": "后面的各个因子都乘以同一个数：没有一个样本有自己的因子",
        "cure_summed_pairs": "请只对每一对的特征求和，即 `dim=1`，在 {node} 之后再取平均。",
        "cure_summed_factor": "请去掉它：先相乘，然后再取平均。",
        "cure_summed_factor_loss": '请给损失加上 `reduction="none"`，先相乘，然后再取平均。',
        "aim_of_critic": ("判别器自己的损失也是这样，生成器没有与它对抗。"),
        "aim_of_reward": ("它学习的是奖励，而更新使损失变小，所以更新寻找的是最小的奖励。"),
        "cure_saturated": "请缩放它的输入：`x = (x - x.mean()) / x.std()`。",
        "number_to_read": (
            "它只是用来查看的数：`{loss}` 有自己的反向传播，{line}只取它的值，这样是对的。"
        ),
        "cure_first_loss_inputs": (
            "请缩小输入：它们最大为 {given}，请除以最大值，例如 `x = x / x.abs().max()`。"
        ),
        "cure_first_loss_weights": "请从较小的得分开始：在循环之前把最后一层的权重乘以 0.1。",
        "its_targets": "它的目标",
        "drops_all": "每一个数，前面各层的结果都不能通过，也没有梯度传回去",
        "drops_most": " {share} 的数，前面各层的结果几乎都不能通过",
        "new_value_after": "{after}给了 `{t}` 新的值",
        "read_by_none": "后面没有一行用到 `{t}`，{after}用的是别的变量",
        "cure_read_there": "如果那一行要使用它，请在那里把 `{other}` 换成 `{t}`。",
        "cure_read_it": "如果后面的行要使用它，请在那里读取 `{t}`。",
        "cure_loss_of_data": "请把第二个参数 `{name}` 换成数据。",
        "cure_divergence_of_itself": ("请用要学习的模型的分数来算第一个参数，而不是 `{name}`。"),
        "cure_loss_of_alias": (
            "{made}让一个张量有了两个名字：写入它时两者都会改变。请写 `{name} = {instead}`。"
        ),
        "the_anchor": "锚点",
        "the_positive": "正样本",
        "sum_of_softmax": "一个 softmax 的全部概率之和",
        "sum_of_normalized": "归一化后均值为 0 的数之和",
        "cure_shuffle": "请在那里写 `shuffle=True`。",
        "cure_order": "请在每一轮抽取新的顺序 `order = {library}.randperm(len({y}))`，再按 "
        "`order[i : i + size]` 取每一批。",
        "cure_weights": "请给采样器每个样本一个权重。",
        "cure_weights_of": "请用 `{instead}` 代替 `{weights}`，其中 `{y}` 是所有样本的标签。",
        "cure_flat_overlap": "两个框不重叠时，没有什么能移动它们：请加上在那里有斜率的损失，例如 "
        "`{library}.nn.functional.smooth_l1_loss(boxes, targets)`。",
        "cure_focal": "请取 1 减去概率的幂。",
        "cure_focal_by": "请用 `{instead}` 代替 `{old}`。",
        "cure_scale": "请把数据缩放到 1 左右：`{instead}`。",
        "cure_scaled_twice": "{first}已经缩放过：请去掉{lines}里的除法。",
        "cure_smoothing": "请用较小的份额 `{name}={one}`。",
        "cure_unused_batch": "请把这批数据交给模型：`{instead}`。",
        "nan_late_hidden": (
            "{t} 是有限值，但 {leaf} 含有 {what}，是{line}改变了它：它来自较早一轮的反向传播。"
        ),
        "nan_late": (
            "{t} 含有 {what}，{leaf} 也是，而{line}修改过它：第一个 NaN 出现在更早的一轮。"
        ),
        "nan_late_number": "`{name}` 从第一个数起就不是有限值。",
        "nan_late_after": "`{name}` 到 {last} 为止是有限值；第 {number} 个数第一个不是。",
        "nan_risk": "第一个能从有限值产生它的运算是 {node}{where}。",
        "nan_range": "它得到的是 {t}，其数值从 {low} 到 {high}。",
        "nan_late_diagnose": "在循环外面写 `with viz.diagnose():`，它会指出是哪一轮、哪个运算。",
        "nan_data": ("{t} 里有 {what}，因为 `{data}`{where}里就有：一次更新把它带进了 {leaf}。"),
        "cure_other_tensors": "请写成 `{instead}`。",
        "cure_rebuilt_fold": (
            "{line}每一轮都新建 `{model}`：请把 `{instead}` 写在它后面，在循环里。"
        ),
        "cure_rebuilt": ("{line}在每一轮都创建新的 `{model}`：请只创建一次，放在创建优化器之前。"),
        "cure_nan_data": (
            "请检查数据：补上缺失的值；不要除以为零的标准差，可写成 `/ (std + 1e-8)`。"
        ),
        "cure_nan_rate": ("这些数一步比一步大：请减小学习率，或者用 clip_grad_norm_() 裁剪梯度。"),
        "cure_nan_grew": (
            "如果之前损失一步比一步大，请减小学习率，或者用 clip_grad_norm_() 裁剪梯度。"
        ),
        "nan_by_rate": "`{t}` 的学习率是 {rate}，每一步都越过目标更远。",
        "cure_nan_by_rate": "请用较小的学习率，例如 0.01。",
        "cure_exploding": "请裁剪梯度、减小学习率，或把数据缩放到 1 左右。",
        "nan_by_data": "`{t}`{where}里有大到 {most} 的数，使梯度非常大。",
        "cure_nan_by_data": "请把它缩放到 1 左右：`{instead}`。",
        "finished_zero": "最近一次反向传播给 {names} 的恰好是 0：改变它在那里不会改变损失。",
        "nan_masked": "如果掩码遮住了一整行，这一行的 softmax 就是 0/0。",
        "without_retaining": "，并去掉 `retain_graph=True`",
        "cure_log": "请加上它的对数那一项：`+ {term}`。",
        "cure_log_there": "请加上标准差的对数，正态分布的似然里有这一项。",
        "clipped_scaled": "那时梯度还带着 `{scaler}` 的倍数，之后才除去",
        "cure_unscaled": "请在这一行之前写 `{instead}`。",
        "cure_clipped": "请在 backward() 之后、更新之前调用它。",
        "cure_write": "请反过来，把 `{model}` 的权重写进 `{other}`。",
        "cure_write_as": "请改写成 `{instead}`。",
        "cure_rate_up": "请用更大的学习率。",
        "cure_rate_schedule": (
            "学习率调度器的 step() 每个 epoch 只调用一次，或者让学习率降得慢一些。"
        ),
        "cure_made_before": "请在{line}之后创建优化器，它替换了优化器持有的参数。",
        "cure_nan_log": "不要让对数得到零：`log({v}.clamp(min=1e-7))`。",
        "cure_nan_scores": "请直接从分数计算，用 `{instead}`。",
        "cure_nan_sqrt": "不要让根号得到零：`sqrt({v} + 1e-8)`。",
        "cure_nan_div": "不要让分母为零：`/ ({v} + 1e-8)`。",
        "cure_nan_exp": "请限制指数函数的输入：`exp({v}.clamp(max=20))`。",
        "cure_nan_root": "不要让根号得到负数：`sqrt({v}.clamp(min=1e-8))`。",
        "cure_nan_arc": "请让输入留在定义域之内：`acos({v}.clamp(-1 + 1e-6, 1 - 1e-6))`。",
        "cure_nan_softplus": "请把 `log(1 + exp(x))` 写成 `softplus(x)`，它不会溢出。",
        "cure_nan_mask": "请让每一行至少有一个数不被遮蔽，或者从这批数据中去掉这样的行。",
        "cure_nan_labels": "请让 `ignore_index` 取一个不是类别的数，如 -100，或跳过这样的批次。",
        "cure_nan_empty": "没有可平均的数时，请跳过这个损失。",
        "cure_nan_eps": "请让 `eps` 保持默认值 1e-8。",
        "nan_known": "{t} 里有 {what}。",
        "nan_known_grad": "{t}.grad 里有 {what}。",
        "its_input": "它的输入",
        "fault_log": (
            "{node}{where}得到的是 {t}，其中最小的数是 {low}：对数只对大于 0 的数有定义。"
        ),
        "fault_root": ("{node}{where}得到的是 {t}，其中最小的数是 {low}：根号下的数不能小于 0。"),
        "fault_slope": (
            "{node}{where}得到的是 {t}，其中有 0：根号在 0 处的斜率是无穷大，0 乘以无穷大得 nan。"
        ),
        "fault_slope_of": (
            "{t} 是 {node}{where}的结果，其中有 0：根号在 0 处的斜率是无穷大，0 乘以无穷大得 nan。"
        ),
        "fault_arc": (
            "{node}{where}得到的是 {t}，其数值从 {low} 到 {high}：在 -1 和 1 处它的斜率是无穷大，"
            "再往外没有定义。"
        ),
        "fault_exp": (
            "{node}{where}得到的是 {t}，其中最大的数是 {high}：大于 88 的数的 exp() 是无穷大。"
        ),
        "fault_div": "{line}除以 `{t}`，其中有 0。",
        "fault_mask": (
            "在{line}里，`{t}` 把一整行分数设成了 -inf，这一行的 softmax 是 0/0，即 nan。"
        ),
        "fault_labels": (
            "在{line}里，`{t}` 的每个标签都是 {ignored}，而 `ignore_index` 不计这个标签：没有数可以"
            "平均，结果是 0/0，即 nan。"
        ),
        "fault_empty": "{node}{where}对零个数求平均，结果是 0/0，即 nan。",
        "fault_eps": ("`{t}`{where}的 eps=0：梯度一直是 0 的地方，它的更新是 0/0，即 nan。"),
        "fault_spread": "{line}除以 `{t}`：所有数都相等时它是 0，只有一个数时它是 nan。",
        "cure_nan_spread": "请给它加上 `1e-8`，并去掉只有一个样本的批次。",
        "clipped_early": "{pass}在它之后，会带来新的梯度",
        "clipped_late": "{step}在它之前已经用过梯度了",
        "nan_gradient": (
            "前向传播的数值都是有限的；预演反向传播时，{what} 最先出现在 {node}{where}：传给它的梯"
            "度是 {incoming}，它算出 {outgoing}。"
        ),
        "formula": "它的公式是 {rule}。",
        "nan_in_grad": (
            "{t}.grad 里有 {what}。请重新计算损失，再调用 explain(loss, nan=True)：它会预演反向传"
            "播，并指出是哪个运算产生的。"
        ),
        "all_finite": (
            "没有发现 NaN 或无穷：算出 {t} 的数值都是有限的，预演反向传播得到的梯度也是有限的。"
        ),
        "values_finite": (
            "算出 {t} 的数值都是有限的，没有 NaN 或无穷。（无法预演反向传播，因此没有检查梯度。）"
        ),
        # --- Parts
        "in_line": "（`{text}`，{place}）",
        "at_line": "`{text}`（{place}）",
        "place_in_file": "{file} 第 {line} 行",
        "place_in_cell": "单元格第 {line} 行",
        "and": "、",
        "space": "",
        "picture": "计算图，标出了所说之处",
    },
    "explore": {
        "along": "沿",
        "value": "值",
        "grad": "梯度",
        "key_up": "梯度大于 0",
        "key_down": "小于 0（颜色越浓，绝对值越大）",
        "failed": "{function} 在此处出错：{error}",
        "state": "在 {inputs} 处：{function} = {value}，{slopes}。",
        "comma": "，",
    },
    "memory": {
        "title": "为反向传播保留：最多 {bytes}，由 {line} 中的 {node} 保留",
        "title_without_line": "为反向传播保留：最多 {bytes}，由 {node} 保留",
        "plot_title": "为反向传播保留的内存：最多 {bytes}",
        "at_peak": "最多时在：{at}",
        "nothing": "没有为反向传播另外保留任何东西。",
        "held": "字节",
        "bytes": "{count} 字节",
        "piece": "{name}，{bytes}",
        "separator": "；",
        "forward": "前向",
        "backward": "反向",
        "again": "在反向传播中计算",
        "gone": "图已无人持有",
        "more": "另有 {count} 个较小的，共 {bytes}",
        "own": "程序自己的，本来就在：{listed}",
        "by_graph": "只有图在保留",
        "by_again": "重新计算，或在反向传播中计算",
        "by_program": "本来就在",
        "unseen_packed": (
            "一个钩子把 {node} 保留的东西打包成了不是张量的对象："
            "没有人知道它有多少字节，所以没有计入。"
        ),
        "unseen_written": "{node} 通过视图写入：PyTorch 不说明它保留了什么，所以没有计入。",
        "unseen_checkpoint": (
            "一个检查点会在反向传播中重新计算图的一部分。那时保留了什么，这里不显示；"
            "把完成整个过程的函数交给 viz.memory 就能看到。"
        ),
    },
    "grad_flow": {
        "title": "各层的梯度",
        "layer": "参数",
        "mean": "平均 |g|",
        "largest": "最大 |g|",
        "zeros": "零的占比",
        "missing": "None",
        "no_numbers": "没有数值",
        "not_finite": "含非有限值",
        "zero": "全为零",
        "vanishing": "消失",
        "exploding": "爆炸",
    },
    "doctor": {
        "running": "仍在观察这些步骤。",
        "raised": "观察因错误而结束：{text}",
        "same_batch": (
            "在同一批数据上运行 {count} 次（之后全部还原），损失从 {first} 变为 {last}。"
        ),
        "curve": "{count} 次反向传播中，损失从 {first} 变为 {last}。",
        "healthy": "就这 {iterations} 步看来一切正常：{count} 个参数得到了梯度，没有发现问题。",
        "nothing_seen": "没有反向传播到达任何参数，所以没有可检查的内容。",
        "found": "观察了 {iterations} 步，发现 {count} 个问题。",
        "trouble": "这些步骤已运行，但没能观察到最后：{error}。",
        "what": "发现",
        "why": "原因，以及怎么办",
        "memory": "为反向传播保存的内存",
        "picture": "每个参数的梯度",
        "comma": "、",
        "and_more": "{names} 以及另外 {count} 个",
        # --- 步骤本身
        "title_failed": "这一步失败了",
        "failed": "{error}。{text}",
        "failed_carried": (
            "{error}。这一步的计算图通向较早一步的，而那一步的反向传播已经完成，并释放了它："
            "是 `{keeper}` 把它带过来的。请用 `{keeper}.detach()` 继续；如果梯度应到达更早的步骤，"
            "请把各步的损失相加，只调用一次 backward()。"
        ),
        "failed_off": (
            "{error}。第一步开始时梯度在记录，这一步开始时却没有："
            "某一步用 `set_grad_enabled(False)` 之类关掉了记录。"
            "请用 `with no_grad():` 包住不应记录的部分，它会再打开记录。"
        ),
        # --- 数值
        "nan_module": ("它始于前向传播，在 `{name}`（{kind}）中：进去的是有限值，出来的不是。"),
        "nan_input": (
            "它始于前向传播，在 `{name}`（{kind}）之前：进去的就不是有限值。"
            "请查看数据，以及在它之前计算的内容。"
        ),
        "nan_loss": "它始于前向传播，在各模块之后：模块给出的都是有限值，而损失不是。",
        "nan_gradient": ("它始于反向传播：损失是有限值，第一个非有限的梯度是 `{name}` 的。"),
        "nan_later": "它发生在观察的各轮之后。",
        "nan_iteration": "第一个非有限的梯度出现在第 {iteration} 轮。",
        "nan_step": "所有梯度都是有限值：是更新本身使参数超出了浮点数的范围。",
        # --- 保留与清零
        "grows_keeper": (
            "是 `{keeper}` 把它带过来的：如果梯度不应到达更早的步骤，"
            "请用 `{keeper}.detach()` 继续。"
        ),
        "same_loss": "同一个损失",
        # --- 试过的办法
        "tried_falls": "已试过：{what}。这样做，{count} 轮内损失从 {first} 降到 {last}。",
        "tried_gone": "已试过：{what}。这样运行 {count} 轮，没有再发现这个问题。",
        "in_vain_falls": (
            "已试过：{what}。这样运行 {count} 轮，损失从 {first} 变为 {last}，所以仅这样做还不够。"
        ),
        "in_vain": "已试过：{what}。这样运行 {count} 轮，问题仍然存在。",
        "in_vain_raised": "已试过：{what}。这样运行时抛出了 {error}。",
        "edit_clear": "每一轮之前清除 `{optimizer}` 的梯度",
        "edit_clear_by_hand": "每一轮之前执行 `{name}.grad = None` 等",
        "edit_hold": "把 `{optimizer}` 没有持有的 {count} 个参数交给它",
        "edit_thaw": "对 `{name}` 等列出的参数调用 `requires_grad_(True)`",
        "edit_train": "每一轮之前调用 `{name}.train()`",
        "edit_clip": "把 `{optimizer}` 的梯度裁剪到范数 {norm:g}",
        "edit_step": "每一轮之后调用 `{optimizer}.step()`",
        "edit_rate": "把 `{optimizer}` 的学习率设为 {value}",
        "edit_decay": "把 `{optimizer}` 的 weight_decay 设为 {value}",
        "untried": "这个办法没有试：{why}。",
        "untried_generator": "函数从生成器 `{name}` 取数据，而它不能退回",
        "untried_iterator": "函数从迭代器 `{name}` 取数据，而它不能退回",
        "untried_file": "函数使用文件 `{name}`",
        "untried_graph": "`{name}` 带有计算图，再运行一次会把它释放",
        "untried_elsewhere": "函数使用 `{name}`，它可能改变别处的内容",
        "untried_hook": "`{name}` 上有钩子，它们会察觉这次重新运行",
        "untried_large": "`{name}` 使可能改变的数据过大，无法复制",
        "untried_slow": "这些步骤运行得太久",
        "untried_far": "观察的这几步已使参数偏离太远，请从新的参数开始",
        "untried_other": "`{name}` 可能改变无法恢复的内容",
    },
    "loss_curve": {
        "loss": "损失",
        "line": "{name}  {count} 个值，从 {first} 到 {last}，最低 {lowest}，在第 {at} 处",
        "not_finite": "；{count} 个非有限值，最早在第 {at} 处",
    },
    "forward_and_backward": {
        "comma": "、",
        "node": "节点",
        "value": "值",
        "tangent": "切向量",
        "gradient": "梯度",
        "product": "切向量 \u00d7 梯度",
        "cuts": "截面",
        "sum": "和",
        "crosses": "所截的边通向",
        "cut": "{number}",
        "none": "无",
        # In the picture: the tangent goes up to the result, the gradient down to the inputs.
        "row_value": "值 {value}",
        "row_tangent": "切向量 \u2191 {tangent}",
        "row_gradient": "梯度 \u2193 {gradient}",
        "line": "截面 {number}：{sum}",
        "of_many": "{total}，来自 {count} 条边",
        # Below it.
        "along": "{name} 沿 {tangent}",
        "at_speed": "{name} 以速度 {speed}",
        "moves": "前向模式让 {inputs} 移动：{result} 随之以速度 {derivative} 移动。",
        "same": (
            "反向传播得到同一个数：在截面穿过的各条边上，切向量乘以梯度再加起来，"
            "{count} 个截面处都是 {derivative}。"
        ),
        "parted": (
            "各个截面给出的数不同：两种模式在 {nodes} 处分开。"
            "那里有一种模式用到了另一种没有的东西："
            "在 no_grad 下算出的值只在前向模式中移动，钩子只改变梯度，"
            "as_strided 可能超出给它的张量，Function 的 jvp 与 backward 也可能不相配。"
        ),
        "unseen": "未知：{nodes} 处的切向量，它的结果无法看到。",
        "passes": (
            "求完整的导数，输入的数：{inputs}，输出的数：{outputs}。反向模式的遍数：{reverse}"
            "（运算数：{reverse_operations}）；前向模式的遍数：{forward}"
            "（运算数：{forward_operations}）。"
        ),
        "reverse": "这里反向模式更省。",
        "forward": "这里前向模式更省。",
        "equal": "这里两者一样。",
    },
}

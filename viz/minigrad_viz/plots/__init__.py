"""Numbers in plots and in graphs: `explore`, `both_modes`, `grad_flow`, `loss_curve`,
`derivatives`; and `style`.
"""

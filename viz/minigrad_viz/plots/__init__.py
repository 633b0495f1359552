"""Numbers in plots and in graphs: `explore`, `forward_and_backward`, `grad_flow`, `loss_curve`,
`derivatives`; and `plot_style`.
"""

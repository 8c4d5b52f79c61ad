"""Proof by execution: the before and the after half of a record's example are run, and the results are kept.

`results` and `proofs_file` are all that the rest of errkb needs to show a proof. The others run code: `environments`
makes what an example runs in, `running` runs a half within limits (`start` is the part of it that
stands in the tried process), `proving` judges the results.
"""

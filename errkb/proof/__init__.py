"""Proof by execution: the two halves of a record's example are run, and what came of it is kept.

`results` is all that the rest of errkb needs to show a proof. The others run code: `environments`
makes what an example runs in, `running` runs a half within limits (`start` is the part of it that
stands in the tried process), `proving` judges what came of it.
"""

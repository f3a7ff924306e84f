"""Four stages on TRL: supervised fine-tuning, distillation from several teachers, two DAPO rounds.

``recipe``, ``rows`` and ``plan`` need no torch; everything else here does (the ``train`` extra).
"""

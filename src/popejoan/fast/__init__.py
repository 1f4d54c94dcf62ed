"""Rounds by the hundred million: the compiled kernel, the simulator, the odds (extra ``fast``).

The kernel plays whole matches on bitboards, without a Python object; the tests hold every card and
every payment of it to ``Round``. How a deal is played out is in ``kernel``, ``settle`` and
``linear``; what is asked of many deals in ``simulate`` and ``odds``.
"""

"""Pope Joan: the old English card game of the painted board.

The files of this folder are the game, the folders are its uses. The game imports the standard
library only, does no input or output, reads no clock, and draws no random number but from the
seeded generator in ``deal``.
"""

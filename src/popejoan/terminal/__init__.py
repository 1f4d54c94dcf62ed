"""The game on a terminal: the commands of ``popejoan``, a module each, and what they share.

Everything here reads and writes; what the rules say is asked of the game.
"""

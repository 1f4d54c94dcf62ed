"""The table on the web: play by a link, on a server that cannot lose a game.

Read in the order of use: ``messages`` is what travels, ``entries`` what is kept, ``table`` what
the kept entries come to, ``store`` where they are kept, ``actors`` the one actor of each table,
``audience`` who looks at it, ``telling`` what each client is shown, ``app`` the routes and sockets.
The game itself does the rules.
"""

"""The only place that opens a database, takes a lock, or writes a file that is kept.

sqlite, postgres  ->  Connection        lock  ->  Held        files  ->  replaced, created, appended

Every rule about durability and permissions lives here once: the folder is private (0700), the file
is its owner's (0600), a replaced file is the old one or the new one, and a lock is the kernel's, so
a process that is killed leaves none behind. A house test fails where another module does any of
this by hand.
"""

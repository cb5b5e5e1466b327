"""Shell text read as facts: what a command would run, read, write and delete.

text  ->  syntax/ (a tree)  ->  evaluation/ (what the shell would do)  ->  facts

Pure but for ``live``: nothing is run. ``programs/`` knows what each program's arguments mean,
``languages/`` reads code that is not shell.
"""

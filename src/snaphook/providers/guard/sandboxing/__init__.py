"""The guard's part of the sandbox: what is confined, and how a command is rewritten for it.

Judgement  ->  which commands of the line run unread code  ->  a prefix in front of each
"""

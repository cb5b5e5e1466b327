"""Rules that people write in their settings, without code.

[[guard.rule]]  ->  OwnRule  ->  Objections, and objections lifted
"""

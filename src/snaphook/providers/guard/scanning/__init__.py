"""A repository's own scripts, judged with the guard's rules.

files  ->  Snippets  ->  Findings  ->  text, JSON, SARIF
"""

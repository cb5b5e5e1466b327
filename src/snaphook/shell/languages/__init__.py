"""Readers of languages other than the shell: what a program's text would do."""

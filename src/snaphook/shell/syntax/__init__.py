"""The shell's grammar.

command text  ->  Script
"""

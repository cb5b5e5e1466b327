"""The abstract shell: follows a script without running it, and notes what it would do.

Script + World  ->  Calls and Effects
"""

"""One file for each way to reach a person.

settings + Notice  ->  sent, or an exception that says whether to try again
"""

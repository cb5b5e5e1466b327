"""What agents did before, put to a policy again.

transcripts, the record  ->  PastCalls  ->  Rulings  ->  Report

A change of the rules is tested on one's own history before it stands in anybody's way. Nothing is
run and nothing is kept: only those who judge are asked.
"""

from .calls import PastCall, Source, past_calls, sources
from .policy import Candidate, Current, Policy, Ruling
from .report import Change, Report, compare

__all__ = [
    "Candidate",
    "Change",
    "Current",
    "PastCall",
    "Policy",
    "Report",
    "Ruling",
    "Source",
    "compare",
    "past_calls",
    "sources",
]

"""What agents did before, put to a policy again.

transcripts, the record  ->  PastCalls  ->  Rulings  ->  ReplayReport

A change of the rules is tested on one's own history before it stands in anybody's way. Nothing is
run and nothing is kept: only those who judge are asked.
"""

from .calls import CallSource, PastCall, past_calls, sources
from .policy import CandidatePolicy, CurrentPolicy, ReplayPolicy, ReplayRuling
from .report import ChangedRuling, ReplayReport, compare

__all__ = [
    "CallSource",
    "CandidatePolicy",
    "ChangedRuling",
    "CurrentPolicy",
    "PastCall",
    "ReplayPolicy",
    "ReplayReport",
    "ReplayRuling",
    "compare",
    "past_calls",
    "sources",
]

"""What the agents write down of a session, read into our words.

transcript file  ->  Entries

Budget reads what was used, memory what was said, replay what was called: one reader for all.
"""

from .entries import Called, Entry, Prompted, Returned, Said, Used
from .read import Reading, read

__all__ = ["Called", "Entry", "Prompted", "Reading", "Returned", "Said", "Used", "read"]

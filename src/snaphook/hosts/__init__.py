"""One module per agent: its wire on one side, our words on the other."""

from .host import Call, Can, Host, Reply
from .table import HOSTS, host_named

__all__ = ["HOSTS", "Call", "Can", "Host", "Reply", "host_named"]

"""One module per agent: its wire on one side, our words on the other."""

from .host import Can, Host, HostCall, Reply
from .table import HOSTS, host_named

__all__ = ["HOSTS", "Can", "Host", "HostCall", "Reply", "host_named"]

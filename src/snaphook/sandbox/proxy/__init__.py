"""The proxy of ``network = "allowlist"``: the only route from a confined command's network.

names, HTTP, CONNECT, SOCKS, plain connections  ->  the list  ->  a connection outside, or a refusal

Started by the helper, once for each confined command, outside its network; the listeners are inside. It ends
when the last confined process has ended. Nothing of a name that is not allowed leaves the machine: names
are answered here with addresses of the loopback, and looked up only when an allowed one is connected to.
"""

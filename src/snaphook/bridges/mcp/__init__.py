"""What the MCP proxy is made of: messages, results, names, and the ends it stands between.

client  <->  messages  <->  server
"""

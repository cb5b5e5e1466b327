"""The resident process: one socket, frames in, frames out, reload, idle exit."""

"""Telling people what happened: a notice, the channels that carry it, and what if they do not."""

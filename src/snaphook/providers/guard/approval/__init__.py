"""Approval on proof: calls that the host need not ask a person about.

Judgement  ->  Proof  ->  allow, or no opinion
"""

"""The record as a trail for auditors: sealed, held, redacted, retained, proved, sent elsewhere."""

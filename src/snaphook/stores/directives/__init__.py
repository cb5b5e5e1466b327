"""What people said should hold from now on, project by project."""

from .directives import Directive, Directives

__all__ = ["Directive", "Directives"]

"""The vendors' models: everything here needs the ``agent`` extra, loaded where a model is asked."""

from .models import VendorModels, check_model, open_model

__all__ = ["VendorModels", "check_model", "open_model"]

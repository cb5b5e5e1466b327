"""Every kind of secret we know, as one table; the first rule that fits a place wins it.

From what vendors publish about their tokens. A rule is a line: its id, what it is, what gives it
away, what it looks like.
"""

from snaphook.scrub.rule import SecretRule

from .arguments import ARGUMENTS
from .cloud import CLOUD
from .code import CODE
from .flags import FLAGS
from .generic import GENERIC
from .models import MODELS
from .money import MONEY
from .more import MORE
from .people import PEOPLE
from .talk import TALK
from .watch import WATCH
from .work import WORK

RULES: tuple[SecretRule, ...] = (
    *MODELS,
    *CLOUD,
    *CODE,
    *MONEY,
    *TALK,
    *WATCH,
    *WORK,
    *PEOPLE,
    *MORE,
    *FLAGS,
    *ARGUMENTS,
    *GENERIC,
)

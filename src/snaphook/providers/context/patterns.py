"""The words by which a directive is told. Everything is compared in lower case, from a clause's start.

Tuned on one half of ``tests/corpus/directives``; the other half says how well it does.
"""

import re


def _any(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


def _either(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Return one expression for all of *patterns*; asking them one by one takes five times as long."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


SHORT_FORMS = re.compile(r"\b(you|we|they)'re\b")

_FROM_NOW = (
    r"(?:from now on|from here on|from this point on|going forward|moving forward|henceforth"
    r"|for (?:all )?future \w+|in (?:the )?future(?! (?:releases?|versions?|sprints?|iterations?))"
    r"|as of now|for the rest of th(?:e|is) (?:project|session))"
)
_MODAL = r"(?:must|should|shall|have to|need to|may|are to|ought to|can)"
_CODE = _any(
    "commits? commit\\smessages? pull\\srequests? prs? tests? functions? methods? class(?:es)? modules? "
    "files? comments? docs? docstrings? variables? identifiers? migrations? endpoints? branch(?:es)? "
    "scripts? dependenc(?:y|ies) imports? changes? code releases? names? types? tables? columns? "
    "quer(?:y|ies) strings? dates? responses? answers? repl(?:y|ies) secrets? components? templates? "
    "packages? versions? warnings? helpers? features? bug\\sfix(?:es)? todos? texts? errors?"
)
"""What rules of a team are about; what a product does is about something else."""

# 'never happened', 'always returns', 'always nice': told, not ordered.
_TOLD = (
    r"(?!"
    + _any(
        "been had has have was were is are be did does got seen heard known worked tried found came went "
        "saw made thought took gave told kept wrote said meant returns fails works liked wanted the a an "
        "on in at mind any this that same there anything nice good great glad happy fun on sure know need "
        "see get end forget lose hit struggle seem wonder"
    )
    + r"\b)(?!run into|find out|come across)(?!\w+[^eo]ed\b(?<!embed))(?!\w+[^sui]s\b)\w+"
)

HINT = re.compile(
    r"always|never|ever\b|n[o']t |dont |prefer|favou?r|avoid|refrain|stop |stick |must|should|shall|"
    r"\bno |nothing|nobody|only|allowed|rule|policy|convention|standard|want|like|remember|"
    r"keep |every|each |all |any |when|forward|from (?:now|here|this)|future|henceforth|as of now|"
    r"for the rest|let's|at all times|unless|further notice|no circumstances|make it|in this "
)
"""A sentence without any of these is no directive; most sentences end here."""

LEAD = re.compile(
    r"^(?:\W|(?:and|also|but|so|then|ok|okay|hey|hi|well|oh|thanks|btw|fyi|please|pls|note|important|"
    r"reminder|rule|new rule|the rule|attention|warning|claude|agent|assistant|team|just|finally|"
    r"in general|generally|one more thing|be careful)\b[\s,:!-]*)*"
)
"""Words that only lead in."""
JOINT = re.compile(
    r"[,;:–—]\s+(?:and |but |so |then |also )?|\s+(?:and|but)\s+(?:please\s+|also\s+|then\s+)?"
)
REPORTED = re.compile(
    r"\b(?:said|says?|told|tells?|states?|claims?|according|wrote|writes?|rewrite|mentions?|argues?|"
    r"suggests?|recommends?|reads|explain|translate|summari[sz]e|proofread|generate|create|implement|"
    r"add|update|make|refactor|called|labell?ed|slogan|requirement|criteria|given|as a \w+|"
    r"because|why|that|which|"
    r"where|while)\b"
)
"""Before a joint, these make what follows somebody else's words, or a task."""
PASSING = re.compile(
    r"\b(?:for now|this time|this once|just once|for the moment|right now|today|tonight|tomorrow|"
    r"until (?:i|we|\w+day)|yet|this one|for a moment|temporarily|for this (?:change|task|pr|fix))\b"
    r"|\bnow[.!]?$"
)
THEN_A_TASK = re.compile(
    r"[,:;.]\s*(?:\w+ )?(?:implement|fix|find out|model|check|write|clean) (?:it|that|this|why|the|a)\b"
)
ASKED_FOR = re.compile(r"(?:can|could|would|will) you (?:please )?(?:always|never|from now on)\b")
"""A question that is a wish."""

LASTING = re.compile(
    rf"\b{_FROM_NOW}\b|\b(?:at all times|unless i (?:say|tell|ask)|until further notice)\b"
    r"|,\s*(?:always|ever|every time|each time)[.!]*$"
)
DESCRIBES = re.compile(
    rf"^(?:{_FROM_NOW},? )?(?:the|this|that|it|there|make (?:the|it|this)|let the|we (?:might|may|will|"
    r"could|plan)|i|they|he|she|users?)\b"
    r"(?!.*\b(?:must|should|shall|want|'d like|would like|need to|has to|have to)\b)"
    r"|^(?:going|moving) forward (?:in|by|\w+ frames)"
)
PARTICULAR = re.compile(
    r"\b(?:this|these|those) (?!project|repo|codebase|way)\w+|\b(?:it|this|that)[.!]?$"
    r"|\bthat (?:file|function|line|one|test|method|class|module|branch|pr|part|thing)\b"
    r"|\b[\w-]+\.(?:py|js|ts|tsx|c|go|rs|java|rb|css|html|json|ya?ml|toml|txt|sh)\b"
    r"|\b(?:issue|line|row|pr|step|option|version) #?\d"
    r"|\b(?:all|the) (?:two|three|four|five|first|second|last|latter)\b"
    r"|, (?:just|only)\b|, it (?:breaks|fails|is)\b"
)

STRONG = _either(
    (
        # Always run the tests. Never, ever push to main.
        rf"(?:always|never)(?:[,\s]+(?:always|ever|under any circumstances|please))*,?\s+{_TOLD}",
        rf"never\. |under no circumstances (?:{_MODAL}|do)\b",
        # You must never, you are not allowed to, nobody may ever …
        rf"(?:you|we|everyone|nobody) {_MODAL} (?:always|never|not|only|prefer|ever)\b(?! be sure| have\b)",
        r"(?:you|we) (?:mustn't|shouldn't|(?:are|'re) not (?:allowed|supposed) to)\b",
        rf"you {_MODAL} .*\b(?:always|never|every time)\b(?! be sure)",
        # We never deploy on Fridays. Let's always …
        rf"we (?:always|never) {_TOLD}",
        r"let's (?:always|never|agree)\b",
        r"we (?:don't|do not|only) (?:use|write|commit|push|merge|allow|deploy|support|add|import|ship)\b",
        (
            r"(?:we|i) (?:always |generally |usually |strongly )?prefer "
            r"(?!to\b|not\b|option|the\b|this|that|number|"
            r"your|a\b|an\b)"
        ),
        r"our (?:\w+ )?(?:convention|rule|policy|standard) is\b",
        # Make sure you never …, it would be great if you always …, I want you to always …
        (
            r"(?:make sure|ensure|be sure|try|remember|it(?:'s| is) (?:important|essential|crucial|vital))\b"
            r".*\b(?:you|to) (?:always|never|not)\b"
        ),
        r"it would be \w+ if you (?:always|never)\b",
        r"i(?:'d| would)? (?:want|like|need) you to\b.*\b(?:always|never|not)\b",
        r"i (?:never|always) want (?!to (?!see))|i (?:don't|do not) want (?:you to|any)\b",
        # From now on, …
        (
            rf"{_FROM_NOW}[,:]? "
            r"(?!the\b|it\b|there\b|is\b|was\b|in\b|by\b|until\b|\w+ frames|we (?:might|plan))\w+"
        ),
    )
)
"""Orders that say themselves that they last."""

BARE = _either(
    (
        r"(?:do not|don't|dont)(?: ever)? (?!"
        + _any(
            "you we they these those i think know worry bother forget hesitate stop mind start be merge "
            "answer wait panic"
        )
        + r"\b|\w+ (?:it|this|that|me|the \w+[.!]?$))\w+(?!.*\b(?:here|there|until|for that)\b)",
        r"(?:prefer|favou?r) (?!is\b|are\b|to\b|the\b|option)\w+",
        r"(?:avoid|refrain from) (?!the\b|this\b|that\b|it\b|a\b|an\b)\w+",
        r"stop \w+ing (?!to me\b|please\b)\w+",
        r"stick (?:with|to) (?!me\b|it\b|the \w+[.!]?$)\w+",
        # No emojis in commit messages. No default exports, please.
        r"no (?:more )?(?!"
        + _any(
            "idea problem worries luck need one doubt rush thanks news way tests?\\swere errors?\\sin"
        )
        + r"\b)\w+(?: \w+){0,2} (?:in|on|without|for|per|from|than|ever)\b",
        r"no \w+(?: \w+)?, (?:ever|please)\b",
        r"nothing (?:gets|goes|is) .*\bever\b",
        # Every public function must …, tests must never …, secrets never go …
        (
            rf"(?:all|every|each|any|no) (?:[\w-]+ ){{0,2}}{_CODE} "
            r"(?:must|should|has to|have to|needs?(?: to)?)\b"
            r"(?! have been| be listed)"
        ),
        rf"(?:[\w-]+ )?{_CODE} (?:must|should)(?:n't| not| always| never)\b(?! have been)",
        rf"{_CODE} (?:never|always) (?:go|goes|belong)\b",
        # Before each commit, … Whenever you add a dependency, … When writing docs, …
        r"(?:before|after) (?:each|every|any) (?!of\b)\w+(?: \w+){0,2}, (?!the\b|it\b|i\b)",
        (
            r"(?:whenever|every time|each time|when) (?:you|possible|in doubt|\w+ing)\b"
            r"(?! are (?:done|finished|ready)| have time)[^,]*, (?!the\b|it\b|i\b|there\b)\w+"
        ),
        r"whenever an? [^,]*, (?!the\b|it\b|i\b|there\b)\w+ (?:it|them|and)\b",
        r"remember(?::| that| to)",
        r"(?:use|write|add|put|run)\b.*\b(?:for|in|with) (?:all|every|each|any) (?!of\b|the\b)",
        r"(?:for [^,]+, )?(?:use|write|put|run|do|work|answer|respond)\b.*\beverywhere\b",
        r".*\bin (?:all|each|every) (?:of )?(?:your|my) \w+",
        (
            r"keep (?:your|all|each|every|functions|commits|methods|files|the public)\b.*"
            r"\b(?:under|below|within|short|small|brief|at most|compatible)\b"
        ),
        r"make it a (?:habit|rule)\b",
        r"make sure (?:that )?(?:all|every|each|any) (?:new|future)\b",
        r"in this (?:project|repo|repository|codebase),? (?:we |you |always |never |use |don't )",
    )
)
"""Orders as such; they last unless they are about something in particular."""

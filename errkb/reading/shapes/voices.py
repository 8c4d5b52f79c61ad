"""Whose words a line is: a person's, who writes about an error, or a program's, which explains its message."""

from errkb.lazy_regex import lazy
from errkb.reading.shape import Shape, any_of


def _words(name: str, words: str, example: str) -> Shape:
    """A row for lines that begin with one of the words, which a bar divides."""
    return Shape(name, tuple(words.split("|")), rf"\s*(?:{words})\b", example)


PERSONS = (
    Shape("first person", ("i", "I", "my"), r"(?:^|.*[,.] )i\b|.*\b(?:I|I'm|I've|my)\b", "then I tried it"),
    Shape("thanks", ("anyone", "hanks"), r".*\b(?:anyone|[Tt]hanks)\b", "Thanks for any help"),
    Shape(
        "question, cry or smile",
        ("?", "!!", ":)", ":(", ":D"),
        r".*(?:\?|!!|:[)(D][)(D]{0,20})\s*$",
        "is that right?",
    ),
    _words(
        "word of a story",
        "How|What|Why|Any|Here|Then|After|Before|Steps|However|But|Not sure|Only|Strangely|Even though|Even if"
        "|Even after|Even when|Although|Though|Because|Since|While|Also|So|Should|Shouldn't|Looks like|Seems"
        "|Solution|Workaround|Actual behavior|Actual behaviour|Current behavior|Expected behavior|Expected behaviour",
        "After that it worked",
    ),
    Shape(
        "what was expected",
        ("Expected",),
        r"\s*Expected\b(?! \w+:|:|.{1,200}\bgot\b)",
        "Expected a list of names",
    ),
    Shape(
        "talk of this error",
        ("rror", "roblem", "ssue", "xception", "raceback", "arning", "essage"),
        r"\s*(?!If you got )(?:When |If |In |To |[Yy]ou |[Tt]he |[Tt]his )(?:.{0,200}\b)?"
        r"(?:this|these|the above|the same|similar|following) (?:\(or similar\) )?"
        r"(?:error|problem|issue|exception|traceback|warning|message)",
        "If you see this error on Windows",
    ),
    Shape(
        "talk of the error",
        ("rror", "roblem", "ssue", "xception", "ause"),
        r"\s*(?:When |If |In |To |[Yy]ou |[Tt]he |[Tt]his )(?:.{0,200}\b)?(?:error|problem|issue|exception|cause) "
        r"(?:is|was|occurs?|happens?|can|seems|appears|will|typically|means|has|comes|indicates?|suggests?|arises?"
        r"|might|may|could)\b",
        "The error occurs on Windows",
    ),
    Shape(
        "talk of a cure",
        ("resolve ", "fix ", "solve ", "avoid "),
        r"\s*(?:When |If |In |To |[Yy]ou |[Tt]he |[Tt]his )(?:.{0,200}\b)?"
        r"(?:resolve|fix|solve|avoid) (?:this|the|it)\b",
        "To fix this, draw again",
    ),
    Shape(
        "what works",
        (
            "work",
            "happens ",
            "behave",
            "doesn't seem",
            "help me",
            "no idea",
            "last ",
            "fixed",
            "an issue",
            "means",
            "seems",
        ),
        r".*\b(?:happens (?:with|on|only|in|for|every|also)|works? (?:fine|well|with|on|as|for|without|just)|behaves?"
        r"|doesn't seem|help me|no idea|last (?:week|month)|can be fixed|is not an issue|means only|it seems)\b",
        "It works fine on Linux",
    ),
)
"""What shows that a person writes about an error."""

BELOW = (
    Shape(
        "remark on the message",
        ("This ",),
        r"\s*This (?:happens|occurs|comes from|is because|is due to|is defined|is(?:n't|n’t| not) an?|was)\b",
        "This happens because of the order",
    ),
    Shape(
        "circumstance",
        ("If ", "When ", "With "),
        r"\s*(?:If|When|With) (?:using|running|setting|trying|[iI])\b",
        "When using another order",
    ),
    Shape(
        "place in the code",
        ("From ", "In ", "At "),
        r"\s*(?:From|In|At) (?:this |the )?(?:line|file|code)s?(?: \d{1,9})?:\s*$",
        "From line:",
    ),
    Shape("suggestion", ("Something like",), r"\s*Something like\b", "Something like this might do"),
)
"""What shows that a line below a message is a person's."""

RIGHT_BELOW = (
    Shape(
        "announcement",
        (":",),
        r"\s*(?!Please )(?:[A-Za-z]{1,30} ){2,12}(?!errors?:)[a-z]{1,30}:\s*$",
        "and the query is the next one:",
    ),
)
"""What shows it of the first line below a message; further down, messages announce parts of their own."""

PLEAS = (
    Shape(
        "plea",
        ("Please ",),
        r"\s*Please (?:let me|help|see the|could|can|advise|guide|suggest|share|tell)\b",
        "Please let me know",
    ),
)
"""What persons ask of others below a message, though programs say please, too."""

ORDERS = (
    _words(
        "order", "Set|Run|Install|Add|Use|Using|Check|Try|Pass|Specify|Read|Visit|Update|Upgrade|Change", "Set the host"
    ),
)
"""What persons tell others to do below a title, and programs below a message."""

PROGRAMS = (
    Shape("item", ("*", "-", ".", ")"), r"\s*(?:[*-]|\d{1,2}[.)])", "1. the seed"),
    *ORDERS,
    _words(
        "advice",
        "Please|You can|You must|You should|You may|You might|You need|You are|You have|Your|Make sure|Ensure|If|Unless"
        "|To|See|Consider|Either|Alternatively|Otherwise|Consult|Refer|Learn|Did|Perhaps|Maybe|Possibly|Possible|Compile",
        "Make sure that the seed is set",
    ),
    _words(
        "note",
        "Note|NOTE|For more|For further|For details|For help|For debugging|Hint|HINT|Tip|Suggestion|Suggested|Details"
        "|Reason|Error|Full|Original|More",
        "For more details see the log",
    ),
    Shape("what is so", ("The ",), r"\s*The (?!above)\b", "The seed was not set"),
    _words(
        "what is so or was found",
        "This|That|These|It is|It looks|It seems|It may|It might|It appears|It can|There|A|An|In|On|At|Most|Common|Some"
        "|All|Each|Device|Available|Valid|Known|Supported|Allowed|Expected|Got|Found",
        "Valid seeds are 1 and 2",
    ),
    _words("what failed", "Cannot|Could not|Unable|Failed|Access", "Cannot open the file"),
    Shape(
        "what failed, further on",
        ("failed", "ot ound", "ot Found", "ot found", "must be", "cannot be"),
        r"\s*.{0,200}\b(?:failed|[Nn]ot [Ff]ound|must be|cannot be)\b",
        "Importing the extension failed",
    ),
)
"""How the paragraphs begin that programs write below their messages."""

LETTER_OF_OTHER_SCRIPT = lazy(r"[\u0400-\u04ff\u0600-\u06ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
IS_PERSONS = any_of(PERSONS)
IS_BELOW = any_of(BELOW)
IS_RIGHT_BELOW = any_of(RIGHT_BELOW)
IS_PLEA = any_of(PLEAS)
IS_ORDER = any_of(ORDERS)
IS_PROGRAMS = any_of(PROGRAMS)

"""What shows that a text is carried by something: rows whose hints open the passes of the pipeline."""

from errkb.reading.shape import Shape

ENTITIES = Shape("page's source", ("&quot;", "&#", "&lt;"), r"&(?:quot|lt);|&#", "&quot;")
QUOTE = Shape("quoted mail", (">",), r"\s*>", "> ValueError: x")
BOX = Shape("drawn box", tuple("│┃║"), r"\s*[│┃║]", "│ ValueError: x │")
RECORDS = (
    Shape("escaped text", ("\\",), r".*\\", '"a\\nb"'),
    Shape("object", ('{"',), r'.*\{"', '{"message": "x"}'),
    Shape("key", ('": "',), r'.*": "', '"message": "x"'),
    Shape("key of a script's object", ("evalue: ", "exc_value: "), r".*(?:evalue|exc_value): ", "evalue: 'x',"),
)
"""Records in JSON, and quoted text with escapes."""
FENCE = Shape("fence", ("```",), r".*```", "```")
CLASS_OBJECT = Shape("class object", ("<class", "<type"), r".*<(?:class|type) ", "<class 'app.Error'>")

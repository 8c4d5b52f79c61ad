"""The digest that ids and proofs are named by.

hashlib loads OpenSSL, which takes longer than most of errkb; the standard library's own `random`
goes past it in the same way.
"""

try:
    from _sha2 import sha256  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found, unused-ignore]  # Python 3.11
    except ImportError:
        from hashlib import sha256


def digest(text: str) -> str:
    """The first 16 hex digits of the SHA-256 of a text in UTF-8; half a surrogate pair is text too."""
    hexadecimal: str = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return hexadecimal[:16]

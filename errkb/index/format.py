"""What the builder writes and the index reads."""

import struct

PLACE = struct.Struct("<HxxIQIf")
"""Of a record: number of its file, length and offset of its JSON there, its CRC-32, its literal weight."""
INSIDE = 0xFFFF
"""File number of a record whose JSON lies in the index itself, since its file is compressed."""
UNSPECIFIC_WEIGHT = 0.5
"""A pattern of less literal weight than this is unspecific: it would match every other line."""
MOST_UNSPECIFIC = 64
"""Unspecific records that are kept for one class, the heaviest first."""
MOST_LISTED = 100
"""Records that hold one rare word or pair; what more hold says too little when likeness is looked for."""

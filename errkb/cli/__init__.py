"""The command line: one module per command, each parses, calls and prints.

Exit status: 0 found or valid, 1 nothing found or invalid, 2 wrong use or unreadable input.
"""

import gc
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and leave with its exit status."""
    gc.disable()  # importing makes no garbage, and looking for some takes a tenth of a quick answer
    from errkb.cli.fast_json import quick_answer

    status = quick_answer(sys.argv[1:])
    if status is None:
        from errkb.cli.group import run

        gc.enable()
        status = run()
    sys.exit(status)

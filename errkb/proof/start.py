"""What the tried interpreter does first: it gives up the network, limits itself, and becomes the example.

Run as a file by whatever Python is to be tried, so it needs nothing of errkb and nothing newer
than Python 3.8:

    python -I -S start.py MEMORY_BYTES CPU_SECONDS SCRIPT      python -I -S start.py --probe

The probe ends with 0 if the network can be given up. On Linux that is a network of its own with
nothing but a loopback device; elsewhere, or where user namespaces are forbidden, there is no such
thing, and the example runs with the network there is. Limits are those that the system knows.
"""

import contextlib
import os
import socket
import struct
import sys

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
_LARGEST_FILE = 256 * 1024 * 1024


def give_up_network() -> bool:
    """Whether this process has a network of its own now, with loopback only."""
    if sys.platform != "linux":
        return False
    user, group = os.getuid(), os.getgid()
    try:
        import ctypes

        if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NETWORK) != 0:
            return False
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123  # keeps the start short
                file.write(text)
        _raise_loopback()
    except (ImportError, OSError, AttributeError):
        return False
    return True


def _raise_loopback() -> None:
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(device, _GET_FLAGS, request))[1]
        fcntl.ioctl(device, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))


def limit(memory: int, seconds: int) -> None:
    """Limits of address space, processor time and sizes of files, as far as the system has them."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    if sys.argv[1] == "--probe":
        sys.exit(0 if give_up_network() else 1)
    give_up_network()
    limit(int(sys.argv[1]), int(sys.argv[2]))
    os.execv(sys.executable, [sys.executable, "-I", sys.argv[3]])  # noqa: S606  # no shell is wanted

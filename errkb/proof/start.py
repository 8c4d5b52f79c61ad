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
import signal
import socket
import struct
import sys

_NEW_USER, _NEW_NETWORK, _NEW_PROCESSES = 0x10000000, 0x40000000, 0x20000000
_END_WITH_PARENT = 1
_SIGNALLED = 128
"""What is added to a signal's number in the status of a process that a signal ended.

A status above 128 that an example gives itself is taken for a signal, as shells do.
"""
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
_LARGEST_FILE = 256 * 1024 * 1024


def give_up_network() -> bool:
    """Whether this process has a network of its own now, with loopback only, and its children end with it."""
    if sys.platform != "linux":
        return False
    user, group = os.getuid(), os.getgid()
    try:
        import ctypes

        system = ctypes.CDLL(None, use_errno=True)
        if system.unshare(_NEW_USER | _NEW_NETWORK | _NEW_PROCESSES) != 0:
            return False
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123  # keeps the start short
                file.write(text)
        _raise_loopback()
    except (ImportError, OSError, AttributeError):
        return False
    return True


def become_first_process() -> None:
    """Go on as a child of the first process of the new space: when that ends, the system ends all in it.

    So nothing outlives the example, not even what left its session. The first process only waits: signals
    do not reach a first process as they reach others.
    """
    import ctypes

    end_with_parent = ctypes.CDLL(None, use_errno=True).prctl
    for is_first in (True, False):
        child = os.fork()
        if child:
            _end_as(_waited_for(child), through_signal=is_first)
        end_with_parent(_END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def _waited_for(child: int) -> int:
    while True:  # the first process is given all that lost its parent
        ended, status = os.wait()
        if ended == child:
            return status


def _end_as(status: int, *, through_signal: bool) -> None:
    """End as a child did; the first process, which signals do not end, with 128 and the signal's number."""
    if os.WIFEXITED(status):
        code = os.WEXITSTATUS(status)
        if through_signal and code > _SIGNALLED:
            _end_by(code - _SIGNALLED)
        os._exit(code)
    number = os.WTERMSIG(status)
    if through_signal:
        _end_by(number)
    os._exit(_SIGNALLED + number)


def _end_by(number: int) -> None:
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


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
    alone = give_up_network()
    limit(int(sys.argv[1]), int(sys.argv[2]))
    if alone:
        become_first_process()
    os.execv(sys.executable, [sys.executable, "-I", sys.argv[3]])  # noqa: S606  # no shell is wanted

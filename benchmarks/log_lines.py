"""Ordinary log lines, made from some hundred shapes and seeded values: none reports a known error.

python benchmarks/log_lines.py [COUNT] [SEED]      # prints them
"""

import random
import sys
from collections.abc import Iterator

SHAPES = """\
INFO:     {ip}:{port} - "GET {path} HTTP/1.1" {ok} OK
INFO:     Started server process [{n}]
INFO:     Application startup complete.
INFO:     Uvicorn running on http://0.0.0.0:{port} (Press CTRL+C to quit)
{ts} INFO {mod} Loaded {n} {things} from {path}
{ts} DEBUG {mod} cache hit for key {id}
{ts} WARNING {mod} slow query: {f}s for {things}
{ts} [info     ] request handled [{mod}] duration={f} status={ok}
[{ts}: INFO/MainProcess] Task {mod}.{verb} [{uuid}] received
[{ts}: INFO/ForkPoolWorker-{d}] Task {mod}.{verb} [{uuid}] succeeded in {f}s: None
[{ts}: WARNING/MainProcess] the queue {name} has {n} messages waiting
{ip} - - [{ts}] "POST {path} HTTP/1.1" {ok} {n} "-" "Mozilla/5.0"
{ip} - - [{ts}] "GET {path} HTTP/1.1" 404 {n}
Epoch {d}/{dd}: {pct}%|####      | {n}/{nn} [00:{dd}<00:{dd}, {f}it/s, loss={f}]
Epoch {d}: val_loss improved from {f} to {f}, saving model to {path}
step {n} | loss {f} | lr {f} | grad norm {f} | {n} tokens/s
INFO {ts} [loggers.py:{n}] Engine 000: Avg prompt throughput: {f} tokens/s, Running: {d} reqs, Waiting: {d} reqs
INFO {ts} [gpu_model_runner.py:{n}] Model loading took {f} GiB and {f} seconds
(EngineCore pid={n}) INFO {ts} [kv_cache_utils.py:{n}] GPU KV cache size: {n} tokens
Loading checkpoint shards: {pct}%|###   | {d}/{dd} [00:{dd}<00:{dd}, {f}s/it]
Downloading {name}: {pct}% {f}MB/s eta 0:00:{dd}
Collecting {name}=={v}
  Downloading {name}-{v}-py3-none-any.whl ({n} kB)
Requirement already satisfied: {name}>={v} in ./lib/python3.11/site-packages ({v})
Successfully installed {name}-{v} {name}-{v}
Building wheel for {name} (pyproject.toml): finished with status 'done'
tests/{mod}.py::test_{verb}_{things} PASSED                    [ {pct}%]
tests/{mod}.py .......s....                                  [ {pct}%]
====== {n} passed, {d} skipped in {f}s ======
collected {n} items / {d} deselected
{ts} LOG:  checkpoint complete: wrote {n} buffers ({f}%); write={f} s, sync={f} s
{ts} UTC [{n}] LOG:  database system is ready to accept connections
{ts} UTC [{n}] LOG:  automatic vacuum of table "{name}.public.{things}": index scans: {d}
{n}:M {ts} * Background saving started by pid {n}
{n}:M {ts} * DB saved on disk
{ts} systemd[1]: Started {name}.service - The {name} service.
{ts} systemd[1]: {name}.service: Consumed {f}s CPU time.
{ts} kernel: [{f}] eth0: renamed from veth{n}
{ts} kernel: [{f}] usb {d}-{d}: new high-speed USB device number {d} using xhci_hcd
{ts} CRON[{n}]: (root) CMD (test -x /usr/sbin/{name})
{ts} sshd[{n}]: Accepted publickey for {name} from {ip} port {port} ssh2
{ts} dockerd[{n}]: time="{ts}" level=info msg="ignoring event" container={id} module=libcontainerd
{name}_1  | {ts} {mod}: {n} {things} processed
{"ts": "{ts}", "level": "info", "logger": "{mod}", "message": "{verb} finished", "took": {f}}
time="{ts}" level=info msg="Created {d} configurations"
I{n} {f} {n} {mod}.cc:{n}] {verb} {things}: {n}
{ts} {mod} - INFO - {verb} {things} ({n} of {nn})
{ts} - {mod} - DEBUG - payload {id} has {n} bytes
{ts} - {mod} - ERROR - the nightly {name} of {things} did not finish before {ts}, see runbook {d}
{ts} - {mod} - ERROR - customer {id}: {verb} of {things} rejected by {name}, ticket {n}
{ts} - {mod} - CRITICAL - disk {name} on rack {d} is at {pct} percent
{ts} ERROR {mod}: {n} of {nn} {things} were skipped because column '{name}' was empty
WARNING: {n} {things} were skipped
ERROR {name}: could not {verb} {things} of {name} for tenant {id}
Error: the {name} export did not finish before the freeze window
Warning: {d} rows without {name} were dropped from {path}
AssertionError: expected {d} {things} for tenant {name}, got {dd}
{name}.{mod}.errors.LockedError: {things} {id} is locked by job {name}
ValueError: {name} refused batch {n} of {things}
RuntimeError: warehouse {name} refused {things} {id}
KeyError: '{name}'
Exception: please ask {name} before re-running {verb}
retrying {verb} of {things} in {d} seconds (attempt {d} of {dd})
connection from {ip}:{port} established
connection to {ip} closed by peer after {f}s
worker {d} ready, {n} {things} queued
user {name} logged in from {ip}
user {name} uploaded {path} ({n} bytes)
mail to {name}@example.org accepted for delivery
backup of {name} finished in {f} s, {n} files, {f} GB
GC (young) pause {f}ms, heap {n}M->{n}M
[{ts}] {mod}: [INFO] Step {d}: done tracing
npm notice New minor version of npm available! {v} -> {v}
added {n} packages, and audited {nn} packages in {d}s
webpack {v} compiled with {d} warnings in {n} ms
> {name}@{v} build
remote: Counting objects: {pct}% ({n}/{nn}), done.
 {n} files changed, {n} insertions(+), {n} deletions(-)
[main {id}] {verb} {things}
HEAD is now at {id} {verb} {things}
make: Nothing to be done for '{verb}'.
gcc -O2 -c -o {name}.o {name}.c
-- Configuring done ({f}s)
[{pct}%] Building CXX object CMakeFiles/{name}.dir/{mod}.cpp.o
#{d} [{d}/{dd}] RUN pip install -r requirements.txt
 ---> Using cache
Status: Downloaded newer image for {name}:{v}
pod/{name}-{id} created
deployment.apps/{name} configured
{name}   {d}/{d}     Running   0          {n}m
Normal  Pulled  {n}s  kubelet  Container image "{name}:{v}" already present on machine
terraform: Apply complete! Resources: {d} added, {d} changed, {d} destroyed.
upload: ./{path} to s3://{name}/{path}
Completed {f} MiB/{f} MiB ({f} MiB/s) with {d} file(s) remaining
{name}=# SELECT count(*) FROM {things};
(venv) {name}@host:~$ python {mod}.py --{verb} {n}
>>> len({things})
Out[{d}]: {n}
In [{d}]: {name} = {verb}({n})
   {name}     {things}  {f}  {f}
{ts} TRACE {mod} enter {verb} {things}={n}
Thank you for using {name} {v}. Documentation: https://example.org/{path}
all is well
nothing to commit, working tree clean
done.
OK
{n}
""".splitlines()
WORDS = {
    "name": [
        "alpha",
        "billing",
        "carrier",
        "delta",
        "ember",
        "falcon",
        "garnet",
        "harbor",
        "ivory",
        "juniper",
        "kelp",
        "lumen",
        "meadow",
        "nickel",
        "orchid",
    ],
    "things": [
        "invoices",
        "rows",
        "users",
        "orders",
        "tokens",
        "batches",
        "images",
        "shards",
        "events",
        "sessions",
        "reports",
        "tickets",
        "parcels",
    ],
    "verb": [
        "sync",
        "export",
        "import",
        "rebuild",
        "refresh",
        "compact",
        "archive",
        "rotate",
        "publish",
        "index",
        "collect",
        "resize",
    ],
    "mod": [
        "app.jobs",
        "billing.sync",
        "core",
        "store.cache",
        "pipeline",
        "web.views",
        "scheduler",
        "ingest.reader",
        "metrics",
    ],
    "path": [
        "/api/v1/items",
        "/srv/data/in.csv",
        "/healthz",
        "/static/app.css",
        "/var/lib/app/state.db",
        "/users/42",
        "out/report.pdf",
    ],
    "v": ["1.2.3", "0.9.1", "2.0.0", "3.11.4", "24.1", "5.2.1"],
    "ok": ["200", "201", "204", "304"],
    "ts": [
        "2026-03-14 09:26:53,589",
        "2026-03-14T09:26:53Z",
        "Mar 14 09:26:53",
        "03-14 09:26:53",
        "14/Mar/2026 09:26:53",
    ],
}


def log_lines(count: int, seed: int = 7) -> Iterator[str]:
    """`count` lines, the same for the same seed."""
    rng = random.Random(seed)

    def value(name: str) -> str:
        match name:
            case "d":
                return str(rng.randrange(1, 10))
            case "dd":
                return str(rng.randrange(10, 60))
            case "n" | "nn":
                return str(rng.randrange(1, 100_000))
            case "port":
                return str(rng.randrange(1024, 65_536))
            case "pct":
                return str(rng.randrange(1, 101))
            case "f":
                return f"{rng.random() * 10 ** rng.randrange(0, 4):.3f}"
            case "ip":
                return ".".join(str(rng.randrange(1, 255)) for _ in range(4))
            case "id":
                return f"{rng.getrandbits(40):010x}"
            case "uuid":
                return f"{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}-4abc-8def-{rng.getrandbits(48):012x}"
        return rng.choice(WORDS[name])

    names = (
        "name",
        "things",
        "verb",
        "mod",
        "path",
        "port",
        "pct",
        "uuid",
        "dd",
        "nn",
        "ok",
        "ts",
        "ip",
        "id",
        "d",
        "n",
        "f",
        "v",
    )
    for _ in range(count):
        line = rng.choice(SHAPES)
        for name in names:
            while "{" + name + "}" in line:
                line = line.replace("{" + name + "}", value(name), 1)
        yield line


if __name__ == "__main__":
    count, seed = [*map(int, sys.argv[1:3]), 20_000, 7][:2] if len(sys.argv) != 2 else (int(sys.argv[1]), 7)
    sys.stdout.writelines(line + "\n" for line in log_lines(count, seed))

#!/usr/bin/env bash
# What continuous integration asks of the proofs: none is stale or missing, and a sample of the records
# whose packages install in seconds is proven again. The number is how many; `all` is for every record.
#
#     scripts/check_proofs.sh [NUMBER|all]
set -euo pipefail
cd "$(dirname "$0")/.."
quick=(python/cpython pydantic/pydantic pytest-dev/pytest psf/requests urllib3/urllib3 django/django sqlalchemy/sqlalchemy)

errkb prove --check
if [ "${1:-20}" = all ]; then
    errkb prove --no-save
else
    errkb prove --no-save --sample "${1:-20}" "${quick[@]}"
fi
errkb stats

#!/usr/bin/env bash
# From nothing to the table of docs/benchmarks.md: runs/locomo.sh DATA.json [OUT-FOLDER]
# DATA.json is a file in LoCoMo's published format; it is not part of this repository.
set -euo pipefail
data=$(realpath "${1:?usage: runs/locomo.sh DATA.json [OUT-FOLDER]}")
out=${2:-bench-out}
cd "$(dirname "$0")/.."
make .venv/develops
mkdir -p "$out"
.venv/bin/inscape bench locomo --data "$data" --lines "$out/locomo.jsonl" --json "$out/locomo.json" --chart "$out/locomo.png"

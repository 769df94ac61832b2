#!/bin/sh
# Previews a stack, writes the report as a comment and as a page, and gives the exit code of the gates.
#
# usage: preview.sh <stack> <folder for the results> [gate,...]
#   0 no gate is reached, 1 a gate is reached, 2 the preview or the report failed
set -eu
stack=$1
results=$2
gates=${3:-interrupts,address-released,violations}
limit=${COMMENT_LIMIT:-65536}

mkdir -p "$results"
# A refused change fails the preview: its document says why, and is kept for the pipeline's log.
if ! pulumi preview --stack "$stack" --non-interactive --json --show-sames >"$results/preview.json"; then
    cat "$results/preview.json" >&2
    exit 2
fi
npx --no-install ack-loadbalancer report "$results/preview.json" --format html --output "$results/report.html"
npx --no-install ack-loadbalancer report "$results/preview.json" --format markdown --max-characters "$limit" \
    --fail-on "$gates" --output "$results/comment.md"

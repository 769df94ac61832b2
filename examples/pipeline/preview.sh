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
# With a kubeconfig, nodes and pods stand with their names.
report() {
    npx --no-install ack-loadbalancer report "$results/preview.json" ${KUBECONFIG:+--kubeconfig "$KUBECONFIG"} "$@"
}

# A refused change fails the preview: its document says why, in the pipeline's log and in the comment.
failed=no
pulumi preview --stack "$stack" --non-interactive --json --show-sames >"$results/preview.json" || failed=yes
if [ "$failed" = yes ]; then
    cat "$results/preview.json" >&2
    gates=
fi
report --format html --output "$results/report.html"
report --format markdown --max-characters "$limit" ${gates:+--fail-on "$gates"} --output "$results/comment.md"
[ "$failed" = no ] || exit 2

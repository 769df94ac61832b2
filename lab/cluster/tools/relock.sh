#!/bin/sh
# For maintainers: writes go.mod and go.sum anew for the versions below. Everybody else builds with
# -mod=readonly, so what runs is what was reviewed. `git diff` afterwards shows what moved.
#
#   KUBERNETES=v1.36.3 KWOK=v0.8.0 lab/cluster/tools/relock.sh
set -eu
cd "$(dirname "$0")"
kubernetes=${KUBERNETES:-v1.36.3}
kwok=${KWOK:-v0.8.0}
staging=v0.${kubernetes#v1.}
export GOTOOLCHAIN=local GOWORK=off GOFLAGS=

# k8s.io/kubernetes requires its own libraries at v0.0.0 and replaces them by folders of its repository. Go ignores
# the replace lines of a dependency, so each is repeated here with the library's published version.
gomod=$(cd / && go mod download -json "k8s.io/kubernetes@$kubernetes" | sed -n 's/^[[:space:]]*"GoMod": "\(.*\)",*$/\1/p')
replaces=$(sed -n "s#^[[:space:]]*\(k8s.io/[a-z0-9-]*\) => \./staging/src/.*#	\1 => \1 $staging#p" "$gomod")
test -n "$replaces" || { echo "relock: no staging modules found in $gomod" >&2; exit 1; }

rm -f go.sum
cat > go.mod <<END
module ack-loadbalancer/lab/cluster/tools

$(sed -n '/^go /p' "$gomod")

tool (
	go.etcd.io/etcd/server/v3
	k8s.io/kubernetes/cmd/kube-apiserver
	k8s.io/kubernetes/cmd/kube-controller-manager
	k8s.io/kubernetes/cmd/kube-scheduler
	k8s.io/kubernetes/cmd/kubectl
	sigs.k8s.io/kwok/cmd/kwok
)

require (
	k8s.io/kubernetes $kubernetes
	sigs.k8s.io/kwok $kwok
)

replace (
$replaces
)
END
go mod tidy

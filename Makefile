# Everything a fresh machine needs: Node >= 20, npm, Go >= 1.26, make, git. The project's own Node 24 comes from npm.
SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NODE_COMPILE_CACHE := $(CURDIR)/dist/.compile-cache
SOURCES := $(shell find provider components policies cli lab tools bench test examples -name '*.ts' 2>/dev/null)

FORMATTED := provider components policies cli lab tools bench test examples

.PHONY: help setup build tools browser screenshots demo sync-demo migrate-demo test specs unit e2e report-check lab conformance parity bench-calls bench-scale bench-waves bench-sync crash-table engine-kills record-state fuzz walk docs format layout lint pack-check clean

help:
	@echo "make demo    the whole way once, on a lab that it starts: preview, up, scale, drift, refusal, destroy; then sync-demo"
	@echo "make sync-demo   what the sync controller does between runs, on a lab: scale, node, rollout, console edit"
	@echo "make migrate-demo   a Service comes from the Cloud Controller Manager with its load balancer, and goes back, on a lab"
	@echo "make test    every test; SHARD=1/3 for one machine of three"
	@echo "make specs   every test without lint and layout, which make test does beside them"
	@echo "make lab     a lab with a shell in it, to try things by hand"
	@echo "make conformance   the lab's alicloud plugin against recordings of the real one; CORPUS=folder for other recordings"
	@echo "make parity  what the Cloud Controller Manager did, replayed and compared; CORPUS=folder for other recordings"
	@echo "make bench-calls   API calls per operation, into docs/api-calls.md; CHECK=1 compares with the stored numbers"
	@echo "make bench-scale  stacks of many Services beside a program on the raw resources; SERVICES=20,100,300,500 NODES=200, CHECK=1"
	@echo "make bench-waves  how close runs come to what the write quotas allow; SERVICES=100"
	@echo "make fuzz    inputs that nobody means to write, at every edge; INPUTS=100000, SEED=, TARGET="
	@echo "make crash-table   runs killed and troubled at each of their calls, into docs/recovery.md; ONLY=\"NLB: creation\", EVERY=10, OUTAGE=60"
	@echo "make engine-kills  the same with the processes of the engine, which are killed; ONLY=, EVERY="
	@echo "make record-state   the state that this version writes, into testdata/states"
	@echo "make walk    random Services through create, change and destroy; KIND=clb, nlb or sync, SEED=, LIVES="
	@echo "make screenshots  the pictures of the report's page in docs/, drawn by Chromium"
	@echo "make docs    the generated pages of docs/ anew"
	@echo "make format  every source file in the one layout that make unit asks for"
	@echo "make lint    ESLint with rules that need types: promises that nobody waits for, switches that forget a case"
	@echo "make pack-check   what the published package holds, and whether its entries and types resolve"
	@echo "make report-check  every sentence of the report against what the cloud recorded before and after an update"
	@echo "make e2e     the end-to-end tests alone; ENGINE=path uses the pulumi and plugins found on PATH"

setup: build tools

# Only the package that brings Node needs its script; this package's own prepare would compile before the next rule does.
node_modules/.installed: package.json package-lock.json
	@echo "==> installing npm packages"
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	npm rebuild --loglevel=error node
	@touch $@

dist/.built: node_modules/.installed tsconfig.json $(SOURCES)
	@echo "==> compiling"
	tsc -p .
	@chmod +x dist/cli/main.js
	@# npm links no command that was not compiled yet when it installed.
	@ln -sfn ../../dist/cli/main.js node_modules/.bin/ack-loadbalancer
	@touch $@

build: dist/.built

tools: build
	@node dist/lab/main.js install

# The Chromium in which the report's page is tested; as root it is installed from Debian's packages.
browser: build
	@node dist/tools/browser/main.js

# The pictures of the report's page in docs/.
screenshots: browser
	node dist/tools/screenshots/main.js

demo: setup
	node dist/examples/quickstart/demo.js
	node dist/examples/sync/demo.js

sync-demo: setup
	node dist/examples/sync/demo.js

migrate-demo: setup
	node dist/examples/migrate-from-ccm/demo.js

lab: setup
	@node dist/lab/main.js shell

# SHARD=1/3 runs one third of the tests: as many machines share them.
test:
	@$(MAKE) --no-print-directory --jobs=3 specs lint layout

# Tests are of the pinned CLI, whatever is on PATH; ENGINE=path asks for what is there.
specs e2e: export ENGINE := $(or $(ENGINE),pinned)

# The tests alone, without lint and layout.
specs: setup browser
	jest $(if $(SHARD),--shard=$(SHARD))

unit: layout
	jest --selectProjects unit lab

# What the published package holds, and whether its entries and types resolve.
pack-check: build
	jest --selectProjects unit test/consumer/package

report-check: export ENGINE := $(or $(ENGINE),pinned)
report-check: setup
	jest --selectProjects e2e test/e2e/report-check.test.ts

e2e: setup browser
	jest --selectProjects e2e $(if $(SHARD),--shard=$(SHARD))

# CORPUS is a folder with recordings in alicloud-plugin/; from outside the project too.
CORPUS ?= testdata
conformance: build
	node dist/lab/alicloud/conformance/main.js --corpus $(CORPUS)/alicloud-plugin

# CORPUS is a folder with recorded cases in clb/, backends/ and nlb/; from outside the project too.
parity: build
	node dist/tools/parity/main.js --corpus $(if $(filter file,$(origin CORPUS)),testdata/parity,$(CORPUS))

# CHECK=1 writes nothing and fails when a number is worse than the stored one.
bench-calls: setup
	node dist/bench/calls/main.js $(if $(CHECK),--check)

# The sync controller on a real control plane; takes about six minutes, most of them for the write quota's windows.
bench-sync: setup
	node dist/bench/sync/main.js

# Stacks of many Services: time, memory, processor, requests and calls, beside a program that is written by hand. CHECK=1 writes nothing.
bench-scale: SERVICES ?= 20,100
bench-scale: setup
	node dist/bench/scale/main.js --services $(SERVICES) --nodes $(or $(NODES),200) $(if $(CHECK),--check)

# How close creation, a node's arrival and a change of every listener come to what the write quotas allow; takes about eight minutes, most of them for the quotas' windows.
bench-waves: SERVICES ?= 100
bench-waves: setup
	node dist/bench/scale/waves.js --services $(SERVICES)

# Inputs that nobody means to write; SEED repeats those of an earlier run.
fuzz: build
	node dist/tools/fuzz/main.js --inputs $(or $(INPUTS),100000) $(if $(SEED),--seed $(SEED)) $(if $(TARGET),--target "$(TARGET)")

# Every mutating call of every kind of run, killed before and after it and troubled in other ways; the table goes into docs/recovery.md. ONLY takes runs
# whose name has a text in it and writes nothing, EVERY a share of the points, from number OFFSET on, and OUTAGE the seconds of a fault that lasts.
CRASH = node dist/tools/crash/main.js $(if $(EVERY),--every $(EVERY)) $(if $(OFFSET),--offset $(OFFSET)) $(if $(ONLY),--only "$(ONLY)",--write)
crash-table: build
	$(CRASH) $(if $(OUTAGE),--outage $(OUTAGE))

engine-kills: build
	$(CRASH) --processes

# The state of a stack as the version in package.json writes it, which every later version has to take over without a change. Done once for each release.
record-state: setup
	RECORD_STATE=1 jest --selectProjects e2e --testPathPatterns e2e/upgrade

# SEED and LIVES: where chance begins, and how many random Services live, change and go.
walk: build
	node dist/tools/walk/main.js --kind $(or $(KIND),clb) --lives $(or $(LIVES),100) --seed $(or $(SEED),1)

docs: build
	node dist/tools/docs/annotations.js
	node dist/tools/docs/errors.js
	node dist/tools/docs/policies.js
	node dist/tools/coverage/main.js
	node dist/tools/parity/docs.js
	node dist/tools/docs/architecture.js
	node dist/cli/main.js report --schema > docs/report.schema.json

# What the compiler does not see. Layout is a matter of make format.
lint: build
	npm run --silent lint

layout: build
	prettier --check --log-level warn $(FORMATTED)

format: build
	prettier --write --log-level warn $(FORMATTED)

clean:
	rm -rf dist node_modules/.installed

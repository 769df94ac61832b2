# A fresh machine needs npm with Node 20 or newer, Go 1.26 or newer, make and git. The project's own Node 24 comes from npm.
SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NODE_COMPILE_CACHE := $(CURDIR)/dist/.compile-cache
SOURCES := $(shell find provider components policies cli lab tools bench test examples -name '*.ts' 2>/dev/null)

.PHONY: help setup build tools modules control-plane plugins browser screenshots demo sync-demo migrate-demo test test-all specs unit units e2e report-check \
	lab conformance parity bench-calls bench-scale bench-start bench-waves bench-sync crash-table engine-kills \
	record-state fuzz walk docs coverage format layout lint pack-check \
	tarball plugin-archive sdks chart sbom release release-notes release-check clean

help:
	@echo "make setup   npm packages, compiled sources, and the programs of the lab; the first time takes minutes"
	@echo "make demo    the package in the lab: preview, up, scale, drift, refusal, destroy; then sync-demo"
	@echo "make test    lint, layout and every test; SHARD=1/3 for one machine of three"
	@echo "make lint    ESLint, with rules that need types"
	@echo "make format  the layout of Prettier for every source file"
	@echo "--------------------------------------------------------------------------------------------------------"
	@echo "make lab             a shell in a lab"
	@echo "make sync-demo       the sync controller between runs, in the lab: scale, node, rollout, console edit"
	@echo "make migrate-demo    a Service moves from the Cloud Controller Manager and back, in the lab"
	@echo "make unit            layout, and the tests without stacks"
	@echo "make e2e             the end-to-end tests; ENGINE=path uses the pulumi and plugins on PATH"
	@echo "make plugins         builds the real plugins, which PLUGINS=real uses; the first time takes half an hour"
	@echo "make report-check    every sentence of reports, compared with the cloud before and after an update"
	@echo "make test-all        the same with whole tables of cases, crashes and walks, of which make test has samples"
	@echo "make specs           all tests without lint and layout"
	@echo "make docs            the generated pages of docs/, and the API reference in api-docs/"
	@echo "make pack-check      content of the published package; its entries and types"
	@echo "make release         everything that a release uploads, into the folder release; each part is a command too:"
	@echo "                     tarball, plugin-archive, sdks, chart, sbom; OUT=folder"
	@echo "make release-check   builds it, installs it and runs it, in the lab"
	@echo "make conformance     the lab's alicloud plugin against recordings of the real one; CORPUS=folder"
	@echo "make parity          recorded cases of the Cloud Controller Manager, replayed and compared; CORPUS=folder"
	@echo "make bench-calls     API calls per operation, into docs/internal/api-calls.md; CHECK=1 compares only"
	@echo "make bench-scale     stacks of many Services; SERVICES=20,100,300,500 NODES=200, CHECK=1 compares only"
	@echo "make bench-start     time until the plugin and the policy pack print their port"
	@echo "make bench-waves     stacks of many Services at the published write quotas; SERVICES=100"
	@echo "make bench-sync      latency, memory and calls of the sync controller"
	@echo "make fuzz            malformed inputs at every edge; INPUTS=100000, SEED=, TARGET="
	@echo "make crash-table     runs killed and disturbed at each call, into docs/internal/recovery-tables.md;"
	@echo "                     ONLY=\"NLB: creation\", EVERY=10, OFFSET=, OUTAGE=60, REMOVE=1"
	@echo "make engine-kills    the same with killed processes of the engine; ONLY=, EVERY=, OFFSET="
	@echo "make walk            random Services through create, change and destroy; KIND=clb, nlb, shared, … or sync, SEED=, LIVES=, SILENT=1"
	@echo "make record-state    the state that this version writes, into testdata/states"
	@echo "make screenshots     the pictures of the report's page in docs/images"
	@echo "make clean           removes compiled sources"

setup: build tools

# At the first time Go's modules come while npm installs, the control plane is built while the sources compile, and the
# CLI while the first act plays.
demo:
	@$(MAKE) --no-print-directory --jobs=3 $(if $(wildcard node_modules/.installed),,modules) build control-plane
	node dist/examples/demo.js

# SHARD=1/3 runs one third of the tests, for several machines.
test:
	@$(MAKE) --no-print-directory --jobs=3 specs lint layout

# Whole tables of recorded cases, crashes, walks and breakages, of which the tests have samples.
test-all: export WHOLE := 1
test-all: test

lint: build
	npm run --silent lint

format: build
	prettier --write --log-level warn .

layout: build
	prettier --check --log-level warn .

# ---------------------------------------------------------------------------------------------------------------------

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
	@ln -sfn ../../components/plugin/pulumi-resource-ack-loadbalancer node_modules/.bin/pulumi-resource-ack-loadbalancer
	@touch $@

build: dist/.built

tools: build
	@node dist/lab/main.js install

# Downloads alone, so a failure is none yet.
modules: export CGO_ENABLED := 0
modules:
	-@cd lab/cluster/tools && go list -deps tool > /dev/null 2>&1
	-@cd lab/pulumi && go list -deps tool > /dev/null 2>&1

control-plane: node_modules/.installed
	@node --require ts-node/register/transpile-only lab/cluster/main.ts install

plugins: export PLUGINS := real
plugins: tools

# Chromium for the tests of the report's page; as root it is installed from Debian's packages.
browser: build
	@node dist/tools/browser/main.js

screenshots: browser
	node dist/tools/screenshots/main.js

sync-demo: build
	node dist/examples/sync/demo.js

migrate-demo: build
	node dist/examples/migrate-from-ccm/demo.js

lab: setup
	@node dist/lab/main.js shell

# Tests use the pinned CLI, whatever is on PATH; ENGINE=path uses the one there.
specs e2e: export ENGINE := $(or $(ENGINE),pinned)

specs: export WHOLE := $(WHOLE)
specs: setup browser
	jest $(if $(SHARD),--shard=$(SHARD))

unit:
	@$(MAKE) --no-print-directory --jobs=2 units layout

units: build
	jest --selectProjects unit lab

report-check: export ENGINE := $(or $(ENGINE),pinned)
report-check: setup
	jest test/e2e/report-check.test.ts

e2e: setup browser
	jest --selectProjects e2e $(if $(SHARD),--shard=$(SHARD))

# ---------------------------------------------------------------------------------------------------------------------
# Parts of a release, below OUT.

OUT ?= release
VERSION := $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' package.json)
TARBALL := $(OUT)/ack-loadbalancer-$(VERSION).tgz

tarball: build
	mkdir -p $(OUT)
	npm pack --ignore-scripts --loglevel=error --pack-destination $(OUT) >/dev/null

# The plugin as `pulumi plugin install` takes it, and its SBOM.
plugin-archive: tarball
	node dist/tools/plugin/main.js $(TARBALL) $(OUT)

# SDKs for Python and Go, from the plugin's schema. pip expects the page of a package at its root.
sdks: PYTHON = pulumi_ack_loadbalancer-$(VERSION)
sdks: GO = ack-loadbalancer-sdk-go-$(VERSION)
sdks: build
	rm -rf $(OUT)/sdks && mkdir -p $(OUT)
	cd lab/pulumi/yaml && CGO_ENABLED=0 GOFLAGS="-mod=readonly -trimpath -buildvcs=false" \
		go run ./sdks $(CURDIR)/components/plugin/schema.json $(abspath $(OUT))/sdks
	mv $(OUT)/sdks/python $(OUT)/sdks/$(PYTHON) && mv $(OUT)/sdks/go $(OUT)/sdks/$(GO)
	cp $(OUT)/sdks/$(PYTHON)/pulumi_ack_loadbalancer/README.md $(OUT)/sdks/$(PYTHON)
	for sdk in $(PYTHON) $(GO); do tar -czf $(OUT)/$$sdk.tar.gz -C $(OUT)/sdks $$sdk || exit; done
	rm -rf $(OUT)/sdks

# The Helm chart of the sync controller.
chart: build
	node dist/tools/chart/main.js $(OUT)
	tar -czf $(OUT)/ack-loadbalancer-sync-$(VERSION).tgz -C $(OUT) ack-loadbalancer-sync
	rm -rf $(OUT)/ack-loadbalancer-sync

# The package with what npm installs for it, which is the content of the image, too.
sbom: build
	mkdir -p $(OUT)
	npm sbom --sbom-format cyclonedx --omit dev --package-lock-only > $(OUT)/ack-loadbalancer-$(VERSION).cdx.json

# Everything that a release uploads.
release:
	rm -rf $(OUT)
	$(MAKE) --no-print-directory tarball plugin-archive sdks chart sbom
	cd $(OUT) && sums=$$(sha256sum *) && echo "$$sums" > SHA256SUMS

# The section of the version in CHANGELOG.md.
release-notes:
	@awk -v heading="## $(VERSION)" '/^## /{inside = ($$0 == heading); next} inside' CHANGELOG.md

# Installs, runs and renders what a release uploads.
release-check: export RELEASE = $(abspath $(OUT))
release-check: export ENGINE := $(or $(ENGINE),pinned)
release-check: setup release
	jest test/released test/consumer test/plugins/sdks test/e2e/plugin-archive

pack-check: build
	jest test/consumer/package

docs: build
	node dist/tools/docs/annotations.js
	node dist/tools/docs/errors.js
	node dist/tools/docs/policies.js
	node dist/tools/parity/docs.js
	node dist/tools/docs/architecture.js
	node dist/tools/docs/notice.js
	node dist/tools/schema/main.js
	prettier --write --log-level warn components/plugin/schema.json
	node dist/cli/main.js report --schema > docs/report.schema.json
	typedoc --logLevel Warn

# Prints the table of requirements as a page.
coverage: build
	@node dist/tools/coverage/main.js

# CORPUS is a folder with recordings in alicloud-plugin/; it may be outside the project.
CORPUS ?= testdata
conformance: build
	node dist/lab/alicloud/conformance/main.js --corpus $(CORPUS)/alicloud-plugin

# CORPUS is a folder with recorded cases in clb/, backends/ and nlb/; it may be outside the project.
parity: build
	node dist/tools/parity/main.js --corpus $(if $(filter file,$(origin CORPUS)),testdata/parity,$(CORPUS))

# With CHECK=1 the benches write nothing, and fail if a number is worse than the stored one.
bench-calls: setup
	node dist/bench/calls/main.js $(if $(CHECK),--check)

bench-scale: SERVICES ?= 20,100
bench-scale: setup
	node dist/bench/scale/main.js --services $(SERVICES) --nodes $(or $(NODES),200) $(if $(CHECK),--check)

bench-start: build
	node dist/bench/start.js

# About eight minutes, most of them for the quotas' windows.
bench-waves: SERVICES ?= 100
bench-waves: setup
	node dist/bench/scale/waves.js --services $(SERVICES)

# About ten minutes, most of them for the write quota's windows.
bench-sync: setup
	node dist/bench/sync/main.js

# SEED repeats the inputs of an earlier run.
fuzz: build
	node dist/tools/trials/main.js fuzz --inputs $(or $(INPUTS),100000) $(if $(SEED),--seed $(SEED)) \
		$(if $(TARGET),--target "$(TARGET)")

# ONLY takes runs by a part of their name and writes nothing, EVERY a share of the points, from number OFFSET on, OUTAGE
# the seconds of a fault that lasts. With REMOVE the Service is removed after the fault.
CRASH = node dist/tools/trials/main.js crash $(if $(EVERY),--every $(EVERY)) $(if $(OFFSET),--offset $(OFFSET)) \
	$(if $(REMOVE),--remove) $(if $(ONLY),--only "$(ONLY)",--write)
crash-table: build
	$(CRASH) $(if $(OUTAGE),--outage $(OUTAGE))

engine-kills: build
	$(CRASH) --processes

# Once for each release: every later version must take this state over without a change.
record-state: setup
	RECORD_STATE=1 jest --selectProjects e2e --testPathPatterns e2e/upgrade

# SEED starts the random numbers, LIVES is the number of Services.
walk: build
	node dist/tools/trials/main.js walk --kind $(or $(KIND),clb) --lives $(or $(LIVES),100) --seed $(or $(SEED),1) \
		$(if $(SILENT),--silent)

clean:
	rm -rf dist node_modules/.installed

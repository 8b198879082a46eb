# Daybook's front door. `make run` to try it, `make test` before a change goes in.

DB      ?= $(if $(APP_DB),$(APP_DB),app.db)
# As many digits of a commit as no clone shortens differently.
VERSION ?= $(shell git describe --tags --always --dirty --abbrev=12 2>/dev/null || echo unreleased)
EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || echo 315532800)
FUZZTIME ?= 10s
# One screen for `make browser`, such as variance; all of them by default.
SCREEN ?=
# What `make bench` runs, with commas between, and how often; all of it by default.
WORKLOAD ?=
ROUNDS ?= 5
# The systems and processors of a release, as Go names them, and those of them that
# `make dist` builds for.
RELEASED := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
PLATFORMS ?= $(RELEASED)

# gin without its MessagePack binding, which nothing here speaks.
TAGS := -tags nomsgpack
# A checkout that git will not read must still build; VERSION says what it is.
# The tables that debuggers read are left out: stack traces and profiles do not need them.
LDFLAGS = -X main.version=$(VERSION) -s -w
BUILD = CGO_ENABLED=0 go build -buildvcs=false $(TAGS) -trimpath -ldflags '$(LDFLAGS)'
# An older Go than go.mod's has known faults in net/http and crypto/tls. Where one is
# installed, go fetches the right one, even where the machine's settings forbid that.
export GOTOOLCHAIN := auto
# One way to compile for all that is built without cgo, so that nothing is compiled twice.
export GOFLAGS := $(shell go env GOFLAGS) -trimpath
LINT := bin/golangci-lint
SQLC := bin/sqlc
NFPM := bin/nfpm
# What sqlc reads and writes, with the sum of each file.
GENERATED := query/generated.sha256
SUMS = $$(command -v sha256sum || echo shasum -a 256) query/sqlc.yaml query/sqlite/*.sql db/sqlite/migrations/*.sql db/sqlite/internal/gen/*.go
CLIENT := internal/client/daybook.gen.go
CODE := cmd db internal web/embed.go

# npm writes it at the end of an installation.
PACKAGES := web/node_modules/.package-lock.json
PAGE := web/dist/index.html.gz
PAGE_SOURCES := $(shell find web/src web/public web/manual/*.md web/*.ts web/*.js web/*.mjs web/index.html web/tsconfig.json -type f ! -name schema.ts) internal/api/openapi.yaml
LICENSES := web/licenses/main.go LICENSE go.mod go.sum

.DEFAULT_GOAL := help
.PHONY: help run check test build dist debian image generate lint fuzz soak bench bench-page screenshots clean format generated modules vet unit client unraced compiler page browser

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build, seed a demo database when there is none, and serve it
	@DB='$(DB)' sh .ci/demo
	@bin/app serve --db '$(DB)'

# The slow tests are left to `make test`: cmd/app/soak, disks that fail, long properties,
# whole builds and sessions. A test holds the names in this list to tests that exist.
SLOW := TestPowerCut|TestDiskFaults|TestFullDisk|TestAFailedCheckpointTakesNothing|TestAFailedSyncIsFollowedByAnotherConnection
SLOW := $(SLOW)|TestTheCacheEqualsARead|TestPositionsAreWhatAllTradesFoldTo|TestRestoreOfADamagedBackup
SLOW := $(SLOW)|TestTranscriptsBesideAFeed|TestLongListIsStreamed
SLOW := $(SLOW)|TestDistDependsOnTheSourceAlone|TestAttacks|TestScripts
check: format vet $(PACKAGES) ## Run what is fast, while you work: format, vet, Go tests without the slow ones, page checks
	CGO_ENABLED=0 go test $(TAGS) -skip '^($(SLOW))$$' $$(go list $(TAGS) ./... | grep -v '/soak$$')
	cd web && npm run -s types && npm run -s check && npm run -s unit

test: format modules generated vet lint build page unit client unraced browser ## All that a change must pass
	@echo "make test: everything passed"

build: $(PAGE) ## Build bin/app with its page, without cgo
	$(BUILD) -o bin/app ./cmd/app

# Only the commit and VERSION reach the bytes: the compiler is go.mod's, and settings
# of the environment that would change what it makes are given, to the tools too. Files have
# the date of the commit; without git that of the oldest file that a zip can hold.
dist: export GOTOOLCHAIN := $(shell awk '$$1 == "go" { print $$1 $$2 }' go.mod)
dist: export GOFLAGS := -mod=readonly -trimpath
dist: export GOEXPERIMENT :=
dist: export GOFIPS140 := off
dist: export GOAMD64 := v1
dist: export GOARM64 := v8.0
dist: export SOURCE_DATE_EPOCH := $(EPOCH)
dist: $(PAGE) $(NFPM) ## Build dist: archives, packages for Debian and Fedora, images and SBOMs for PLATFORMS, the same bytes anywhere, and sums
	@umask 022; rm -rf dist && mkdir dist; \
	work=$$(mktemp -d) || exit 1; trap 'rm -rf "$$work"' EXIT; trap 'exit 130' HUP INT TERM; \
	CGO_ENABLED=0 go run -tags nomsgpack,docs ./cmd/app "$$work/docs" || exit 1; \
	gzip -dc web/dist/licenses.txt.gz >"$$work/docs/LICENSES.txt" || exit 1; \
	for platform in $(PLATFORMS); do \
		program=$$work/programs/$${platform%/*}-$${platform#*/}/daybook; \
		case $$platform in windows/*) program=$$program.exe ;; esac; \
		GOOS=$${platform%/*} GOARCH=$${platform#*/} $(BUILD) -o "$$program" ./cmd/app || exit 1; \
	done; \
	CGO_ENABLED=0 go run ./cmd/pack '$(VERSION)' "$$work" dist || exit 1; \
	export WORK=$$work PACKAGE_VERSION=$$(echo '$(VERSION)' | sed -e '/^v[0-9]/!s/^/v0+/' -e 's/^v//' -e 's/-rc/~rc/' -e 's/-/./g'); \
	for platform in $(PLATFORMS); do \
		case $$platform in linux/*) ;; *) continue ;; esac; \
		export ARCH=$${platform#*/}; \
		for kind in deb rpm; do \
			$(NFPM) package -f cmd/pack/system/nfpm.yaml -p $$kind -t "dist/daybook-$(VERSION)-linux-$$ARCH.$$kind" >/dev/null || exit 1; \
		done; \
	done; \
	cd dist && LC_ALL=C && $$(command -v sha256sum || echo shasum -a 256) * >"$$work/SHA256SUMS" && mv "$$work/SHA256SUMS" . && cat SHA256SUMS

debian: ## Install, upgrade, remove and purge the deb and the rpm in a Debian root (needs root, three minutes)
	@sh .ci/debian

image: ## Run the image as users of all kinds, with folders of theirs (needs root)
	@sh .ci/image

generate: $(SQLC) ## Write db/sqlite/internal/gen from query/ and the migrations
	$(SQLC) generate -f query/sqlc.yaml
	@LC_ALL=C; export LC_ALL; $(SUMS) >$(GENERATED)

lint: $(LINT) $(CLIENT) ## Run the linters of .golangci.yml
	CGO_ENABLED=0 $(LINT) run
	cd internal/client && CGO_ENABLED=0 ../../$(LINT) run

fuzz: ## Run every fuzz target for FUZZTIME (10s) each
	@list=$$(go test $(TAGS) -list '^Fuzz' ./...) || { echo "$$list"; exit 1; }; \
	echo "$$list" | awk '/^Fuzz/ { name[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, name[i]; n = 0 }' | \
	while read -r package target; do \
		echo "$$package $$target"; \
		go test $(TAGS) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" </dev/null || exit 1; \
	done

DISKS := -run 'TestPowerCut|TestDiskFaults|TestFullDisk|TestAFailed'
soak: ## Run the long form of every test of a promise (hours), and print the table
	@log=$$(mktemp) || exit 1; trap 'rm -f "$$log"' EXIT; \
	CGO_ENABLED=0 go test $(TAGS) -v -timeout 12h $(DISKS) ./db/sqlite -soak >"$$log" 2>&1; disks=$$?; \
	CGO_ENABLED=0 go test $(TAGS) -v -timeout 12h ./cmd/app/soak -soak -soak-seed "$$(date +%s)" >>"$$log" 2>&1; program=$$?; \
	CGO_ENABLED=0 go test $(TAGS) -v -run '^TestAttacks$$' ./cmd/app -soak >>"$$log" 2>&1; attacks=$$?; \
	grep -E '^ *--- FAIL|^FAIL|panic:' "$$log"; \
	sed -n 's/^.*soak: //p' "$$log"; \
	test "$$disks$$program$$attacks" = 000

bench: build ## Measure every workload beside its reference (ten minutes), print the table
	$(BUILD) -o bin/bench ./cmd/bench
	@bin/bench -rounds '$(ROUNDS)' -workload '$(WORKLOAD)'

bench-page: build ## Measure the page beside the least there could be, and the scroll of a million trades
	@chromium=$$(sh .ci/browser) || { echo "make bench-page: there is no Chrome or Chromium" >&2; exit 1; }; \
	cd web && CHROMIUM="$$chromium" ROUNDS='$(ROUNDS)' npm run -s bench

screenshots: build ## Write a picture of every screen, light and dark, into web/screenshots
	@chromium=$$(sh .ci/browser) || { echo "make screenshots: there is no Chrome or Chromium" >&2; exit 1; }; \
	cd web && CHROMIUM="$$chromium" npm run -s screenshots

clean: ## Remove what was built; databases stay
	rm -rf bin dist web/node_modules web/screenshots web/src/api/schema.ts $(CLIENT)
	find web/dist -mindepth 1 ! -name .keep -delete

# The parts of `make test`.

format:
	@unformatted=$$(gofmt -l $(CODE)) || exit 1; \
	test -z "$$unformatted" || { echo "not in gofmt's format:"; echo "$$unformatted"; exit 1; }

modules: $(CLIENT)
	go mod tidy -diff
	cd internal/client && go mod tidy -diff

# Nobody has changed the queries, the migrations or the generated code since `make generate`.
# Their sums tell that; sqlc itself takes minutes to compile.
generated:
	@LC_ALL=C; export LC_ALL; $(SUMS) | diff $(GENERATED) - || \
	{ echo "db/sqlite/internal/gen is not what the queries give: run make generate"; exit 1; }

vet:
	CGO_ENABLED=0 go vet $(TAGS) ./...

# SQLite itself, C translated to Go, is compiled without the race detector: its memory
# lies outside of Go's, where the detector sees nothing, and tests of a database take a
# third of the time. All else is watched: the C library too, whose memory of a connection
# is Go's, so that two who use one connection at once are found.
RACE := -race -gcflags=modernc.org/sqlite/lib=-race=false
# A program with the race detector waits a second before it exits, for others to report
# races. The tests start some hundreds.
unit: export GORACE := atexit_sleep_ms=10
unit: compiler
	CGO_ENABLED=1 go test $(RACE) $(TAGS) -timeout 60m ./...

# A client that oapi-codegen makes of openapi.yaml makes the calls of the manual. What the
# test builds and starts is not known to the cache of results.
client: $(CLIENT) ## Make the calls of the manual with a generated client
	cd internal/client && CGO_ENABLED=0 go test -count=1 ./...

# Tests of one thing at a time, and of other processes, have nothing to do with races, and
# take up to ten times as long under the race detector. The slow ones are in files that
# begin with `//go:build !race`, so that they are not in `unit`. They run here, each once.
unraced:
	@files=$$(grep -rlx --include='*_test.go' '//go:build !race' cmd db internal | xargs grep -lE '^func (Test|Fuzz)') || exit 1; \
	tests=$$(sed -nE 's/^func ((Test|Fuzz)[A-Za-z0-9_]+)\(.*/\1/p' $$files | paste -sd '|' -); \
	CGO_ENABLED=0 go test $(TAGS) -timeout 60m -run "^($$tests)$$" $$(for file in $$files; do echo "./$${file%/*}"; done | sort -u)

# The race detector needs a C compiler; nothing else here does.
compiler:
	@sh .ci/compiler

# What the page's own tools have to say of it.
page: $(PAGE)
	cd web && npm run -s check && npm run -s unit

browser: build ## Test the page in a real browser; only one screen with SCREEN=variance
	@if chromium=$$(sh .ci/browser); then \
		cd web && CHROMIUM="$$chromium" SCREEN='$(SCREEN)' npm run -s browser $(if $(SCREEN),screens.test.ts); \
	elif [ "$${CI:-}" = true ]; then \
		echo "make test: the browser tests need a Chrome or Chromium, and there is none" >&2; exit 1; \
	else \
		echo "make test: SKIPPED the browser tests, since there is no Chrome or Chromium; with CI=true that fails"; \
	fi

$(PAGE): $(PACKAGES) $(PAGE_SOURCES) $(LICENSES)
	cd web && npm run -s build
	CGO_ENABLED=0 go run ./web/licenses $(TAGS) web/dist $(RELEASED)
	CGO_ENABLED=0 go run ./web/compress web/dist

$(PACKAGES): web/package.json web/package-lock.json
	@sh .ci/node
	cd web && npm ci

# These are made from modules of their own, so that what they need is no dependency
# of the product.
$(CLIENT): internal/api/openapi.yaml internal/client/go.mod internal/client/go.sum internal/client/oapi-codegen.yaml
	cd internal/client && CGO_ENABLED=0 go tool oapi-codegen -config oapi-codegen.yaml ../api/openapi.yaml

$(LINT): internal/tools/go.mod internal/tools/go.sum
	cd internal/tools && CGO_ENABLED=0 go build -buildvcs=false -o ../../$(LINT) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(SQLC): internal/tools/go.mod internal/tools/go.sum
	cd internal/tools && CGO_ENABLED=0 go build -buildvcs=false -o ../../$(SQLC) github.com/sqlc-dev/sqlc/cmd/sqlc

$(NFPM): internal/tools/nfpm/go.mod internal/tools/nfpm/go.sum
	cd internal/tools/nfpm && CGO_ENABLED=0 go build -buildvcs=false -o ../../../$(NFPM) github.com/goreleaser/nfpm/v2/cmd/nfpm

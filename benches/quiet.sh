#!/usr/bin/env bash
# Figures of the compiler and of builds, which need quiet cores: on a busy machine they say nothing.
# `benches/quiet.sh` takes all of them, `benches/quiet.sh NAME…` some: user long timings edits threads.
# Builds are held to two cores where `taskset` is there.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

on_two_cores() {
    if command -v taskset >/dev/null; then taskset -c 0,1 "$@"; else "$@"; fi
}

# A crate that depends on pyrograph alone, from nothing.
user() {
    local folder
    folder=$(mktemp -d)
    mkdir "$folder/src"
    cp Cargo.lock "$folder/"
    cp fixtures/graphs/canonical/fountain.json "$folder/"
    cat >"$folder/Cargo.toml" <<TOML
[package]
name = "user"
edition = "2024"

[dependencies]
pyrograph = { path = "$PWD" }

[workspace]
TOML
    cat >"$folder/src/main.rs" <<'RUST'
pyrograph::include_particle_graph!(mod fountain = "fountain.json");

fn main() {
    println!("{}", fountain::System::new().time());
}
RUST
    cargo fetch --quiet
    (cd "$folder" && time CARGO_TARGET_DIR=build CARGO_NET_OFFLINE=true on_two_cores cargo build --quiet -j2)
    rm -r "$folder"
}

# What graphs of 131, 500 and 2,000 blocks add to a debug build.
long() {
    cargo test --quiet -p pyrograph-macros --test fresh --no-run
    on_two_cores cargo test --quiet -p pyrograph-macros --test fresh long -- --nocapture
}

# From the text of a graph of 60 blocks to validated WGSL, in release.
timings() {
    cargo build --quiet --release -p pyrograph-cli
    local output
    output=$(mktemp)
    for _ in $(seq 20); do
        "$target/release/pyrograph" build fixtures/graphs/canonical/fountain.json \
            --emit wgsl --profile parallel --timings -o "$output" 2>&1
    done | awk '{
        match($0, / +[0-9.]+ ms$/)
        stage = substr($0, 1, RSTART - 1)
        time = substr($0, RSTART) + 0
        if (!(stage in least) || time < least[stage]) least[stage] = time
    } END { for (stage in least) printf "%-24s %7.2f ms, the least of 20 runs\n", stage, least[stage] }' | sort
    rm "$output"
}

# Ten seconds of 200 edits a second, in release.
edits() {
    PYROGRAPH_EDIT_SECONDS=10 cargo test --quiet --release --test gpu edits -- --nocapture
}

# Where threads begin to pay.
threads() {
    cargo run --quiet --release -p pyrograph-benches --bin threads
}

for name in "${@:-user long timings edits threads}"; do
    # One word each where there were no arguments.
    for step in $name; do
        printf '== %s\n' "$step"
        "$step"
    done
done

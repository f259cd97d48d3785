#!/usr/bin/env bash
# Clean builds, side by side. Of one small kind: with these derives alone, with the engine beside them (the
# default), and with kube-derive. Of a program that links CEL: what the derives link of crd-cel, all of crd-cel,
# the crate cel and kube-cel. Of an operator as `crd init` makes it: its library, then its tests with the in-process API
# server, then its xtask.
# usage: tests/build_time.sh [rounds [names..]]; prints wall and CPU seconds of each round. Needs the registry once.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$root/target/build-time
rounds=${1:-1}

crate() { # name, dependencies, source, and what the manifest says of the workspace, if not the default
    mkdir -p "$scratch/$1/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n%s\n\n[dependencies]\n%s\n' \
        "${1##*/}" "${4-$workspace}" "$2" >"$scratch/$1/Cargo.toml"
    printf '%s\n' "$3" >"$scratch/$1/src/main.rs"
}

workspace='[workspace]

[profile.dev]
debug = false'

quickstart='
use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// A cron-like job.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced, status = CronTabStatus)]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    pub cron_spec: String,
    #[crd(minimum = 1, maximum = 10, rule("self > 0"))]
    pub replicas: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct CronTabStatus {
    pub replicas: i32,
}

fn main() {
    println!("{}", serde_json::to_string(&CronTab::crd()).unwrap());
}'

serde='serde = { version = "1", features = ["derive"] }
serde_json = "1"'
crate derive "$serde
crd-runtime = { path = \"$root/crd-runtime\", default-features = false }" "$quickstart"
crate engine "$serde
crd-runtime = { path = \"$root/crd-runtime\" }" "$quickstart"

crate kube "$serde"'
kube = { version = "=5.0.0", default-features = false, features = ["derive"] }
k8s-openapi = { version = "0.29", features = ["v1_37", "schemars"] }
schemars = "1"' '
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use serde::{Deserialize, Serialize};

/// A cron-like job.
#[derive(CustomResource, KubeSchema, Serialize, Deserialize, Clone, Debug)]
#[kube(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced, status = "CronTabStatus")]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    pub cron_spec: String,
    #[schemars(range(min = 1, max = 10))]
    #[x_kube(validation = "self > 0")]
    pub replicas: i32,
}

#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug)]
pub struct CronTabStatus {
    pub replicas: i32,
}

fn main() {
    println!("{}", serde_json::to_string(&CronTab::crd()).unwrap());
}'

build() { # name
    local at=(-q --offline --manifest-path "$scratch/$1/Cargo.toml")
    cargo build "${at[@]}" 2>/dev/null
    if [ "$1" = operator ]; then
        cargo test "${at[@]}" --no-run 2>/dev/null
        cargo build "${at[@]}" -p xtask 2>/dev/null
    fi
}

# As dependencies are built: not incrementally.
export CARGO_INCREMENTAL=0
evaluator='fn main() {}'
crate cel-syntax "crd-cel = { path = \"$root/crates/crd-cel\", default-features = false, features = [\"compile-time\"] }" "$evaluator"
crate cel-whole "crd-cel = { path = \"$root/crates/crd-cel\" }" "$evaluator"
crate cel-peer 'cel = { version = "=0.15.0", features = ["json"] }' "$evaluator"
crate cel-kube 'kube-cel = { version = "=0.8.0", features = ["validation"] }' "$evaluator"

crate operator "$serde
crd-runtime = { path = \"$root/crd-runtime\", features = [\"client\"] }
futures = { version = \"0.3\", default-features = false }
k8s-openapi = { version = \"0.29\", features = [\"latest\"] }
kube = { version = \"5\", features = [\"runtime\"] }
tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }

[dev-dependencies]
crd-apiserver = { path = \"$root/crates/crd-apiserver\" }" 'fn main() {}' "${workspace/]/]
members = [\"xtask\"]}"
printf '%s\n' "${quickstart%fn main*}" >"$scratch/operator/src/lib.rs"
mkdir -p "$scratch/operator/tests"
printf '#[test]\nfn starts() {\n    drop(crd_apiserver::ApiServer::new());\n}\n' >"$scratch/operator/tests/server.rs"
crate operator/xtask "operator = { path = \"..\" }
crd-cli = { path = \"$root/crates/crd-cli\", default-features = false, features = [\"types\"] }" \
    'fn main() -> std::process::ExitCode {
    crd_cli::Registry::new().crd::<operator::CronTab>().run()
}' ''
names=${*:2}
names=${names:-derive engine kube cel-syntax cel-whole cel-peer cel-kube operator}

for name in $names; do cargo fetch -q --manifest-path "$scratch/$name/Cargo.toml"; done
TIMEFORMAT='%R s wall, %U s user, %S s system'
for round in $(seq "$rounds"); do
    for name in $names; do
        rm -rf "$scratch/$name/target"
        printf '%s, round %s: ' "$name" "$round"
        time build "$name"
    done
done

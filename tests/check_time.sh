#!/usr/bin/env bash
# `cargo check` of one file with 50 kinds of 10 fields and 10 rules each, side by side: with these derives and with
# kube-derive and its KubeSchema, whose rules are text that nothing reads.
# Then types that are large in one way, beside serde's derives alone: 400 variants with a rule each, of structs and of
# newtypes, and 150 fields with 300 rules. These are checked as a whole.
# Last two measures over the number of kinds: the passes of rustc that grow above linear from 50 kinds to 200, and the
# bytes that a kind adds to a release binary that prints its definition.
# usage: tests/check_time.sh [rounds [parts..]], parts being edits, large, growth and bytes; all of them if none is given
# For each round of the edits it prints wall and CPU seconds after the file was touched (nothing changed), after it was
# edited (a field of the first kind changed its name) and after a line was added above all kinds, whereupon rustc checks
# all of them anew; last the ratios of the medians. Needs the registry once.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$root/target/check-time
rounds=${1:-5}
parts=${*:2}
parts=${parts:-edits large growth bytes}
has() { [[ " $parts " == *" $1 "* ]]; }
kinds=50
# As any operator, these programs choose the version of Kubernetes.
kubernetes='k8s-openapi = { version = "0.29", features = ["v1_37"] }'

manifest() { # name, dependencies
    mkdir -p "$scratch/$1/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\nserde = { version = "1", features = ["derive"] }\nserde_json = "1"\n%s\n' "$1" "$2" >"$scratch/$1/Cargo.toml"
}

# Fields and rules are the same; attributes are spelled as each derive wants them.
# `rule` and `on` are the attributes of a rule with its text between them; `min` and `max` those of a range.
# Without the bounds of lists, rules would cost too much, which these derives say.
kind() { # derives, kind attribute, rule prefix, rule suffix, range prefix, range middle, range suffix, bounds of texts, of ports, of a name, number
    local derives=$1 attribute=$2 on=$3 end=$4 min=$5 max=$6 close=$7 texts=$8 few=$9 short=${10} n=${11}
    cat <<RUST

/// The kind number $n.
#[derive($derives, Serialize, Deserialize, Clone, Debug)]
$attribute
${on}"self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas"$end
${on}"!has(self.image) || self.image.startsWith(self.registry + '/')"$end
${on}"self.ports.all(p, self.ports.exists_one(q, q.name == p.name)) || self.paused"$end
${on}"self.weight >= 0.5 || self.hosts.size() < 3"$end
${on}"self.hosts.map(h, h.lowerAscii()).all(h, h in self.hosts)"$end
#[serde(rename_all = "camelCase")]
pub struct Kind${n}Spec {
    /// How many are wanted.
    ${min}1${max}100$close
    ${on}"self > 0"$end
    pub replicas: i32,
    /// The fewest.
    pub min_replicas: i32,
    /// The most.
    pub max_replicas: i64,
    /// Where images come from.
    ${on}"self.matches('^[a-z.]+\$')"$end
    pub registry: String,
    /// What runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Whether it stands still.
    #[serde(default)]
    pub paused: bool,
    /// The share of traffic.
    pub weight: f64,
    /// Who asks.
    ${on}"self.all(h, h.size() < 64 && h == h.trim())"$end
    $texts
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Where it listens.
    ${on}"self.filter(p, p.protocol == 'TCP').size() <= 8"$end
    $few
    #[serde(default)]
    pub ports: Vec<Port$n>,
    /// Whatever else.
    ${on}"self.all(k, self[k] != '')"$end
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

/// A port of the kind number $n.
#[derive(${derives#*, }, Serialize, Deserialize, Clone, Debug)]
pub struct Port$n {
    /// Its name.
    $short
    pub name: String,
    /// TCP or UDP.
    pub protocol: String,
    /// The number.
    pub port: u16,
}
RUST
}

# All kinds of a program, with these derives or with kube-derive.
kinds_of() { # ours or kube, number of kinds
    local n
    if [ "$1" = ours ]; then
        printf 'use std::collections::BTreeMap;\n\nuse crd_runtime::{CrdSchema, CustomResource};\nuse serde::{Deserialize, Serialize};\n'
        for n in $(seq "$2"); do
            kind 'CustomResource, CrdSchema' "#[crd(group = \"example.com\", version = \"v1\", kind = \"Kind$n\", namespaced, default)]" \
                '#[crd(rule(' '))]' '#[crd(minimum = ' ', maximum = ' ')]' \
                '#[crd(max_items = 16, items(max_length = 64))]' '#[crd(max_items = 16)]' '#[crd(max_length = 64)]' "$n"
        done | sed 's/^#\[derive(CustomResource, CrdSchema,/#[derive(CustomResource,/'
    else
        printf 'use std::collections::BTreeMap;\n\nuse kube::{CustomResource, KubeSchema};\nuse serde::{Deserialize, Serialize};\n'
        for n in $(seq "$2"); do
            kind 'CustomResource, KubeSchema' "#[kube(group = \"example.com\", version = \"v1\", kind = \"Kind$n\", namespaced)]" \
                '#[x_kube(validation = ' ')]' '#[schemars(range(min = ' ', max = ' '))]' \
                '#[schemars(length(max = 16), inner(length(max = 64)))]' '#[schemars(length(max = 16))]' '#[schemars(length(max = 64))]' "$n"
        done
    fi
}

dependencies_of() { # ours or kube
    if [ "$1" = ours ]; then
        printf 'crd-runtime = { path = "%s/crd-runtime", default-features = false }\n%s\n' "$root" "$kubernetes"
    else
        printf 'kube = { version = "=5.0.0", default-features = false, features = ["derive"] }\nk8s-openapi = { version = "0.29", features = ["v1_37", "schemars"] }\nschemars = "1"\n'
    fi
}

check() { cargo check -q --offline --manifest-path "$scratch/$1/Cargo.toml"; }
# Seconds of the children so far, user and system.
TIMEFORMAT='%R %U %S'
measure() { # name, what
    local times
    times=$({ time check "$1" 2>/dev/null; } 2>&1)
    read -r wall user sys <<<"$times"
    printf '%s, %s: %s s wall, %s s user, %s s system\n' "$1" "$2" "$wall" "$user" "$sys"
    echo "$1 $2 $wall $user $sys" >>"$scratch/times"
}
median() { awk -v n="$1" -v w="$2" -v all="$3" '$1 == n && $2 == w {print all ? $3 : $4 + $5}' "$scratch/times" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

mkdir -p "$scratch"
: >"$scratch/times"
if has edits; then
    for name in ours kube; do
        manifest "$name" "$(dependencies_of "$name")"
        kinds_of "$name" "$kinds" >"$scratch/$name/src/lib.rs"
        cargo fetch -q --manifest-path "$scratch/$name/Cargo.toml"
        check "$name"
    done
    for round in $(seq "$rounds"); do
        for name in ours kube; do
            touch "$scratch/$name/src/lib.rs"
            measure "$name" touched
        done
        for name in ours kube; do
            # The first of the fields that no rule names.
            sed -i "0,/pub port\(_$((round - 1))\)\?: u16/s//pub port_$round: u16/" "$scratch/$name/src/lib.rs"
            measure "$name" edited
        done
        for name in ours kube; do
            sed -i "1i // A line of round $round." "$scratch/$name/src/lib.rs"
            measure "$name" moved
        done
    done
    for what in touched edited moved; do
        awk -v what=$what -v a="$(median ours $what 1)" -v b="$(median kube $what 1)" -v c="$(median ours $what 0)" -v d="$(median kube $what 0)" \
            'BEGIN {printf "%s: %.2f times kube-derive in wall time, %.2f in CPU time\n", what, a / b, c / d}'
    done
fi

# Types that are large in one way: a crate each, with these derives and with serde's alone. Incremental data is off, so
# that rustc checks everything: with it, a touch reuses what was checked before.
export CARGO_INCREMENTAL=0
variants=400
fields=150
rules=300
large() { # name, derives, whether there are rules
    local name=$1 derives=$2 ruled=$3 n rule
    printf '#![allow(dead_code, unused_imports)]\nuse crd_runtime::CrdSchema;\nuse serde::{Deserialize, Serialize};\n'
    case $name in
    variants*)
        printf '#[derive(%s)]\n#[serde(tag = "type")]\npub enum Choice {\n' "$derives"
        for n in $(seq $variants); do
            rule=${ruled:+"#[crd(rule(\"self.f$n > 0\"))] "}
            echo "    ${rule}V$n { f$n: i32, name: String },"
        done
        echo '}' ;;
    newtypes*)
        for n in $(seq $variants); do
            printf '#[derive(%s)]\npub struct Part%s { f%s: i32, name: String }\n' "$derives" "$n" "$n"
        done
        printf '#[derive(%s)]\n#[serde(tag = "type")]\npub enum Choice {\n' "$derives"
        for n in $(seq $variants); do
            rule=${ruled:+"#[crd(rule(\"self.f$n > 0\"))] "}
            echo "    ${rule}V$n(Part$n),"
        done
        echo '}' ;;
    fields*)
        printf '#[derive(%s)]\n' "$derives"
        if [ "$ruled" ]; then
            echo '#[crd('
            for n in $(seq $rules); do echo "    rule(\"self.f$((n % fields + 1)) >= $n\"),"; done
            echo ')]'
        fi
        echo 'pub struct Fields {'
        for n in $(seq $fields); do echo "    f$n: i32,"; done
        echo '}' ;;
    esac
}
large_types=
if has large; then large_types="variants newtypes fields"; fi
for name in $large_types; do
    for of in ours serde; do
        manifest "$name-$of" "crd-runtime = { path = \"$root/crd-runtime\", default-features = false }
$kubernetes"
        case $of in
        ours) large "$name" 'CrdSchema, Serialize, Deserialize' yes ;;
        serde) large "$name" 'Serialize, Deserialize' '' ;;
        esac >"$scratch/$name-$of/src/lib.rs"
        check "$name-$of"
        for round in $(seq "$rounds"); do
            touch "$scratch/$name-$of/src/lib.rs"
            measure "$name-$of" touched
        done
    done
    awk -v name=$name -v a="$(median $name-ours touched 0)" -v b="$(median $name-serde touched 0)" \
        'BEGIN {printf "%s: %.2f s of CPU time, %.2f times serde alone\n", name, a, a / b}'
done

# Seconds on the wall of each pass of rustc for a number of kinds, as `pass seconds`; on a busy machine they say little.
passes() { # number of kinds
    manifest "kinds-$1" "$(dependencies_of ours)"
    kinds_of ours "$1" >"$scratch/kinds-$1/src/lib.rs"
    touch "$scratch/kinds-$1/src/lib.rs"
    # Only nightly compilers take the option, unless they are told that they are one.
    RUSTC_BOOTSTRAP=1 cargo rustc -q --offline --manifest-path "$scratch/kinds-$1/Cargo.toml" -- \
        -Z time-passes -Z threads=1 -C codegen-units=1 2>&1 |
        awk '$1 == "time:" {seconds[$NF] += $2} END {for (pass in seconds) print pass, seconds[pass]}' | sort
}
if has growth; then
    # With four times the kinds, a linear pass takes four times as long. What takes less than 0.2 s says nothing.
    passes $kinds >"$scratch/few"
    passes $((4 * kinds)) >"$scratch/many"
    join "$scratch/few" "$scratch/many" | awk -v kinds=$kinds '
        $1 == "total" {printf "%d kinds: %.2f s, %d kinds: %.2f s, %.2f times\n", kinds, $2, 4 * kinds, $3, $3 / $2}
        $3 >= 0.2 && $2 > 0 && $1 != "total" {printf "  %.2f s to %.2f s, %.2f times: %s%s\n", $2, $3, $3 / $2, $1, ($3 / $2 > 4.4 ? ", above linear" : "")}'
fi

# Bytes of a release binary that prints the definitions of its kinds, without symbols.
size() { # ours or kube, number of kinds
    local name=size-$1-$2 n
    manifest "$name" "$(dependencies_of "$1")"
    printf '\n[profile.release]\nstrip = true\n' >>"$scratch/$name/Cargo.toml"
    {
        echo 'use std::io::Write as _;'
        if [ "$1" = kube ]; then echo 'use kube::CustomResourceExt as _;'; fi
        kinds_of "$1" "$2"
        echo 'fn main() {'
        for n in $(seq "$2"); do
            echo "    let object = Kind$n::new(\"x\", serde_json::from_reader(std::io::stdin()).unwrap());"
            echo "    writeln!(std::io::stdout(), \"{} {}\", serde_json::to_string(&Kind$n::crd()).unwrap(), serde_json::to_string(&object).unwrap()).unwrap();"
        done
        echo '}'
    } >"$scratch/$name/src/main.rs"
    rm -f "$scratch/$name/src/lib.rs"
    cargo build -q --release --offline --target-dir "$scratch/size/$1" --manifest-path "$scratch/$name/Cargo.toml" >&2
    stat -c %s "$scratch/size/$1/release/$name"
}
if has bytes; then
    for of in ours kube; do
        few=$(size $of 10)
        many=$(size $of $kinds)
        echo "$of: $(((many - few) / (kinds - 10))) bytes for each kind, $few in all with 10 kinds"
    done
fi

//! Small programs with right and wrong attributes (`tests/probes`). If the API server rejects the definition of a type,
//! rustc reports an error at the token of the mistake. If the derives reject a type whose definition the server would
//! accept, the probe says why. A type that compiles reads what its definition admits, and its definition admits what it
//! writes. Exceptions are recorded as gaps.
//!
//! `BLESS=probes cargo test -p crd-tests --test rustc probes -- --ignored` generates probes again and records all verdicts;
//! it needs Go.
//! `ONLY=bounds` tests only files whose names contain that; `SHOW=1` prints rustc's errors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::fmt::Write as _;
use std::path::Path;

use crd_cel::kubernetes::KubernetesVersion;
use crd_tests::go;
use crd_tests::oracle::Oracle;
use crd_tests::probes::{self, Class, Family, Found, Probe, complaints, generate};

use crate::RUSTC;

/// The least number of probes.
const LEAST: usize = 1_500;

#[test]
#[ignore = "compiles some 2,800 programs in a minute of two cores: `.ci/run` does, and whoever edits a derive"]
fn verdicts_are_those_recorded() {
    let only = env::var("ONLY").unwrap_or_default();
    let bless = crd_tests::blesses("probes");
    let mut families = probes::read().unwrap();
    if bless {
        generate::merge(&mut families);
    }
    let all: usize = families.values().map(|family| family.probes.len()).sum();
    assert!(all >= LEAST, "{all} probes");
    families.retain(|name, _| name.contains(&only));

    let mut named: Vec<(String, &Probe)> = Vec::new();
    for (name, family) in &families {
        named.extend(family.probes.iter().map(|probe| (format!("{name}/{}", probe.name), probe)));
    }
    let all: Vec<_> = named.iter().map(|(_, probe)| *probe).collect();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probes");
    let mut oracle = bless.then(|| {
        Oracle::start(&go::build_oracle(KubernetesVersion::REFERENCE).unwrap(), 2)
            .expect("the oracle starts")
    });
    let found = probes::run(&all, &RUSTC, &dir, oracle.as_mut()).unwrap();

    let mut text = complaints(&named, &found);
    for ((name, probe), found) in named.iter().zip(&found) {
        if env::var_os("SHOW").is_some() {
            println!("--- {name}\n{}\n{:?}\n{}", probe.source, found.outcome, found.text);
        }
        differences(name, probe, found, bless, &mut text);
    }
    if bless {
        let mut found = found.into_iter();
        for (name, family) in &mut families {
            for probe in &mut family.probes {
                probe.outcome = found.next().map(|found| found.outcome);
                if Class::of(probe, probe.outcome.as_ref().unwrap()).is_documented() {
                    probe.gap = None;
                }
            }
            probes::write(name, family).unwrap();
        }
    }
    assert!(text.is_empty(), "{text}");
}

/// Describes how our verdict on the definition differs from the server's, and how the outcome differs from the recorded
/// one: rustc's verdict with the text that it marks, the laws, and the objects.
fn differences(name: &str, probe: &Probe, found: &Found, bless: bool, text: &mut String) {
    let Found { outcome, local, .. } = found;
    if *local != outcome.server {
        writeln!(text, "--- {name}: the server says {:?}, here {local:?}", outcome.server).unwrap();
    }
    let is_closed = probe.gap.is_some() && Class::of(probe, outcome).is_documented();
    if !bless && (is_closed || probe.outcome.as_ref() != Some(outcome)) {
        let recorded = &probe.outcome;
        writeln!(
            text,
            "--- {name}: recorded {recorded:?}\n    found {outcome:?}\n{}\n{}",
            probe.source, found.text
        )
        .unwrap();
    }
}

/// The files have the probes of the tables in `generate`.
#[test]
fn generated_probes_are_in_the_files() {
    let files = probes::read().unwrap();
    let mut merged = files.clone();
    generate::merge(&mut merged);
    for (name, family) in &merged {
        let Family { probes: recorded, .. } = &files[name];
        let differs = |probe: &&Probe| !recorded.contains(probe);
        let changed: Vec<_> = family.probes.iter().filter(differs).map(|it| &it.name).collect();
        assert!(changed.is_empty(), "BLESS=probes writes these probes of {name}: {changed:#?}");
        assert_eq!(family.probes.len(), recorded.len(), "BLESS=probes removes probes of {name}");
    }
}

//! The words of pages: how often they use habits that make text hard to read.
//!
//! The documentation of kube, serde, clap and Kubebuilder is the measure: a page may use a habit twice as often as the one
//! of these that uses it most.

use std::fs;

use crate::links::prose;

/// A word, or the begin of a phrase, and how often a thousand words may have it.
struct Habit {
    phrases: &'static [&'static str],
    limit: usize,
}

/// In thousandths of a thousand words: 4,200 is 4.2.
const HABITS: [Habit; 4] = [
    Habit { phrases: &["what"], limit: 4_200 },
    Habit { phrases: &["is no", "are no", "name no", "names no"], limit: 1_000 },
    Habit { phrases: &["those of", "that of", "those that", "those which"], limit: 2_200 },
    Habit { phrases: &[";"], limit: 5_000 },
];

/// Words and phrases that have plainer ones: together with, in-process API server, expensive, unit variant.
const BANNED: [&str; 7] = [
    " beside ",
    " besides",
    "API server of a test",
    "server of tests",
    " dear ",
    "stands twice",
    "enum without content",
];

/// Pages that are counted together. `compile-errors.md` and `kubernetes-versions.md` are generated.
fn groups() -> [(&'static str, Vec<String>); 4] {
    let guide = fs::read_dir("../docs/guide/src").unwrap().map(|entry| entry.unwrap().path());
    let generated = ["SUMMARY.md", "attributes.md", "compile-errors.md", "kubernetes-versions.md"];
    let guide = guide.filter(|path| !generated.iter().any(|name| path.ends_with(name)));
    let own = |names: &[&str]| names.iter().map(|name| format!("../{name}")).collect();
    [
        ("the first pages", own(&["README.md", "CHANGELOG.md", "SECURITY.md"])),
        ("the guide", guide.map(|path| path.to_str().unwrap().to_owned()).collect()),
        ("the attributes", own(&["crd-derive/attributes.md"])),
        ("pages for contributors", own(&["ARCHITECTURE.md", "BENCHMARKS.md", "CONTRIBUTING.md"])),
    ]
}

/// Returns how often a text has a phrase of whole words, or a semicolon.
fn count(words: &[&str], phrase: &str) -> usize {
    if phrase == ";" {
        return words.iter().map(|word| word.matches(';').count()).sum();
    }
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    words
        .windows(phrase.len())
        .filter(|at| at.iter().zip(&phrase).all(|(at, it)| bare(at) == *it))
        .count()
}

#[test]
fn pages_use_no_habit_too_often() {
    for (name, paths) in groups() {
        let pages = paths.iter().map(|path| fs::read_to_string(path).unwrap());
        let text: String = pages.map(|page| prose(&without_comments(&page))).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        for Habit { phrases, limit } in HABITS {
            let found: usize = phrases.iter().map(|phrase| count(&words, phrase)).sum();
            let rate = found * 1_000_000 / words.len();
            assert!(rate <= limit, "{name}: {phrases:?} {found} times in {} words", words.len());
        }
        for phrase in BANNED {
            assert!(!text.contains(phrase), "{name}: `{phrase}`");
        }
    }
}

fn without_comments(page: &str) -> String {
    let mut parts = page.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("-->").map_or("", |(_, rest)| rest))
}

#[test]
fn habits_are_counted() {
    let words: Vec<&str> =
        "It says what is; what that of a list is, somewhat.".split(' ').collect();
    assert_eq!(["what", "that of", ";"].map(|phrase| count(&words, phrase)), [2, 1, 1]);
}

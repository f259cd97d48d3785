use serde_json::json;

use super::*;

fn failure(message: &str) -> ValidationFailure {
    ValidationFailure::new("name".to_owned(), message.to_owned(), FailureKind::Required)
}

#[test]
fn the_size_of_an_error_is_that_of_its_texts() {
    let text = |text: &str| BadValue::Value(text.into());
    for (kind, want) in [
        (FailureKind::Required, 0),
        (FailureKind::TooLong(7), 0),
        (FailureKind::TooMany(7, 6), 0),
        (FailureKind::WithoutPath, 0),
        (FailureKind::Type("abc".to_owned()), 3),
        (FailureKind::Invalid(text("abc")), 3),
        (FailureKind::Invalid(BadValue::Json("[1]".to_owned())), 3),
        (FailureKind::Invalid(BadValue::Value(json!(1))), 0),
    ] {
        let failure = ValidationFailure::new("name".to_owned(), "text".to_owned(), kind);
        let own = size_of::<ValidationFailure>() + "name".len() + "text".len();
        assert_eq!(failure.bytes(), own + want, "{failure:?}");
    }
    let texts = EnumerationTexts { message: "m".into(), detail: "supported".into() };
    let failure = ValidationFailure::not_supported(
        &Location::ROOT.declared("name"),
        text("abc"),
        texts.into(),
    );
    let texts = "name in body m".len() + "abc".len() + "supported".len();
    assert_eq!(failure.bytes(), size_of::<ValidationFailure>() + "name".len() + texts);
}

#[test]
fn messages_are_the_same_however_they_are_split() {
    let in_body = |key: &str, text: &'static str| {
        let text = Text::Fixed(text);
        ValidationFailure { name: key.to_owned(), text, kind: FailureKind::Required }
    };
    let whole = || failure("a in body b in body c");
    assert!(in_body("a", "b").says_as(&in_body("a", "b")));
    assert!(!in_body("a", "b").says_as(&in_body("b", "b")));
    assert!(!in_body("a", "b").says_as(&in_body("a", "c")));
    assert!(in_body("a", "b in body c").says_as(&in_body("a in body b", "c")));
    assert!(in_body("a", "b in body c").says_as(&whole()) && whole().says_as(&whole()));
    assert!(!in_body("a", "b in body d").says_as(&whole()));
    let at = Location::ROOT.declared("a");
    let made = ValidationFailure::at(&at, format_args!("is {}", 1), FailureKind::Required);
    assert!(in_body("a", "is 1").says_as(&made));
}

#[test]
fn each_message_is_kept_once() {
    let budget = Budget { kept: Cell::new(1 << 20), made: Cell::new(1 << 20) };
    let mut report = Collector::new(&budget);
    let messages: Vec<String> = (0..3 * COMPARED).map(|number| format!("m{number}")).collect();
    for message in &messages {
        assert!(report.push_new(failure(message)), "{message}");
    }
    for message in &messages {
        assert!(!report.push_new(failure(message)), "{message}");
    }
    assert_eq!(report.failures.len(), messages.len());
}

#[test]
fn a_budget_is_used_up_by_kept_errors_or_by_created_ones() {
    let budget = Budget { kept: Cell::new(10), made: Cell::new(15) };
    budget.take(9);
    assert!(!budget.is_used_up());
    budget.take(3);
    assert!(budget.is_used_up());
    budget.give_back(10);
    assert!(!budget.is_used_up());
    budget.take(3);
    assert!(budget.is_used_up());
    assert_eq!((budget.kept.get(), budget.made.get()), (7, 0));
}

#[test]
fn errors_that_are_not_kept_give_their_bytes_back() {
    const ALL: usize = 1 << 20;
    let budget = Budget { kept: Cell::new(ALL), made: Cell::new(ALL) };
    let bytes = failure("m").bytes();
    let mut collector = Collector::new(&budget);
    for _ in 0..3 {
        collector.fail(ErrorKind::Required, || failure("m"));
    }
    assert_eq!((budget.kept.get(), budget.made.get()), (ALL - bytes, ALL - 3 * bytes));
    assert_eq!(collector.matched(), 0);
    drop(collector);
    assert_eq!(budget.kept.get(), ALL);
}

#[test]
fn omitted_errors_are_added() {
    let budget = Budget { kept: Cell::new(1), made: Cell::new(1 << 20) };
    let omitting = |errors: usize| {
        let mut collector = Collector::new(&budget);
        for _ in 0..errors {
            collector.fail(ErrorKind::Required, || failure("m"));
        }
        collector
    };
    // The first error takes the rest of the budget.
    let mut all = omitting(3);
    all.merge(omitting(3));
    all.merge(Collector::new(&budget));
    assert_eq!(all.omitted, 5);
}

#[test]
fn matches_are_added() {
    let budget = Budget { kept: Cell::new(1 << 20), made: Cell::new(1 << 20) };
    let counting = |matched: u64| {
        let mut collector = Collector::new(&budget).counting();
        (0..matched).for_each(|_| collector.count());
        collector.fail(ErrorKind::Required, || failure(&matched.to_string()));
        collector
    };
    let mut all = counting(2);
    all.merge(counting(3));
    all.merge_counting(counting(4));
    assert_eq!(all.matched(), 9);
    assert_eq!(all.collector.failures.len(), 3);
    assert!(!all.is_valid() && !all.is_decided());
    all.ratchet();
    assert!(all.is_valid());
    assert_eq!(all.matched(), 9);
}

#[test]
fn validity_is_decided_by_the_first_error() {
    let failed = || {
        let mut validity = Validity::default();
        validity.fail(ErrorKind::Required, || failure("m"));
        validity
    };
    assert!(failed().is_decided() && !failed().is_valid());
    assert_eq!(failed().matched(), 0);
    let mut all = Validity::default();
    all.merge(Validity::default());
    assert!(!all.is_decided());
    all.merge(failed());
    assert!(all.is_decided());
    all.merge(Validity::default());
    assert!(all.is_decided());
    all.ratchet();
    assert!(all.is_valid());
    all.merge_counting(failed());
    assert!(!all.is_valid());
}

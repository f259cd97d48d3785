//! What the derives refuse, with the words they use, and what they accept.
//!
//! `TRYBUILD=overwrite cargo test -p crd-tests --test ui` writes the `.stderr` files anew.

// Apart from the other: trybuild compiles files that all must fail in one run of cargo.
#[test]
fn refused() {
    trybuild::TestCases::new().compile_fail("ui/fail/*.rs");
}

#[test]
fn accepted() {
    trybuild::TestCases::new().pass("ui/pass/*.rs");
}

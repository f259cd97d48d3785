//! Matches generated patterns against texts. The result must be that of the crate `regex`, in which the generated
//! patterns have the same meaning.

#![no_main]

use arbitrary::Unstructured;
use crd_cel::re2::{self, Regex};
use crd_fuzz::pattern::Pattern;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut u = Unstructured::new(bytes);
    let Ok(pattern) = u.arbitrary::<Pattern>() else { return };
    let pattern = pattern.to_string();
    let regex = Regex::new(&pattern);
    assert_eq!(re2::check(&pattern).is_ok(), regex.is_ok(), "{pattern}");
    let (Ok(regex), Ok(other)) = (regex, regex::Regex::new(&pattern)) else { return };
    for _ in 0..4 {
        let Ok(letters) = u.arbitrary::<&[u8]>() else { return };
        let near: String = letters.iter().map(|letter| char::from(b'a' + letter % 5)).collect();
        let Ok(any) = u.arbitrary::<&str>() else { return };
        for text in [&near, any] {
            assert_eq!(regex.is_match(text), other.is_match(text), "{pattern:?} on {text:?}");
        }
    }
});

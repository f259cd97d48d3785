//! Evaluation of the extended string functions. Positions count code points.

pub(super) use super::format::format;
use crate::budget::Budget;
use crate::error::EvalError;
use crate::gofmt;
use crate::library::binding::{Binding, Call, Cost};
use crate::library::costs::{Operand, STRING_TRAVERSAL, scaled, size, two_traversals};
pub(super) use crate::library::costs::{traversal, traversal_of_elements};
use crate::minors::Change;
use crate::value::{Str, Value};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// Binds a function that costs one traversal of its text.
pub(super) const fn traversing(call: Call) -> Binding {
    Binding::new(call).costing(Cost::Of(traversal))
}

/// Binds a function that costs two traversals of its text.
pub(super) const fn traversing_twice(call: Call) -> Binding {
    Binding::new(call).costing(Cost::Of(two_traversals))
}

pub(super) fn join_cost(_: &[Operand<'_, '_>], result: Operand<'_, '_>) -> u64 {
    scaled(size(result), 2.0 * STRING_TRAVERSAL)
}

fn out_of_range(index: i64) -> EvalError {
    EvalError::of(format_args!("index out of range: {index}"))
}

/// The byte position of the `n`-th code point, or the length of the text if it has `n` code points.
fn byte_position(text: &str, n: i64) -> Option<usize> {
    let n = usize::try_from(n).ok()?;
    if text.is_ascii() {
        return (n <= text.len()).then_some(n);
    }
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(n)
}

pub(super) fn char_at<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::String(text), Value::Int(index)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let at = byte_position(text, *index).ok_or_else(|| out_of_range(*index))?;
    let rest = text.get(at..).unwrap_or_default();
    Ok(rest.chars().next().map_or(Value::str(""), |c| Value::string(c.to_string())))
}

fn length(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// The position at which the empty text is found.
///
/// Upstream: servers without [`Change::EmptyTextIsFoundInRange`] find it at any offset, even out of
/// range.
fn index_of_empty_text<'a>(budget: &Budget, text: &str, offset: i64) -> Result<'a> {
    if !budget.steps.server_has(Change::EmptyTextIsFoundInRange) {
        return Ok(Value::Int(offset));
    }
    if offset < 0 {
        return Err(out_of_range(offset));
    }
    Ok(Value::Int(offset.min(length(text))))
}

/// The result of a search from an offset at or beyond the end of the text.
fn result_beyond_the_end<'a>(budget: &Budget, offset: i64) -> Result<'a> {
    if budget.steps.server_has(Change::SearchBeyondTheEnd) {
        Ok(Value::Int(-1))
    } else {
        Err(out_of_range(offset))
    }
}

pub(super) fn index_of<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (text, part, offset) = match args {
        [Value::String(text), Value::String(part)] => (text, part, 0),
        [Value::String(text), Value::String(part), Value::Int(offset)] => (text, part, *offset),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    if part.is_empty() {
        return index_of_empty_text(budget, text, offset);
    }
    if offset < 0 {
        return Err(out_of_range(offset));
    }
    if args.len() > 2 && offset >= length(text) {
        return result_beyond_the_end(budget, offset);
    }
    let found = byte_position(text, offset)
        .and_then(|from| text.get(from..))
        .and_then(|rest| rest.find(&**part).map(|at| length(&rest[..at])));
    Ok(Value::Int(found.map_or(-1, |at| offset + at)))
}

pub(super) fn last_index_of<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (text, part, offset) = match args {
        [Value::String(text), Value::String(part)] => {
            let len = length(text);
            if part.is_empty() {
                return Ok(Value::Int(len));
            }
            if text.len() < part.len() {
                if text.is_empty() && !budget.steps.server_has(Change::LastIndexInShorterText) {
                    return Err(out_of_range(-1));
                }
                return Ok(Value::Int(-1));
            }
            (text, part, len - 1)
        }
        [Value::String(text), Value::String(part), Value::Int(offset)] => (text, part, *offset),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    if part.is_empty() {
        return index_of_empty_text(budget, text, offset);
    }
    if offset < 0 {
        return Err(out_of_range(offset));
    }
    if offset >= length(text) {
        return result_beyond_the_end(budget, offset);
    }
    // The end of a match that starts at the offset, in bytes.
    let end = byte_position(text, offset)
        .and_then(|from| from.checked_add(part.len()))
        .map_or(text.len(), |end| end.min(text.len()));
    let end = (end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
    let found = text.get(..end).and_then(|head| {
        let at = head.rfind(&**part)?;
        Some(length(&head[..at])).filter(|at| *at <= offset).or_else(|| {
            // The end was moved to the end of a code point: the match may start after the offset.
            let at = head[..at].rfind(&**part)?;
            Some(length(&head[..at]))
        })
    });
    Ok(Value::Int(found.unwrap_or(-1)))
}

pub(super) fn lower_ascii<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    in_case(args, u8::is_ascii_uppercase, str::to_ascii_lowercase)
}

pub(super) fn upper_ascii<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    in_case(args, u8::is_ascii_lowercase, str::to_ascii_uppercase)
}

/// Converts a text that has letters of the other case. Other texts are shared, not copied.
fn in_case<'a>(
    args: &[Value<'a>],
    is_of_other_case: fn(&u8) -> bool,
    convert: fn(&str) -> String,
) -> Result<'a> {
    match args {
        [Value::String(text)] if text.as_bytes().iter().any(is_of_other_case) => {
            Ok(Value::string(convert(text)))
        }
        [Value::String(text)] => Ok(Value::String(text.clone())),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn replace<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (text, old, new, limit) = match args {
        [Value::String(text), Value::String(old), Value::String(new)] => (text, old, new, -1),
        [Value::String(text), Value::String(old), Value::String(new), Value::Int(n)] => {
            (text, old, new, *n)
        }
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let count = text.matches(&**old).take(limit).count() as u64;
    budget.allocate(count.saturating_mul(new.len() as u64).saturating_add(text.len() as u64))?;
    Ok(Value::string(text.replacen(&**old, new, limit)))
}

pub(super) fn split<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (text, separator, limit) = match args {
        [Value::String(text), Value::String(separator)] => (text, separator, -1),
        [Value::String(text), Value::String(separator), Value::Int(n)] => (text, separator, *n),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    match text {
        Str::Borrowed(text) => split_into(budget, text, separator, limit, Value::str),
        Str::Shared(text) => split_into(budget, text, separator, limit, Value::string),
    }
}

/// The list of the parts of a text, each converted by `value`.
fn split_into<'t, 'a>(
    budget: &mut Budget,
    text: &'t str,
    separator: &str,
    limit: usize,
    value: impl Fn(&'t str) -> Value<'a>,
) -> Result<'a> {
    let mut parts = Vec::new();
    let mut push = |part: &'t str| {
        budget.allocate((size_of::<Value<'_>>() + part.len()) as u64)?;
        parts.push(value(part));
        Ok::<_, EvalError>(())
    };
    if separator.is_empty() {
        // Go's `explode`: a part for each code point; the last part has all that is beyond the
        // limit.
        let mut rest = text;
        let mut left = limit;
        while let Some(c) = rest.chars().next()
            && left > 0
        {
            let (part, next) = rest.split_at(if left == 1 { rest.len() } else { c.len_utf8() });
            push(part)?;
            rest = next;
            left -= 1;
        }
    } else {
        for part in text.splitn(limit, separator) {
            push(part)?;
        }
    }
    Ok(Value::list(parts))
}

pub(super) fn substring<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (text, start, end) = match args {
        [Value::String(text), Value::Int(start)] => (text, *start, None),
        [Value::String(text), Value::Int(start), Value::Int(end)] => (text, *start, Some(*end)),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    if let Some(end) = end.filter(|end| start > *end) {
        let text = format!("invalid substring range. start: {start}, end: {end}");
        return Err(EvalError::new(text));
    }
    let from = byte_position(text, start).ok_or_else(|| out_of_range(start))?;
    let to = match end {
        Some(end) => byte_position(text, end).ok_or_else(|| out_of_range(end))?,
        None => text.len(),
    };
    Ok(text.part(|text| text.get(from..to).unwrap_or_default()))
}

/// Go's `strings.TrimSpace` and Rust's `trim` take the same characters for white space.
pub(super) fn trim<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    match args {
        [Value::String(text)] => Ok(text.part(str::trim)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

pub(super) fn quote<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [Value::String(text)] = args else { return Err(EvalError::NO_SUCH_OVERLOAD) };
    budget.allocate(2 * text.len() as u64)?;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match gofmt::escape(c) {
            Some(escaped) => out.push_str(escaped),
            None => out.push(c),
        }
    }
    out.push('"');
    Ok(Value::string(out))
}

pub(super) fn join<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let (list, separator) = match args {
        [Value::List(list)] => (list, ""),
        [Value::List(list), Value::String(separator)] => (list, &**separator),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let mut out = String::new();
    for (i, element) in list.iter().enumerate() {
        let invalid = |element: &dyn std::fmt::Display| {
            EvalError::of(format_args!("join: invalid input: {element}"))
        };
        let element = element.map_err(|error| invalid(&error))?;
        let part = element.as_str().ok_or_else(|| invalid(&element))?;
        budget.allocate((separator.len() + part.len()) as u64)?;
        if i > 0 {
            out.push_str(separator);
        }
        out.push_str(part);
    }
    Ok(Value::string(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::testing::check;

    fn s(text: &str) -> Value<'_> {
        Value::str(text)
    }

    #[test]
    fn positions_are_code_points() {
        check("string_char_at_int", &[s("héé"), Value::Int(1)], "é");
        check("string_char_at_int", &[s("héé"), Value::Int(3)], "");
        check("string_char_at_int", &[s("héé"), Value::Int(4)], "index out of range: 4");
        check("string_index_of_string", &[s("ééaé"), s("a")], "2");
        check("string_index_of_string_int", &[s("aéaé"), s("é"), Value::Int(2)], "3");
        check("string_index_of_string_int", &[s("abc"), s(""), Value::Int(9)], "3");
        check("string_index_of_string_int", &[s("abc"), s("c"), Value::Int(9)], "-1");
        check(
            "string_index_of_string_int",
            &[s("a"), s("a"), Value::Int(-1)],
            "index out of range: -1",
        );
        check("string_substring_int_int", &[s("éaéb"), Value::Int(1), Value::Int(3)], "aé");
        check("string_substring_int", &[s("abc"), Value::Int(4)], "index out of range: 4");
        check(
            "string_substring_int_int",
            &[s("abc"), Value::Int(2), Value::Int(1)],
            "invalid substring range. start: 2, end: 1",
        );
    }

    #[test]
    fn last_positions() {
        check("string_last_index_of_string", &[s("éaéaé"), s("éa")], "2");
        check("string_last_index_of_string", &[s("abc"), s("")], "3");
        check("string_last_index_of_string", &[s("a"), s("ab")], "-1");
        for (offset, want) in [(0, "0"), (1, "0"), (2, "2"), (3, "2"), (4, "4"), (5, "-1")] {
            let args = [s("éaéaé"), s("é"), Value::Int(offset)];
            check("string_last_index_of_string_int", &args, want);
        }
        for (offset, want) in [(0, "0"), (1, "1"), (2, "2"), (3, "2")] {
            let args = [s("aaaa"), s("aa"), Value::Int(offset)];
            check("string_last_index_of_string_int", &args, want);
        }
        check("string_last_index_of_string_int", &[s("ab\u{1f600}"), s("b"), Value::Int(0)], "-1");
    }

    #[test]
    fn replacing_and_splitting() {
        check("string_replace_string_string", &[s("aba"), s("a"), s("xy")], "xybxy");
        check("string_replace_string_string", &[s("é"), s(""), s("-")], "-é-");
        let limited = [s("aaa"), s("a"), s("b"), Value::Int(2)];
        check("string_replace_string_string_int", &limited, "bba");
        check("string_split_string", &[s("a,b"), s(",")], "[a, b]");
        check("string_split_string", &[s("éa"), s("")], "[é, a]");
        check("string_split_string", &[s(""), s("")], "[]");
        check("string_split_string", &[s(""), s(",")], "[]");
        check("string_split_string_int", &[s("a,b,c"), s(","), Value::Int(2)], "[a, b,c]");
        check("string_split_string_int", &[s("abc"), s(""), Value::Int(2)], "[a, bc]");
        check("string_split_string_int", &[s("a,b"), s(","), Value::Int(0)], "[]");
        check("list_join_string", &[Value::list(vec![s("a"), s("b")]), s("-")], "a-b");
        check("list_join", &[Value::list(vec![Value::Int(1)])], "join: invalid input: 1");
        check("strings_quote", &[s("a\"\n\u{7f}")], "\"a\\\"\\n\u{7f}\"");
        check("string_trim", &[s("\u{a0} a\u{2003}")], "a");
    }
}

//! Reads the given files, directories and standard input as YAML or JSON documents.

mod document;
mod stream;
mod walk;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use stream::Stream;

pub(super) use document::{Document, DocumentError};
pub(super) use walk::FileWalk;

use super::CommandError;
use super::args::Paths;
use stream::Text;

/// The name shown for standard input.
const STDIN: &str = "(standard input)";

/// A part of a file that is validated at once, usually one document.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) place: UnitLocation,
    text: Result<Text, String>,
}

/// The place of a unit, from which it can be read again.
#[derive(Debug, Clone)]
pub(super) struct UnitLocation {
    /// `None` for standard input.
    file: Option<Arc<Path>>,
    /// Whether it can be read again at its offset.
    is_rereadable: bool,
    offset: u64,
    lines_before: usize,
}

impl UnitLocation {
    /// Returns the name of the file, for output.
    pub(super) fn file(&self) -> impl fmt::Display + '_ {
        self.file.as_ref().map_or(Path::new(STDIN), |path| path).display()
    }

    /// Returns the path of the file; `None` for standard input.
    pub(super) fn path(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Returns whether the unit can be read a second time.
    pub(super) fn is_rereadable(&self) -> bool {
        self.is_rereadable
    }

    /// Reads the unit again.
    pub(super) fn read_again(&self) -> Unit {
        let read = || -> io::Result<Option<Unit>> {
            let Some(path) = &self.file else { return Ok(None) };
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(self.offset))?;
            let mut stream = Stream::at(BufReader::new(file), self.offset, self.lines_before);
            stream
                .next()
                .transpose()
                .map(|text| text.map(|text| Unit { place: self.clone(), text: Ok(text) }))
        };
        match read() {
            Ok(Some(unit)) => unit,
            Ok(None) => {
                Unit { place: self.clone(), text: Err("cannot be read a second time".to_owned()) }
            }
            Err(error) => Unit { place: self.clone(), text: Err(error.to_string()) },
        }
    }
}

impl Unit {
    /// Returns its documents, in order.
    pub(super) fn documents(&self) -> Vec<Result<Document, DocumentError>> {
        match &self.text {
            Ok(text) => text.documents(self.place.lines_before),
            Err(message) => vec![Err(DocumentError::of_file(message.clone()))],
        }
    }

    /// Returns the lines of fields of one of its documents, counted from 1 in the file. A field without a line gets
    /// that of the closest field that contains it, or the first line of the document.
    pub(super) fn lines(&self, line: usize, item: Option<usize>, fields: &[String]) -> Vec<usize> {
        match &self.text {
            Ok(text) => text.lines(self.place.lines_before, item, fields),
            Err(_) => vec![line; fields.len()],
        }
    }

    /// Returns whether the bytes contain a word.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.text.as_ref().is_ok_and(|text| text.mentions(word))
    }
}

#[cfg(test)]
impl Unit {
    /// Returns a unit that is in no file.
    pub(super) fn of_yaml(text: &str) -> Self {
        let place = UnitLocation { file: None, is_rereadable: false, offset: 0, lines_before: 0 };
        let chunk = crate::yaml::Chunk::new(text.as_bytes().to_vec(), 0);
        Self { place, text: Ok(Text::Yaml(chunk)) }
    }
}

/// Fails if a path does not exist.
pub(super) fn check(arguments: &Paths) -> Result<(), CommandError> {
    for path in arguments.paths.iter().filter(|path| path.as_os_str() != "-") {
        if let Err(error) = path.metadata() {
            return Err(CommandError(format!("{}: {error}", path.display())));
        }
    }
    Ok(())
}

/// Returns all units of the arguments, in a fixed order: arguments as given, the entries of directories by name.
pub(super) fn units(arguments: &Paths) -> impl Iterator<Item = Unit> + use<> {
    FileWalk::new(arguments).flat_map(|path| match path {
        Ok(path) if path.as_os_str() == "-" => of_stream(None, Box::new(io::stdin())),
        Ok(path) => match File::open(&path) {
            Ok(file) => of_stream(Some(path.into()), Box::new(file)),
            Err(error) => broken(Some(path.into()), &error),
        },
        Err((path, error)) => broken(Some(path.into()), &error),
    })
}

/// Returns the units of a file that is not read from the disk.
pub(super) fn of_bytes(
    file: &Path,
    bytes: impl Read + Send + 'static,
) -> impl Iterator<Item = Unit> {
    of_stream(Some(file.into()), Box::new(bytes))
}

type Units = Box<dyn Iterator<Item = Unit> + Send>;

fn of_stream(file: Option<Arc<Path>>, stream: Box<dyn Read + Send>) -> Units {
    let mut reader = BufReader::new(stream);
    let (reader, is_rereadable): (Box<dyn BufRead + Send>, bool) = match utf16(&mut reader) {
        Ok(Some(text)) => (Box::new(Cursor::new(text)), false),
        Ok(None) => (Box::new(reader), file.is_some()),
        Err(error) => return broken(file, &error),
    };
    let mut stream = Stream::at(reader, 0, 0);
    Box::new(std::iter::from_fn(move || {
        let (offset, lines_before) = (stream.offset(), stream.lines());
        let place = UnitLocation { file: file.clone(), is_rereadable, offset, lines_before };
        let text = stream.next()?.map_err(|error| error.to_string());
        Some(Unit { place, text })
    }))
}

/// Converts a stream to UTF-8 if it begins with a byte order mark of UTF-16; returns `None` otherwise.
///
/// Source: `FileVisitor` in `k8s.io/cli-runtime/pkg/resource/visitor.go`.
fn utf16(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let unit: fn([u8; 2]) -> u16 = match reader.fill_buf()? {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Ok(None),
    };
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let (units, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = units.iter().skip(1).map(|bytes| unit(*bytes)).collect();
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    let text = text.ok_or_else(|| io::Error::other("invalid UTF-16 after a byte order mark"))?;
    Ok(Some(text.into_bytes()))
}

fn broken(file: Option<Arc<Path>>, error: &io::Error) -> Units {
    let place = UnitLocation { file, is_rereadable: false, offset: 0, lines_before: 0 };
    Box::new(std::iter::once(Unit { place, text: Err(error.to_string()) }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn values(bytes: &'static [u8]) -> Vec<(usize, Result<Value, String>)> {
        of_stream(None, Box::new(bytes))
            .flat_map(|unit| unit.documents())
            .map(|document| match document {
                Ok(document) => (document.line, Ok(document.value)),
                Err(error) => (error.line, Err(error.message)),
            })
            .collect()
    }

    #[track_caller]
    fn check(text: &'static str, want: &[(usize, Value)]) {
        let want: Vec<_> = want.iter().map(|(line, value)| (*line, Ok(value.clone()))).collect();
        assert_eq!(values(text.as_bytes()), want, "{text}");
    }

    #[test]
    fn a_stream_of_json_can_hold_several_objects() {
        check("{\"a\": 1}", &[(1, json!({"a": 1}))]);
        check(
            "\n {\"a\": \"}\\\"{\"}{\"b\": 1.0}\n\n{\"c\":\n[{}]}",
            &[(2, json!({"a": "}\"{"})), (2, json!({"b": 1.0})), (4, json!({"c": [{}]}))],
        );
    }

    #[test]
    fn yaml_may_follow_json_and_may_look_like_it() {
        check(
            "{\"a\": 1}\n---\nb: 1\n---\n{c: 1}\n",
            &[(1, json!({"a": 1})), (3, json!({"b": 1})), (5, json!({"c": 1}))],
        );
        check("{a: yes, b: [1]}\n", &[(1, json!({"a": true, "b": [1]}))]);
        check("  a: 1\n  b: 2\n", &[(1, json!({"a": 1, "b": 2}))]);
    }

    #[test]
    fn unreadable_documents_are_reported_with_their_lines() {
        let read = values(b"a: 1\n---\nb: [\n---\n- c\n");
        assert_eq!(read.len(), 3);
        assert!(matches!(&read[1], (4, Err(_))), "{read:?}");
        assert!(matches!(&values(b"{\"a\": ]}")[..], [(1, Err(_))]));
        assert!(matches!(&values(b"{\"a\": 1")[..], [(1, Err(_))]));
        assert!(
            matches!(&values(b"a: \xff")[..], [(1, Err(message))] if message == "invalid leading UTF-8 octet")
        );
    }

    #[test]
    fn utf16_with_a_byte_order_mark_is_read() {
        let text = "{\"a\": \"\u{e4}\u{1f600}\"}\n---\nb: 1\n";
        let units = || std::iter::once(0xfeff).chain(text.encode_utf16());
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        let want = [(1, Ok(json!({"a": "\u{e4}\u{1f600}"}))), (3, Ok(json!({"b": 1})))];
        for bytes in [little, big] {
            assert_eq!(values(bytes.leak()), want);
        }
        let messages = "invalid UTF-16 after a byte order mark";
        for bytes in [&b"\xff\xfea"[..], b"\xff\xfe\x00\xd8"] {
            assert!(matches!(&values(bytes)[..], [(0, Err(message))] if message == messages));
        }
    }

    #[test]
    fn items_without_a_kind_get_that_of_their_list() {
        let text = b"{\"apiVersion\": \"a/v1\", \"kind\": \"BList\", \"items\": [{\"x\": 1}, {\"kind\": \"C\"}]}";
        let items: Vec<Value> = of_stream(None, Box::new(&text[..]))
            .flat_map(|unit| unit.documents())
            .flatten()
            .flat_map(Document::flatten)
            .map(|document| document.value)
            .collect();
        assert_eq!(
            items,
            [json!({"apiVersion": "a/v1", "kind": "B", "x": 1}), json!({"kind": "C"})]
        );
    }

    #[test]
    fn duplicate_keys_are_reported_in_json_and_yaml() {
        for text in [&b"a: 1\na: 2\n"[..], b"{\"a\": 1, \"a\": 2}"] {
            let messages: Vec<String> = of_stream(None, Box::new(text))
                .flat_map(|unit| unit.documents())
                .flatten()
                .flat_map(|d| d.duplicates)
                .collect();
            assert_eq!(messages.len(), 1, "{messages:?}");
        }
    }
}

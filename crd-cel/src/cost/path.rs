//! Paths through declared data, as the estimator follows them from a variable.
//!
//! Upstream keeps a path in a Go slice and extends it with `append`, which writes in place while the
//! slice has room. Two paths that extend the same third one then share memory, and the later extension
//! changes the earlier path. Estimates depend on it, so it is reproduced: a path is a buffer and a
//! length, buffers grow by doubling, and extending writes into the buffer where there is room.
//!
//! Source: cel-go `checker/cost.go`, `costSelect`, `costCall`, `pushIter*`; Go `runtime/slice.go`,
//! `nextslicecap`.

use std::sync::Arc;

/// From this capacity on Go grows slices by less than double. Source: Go `runtime/slice.go`.
const DOUBLING_LIMIT: usize = 256;

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A variable or a field.
    Name(Arc<str>),
    /// The items of a list.
    Items,
    /// The indices of a list.
    Indices,
    /// The keys of a map.
    Keys,
    /// The values of a map.
    Values,
}

/// A path: the first `len` steps of a buffer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Path {
    buffer: usize,
    len: usize,
}

/// The buffers of all paths of one estimate.
#[derive(Debug, Default)]
pub(super) struct Paths {
    buffers: Vec<Buffer>,
}

#[derive(Debug)]
struct Buffer {
    steps: Vec<Step>,
    capacity: usize,
}

impl Path {
    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl Paths {
    /// The path of a variable.
    pub(super) fn root(&mut self, name: &Arc<str>) -> Path {
        self.allocate(vec![Step::Name(Arc::clone(name))], 1)
    }

    /// The path one step further. Where the buffer has room the step is written into it, over what
    /// another path has there.
    pub(super) fn extend(&mut self, path: Path, step: Step) -> Path {
        let len = path.len + 1;
        if let Some(buffer) = self.buffers.get_mut(path.buffer)
            && path.len > 0
            && len <= buffer.capacity
        {
            match buffer.steps.get_mut(path.len) {
                Some(slot) => *slot = step,
                None => buffer.steps.push(step),
            }
            return Path { buffer: path.buffer, len };
        }
        let mut steps = self.steps(path).to_vec();
        steps.push(step);
        let capacity = match path.len {
            0 => 1,
            old if old < DOUBLING_LIMIT => old * 2,
            old => old + (old + 3 * DOUBLING_LIMIT) / 4,
        };
        self.allocate(steps, capacity)
    }

    /// A copy that shares no memory, one step further.
    pub(super) fn steps_and(&self, path: Path, step: Step) -> Vec<Step> {
        let mut steps = self.steps(path).to_vec();
        steps.push(step);
        steps
    }

    /// The steps of a path as they are now.
    pub(super) fn steps(&self, path: Path) -> &[Step] {
        self.buffers.get(path.buffer).and_then(|buffer| buffer.steps.get(..path.len)).unwrap_or(&[])
    }

    fn allocate(&mut self, steps: Vec<Step>, capacity: usize) -> Path {
        let len = steps.len();
        self.buffers.push(Buffer { steps, capacity });
        Path { buffer: self.buffers.len() - 1, len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(paths: &Paths, path: Path) -> String {
        let steps = paths.steps(path).iter().map(|step| match step {
            Step::Name(name) => name.to_string(),
            other => format!("@{other:?}").to_lowercase(),
        });
        steps.collect::<Vec<_>>().join(".")
    }

    fn name(text: &str) -> Step {
        Step::Name(text.into())
    }

    #[test]
    fn extensions_of_a_path_with_room_overwrite_each_other() {
        let mut paths = Paths::default();
        let root = paths.root(&"self".into());
        let two = paths.extend(root, name("a"));
        let three = paths.extend(two, name("b"));
        let first = paths.extend(three, name("c"));
        assert_eq!(show(&paths, first), "self.a.b.c");
        let second = paths.extend(three, Step::Items);
        assert_eq!(show(&paths, second), "self.a.b.@items");
        assert_eq!(show(&paths, first), "self.a.b.@items");
        // A full buffer is copied: what extends it shares nothing.
        let left = paths.extend(second, name("d"));
        let right = paths.extend(second, name("e"));
        assert_eq!(show(&paths, left), "self.a.b.@items.d");
        assert_eq!(show(&paths, right), "self.a.b.@items.e");
    }

    #[test]
    fn nothing_can_be_extended() {
        let mut paths = Paths::default();
        let items = paths.extend(Path::default(), Step::Items);
        assert_eq!(show(&paths, items), "@items");
        let other = paths.extend(Path::default(), Step::Keys);
        assert_eq!(show(&paths, items), "@items");
        assert_eq!(show(&paths, other), "@keys");
    }
}

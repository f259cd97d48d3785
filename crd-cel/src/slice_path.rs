//! Paths that share memory, as the server's estimator follows them from a variable through declared
//! data.
//!
//! Upstream keeps a path in a Go slice and extends it with `append`, which writes in place while
//! the slice has room. Two paths that extend the same third one then share memory, and the later
//! extension changes the earlier path. Estimates depend on it, so it is reproduced: a path is a
//! buffer and a length, buffers grow by doubling, and extending writes into the buffer if there is
//! room.
//!
//! Source: cel-go `checker/cost.go`, `costSelect`, `costCall`, `pushIter*`; Go `runtime/slice.go`,
//! `nextslicecap`.

/// The capacity from which on Go grows slices by less than double. Source: Go `runtime/slice.go`.
const DOUBLING_LIMIT: usize = 256;

/// A path: the first `len` steps of a buffer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Path {
    buffer: usize,
    len: usize,
}

/// The buffers of all paths of one estimate.
#[derive(Debug)]
pub(crate) struct Paths<S> {
    buffers: Vec<Buffer<S>>,
}

#[derive(Debug)]
struct Buffer<S> {
    steps: Vec<S>,
    capacity: usize,
}

impl Path {
    #[cfg(feature = "eval")]
    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<S> Default for Paths<S> {
    fn default() -> Self {
        Self { buffers: Vec::new() }
    }
}

impl<S: Clone> Paths<S> {
    /// The path of a variable.
    pub(crate) fn root(&mut self, variable: S) -> Path {
        self.allocate(vec![variable], 1)
    }

    /// The path, extended by a step. If the buffer has room, the step is written into it, and
    /// replaces the step of another path, if there is one.
    pub(crate) fn extend(&mut self, path: Path, step: S) -> Path {
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
        let steps = self.steps_and(path, step);
        let capacity = match path.len {
            0 => 1,
            old if old < DOUBLING_LIMIT => old * 2,
            old => old + (old + 3 * DOUBLING_LIMIT) / 4,
        };
        self.allocate(steps, capacity)
    }

    /// The steps of a path and one more, as a copy that shares no memory.
    pub(crate) fn steps_and(&self, path: Path, step: S) -> Vec<S> {
        let mut steps = self.steps(path).to_vec();
        steps.push(step);
        steps
    }

    /// The steps of a path as they are now.
    pub(crate) fn steps(&self, path: Path) -> &[S] {
        self.buffers.get(path.buffer).and_then(|buffer| buffer.steps.get(..path.len)).unwrap_or(&[])
    }

    fn allocate(&mut self, steps: Vec<S>, capacity: usize) -> Path {
        let len = steps.len();
        self.buffers.push(Buffer { steps, capacity });
        Path { buffer: self.buffers.len() - 1, len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_of_a_path_with_room_overwrite_each_other() {
        let mut paths = Paths::default();
        let root = paths.root("self");
        let two = paths.extend(root, "a");
        let three = paths.extend(two, "b");
        let first = paths.extend(three, "c");
        assert_eq!(paths.steps(first), ["self", "a", "b", "c"]);
        let second = paths.extend(three, "@items");
        assert_eq!(paths.steps(second), ["self", "a", "b", "@items"]);
        assert_eq!(paths.steps(first), ["self", "a", "b", "@items"]);
        // A full buffer is copied: what extends it shares nothing.
        let left = paths.extend(second, "d");
        let right = paths.extend(second, "e");
        assert_eq!(paths.steps(left), ["self", "a", "b", "@items", "d"]);
        assert_eq!(paths.steps(right), ["self", "a", "b", "@items", "e"]);
    }

    #[test]
    fn nothing_can_be_extended() {
        let mut paths = Paths::default();
        let items = paths.extend(Path::default(), "@items");
        assert_eq!(paths.steps(items), ["@items"]);
        let other = paths.extend(Path::default(), "@keys");
        assert_eq!(paths.steps(items), ["@items"]);
        assert_eq!(paths.steps(other), ["@keys"]);
    }
}

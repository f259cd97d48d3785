//! Paths from a variable to declared data, which share memory as in the server's estimator.
//!
//! Upstream keeps a path in a Go slice and extends it with `append`, which writes in place while
//! the slice has room. Two paths that extend the same third one then share memory, and the later
//! extension changes the earlier path. Estimates depend on it, so it is reproduced: a path is a
//! buffer and a length, buffers grow by doubling, and extending writes into the buffer if there is
//! room.
//!
//! Source: cel-go `checker/cost.go`, `costSelect`, `costCall`, `pushIter*`; Go `runtime/slice.go`,
//! `nextslicecap`.

/// The least capacity of a slice that Go grows by less than double. Source: Go `runtime/slice.go`.
const DOUBLING_LIMIT: usize = 256;

/// A path: the first `len` elements of a buffer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Path {
    buffer: usize,
    len: usize,
}

/// The buffers of all paths of one estimate.
#[derive(Debug)]
pub(crate) struct Paths<E> {
    buffers: Vec<Buffer<E>>,
}

#[derive(Debug)]
struct Buffer<E> {
    elements: Vec<E>,
    capacity: usize,
}

impl Path {
    #[cfg(feature = "eval")]
    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<E> Default for Paths<E> {
    fn default() -> Self {
        Self { buffers: Vec::new() }
    }
}

impl<E: Clone> Paths<E> {
    /// The path of a variable.
    pub(crate) fn root(&mut self, variable: E) -> Path {
        self.allocate(vec![variable], 1)
    }

    /// The path, extended by an element. If the buffer has room, the element is written into it, and
    /// may replace an element of another path.
    pub(crate) fn extend(&mut self, path: Path, element: E) -> Path {
        let len = path.len + 1;
        if let Some(buffer) = self.buffers.get_mut(path.buffer)
            && path.len > 0
            && len <= buffer.capacity
        {
            match buffer.elements.get_mut(path.len) {
                Some(slot) => *slot = element,
                None => buffer.elements.push(element),
            }
            return Path { buffer: path.buffer, len };
        }
        let elements = self.elements_and(path, element);
        let capacity = match path.len {
            0 => 1,
            old if old < DOUBLING_LIMIT => old * 2,
            old => old + (old + 3 * DOUBLING_LIMIT) / 4,
        };
        self.allocate(elements, capacity)
    }

    /// The elements of a path and one more, as a copy that shares no memory.
    pub(crate) fn elements_and(&self, path: Path, element: E) -> Vec<E> {
        let mut elements = self.elements(path).to_vec();
        elements.push(element);
        elements
    }

    /// The elements of a path as they are now.
    pub(crate) fn elements(&self, path: Path) -> &[E] {
        self.buffers
            .get(path.buffer)
            .and_then(|buffer| buffer.elements.get(..path.len))
            .unwrap_or(&[])
    }

    fn allocate(&mut self, elements: Vec<E>, capacity: usize) -> Path {
        let len = elements.len();
        self.buffers.push(Buffer { elements, capacity });
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
        assert_eq!(paths.elements(first), ["self", "a", "b", "c"]);
        let second = paths.extend(three, "@items");
        assert_eq!(paths.elements(second), ["self", "a", "b", "@items"]);
        assert_eq!(paths.elements(first), ["self", "a", "b", "@items"]);
        // The buffer is full now, so each extension copies it, and the copies share nothing.
        let left = paths.extend(second, "d");
        let right = paths.extend(second, "e");
        assert_eq!(paths.elements(left), ["self", "a", "b", "@items", "d"]);
        assert_eq!(paths.elements(right), ["self", "a", "b", "@items", "e"]);
    }

    #[test]
    fn an_empty_path_can_be_extended() {
        let mut paths = Paths::default();
        let items = paths.extend(Path::default(), "@items");
        assert_eq!(paths.elements(items), ["@items"]);
        let other = paths.extend(Path::default(), "@keys");
        assert_eq!(paths.elements(items), ["@items"]);
        assert_eq!(paths.elements(other), ["@keys"]);
    }
}

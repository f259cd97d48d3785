//! What the API server's own code says. Go builds it, so these tests run only with `--ignored`.

mod divergence;
mod texts_of_minors;

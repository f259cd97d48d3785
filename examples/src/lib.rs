//! Runnable operator-author code: one module an example.

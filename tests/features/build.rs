//! Without a build script, cargo would ignore the build-dependencies.

fn main() {}

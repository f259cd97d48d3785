//! Apply configurations: what they write, and what a manager gets back of an object.

mod configuration;
mod extract;
mod kinds;

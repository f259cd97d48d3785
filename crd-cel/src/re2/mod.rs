//! Go's RE2 regular expressions: syntax, meaning and error texts (`regexp/syntax`).

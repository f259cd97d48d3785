//! Checks of definitions, admission, conversion and YAML, without a server.

mod conformance;
mod conversion;
mod divergence;
mod errors;
mod examples;
mod found;
mod kubernetes_versions;
mod rules;
mod yaml;
mod yaml_reading;

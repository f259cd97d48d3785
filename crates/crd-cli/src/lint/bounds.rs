//! Missing bounds of strings, lists and maps.

use std::collections::HashSet;

use crd_cel::kubernetes::KubernetesVersion;
use crd_cel::re2::Regex;

use super::definition::{Definition, Node};
use super::kind::{Example, Findings, Level, Lint};
use super::lists;
use crate::field::Path;
use crate::ruleset::{self, RULE_COST_LIMIT};
use crate::{Server, columns};

/// The share of the server's limit above which a rule is expensive: one in so many.
const EXPENSIVE: u64 = 10;

pub(super) const UNBOUNDED_IN_RULE: Lint = Lint {
    id: "unbounded_in_rule",
    level: Level::Warn,
    finds: "a string, list or map without a bound that makes a rule expensive",
    why: "The server estimates the cost of a rule from the largest value that the schema admits, and rejects the \
          definition if a rule may cost more than 10,000,000 or all rules together more than 100,000,000. Without a bound \
          it takes a request of the largest size. Above a tenth of the limit, a further field or a second rule may be \
          one too many, and a bound that is added later rejects objects that are stored already.",
    in_rust: "`#[crd(max_items = N)]`, `#[crd(max_properties = N)]`, `#[crd(max_length = N)]`, also inside `items(..)` and \
              `values(..)`",
    in_yaml: "`maxItems`, `maxProperties` or `maxLength`",
    bad: Example::Spec(
        "\
names:
  description: The names to serve.
  type: array
  x-kubernetes-list-type: atomic
  items: {type: string, maxLength: 63}
  x-kubernetes-validations:
  - rule: self.all(name, name.startsWith('a'))
",
    ),
    good: Example::Spec(
        "\
names:
  description: The names to serve.
  type: array
  maxItems: 64
  x-kubernetes-list-type: atomic
  items: {type: string, maxLength: 63}
  x-kubernetes-validations:
  - rule: self.all(name, name.startsWith('a'))
",
    ),
    find: unbounded_in_rule,
};

fn unbounded_in_rule(definition: &Definition<'_>, findings: &mut Findings) {
    let kubernetes = KubernetesVersion::REFERENCE;
    for (version, field) in definition.served() {
        // A schema that does not compile is reported by `check`.
        let schema = Server::of(kubernetes).compile(definition.crd, &version.name);
        let Ok(schema) = schema else { continue };
        let Some(schema) = schema.structural() else { continue };
        let path = format!("{field}.schema.openAPIV3Schema");
        let path = Path::new(&path);
        let reports =
            ruleset::report_within(schema, &path, kubernetes, RULE_COST_LIMIT / EXPENSIVE);
        let mut seen = HashSet::new();
        for report in &reports {
            for bound in report.helpful_bounds.iter().filter(|bound| !bound.lowers) {
                let Some(node) = definition.at(&bound.path) else { continue };
                if seen.insert((&bound.path, bound.keyword)) {
                    let message = format!(
                        "without `{}`, the rule `{}` may cost {:.0}% of the server's limit",
                        bound.keyword,
                        columns::one_line(&report.rule),
                        report.share() * 100.0,
                    );
                    findings.at(node, message);
                }
            }
        }
    }
}

/// A string without bounds.
const HOST: Example = Example::Spec("host: {type: string, description: The host name.}\n");

/// A list without bounds.
const HOSTS: Example = Example::Spec(
    "\
hosts:
  description: The host names.
  type: array
  x-kubernetes-list-type: set
  items: {type: string}
",
);

/// A map without bounds.
const LIMITS: Example = Example::Spec(
    "\
limits:
  description: The limits by name.
  type: object
  additionalProperties: {type: integer, format: int32}
",
);

pub(super) const MISSING_MAX_LENGTH: Lint = Lint {
    id: "missing_max_length",
    level: Level::Allow,
    finds: "a string without `maxLength`",
    why: "Only the size of a request limits the string then. A rule that reads it is estimated for three million \
          characters, and what the controller makes of it, such as a label or a name, may have a limit of its own.",
    in_rust: "`#[crd(max_length = N)]`",
    in_yaml: "`maxLength`",
    bad: HOST,
    good: Example::Spec("host: {type: string, maxLength: 253, description: The host name.}\n"),
    find: |definition, findings| {
        each(definition, findings, "the string", "maxLength", |node| {
            let schema = node.schema;
            let is_bounded = matches!(&*schema.format, "date" | "date-time" | "duration");
            node.is_a("string")
                && schema.max_length.is_none()
                && schema.enum_.is_none()
                && !is_bounded
        });
    },
};

pub(super) const MISSING_MAX_ITEMS: Lint = Lint {
    id: "missing_max_items",
    level: Level::Allow,
    finds: "a list without `maxItems`",
    why: "Only the size of a request limits the list then. A rule that visits its items is estimated for about a million \
          of them.",
    in_rust: "`#[crd(max_items = N)]`",
    in_yaml: "`maxItems`",
    bad: HOSTS,
    good: Example::Spec(
        "\
hosts:
  description: The host names.
  type: array
  maxItems: 16
  x-kubernetes-list-type: set
  items: {type: string}
",
    ),
    find: |definition, findings| {
        each(definition, findings, "the list", "maxItems", |node| {
            node.is_a("array") && node.schema.max_items.is_none()
        });
    },
};

pub(super) const MISSING_MAX_PROPERTIES: Lint = Lint {
    id: "missing_max_properties",
    level: Level::Allow,
    finds: "a map without `maxProperties`",
    why: "Only the size of a request limits the map then. A rule that visits its entries is estimated for about a million \
          of them.",
    in_rust: "`#[crd(max_properties = N)]`",
    in_yaml: "`maxProperties`",
    bad: LIMITS,
    good: Example::Spec(
        "\
limits:
  description: The limits by name.
  type: object
  maxProperties: 16
  additionalProperties: {type: integer, format: int32}
",
    ),
    find: |definition, findings| {
        each(definition, findings, "the map", "maxProperties", |node| {
            node.values().is_some() && node.schema.max_properties.is_none()
        });
    },
};

pub(super) const MISSING_MIN_LENGTH: Lint = Lint {
    id: "missing_min_length",
    level: Level::Allow,
    finds: "a string that may be empty",
    why: "If the schema admits `\"\"`, a controller has to decide whether it means something else than an absent field.",
    in_rust: "`#[crd(min_length = 1)]`, or `#[crd(min_length = 0)]` if the empty string has a meaning",
    in_yaml: "`minLength: 1`, or `minLength: 0` if the empty string has a meaning",
    bad: HOST,
    good: Example::Spec("host: {type: string, minLength: 1, description: The host name.}\n"),
    find: |definition, findings| {
        each(definition, findings, "the string", "minLength", |node| {
            let schema = node.schema;
            let may_be_empty = || {
                let pattern = Regex::new(&schema.pattern);
                schema.format.is_empty() && pattern.is_ok_and(|pattern| pattern.is_match(""))
            };
            node.is_a("string")
                && schema.min_length.is_none()
                && schema.enum_.is_none()
                && may_be_empty()
        });
    },
};

pub(super) const MISSING_MIN_ITEMS: Lint = Lint {
    id: "missing_min_items",
    level: Level::Allow,
    finds: "a list that may be empty",
    why: "If the schema admits `[]`, a controller has to decide whether it means something else than an absent list.",
    in_rust: "`#[crd(min_items = 1)]`, or `#[crd(min_items = 0)]` if the empty list has a meaning",
    in_yaml: "`minItems: 1`, or `minItems: 0` if the empty list has a meaning",
    bad: HOSTS,
    good: Example::Spec(
        "\
hosts:
  description: The host names.
  type: array
  minItems: 1
  x-kubernetes-list-type: set
  items: {type: string}
",
    ),
    find: |definition, findings| {
        each(definition, findings, "the list", "minItems", |node| {
            node.is_a("array") && node.schema.min_items.is_none()
        });
    },
};

pub(super) const MISSING_MIN_PROPERTIES: Lint = Lint {
    id: "missing_min_properties",
    level: Level::Allow,
    finds: "a map or object that may be empty",
    why: "If the schema admits `{}`, a controller has to decide whether it means something else than an absent field.",
    in_rust: "`#[crd(min_properties = 1)]`, or `#[crd(min_properties = 0)]` if the empty object has a meaning",
    in_yaml: "`minProperties: 1`, or `minProperties: 0` if the empty object has a meaning",
    bad: LIMITS,
    good: Example::Spec(
        "\
limits:
  description: The limits by name.
  type: object
  minProperties: 1
  additionalProperties: {type: integer, format: int32}
",
    ),
    find: |definition, findings| {
        each(definition, findings, "the object", "minProperties", |node| {
            let is_part = node.name.is_some() && !matches!(&*node.value, "spec" | "status");
            is_part && node.schema.min_properties.is_none() && lists::may_be_empty(node.schema)
        });
    },
};

/// Adds a finding for each schema that lacks a keyword.
fn each(
    definition: &Definition<'_>,
    findings: &mut Findings,
    what: &str,
    keyword: &str,
    lacks: impl Fn(&Node<'_>) -> bool,
) {
    for node in definition.nodes.iter().filter(|node| lacks(node)) {
        findings.at(node, format!("{what} has no `{keyword}`"));
    }
}

//! Generates rules as syntax trees, and writes them as text.

use std::fmt;

use arbitrary::Arbitrary;

/// A variable, or a field of `self`. The target `rule` has values for all but `x`, which macros bind; generated schemas
/// have fields of these names.
#[derive(Debug, Arbitrary)]
pub enum Name {
    SelfA,
    SelfName,
    SelfB,
    Whole,
    Old,
    X,
}

/// An operator between two operands.
#[derive(Debug, Arbitrary)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    And,
    Or,
    In,
}

/// A macro over a list or map.
#[derive(Debug, Arbitrary)]
pub enum Macro {
    All,
    Exists,
    ExistsOne,
    Map,
    Filter,
    SortBy,
    TransformList,
    TransformMap,
}

/// A method without arguments.
#[derive(Debug, Arbitrary)]
pub enum Method {
    Size,
    LowerAscii,
    Trim,
    Sum,
    Min,
    IsSorted,
    Reverse,
    Flatten,
    HasValue,
    Value,
}

/// A method with one argument.
#[derive(Debug, Arbitrary)]
pub enum Call {
    StartsWith,
    Matches,
    Contains,
    Split,
    Join,
    Find,
    FindAll,
    IndexOf,
    OrValue,
    Format,
}

/// A conversion.
#[derive(Debug, Arbitrary)]
pub enum Conversion {
    Int,
    Text,
    Double,
    Dyn,
    Duration,
    Timestamp,
    Quantity,
    Url,
    Ip,
    Optional,
    Type,
}

/// A rule, of any type.
#[derive(Debug, Arbitrary)]
pub enum Rule {
    Name(Name),
    Int(i64),
    Small(u8),
    Double(f32),
    Text(String),
    Bool(bool),
    Null,
    Binary(Box<(Rule, Operator, Rule)>),
    Not(Box<Rule>),
    Negative(Box<Rule>),
    Conditional(Box<(Rule, Rule, Rule)>),
    List(Vec<Rule>),
    Map(Vec<(Rule, Rule)>),
    Index(Box<(Rule, Rule)>),
    Optional(Box<(Rule, Rule)>),
    Select(Box<Rule>),
    Has(Box<Rule>),
    Macro(Box<(Rule, Macro, Rule)>),
    Method(Box<(Rule, Method)>),
    Call(Box<(Rule, Call, Rule)>),
    Convert(Box<(Conversion, Rule)>),
    Range(u16),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SelfA => "self.a",
            Self::SelfName => "self.name",
            Self::SelfB => "self.b",
            Self::Whole => "self",
            Self::Old => "oldSelf",
            Self::X => "x",
        })
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::GreaterOrEqual => ">=",
            Self::And => "&&",
            Self::Or => "||",
            Self::In => "in",
        })
    }
}

impl Macro {
    fn write(&self, range: &Rule, body: &Rule, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, variables) = match self {
            Self::All => ("all", "x"),
            Self::Exists => ("exists", "x"),
            Self::ExistsOne => ("exists_one", "x"),
            Self::Map => ("map", "x"),
            Self::Filter => ("filter", "x"),
            Self::SortBy => ("sortBy", "x"),
            Self::TransformList => ("transformList", "i, x"),
            Self::TransformMap => ("transformMap", "i, x"),
        };
        write!(f, "{range}.{name}({variables}, {body})")
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Size => "size",
            Self::LowerAscii => "lowerAscii",
            Self::Trim => "trim",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::IsSorted => "isSorted",
            Self::Reverse => "reverse",
            Self::Flatten => "flatten",
            Self::HasValue => "hasValue",
            Self::Value => "value",
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StartsWith => "startsWith",
            Self::Matches => "matches",
            Self::Contains => "contains",
            Self::Split => "split",
            Self::Join => "join",
            Self::Find => "find",
            Self::FindAll => "findAll",
            Self::IndexOf => "indexOf",
            Self::OrValue => "orValue",
            Self::Format => "format",
        })
    }
}

impl fmt::Display for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int => "int",
            Self::Text => "string",
            Self::Double => "double",
            Self::Dyn => "dyn",
            Self::Duration => "duration",
            Self::Timestamp => "timestamp",
            Self::Quantity => "quantity",
            Self::Url => "url",
            Self::Ip => "ip",
            Self::Optional => "optional.of",
            Self::Type => "type",
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => name.fmt(f),
            Self::Int(n) => write!(f, "({n})"),
            Self::Small(n) => n.fmt(f),
            Self::Double(n) if n.is_finite() => write!(f, "double('{n:e}')"),
            Self::Double(_) => f.write_str("double('NaN')"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Bool(yes) => yes.fmt(f),
            Self::Null => f.write_str("null"),
            Self::Binary(parts) => write!(f, "({} {} {})", parts.0, parts.1, parts.2),
            Self::Not(rule) => write!(f, "!({rule})"),
            Self::Negative(rule) => write!(f, "-({rule})"),
            Self::Conditional(parts) => write!(f, "({} ? {} : {})", parts.0, parts.1, parts.2),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Map(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {value}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
            Self::Index(parts) => write!(f, "{}[{}]", parts.0, parts.1),
            Self::Optional(parts) => write!(f, "{}[?{}]", parts.0, parts.1),
            Self::Select(rule) => write!(f, "{rule}.b"),
            Self::Has(rule) => write!(f, "has({rule}.b)"),
            Self::Macro(parts) => parts.1.write(&parts.0, &parts.2, f),
            Self::Method(parts) => write!(f, "{}.{}()", parts.0, parts.1),
            Self::Call(parts) => write!(f, "{}.{}({})", parts.0, parts.1, parts.2),
            Self::Convert(parts) => write!(f, "{}({})", parts.0, parts.1),
            Self::Range(n) => write!(f, "lists.range({n})"),
        }
    }
}

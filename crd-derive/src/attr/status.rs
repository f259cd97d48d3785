//! `status`, `status = TYPE` and `status(TYPE, schema_with = FUNCTION)`.

use darling::util::SpannedValue;
use darling::{FromMeta, Result};
use syn::parse::{ParseStream, Parser};
use syn::{ExprPath, Ident, Meta, Path, Token, Type};

use super::form;
use crate::literal::wrong_form;
use crate::types;

/// The arguments of the form with parentheses.
const FORM: &str = "(TYPE, schema_with = FUNCTION)";

/// The status subresource.
#[derive(Debug, Clone)]
pub(crate) struct Status {
    /// The type of the field `status`; without one, the schema has no such field.
    pub ty: Option<SpannedValue<Path>>,
    /// The source of the schema, if it is not the type.
    pub schema: Option<SpannedValue<SchemaOf>>,
}

/// The source of the schema of a type that has none itself.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "lives while one type is expanded")]
pub(crate) enum SchemaOf {
    /// `schema_with = FUNCTION`
    Function(ExprPath),
    /// `schema_as = TYPE`
    Type(Type),
}

impl FromMeta for Status {
    fn from_meta(item: &Meta) -> Result<Self> {
        match item {
            Meta::Path(_) => Ok(Self { ty: None, schema: None }),
            Meta::NameValue(_) => Ok(Self { ty: form::path(item)?, schema: None }),
            Meta::List(list) if list.tokens.is_empty() => Err(wrong_form(item, " = ..")),
            Meta::List(list) => {
                let (ty, schema) = read.parse2(list.tokens.clone())?;
                let Some(schema) = schema else { return Err(wrong_form(item, FORM)) };
                Ok(Self { ty: Some(ty), schema: Some(schema) })
            }
        }
    }
}

type Parts = (SpannedValue<Path>, Option<SpannedValue<SchemaOf>>);

fn read(input: ParseStream<'_>) -> syn::Result<Parts> {
    use syn::spanned::Spanned as _;
    let ty: Path = input.parse()?;
    let span = ty.span();
    let ty = SpannedValue::new(ty, span);
    input.parse::<Option<Token![,]>>()?;
    if input.is_empty() {
        return Ok((ty, None));
    }
    let key: Ident = input.parse()?;
    input.parse::<Token![=]>()?;
    let schema = if key == "schema_with" {
        // `_` is the type of the status.
        SchemaOf::Function(types::replaced(&input.parse()?, "_", &*ty))
    } else if key == "schema_as" {
        SchemaOf::Type(input.parse()?)
    } else {
        let message = format!("unknown key `{key}`; write `schema_with` or `schema_as`");
        return Err(syn::Error::new(key.span(), message));
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((ty, Some(SpannedValue::new(schema, key.span()))))
}

//! Features of a type, besides its rules, that older Kubernetes versions lack: formats and
//! selectable fields.

use crd_cel::kubernetes::{SELECTABLE_FIELDS_SINCE, format_since};
use proc_macro2::Span;

use crate::model::{Body, Constraints, Field, Kind, Model};

/// A feature that servers support since a minor version.
pub(crate) struct Need {
    /// The name of the feature, for errors.
    pub what: String,
    /// The minor version since which servers support it.
    pub since: u32,
    pub span: Span,
}

/// Returns the features that a type needs.
pub(crate) fn of(model: &Model) -> Vec<Need> {
    let mut needs = Vec::new();
    add_of_constraints(&model.constraints, &model.ident.to_string(), &mut needs);
    add_of_body(&model.body, &mut needs);
    needs
}

/// What a kind needs: its type, and its selectable paths.
pub(crate) fn of_kind(model: &Model, kind: &Kind) -> Vec<Need> {
    let selectable = kind.selectable.iter().map(|path| Need {
        what: format!("`selectable` of `{}`", path.value),
        since: SELECTABLE_FIELDS_SINCE,
        span: path.span,
    });
    of(model).into_iter().chain(selectable).collect()
}

fn add_of_body(body: &Body, needs: &mut Vec<Need>) {
    match body {
        Body::Object(object) => object.fields.iter().for_each(|field| add_of_field(field, needs)),
        Body::Transparent(field) => add_of_field(field, needs),
        Body::Tuple(fields) => fields.iter().for_each(|field| add_of_field(field, needs)),
        Body::Enum(data) => {
            for variant in &data.variants {
                add_of_constraints(&variant.constraints, &variant.wire, needs);
                add_of_body(&variant.body, needs);
            }
        }
        Body::Delegate(_) | Body::Unit => {}
    }
}

fn add_of_field(field: &Field, needs: &mut Vec<Need>) {
    add_of_constraints(&field.constraints, &field.wire, needs);
    if let Some(span) = field.selectable {
        let what = format!("`selectable` of `{}`", field.wire);
        needs.push(Need { what, since: SELECTABLE_FIELDS_SINCE, span });
    }
}

fn add_of_constraints(constraints: &Constraints, name: &str, needs: &mut Vec<Need>) {
    if let Some(format) = &constraints.format {
        let what = format!("the format `{}` of `{name}`", format.value);
        needs.push(Need { what, since: format_since(&format.value), span: format.span });
    }
    for inner in constraints.nested() {
        add_of_constraints(inner, name, needs);
    }
    needs.retain(|need| need.since > 0);
}

//! Features of a type, besides its rules, that older Kubernetes versions lack: formats and
//! selectable fields.

use crd_cel::kubernetes::{SELECTABLE_FIELDS_SINCE, format_since};
use proc_macro2::Span;

use crate::model::{Body, Constraints, Field, Model};

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
    of_constraints(&model.constraints, &model.ident.to_string(), &mut needs);
    of_body(&model.body, &mut needs);
    needs
}

fn of_body(body: &Body, needs: &mut Vec<Need>) {
    match body {
        Body::Object(object) => object.fields.iter().for_each(|field| of_field(field, needs)),
        Body::Transparent(field) => of_field(field, needs),
        Body::Tuple(fields) => fields.iter().for_each(|field| of_field(field, needs)),
        Body::Enum(data) => {
            for variant in &data.variants {
                of_constraints(&variant.constraints, &variant.wire, needs);
                of_body(&variant.body, needs);
            }
        }
        Body::Delegate(_) | Body::Unit => {}
    }
}

fn of_field(field: &Field, needs: &mut Vec<Need>) {
    of_constraints(&field.constraints, &field.wire, needs);
    if let Some(span) = field.selectable {
        let what = format!("`selectable` of `{}`", field.wire);
        needs.push(Need { what, since: SELECTABLE_FIELDS_SINCE, span });
    }
}

fn of_constraints(constraints: &Constraints, name: &str, needs: &mut Vec<Need>) {
    if let Some(format) = &constraints.format {
        let what = format!("the format `{}` of `{name}`", format.value);
        needs.push(Need { what, since: format_since(&format.value), span: format.span });
    }
    for inner in constraints.nested() {
        of_constraints(inner, name, needs);
    }
    needs.retain(|need| need.since > 0);
}

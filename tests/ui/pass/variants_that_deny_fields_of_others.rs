use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
enum Source {
    Git { url: String },
    Image(Image),
    None,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Image {
    image: String,
}

fn main() {
    let git = r#"{"type": "Git", "url": "a", "image": "b"}"#;
    assert!(serde_json::from_str::<Source>(git).is_err());
    assert!(serde_json::from_str::<Source>(&git.replace("Git", "Image")).is_ok());
    let variants = Source::schema().one_of.unwrap();
    let denied: Vec<_> = variants
        .iter()
        .map(|variant| {
            let not = variant.all_of.as_ref()?.first()?.not.as_ref()?;
            not.any_of.as_ref()?.first()?.required.clone()
        })
        .collect();
    assert_eq!(denied, [Some(vec!["image".to_owned()]), None, None]);
}

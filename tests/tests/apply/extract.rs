//! placeholder
#[test]
fn print_crd() {
    use crd_runtime::CustomResource as _;
    println!("CRD {}", serde_json::to_string(&crate::kinds::Widget::crd()).unwrap());
}

//! Checks that docs/keys.md matches the keymap.

#[test]
fn the_keys_document_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keys.md");
    let made = teddy::tui::keys_document().unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == made, "docs/keys.md is not what the keymap says; run the tests with UPDATE_DOCS=1");
}

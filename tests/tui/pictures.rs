//! The pictures in assets/ are made from the cells that a terminal would get: `UPDATE_DOCS=1 cargo test --test tui pictures`.

use crate::project::Shop;

#[test]
fn pictures_show_the_real_screen() {
    for (name, keys) in [("workbench", "j p j j d"), ("payload", "v ]"), ("palette", ": <b>")] {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench((120, 32));
        screen.keys(keys).unwrap();
        let picture = screen.svg();
        let path = format!("{}/assets/screen-{name}.svg", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &picture).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == picture, "{path} is older than the screen; run this test with UPDATE_DOCS=1");
    }
}

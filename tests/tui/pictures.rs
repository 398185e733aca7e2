//! The pictures in assets/ are made from the cells that a terminal would get: `UPDATE_DOCS=1 cargo test --test tui pictures`.

use crate::project::Shop;

#[test]
fn pictures_show_the_real_screen() {
    for (name, keys) in [("workbench", "j p j j d"), ("payload", "v ]"), ("palette", ": <b>")] {
        let shop = Shop::with_teddy();
        let mut screen = shop.workbench((120, 32));
        screen.keys(keys).unwrap();
        let picture = screen.svg();
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(format!("{}/assets/screen-{name}.svg", env!("CARGO_MANIFEST_DIR")), picture).unwrap();
        }
    }
}

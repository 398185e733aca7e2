//! Screenshots in assets/, drawn from the cells of the screen: `UPDATE_DOCS=1 cargo test --test tui pictures`.

use teddy::app::backend::OpenTarget;
use teddy::tui::driver::Driver;

use crate::large_shop::{budget, full_size_shop};
use crate::project::TASK;

#[test]
fn pictures_show_the_real_screen() {
    let pictures = [("workbench", "j p j j d k"), ("map", "M enter"), ("payload", "v ] ] ]"), ("palette", ": <pay>")];
    for (name, keys) in pictures {
        let shop = full_size_shop();
        let entry = Some(OpenTarget::Plan(TASK.to_owned()));
        let mut screen = Driver::open(shop.desk(), entry, "dark", (120, 32)).unwrap();
        screen.keys(&budget(30_000)).unwrap();
        screen.keys("F").unwrap();
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

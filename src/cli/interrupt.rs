//! Stops a long command early: Ctrl-C, and Esc in a terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::platform::escape_key::EscapeKey;

/// Watches for Ctrl-C and Esc until it is dropped.
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    /// Restores the terminal when dropped.
    _escape: Option<EscapeKey>,
}

impl Interrupt {
    /// Starts watching. A second Ctrl-C ends the program.
    pub fn watch() -> Self {
        let requested = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&requested);
        std::thread::spawn(move || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    if flag.swap(true, Ordering::SeqCst) {
                        std::process::exit(130);
                    }
                }
            });
        });
        let escape = EscapeKey::watch(Arc::clone(&requested));
        Self { requested, _escape: escape }
    }

    /// Returns true once the person asked to stop.
    pub fn requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }
}

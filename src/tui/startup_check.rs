//! A deliberate panic for testing that the terminal is restored. Not in release builds.

use crossterm::event::KeyCode;

use super::jobs::Jobs;
use super::message::Message;

/// Panics on F12, on the thread named in `TEDDY_TEST_PANIC`: the screen's or a job's.
pub fn panic_if_asked(message: &Message, jobs: &Jobs) {
    let Message::Key(key) = message else { return };
    if key.code != KeyCode::F(12) {
        return;
    }
    match std::env::var("TEDDY_TEST_PANIC").as_deref() {
        Ok("screen") => panic!("a panic on purpose"),
        Ok("job") => jobs.break_on_purpose(),
        _ => {}
    }
}

//! A deliberate panic, to test that the terminal is restored. Not in release builds.

use crossterm::event::KeyCode;

use super::jobs::Jobs;
use super::message::Message;

/// F12 panics on the thread that `TEDDY_TEST_PANIC` names: the screen's or a job's.
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

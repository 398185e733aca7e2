//! A panic on purpose, to prove that the terminal survives one. Not in a release build.

use crossterm::event::KeyCode;

use super::jobs::Jobs;
use super::message::Message;

/// F12 panics where `TEDDY_TEST_PANIC` says: on the screen's thread or in a job.
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

//! A bar chart of the changed lines in RAW.

use super::table::{limit_label, percent};
use crate::app::bench::{BenchReport, System};

/// Width of everything but the bar.
const FIXED: usize = 8 + 16 + 8 + 2;

/// Draws a bar for every system at every limit.
pub fn chart(report: &BenchReport, width: usize, ascii: bool) -> String {
    let room = width.saturating_sub(FIXED).clamp(10, 60);
    let mut out = "changed lines in RAW\n".to_owned();
    for limit in &report.limits {
        let mut label = limit_label(*limit);
        for system in System::ALL {
            let Some(averages) = report.averages(system, *limit) else { continue };
            let bar = bar(averages.lines, room, system, ascii);
            out.push_str(&format!("{label:>7} {:<16}{bar} {}\n", system.name(), percent(averages.lines)));
            label.clear();
        }
    }
    out
}

/// Draws a bar of `room` columns.
fn bar(share: f64, room: usize, system: System, ascii: bool) -> String {
    let (full, empty) = match (ascii, system) {
        (true, System::Teddy) => ('#', '.'),
        (true, _) => ('=', '.'),
        (false, System::Teddy) => ('█', '░'),
        (false, _) => ('▓', '░'),
    };
    let cells = ((share.clamp(0.0, 1.0) * room as f64).round() as usize).min(room);
    full.to_string().repeat(cells) + &empty.to_string().repeat(room - cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_show_the_share_in_unicode_and_ascii() {
        assert_eq!(bar(0.5, 8, System::Teddy, true), "####....");
        assert_eq!(bar(0.99, 8, System::Bm25, true), "========");
        assert_eq!(bar(0.25, 8, System::Teddy, false), "██░░░░░░");
        assert_eq!(bar(7.0, 4, System::Bm25, false), "▓▓▓▓");
    }
}

//! Budget statistics: a bar and advice for each kind of budget and phase.

use crate::handoff::Phase;
use crate::project::budget_log::{self, BudgetLog, BudgetStats, Verdict};
use crate::text::{counted, percent, printable, thousands};

/// The statistics as text.
pub fn summary(log: &BudgetLog, width: usize, ascii: bool) -> String {
    let mut out = String::new();
    for group in log.groups() {
        let phase = match (group.phase, Phase::of(group.phase)) {
            (budget_log::NO_PHASE, _) => "no phase".to_owned(),
            (number, Some(phase)) => format!("phase {number} {}", phase.name()),
            (number, None) => format!("phase {number}"),
        };
        let cut = match group.cut {
            0 => "never truncated".to_owned(),
            cut => format!("truncated {} ({})", counted(cut, "time"), percent(cut, group.count)),
        };
        let count = counted(group.count, "budget");
        out.push_str(&format!("{}, {phase}: {count}, {cut}\n", printable(&group.what)));
        out.push_str(&format!("  {}\n  {}\n", bar(&group, width, ascii), group.advice()));
    }
    out
}

/// Bar for the average use of the budget and for content that did not fit.
fn bar(group: &BudgetStats, width: usize, ascii: bool) -> String {
    let (full, empty, over) = if ascii { ('#', '.', '+') } else { ('█', '░', '▒') };
    let label = match group.verdict {
        Verdict::Unlimited => format!("{} used", thousands(group.used)),
        _ => format!("{} of {} used", thousands(group.used), thousands(group.budget)),
    };
    let room = width.saturating_sub(label.chars().count() + 4).clamp(8, 60);
    if group.verdict == Verdict::Unlimited {
        return format!("{} {label}", full.to_string().repeat(room));
    }
    // The bar covers the budget or the tokens before truncation, up to twice the budget.
    let length = group.wanted.clamp(group.budget, group.budget * 2).max(1);
    let cells = |tokens: usize| (tokens * room + length / 2) / length;
    let used = cells(group.used.min(group.budget)).min(room);
    let within = cells(group.budget).clamp(used, room);
    let mut bar = full.to_string().repeat(used);
    bar.push_str(&empty.to_string().repeat(within - used));
    bar.push_str(&over.to_string().repeat(room - within));
    format!("{bar} {label}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    fn group(used: usize, budget: usize, wanted: usize) -> BudgetStats {
        BudgetStats {
            what: "handoff".to_owned(),
            phase: 2,
            count: 4,
            cut: usize::from(wanted > budget),
            budget,
            used,
            wanted,
            most_need: wanted,
            verdict: if budget == 0 { Verdict::Unlimited } else { Verdict::Fits },
        }
    }

    #[test]
    fn bars_show_used_free_and_missing_tokens() {
        assert_eq!(bar(&group(50, 100, 50), 32, true), "#######....... 50 of 100 used");
        assert_eq!(bar(&group(100, 100, 200), 33, true), "#######+++++++ 100 of 100 used");
        assert_eq!(bar(&group(0, 100, 0), 31, false), "░░░░░░░░░░░░░░ 0 of 100 used");
        assert_eq!(bar(&group(7, 0, 7), 20, true), "########## 7 used");
    }

    proptest::proptest! {
        #[test]
        fn bars_fit_the_width(used in 0usize..200_000, budget in 0usize..100_000, more in 0usize..100_000, width in 50usize..200) {
            let used = if budget == 0 { used } else { used.min(budget) };
            for ascii in [true, false] {
                let bar = bar(&group(used, budget, used + more), width, ascii);
                proptest::prop_assert!(bar.width() + 2 <= width, "{} in {}", bar, width);
                proptest::prop_assert!(!ascii || bar.is_ascii());
            }
        }
    }
}

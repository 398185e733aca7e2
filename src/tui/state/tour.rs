//! The tour: steps that each ask for one key, on an example whose items do not all fit the budget.

use crate::tui::command::Command;

/// A step of the tour.
pub struct TourStep {
    pub command: Command,
    /// Text shown before the key.
    pub situation: &'static str,
    /// Text shown after the key.
    pub action: &'static str,
}

/// The steps, in order.
pub const STEPS: [TourStep; 5] = [
    TourStep {
        command: Command::Down,
        situation: "teddy scored every file for the task. RAW items are included, LINKED items only referenced. The other pane says why.",
        action: "goes to the next item",
    },
    TourStep {
        command: Command::Pin,
        situation: "This file did not fit the budget in full, so only a reference is in the payload.",
        action: "pins it: it is always included",
    },
    TourStep {
        command: Command::LastChange,
        situation: "The pin took tokens from other items. The message below names them, and the bar shows the budget.",
        action: "compares before and after",
    },
    TourStep {
        command: Command::Undo,
        situation: "Esc closes this view. Every override is saved at once and can be undone.",
        action: "undoes the pin",
    },
    TourStep {
        command: Command::Preview,
        situation: "The payload is what the model will read.",
        action: "previews it, exact to the token",
    },
];

/// Progress of the tour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tour {
    done: usize,
}

impl Tour {
    /// Number of the current step, from 1.
    pub fn number(self) -> usize {
        self.done + 1
    }

    /// The current step.
    pub fn step(self) -> Option<&'static TourStep> {
        STEPS.get(self.done)
    }

    /// The tour after a command was run; `None` if that was the last step.
    pub fn after(self, command: Command) -> Option<Self> {
        let done = self.done + usize::from(self.step().is_some_and(|step| step.command == command));
        (done < STEPS.len()).then_some(Self { done })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_of_the_step_counts_and_the_last_one_ends_the_tour() {
        let start = Tour::default();
        assert_eq!(start.after(Command::Pin), Some(start), "not its turn yet");
        let after = STEPS.iter().try_fold(start, |tour, step| tour.after(step.command));
        assert_eq!(after, None);
        let before_last = STEPS[..4].iter().try_fold(start, |tour, step| tour.after(step.command));
        assert_eq!(before_last.map(Tour::number), Some(5));
    }
}

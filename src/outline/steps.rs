//! Counts the steps that readers take. Tests compare the count with the length of the input, because time depends on
//! the machine.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts steps in tests; does nothing otherwise.
#[inline]
#[cfg_attr(not(test), expect(unused_variables, reason = "does nothing outside tests"))]
pub(crate) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + steps);
}

/// Number of steps that a function takes on this thread.
#[cfg(test)]
pub(crate) fn taken_by(run: impl FnOnce()) -> usize {
    let before = STEPS.get();
    run();
    STEPS.get() - before
}

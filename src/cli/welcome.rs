//! `teddy` without a command, without a terminal and without a `.teddy/`: prints an introduction.

use super::print::print_text;
use crate::app::environment::Environment;
use crate::error::Result;

/// The introduction.
const WELCOME: &str = "\
teddy chooses what a language model should see before a hard task.

  1. You describe the task; every file gets a score from 0 to 10, with reasons.
  2. The best are RAW (included), the next LINKED (a reference), the rest SUMMARY
     (a mention), within an exact token budget.
  3. You override it: --pin, --demote, --exclude, or keys on the screen.
  4. The payload goes to the clipboard, a file or a pipe. `teddy answer` saves the
     model's answer, and the next turn continues from there.

Nothing leaves this machine, no model is called, secrets are redacted.

Try it:
  teddy tour                                the screen, on an example project
  teddy plan \"Add refunds\" --dry-run        here, without writing anything
  teddy plan \"Add refunds\"                  here; sessions are stored in .teddy/
";

/// Prints the introduction.
pub fn run(env: &Environment) -> Result<()> {
    let root = env.shown(&env.root);
    let place = if root == "." { "here".to_owned() } else { format!("in {root}") };
    print_text(&format!("{WELCOME}\nThere is no .teddy/ {place} yet; `teddy plan` creates it.\n"))
}

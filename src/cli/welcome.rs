//! Bare `teddy` where there is no `.teddy/` yet and no screen: what it is, in one screen.

use super::output::print_text;
use crate::app::environment::Environment;
use crate::error::Result;

/// What a newcomer reads.
const WELCOME: &str = "\
teddy chooses what a language model should see before a hard task.

  1. You say what is to be done; every file gets a score from 0 to 10, with reasons.
  2. The best are RAW (inlined), the next LINKED (a reference), the rest SUMMARY
     (a mention), within a token budget that is kept to the token.
  3. You overrule it: --pin, --demote, --exclude, or keys on the screen.
  4. The payload goes to the clipboard, a file or a pipe. `teddy answer` keeps the
     reply, and the next turn carries on from there.

Nothing leaves this machine, no model is called, secrets are replaced first.

Try it:
  teddy tour                                the screen, on an example that it brings along
  teddy plan \"Add refunds\" --dry-run        here, without writing anything
  teddy plan \"Add refunds\"                  here; sessions are kept in .teddy/
";

/// Prints it.
pub fn run(env: &Environment) -> Result<()> {
    print_text(&format!("{WELCOME}\nThere is no .teddy/ in {} yet; `plan` makes it.\n", env.shown(&env.root)))
}

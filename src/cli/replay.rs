//! `teddy replay TURN`: puts a payload together again from its sources and proves it to be the same, or says what changed.

use clap::Args;

use super::args::{OutputArgs, WhereArgs};
use super::output::{self, print_text, say};
use crate::app::environment::Environment;
use crate::app::replay::replay;
use crate::deliver::Receipt;
use crate::error::{Error, Result};
use crate::render::recipe::Rebuilt;
use crate::text::counted;

/// What `teddy replay` takes.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The turn: `02` of the session touched last, `NAME/02`, or a path in it; without it the last turn.
    pub turn: Option<String>,
    /// Take each source as it was when the payload was delivered, from git.
    #[arg(long)]
    pub at_delivery: bool,
    #[command(flatten)]
    pub to: WhereArgs,
}

/// Runs the command: 0 the same bytes, 1 not.
pub fn run(env: &Environment, args: &ReplayArgs) -> Result<()> {
    let out = OutputArgs { to: args.to.clone(), ..OutputArgs::default() };
    output::check(env, &out)?;
    let project = env.project()?;
    let turn = env.turn(args.turn.as_deref())?;
    let replayed = replay(env, &turn, args.at_delivery)?;
    tell(&replayed.rebuilt);
    for (path, why) in &replayed.linked {
        say(&format!("changed: {path} (linked{why})"));
    }
    let payload = replayed.payload(&turn, args.at_delivery)?;
    let delivered = project.read_payload(&turn.delivered_file())?;
    let name = env.shown(&turn.delivered_file());
    let sources = counted(replayed.rebuilt.sources, "source");
    let mut receipt = Receipt::default();
    if args.to.is_given() {
        output::send_all(env, &out, payload, &mut receipt)?;
    }
    for delivery in &receipt.deliveries {
        say(&delivery.to_string());
    }
    match delivered {
        Some(delivered) if delivered == *payload => {}
        Some(_) => {
            return Err(Error::negative(
                format!("{name} is not what was delivered: someone changed it since"),
                format!(
                    "write the delivered bytes elsewhere: teddy replay {}/{} -o FILE",
                    turn.session().name(),
                    turn.id()
                ),
            ));
        }
        None => say(&format!("note: {name} is gone; the payload was rebuilt from its record and its sources")),
    }
    let verdict = match (replayed.rebuilt.sources, replayed.recipe.linked.len()) {
        // A pack's excerpts are escaped, so its record holds them; only their sources can be compared.
        (0, linked) if linked > 0 => {
            format!("{name} comes out as it was delivered; its {} are unchanged", counted(linked, "source"))
        }
        _ => format!("{name} is rebuilt byte for byte from {sources}"),
    };
    let verdict = format!("{verdict}\nsha256 {}\n", replayed.recipe.payload);
    // Where the payload itself is printed, nothing else may stand in it.
    if args.to.stdout {
        verdict.lines().for_each(say);
        return Ok(());
    }
    print_text(&verdict)
}

/// Says of each source what is not as it was.
fn tell(rebuilt: &Rebuilt) {
    for path in &rebuilt.changed {
        say(&format!("changed: {path}"));
    }
    for (path, why) in &rebuilt.missing {
        say(&format!("missing: {path}: {why}"));
    }
    for path in &rebuilt.different {
        say(&format!("different: {path}: unchanged, but the rules for secrets or for cutting are others now"));
    }
}

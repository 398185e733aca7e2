//! `teddy replay TURN`: rebuilds a payload from its sources, byte for byte, or lists what changed.

use clap::Args;

use super::args::{OutputArgs, WhereArgs};
use super::output;
use super::print::{print_text, say};
use crate::app::environment::Environment;
use crate::app::replay::replay;
use crate::deliver::Receipt;
use crate::error::{Error, Result};
use crate::render::recipe::RebuiltPayload;
use crate::text::counted;

/// The arguments of `teddy replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// Turn (`02`, `NAME/02` or a path inside it); default: the last turn.
    pub turn: Option<String>,
    /// Use the sources as delivered, from git.
    #[arg(long)]
    pub at_delivery: bool,
    #[command(flatten)]
    pub to: WhereArgs,
}

/// Runs the command; exit code 1 if the bytes differ.
pub fn run(env: &Environment, args: &ReplayArgs) -> Result<()> {
    let out = OutputArgs { to: args.to.clone(), ..OutputArgs::default() };
    output::check(env, &out)?;
    let project = env.project()?;
    let turn = env.turn(args.turn.as_deref())?;
    let replayed = replay(env, &turn, args.at_delivery)?;
    list_changes(&replayed.rebuilt);
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
                format!("{name} was changed after it was delivered"),
                format!("restore the delivered payload: teddy replay {}/{} -o FILE", turn.session().name(), turn.id()),
            ));
        }
        None => say(&format!("note: {name} is missing; the payload was rebuilt from its record and its sources")),
    }
    let verdict = match (replayed.rebuilt.sources, replayed.recipe.linked.len()) {
        // The record of a pack contains its escaped excerpts, so only their sources can be compared.
        (0, linked) if linked > 0 => {
            format!("{name} is identical to the delivered payload; its {} are unchanged", counted(linked, "source"))
        }
        _ => format!("{name} is rebuilt byte for byte from {sources}"),
    };
    let verdict = format!("{verdict}\nsha256 {}\n", replayed.recipe.payload);
    // Standard output contains only the payload.
    if args.to.stdout {
        verdict.lines().for_each(say);
        return Ok(());
    }
    print_text(&verdict)
}

/// Lists the sources that changed.
fn list_changes(rebuilt: &RebuiltPayload) {
    for path in &rebuilt.changed {
        say(&format!("changed: {path}"));
    }
    for (path, why) in &rebuilt.missing {
        say(&format!("missing: {path}: {why}"));
    }
    for path in &rebuilt.different {
        say(&format!("different: {path}: unchanged, but the redaction or excerpt rules changed"));
    }
}

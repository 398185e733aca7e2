//! `teddy man [COMMAND]`: manual pages, generated from the help.

use clap::Args;

use super::print::print_text;
use crate::error::{Error, Result};
use crate::text::nearest;

/// The arguments of `teddy man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command; default: teddy itself.
    pub command: Option<String>,
}

/// Runs the command on the definition of the command line.
pub fn run(args: &ManArgs, all: clap::Command) -> Result<()> {
    let failed = |error: std::io::Error| Error::io("write", "the manual", error);
    let mut page = Vec::new();
    let title = args.command.as_ref().map_or_else(|| "teddy".to_owned(), |name| format!("teddy-{name}"));
    let definition = command(all, args.command.as_deref())?;
    clap_mangen::Man::new(definition).title(title).render(&mut page).map_err(failed)?;
    print_text(&String::from_utf8_lossy(&page))
}

/// The definition of a command, named like its page.
fn command(mut all: clap::Command, name: Option<&str>) -> Result<clap::Command> {
    all.build();
    let Some(name) = name else { return Ok(all) };
    let found = all.find_subcommand(name).cloned().ok_or_else(|| {
        let near = nearest(name, all.get_subcommands().map(clap::Command::get_name));
        let hint =
            near.map_or_else(|| "`teddy --help` lists them".to_owned(), |near| format!("did you mean `{near}`?"));
        Error::input(format!("unknown command `{name}`"), hint)
    })?;
    Ok(found.display_name(format!("teddy-{name}")))
}

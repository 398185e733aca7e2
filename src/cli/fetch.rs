//! `teddy fetch PATH[:N-M]…`: delivers content that the payload only links.

use std::collections::HashSet;

use clap::Args;

use super::args::{OutputArgs, WhereArgs};
use super::output;
use super::print::say;
use super::progress::ScanProgress;
use crate::app::environment::Environment;
use crate::app::fetch::fetch;
use crate::app::fetch_requests::{self, FetchRequest};
use crate::app::input::{STDIN, read_stdin};
use crate::deliver::Receipt;
use crate::error::{Error, Result};
use crate::project::files::MAX_BYTES;
use crate::text::counted;

/// The arguments of `teddy fetch`.
#[derive(Debug, Args)]
pub struct FetchArgs {
    /// Files, optionally with lines (`src/a.py:10-80`), or LINKED lines of the payload; `-` reads them from standard
    /// input.
    #[arg(required = true, value_name = "PATH[:N-M]")]
    pub entries: Vec<String>,
    /// Session or turn (`NAME/02`) whose overrides apply; default: the most recently used session.
    #[arg(long, value_name = "NAME[/TURN]")]
    pub session: Option<String>,
    #[command(flatten)]
    pub to: WhereArgs,
}

/// Runs the command.
pub fn run(env: &Environment, args: &FetchArgs) -> Result<()> {
    let mut out = OutputArgs { to: args.to.clone(), ..OutputArgs::default() };
    out.to.stdout |= !args.to.is_given();
    output::check(env, &out)?;
    let requests = requests(&args.entries)?;
    let progress = ScanProgress::default();
    let document = fetch(env, args.session.as_deref(), &requests, &progress)?;
    drop(progress);
    for note in &document.notes {
        say(&format!("note: {note}"));
    }
    let mut receipt = Receipt::default();
    let sent = output::send_all(env, &out, &document.text, &mut receipt);
    say(&format!(
        "fetched {} · {} tokens ({})",
        counted(requests.len(), "item"),
        document.tokenizer.figure(document.tokens),
        document.tokenizer.name()
    ));
    for delivery in &receipt.deliveries {
        say(&delivery.to_string());
    }
    sent
}

fn requests(entries: &[String]) -> Result<Vec<FetchRequest>> {
    let mut found = Vec::new();
    for entry in entries {
        let text = if entry == STDIN { read_stdin(MAX_BYTES)? } else { entry.clone() };
        let parsed = fetch_requests::parse(&text)
            .map_err(|why| Error::input(why, "name a file, optionally with lines: teddy fetch src/a.py:10-80"))?;
        found.extend(parsed);
    }
    let mut seen = HashSet::new();
    found.retain(|request: &FetchRequest| seen.insert((request.path.clone(), request.span)));
    Ok(found)
}

//! `teddy verify FILE`: checks a payload's hashes, and lists the sources that changed.

use std::path::PathBuf;

use clap::Args;

use super::print::{print_text, say};
use crate::app::environment::Environment;
use crate::app::verify::{self, VerifiedPayload};
use crate::error::{Error, Result};
use crate::text::{printable, thousands};

/// The arguments of `teddy verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Payload, or all of its parts; `-` reads standard input; default: the last delivered payload.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Runs the command; exit code 1 if a source changed, 2 if the payload is damaged.
pub fn run(env: &Environment, args: &VerifyArgs) -> Result<()> {
    let VerifiedPayload { name, report } = verify::verify(env, &args.files)?;
    let list = |what: &str, paths: &[String]| {
        for path in paths {
            say(&format!("{what}: {path}"));
        }
    };
    list("damaged", &report.damaged);
    list("changed", &report.changed);
    list("missing", &report.missing);
    let name = printable(&name).into_owned();
    if !report.damaged.is_empty() {
        let what = format!("{name} was changed after it was created");
        return Err(Error::input(what, "create it again: teddy resume"));
    }
    let stale = report.changed.len() + report.missing.len();
    if stale > 0 {
        let what = format!("{name} is stale: {stale} of {} sources changed since", report.sources);
        return Err(Error::negative(what, "create it again: teddy resume"));
    }
    let unchanged = match report.sources {
        1 => "source is".to_owned(),
        sources => format!("{} sources are", thousands(sources)),
    };
    print_text(&format!("{name} is intact; its {unchanged} unchanged\n"))
}

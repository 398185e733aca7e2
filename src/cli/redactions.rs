//! `teddy redactions`: what was taken for a secret, and what the person says is none.

use clap::{Args, Subcommand};
use serde_json::json;

use super::output::{print_json, print_text, say};
use crate::app::environment::Environment;
use crate::app::redactions;
use crate::error::{Error, Result};
use crate::text::{printable, thousands};

/// What `teddy redactions` takes.
#[derive(Debug, Args)]
pub struct RedactionsArgs {
    /// What to do; without it the list is printed.
    #[command(subcommand)]
    pub command: Option<RedactionsCommand>,
    /// Print the list as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What can be done about redactions.
#[derive(Debug, Subcommand)]
pub enum RedactionsCommand {
    /// Say that what was found there is no secret; kept in your own state directory, as a salted hash.
    Allow {
        /// The place, as the list shows it: `src/settings.py:12`.
        place: String,
        /// Only what this rule found there.
        #[arg(long, value_name = "NAME")]
        rule: Option<String>,
    },
    /// Take such a word back.
    Forget {
        /// The place, as the list shows it.
        place: String,
        /// Only what this rule found there.
        #[arg(long, value_name = "NAME")]
        rule: Option<String>,
    },
}

/// Runs the command.
pub fn run(env: &Environment, args: &RedactionsArgs) -> Result<()> {
    match &args.command {
        None => list(env, args.json),
        Some(RedactionsCommand::Allow { place, rule }) => {
            let (path, line) = place_of(env, place)?;
            say(&redactions::allow(env, &path, line, rule.as_deref())?);
            Ok(())
        }
        Some(RedactionsCommand::Forget { place, rule }) => {
            let (path, line) = place_of(env, place)?;
            say(&redactions::forget(env, &path, line, rule.as_deref())?);
            Ok(())
        }
    }
}

fn list(env: &Environment, as_json: bool) -> Result<()> {
    let all = redactions::all(env)?;
    if as_json {
        let rows: Vec<_> = all
            .iter()
            .map(|one| json!({"path": one.path, "line": one.line, "rule": one.rule, "allowed": one.allowed}))
            .collect();
        return print_json(&format!("{:#}", json!({"version": 1, "redactions": rows})));
    }
    let (policy, mut text) = (env.redaction()?, String::new());
    for one in &all {
        let state = if one.allowed { "allowed" } else { "replaced" };
        let about = policy
            .about(&one.rule)
            .filter(|about| !about.is_empty())
            .map_or_else(String::new, |about| format!(": {}", printable(about)));
        text.push_str(&format!("{state:<9} {}:{}  {}{about}\n", printable(&one.path), one.line, printable(&one.rule)));
    }
    print_text(&text)?;
    let allowed = all.iter().filter(|one| one.allowed).count();
    let replaced = all.len() - allowed;
    say(&match (replaced, allowed) {
        (0, 0) => "nothing here looks like a secret".to_owned(),
        _ => format!("{} replaced in every payload, {} allowed", thousands(replaced), thousands(allowed)),
    });
    if let Some(first) = all.iter().find(|one| !one.allowed) {
        say(&format!("if one is no secret: teddy redactions allow {}:{}", printable(&first.path), first.line));
    }
    Ok(())
}

fn place_of(env: &Environment, place: &str) -> Result<(String, u32)> {
    let wrong = || Error::input(format!("`{place}` is not a place"), "give a file and a line: src/settings.py:12");
    let (path, line) = place.rsplit_once(':').ok_or_else(wrong)?;
    let line = line.parse().map_err(|_| wrong())?;
    let path = env.inside(path).ok_or_else(|| Error::Outside { entry: path.to_owned() })?;
    Ok((path, line))
}

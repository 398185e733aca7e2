//! `teddy redactions`: lists redacted secrets, and allows false positives.

use clap::{Args, Subcommand};
use serde_json::json;

use super::print::{print_json, print_text, say};
use super::progress::ScanProgress;
use crate::app::environment::Environment;
use crate::app::redactions;
use crate::error::{Error, Result};
use crate::text::{printable, thousands};

/// The arguments of `teddy redactions`.
#[derive(Debug, Args)]
pub struct RedactionsArgs {
    /// The action; default: print the list.
    #[command(subcommand)]
    pub command: Option<RedactionsCommand>,
    /// Print the list as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Actions on redactions.
#[derive(Debug, Subcommand)]
pub enum RedactionsCommand {
    /// Allow a false positive in this project; your state directory stores a salted hash of it.
    Allow {
        /// File and line as listed: `src/settings.py:12`.
        #[arg(value_name = "FILE:LINE")]
        place: String,
        /// Allow only the match of this rule.
        #[arg(long, value_name = "NAME")]
        rule: Option<String>,
    },
    /// Redact an allowed value again.
    #[command(alias = "forget")]
    Revoke {
        /// File and line as listed.
        #[arg(value_name = "FILE:LINE")]
        place: String,
        /// Revoke only the match of this rule.
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
        Some(RedactionsCommand::Revoke { place, rule }) => {
            let (path, line) = place_of(env, place)?;
            say(&redactions::forget(env, &path, line, rule.as_deref())?);
            Ok(())
        }
    }
}

fn list(env: &Environment, as_json: bool) -> Result<()> {
    let progress = ScanProgress::default();
    let all = redactions::all(env, &progress)?;
    drop(progress);
    if as_json {
        let rows: Vec<_> = all
            .iter()
            .map(|one| json!({"path": one.path, "line": one.line, "rule": one.rule, "allowed": one.allowed}))
            .collect();
        return print_json(&format!("{:#}", json!({"version": 1, "redactions": rows})));
    }
    let (policy, mut text) = (env.redaction()?, String::new());
    for one in &all {
        let state = if one.allowed { "allowed" } else { "redacted" };
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
        (0, 0) => "no secrets found".to_owned(),
        _ => format!("{} redacted in every payload, {} allowed", thousands(replaced), thousands(allowed)),
    });
    if let Some(first) = all.iter().find(|one| !one.allowed) {
        say(&format!("allow a false positive: teddy redactions allow {}:{}", printable(&first.path), first.line));
    }
    Ok(())
}

fn place_of(env: &Environment, place: &str) -> Result<(String, u32)> {
    let wrong = || Error::input(format!("`{place}` is not a file and line"), "write it as src/settings.py:12");
    let (path, line) = place.rsplit_once(':').ok_or_else(wrong)?;
    let line = line.parse().map_err(|_| wrong())?;
    let path = env.inside(path).ok_or_else(|| Error::Outside { entry: path.to_owned() })?;
    Ok((path, line))
}

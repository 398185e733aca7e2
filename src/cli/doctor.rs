//! `teddy doctor`: checks the setup.

use clap::Args;
use serde_json::json;

use super::print::{print_json, print_text};
use super::progress::ScanProgress;
use crate::app::doctor::{self, Diagnosis};
use crate::app::environment::Environment;
use crate::error::Result;
use crate::gather::{Corpus, tokens};
use crate::project::config::{self, Clipboard, Config};
use crate::text::{counted, printable, thousands};

/// The arguments of `teddy doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// List all skipped files with the reason.
    #[arg(long)]
    pub skipped: bool,
}

/// Runs the command.
pub fn run(env: &Environment, args: &DoctorArgs) -> Result<()> {
    let progress = ScanProgress::default();
    let diagnosis = doctor::diagnose(env, &progress)?;
    drop(progress);
    if args.json {
        return print_json(&as_json(env, &diagnosis));
    }
    let corpus = &diagnosis.corpus;
    let mut out = String::new();
    let mut say = |label: &str, text: String| out.push_str(&format!("{label:<12} {}\n", printable(&text)));
    say("project", project(env, diagnosis.sessions));
    say("git", git(corpus));
    say(
        "files",
        format!(
            "{} text, {} skipped, {} ignored",
            thousands(corpus.files.len()),
            thousands(corpus.skipped.len()),
            thousands(diagnosis.ignored)
        ),
    );
    for skipped in corpus.skipped.iter().take(if args.skipped { usize::MAX } else { 5 }) {
        say("", format!("{}: {}", skipped.path, skipped.why));
    }
    if !args.skipped && corpus.skipped.len() > 5 {
        say("", format!("… {} more: teddy doctor --skipped", thousands(corpus.skipped.len() - 5)));
    }
    configuration(env, &diagnosis, &mut say);
    say("tokens", format!("{} (known: {}, estimate)", env.config.tokenizer, tokens::known().join(", ")));
    if env.config.clipboard == Clipboard::Off {
        say("clipboard", "off (configuration)".to_owned());
    }
    for (way, usable) in diagnosis.clipboards {
        say("clipboard", format!("{way}: {}", usable.map_or_else(|why| why, |()| "yes".to_owned())));
    }
    print_text(&out)
}

fn project(env: &Environment, sessions: Option<usize>) -> String {
    match sessions {
        Some(sessions) => format!("{} ({})", env.root.display(), counted(sessions, "session")),
        None => format!("{} (no `.teddy/` yet; `teddy plan` creates it)", env.root.display()),
    }
}

fn git(corpus: &Corpus) -> String {
    match (&corpus.git, &corpus.git_off) {
        (Some(facts), _) => {
            let branch = facts.branch.as_deref().unwrap_or("detached head");
            let head = facts.head.as_deref().unwrap_or("no commit yet");
            let shallow = if facts.shallow { ", shallow" } else { "" };
            let linked = if facts.linked_worktree { ", linked work tree" } else { "" };
            format!(
                "{branch} at {head}{shallow}{linked}, {} changed, {} read",
                facts.dirty.len(),
                counted(facts.commits.len(), "commit")
            )
        }
        (None, Some(why)) => format!("off: {why}"),
        (None, None) => "off: not a Git repository; using file times instead of the history".to_owned(),
    }
}

fn configuration(env: &Environment, diagnosis: &Diagnosis, say: &mut impl FnMut(&str, String)) {
    let Config { unknown_keys, refused, .. } = &env.config;
    let own = config::user_dir().map(|dir| dir.join("config.yaml"));
    let seen = |path: &std::path::Path| if path.is_file() { "" } else { " (not found; using defaults)" };
    if let Some(own) = own {
        say("config", format!("{}{}", own.display(), seen(&own)));
    }
    let theirs = env.root.join(".teddy").join("config.yaml");
    say("", format!("{}{}", theirs.display(), seen(&theirs)));
    for (path, key) in unknown_keys {
        say("", format!("{}: `{key}` is not a teddy setting; ignored", env.shown(path)));
    }
    for (path, key, why) in refused {
        say("", format!("{}: `{key}` is ignored: {why}", env.shown(path)));
    }
    for line in &diagnosis.templates {
        say("prompts", line.clone());
    }
    match &diagnosis.memos {
        Some(Ok(count)) => say("memos", count.to_string()),
        Some(Err(error)) => say("memos", error.to_string()),
        None => {}
    }
    match &diagnosis.manifests {
        Some(Ok(())) => say("manifests", "yes".to_owned()),
        Some(Err(error)) => say("manifests", error.to_string()),
        None => {}
    }
}

fn as_json(env: &Environment, Diagnosis { corpus, ignored, sessions, clipboards, .. }: &Diagnosis) -> String {
    let Config { unknown_keys, refused, .. } = &env.config;
    let ways: Vec<_> = clipboards
        .iter()
        .map(|(way, usable)| json!({"way": way.to_string(), "usable": usable.is_ok(), "why": usable.as_ref().err()}))
        .collect();
    let facts = corpus.git.as_ref();
    let value = json!({
        "root": env.root.to_string_lossy(),
        "project": sessions.is_some(),
        "git": facts.map(|facts| json!({
            "branch": facts.branch, "head": facts.head, "shallow": facts.shallow, "linkedWorktree": facts.linked_worktree,
            "dirty": facts.dirty.len(), "commits": facts.commits.len(),
        })),
        "gitOff": corpus.git_off,
        "files": {"text": corpus.files.len(), "skipped": corpus.skipped.len(), "ignored": ignored},
        "skipped": corpus.skipped.iter().map(|skipped| json!({"path": skipped.path, "why": skipped.why})).collect::<Vec<_>>(),
        "config": {
            "unknown": unknown_keys.iter().map(|(path, key)| json!({"file": env.shown(path), "key": key})).collect::<Vec<_>>(),
            "refused": refused.iter().map(|(path, key, why)| json!({"file": env.shown(path), "key": key, "why": why})).collect::<Vec<_>>(),
        },
        "tokenizers": tokens::known(),
        "clipboard": ways,
    });
    format!("{value:#}")
}

//! A payload in parts: written to files, copied one after the other, or printed.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use super::args::OutputArgs;
use super::print::{print_document, say};
use crate::app::environment::Environment;
use crate::app::input::clipboard;
use crate::deliver::{self, Channel, Confirmation, Delivery, Destination, Receipt};
use crate::error::{Error, Result};
use crate::project::atomic;
use crate::render::split::{PayloadPart, part_file};

/// Sends the parts to one destination.
pub fn send(
    env: &Environment,
    args: &OutputArgs,
    parts: &[PayloadPart],
    to: &Destination,
    receipt: &mut Receipt,
) -> Result<()> {
    let tokens: Vec<String> = parts.iter().map(|part| receipt.figure(part.tokens)).collect();
    match to {
        Destination::Stdout => {
            let all: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
            receipt.deliveries.push(print_document(&all.join("\n"))?);
        }
        Destination::File(path) => {
            let files: Vec<PathBuf> = (1..=parts.len()).map(|number| part_file(path, number, parts.len())).collect();
            if args.dry_run {
                for file in &files {
                    say(&format!("dry run: would write {}", file.display()));
                }
                return Ok(());
            }
            write(env, path, &files, parts)?;
            for ((file, part), tokens) in files.into_iter().zip(parts).zip(tokens) {
                receipt.deliveries.push(Delivery {
                    way: Channel::File(file),
                    confirmed: Confirmation::Confirmed,
                    bytes: part.text.len(),
                    note: Some(format!("{tokens} tokens")),
                });
            }
        }
        Destination::Clipboard if args.dry_run => {
            say(&format!("dry run: would copy parts of {} tokens one after the other", tokens.join(", ")));
        }
        Destination::Clipboard => copy(env, parts, &tokens)?,
    }
    Ok(())
}

/// Writes all parts, or none.
fn write(env: &Environment, path: &Path, files: &[PathBuf], parts: &[PayloadPart]) -> Result<()> {
    let special = std::fs::metadata(env.cwd.join(path)).is_ok_and(|found| !found.is_file() && !found.is_dir());
    if special {
        let what = format!("{} is not a regular file; a split payload needs several files", path.display());
        return Err(Error::input(what, "name a file with -o, or omit --split"));
    }
    let targets: Vec<PathBuf> = files.iter().map(|file| env.cwd.join(file)).collect();
    let bytes: Vec<(&Path, &[u8])> =
        targets.iter().zip(parts).map(|(file, part)| (file.as_path(), part.text.as_bytes())).collect();
    if let Some(first) = targets.first() {
        atomic::sweep_beside(first);
    }
    atomic::stage(&bytes)?.commit()?;
    for stale in others(path, &targets, &env.cwd) {
        say(&format!("note: {} is left over from an earlier payload", env.shown(&stale)));
    }
    Ok(())
}

/// Parts of an earlier payload that this one does not replace.
fn others(path: &Path, now: &[PathBuf], cwd: &Path) -> Vec<PathBuf> {
    let full = cwd.join(path);
    let Some(directory) = full.parent() else { return Vec::new() };
    let stem = full.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_part = |found: &Path| {
        let name = found.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rest = name.strip_prefix(&format!("{stem}.")).unwrap_or_default();
        let place = rest.split('.').next().and_then(|place| place.split_once("of"));
        let numbers = place.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        numbers.is_some_and(|(number, of)| part_file(&full, number, of) == found)
    };
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut stale: Vec<PathBuf> = entries.filter(|found| is_part(found) && !now.contains(found)).collect();
    stale.sort_unstable();
    stale
}

/// Copies one part after the other; Enter continues.
fn copy(env: &Environment, parts: &[PayloadPart], tokens: &[String]) -> Result<()> {
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        return Err(Error::input(
            format!("the payload has {} parts; copying them one by one needs a terminal", parts.len()),
            "run teddy in a terminal, or write the parts to files with -o FILE",
        ));
    }
    for (index, (part, tokens)) in parts.iter().zip(tokens).enumerate() {
        let delivery = deliver::to_clipboard(&part.text, &clipboard(env))?;
        let number = index + 1;
        let next =
            if number < parts.len() { format!("; press Enter to copy part {}", number + 1) } else { String::new() };
        say(&format!("part {number} of {}, {tokens} tokens: {delivery}{next}", parts.len()));
        if number < parts.len() && stdin.lock().read_line(&mut String::new()).unwrap_or(0) == 0 {
            return Err(Error::negative(
                format!("stopped after part {number} of {}", parts.len()),
                "copy again, or write all parts to files with -o FILE",
            ));
        }
    }
    Ok(())
}

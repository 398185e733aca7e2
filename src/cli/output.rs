//! Output of a run: the document goes to standard output or its destinations, everything else to standard error.

use std::io::IsTerminal;
use std::path::PathBuf;

use super::args::OutputArgs;
use super::print::{print_document, print_json, print_text, say, terminal_width};
use super::progress::Progress;
use super::{json, parts, pipe, table};
use crate::app;
use crate::app::environment::Environment;
use crate::app::input::clipboard;
use crate::app::pipeline::Run;
use crate::app::save_turn::FinishedRun;
use crate::deliver::{self, Channel, Delivery, Destination, Receipt, TierTokens};
use crate::error::{Error, Result};
use crate::gather::tokens::Tokenizer;
use crate::place::{PlacedItem, Placement, Tier};
use crate::project::config::Clipboard;
use crate::render::{Format, pack, split};
use crate::text::{printable, thousands};

/// Rejects an impossible destination before anything is written.
pub fn check(env: &Environment, args: &OutputArgs) -> Result<()> {
    if args.to.copy && env.config.clipboard == Clipboard::Off {
        return Err(Error::input(
            "--copy is not possible: the configuration has `clipboard: off`",
            "write to a file with -o FILE, or change the configuration",
        ));
    }
    if let Some(most) = args.split {
        split::check(most)?;
    }
    if let Some(name) = &args.pipe {
        app::pipe::named(env, name)?;
    }
    let Some(given) = &args.to.output else { return Ok(()) };
    let path = env.cwd.join(given);
    if given.as_os_str().is_empty() {
        return Err(Error::input("-o needs a file name", "name a file: -o FILE"));
    }
    if path.is_dir() {
        return Err(Error::input(format!("{} is a directory", given.display()), "use -o with a file in it"));
    }
    deliver::keep_source(&path)?;
    let advice = "create the directory first, or name another file with -o";
    if given.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
        return Err(Error::input(format!("{} is not a directory", given.display()), advice));
    }
    match given.parent() {
        Some(parent) if !env.cwd.join(parent).exists() => {
            Err(Error::input(format!("{} does not exist", parent.display()), advice))
        }
        Some(parent) if !env.cwd.join(parent).is_dir() => {
            Err(Error::input(format!("{} is not a directory", parent.display()), advice))
        }
        _ => Ok(()),
    }
}

/// Sends the payload to its destinations, and prints notes and the receipt.
pub fn finish(env: &Environment, finished: &FinishedRun, args: &OutputArgs) -> Result<()> {
    let FinishedRun { run, payload, saved } = finished;
    for path in &saved.created {
        say(&format!("created {}", env.shown(path)));
    }
    if let Some(turn) = &saved.turn {
        say(&format!("session {}, turn {}", turn.session().name(), turn.id()));
    }
    for note in &run.details.notes {
        say(&format!("note: {note}"));
    }
    for refused in &env.config.refused {
        say(&format!("note: {}: `{}` is ignored: {}", env.shown(&refused.0), refused.1, refused.2));
    }
    let terminal = std::io::stdout().is_terminal();
    let counts = if args.count_all { Some(count_all(run)?) } else { None };
    if args.json {
        print_json(&json::plan(env, run, saved, counts.as_deref()))?;
    } else if terminal && !args.to.stdout {
        print_text(&table::placement(run, terminal_width()))?;
    }
    run.bench.corpus().leak_at_exit();
    let tokenizer = run.bench.tokenizer();
    let args = &OutputArgs { split: args.split.or(run.details.part_limit), ..args.clone() };
    let mut receipt = receipt(run.placement(), tokenizer, saved.payload_path(env));
    receipt.reusable = run.details.reusable(payload, tokenizer).map(|prefix| (prefix.tokens, prefix.of));
    receipt.context_pack_ref = saved.turn.as_ref().filter(|_| run.details.format == Format::Pack).map(|turn| {
        // The path is relative to the project's root, where readers of the reference start.
        let path = turn.pack_file();
        pack::json::reference(&path.strip_prefix(&env.root).unwrap_or(&path).to_string_lossy(), payload)
    });
    let sent = send_with(env, run.placement(), (payload, tokenizer), args, receipt);
    let (is_filled, _) = run.bench.settings();
    if !is_filled {
        suggest_fill(run.placement(), tokenizer);
    }
    sent?;
    match (&args.pipe, &saved.turn) {
        (Some(name), Some(turn)) => pipe::run(env, turn, name, payload),
        (Some(name), None) => {
            say(&format!("dry run: would pipe the payload to {name}"));
            Ok(())
        }
        (None, _) => Ok(()),
    }
}

/// Counts every file's tokens, and prints the total.
fn count_all(run: &Run) -> Result<Vec<Option<usize>>> {
    let tokenizer = run.bench.tokenizer();
    let corpus = run.bench.corpus();
    let progress = Progress::begin("counting tokens", corpus.files.len());
    let counts = corpus.count_all(tokenizer, &|| progress.add(1))?;
    drop(progress);
    let counted: Vec<(usize, &str)> =
        counts.iter().zip(&corpus.files).filter_map(|(count, file)| Some(((*count)?, file.path.as_str()))).collect();
    let largest = counted.iter().max().map_or_else(String::new, |(tokens, path)| {
        format!("; the largest is {} with {}", printable(path), tokenizer.figure(*tokens))
    });
    say(&format!(
        "counted all {} text files by {}: {} tokens{largest}",
        thousands(counted.len()),
        tokenizer.name(),
        tokenizer.figure(counted.iter().map(|(tokens, _)| tokens).sum()),
    ));
    Ok(counts)
}

/// Sends a payload to every destination, and prints the receipt.
pub fn send_out(
    env: &Environment,
    placement: &Placement,
    payload: (&str, Tokenizer),
    args: &OutputArgs,
    saved: Option<PathBuf>,
) -> Result<()> {
    send_with(env, placement, payload, args, receipt(placement, payload.1, saved))
}

fn send_with(
    env: &Environment,
    placement: &Placement,
    (payload, tokenizer): (&str, Tokenizer),
    args: &OutputArgs,
    mut receipt: Receipt,
) -> Result<()> {
    let result = match split::parts(payload, args.split, tokenizer)? {
        None => send_all(env, args, payload, &mut receipt),
        Some(parts) => destinations(args, std::io::stdout().is_terminal())
            .iter()
            .try_for_each(|destination| parts::send(env, args, &parts, destination, &mut receipt)),
    };
    receipt.to_string().lines().for_each(say);
    if placement.over > 0 {
        say(&format!(
            "pins exceed the budget by {} tokens: they need {} of {}",
            tokenizer.figure(placement.over),
            tokenizer.figure(placement.usage.total),
            thousands(placement.limit),
        ));
    }
    result
}

fn suggest_fill(placement: &Placement, tokenizer: Tokenizer) {
    if placement.over == 0 && leaves_room(placement) {
        let free = placement.limit - placement.usage.total;
        say(&format!("{} tokens free: --fill adds the next-best items", tokenizer.figure(free)));
    }
}

/// Returns true if auto-fill could add something: a tenth of the budget is free, and some items are only linked or
/// mentioned.
fn leaves_room(placement: &Placement) -> bool {
    let free = placement.limit.saturating_sub(placement.usage.total);
    let is_referred_to =
        |placed: &PlacedItem| matches!(placed.tier, Tier::Linked | Tier::Summary) && placed.overridden.is_none();
    free >= placement.limit / 10 && placement.active().any(is_referred_to)
}

/// Sends a document to all of its destinations.
pub fn send_all(env: &Environment, args: &OutputArgs, document: &str, receipt: &mut Receipt) -> Result<()> {
    destinations(args, std::io::stdout().is_terminal())
        .into_iter()
        .try_for_each(|destination| send(env, args, document, &destination, receipt))
}

fn send(
    env: &Environment,
    args: &OutputArgs,
    payload: &str,
    destination: &Destination,
    receipt: &mut Receipt,
) -> Result<()> {
    if args.dry_run {
        match destination {
            Destination::File(path) => say(&format!("dry run: would write {}", path.display())),
            Destination::Clipboard => say("dry run: would copy to the clipboard"),
            Destination::Stdout => receipt.deliveries.push(print_document(payload)?),
        }
        return Ok(());
    }
    let place = match destination {
        Destination::File(path) => Destination::File(env.cwd.join(path)),
        other => other.clone(),
    };
    let sent = match &place {
        Destination::Stdout => print_document(payload),
        other => deliver::deliver(payload, other, &clipboard(env)),
    };
    let mut delivery: Delivery = sent.map_err(|error| match &receipt.saved {
        Some(saved) => error.saved_in(saved),
        None => error,
    })?;
    if let (Channel::File(shown), Destination::File(given)) = (&mut delivery.way, destination) {
        // Shows the path as typed, not as an absolute path.
        shown.clone_from(given);
    }
    receipt.deliveries.push(delivery);
    Ok(())
}

fn destinations(args: &OutputArgs, terminal: bool) -> Vec<Destination> {
    let mut destinations = Vec::new();
    if let Some(path) = &args.to.output {
        destinations.push(Destination::File(path.clone()));
    }
    if args.to.copy {
        destinations.push(Destination::Clipboard);
    }
    // Without a terminal, the next program in the pipe reads the payload.
    if args.to.stdout || (destinations.is_empty() && !terminal && !args.json && args.pipe.is_none()) {
        destinations.push(Destination::Stdout);
    }
    destinations
}

fn receipt(placement: &Placement, tokenizer: Tokenizer, saved: Option<PathBuf>) -> Receipt {
    let tier = |tier: Tier, tokens: usize| TierTokens { items: placement.tier(tier).count(), tokens };
    Receipt {
        raw: tier(Tier::Raw, placement.usage.raw),
        linked: tier(Tier::Linked, placement.usage.linked),
        summary: tier(Tier::Summary, placement.usage.summary),
        total: placement.usage.total,
        limit: placement.limit,
        estimated: tokenizer.is_estimate(),
        reusable: None,
        deliveries: Vec::new(),
        context_pack_ref: None,
        saved,
    }
}

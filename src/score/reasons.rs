//! The words under "why": which name, which definition at which line, which past commits.

use super::evidence::{Evidence, is_product};
use super::mentions::{How, Mention};
use super::subject::scope_of;
use super::symbols::{As, Hit};
use super::targets::Target;
use crate::gather::corpus::Corpus;
use crate::gather::git::Commit;
use crate::gather::terms::each_term;

/// Why the task names the file. Where the other evidence is strong, one telling word of its own names is enough; any other
/// file has to be named outright, or by something that few files define.
pub fn named(corpus: &Corpus, evidence: &Evidence, file: usize, likely: bool) -> Option<String> {
    if let Some(focus) = evidence.focus.iter().find(|focus| focus.file == file) {
        return Some(focus.reason());
    }
    if let Some(mention) = evidence.mentions.files.get(&file)
        && (mention.how >= How::Name || is_product(&corpus.files[file]))
    {
        return Some(mentioned(mention, "the task"));
    }
    // A copy of a definition in a bundle, a test's helper, a word in a document: none of them is what the task names.
    if !is_product(&corpus.files[file]) {
        return None;
    }
    if let Some(hit) = evidence.defined.get(&file).and_then(|hits| hits.iter().find(|hit| names_it(hit, likely))) {
        return Some(definition(hit, by(evidence.query.planned.contains(&hit.name.to_lowercase()))));
    }
    likely.then(|| own_word(corpus, evidence, file)).flatten()
}

/// Why the plan names the file.
pub fn planned(evidence: &Evidence, file: usize) -> Option<String> {
    evidence.planned.files.get(&file).map(|mention| mentioned(mention, "the plan"))
}

fn mentioned(mention: &Mention, who: &str) -> String {
    match mention.how {
        How::Path | How::Name => format!("{who} names `{}`", mention.said),
        How::Stem | How::Word => format!("{who} says `{}`, the file's name", mention.said),
    }
}

fn names_it(hit: &Hit, likely: bool) -> bool {
    let most = match hit.how {
        As::Code => 8,
        As::Apart => 4,
        As::Word => 2,
    };
    likely || hit.files <= most
}

fn definition(hit: &Hit, who: &str) -> String {
    let Hit { name, line, .. } = hit;
    match hit.how {
        As::Code => format!("defines `{name}` (line {line}), which {who} names"),
        As::Apart => format!("defines `{name}` (line {line}), which {who} writes in words"),
        As::Word => format!("defines `{name}` (line {line}), a word of {who}"),
    }
}

/// Who says it: the plan, where only that does.
fn by(planned: bool) -> &'static str {
    if planned { "the plan" } else { "the task" }
}

/// A rare word of the task in the file's stem or in the name of something that it defines.
fn own_word(corpus: &Corpus, evidence: &Evidence, file: usize) -> Option<String> {
    let entry = &corpus.files[file];
    let said = |word: &str| {
        let mut best: Option<(f64, String)> = None;
        each_term(word, |term| {
            if let Some(at) = evidence.query.index.get(&crate::gather::terms::hash(term)) {
                let rarity = evidence.lexical.statistics.rarity[*at as usize];
                if rarity > 1.0 && best.as_ref().is_none_or(|best| rarity > best.0) {
                    let term = &evidence.query.terms[*at as usize];
                    best = Some((rarity, format!("{} says `{}`", by(term.planned), term.part)));
                }
            }
        });
        best
    };
    if let Some((_, term)) = said(super::mentions::stem(&entry.path)) {
        return Some(format!("{term}, a word of the file's name"));
    }
    let mut best: Option<(f64, String, crate::gather::code::symbols::Symbol<'_>)> = None;
    for symbol in entry.symbols.iter() {
        if let Some((rarity, term)) = said(symbol.name)
            && best.as_ref().is_none_or(|best| rarity > best.0)
        {
            best = Some((rarity, term, symbol));
        }
    }
    if let Some((_, term, symbol)) = best {
        return Some(format!("{term}, part of `{}` (line {})", symbol.name, symbol.line));
    }
    let place = super::neighbours::directory(&entry.path).rsplit('/').next().unwrap_or_default();
    said(place).map(|(_, term)| format!("{term}, a word of the file's path"))
}

/// Why the file will probably be changed: the evidence, the strongest first, and how sure that is.
pub fn modified(corpus: &Corpus, evidence: &Evidence, target: &Target) -> String {
    let file = target.file;
    let mut why: Vec<String> = Vec::new();
    if let Some(focus) = evidence.focus.iter().find(|focus| focus.file == file) {
        why.push(focus.reason());
    } else if let Some(lines) = evidence.places.get(&file) {
        why.push(format!("line {} is named or in the trace", lines[0]));
    }
    if let Some(hit) = evidence.defined.get(&file).and_then(|hits| hits.first()) {
        why.push(format!("defines `{}` (line {})", hit.name, hit.line));
    }
    if let Some(scope) = scope_of(&corpus.files[file].path, &evidence.query.scopes) {
        why.push(format!("in the scope that the task names, `{scope}`"));
    }
    if let Some((_, at)) = evidence.past.referred.get(&file)
        && let Some(commit) = corpus.git.as_ref().and_then(|git| git.commits.get(*at))
    {
        why.push(format!("{}, which the task refers to, changed it", short(commit)));
    }
    let terms = evidence.lexical.best_terms(&evidence.query, file);
    let mut words: Vec<String> = Vec::new();
    let best = terms.iter().map(|(term, _)| &evidence.query.terms[*term]);
    // The plan's words are told where the task has none there.
    let whose = best.clone().find(|term| !term.planned).or(best.clone().next());
    for term in best.filter(|term| whose.is_some_and(|whose| whose.planned == term.planned)) {
        // The parts of one word are several terms.
        let word = format!("`{}`", term.said);
        if words.len() < 4 && !words.contains(&word) {
            words.push(word);
        }
    }
    if let Some(whose) = whose {
        why.push(format!("{}'s words {}{}", by(whose.planned), words.join(", "), standing(corpus, evidence, file)));
    }
    if let Some((commits, count)) = evidence.past.voters.get(&file)
        && let Some(git) = &corpus.git
        && let Some(commit) = commits.first().and_then(|at| git.commits.get(*at))
    {
        let more = match count - 1 {
            0 => String::new(),
            1 => " and 1 more past commit like it".to_owned(),
            more => format!(" and {more} more past commits like it"),
        };
        why.push(format!("{} \"{}\"{more}", short(commit), subject(&commit.message)));
    }
    let sure = (target.confidence * 100.0).round();
    format!("{} ({sure:.0} % sure)", why.join("; "))
}

/// Where the words stand together, if the file's blocks were read.
fn standing(corpus: &Corpus, evidence: &Evidence, file: usize) -> String {
    let Some(reading) = evidence.readings.get(&file) else { return String::new() };
    let Some((block, _)) = reading.blocks.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))
    else {
        return String::new();
    };
    let first = block as u32 * super::blocks::BLOCK + 1;
    let last = (first + super::blocks::BLOCK - 1).min(corpus.files[file].lines.max(first));
    match corpus.files[file].symbols.iter().rev().find(|symbol| symbol.line <= last) {
        Some(symbol) => format!(", most of all in lines {first}-{last} (`{}`)", symbol.name),
        None => format!(", most of all in lines {first}-{last}"),
    }
}

/// A commit's id as people write it.
fn short(commit: &Commit) -> &str {
    &commit.id[..7.min(commit.id.len())]
}

/// A commit's first line, cut to a readable length.
pub fn subject(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(72) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

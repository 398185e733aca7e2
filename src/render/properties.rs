//! Properties of every payload, tested on generated placements of hostile files.

use std::sync::Arc;

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use super::content::Content;
use super::parse::{LinkedLine, parse};
use super::samples::{self, HOSTILE, PLAIN};
use super::{Format, Renderer, renderer, verify};
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::gather::tokens::{DEFAULT, Tokenizer};
use crate::ids::ItemId;
use crate::place::{Form, Override, PlacedItem, Placement, Tier};

fn tokenizers() -> impl Strategy<Value = Tokenizer> {
    let names = ["o200k_base", "o200k_base", "cl100k_base", "qwen2", "estimate", "claude", "gpt2", "deepseek_v3"];
    prop::sample::select(names.to_vec()).prop_map(|name| Tokenizer::named(name).unwrap())
}

fn forms() -> impl Strategy<Value = Form> {
    prop_oneof![
        3 => Just(Form::Whole),
        1 => prop::collection::vec((0u32..5, 0u32..9), 0..3).prop_map(Form::Spans),
        1 => Just(Form::Skeleton(vec![(1, 2)])),
    ]
}

fn placements(items: usize) -> impl Strategy<Value = Placement> {
    let tiers = prop::sample::select(vec![Tier::Raw, Tier::Raw, Tier::Linked, Tier::Summary, Tier::Out]);
    let each =
        (tiers, forms(), prop::option::weighted(0.1, Just(Override::Exclude)), prop::option::of(0usize..100_000));
    prop::collection::vec(each, items).prop_map(|all| {
        let placed = all.into_iter().enumerate().map(|(item, (tier, form, overridden, whole_tokens))| {
            let (tier, form) = match overridden {
                Some(_) => (Tier::Out, Form::Absent),
                None => (tier, form),
            };
            let mut placed = samples::placed(ItemId::new(item), tier, form);
            (placed.overridden, placed.whole_tokens) = (overridden, whole_tokens);
            placed
        });
        samples::placement(placed.collect())
    })
}

fn hostile() -> (tempfile::TempDir, Arc<Corpus>) {
    let (dir, mut corpus) = samples::corpus(&HOSTILE);
    samples::add_text(&mut corpus, ItemKind::Memo, "memo:1", "## RAW\n```\nkeep it simple");
    samples::add_text(&mut corpus, ItemKind::Changes, "changes:working-tree", "diff --git a/gone.md b/gone.md\n+x\n");
    (dir, Arc::new(corpus))
}

fn make(format: Format, corpus: &Arc<Corpus>, task: &str, tokenizer: Tokenizer) -> Box<dyn Renderer> {
    let scores = Arc::new(samples::scores(corpus));
    renderer(format, Arc::clone(corpus), scores, samples::meta(task, tokenizer))
}

/// Line endings as a Markdown parser returns them.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Code blocks that a Markdown parser finds, with their info strings.
fn code_blocks(markdown: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => open = Some((info.to_string(), String::new())),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => panic!("an indented block in {markdown}"),
            Event::Text(text) => {
                if let Some((_, content)) = &mut open {
                    content.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// Second-level headings that a Markdown parser finds.
fn headings(markdown: &str) -> Vec<String> {
    let mut headings = Vec::new();
    let mut open: Option<String> = None;
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => open = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut open {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(HeadingLevel::H2)) => headings.extend(open.take()),
            _ => {}
        }
    }
    headings
}

/// The second heading of a prompt: the best file, or the next section if there is no file.
fn first_file(corpus: &Corpus, files: &[&&PlacedItem]) -> String {
    match files.first() {
        Some(placed) if placed.form == Form::Whole => corpus.items[placed.item].path.clone(),
        Some(placed) => {
            let content = Content::of(corpus, placed.item, &placed.form, false).unwrap();
            format!("{} ({})", corpus.items[placed.item].path, content.lines)
        }
        // The project has only data and prose, and no manifest.
        None => "Facts".to_owned(),
    }
}

/// Items that a placement inlines and that have content.
fn inlined<'p>(renderer: &'p dyn Renderer, placement: &'p Placement) -> Vec<&'p PlacedItem> {
    placement.tier(Tier::Raw).filter(|placed| renderer.inlined(placed.item, &placed.form).is_some()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn counts_are_exact_and_rendering_is_deterministic(
        placement in placements(HOSTILE.len() + 2),
        tokenizer in tokenizers(),
        task in "[a-z`<#* ]{1,30}(\n## RAW\n```\n[a-z]{0,500})?",
    ) {
        let (_dir, corpus) = hostile();
        for format in Format::ALL {
            let renderer = make(format, &corpus, &task, tokenizer);
            let payload = renderer.render(&placement);
            let usage = renderer.usage(&placement);
            prop_assert_eq!(tokenizer.count(&payload), usage.total, "{:?} {}", format, payload);
            prop_assert_eq!(&payload, &renderer.render(&placement));
            prop_assert_eq!(&payload, &make(format, &corpus, &task, tokenizer).render(&placement));
            if matches!(format, Format::Hybrid | Format::Xml) {
                let read = parse(&payload).unwrap();
                prop_assert_eq!(read.meta.used, Some(usage.total));
                prop_assert_eq!(tokenizer.count(&read.raw_text), usage.raw);
                prop_assert_eq!(tokenizer.count(&read.linked_text), usage.linked);
                prop_assert_eq!(tokenizer.count(&read.summary), usage.summary);
            }
        }
    }

    #[test]
    fn contents_round_trip_and_cannot_break_out(placement in placements(HOSTILE.len() + 2), with_task: bool) {
        let (dir, corpus) = hostile();
        let task = if with_task { "Fix\n\n## ACK\n````\nit" } else { "Fix it" };
        let hybrid = make(Format::Hybrid, &corpus, task, DEFAULT);
        let payload = hybrid.render(&placement);
        let read = parse(&payload).unwrap();
        let expected = inlined(hybrid.as_ref(), &placement);
        prop_assert_eq!(read.raw.len(), expected.len());
        let found = code_blocks(&payload);
        // There are two more blocks: the acknowledgement, and a task of several lines.
        prop_assert_eq!(found.len(), read.raw.len() + 1 + usize::from(with_task), "{}", payload);
        if with_task {
            prop_assert_eq!(found.last().unwrap().1.trim_end(), task);
        }
        for (block, (_, markdown)) in read.raw.iter().zip(&found) {
            let placed = expected.iter().find(|placed| corpus.items[placed.item].path == block.path).unwrap();
            let text = corpus.item_text(placed.item).shown.clone();
            if placed.form == Form::Whole {
                prop_assert_eq!(&block.content, &text);
            }
            let (_, content) = markdown.split_once('\n').unwrap();
            let (seen, meant) = (unix(content), unix(&block.content));
            prop_assert_eq!(seen.trim_end_matches('\n'), meant.trim_end_matches('\n'));
        }
        let verdict = verify(&payload, dir.path());
        prop_assert!(verdict.is_fresh(), "{:?}", verdict);
    }

    #[test]
    fn xml_and_markdown_have_the_same_contents(placement in placements(HOSTILE.len() + 2), long: bool) {
        let (dir, corpus) = hostile();
        let task = if long { "Fix <b>\n\n</task>\n</inlined>\n<linked>\n& more" } else { "Fix <b> & c" };
        let first = make(Format::Xml, &corpus, task, DEFAULT).render(&placement);
        let mut meta = samples::meta(task, DEFAULT);
        meta.style.reuse = false;
        let scores = Arc::new(samples::scores(&corpus));
        let tagged = renderer(Format::Xml, Arc::clone(&corpus), scores, meta).render(&placement);
        let (first, last) = (parse(&first).unwrap(), parse(&tagged).unwrap());
        let unlabelled = |payload: &super::Payload| -> Vec<(String, String)> {
            payload.raw.iter().map(|block| (block.path.clone(), block.content.clone())).collect()
        };
        prop_assert_eq!(unlabelled(&first), unlabelled(&last));
        prop_assert_eq!((&first.sources, &first.linked, first.meta.items), (&last.sources, &last.linked, last.meta.items));
        prop_assert!(verify(&make(Format::Xml, &corpus, task, DEFAULT).render(&placement), dir.path()).is_fresh());
        let fenced = make(Format::Hybrid, &corpus, task, DEFAULT).render(&placement);
        let (xml, markdown) = (parse(&tagged).unwrap(), parse(&fenced).unwrap());
        prop_assert_eq!(&xml.raw, &markdown.raw, "{}", tagged);
        prop_assert_eq!(&xml.sources, &markdown.sources);
        let plain = |links: &[LinkedLine]| -> Vec<LinkedLine> {
            let unmarked = |link: &LinkedLine| LinkedLine { description: link.description.replace("\\<", "<"), ..link.clone() };
            links.iter().map(unmarked).collect()
        };
        prop_assert_eq!(plain(&xml.linked), plain(&markdown.linked));
        prop_assert_eq!((xml.meta.items, xml.meta.limit), (markdown.meta.items, markdown.meta.limit));
        prop_assert_eq!(xml.meta.task, markdown.meta.task.replace("\\<", "<"));
        let verdict = verify(&tagged, dir.path());
        prop_assert!(verdict.is_fresh(), "{:?}", verdict);
        prop_assert_eq!(tagged.lines().filter(|line| *line == "</context_payload>").count(), 1);
        // The payload as copied from a chat: with text around it, and with other line endings.
        let sent = format!("Here it is:\n{tagged}Thanks.\n");
        prop_assert_eq!(&parse(&sent).unwrap().raw, &markdown.raw);
    }

    #[test]
    fn an_invocation_holds_each_file_once(placement in placements(HOSTILE.len())) {
        let (_dir, corpus) = samples::corpus(&HOSTILE);
        let corpus = Arc::new(corpus);
        let invocation = make(Format::Invocation, &corpus, "Fix it", DEFAULT);
        let payload = invocation.render(&placement);
        let found = code_blocks(&payload);
        let expected = inlined(invocation.as_ref(), &placement);
        prop_assert_eq!(found.len(), expected.len() + 3, "{}", payload);
        for (placed, (_, markdown)) in expected.iter().zip(&found[3..]) {
            if placed.form == Form::Whole {
                let (seen, text) = (unix(markdown), unix(&corpus.item_text(placed.item).shown));
                prop_assert_eq!(seen.trim_end_matches('\n'), text.trim_end_matches('\n'));
            }
        }
    }

    #[test]
    fn a_prompt_holds_each_item_once_and_nothing_breaks_out(
        placement in placements(HOSTILE.len() + 2),
        task in "[a-z`<#*-]{1,9}( [a-z`<#*]{0,9}){0,3}(\n(## Request|````|As an implement task, please|~~~)\n[a-z]{0,9})?",
    ) {
        let (_dir, corpus) = hostile();
        let prompt = make(Format::Prompt, &corpus, &task, DEFAULT);
        let payload = prompt.render(&placement);
        let is_file = |placed: &&&PlacedItem| corpus.items[placed.item].kind.is_file();
        let expected = inlined(prompt.as_ref(), &placement);
        let (files, others): (Vec<&&PlacedItem>, Vec<&&PlacedItem>) = expected.iter().partition(is_file);
        let found = code_blocks(&payload);
        let fenced_task = usize::from(!payload.contains(&format!("## Request\n{}\n", task.trim_end())));
        // There are two more blocks: the tree before the files, and the memos after them.
        prop_assert_eq!(found.len(), files.len() + others.len() + 2 + fenced_task, "{}", payload);
        for (placed, (_, markdown)) in files.iter().zip(&found[1..]) {
            if placed.form == Form::Whole {
                let (seen, text) = (unix(markdown), unix(&corpus.item_text(placed.item).shown));
                prop_assert_eq!(seen.trim_end_matches('\n'), text.trim_end_matches('\n'));
            }
        }
        for placed in others {
            let text = unix(&corpus.item_text(placed.item).shown);
            let same = found.iter().filter(|(_, seen)| unix(seen).trim_end() == text.trim_end()).count();
            prop_assert!(placed.form != Form::Whole || same == 1, "{payload}");
        }
        if fenced_task > 0 {
            prop_assert_eq!(found.last().unwrap().1.trim_end(), task.trim_end());
        }
        prop_assert_eq!(&headings(&payload)[..2], &["Project Structure".to_owned(), first_file(&corpus, &files)]);
        prop_assert_eq!(headings(&payload).pop().unwrap(), "Request");
    }

    #[test]
    fn an_item_adds_at_most_its_cost(placement in placements(HOSTILE.len()), tokenizer in tokenizers()) {
        prop_assume!(super::pieces::Counter(tokenizer).adds_up());
        let (_dir, corpus) = samples::corpus(&HOSTILE);
        let corpus = Arc::new(corpus);
        for format in [Format::Hybrid, Format::Xml, Format::Prompt] {
            let renderer = make(format, &corpus, "Fix it", tokenizer);
            let usage = renderer.usage(&placement);
            let sum: usize = inlined(renderer.as_ref(), &placement)
                .iter()
                .filter_map(|placed| renderer.inlined(placed.item, &placed.form))
                .sum();
            let nothing = renderer.usage(&samples::placement(vec![])).raw;
            prop_assert!(usage.raw <= nothing + sum, "{} > {nothing} + {sum}", usage.raw);
        }
    }

    #[test]
    fn excluded_items_do_not_appear(placement in placements(PLAIN.len()), excluded in 0..PLAIN.len()) {
        let (_dir, mut corpus) = samples::corpus(&PLAIN);
        let path = corpus.items[excluded].path.clone();
        samples::add_text(&mut corpus, ItemKind::Commits, "commits:recent", &format!("abc Fix\n{path}\nother.py\n"));
        let mut placement = placement;
        placement.placed[excluded] = samples::excluded(ItemId::new(excluded));
        placement.placed.push(samples::placed(ItemId::new(PLAIN.len()), Tier::Raw, Form::Whole));
        samples::add_text(&mut corpus, ItemKind::Memo, "memo:2", "Hide it.");
        placement.placed.push(samples::excluded(ItemId::new(PLAIN.len() + 1)));
        for (index, tier) in [Tier::Raw, Tier::Linked].into_iter().enumerate() {
            let diff = format!("diff --git a/{path} b/{path}\n+secret\n");
            samples::add_text(&mut corpus, ItemKind::Changes, &format!("changes:{index}"), &diff);
            placement.placed.push(samples::placed(ItemId::new(corpus.items.len() - 1), tier, Form::Whole));
        }
        let corpus = Arc::new(corpus);
        for format in Format::ALL {
            let mut scores = samples::scores(&corpus);
            scores.notes.push(format!("{path} is stale"));
            let mut meta = samples::plain_meta();
            meta.memos = vec!["Keep it.".to_owned(), "Hide it.".to_owned()];
            meta.memos_file = "- Keep it.\n- Hide it.\n".to_owned();
            let renderer = renderer(format, Arc::clone(&corpus), Arc::new(scores), meta);
            let payload = renderer.render(&placement);
            // Contents of other files may mention the name, but teddy's own text must not.
            prop_assert!(!payload.contains(&path) && !payload.contains("Hide it."), "{payload}");
            prop_assert_eq!(DEFAULT.count(&payload), renderer.usage(&placement).total);
        }
    }

    #[test]
    fn a_damaged_payload_never_panics(at in 0usize..4000, end in 0usize..4000, noise in "[`#\\-\r\n a(]{0,12}") {
        let (dir, corpus) = hostile();
        let payload = make(Format::Hybrid, &corpus, "Fix it", DEFAULT).render(&samples::all_raw(&corpus));
        let floor = |at: usize| (0..=at.min(payload.len())).rev().find(|at| payload.is_char_boundary(*at)).unwrap_or(0);
        let (at, end) = (floor(at.min(end)), floor(at.max(end)));
        let broken = format!("{}{noise}{}", &payload[..at], &payload[end..]);
        let verdict = verify(&broken, dir.path());
        let meta_end = payload.find("## SUMMARY").unwrap();
        if broken != payload && at >= meta_end && end < payload.len() {
            prop_assert!(!verdict.damaged.is_empty(), "{broken}");
        }
    }

    #[test]
    fn any_text_can_be_verified(text in any::<String>()) {
        prop_assert!(!verify(&text, std::path::Path::new(".")).damaged.is_empty());
    }
}

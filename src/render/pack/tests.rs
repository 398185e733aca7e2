//! Tests that every pack satisfies the schema and the budget, and that its references exist.

use std::sync::Arc;

use proptest::prelude::*;

use super::anchors::headings;
use super::entries::PackEntry;
use super::json::{pack_id, read};
use super::model::{Artifact, DocRef, Pack, Priority};
use super::schema;
use crate::gather::Corpus;
use crate::gather::item::ItemKind;
use crate::gather::tokens::{DEFAULT, Tokenizer};
use crate::ids::ItemId;
use crate::place::{Budget, Decisions, Form, Placement, PlacementRequest, Split, Tier};
use crate::project::session::Decision;
use crate::redact::Policy;
use crate::render::samples::{self, HOSTILE, PLAIN, item};
use crate::render::{Format, PayloadMeta, Renderer, SessionTerms, renderer, verify};
use crate::score::TaskType;

fn make(corpus: &Arc<Corpus>, meta: PayloadMeta) -> Box<dyn Renderer> {
    renderer(Format::Pack, Arc::clone(corpus), Arc::new(samples::scores(corpus)), meta)
}

/// The pack of a placement, checked against the published schema.
fn pack(renderer: &dyn Renderer, placement: &Placement) -> Pack {
    let text = renderer.render(placement);
    let value = serde_json::from_str(&text).unwrap();
    assert_eq!(schema::problems(&value), [], "{text}");
    assert!(text.lines().all(|line| crate::text::printable(line) == line), "{text}");
    let pack = read(&text, &Policy::default()).unwrap();
    assert_eq!(pack.pack_id, pack_id(&pack));
    pack
}

/// A project with a contract, and items of every kind.
fn shop() -> (tempfile::TempDir, Arc<Corpus>) {
    let mut files = PLAIN.to_vec();
    files.extend([
        (
            "docs/architecture.md",
            "# Architecture\n\nParts.\n\n## The refund flow\n\nA refund goes back.\n\n## Mail\n\nSent.\n",
        ),
        ("docs/plan.md", "# Plan\n\nFirst this.\n\n# Plan\n\n```\n# no heading\n```\n"),
        ("docs/adr/0001-cents.md", "# Count in cents\n"),
        ("docs/guide.md", "# Guide\n\n## Refunds\n"),
        ("pyproject.toml", "[tool.poetry]\nname = \"shop\"\n[tool.pytest.ini_options]\n"),
    ]);
    let (dir, mut corpus) = samples::corpus(&files);
    samples::add_one_of_each(&mut corpus);
    (dir, Arc::new(corpus))
}

fn mixed(corpus: &Corpus) -> Placement {
    let places = [
        ("src/payment.py", Tier::Raw, Form::Skeleton(vec![(4, 5)])),
        ("docs/guide.md", Tier::Raw, Form::Whole),
        ("src/order.py", Tier::Linked, Form::Link),
        ("README.md", Tier::Linked, Form::Link),
        ("src/mail.py", Tier::Summary, Form::Mention),
    ];
    samples::placement(
        places.into_iter().map(|(path, tier, form)| samples::placed(item(corpus, path), tier, form)).collect(),
    )
}

#[test]
fn a_pack_contains_the_facts_of_the_project() {
    let (dir, corpus) = shop();
    let mut meta = samples::meta("Add refunds to the payment service", DEFAULT);
    meta.terms.decisions = vec![Decision { summary: "Money is counted in cents".to_owned(), ..Decision::default() }];
    meta.terms.upstream = Some(("sha256:00".to_owned(), "20260124-add-refunds/01".to_owned()));
    let renderer = make(&corpus, meta);
    let text = renderer.render(&mixed(&corpus));
    insta::assert_snapshot!(text);
    let pack = pack(renderer.as_ref(), &mixed(&corpus));
    assert!(verify(&text, dir.path()).is_fresh());
    std::fs::write(dir.path().join("src/order.py"), "x = 1\n").unwrap();
    assert_eq!(verify(&text, dir.path()).changed, ["src/order.py"]);
    let changed = text.replace("Partial refunds", "Whole refunds");
    assert!(verify(&changed, dir.path()).damaged[0].contains("packId"));
    assert_eq!(pack.artifacts.iter().map(|found| found.r#type.as_str()).collect::<Vec<_>>(), ["log", "diff", "report"]);
    assert_eq!(pack.artifacts[2].r#ref, ".teddy/sessions/20260124-add-refunds/01/plan.md");
}

#[test]
fn the_contract_comes_first_and_its_anchors_exist() {
    let (_dir, corpus) = shop();
    let pack = pack(make(&corpus, samples::plain_meta()).as_ref(), &mixed(&corpus));
    let paths: Vec<(&str, Priority)> = pack.doc_refs.iter().map(|doc| (doc.path.as_str(), doc.priority)).collect();
    assert_eq!(
        paths,
        [
            ("docs/architecture.md", Priority::High),
            ("docs/plan.md", Priority::High),
            ("docs/guide.md", Priority::High),
            ("CONTRIBUTING.md", Priority::Medium),
            ("README.md", Priority::Medium),
            ("docs/adr/0001-cents.md", Priority::Low),
        ]
    );
    assert_eq!(pack.doc_refs[0].anchors, ["the-refund-flow"]);
    assert_eq!(pack.doc_refs[0].excerpt.as_deref(), Some("A refund goes back."));
    // No heading is about refunds, so the first headings are listed. The second of two equal headings gets a number.
    assert_eq!(pack.doc_refs[1].anchors, ["plan", "plan-1"]);
    assert_eq!(pack.doc_refs[2].anchors, ["refunds"]);
    for doc in &pack.doc_refs {
        let known = headings(&corpus.item_text(item(&corpus, &doc.path)).shown);
        for anchor in &doc.anchors {
            assert!(known.iter().any(|heading| heading.slug == *anchor), "{anchor} in {}", doc.path);
        }
    }
    assert_eq!(pack.docs_root, "/docs");
}

#[test]
fn the_id_depends_on_everything_but_the_time() {
    let (_dir, corpus) = shop();
    let at = |generated: i64, task: &str| {
        let meta = PayloadMeta { generated, ..samples::meta(task, DEFAULT) };
        pack(make(&corpus, meta).as_ref(), &mixed(&corpus))
    };
    let (one, later, other) = (at(0, "Add refunds"), at(1_000_000, "Add refunds"), at(0, "Add returns"));
    assert_eq!(one.pack_id, later.pack_id);
    assert_ne!(one.created_at, later.created_at);
    assert_ne!(one.pack_id, other.pack_id);
}

#[test]
fn modes_follow_the_phase_and_the_task() {
    let (_dir, corpus) = shop();
    for (phase, task_type, mode) in [
        (Some(1), TaskType::Implement, "planning"),
        (Some(2), TaskType::Analyze, "implementation"),
        (None, TaskType::Analyze, "planning"),
        (None, TaskType::Debug, "implementation"),
    ] {
        let terms = SessionTerms { phase, ..SessionTerms::default() };
        let pack =
            pack(make(&corpus, PayloadMeta { task_type, terms, ..samples::plain_meta() }).as_ref(), &mixed(&corpus));
        assert_eq!(pack.global_mode, mode, "{phase:?} {task_type:?}");
        assert!(!pack.definition_of_done.is_empty());
        let tested = pack.definition_of_done.iter().any(|done| done == "`poetry run pytest` passes");
        assert_eq!(tested, task_type != TaskType::Analyze, "{:?}", pack.definition_of_done);
    }
}

#[test]
fn a_long_task_is_shortened_with_a_note() {
    let (_dir, corpus) = shop();
    let task = "Add refunds. They may be partial! Is mail sent? Yes. And so on.";
    let pack = pack(make(&corpus, samples::meta(task, DEFAULT)).as_ref(), &mixed(&corpus));
    assert_eq!(pack.goal, "Add refunds. They may be partial! Is mail sent?");
    assert_eq!(pack.artifacts[0].r#ref, ".teddy/sessions/20260124-add-refunds/01/turn.yaml");
}

#[test]
fn texts_are_cut_after_a_sentence_else_between_words_else_anywhere() {
    let (_dir, corpus) = shop();
    let packer = super::Packer::new(Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), samples::plain_meta());
    for (text, most, cut) in [
        ("One two three. Four five six. Seven.", 11, "One two three. Four five six. Seven."),
        ("One two three. Four five six. Seven.", 9, "One two three. Four five six. …"),
        ("One two three. Four five six. Seven.", 8, "One two three. …"),
        // The shortened text must use at least half of the budget.
        ("One. Two three four five six seven eight", 6, "One. Two three four …"),
        ("one two three", 2, "one …"),
        ("onetwothreefourfive six", 3, "onetwo …"),
        ("version 1.5 of it. Then more words", 9, "version 1.5 of it. …"),
        ("one", 0, ""),
    ] {
        assert_eq!(packer.cut(text, most), cut, "{most}: {text}");
    }
}

#[test]
fn session_terms_are_kept_as_far_as_they_fit() {
    let (_dir, corpus) = shop();
    let mut meta = samples::plain_meta();
    let secret = crate::redact::sample_token();
    meta.terms.decisions = ["Money is counted in cents", "", &format!("The token is {secret}")]
        .map(|summary| Decision { summary: summary.to_owned(), ..Decision::default() })
        .to_vec();
    meta.terms.decisions[0].rationale = Some("Because ".to_owned() + &"of rounding ".repeat(20));
    meta.terms.decisions[0].links = vec![String::new(), "docs/adr/0001-cents.md".to_owned()];
    let packer = super::Packer::new(Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), meta);
    let texts = ["Keep it  small.", "", "Keep it small.", "A longer one that does not fit anywhere", "Be kind."]
        .map(ToOwned::to_owned);
    for (most, kept) in [
        (100, &["Keep it small.", "A longer one that does not fit anywhere", "Be kind."][..]),
        (11, &["Keep it small.", "Be kind."]),
        (10, &["Keep it small."]),
        (0, &["Keep it small."]),
    ] {
        assert_eq!(packer.fitting(&texts, most), kept, "{most}");
    }
    let long = vec!["word ".repeat(40), "Be kind.".to_owned()];
    assert_eq!(packer.fitting(&long, 0), [format!("{}…", "word ".repeat(11))]);
    let decided = |most: usize| {
        let shown =
            |decision: super::model::Decision| (decision.id, decision.rationale.is_some(), decision.links.len());
        packer.decisions(most).into_iter().map(shown).collect::<Vec<_>>()
    };
    let ids = |decided: Vec<(String, bool, usize)>| {
        decided.into_iter().map(|(id, rationale, links)| (id[..2].to_owned(), rationale, links)).collect::<Vec<_>>()
    };
    let id = || "D-".to_owned();
    assert_eq!(ids(decided(500)), [(id(), true, 1), (id(), false, 0)]);
    assert_eq!(ids(decided(60)), [(id(), false, 0), (id(), false, 0)]);
    assert_eq!(decided(5), []);
    assert!(!packer.decisions(500)[1].summary.contains(&secret));
}

#[test]
fn placed_documents_replace_automatic_references() {
    let doc = |path: &str, excerpt: Option<&str>, priority| DocRef {
        path: path.to_owned(),
        anchors: Vec::new(),
        excerpt: excerpt.map(ToOwned::to_owned),
        priority,
    };
    let artifact = |r#ref: &str, summary: &str| Artifact {
        r#ref: r#ref.to_owned(),
        r#type: "log".to_owned(),
        summary: Some(summary.to_owned()),
        sha256: None,
    };
    let mut pack = Pack::default();
    for entry in [
        PackEntry::Doc(doc("a.md", Some("first"), Priority::High)),
        PackEntry::Doc(doc("b.md", Some("first"), Priority::Low)),
        PackEntry::Doc(doc("a.md", Some("second"), Priority::Low)),
        PackEntry::Doc(doc("b.md", None, Priority::Medium)),
        PackEntry::Artifact(artifact("log", "short")),
        PackEntry::Artifact(artifact("other", "short")),
        PackEntry::Artifact(artifact("log", "long")),
    ] {
        super::add(&mut pack, &entry);
    }
    // The entry keeps the existing excerpt and the higher priority.
    assert_eq!(
        pack.doc_refs,
        [doc("a.md", Some("second"), Priority::High), doc("b.md", Some("first"), Priority::Medium)]
    );
    assert_eq!(pack.artifacts, [artifact("log", "long"), artifact("other", "short")]);
}

#[test]
fn the_documents_root_is_found() {
    for (paths, root) in [
        (&["docs/a.md", "doc/a.md"][..], "/docs"),
        (&["doc/a.md", "documentation/a.md"], "/doc"),
        (&["documentation/a.md"], "/documentation"),
        (&["docs.md", "src/docs/a.md"], "/"),
    ] {
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, "# A\n")).collect();
        let (_dir, corpus) = samples::corpus(&files);
        let corpus = Arc::new(corpus);
        let packer = super::Packer::new(Arc::clone(&corpus), Arc::new(samples::scores(&corpus)), samples::plain_meta());
        assert_eq!(packer.docs_root(), root, "{paths:?}");
    }
}

#[test]
fn pinned_files_are_complete_and_others_are_excerpts() {
    let long = "def refund(order):\n    total = 0\n".to_owned()
        + &"    total += order.line\n".repeat(60)
        + "    return total\n";
    let (_dir, corpus) =
        samples::corpus(&[("src/payment.py", &long), ("src/other.py", &long), ("src/third.py", &long)]);
    let corpus = Arc::new(corpus);
    let mut scores = samples::scores(&corpus);
    for score in &mut scores.items {
        (score.points, score.hot, score.rank) = (9, vec![(1, 3)].into(), 1.0);
    }
    let renderer = renderer(Format::Pack, Arc::clone(&corpus), Arc::new(scores.clone()), samples::plain_meta());
    let whole = crate::place::Decision::whole(crate::place::Override::Pin);
    let decisions: Decisions = [(ItemId::new(1), whole)].into_iter().collect();
    let budget = Budget::new(6_000, Split::default(), DEFAULT).unwrap();
    let costs = renderer.as_ref();
    for fill in [false, true] {
        let request =
            PlacementRequest { items: &corpus.items, scores: &scores, decisions: &decisions, budget, fill, costs };
        let placement = request.place();
        let pack = pack(renderer.as_ref(), &placement);
        let excerpts: Vec<&str> = pack.relevant_files.iter().filter_map(|file| file.excerpt.as_deref()).collect();
        assert_eq!(excerpts[0], long);
        assert_eq!(pack.relevant_files[0].path, "src/payment.py");
        assert!(excerpts.len() == 3 && excerpts[1..].iter().all(|text| text.len() < 300 && text.contains("lines)")));
    }
    let tight = Budget::new(1_000, Split::default(), DEFAULT).unwrap();
    let request = PlacementRequest {
        items: &corpus.items,
        scores: &scores,
        decisions: &decisions,
        budget: tight,
        fill: false,
        costs,
    };
    let placement = PlacementRequest { budget: Budget { limit: 700, ..tight }, ..request }.place();
    assert_eq!(placement.over, DEFAULT.count(&renderer.render(&placement)).saturating_sub(700));
}

fn forms() -> impl Strategy<Value = (Tier, Form)> {
    prop_oneof![
        2 => Just((Tier::Raw, Form::Whole)),
        1 => prop::collection::vec((0u32..5, 0u32..9), 0..3).prop_map(|spans| (Tier::Raw, Form::Spans(spans))),
        1 => Just((Tier::Raw, Form::Skeleton(vec![(1, 2)]))),
        2 => Just((Tier::Linked, Form::Link)),
        1 => Just((Tier::Summary, Form::Mention)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_pack_is_valid_and_contents_round_trip(
        places in prop::collection::vec(forms(), HOSTILE.len() + 1),
        task in "[ -~é你\u{200b}\u{1b}\n]{1,80}",
    ) {
        let (dir, mut corpus) = samples::corpus(&HOSTILE);
        samples::add_text(&mut corpus, ItemKind::Evidence, "evidence:log", "}]\"\\ \u{1b}[31m \u{202e}boom\n");
        let corpus = Arc::new(corpus);
        let renderer = make(&corpus, samples::meta(&task, DEFAULT));
        let placed = places.iter().enumerate().map(|(item, (tier, form))| samples::placed(ItemId::new(item), *tier, form.clone()));
        let placement = samples::placement(placed.collect());
        let pack = pack(renderer.as_ref(), &placement);
        for placed in placement.tier(Tier::Raw).filter(|placed| placed.form == Form::Whole) {
            let (path, text) = (&corpus.items[placed.item].path, &corpus.item_text(placed.item).shown);
            let files = pack.relevant_files.iter().filter(|file| file.path == *path).map(|file| &file.excerpt);
            let docs = pack.doc_refs.iter().filter(|doc| doc.path == *path).map(|doc| &doc.excerpt);
            let artifacts = pack.artifacts.iter().filter(|found| found.r#ref == *path).map(|found| &found.summary);
            let found: Vec<_> = files.chain(docs).chain(artifacts).collect();
            prop_assert!(found.len() == 1 && found[0].as_ref() == Some(text), "{path}: {found:?}");
        }
        prop_assert!(verify(&renderer.render(&placement), dir.path()).is_fresh());
    }

    #[test]
    fn without_pins_a_pack_never_exceeds_its_limit(
        limit in 1_000usize..3_000, words in 1usize..4_000, memos in 0usize..60, decided in 0usize..60, long in 0usize..2_000,
        tokenizer in prop::sample::select(vec!["o200k_base", "cl100k_base", "estimate", "gpt2"]),
    ) {
        let tokenizer = Tokenizer::named(tokenizer).unwrap();
        let (_dir, corpus) = shop();
        let text = |count: usize| "你好 refund-".repeat(count);
        let mut meta = samples::meta(&text(words), tokenizer);
        meta.memos = vec![text(20); memos];
        meta.system.root = format!("/{}", "d/".repeat(long));
        meta.terms = SessionTerms {
            definition_of_done: vec![text(30); 3].into_iter().enumerate().map(|(at, text)| format!("{at}{text}")).collect(),
            decisions: vec![Decision { summary: text(40), rationale: Some(text(90)), ..Decision::default() }; decided],
            constraints: vec![text(memos)],
            ..SessionTerms::default()
        };
        let renderer = make(&corpus, meta);
        let scores = samples::scores(&corpus);
        let decisions = Decisions::new();
        let budget = Budget::new(limit, Split::default(), tokenizer).unwrap();
        let request =
            PlacementRequest { items: &corpus.items, scores: &scores, decisions: &decisions, budget, fill: true, costs: renderer.as_ref() };
        let placement = request.place();
        let text = renderer.render(&placement);
        prop_assert_eq!(placement.over, 0, "{}", text);
        prop_assert!(tokenizer.count(&text) <= limit);
        prop_assert_eq!(tokenizer.count(&text), placement.usage.total);
        let pack = pack(renderer.as_ref(), &placement);
        // Required fields.
        prop_assert!(!pack.goal.is_empty() && !pack.definition_of_done.is_empty());
    }
}

//! Delivers content that a payload only links, in the same form as included content.

use std::collections::HashSet;

use super::candidates::gathered;
use super::context_rules::{self, Context};
use super::environment::Environment;
use super::fetch_requests::FetchRequest;
use super::options::{OutputOptions, PayloadRequest};
use super::payload_options::PayloadOptions;
use super::resume::{self, StoredTurn};
use super::run_inputs::ScanObserver;
use super::save_turn;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::item::{ItemKind, Source};
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::place::{Form, Override};
use crate::project::context::Span;
use crate::project::turn::{self, TurnRecord};
use crate::project::{checkpoint, files};
use crate::render;
use crate::text::{counted, printable, thousands};
use crate::workbench::lines;

/// The fetched content as one document.
pub struct FetchedDocument {
    /// The text.
    pub text: String,
    /// Number of tokens in the text.
    pub tokens: usize,
    /// The tokenizer.
    pub tokenizer: Tokenizer,
    /// Notes for the person.
    pub notes: Vec<String>,
}

/// Fetches everything that is requested, or nothing. The overrides of the named turn apply, or else those of the latest
/// one.
pub fn fetch(
    env: &Environment,
    turn: Option<&str>,
    requests: &[FetchRequest],
    observer: &dyn ScanObserver,
) -> Result<FetchedDocument> {
    FetchSource::open(env, turn, requests, observer)?.document(env, requests)
}

/// The project with the items and overrides of a turn.
struct FetchSource {
    corpus: Corpus,
    excluded: HashSet<String>,
    turn: Option<String>,
    tokenizer: Tokenizer,
    /// True to number the lines of files.
    line_numbers: bool,
}

impl FetchSource {
    /// Reads the project, and the turn if there is one.
    fn open(
        env: &Environment,
        which: Option<&str>,
        requests: &[FetchRequest],
        observer: &dyn ScanObserver,
    ) -> Result<Self> {
        // Commit items exist only for the files that are requested.
        let commits = format!("{}:", ItemKind::Commits.name());
        let requests: Vec<&str> = requests.iter().filter_map(|request| request.path.strip_prefix(&commits)).collect();
        let requests = requests.as_slice();
        let found = match which {
            Some(_) => Some(env.turn(which)?),
            None => env.latest_turn()?,
        };
        let out = OutputOptions { file: None, dry_run: true };
        let flags = PayloadRequest::default();
        let Some(turn) = found else {
            let options = PayloadOptions::resolve(&flags, &mut TurnRecord::default(), env)?;
            let corpus = gathered(env, None, requests, observer)?;
            let line_numbers = options.style.line_numbers;
            return Ok(Self {
                corpus,
                excluded: HashSet::new(),
                turn: None,
                tokenizer: options.tokenizer,
                line_numbers,
            });
        };
        let project = env.project()?;
        let session = turn.session();
        let mut record = checkpoint::load_record(&turn)?.record;
        let context = Context::load(project, Some(session), Some((&turn, &record)))?;
        let steps = save_turn::steps(&record)?;
        let stored = StoredTurn {
            task: String::new(),
            before: turn::before(session, &turn)?,
            context,
            steps,
            notes: Vec::new(),
            private_notes: Vec::new(),
        };
        let inputs = resume::inputs(env, session, turn.id().to_string(), &mut record, &flags, &out, stored)?;
        let excluded =
            context_rules::overridden(&inputs.steps.0, Override::Exclude).into_iter().map(ToOwned::to_owned).collect();
        let corpus = gathered(env, Some(&inputs), requests, observer)?;
        let name = format!("{}/{}", session.name(), turn.id());
        let PayloadOptions { tokenizer, style, .. } = inputs.options;
        Ok(Self { corpus, excluded, turn: Some(name), tokenizer, line_numbers: style.line_numbers })
    }

    /// The requested content. If some requests cannot be met, the error lists all of them.
    fn document(&self, env: &Environment, requests: &[FetchRequest]) -> Result<FetchedDocument> {
        let (mut wanted, mut refused, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for request in requests {
            match self.find(env, request, &mut notes) {
                Ok(found) => wanted.push(found),
                Err(error) => refused.push(error),
            }
        }
        match refused.len() {
            0 => {}
            1 => return Err(refused.remove(0)),
            _ => {
                let lines: Vec<String> = refused.iter().map(ToString::to_string).collect();
                return Err(Error::input(lines.join("\n"), "remove or correct these; nothing was fetched"));
            }
        }
        for (item, _) in &wanted {
            let found = self.corpus.item_text(*item).findings.len();
            if found > 0 {
                let path = printable(&self.corpus.items[*item].path).into_owned();
                notes.push(format!("{path}: {} replaced", counted(found, "secret")));
            }
        }
        let tokenizer = self.tokenizer;
        let (text, tokens) = render::fetched(&self.corpus, &wanted, tokenizer, self.line_numbers)
            .map_err(|why| Error::input(why, "fetch another file"))?;
        Ok(FetchedDocument { text, tokens, tokenizer, notes })
    }

    /// The requested item and form.
    fn find(&self, env: &Environment, request: &FetchRequest, notes: &mut Vec<String>) -> Result<(ItemId, Form)> {
        let (path, symbol) = match self.item(env, &request.path) {
            Ok(item) => return Ok((item, self.form(item, request, request.span, notes)?)),
            // `path#symbol`, unless a file has exactly that name.
            Err(error) => request.path.rsplit_once('#').filter(|(path, _)| !path.is_empty()).ok_or(error)?,
        };
        let item = self.item(env, path)?;
        let file = self.corpus.find(&self.corpus.items[item].path);
        let span = file.ok_or_else(|| "this is not a file".to_owned());
        let span = span.and_then(|file| lines::definition(&self.corpus, file, symbol));
        let span =
            span.map_err(|why| Error::input(format!("`{}`: {why}", request.path), "fetch a range: src/a.rs:10-80"))?;
        Ok((item, self.form(item, request, Some(span), notes)?))
    }

    /// The item with this path, unless the turn excludes it.
    fn item(&self, env: &Environment, path: &str) -> Result<ItemId> {
        let found = match env.select(&self.corpus, path) {
            Ok(found) => found,
            Err(error) => match self.as_written(path) {
                Some(item) => vec![item],
                None => return Err(self.explained(env, path, error)),
            },
        };
        let [item] = found.as_slice() else {
            let what = format!("`{path}` names {} files", thousands(found.len()));
            return Err(Error::input(what, "fetch one file at a time"));
        };
        self.refuse_excluded(*item)?;
        Ok(*item)
    }

    /// The form of an item with the requested lines.
    fn form(&self, item: ItemId, request: &FetchRequest, span: Option<Span>, notes: &mut Vec<String>) -> Result<Form> {
        let path = request.path.as_str();
        let lines = self.corpus.item_text(item).lines();
        Ok(match span {
            None => Form::Whole,
            Some((1, last)) if last == lines => Form::Whole,
            Some((first, last)) if first > lines => {
                let count = counted(lines as usize, "line");
                return Err(Error::input(
                    format!("`{path}` has {count}; lines {first}-{last} do not exist"),
                    "request lines within the file, or the full file",
                ));
            }
            Some((first, last)) => {
                if last > lines {
                    notes.push(format!("{} ends at line {lines}; fetched lines {first}-{lines}", printable(path)));
                }
                Form::Spans(vec![(first, last.min(lines))])
            }
        })
    }

    /// The item with this name as payloads write it, with invisible characters shown as symbols.
    fn as_written(&self, path: &str) -> Option<ItemId> {
        self.corpus.items.iter().position(|item| printable(&item.path) == path).map(ItemId::new)
    }

    fn refuse_excluded(&self, item: ItemId) -> Result<()> {
        let entry = &self.corpus.items[item];
        let about = match entry.source {
            Source::File(_) => None,
            Source::Text(_) => entry.about.and_then(|file| self.corpus.files.get(file.index())),
        };
        let named = |path: &str| self.excluded.contains(path);
        if !named(&entry.path) && !about.is_some_and(|file| named(&file.path)) {
            return Ok(());
        }
        let turn = self.turn.as_deref().unwrap_or_default();
        Err(Error::input(
            format!("`{}` is excluded in {turn}", entry.path),
            format!("reset the exclusion first: teddy resume {turn}, or pin it with --pin"),
        ))
    }

    /// The reason why an existing path cannot be fetched.
    fn explained(&self, env: &Environment, path: &str, error: Error) -> Error {
        let inside = env.inside(path).or_else(|| Some(path.to_owned()).filter(|path| !path.starts_with('/')));
        let Some(inside) = inside.filter(|inside| !inside.split('/').any(|part| part == "..")) else {
            return Error::Outside { entry: path.to_owned() };
        };
        if !matches!(error, Error::Missing { .. }) {
            return error;
        }
        if self.excluded.contains(&inside) {
            let what = format!("`{path}` is excluded in {}", self.turn.as_deref().unwrap_or_default());
            return Error::input(what, "the file no longer exists; choose another one");
        }
        if let Err(outside) = files::refuse_escapes(&env.root, &inside) {
            return outside;
        }
        if !env.root.join(&inside).exists() {
            return error;
        }
        if inside == crate::project::TEDDY_DIR || inside.starts_with(".teddy/") {
            return Error::input(format!("`{path}` belongs to teddy"), "`teddy show` shows sessions and payloads");
        }
        Error::input(
            format!("`{path}` is ignored by .gitignore, .ignore, .teddyignore or the configuration"),
            "remove the rule if a model may see the file",
        )
    }
}

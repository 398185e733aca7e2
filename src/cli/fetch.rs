//! `teddy fetch PATH[:N-M]…`: what the payload only links, in the form that it has when it is inlined.

use std::collections::HashSet;

use clap::Args;

use super::args::{OutputArgs, WhereArgs};
use super::output::{self, say};
use crate::app::candidates::gathered;
use crate::app::context_rules::{self, Context};
use crate::app::environment::Environment;
use crate::app::input::{STDIN, read_stdin};
use crate::app::options::{OutputOptions, PayloadRequest};
use crate::app::payload_options::Shape;
use crate::app::requests::{self, Request};
use crate::app::resume::{self, Carried};
use crate::app::save_turn;
use crate::deliver::Receipt;
use crate::error::{Error, Result};
use crate::gather::Corpus;
use crate::gather::item::{ItemKind, Source};
use crate::gather::tokens::Tokenizer;
use crate::ids::ItemId;
use crate::place::{Form, Override};
use crate::project::checkpoint;
use crate::project::files::MAX_BYTES;
use crate::project::turn::{self, TurnRecord};
use crate::render;
use crate::text::{counted, printable, thousands};

/// What `teddy fetch` takes.
#[derive(Debug, Args)]
pub struct FetchArgs {
    /// Files, with lines if not all of it (`src/a.py:10-80`), or LINKED lines of the payload; `-` reads them from standard input.
    #[arg(required = true, value_name = "PATH[:N-M]")]
    pub entries: Vec<String>,
    /// The session or the turn (`NAME/02`) whose overrides hold; without it the session touched last.
    #[arg(long, value_name = "NAME[/TURN]")]
    pub session: Option<String>,
    #[command(flatten)]
    pub to: WhereArgs,
}

/// Runs the command.
pub fn run(env: &Environment, args: &FetchArgs) -> Result<()> {
    let mut out = OutputArgs { to: args.to.clone(), ..OutputArgs::default() };
    out.to.stdout |= !args.to.is_given();
    output::check(env, &out)?;
    let requests = requests(&args.entries)?;
    let ground = Ground::open(env, args.session.as_deref(), &requests)?;
    let (document, tokens) = ground.document(env, &requests)?;
    let mut receipt = Receipt::default();
    let sent = output::send_all(env, &out, &document, &mut receipt);
    let tokenizer = ground.tokenizer;
    say(&format!(
        "fetched {} · {} tokens ({})",
        counted(requests.len(), "item"),
        tokenizer.figure(tokens),
        tokenizer.name()
    ));
    for delivery in &receipt.deliveries {
        say(&delivery.to_string());
    }
    sent
}

fn requests(entries: &[String]) -> Result<Vec<Request>> {
    let mut found = Vec::new();
    for entry in entries {
        let text = if entry == STDIN { read_stdin(MAX_BYTES)? } else { entry.clone() };
        let parsed = requests::parse(&text)
            .map_err(|why| Error::input(why, "name a file, with lines if you like: teddy fetch src/a.py:10-80"))?;
        found.extend(parsed);
    }
    let mut seen = HashSet::new();
    found.retain(|request: &Request| seen.insert((request.path.clone(), request.span)));
    Ok(found)
}

/// What can be fetched from: the project as it is, with the items and the overrides of a turn.
pub struct Ground {
    corpus: Corpus,
    excluded: HashSet<String>,
    turn: Option<String>,
    tokenizer: Tokenizer,
}

impl Ground {
    /// Reads the project, and the turn if there is one, for these requests.
    pub fn open(env: &Environment, which: Option<&str>, requests: &[Request]) -> Result<Self> {
        // What a payload says on a file's commits is made for files that are asked for.
        let commits = format!("{}:", ItemKind::Commits.name());
        let requests: Vec<&str> = requests.iter().filter_map(|request| request.path.strip_prefix(&commits)).collect();
        let requests = requests.as_slice();
        let found = match env.turn(which) {
            Ok(turn) => Some(turn),
            // Without a project, a session or a turn there is nothing that was ruled.
            Err(error) if which.is_none() && error.exit_code() == 1 => None,
            Err(error) => return Err(error),
        };
        let out = OutputOptions { file: None, dry_run: true };
        let flags = PayloadRequest::default();
        let Some(turn) = found else {
            let shape = Shape::settle(&flags, &mut TurnRecord::default(), env)?;
            let corpus = gathered(env, None, requests)?;
            return Ok(Self { corpus, excluded: HashSet::new(), turn: None, tokenizer: shape.tokenizer });
        };
        let project = env.project()?;
        let session = turn.session();
        let mut record = checkpoint::load_record(&turn)?.record;
        let context = Context::load(project, Some(session), Some((&turn, &record)))?;
        let steps = save_turn::steps(&record)?;
        let carried = Carried {
            task: String::new(),
            before: turn::before(session, &turn)?,
            context,
            steps,
            notes: Vec::new(),
            asides: Vec::new(),
        };
        let inputs = resume::inputs(env, session, turn.id().to_string(), &mut record, &flags, &out, carried)?;
        let excluded =
            context_rules::ruled(&inputs.steps.0, Override::Exclude).into_iter().map(ToOwned::to_owned).collect();
        let corpus = gathered(env, Some(&inputs), requests)?;
        let name = format!("{}/{}", session.name(), turn.id());
        Ok(Self { corpus, excluded, turn: Some(name), tokenizer: inputs.shape.tokenizer })
    }

    /// What was asked for, as a document with its tokens; every request that cannot be met is told, and then there is none.
    pub fn document(&self, env: &Environment, requests: &[Request]) -> Result<(String, usize)> {
        let (mut wanted, mut refused) = (Vec::new(), Vec::new());
        for request in requests {
            match self.find(env, request) {
                Ok(found) => wanted.push(found),
                Err(error) => refused.push(error),
            }
        }
        match refused.len() {
            0 => {}
            1 => return Err(refused.remove(0)),
            _ => {
                let lines: Vec<String> = refused.iter().map(ToString::to_string).collect();
                return Err(Error::input(lines.join("\n"), "take these out, or mend them; nothing was fetched"));
            }
        }
        for (item, _) in &wanted {
            let found = self.corpus.item_text(*item).findings.len();
            if found > 0 {
                let path = printable(&self.corpus.items[*item].path).into_owned();
                say(&format!("note: {path}: {} replaced", counted(found, "secret")));
            }
        }
        render::fetched(&self.corpus, &wanted, self.tokenizer)
            .map_err(|why| Error::input(why, "fetch another file, or read it yourself"))
    }

    /// The item that a request names, and the form that it asks for.
    fn find(&self, env: &Environment, request: &Request) -> Result<(ItemId, Form)> {
        let path = request.path.as_str();
        let found = match env.select(&self.corpus, path) {
            Ok(found) => found,
            Err(error) => match self.as_written(path) {
                Some(item) => vec![item],
                None => return Err(self.explained(env, path, error)),
            },
        };
        let [item] = found.as_slice() else {
            let what = format!("`{path}` names {} files", thousands(found.len()));
            return Err(Error::input(what, "fetch files one by one, each by its name"));
        };
        self.refuse_excluded(*item)?;
        let lines = self.corpus.item_text(*item).lines();
        let form = match request.span {
            None => Form::Whole,
            Some((1, last)) if last == lines => Form::Whole,
            Some((first, last)) if first > lines => {
                let count = counted(lines as usize, "line");
                return Err(Error::input(
                    format!("`{path}` has {count}: {first}-{last} is outside it"),
                    "ask for lines that it has, or for the whole file",
                ));
            }
            Some((first, last)) => {
                if last > lines {
                    say(&format!("note: {} ends at line {lines}; {first}-{lines} is what there is", printable(path)));
                }
                Form::Spans(vec![(first, last.min(lines))])
            }
        };
        Ok((*item, form))
    }

    /// The item whose name a payload writes like this: signs that cannot be seen stand there as others.
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
            format!("take the exclusion back first: open it with teddy resume {turn}, or pin it there with --pin"),
        ))
    }

    /// Why a path that may well be there is not to be had.
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
            return Error::input(what, "it is not there any more, either; name another file");
        }
        if !env.root.join(&inside).exists() {
            return error;
        }
        if inside == crate::project::TEDDY_DIR || inside.starts_with(".teddy/") {
            return Error::input(format!("`{path}` is teddy's own"), "`teddy show` shows sessions and payloads");
        }
        Error::input(
            format!("`{path}` is ignored: .gitignore, .ignore, .teddyignore or the configuration leaves it out"),
            "take it out of there if a model may see it",
        )
    }
}

//! Resolves payload options: arguments, then the turn's record, then the configuration.

use super::environment::Environment;
use super::options::PayloadRequest;
use super::review;
use crate::error::{Error, Result};
use crate::gather::tokens::{Tokenizer, Vendor};
use crate::place::budget::{self, Split};
use crate::place::{Budget, Limits};
use crate::project::config::Config;
use crate::project::turn::TurnRecord;
use crate::render::{Format, PayloadStyle, pack};
use crate::score::{Complexity, TaskType};
use crate::text::{counted, thousands};

/// Payload options that are known before the project's files are read.
#[derive(Debug, Clone)]
pub struct PayloadOptions {
    /// The token limit, if the person set one.
    pub limit: Option<usize>,
    /// Context window that the limit is derived from.
    pub window: Option<WindowSplit>,
    /// Limits by complexity, if there is no other limit.
    pub limits: Limits,
    /// Shares of the tiers.
    pub split: Split,
    /// Tokenizer.
    pub tokenizer: Tokenizer,
    /// The payload's format.
    pub format: Format,
    /// True if auto-fill is on.
    pub fill: bool,
    /// The task type, if the person set it.
    pub task_type: Option<TaskType>,
    /// The complexity, if the person set it.
    pub complexity: Option<Complexity>,
    /// Profile of the configuration, if one was named.
    pub profile: Option<String>,
    /// Patterns that every file must match, if given.
    pub only: Vec<String>,
    /// Configured token limit for the parts of a split payload.
    pub part_limit: Option<usize>,
    /// Choices about the payload's text.
    pub style: PayloadStyle,
    /// The base of a review, as a commit id.
    pub base: Option<String>,
    /// Include files up to this many imports away from the pinned ones.
    pub hops: Option<u8>,
    /// True if teddy wrote the task itself. Its words are then not used for scoring.
    pub described: bool,
}

/// A context window and its shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowSplit {
    tokens: usize,
    shares: [u32; 4],
}

impl WindowSplit {
    fn new(tokens: usize, shares: [u32; 4]) -> Self {
        Self { tokens, shares }
    }

    fn share(self, at: usize) -> usize {
        self.tokens / 100 * self.shares[at] as usize + self.tokens % 100 * self.shares[at] as usize / 100
    }

    /// Share for the payload.
    fn context(self) -> usize {
        self.share(1)
    }

    /// The smallest window whose share for the payload is this large.
    fn smallest(self, context: usize) -> usize {
        (context * 100).div_ceil(self.shares[1].max(1) as usize)
    }

    /// Description of the shares.
    pub fn describe(self) -> String {
        let parts: Vec<String> = ["system prompt", "context", "request", "response"]
            .iter()
            .enumerate()
            .map(|(at, name)| format!("{name} {} ({}%)", thousands(self.share(at)), self.shares[at]))
            .collect();
        format!("window of {} tokens: {}", thousands(self.tokens), parts.join(", "))
    }
}

impl PayloadOptions {
    /// Resolves the options, and writes the person's choices to the turn's record.
    pub fn resolve(args: &PayloadRequest, record: &mut TurnRecord, env: &Environment) -> Result<Self> {
        store_choices(args, record, env);
        if let Some(base) = &args.base {
            record.base = Some(review::base(env, base)?.id);
        }
        let config = &env.config.with_profile(record.profile.as_deref())?;
        let limits = Limits {
            simple: config.budget.simple as usize,
            medium: config.budget.medium as usize,
            complex: config.budget.complex as usize,
        };
        let format = record.format.unwrap_or(config.format);
        let limits = if format == Format::Pack { limits.within(pack::LIMITS) } else { limits };
        let split = Split::new(config.budget.split.map(|share| u8::try_from(share).unwrap_or(u8::MAX)))?;
        let tokenizer = tokenizer(record, config)?.with_characters(|vendor| match vendor {
            Vendor::Claude => config.characters_per_token.claude,
            Vendor::Gemini => config.characters_per_token.gemini,
        });
        let window = match record.budget {
            Some(_) => None,
            None => record.window.or(config.window.tokens),
        };
        let window = window.map(|tokens| WindowSplit::new(tokens as usize, config.window.shares));
        let limit = record.budget.map(|budget| budget as usize).or(window.map(WindowSplit::context));
        if let Some(limit) = limit {
            Budget::new(limit, split, tokenizer).map_err(|error| match window {
                Some(window) => Error::input(
                    format!(
                        "a window of {} leaves {} for the payload, which is too little",
                        counted(window.tokens, "token"),
                        thousands(limit)
                    ),
                    format!("use at least {}, such as --window 128k", thousands(window.smallest(budget::SMALLEST))),
                ),
                None => error,
            })?;
        }
        Ok(Self {
            limit,
            window,
            limits,
            split,
            tokenizer,
            format,
            fill: record.fill || config.fill,
            task_type: record.task_type,
            complexity: record.complexity,
            profile: record.profile.clone(),
            only: record.only.clone(),
            part_limit: config.split.map(|tokens| tokens as usize),
            style: PayloadStyle {
                acknowledgement: config.acknowledgement && !record.no_ack,
                request: record.request.unwrap_or(config.request),
                line_numbers: config.line_numbers || record.line_numbers,
                reuse: config.reuse && !record.no_reuse,
            },
            base: record.base.clone(),
            hops: record.hops,
            described: record.described,
        })
    }

    /// The budget for a task of this complexity.
    pub fn budget(&self, complexity: Complexity) -> Result<Budget> {
        Budget::new(self.limit.unwrap_or_else(|| self.limits.of(complexity)), self.split, self.tokenizer)
    }
}

fn store_choices(args: &PayloadRequest, record: &mut TurnRecord, env: &Environment) {
    record.profile = args.profile.clone().or(record.profile.take());
    if !args.only.is_empty() {
        // Patterns are stored relative to the root, so that they mean the same in every directory.
        let from_root = |pattern: &String| env.inside(pattern).unwrap_or_else(|| pattern.clone());
        record.only = args.only.iter().map(from_root).collect();
    }
    if let Some(budget) = args.budget {
        (record.budget, record.window) = (Some(budget as u64), None);
    }
    if let Some(window) = args.window {
        (record.budget, record.window) = (None, Some(window as u64));
    }
    if let Some(model) = &args.model {
        (record.model, record.tokenizer) = (Some(model.clone()), None);
    }
    if let Some(tokenizer) = &args.tokenizer {
        (record.model, record.tokenizer) = (None, Some(tokenizer.clone()));
    }
    if let Some(format) = args.format {
        record.format = Some(format);
    }
    record.task_type = args.task_type.or(record.task_type);
    record.complexity = args.complexity.or(record.complexity);
    record.phase = args.phase.or(record.phase);
    record.hops = args.hops.or(record.hops);
    record.fill |= args.fill;
    record.no_ack |= args.no_ack;
    record.request = args.request.or(record.request);
    record.line_numbers |= args.line_numbers;
    record.no_reuse |= args.no_reuse;
}

fn tokenizer(record: &TurnRecord, config: &Config) -> Result<Tokenizer> {
    if let Some(name) = &record.tokenizer {
        return Tokenizer::named(name);
    }
    if let Some(model) = &record.model {
        return Tokenizer::for_model(model);
    }
    let (key, configured) = match &config.model {
        Some(model) => ("model", Tokenizer::for_model(model)),
        None => ("tokenizer", Tokenizer::named(&config.tokenizer)),
    };
    configured.map_err(|error| {
        let hint = error.hint().unwrap_or_default();
        Error::input(error.to_string(), format!("fix `{key}` in config.yaml: {hint}"))
    })
}

//! Places required content before the ranking: group by group, each item in the best of its forms that fits.

use std::collections::HashMap;

use super::placer::{AHEAD, Placer, UNREADABLE};
use super::{Form, Tier};
use crate::ids::{ItemId, PlacedId};
use crate::score::required::{RequiredForm, RequiredItem};

/// An excerpt with at least this share of its file is replaced by the full file.
const NEARLY_WHOLE: (usize, usize) = (17, 20);

impl Placer<'_> {
    /// Places the required items within `room`, which excludes the fixed parts. A person's overrides take precedence.
    pub fn place_required(&mut self, room: usize) {
        let groups = &self.request.scores.required;
        if groups.is_empty() {
            return;
        }
        let at: HashMap<ItemId, PlacedId> =
            PlacedId::enumerate(&self.placement.placed).map(|(at, placed)| (placed.item, at)).collect();
        for group in groups {
            let most = self.spent() + room.saturating_sub(self.spent()) / 100 * group.share;
            for some in group.items.chunks(AHEAD) {
                let first: Vec<(ItemId, Form)> =
                    some.iter().filter_map(|wanted| Some((wanted.item, form(wanted.forms.first()?)))).collect();
                self.count_ahead(first.iter().map(|(item, form)| (*item, form)));
                for wanted in some {
                    if let Some(at) = at.get(&wanted.item) {
                        self.want(*at, wanted, most);
                    }
                }
            }
        }
    }

    fn want(&mut self, at: PlacedId, wanted: &RequiredItem, most: usize) {
        let placed = &self.placement.placed[at];
        if self.ceiling(at) != Tier::Raw || placed.overridden.is_some() || placed.form == Form::Whole {
            return;
        }
        let (others, now) = (self.spent() - placed.tokens, placed.tokens);
        let limit = self.request.costs.excerpt_limit(most).unwrap_or(usize::MAX);
        let mut readable = false;
        for wanted in &wanted.forms {
            let Some((form, tokens)) = self.counted(at, wanted) else { continue };
            readable = true;
            if tokens <= limit && others + tokens <= most && tokens >= now {
                self.put(at, Tier::Raw, form, tokens);
                return;
            }
        }
        if now == 0 {
            let whole = self.request.costs.inlined(self.item(at), &Form::Whole);
            let placed = self.edit(at);
            placed.held_back = Some(if readable { "it does not fit" } else { UNREADABLE });
            placed.whole_tokens = whole;
        }
    }

    /// The form of this format that is closest to the required one, and its tokens.
    fn counted(&self, at: PlacedId, wanted: &RequiredForm) -> Option<(Form, usize)> {
        let item = self.item(at);
        let cost = |form: Form| self.request.costs.inlined(item, &form).map(|tokens| (form, tokens));
        let found = cost(form(wanted));
        let RequiredForm::Excerpt(spans) = wanted else { return found };
        let (form, tokens) = found.or_else(|| cost(Form::Spans(spans.clone())))?;
        let whole = if self.request.costs.excerpt_limit(tokens).is_some() { None } else { cost(Form::Whole) };
        match whole {
            Some(whole) if tokens * NEARLY_WHOLE.1 >= whole.1 * NEARLY_WHOLE.0 => Some(whole),
            _ => Some((form, tokens)),
        }
    }
}

fn form(wanted: &RequiredForm) -> Form {
    match wanted {
        RequiredForm::Whole => Form::Whole,
        RequiredForm::Outline => Form::Skeleton(Vec::new()),
        RequiredForm::Excerpt(spans) => Form::Skeleton(spans.clone()),
        RequiredForm::Lines(spans) => Form::Spans(spans.clone()),
    }
}

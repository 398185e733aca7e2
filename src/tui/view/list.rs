//! The list of items; only visible rows are built.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::draw::{clean, frame, put, put_all, width};
use crate::ids::ItemId;
use crate::place::{Form, Override, PlacedItem, Tier};
use crate::text::{counted, fit_middle, thousands};
use crate::tui::command::Command;
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::Bench;
use crate::tui::state::layer::BenchLayer;
use crate::tui::state::rows::{Directory, Row};
use crate::tui::theme::{Glyphs, Role};
use crate::workbench::Filter;

pub fn draw(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) {
    if area.height < 2 {
        return;
    }
    let title = title(ui, bench);
    let title: Vec<(Style, &str)> = title.iter().map(|(style, text)| (*style, text.as_str())).collect();
    let inside = frame(buffer, area, ui, bench.focus.is_none(), &title, &[]);
    if bench.rows.is_empty() {
        return empty(buffer, inside, ui, bench);
    }
    column_titles(buffer, inside, ui);
    let inside = layout::list_rows(area);
    let range = bench.range_rows();
    let rows = bench.rows.iter().enumerate().skip(bench.offset).take(usize::from(inside.height));
    for (line, (at, row)) in rows.enumerate() {
        let y = inside.y + line as u16;
        let in_range = range.is_some_and(|(from, to)| (from..=to).contains(&at));
        let area = Rect { y, height: 1, ..inside };
        match row {
            Row::Item { item, depth } => {
                item_row(buffer, area, ui, bench, *item, *depth, at == bench.cursor, in_range);
            }
            Row::Directory(directory) => {
                directory_row(buffer, area, ui, bench, directory, at == bench.cursor, in_range);
            }
        }
        if at == bench.cursor {
            highlight(buffer, area, ui);
        }
    }
}

fn title(ui: &Ui, bench: &Bench) -> Vec<(Style, String)> {
    let style = |role: Role| ui.theme.style(role);
    let all = bench.model.corpus().items.len();
    let count = if bench.matching == all {
        thousands(all)
    } else {
        format!("{} of {}", thousands(bench.matching), thousands(all))
    };
    let dot = ui.theme.glyphs.dot;
    let mut pieces = vec![(style(Role::Title), format!(" {count} items "))];
    let order = if bench.tree { "tree".to_owned() } else { format!("by {}", bench.sort.name()) };
    pieces.push((style(Role::Dim), format!("{dot} {order} ")));
    if let Some(only) = bench.only {
        pieces.push((style(Role::Warn), format!("{dot} only {} ", only.label())));
    }
    let filter = bench.filter_line.text();
    if !filter.is_empty() {
        pieces.push((style(Role::Matched), format!("{dot} /{} ", clean(filter))));
    }
    if bench.range.is_some() {
        pieces.push((style(Role::Mark), format!("{dot} {} in range ", thousands(bench.targets().len()))));
    } else if !bench.selected.is_empty() {
        pieces.push((style(Role::Mark), format!("{dot} {} selected ", thousands(bench.selected.len()))));
    }
    if bench.is_counting() && bench.counted > 0 {
        let percent = bench.counted * 100 / bench.model.corpus().files.len().max(1);
        pieces.push((style(Role::Dim), format!("{dot} tokens {percent}% counted ")));
    }
    pieces
}

/// Draws the position of the cursor on the list's lower border, which the pane below may share.
pub fn position(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) {
    let text = position_text(bench, area);
    let x = area.right().saturating_sub(width(&text) + 1);
    put(buffer, x, area.bottom().saturating_sub(1), width(&text), ui.theme.style(Role::Dim), &text);
}

/// The position of the cursor, if not all rows are visible.
pub fn position_text(bench: &Bench, area: Rect) -> String {
    if bench.rows.len() <= usize::from(layout::list_rows(area).height) || area.is_empty() {
        return String::new();
    }
    format!(" {} of {} ", thousands(bench.cursor + 1), thousands(bench.rows.len()))
}

/// Explains that the list is empty, and how to change that.
fn empty(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) {
    if bench.model.corpus().items.is_empty() {
        return explain(buffer, area, ui, "No text files here.", "teddy doctor lists what was skipped and why");
    }
    let mut what = Vec::new();
    if !bench.filter_line.text().is_empty() {
        what.push(format!("/{}", bench.filter_line.text()));
    }
    if let Some(only) = bench.only {
        what.push(format!("only {}", only.label()));
    }
    let clear = if matches!(bench.layers.last(), Some(BenchLayer::Filter(_))) {
        "Ctrl-u clears it".to_owned()
    } else {
        format!("{} clears it", ui.key_in(bench.context(), Command::Back))
    };
    explain(buffer, area, ui, &format!("No match for {}", what.join(" and ")), &clear);
}

/// Draws two lines of text instead of rows.
pub fn explain(buffer: &mut Buffer, area: Rect, ui: &Ui, first: &str, second: &str) {
    put(buffer, area.x + 1, area.y + 1, area.width.saturating_sub(2), ui.theme.style(Role::Text), first);
    put(buffer, area.x + 1, area.y + 2, area.width.saturating_sub(2), ui.theme.style(Role::Dim), second);
}

/// Highlights the whole row of the cursor. If the theme reverses colours, only the tier keeps its own colour.
pub fn highlight(buffer: &mut Buffer, area: Rect, ui: &Ui) {
    let style = ui.theme.style(Role::Cursor);
    let tiers = [Role::Raw, Role::Linked, Role::Summary].map(|role| ui.theme.style(role).fg);
    if style.add_modifier.contains(Modifier::REVERSED) {
        for x in area.left()..area.right() {
            if let Some(cell) = buffer.cell_mut((x, area.y)) {
                let tier = tiers.contains(&Some(cell.fg)).then_some(cell.fg);
                cell.set_style(tier.map_or_else(Style::reset, |colour| Style::reset().fg(colour)));
            }
        }
    }
    buffer.set_style(area, style);
}

/// The columns that fit. In a narrow list, the share is omitted first, then the second figure, then the score.
struct Columns {
    share: bool,
    whole: bool,
    score: bool,
}

impl Columns {
    fn of(width: u16) -> Self {
        Self { share: width >= 58, whole: width >= 52, score: width >= 40 }
    }
}

/// Number of cells in the bar for an item's share of the budget.
const SHARE: usize = 6;

fn column_titles(buffer: &mut Buffer, area: Rect, ui: &Ui) {
    let columns = Columns::of(area.width);
    let style = ui.theme.style(Role::Dim);
    let left = if columns.score { "   tier score path" } else { "   tier path" };
    let right = if columns.share { format!("tokens  {:<SHARE$} ", "share") } else { "tokens ".to_owned() };
    put(buffer, area.x, area.y, area.width, style, left);
    let from = area.right().saturating_sub(width(&right));
    put(buffer, from, area.y, width(&right), style, &right);
}

/// A bar for the share of the budget, exact to an eighth of a cell; a share above zero is always visible.
fn share_bar(tokens: usize, limit: usize, glyphs: &Glyphs) -> String {
    let eighths = (tokens * SHARE * 8).div_ceil(limit.max(1)).min(SHARE * 8);
    let mut bar = glyphs.full.repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push_str(glyphs.eighths[eighths % 8]);
    }
    format!("{bar:<SHARE$}")
}

pub fn tier_look(tier: Tier, absent: &'static str) -> (Role, &'static str) {
    let short = match tier {
        Tier::Linked => "LINK",
        Tier::Summary => "SUM",
        Tier::Out => absent,
        Tier::Raw => tier.label(),
    };
    (Role::of(tier), short)
}

#[expect(clippy::too_many_arguments, reason = "everything needed to draw a row")]
fn item_row(
    buffer: &mut Buffer,
    area: Rect,
    ui: &Ui,
    bench: &Bench,
    item: ItemId,
    depth: u16,
    cursor: bool,
    in_range: bool,
) {
    let Some(placed) = bench.placed(item) else { return };
    let style = |role: Role| ui.theme.style(role);
    let glyphs = ui.theme.glyphs;
    let columns = Columns::of(area.width);
    let score = bench.model.scores().items[item].points;
    let (override_role, overridden) = match placed.overridden {
        Some(Override::Pin) => (Role::Pin, "P"),
        Some(Override::Demote(_) | Override::Link) => (Role::Demote, "~"),
        Some(Override::Exclude) => (Role::Exclude, "x"),
        None => (Role::Text, " "),
    };
    let (tier_role, tier) = tier_look(placed.tier, glyphs.absent);
    let marked = in_range || bench.selected.contains(&item);
    let mut left: Vec<(Style, String)> = vec![
        (style(Role::Focus), if cursor { glyphs.cursor } else { " " }.to_owned()),
        (style(override_role), overridden.to_owned()),
        (style(Role::Mark), if marked { glyphs.mark } else { " " }.to_owned()),
        (style(tier_role), format!("{tier:<4}")),
    ];
    if columns.score {
        left.push((style(Role::Text), format!(" {score:>4} ")));
    }
    let indent = if bench.tree { usize::from(depth) * 2 } else { 0 };
    left.push((style(Role::Text), " ".repeat(1 + indent.min(usize::from(area.width) / 3))));
    let right = figures(ui, bench, &placed, area.width);
    let right_width: u16 = right.iter().map(|(_, text)| width(text)).sum();
    let x = put_all(buffer, area.x, area.y, area.width, &left);
    let entry = &bench.model.corpus().items[item];
    let path = &entry.path;
    let shown = if bench.tree && entry.kind.is_file() { path.rsplit('/').next().unwrap_or(path) } else { path };
    let room = area.right().saturating_sub(x + right_width + 1);
    path_with_matches(buffer, x, area.y, room, ui, &bench.filter, shown, placed.tier);
    let from = area.right().saturating_sub(right_width).max(x);
    put_all(buffer, from, area.y, area.right().saturating_sub(from), &right);
}

/// Symbols, form and tokens at the end of a row.
fn figures(ui: &Ui, bench: &Bench, placed: &PlacedItem, room: u16) -> Vec<(Style, String)> {
    let whole = Columns::of(room).whole;
    // In a narrow list, only the glyph is shown, without its word.
    let said = |glyph: &str, word: &str| if room >= 70 { format!(" {glyph} {word}") } else { format!(" {glyph}") };
    let style = |role: Role| ui.theme.style(role);
    let glyphs = ui.theme.glyphs;
    let mut pieces = Vec::new();
    let text = bench.model.corpus().file_of(placed.item).and_then(|file| file.known_text());
    if text.is_some_and(|text| text.missing.is_some()) {
        pieces.push((style(Role::Bad), " gone".to_owned()));
    }
    if text.is_some_and(|text| !text.findings.is_empty()) {
        pieces.push((style(Role::Warn), said(glyphs.secret, "redacted")));
    }
    if bench.about.changed.contains(&placed.item) {
        pieces.push((style(Role::Warn), said(glyphs.changed, "changed")));
    }
    if bench.about.stale.contains(&placed.item) {
        pieces.push((style(Role::Warn), said(glyphs.stale, "stale")));
    }
    let pinned_lines = placed.overridden == Some(Override::Pin) && matches!(placed.form, Form::Spans(_));
    if pinned_lines {
        pieces.push((style(Role::Pin), " lines".to_owned()));
    }
    if bench.is_unfitted(placed) {
        pieces.push((style(Role::Dim), said(glyphs.dropped, "didn't fit")));
    }
    let form = match &placed.form {
        Form::Skeleton(kept) if kept.is_empty() => " outline",
        Form::Skeleton(_) | Form::Spans(_) if !pinned_lines => " excerpt",
        _ => "",
    };
    pieces.push((style(Role::Dim), form.to_owned()));
    let tokenizer = bench.model.tokenizer();
    let tokens = match placed.tier {
        Tier::Out => glyphs.absent.to_owned(),
        _ => tokenizer.figure(placed.tokens),
    };
    let tokens = match bench.model.whole_tokens(placed) {
        Some(size) if whole => format!("{tokens} of {}", tokenizer.short_figure(size)),
        _ => tokens,
    };
    pieces.push((style(if placed.tier == Tier::Out { Role::Out } else { Role::Text }), format!(" {tokens:>7} ")));
    if Columns::of(room).share {
        let bar = share_bar(placed.tokens, bench.model.placement().limit, glyphs);
        pieces.push((style(Role::of(placed.tier)), format!(" {bar} ")));
    }
    pieces
}

/// The path, with matches of the filter highlighted.
#[expect(clippy::too_many_arguments, reason = "position, width and contents are independent")]
pub fn path_with_matches(
    buffer: &mut Buffer,
    x: u16,
    y: u16,
    room: u16,
    ui: &Ui,
    filter: &Filter,
    path: &str,
    tier: Tier,
) {
    let base = ui.theme.style(if tier == Tier::Out { Role::Out } else { Role::Text });
    let path = clean(path).into_owned();
    let shown = fit_middle(&path, usize::from(room));
    put(buffer, x, y, room, base, &shown);
    for (word, exact) in filter.words() {
        let found = if exact { shown.find(word) } else { shown.to_lowercase().find(word) };
        // Lower case can have another length, and then the position is unknown.
        let Some(part) = found.and_then(|at| shown.get(at..at + word.len()).map(|part| (at, part))) else { continue };
        let before = shown.get(..part.0).map_or(0, width);
        put(buffer, x + before, y, room.saturating_sub(before), ui.theme.style(Role::Matched), part.1);
    }
}

fn directory_row(
    buffer: &mut Buffer,
    area: Rect,
    ui: &Ui,
    bench: &Bench,
    directory: &Directory,
    cursor: bool,
    in_range: bool,
) {
    let style = |role: Role| ui.theme.style(role);
    let glyphs = ui.theme.glyphs;
    let columns = Columns::of(area.width);
    let fold = if directory.folded { glyphs.folded } else { glyphs.unfolded };
    let score = if columns.score { "      " } else { "" };
    let name = directory.path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let indent = " ".repeat((usize::from(directory.depth) * 2).min(usize::from(area.width) / 3));
    let left = [
        (style(Role::Focus), if cursor { glyphs.cursor } else { " " }.to_owned()),
        (style(Role::Mark), if in_range { format!(" {}", glyphs.mark) } else { "  ".to_owned() }),
        (style(Role::Dim), format!("    {score} {indent}{fold} ")),
        (style(Role::Title), format!("{name}/")),
    ];
    let x = put_all(buffer, area.x, area.y, area.width, &left);
    let [raw, linked, summary] = directory.tiers;
    let items = counted(directory.items, "item");
    let counts = format!("{items}: {raw} RAW {linked} LINK {summary} SUM");
    let tokens = bench.model.tokenizer().figure(directory.tokens);
    let share = if columns.share {
        format!(" {} ", share_bar(directory.tokens, bench.model.placement().limit, glyphs))
    } else {
        String::new()
    };
    let right = format!("  {counts} {tokens:>7} {share}");
    let short = format!("  {} {tokens:>7} {share}", thousands(directory.items));
    let right = if x + width(&right) <= area.right() { right } else { short };
    let from = area.right().saturating_sub(width(&right)).max(x);
    put(buffer, from, area.y, area.right().saturating_sub(from), style(Role::Dim), &right);
}

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
use crate::workbench::{Filter, Sort};

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
    column_titles(buffer, inside, ui, bench);
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
        pieces.push((style(Role::Dim), format!("{dot} ")));
        pieces.push((style(Role::Matched), format!("/{}", clean(filter))));
        pieces.push((style(Role::Dim), " ".to_owned()));
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

/// Width of the column for the tokens of the file in full.
const WHOLE: usize = 9;

fn column_titles(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench) {
    let columns = Columns::of(area.width);
    let style = ui.theme.style(Role::Dim);
    let name = if by_path(bench) { "path" } else { "name" };
    let left = if columns.score { format!("   tier score {name}") } else { format!("   tier {name}") };
    let whole = if columns.whole { format!("{:WHOLE$}", "") } else { String::new() };
    let share = if columns.share { format!("  {:<SHARE$} ", "share") } else { " ".to_owned() };
    let right = format!("tokens{whole}{share}");
    put(buffer, area.x, area.y, area.width, style, &left);
    let from = area.right().saturating_sub(width(&right));
    put(buffer, from, area.y, width(&right), style, &right);
}

/// Returns true if the list is sorted by path, so that rows show full paths in line with their order.
fn by_path(bench: &Bench) -> bool {
    !bench.tree && bench.sort == Sort::Path
}

/// A bar for the share of the budget, exact to an eighth of a cell. For a RAW item, at least a part of the bar is
/// always visible.
fn share_bar(tokens: usize, limit: usize, always: bool, glyphs: &Glyphs) -> String {
    let (part, limit) = (tokens * SHARE * 8, limit.max(1));
    let eighths = if always { part.div_ceil(limit) } else { (part + limit / 2) / limit };
    let eighths = eighths.min(SHARE * 8);
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
    let (override_role, sign) = override_sign(&placed);
    let (tier_role, tier) = tier_look(placed.tier, glyphs.absent);
    let marked = in_range || bench.selected.contains(&item);
    let mut left: Vec<(Style, String)> = vec![
        (style(Role::Focus), if cursor { glyphs.cursor } else { " " }.to_owned()),
        (style(override_role), sign.to_owned()),
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
    let form = match (entry.kind.is_file(), entry.about.is_some()) {
        (true, _) if bench.tree => PathForm::Name,
        _ if bench.tree || by_path(bench) => PathForm::Full,
        (true, _) => PathForm::NameFirst,
        (false, true) => PathForm::LabelFirst,
        (false, false) => PathForm::Full,
    };
    let room = area.right().saturating_sub(x + right_width + 1);
    let place = Rect { x, width: room, ..area };
    path(buffer, place, ui, &bench.filter, &entry.path, form, placed.tier);
    let from = area.right().saturating_sub(right_width).max(x);
    put_all(buffer, from, area.y, area.right().saturating_sub(from), &right);
}

/// The sign of an override; `c` marks a file that was carried over from the previous turn.
pub fn override_sign(placed: &PlacedItem) -> (Role, &'static str) {
    match placed.overridden {
        Some(Override::Pin) if placed.carried_over => (Role::Dim, "c"),
        Some(Override::Pin) => (Role::Pin, "P"),
        Some(Override::Demote(_) | Override::Link) => (Role::Demote, "~"),
        Some(Override::Exclude) => (Role::Exclude, "x"),
        None => (Role::Text, " "),
    }
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
    let pinned_lines = placed.is_pinned() && matches!(placed.form, Form::Spans(_));
    if pinned_lines {
        pieces.push((style(Role::Pin), " lines".to_owned()));
    }
    if bench.is_unfitted(placed) {
        pieces.push((style(Role::Dim), said(glyphs.dropped, "didn't fit")));
    }
    // The frame around a few lines can cost more than a small file.
    let is_part = |size: &usize| whole && (placed.tier != Tier::Raw || *size > placed.tokens);
    let size = bench.model.whole_tokens(placed).filter(is_part);
    let form = match &placed.form {
        Form::Skeleton(kept) if kept.is_empty() => " outline",
        // The two figures already show that this is an excerpt.
        Form::Skeleton(_) | Form::Spans(_) if size.is_some() || pinned_lines => "",
        Form::Skeleton(_) | Form::Spans(_) => " excerpt",
        _ => "",
    };
    pieces.push((style(Role::Dim), form.to_owned()));
    let tokenizer = bench.model.tokenizer();
    let tokens = match placed.tier {
        Tier::Out => glyphs.absent.to_owned(),
        _ => tokenizer.figure(placed.tokens),
    };
    let role = if placed.tier == Tier::Out { Role::Out } else { Role::Text };
    pieces.push((style(role), format!(" {tokens:>7}")));
    if whole {
        let size = size.map_or_else(String::new, |size| format!(" of {}", tokenizer.short_figure(size)));
        pieces.push((style(Role::Dim), format!("{size:<WHOLE$}")));
    }
    pieces.push((style(Role::Text), " ".to_owned()));
    if Columns::of(room).share {
        let bar = share_bar(placed.tokens, bench.model.placement().limit, placed.tier == Tier::Raw, glyphs);
        pieces.push((style(Role::of(placed.tier)), format!(" {bar} ")));
    }
    pieces
}

/// Form of an item's path in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathForm {
    /// Only the file's name, below its directory.
    Name,
    /// The file's name, then its directory.
    NameFirst,
    /// A label such as `commits:`, then the name of the file that it is about, then its directory.
    LabelFirst,
    Full,
}

/// Minimum width of a directory after a name.
const DIRECTORY: u16 = 6;

/// Draws a path in one row, with the filter's matches highlighted.
pub fn path(buffer: &mut Buffer, area: Rect, ui: &Ui, filter: &Filter, path: &str, form: PathForm, tier: Tier) {
    let base = ui.theme.style(if tier == Tier::Out { Role::Out } else { Role::Text });
    let path = clean(path);
    let matched = filter.matched(&path);
    let (directory, name) = path.rfind('/').map_or(("", &*path), |at| path.split_at(at + 1));
    let before = directory.chars().count();
    let part = |buffer: &mut Buffer, x: u16, room: u16, style: Style, text: &str, from: usize| {
        let shown = fit_middle(text, usize::from(room));
        let end = put(buffer, x, area.y, room, style, &shown);
        let within = matched.iter().filter_map(|at| at.checked_sub(from));
        mark_matches(buffer, (x, area.y), ui, (text, &shown), within);
        end
    };
    if form == PathForm::Full {
        part(buffer, area.x, area.width, base, &path, 0);
        return;
    }
    let label = if form == PathForm::LabelFirst { directory.find(':').map_or(0, |at| at + 1) } else { 0 };
    let (label, directory) = directory.split_at(label);
    let start = put(buffer, area.x, area.y, area.width, base, label);
    let end = part(buffer, start, area.right().saturating_sub(start), base, name, before);
    let room = area.right().saturating_sub(end + 2);
    if form != PathForm::Name && room >= DIRECTORY.min(width(directory)) {
        let from = label.chars().count();
        part(buffer, end + 2, room, ui.theme.style(Role::Dim), directory.trim_end_matches('/'), from);
    }
}

/// Highlights characters of a text that may have been shortened in the middle.
fn mark_matches(
    buffer: &mut Buffer,
    (x, y): (u16, u16),
    ui: &Ui,
    (text, shown): (&str, &str),
    matched: impl Iterator<Item = usize>,
) {
    let (all, visible) = (text.chars().count(), shown.chars().count());
    let start = if text == shown { all } else { shown.chars().position(|letter| letter == '…').unwrap_or(all) };
    let end = visible.saturating_sub(start + 1);
    for at in matched.filter(|at| *at < all) {
        let at = match at {
            at if at < start => at,
            at if at + end >= all => at + visible - all,
            _ => continue,
        };
        let from: String = shown.chars().take(at).collect();
        let letter: String = shown.chars().skip(at).take(1).collect();
        let cells = Rect { x: x + width(&from), y, width: width(&letter), height: 1 };
        buffer.set_style(cells.intersection(buffer.area), ui.theme.style(Role::Matched));
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
        format!(" {} ", share_bar(directory.tokens, bench.model.placement().limit, raw > 0, glyphs))
    } else {
        String::new()
    };
    // The tokens are in the same column as the tokens of items.
    let whole = if columns.whole { WHOLE } else { 0 };
    let figures = format!(" {tokens:>7}{:whole$} {share}", "");
    let right = format!("  {counts}{figures}");
    let short = format!("  {}{figures}", thousands(directory.items));
    let right = if x + width(&right) <= area.right() { right } else { short };
    let from = area.right().saturating_sub(width(&right)).max(x);
    put(buffer, from, area.y, area.right().saturating_sub(from), style(Role::Dim), &right);
}

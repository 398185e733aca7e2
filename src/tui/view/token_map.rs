//! The token map: a treemap of the payload's directories and files, coloured by tier.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::widgets::{Block, Widget};

use super::draw::{clean, frame, put, put_all, width};
use super::list::override_sign;
use crate::place::Tier;
use crate::text::{fit_end, fit_middle};
use crate::tui::layout;
use crate::tui::state::Ui;
use crate::tui::state::bench::{Bench, Zoom};
use crate::tui::state::token_map::{MapNode, TokenMap};
use crate::tui::theme::Role;
use crate::tui::treemap::{Area, squarify};

/// Minimum size of a directory that has a frame with its name.
const FRAMED: (u16, u16) = (14, 4);
/// Minimum width of a block with a label.
const LABELLED: u16 = 5;

/// The area of the map's box, which covers the list and the pane.
pub fn area(size: (u16, u16)) -> Rect {
    let areas = layout::areas(size, Zoom::Both);
    let top = areas.budget.bottom();
    Rect { x: 0, y: top, width: size.0, height: areas.footer.y.saturating_sub(top) }
}

/// The area of the blocks; the last row of the box describes the block under the cursor.
fn blocks_area(size: (u16, u16)) -> Rect {
    let inside = layout::inner(area(size));
    Rect { height: inside.height.saturating_sub(1), ..inside }
}

fn divide(nodes: &[MapNode], area: Rect) -> Vec<Rect> {
    let weights: Vec<usize> = nodes.iter().map(|node| node.tokens).collect();
    squarify(&weights, area).into_iter().map(Area::cells).collect()
}

/// The areas of the blocks that the cursor can reach, in order.
pub fn blocks(size: (u16, u16), map: &TokenMap) -> Vec<Rect> {
    divide(map.blocks(), blocks_area(size))
}

pub fn draw(buffer: &mut Buffer, ui: &Ui, bench: &Bench, map: &TokenMap) {
    let style = |role: Role| ui.theme.style(role);
    let dot = ui.theme.glyphs.dot;
    let shown = map.shown();
    let tokens = bench.model.tokenizer().figure(shown.tokens);
    let place = if shown.path.is_empty() { "whole payload".to_owned() } else { clean(&shown.path).into_owned() };
    let place = fit_middle(&place, usize::from(ui.size.0 / 2)).into_owned();
    let facts = format!("{dot} {tokens} tokens ");
    let title = [
        (style(Role::Title), " Token map "),
        (style(Role::Text), &format!("{dot} {place} ")),
        (style(Role::Dim), &facts),
    ];
    let legend = [Tier::Raw, Tier::Linked, Tier::Summary].map(|tier| (tier, format!(" {} ", tier.label())));
    let mut foot: Vec<(Style, &str)> = Vec::new();
    for (tier, label) in &legend {
        let role = style(Role::of(*tier));
        foot.extend([(role, " "), (fill(ui, *tier, false), texture(*tier)), (role, label.as_str())]);
    }
    let inside = frame(buffer, area(ui.size), ui, true, &title, &foot);
    if map.blocks().is_empty() {
        put(
            buffer,
            inside.x + 1,
            inside.y + 1,
            inside.width.saturating_sub(2),
            style(Role::Text),
            "The payload is empty",
        );
        return;
    }
    let rects = blocks(ui.size, map);
    let cursor = map.position();
    for (at, (entry, rect)) in map.blocks().iter().zip(&rects).enumerate() {
        block(buffer, *rect, ui, bench, entry, at == cursor, &shown.path);
    }
    let hidden = rects.iter().filter(|rect| rect.is_empty()).count();
    status(buffer, Rect { y: inside.bottom().saturating_sub(1), height: 1, ..inside }, ui, bench, map, hidden);
}

/// A texture that distinguishes the tiers without colours.
fn texture(tier: Tier) -> &'static str {
    match tier {
        Tier::Raw | Tier::Out => " ",
        Tier::Linked => "░",
        Tier::Summary => "▒",
    }
}

/// Draws a block. A directory with enough room is a frame around its content; any other block is filled.
fn block(buffer: &mut Buffer, rect: Rect, ui: &Ui, bench: &Bench, entry: &MapNode, here: bool, within: &str) {
    if rect.is_empty() {
        return;
    }
    if !entry.is_directory() || rect.width < FRAMED.0 || rect.height < FRAMED.1 {
        return leaf(buffer, rect, ui, bench, entry, here, within);
    }
    let style = |role: Role| ui.theme.style(role);
    let sign = if here { ui.theme.glyphs.cursor } else { " " };
    let tokens = format!(" {} ", bench.model.tokenizer().short_figure(entry.tokens));
    let room = usize::from(rect.width.saturating_sub(width(&tokens) + 3));
    let name = fit_middle(&relative(&entry.path, within), room).into_owned();
    let role = if here { Role::Cursor } else { Role::Title };
    let title = [(style(Role::Focus), sign), (style(role), name.as_str()), (style(Role::Dim), tokens.as_str())];
    let inside = frame(buffer, rect, ui, here, &title, &[]);
    nested(buffer, inside, ui, bench, entry, &entry.path);
}

/// Draws the items of a directory. Deeper directories have no frame of their own.
fn nested(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench, entry: &MapNode, within: &str) {
    for (child, rect) in entry.children.iter().zip(divide(&entry.children, area)) {
        if rect.is_empty() {
            continue;
        }
        if child.is_directory() {
            nested(buffer, rect, ui, bench, child, within);
        } else {
            leaf(buffer, rect, ui, bench, child, false, within);
        }
    }
}

fn relative(path: &str, within: &str) -> String {
    clean(path.strip_prefix(within).unwrap_or(path)).into_owned()
}

/// Style of a filled block: a shade of the tier's colour, or the colour itself if the theme has no exact colours. The
/// block under the cursor is brighter or hollow.
fn fill(ui: &Ui, tier: Tier, here: bool) -> Style {
    let plain = ui.theme.style(Role::of(tier));
    match (ui.theme.shade(Role::of(tier), if here { 0.5 } else { 0.32 }), here) {
        (Some(shade), true) => ui.theme.style(Role::Title).bg(shade),
        (Some(shade), false) => plain.bg(shade),
        (None, true) => plain.add_modifier(Modifier::BOLD),
        (None, false) => plain.add_modifier(Modifier::REVERSED),
    }
}

/// Draws a filled block with its name, tier and tokens if they fit. The block under the cursor has a heavy frame.
fn leaf(buffer: &mut Buffer, rect: Rect, ui: &Ui, bench: &Bench, entry: &MapNode, here: bool, within: &str) {
    let glyphs = ui.theme.glyphs;
    let tier = entry.tier();
    let framed = here && rect.width >= 3 && rect.height >= 3;
    let filled = fill(ui, tier, here);
    // The texture is fainter than the text on it.
    let pattern = ui.theme.shade(Role::of(tier), 0.6).map_or(filled, |shade| filled.fg(shade));
    let symbol = if here { " " } else { texture(tier) };
    for y in rect.top()..rect.bottom() {
        put(buffer, rect.x, y, rect.width, pattern, &symbol.repeat(usize::from(rect.width)));
    }
    if framed {
        let set = if glyphs.ascii { super::draw::ASCII_BORDER } else { border::THICK };
        let style = filled.patch(ui.theme.style(Role::Focus));
        Block::bordered().border_set(set).border_style(style).render(rect, buffer);
    } else if here {
        put(buffer, rect.x, rect.y, 1, filled.patch(ui.theme.style(Role::Focus)), glyphs.cursor);
    } else {
        // Edges have the colour of the screen, like gaps between the blocks.
        let screen = ui.theme.style(Role::Text).bg.filter(|_| filled.bg.is_some());
        edges(buffer, rect, screen.map_or(filled, |gap| filled.fg(gap)), glyphs.edge, glyphs.below);
    }
    if rect.width < LABELLED {
        return;
    }
    let room = rect.width - 2;
    let label = relative(&entry.path, within);
    let name = label.rsplit('/').next().filter(|name| !name.is_empty() && width(&label) > room).unwrap_or(&label);
    let tokens = bench.model.tokenizer().short_figure(entry.tokens);
    let sign = overridden(bench, entry);
    let facts = format!("{sign}{} {tokens}", tier.label());
    let lines: Vec<String> = match rect.height {
        1 => {
            let both = format!("{name} {tokens}");
            vec![if width(&both) <= room { both } else { name.to_owned() }]
        }
        2 if !here => vec![format!("{name} {tokens}")],
        _ => vec![name.to_owned(), facts],
    };
    let top = rect.y + u16::from(framed);
    for (line, y) in lines.iter().zip(top..rect.bottom()) {
        put(buffer, rect.x + 1, y, room, filled, &fit_end(line, usize::from(room)));
    }
}

/// Draws thin lines at the right and at the bottom, so that neighbours of one colour look separate.
fn edges(buffer: &mut Buffer, rect: Rect, style: Style, right: &str, below: &str) {
    if rect.height > 1 {
        put(buffer, rect.x, rect.bottom() - 1, rect.width, style, &below.repeat(usize::from(rect.width)));
    }
    if rect.width > 1 {
        let last = if rect.height > 1 { rect.bottom() - 1 } else { rect.bottom() };
        for y in rect.top()..last {
            put(buffer, rect.right() - 1, y, 1, style, right);
        }
    }
}

/// The sign of an item's override, and a space.
fn overridden(bench: &Bench, entry: &MapNode) -> String {
    let placed = entry.item.and_then(|item| bench.placed(item));
    match placed.map(|placed| override_sign(&placed).1) {
        None | Some(" ") => String::new(),
        Some(sign) => format!("{sign} "),
    }
}

/// Describes the block under the cursor.
fn status(buffer: &mut Buffer, area: Rect, ui: &Ui, bench: &Bench, map: &TokenMap, hidden: usize) {
    let style = |role: Role| ui.theme.style(role);
    let dot = ui.theme.glyphs.dot;
    let Some(entry) = map.current() else { return };
    let share = entry.tokens * 100 / map.total().max(1);
    let count = if entry.is_directory() {
        format!(" {dot} {}", crate::text::counted(entry.items().len(), "item"))
    } else {
        String::new()
    };
    let tokens = bench.model.tokenizer().figure(entry.tokens);
    let facts = format!(" {dot} {tokens} tokens {dot} {share}%{count} ");
    let more = if hidden > 0 { format!("{dot} {hidden} too small to draw ") } else { String::new() };
    let tier = format!("  {}{}", overridden(bench, entry), entry.tier().label());
    let room = area.width.saturating_sub(width(&facts) + width(&more) + width(&tier) + 1);
    let path = fit_middle(&clean(&entry.path), usize::from(room)).into_owned();
    let pieces = [
        (style(Role::Title), format!(" {path}")),
        (style(Role::of(entry.tier())), tier),
        (style(Role::Text), facts),
        (style(Role::Dim), more),
    ];
    put_all(buffer, area.x, area.y, area.width, &pieces);
}

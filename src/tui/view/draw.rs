//! Draws text into the buffer: with control characters replaced, cut to fit, and never outside its area.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::text::printable;
use crate::tui::state::Ui;
use crate::tui::theme::{Role, Theme};

/// Draws a text in at most `room` columns; returns the column after the text.
pub fn put(buffer: &mut Buffer, x: u16, y: u16, room: u16, style: Style, text: &str) -> u16 {
    let area = buffer.area;
    if y >= area.bottom() || x >= area.right() {
        return x;
    }
    let room = room.min(area.right() - x);
    let (end, _) = buffer.set_stringn(x, y, clean(text), usize::from(room), style);
    end
}

/// The text for a terminal, with tabs replaced by spaces.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\t') {
        return Cow::Owned(printable(&text.replace('\t', "    ")).into_owned());
    }
    printable(text)
}

/// Draws pieces in a row; returns the column after the last.
pub fn put_all<T: AsRef<str>>(buffer: &mut Buffer, x: u16, y: u16, room: u16, pieces: &[(Style, T)]) -> u16 {
    let end = x.saturating_add(room);
    pieces.iter().fold(x, |x, (style, text)| put(buffer, x, y, end.saturating_sub(x), *style, text.as_ref()))
}

/// Width of a text after cleaning.
pub fn width(text: &str) -> u16 {
    clean(text).width() as u16
}

/// Empties an area.
pub fn blank(buffer: &mut Buffer, area: Rect, theme: &Theme) {
    Clear.render(area, buffer);
    buffer.set_style(area.intersection(buffer.area), theme.style(Role::Text));
}

pub const ASCII_BORDER: border::Set<'_> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Draws an empty box with titles on its borders; returns its inside.
pub fn frame(
    buffer: &mut Buffer,
    area: Rect,
    ui: &Ui,
    focus: bool,
    title: &[(Style, &str)],
    foot: &[(Style, &str)],
) -> Rect {
    if area.width < 2 || area.height < 2 {
        return Rect::default();
    }
    blank(buffer, area, &ui.theme);
    let spans = |pieces: &[(Style, &str)]| -> Line<'static> {
        pieces.iter().map(|(style, text)| Span::styled(clean(text).into_owned(), *style)).collect()
    };
    let block = Block::bordered()
        .border_set(if ui.theme.glyphs.ascii { ASCII_BORDER } else { border::ROUNDED })
        .border_style(ui.theme.style(if focus { Role::Focus } else { Role::Border }))
        .title_top(spans(title))
        .title_bottom(spans(foot));
    let inside = block.inner(area);
    block.render(area, buffer);
    inside
}

/// Joins two boxes that share a border. One of them has the focus, and the shared line has its colour.
pub fn join(buffer: &mut Buffer, first: Rect, second: Rect, ui: &Ui) {
    if first.is_empty() || second.is_empty() {
        return;
    }
    let beside = second.x > first.x;
    let (ends, shared) = if beside {
        (["┬", "┴"], Rect { x: second.x, width: 1, ..first })
    } else {
        (["├", "┤"], Rect { y: second.y, height: 1, ..first })
    };
    let border = ui.theme.style(Role::Border);
    for position in shared.positions() {
        if let Some(cell) = buffer.cell_mut(position).filter(|cell| border.fg.is_none_or(|fg| fg == cell.fg)) {
            cell.set_style(ui.theme.style(Role::Focus));
        }
    }
    if !ui.theme.glyphs.ascii {
        let style = ui.theme.style(Role::Focus);
        put(buffer, shared.x, shared.y, 1, style, ends[0]);
        put(buffer, shared.right() - 1, shared.bottom() - 1, 1, style, ends[1]);
    }
}

/// Wraps a text after at most `width` columns, preferably at spaces.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let paragraph = clean(paragraph);
        lines.extend(breaks(&paragraph, width, width).into_iter().map(|row| paragraph[row].trim_end().to_owned()));
    }
    lines
}

/// Wraps a styled line: the first row has `first` columns, the others `rest`.
pub fn wrap_pieces<T: Copy>(pieces: &[(T, String)], first: usize, rest: usize) -> Vec<Vec<(T, String)>> {
    let pieces: Vec<(T, Cow<'_, str>)> = pieces.iter().map(|(look, text)| (*look, clean(text))).collect();
    let line: String = pieces.iter().map(|(_, text)| text.as_ref()).collect();
    let rows = breaks(&line, first, rest).into_iter().map(|row| {
        let row = row.start..row.start + line[row].trim_end().len();
        let mut from = 0;
        let within = pieces.iter().filter_map(|(look, text)| {
            let (start, end) = (from, from + text.len());
            from = end;
            let (start, end) = (start.max(row.start), end.min(row.end));
            (start < end).then(|| (*look, line[start..end].to_owned()))
        });
        within.collect()
    });
    rows.collect()
}

/// Row breaks of a clean line, preferably at spaces; there is at least one row.
fn breaks(line: &str, first: usize, rest: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let (mut start, mut at, mut used, mut room) = (0, 0, 0, first.max(1));
    for word in line.split_inclusive(' ') {
        if used + word.trim_end().width() > room && used > 0 {
            rows.push(start..at);
            (start, used, room) = (at, 0, rest.max(1));
        }
        for grapheme in word.graphemes(true) {
            if used + grapheme.width() > room && grapheme != " " {
                rows.push(start..at);
                (start, used, room) = (at, 0, rest.max(1));
            }
            used += grapheme.width();
            at += grapheme.len();
        }
    }
    rows.push(start..at);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn wrapped_lines_fit(text in "[a-zä漢 \n]{0,80}", width in 2usize..30) {
            for line in wrap(&text, width) {
                prop_assert!(line.width() <= width, "{line:?}");
            }
        }

        #[test]
        fn pieces_break_where_their_text_does(text in "[a-zä漢 ]{0,80}", cut in 0usize..80, width in 2usize..30) {
            let at = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
            let pieces = [(1, text[..at].to_owned()), (2, text[at..].to_owned())];
            let rows = wrap_pieces(&pieces, width, width);
            let joined: Vec<String> = rows.iter().map(|row| row.iter().map(|piece| piece.1.as_str()).collect()).collect();
            prop_assert_eq!(joined, if text.is_empty() { vec![String::new()] } else { wrap(&text, width) });
            let first: String = rows.iter().flatten().filter(|piece| piece.0 == 1).map(|piece| piece.1.as_str()).collect();
            prop_assert_eq!(first.replace(' ', ""), text[..at].replace(' ', ""));
        }

        #[test]
        fn drawing_stays_inside_the_area(x in 0u16..20, y in 0u16..8, room in 0u16..40, text in "\\PC{0,30}") {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 3));
            put(&mut buffer, x, y, room, Style::default(), &text);
        }
    }
}

//! A picture of the screen, drawn from the cells of the terminal.

use std::ops::Range;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

const CELL: (u32, u32) = (9, 18);
const PAPER: &str = "#1b1f27";
const INK: &str = "#d8dee9";

/// Style of a cell as text; empty for the default.
pub fn named(cell: &Cell) -> String {
    let mut words = Vec::new();
    if cell.fg != Color::Reset {
        words.push(cell.fg.to_string().to_lowercase());
    }
    if cell.bg != Color::Reset {
        words.push(format!("on {}", cell.bg.to_string().to_lowercase()));
    }
    for (modifier, name) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underline"),
        (Modifier::REVERSED, "reversed"),
    ] {
        if cell.modifier.contains(modifier) {
            words.push(name.to_owned());
        }
    }
    words.join(" ")
}

fn colour(color: Color, usual: &str) -> String {
    let name = match color {
        Color::Reset | Color::Indexed(_) => usual,
        Color::Black => "#2e3440",
        Color::Red => "#d57780",
        Color::Green => "#a3be8c",
        Color::Yellow => "#ebcb8b",
        Color::Blue => "#81a1c1",
        Color::Magenta => "#b48ead",
        Color::Cyan => "#88c0d0",
        Color::Gray => "#b8c0cc",
        Color::DarkGray => "#7b8494",
        Color::LightRed => "#e58f97",
        Color::LightGreen => "#b9d4a3",
        Color::LightYellow => "#f3d9a4",
        Color::LightBlue => "#9bb8d6",
        Color::LightMagenta => "#c9a3c2",
        Color::LightCyan => "#a3d4e0",
        Color::White => "#eceff4",
        Color::Rgb(red, green, blue) => return format!("#{red:02x}{green:02x}{blue:02x}"),
    };
    name.to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The picture.
pub fn picture(buffer: &Buffer) -> String {
    let (width, height) = (u32::from(buffer.area.width) * CELL.0, u32::from(buffer.area.height) * CELL.1);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"15\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\"/>\n<g transform=\"translate(12 12)\">\n",
        width + 24,
        height + 24
    );
    // Backgrounds come first, so that none of them covers a wide glyph of its neighbour.
    let mut texts = String::new();
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let Some(first) = buffer.cell((x, y)) else { break };
            let look = named(first);
            let from = x;
            let mut text = String::new();
            while x < buffer.area.width
                && let Some(cell) = buffer.cell((x, y))
                && named(cell) == look
            {
                text.push_str(cell.symbol());
                x += 1;
            }
            run((&mut out, &mut texts), from..x, y, &text, first);
        }
    }
    out.push_str(&texts);
    out.push_str("</g>\n</svg>\n");
    out
}

/// Adds the cells of a row that have one style: their background to the first text, their symbols to the second.
fn run((backgrounds, texts): (&mut String, &mut String), columns: Range<u16>, y: u16, text: &str, cell: &Cell) {
    let (mut ink, mut paper) = (colour(cell.fg, INK), colour(cell.bg, PAPER));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut ink, &mut paper);
    }
    let (x, y) = (u32::from(columns.start) * CELL.0, u32::from(y) * CELL.1);
    let wide = u32::from(columns.end - columns.start) * CELL.0;
    // A font's full block leaves gaps between rows.
    let is_solid = text.chars().all(|symbol| symbol == '█');
    if is_solid {
        paper.clone_from(&ink);
    }
    if paper != PAPER {
        backgrounds.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{}\" fill=\"{paper}\"/>\n",
            CELL.1
        ));
    }
    if is_solid || text.trim().is_empty() {
        return;
    }
    let mut look = String::new();
    if cell.modifier.contains(Modifier::BOLD) {
        look.push_str(" font-weight=\"bold\"");
    }
    if cell.modifier.contains(Modifier::ITALIC) {
        look.push_str(" font-style=\"italic\"");
    }
    if cell.modifier.contains(Modifier::UNDERLINED) {
        look.push_str(" text-decoration=\"underline\"");
    }
    if cell.modifier.contains(Modifier::DIM) {
        look.push_str(" opacity=\"0.6\"");
    }
    texts.push_str(&format!(
        "<text x=\"{x}\" y=\"{}\" fill=\"{ink}\" textLength=\"{wide}\" xml:space=\"preserve\"{look}>{}</text>\n",
        y + 14,
        escaped(text)
    ));
}

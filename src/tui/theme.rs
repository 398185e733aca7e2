//! Roles in place of colours, and glyphs with plain alternatives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ratatui::style::{Color, Modifier, Style};

use crate::app::screen::Appearance;
use crate::error::{Error, Result};
use crate::place::Tier;
use crate::project;

const DEFAULT: &str = include_str!("../../assets/themes.yaml");

/// Role of a part of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    Text,
    Dim,
    Title,
    Border,
    Focus,
    Key,
    Cursor,
    Mark,
    Raw,
    Linked,
    Summary,
    Out,
    Ghost,
    Pin,
    Demote,
    Exclude,
    Good,
    Warn,
    Bad,
    Matched,
    Comment,
    Str,
    Keyword,
    Number,
    Type,
    Function,
    Added,
    Removed,
    Bar,
}

impl Role {
    /// The role of a tier.
    pub fn of(tier: Tier) -> Self {
        match tier {
            Tier::Raw => Self::Raw,
            Tier::Linked => Self::Linked,
            Tier::Summary => Self::Summary,
            Tier::Out => Self::Out,
        }
    }
}

const ROLES: [(&str, Role); 29] = [
    ("text", Role::Text),
    ("dim", Role::Dim),
    ("title", Role::Title),
    ("border", Role::Border),
    ("focus", Role::Focus),
    ("key", Role::Key),
    ("cursor", Role::Cursor),
    ("mark", Role::Mark),
    ("raw", Role::Raw),
    ("linked", Role::Linked),
    ("summary", Role::Summary),
    ("out", Role::Out),
    ("ghost", Role::Ghost),
    ("pin", Role::Pin),
    ("demote", Role::Demote),
    ("exclude", Role::Exclude),
    ("good", Role::Good),
    ("warn", Role::Warn),
    ("bad", Role::Bad),
    ("matched", Role::Matched),
    ("comment", Role::Comment),
    ("string", Role::Str),
    ("keyword", Role::Keyword),
    ("number", Role::Number),
    ("type", Role::Type),
    ("function", Role::Function),
    ("added", Role::Added),
    ("removed", Role::Removed),
    ("bar", Role::Bar),
];

/// Styles by role.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    styles: Vec<Style>,
    /// Glyphs used for drawing.
    pub glyphs: &'static Glyphs,
}

type ThemeFile = BTreeMap<String, BTreeMap<String, String>>;

/// A theme with its name, for the picker.
#[derive(Debug, Clone)]
pub struct NamedTheme {
    pub name: String,
    pub theme: Theme,
}

/// Appearance requested by command line, environment and configuration.
pub struct ThemeSelection {
    pub theme: Theme,
    /// All themes, by name.
    pub themes: Vec<NamedTheme>,
    /// True if no theme was chosen and the terminal has 24-bit colour; then its background determines the theme.
    pub follow_background: bool,
}

impl ThemeSelection {
    pub fn from_environment(appearance: &Appearance, user_dir: Option<&Path>) -> Result<Self> {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb" || term == "vt100" || term == "linux-m");
        let chosen = std::env::var("TEDDY_THEME").ok().filter(|name| !name.is_empty());
        let asked = appearance.theme_option.as_deref();
        let name = choice(asked, set("NO_COLOR") || dumb, chosen.as_deref(), appearance.configured_theme.as_deref());
        let ascii = appearance.ascii || set("TEDDY_ASCII") || dumb;
        let truecolor = std::env::var("COLORTERM").is_ok_and(|kind| kind == "truecolor" || kind == "24bit");
        let files = theme_files(user_dir)?;
        Ok(Self {
            theme: Theme::from_files(name.unwrap_or("ansi"), ascii, &files)?,
            themes: Theme::all(ascii, &files),
            follow_background: name.is_none() && truecolor,
        })
    }
}

/// The built-in themes file, followed by the user's.
fn theme_files(user_dir: Option<&Path>) -> Result<Vec<(PathBuf, ThemeFile)>> {
    let embedded = Path::new("assets/themes.yaml");
    let mut files = vec![(embedded.to_path_buf(), project::parse_own::<ThemeFile>(embedded, DEFAULT)?)];
    if let Some(path) = user_dir.map(|dir| dir.join("themes.yaml"))
        && let Some(text) = project::files::read_own(&path)?
    {
        files.push((path.clone(), project::parse_own(&path, &text)?));
    }
    Ok(files)
}

impl Theme {
    /// The theme with this name, from the built-in file or the user's.
    pub fn load(name: &str, ascii: bool, user_dir: Option<&Path>) -> Result<Self> {
        Self::from_files(name, ascii, &theme_files(user_dir)?)
    }

    /// Every theme that can be loaded, by name.
    fn all(ascii: bool, files: &[(PathBuf, ThemeFile)]) -> Vec<NamedTheme> {
        let names: BTreeSet<&String> = files.iter().flat_map(|(_, file)| file.keys()).collect();
        let load = |name: &String| {
            // An error in a user's theme is reported only when that theme is chosen.
            Self::from_files(name, ascii, files).ok().map(|theme| NamedTheme { name: name.clone(), theme })
        };
        names.into_iter().filter_map(load).collect()
    }

    /// Every built-in theme, by name.
    pub fn built_in(ascii: bool) -> Result<Vec<NamedTheme>> {
        Ok(Self::all(ascii, &theme_files(None)?))
    }

    fn from_files(name: &str, ascii: bool, files: &[(PathBuf, ThemeFile)]) -> Result<Self> {
        let mut styles = vec![Style::default(); ROLES.len()];
        let mut known = Vec::new();
        let mut wrong = Vec::new();
        for (path, file) in files {
            known.extend(file.keys().cloned());
            for (role, look) in file.get(name).into_iter().flatten() {
                let at = ROLES.iter().position(|(known, _)| known == role);
                match (at, style(look)) {
                    (Some(at), Some(style)) => styles[at] = style,
                    (None, _) => wrong.push(format!("{}: {name}: unknown role `{role}`", path.display())),
                    (_, None) => wrong.push(format!("{}: {name}: {role}: `{look}` is not a style", path.display())),
                }
            }
        }
        if !wrong.is_empty() {
            return Err(Error::input(wrong.join("\n"), "fix the file; assets/themes.yaml is an example"));
        }
        known.sort_unstable();
        known.dedup();
        if !known.iter().any(|known| known == name) {
            return Err(Error::input(
                format!("unknown theme `{name}`"),
                format!("use one of {} in --theme, TEDDY_THEME or `theme` in your config.yaml", known.join(", ")),
            ));
        }
        Ok(Self { styles, glyphs: if ascii { &ASCII } else { &UNICODE } })
    }

    /// The colour of a role, mixed into the background with this share; `None` if the theme does not define both.
    pub fn shade(&self, role: Role, share: f64) -> Option<Color> {
        blend(self.style(role).fg?, self.style(Role::Text).bg?, share)
    }

    /// Style of everything behind an overlay.
    pub fn backdrop(&self) -> Style {
        let dim = self.style(Role::Dim);
        match self.shade(Role::Dim, 0.5) {
            Some(shade) => dim.fg(shade).remove_modifier(Modifier::BOLD | Modifier::UNDERLINED),
            None => dim,
        }
    }

    /// Style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }
}

/// A mixture of two exact colours, with this share of the first; `None` for colours that the terminal defines.
fn blend(first: Color, second: Color, share: f64) -> Option<Color> {
    let parts = |color: Color| if let Color::Rgb(red, green, blue) = color { Some([red, green, blue]) } else { None };
    let (first, second) = (parts(first)?, parts(second)?);
    let mix = |at: usize| (f64::from(first[at]) * share + f64::from(second[at]) * (1.0 - share)).round() as u8;
    Some(Color::Rgb(mix(0), mix(1), mix(2)))
}

/// Name of the chosen theme: from the command line, then `mono` if colours are off, then from the environment, then
/// from the configuration; `None` if none was chosen.
fn choice<'a>(
    asked: Option<&'a str>,
    colourless: bool,
    environment: Option<&'a str>,
    configured: Option<&'a str>,
) -> Option<&'a str> {
    let colourless = colourless.then_some("mono");
    asked.or(colourless).or(environment).or(configured.filter(|name| !name.is_empty()))
}

fn style(look: &str) -> Option<Style> {
    let mut style = Style::default();
    let mut behind = false;
    for word in look.split_whitespace() {
        let modifier = match word {
            "bold" => Modifier::BOLD,
            "dim" => Modifier::DIM,
            "italic" => Modifier::ITALIC,
            "underline" => Modifier::UNDERLINED,
            "reversed" => Modifier::REVERSED,
            "on" if !behind => {
                behind = true;
                continue;
            }
            "default" => continue,
            _ => {
                let color: Color = word.parse().ok()?;
                style = if behind { style.bg(color) } else { style.fg(color) };
                continue;
            }
        };
        style = style.add_modifier(modifier);
    }
    Some(style)
}

/// Symbols used for drawing.
#[derive(Debug, PartialEq)]
pub struct Glyphs {
    pub cursor: &'static str,
    pub branch: &'static str,
    pub dirty: &'static str,
    pub busy: &'static str,
    pub left: &'static str,
    pub right: &'static str,
    pub full: &'static str,
    pub ghost: &'static str,
    pub free: &'static str,
    /// Eighths of a cell, from empty to full.
    pub eighths: [&'static str; 9],
    pub mark: &'static str,
    pub changed: &'static str,
    pub secret: &'static str,
    pub stale: &'static str,
    pub dropped: &'static str,
    pub minus: &'static str,
    /// The edge between two segments of the budget bar.
    pub edge: &'static str,
    /// The lower edge of a block of the token map.
    pub below: &'static str,
    pub absent: &'static str,
    pub folded: &'static str,
    pub unfolded: &'static str,
    pub rule: &'static str,
    pub dot: &'static str,
    /// Separates the parts of the header.
    pub step: &'static str,
    pub more: &'static str,
    /// Marks a line that the payload contains.
    pub included: &'static str,
    /// Likelihood that a line matters, from 0 to 3.
    pub heat: [&'static str; 4],
    /// Marks a line that continues to the right.
    pub cut: &'static str,
    pub ascii: bool,
}

static UNICODE: Glyphs = Glyphs {
    cursor: "▌",
    branch: "⎇",
    dirty: "±",
    busy: "⟳",
    left: "▕",
    right: "▏",
    full: "█",
    ghost: "▓",
    free: "░",
    // The half block is omitted, because it is the cursor.
    eighths: [" ", "▏", "▎", "▍", "▍", "▋", "▊", "▉", "█"],
    mark: "●",
    changed: "Δ",
    secret: "⊘",
    stale: "≠",
    dropped: "↓",
    minus: "−",
    edge: "▕",
    below: "▁",
    absent: "–",
    folded: "▸",
    unfolded: "▾",
    rule: "─",
    dot: "·",
    step: "›",
    more: "…",
    included: "▐",
    heat: [" ", "░", "▒", "▓"],
    cut: "›",
    ascii: false,
};

static ASCII: Glyphs = Glyphs {
    cursor: ">",
    branch: "on",
    dirty: "+-",
    busy: "*",
    left: "[",
    right: "]",
    full: "#",
    ghost: "+",
    free: ".",
    eighths: [" ", ".", ".", ":", ":", "=", "=", "#", "#"],
    mark: "*",
    changed: "^",
    secret: "!",
    stale: "#",
    dropped: "_",
    minus: "-",
    edge: "|",
    below: "_",
    absent: "-",
    folded: ">",
    unfolded: "v",
    rule: "-",
    dot: "-",
    step: ">",
    more: "...",
    included: "|",
    heat: [" ", ".", ":", "#"],
    cut: ">",
    ascii: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_has_a_style_for_every_role() {
        let file: ThemeFile = project::parse_own(Path::new("themes.yaml"), DEFAULT).unwrap();
        assert_eq!(
            file.keys().collect::<Vec<_>>(),
            [
                "ansi", "catppuccin-latte", "catppuccin-mocha", "dark", "dracula", "gruvbox-dark", "gruvbox-light",
                "high-contrast", "light", "mono", "nord", "solarized-dark", "solarized-light", "tokyo-night"
            ]
        );
        for (name, roles) in &file {
            assert_eq!(roles.len(), ROLES.len(), "{name}");
            Theme::load(name, false, None).unwrap();
        }
        for (at, (_, role)) in ROLES.iter().enumerate() {
            assert_eq!(*role as usize, at);
        }
        assert!(Theme::load("pink", false, None).unwrap_err().hint().unwrap().contains("light"));
    }

    #[test]
    fn the_environment_overrides_the_configuration_and_no_color_overrides_both() {
        assert_eq!(choice(None, false, None, None), None);
        assert_eq!(choice(None, false, None, Some("dark")), Some("dark"));
        assert_eq!(choice(None, false, Some("light"), Some("dark")), Some("light"));
        assert_eq!(choice(None, true, Some("light"), Some("dark")), Some("mono"));
        assert_eq!(choice(Some("dark"), true, Some("light"), None), Some("dark"));
    }

    /// Contrast ratio of two colours as in WCAG 2: from 1 (none) to 21 (black on white).
    fn contrast(one: Color, other: Color) -> f64 {
        let luminance = |colour: Color| {
            let Color::Rgb(red, green, blue) = colour else {
                panic!("{colour:?} is whatever the terminal makes of it")
            };
            let linear = |part: u8| match f64::from(part) / 255.0 {
                low if low <= 0.04045 => low / 12.92,
                high => ((high + 0.055) / 1.055).powf(2.4),
            };
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn colors_have_enough_contrast() {
        assert!((contrast(Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
        for (name, least) in [("dark", 4.5), ("light", 4.5), ("high-contrast", 7.0)] {
            let theme = Theme::load(name, false, None).unwrap();
            let screen = theme.style(Role::Text).bg.unwrap();
            let cursor = theme.style(Role::Cursor);
            for (word, role) in ROLES {
                let style = theme.style(role);
                let Some(text) = style.fg.or(cursor.fg.filter(|_| role == Role::Cursor)) else { continue };
                let own = contrast(text, style.bg.unwrap_or(screen));
                assert!(own >= least, "{name}: {word}: {own:.2}");
                // All roles occur in the cursor's row.
                let here = contrast(cursor.fg.unwrap_or(text), cursor.bg.unwrap());
                assert!(here >= least, "{name}: {word} under the cursor: {here:.2}");
            }
        }
    }

    #[test]
    fn mono_themes_have_no_colors() {
        let theme = Theme::load("mono", true, None).unwrap();
        for (_, role) in ROLES {
            let style = theme.style(role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
        assert!(theme.glyphs.ascii);
    }
}

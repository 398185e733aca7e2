//! Generates docs/keys.md from the keymap.

use super::command::Context;
use super::keymap::Keymap;
use super::view::help::FILTER;
use crate::error::Result;

/// The text of docs/keys.md.
pub fn keys_document() -> Result<String> {
    let keymap = Keymap::load(None)?;
    let mut out = String::from(
        "# Keys\n\n\
         Generated from `assets/keymap.yaml` by `UPDATE_DOCS=1 cargo test --test tui`.\n\n\
         `?` shows this list on the screen; `:` opens the command palette. To change keys, put a `keymap.yaml` with the changes\n\
         into your configuration directory (`teddy doctor` shows the path). A command listed there has only the keys given there.\n",
    );
    for context in Context::ALL {
        out.push_str(&format!(
            "\n## {} (`{}`)\n\n| keys | command | what it does |\n| --- | --- | --- |\n",
            context.title(),
            context.name()
        ));
        for (command, keys) in keymap.listed(context) {
            let keys: Vec<String> = keys.split(' ').map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
            out.push_str(&format!("| {} | `{}` | {} |\n", keys.join(" "), command.info().name, command.info().title));
        }
    }
    out.push_str(
        "\n## Filter terms\n\nType these terms after `/` in the workbench, in any order. An item must match all of them:\n\n```\n",
    );
    for line in FILTER {
        out.push_str(&format!("{line}\n"));
    }
    out.push_str("```\n");
    out.push_str(
        "\n## Mouse\n\n\
         A click moves the cursor, a double click opens, and the wheel scrolls what is under the pointer. A click on a tier in the\n\
         budget bar shows only that tier. A click on a key in the footer runs it. A click on a view's name or a neighbour opens it.\n\n\
         ## Appearance\n\n\
         `Ctrl-t` opens the theme picker. `theme` in your own `config.yaml` sets the theme, `TEDDY_THEME` overrides it, and\n\
         `--theme` overrides both. The themes are:\n\n\
         - `ansi`: the terminal's own colours\n\
         - `dark`, `light`, `high-contrast` and `mono`\n\
         - `catppuccin-latte`, `catppuccin-mocha`, `dracula`, `gruvbox-dark`, `gruvbox-light`, `nord`, `solarized-dark`,\n  \
           `solarized-light`, `tokyo-night`\n\
         - the themes in your own `themes.yaml`\n\n\
         If none is set, a terminal with 24-bit colour (`COLORTERM`) gets `dark` or `light` by its background (OSC 11). Any other\n\
         terminal gets `ansi`. `NO_COLOR` and `TERM=dumb` select `mono`, unless `--theme` is given. The contrast ratio is at least\n\
         4.5:1 in `dark` and `light`, and 7:1 in `high-contrast`.\n\n\
         State is never shown by colour alone. `P`, `~` and `x` mark overrides, `c` files carried over from the previous turn,\n\
         `●` selected items, `Δ` changes since the last turn, `≠` stale items, `⊘` redactions, and `↓` items that didn't fit.\n\
         `--ascii`, `TEDDY_ASCII=1` and `ascii: true` draw with ASCII characters.\n\n\
         `VISUAL` or `EDITOR` selects the editor.\n",
    );
    Ok(out)
}

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
         Generated from `assets/keymap.yaml`; a test keeps it current. To change keys, put a `keymap.yaml` with the changes into\n\
         your configuration directory (`teddy doctor` shows the path). A command listed there has only the keys given there.\n\
         `?` shows this list on the screen, `:` opens the command palette.\n",
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
        "\n## Filter terms\n\nTyped after `/` in the workbench, in any order; an item must match all of them:\n\n```\n",
    );
    for line in FILTER {
        out.push_str(&format!("{line}\n"));
    }
    out.push_str("```\n");
    out.push_str(
        "\n## Mouse\n\n\
         A click moves the cursor, a double click opens, and the wheel scrolls what is under the pointer. A click on a tier in the\n\
         budget bar shows only that tier, a click on a key in the footer runs it, and a click on a view's name or a neighbour opens it.\n\n\
         ## Appearance\n\n\
         `Ctrl-t` opens the theme picker. `theme` in your own `config.yaml` is `ansi` (the terminal's own colours), `dark`, `light`, `mono`,\n\
         `high-contrast`, `catppuccin-latte`, `catppuccin-mocha`, `dracula`, `gruvbox-dark`, `gruvbox-light`, `nord`, `solarized-dark`, `solarized-light`,\n\
         `tokyo-night` or a theme from your own `themes.yaml`; `TEDDY_THEME` overrides it, and `--theme` overrides both. Without a choice, a terminal\n\
         with 24-bit colour (`COLORTERM`) gets `dark` or `light` by its background (OSC 11), any other terminal `ansi`. Without `--theme`, `NO_COLOR`\n\
         and `TERM=dumb` mean `mono`. The contrast ratio is at least 4.5:1 in `dark` and `light`, and 7:1 in `high-contrast`.\n\
         State is never shown by colour alone: `P ~ x` are overrides, `●` is selected, `Δ` changed since the last turn,\n\
         `≠` stale, `⊘` redacted, `↓` didn't fit.\n\
         `--ascii`, `TEDDY_ASCII=1` and `ascii: true` draw with plain characters. `VISUAL` or `EDITOR` is the editor.\n",
    );
    Ok(out)
}

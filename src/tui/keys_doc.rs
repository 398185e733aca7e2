//! docs/keys.md, made from the keymap so that it cannot be wrong.

use super::command::Context;
use super::keymap::Keymap;
use super::view::help::FILTER;
use crate::error::Result;

/// The text of docs/keys.md.
pub fn keys_document() -> Result<String> {
    let keymap = Keymap::load(None)?;
    let mut out = String::from(
        "# Keys\n\n\
         Made from `assets/keymap.yaml`; a test keeps it true. To change keys, put a `keymap.yaml` with only those into your\n\
         configuration directory (`teddy doctor` names it): a command given there has exactly the keys listed there.\n\
         `?` shows the same on the screen, `:` runs a command by its name.\n",
    );
    for context in Context::ALL {
        out.push_str(&format!(
            "\n## {} (`{}`)\n\n| keys | command | what it does |\n| --- | --- | --- |\n",
            context.title(),
            context.name()
        ));
        for (command, keys) in keymap.listed(context) {
            let keys: Vec<String> = keys.split(' ').map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
            out.push_str(&format!("| {} | `{}` | {} |\n", keys.join(" "), command.entry().name, command.entry().help));
        }
    }
    out.push_str("\n## The workbench's filter\n\nWhat is typed after `/`, in any order, all of it:\n\n```\n");
    for line in FILTER {
        out.push_str(&format!("{line}\n"));
    }
    out.push_str("```\n");
    out.push_str(
        "\n## Mouse\n\n\
         Click selects, double click opens, the wheel scrolls what is under the pointer, a click on a gauge shows only its\n\
         tier, a click on a key in the footer runs it, a click on a view's name or a neighbour goes there.\n\n\
         ## Looks\n\n\
         `theme` in your own `config.yaml` is `ansi` (the terminal's own colours, the default), `dark`, `light`, `mono`,\n\
         `high-contrast` or one of your own `themes.yaml`; `TEDDY_THEME` goes over it, and `--theme` over both. Without `--theme`, `NO_COLOR`\n\
         and `TERM=dumb` mean `mono`. Every colour of `dark` and `light` stands out from what is behind it by 4.5 to 1, of `high-contrast` by 7 to 1. State is never colour alone: `P ~ x` are overrides, `●` a mark, `Δ` changed since the last turn,\n\
         `≠` stale, `⊘` a secret replaced, `↓` no room.\n\
         `--ascii`, `TEDDY_ASCII=1` and `ascii: true` draw with plain characters. `VISUAL` or `EDITOR` is the editor.\n",
    );
    Ok(out)
}

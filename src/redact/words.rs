//! Rates how strongly a name (`AWS_SECRET_ACCESS_KEY`, `tokenUri`, `x-api-key`) suggests a secret.

use super::vocabulary::{
    DENIALS, HARMLESS_ENDS, KEY_MODIFIERS, PAGE_MODIFIERS, PASSWORDS, PUBLIC_MODIFIERS, SITE_MODIFIERS, TOKENS,
    TRAILERS, WEAK, WHOLE_PASSWORDS, WHOLE_TOKENS,
};

/// Strength of a name. The weaker the name, the more random its value must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// `password`, `secret`, `passphrase`: chosen by people, so they need not be random.
    Password,
    /// `token`, `api_key`, `client_secret`: generated.
    Token,
    /// `key`, `auth`, `session`: often not a secret.
    Weak,
    /// Only a provider's name: `algolia = …`.
    Provider,
}

/// Words of a name in lower case, split at separators and changes of case, without trailing digits.
fn words(name: &[u8]) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let mut current = String::new();
    let flush = |current: &mut String, list: &mut Vec<String>| {
        let word = current.trim_end_matches(|letter: char| letter.is_ascii_digit());
        if !word.is_empty() {
            list.push(word.to_ascii_lowercase());
        }
        current.clear();
    };
    for (index, &byte) in name.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            flush(&mut current, &mut list);
            continue;
        }
        let before = index.checked_sub(1).map_or(b'_', |at| name[at]);
        let after = name.get(index + 1).copied().unwrap_or(b'_');
        let starts = byte.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || (before.is_ascii_uppercase() && after.is_ascii_lowercase()));
        if starts {
            flush(&mut current, &mut list);
        }
        current.push(char::from(byte));
    }
    flush(&mut current, &mut list);
    list
}

/// Strength of the name, if any. `providers` are lower-case names that count by themselves.
pub(super) fn strength(name: &[u8], is_provider: impl Fn(&str) -> bool) -> Option<Strength> {
    let all = words(name);
    let mut rest = &all[..];
    let provider = all.iter().any(|word| is_provider(word));
    // Drop trailing words only while a stronger word may precede them.
    while rest.len() > 1 && TRAILERS.contains(&rest[rest.len() - 1].as_str()) && strength_of(rest).is_none() {
        rest = &rest[..rest.len() - 1];
    }
    if all.iter().any(|word| DENIALS.contains(&word.as_str())) {
        return None;
    }
    let found = strength_of(rest);
    let says = |list: &[&str]| all.iter().any(|word| list.contains(&word.as_str()));
    if says(&["websocket", "md", "sha", "checksum", "digest", "integrity", "hashed"])
        && found != Some(Strength::Password)
    {
        return None;
    }
    // A key may be public, and `PublicKeyToken` is a digest; a token or secret with `public` in its name is still a
    // secret.
    let assembly =
        matches!(all.as_slice(), [.., public, key, token] if public == "public" && key == "key" && token == "token");
    let key_last = all.last().is_some_and(|last| last.ends_with("key") || last.ends_with("keys"));
    let public = says(&["public", "pub", "pubkey", "publickey", "publishable"]);
    if assembly || (public && (key_last || found == Some(Strength::Weak))) {
        return None;
    }
    // Page tokens and request tokens are not secrets.
    if let [.., of, token] = all.as_slice()
        && token == "token"
        && PAGE_MODIFIERS.contains(&of.as_str())
    {
        return None;
    }
    match found {
        Some(Strength::Weak) if provider => Some(Strength::Token),
        Some(found) => Some(found),
        None if provider => match all.as_slice() {
            [.., of, key] if key == "key" && SITE_MODIFIERS.contains(&of.as_str()) => None,
            [.., last] if HARMLESS_ENDS.contains(&last.as_str()) => None,
            _ => Some(Strength::Provider),
        },
        None => None,
    }
}

fn strength_of(words: &[String]) -> Option<Strength> {
    let last = words.last()?.as_str();
    let before = words.len().checked_sub(2).map_or("", |at| words[at].as_str());
    if PASSWORDS.iter().any(|noun| last.ends_with(noun)) || WHOLE_PASSWORDS.contains(&last) {
        return Some(Strength::Password);
    }
    if TOKENS.iter().any(|noun| last.ends_with(noun)) || WHOLE_TOKENS.contains(&last) {
        return Some(Strength::Token);
    }
    if last == "key" || last == "keys" {
        if KEY_MODIFIERS.contains(&before) {
            return Some(Strength::Token);
        }
        return if PUBLIC_MODIFIERS.contains(&before) { None } else { Some(Strength::Weak) };
    }
    if last == "string" && before == "connection" {
        return Some(Strength::Token);
    }
    if WEAK.contains(&last)
        || (last.len() > 5 && last.ends_with("key") && !last.ends_with("pubkey") && !last.ends_with("publickey"))
    {
        return Some(Strength::Weak);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<Strength> {
        strength(name.as_bytes(), |word| word == "algolia")
    }

    #[test]
    fn the_last_noun_decides_a_names_strength() {
        assert_eq!(of("DB_PASSWORD"), Some(Strength::Password));
        assert_eq!(of("spring.datasource.password"), Some(Strength::Password));
        assert_eq!(of("clientSecret"), Some(Strength::Password));
        assert_eq!(of("AWS_SECRET_ACCESS_KEY"), Some(Strength::Token));
        assert_eq!(of("NPMACCESSTOKEN_TOKEN"), Some(Strength::Token));
        assert_eq!(of("x-api-key"), Some(Strength::Token));
        assert_eq!(of("access_token5"), Some(Strength::Token));
        assert_eq!(of("tokenValue"), Some(Strength::Token));
        assert_eq!(of("MAILER_KEY"), Some(Strength::Weak));
        assert_eq!(of("algolia"), Some(Strength::Provider));
    }

    #[test]
    fn harmless_names_have_no_strength() {
        for name in [
            "token_uri", "passwordHash", "secretName", "publicKey", "primary_key", "cacheKey", "PublicKeyToken",
            "algolia_app_id", "monkeys", "keyboard", "bypass", "authors",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}

//! Generates data that would be slow to compute at start-up: the vocabulary of the default encoding by token id, the
//! class of every character, and the secret rules as JSON (parsing their YAML took 4 ms).

use std::path::Path;
use std::{env, fs, io};

/// Upper bound of a vocabulary entry's length in bytes.
const LONGEST: usize = 256;

const RULES: &str = "assets/secret-rules.yaml";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-changed={RULES}");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo did not set OUT_DIR"))?;
    fs::write(Path::new(&out).join("o200k.words"), vocabulary()?)?;
    fs::write(Path::new(&out).join("o200k.kinds"), kinds()?)?;
    fs::write(Path::new(&out).join("secret-rules.json"), rules()?)
}

/// Converts the secret rules to JSON.
fn rules() -> io::Result<String> {
    let rules: serde_json::Value = serde_yaml::from_str(&fs::read_to_string(RULES)?).map_err(io::Error::other)?;
    Ok(rules.to_string())
}

/// Writes each vocabulary entry as a byte with its length, followed by its bytes. Unused ids have length 0.
fn vocabulary() -> io::Result<Vec<u8>> {
    let encoding = tiktoken::get_encoding("o200k_base").ok_or_else(|| io::Error::other("there is no o200k_base"))?;
    let mut words = Vec::new();
    for number in 0..encoding.vocab_size() as u32 {
        let word = encoding.decode(&[number]);
        assert!(word.len() < LONGEST, "word {number} is too long for its length to be a byte");
        words.push(word.len() as u8);
        words.extend_from_slice(&word);
    }
    Ok(words)
}

/// Writes the index of a table for each block of 256 characters, followed by the distinct tables.
fn kinds() -> io::Result<Vec<u8>> {
    // In the same order as the classes in src/gather/tokens/pieces.rs. Every other character has class 1.
    let patterns = [r"[^\S\r\n]", r"[\r\n]", r"\p{N}", r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}"];
    let patterns: Vec<regex::Regex> = patterns
        .iter()
        .map(|pattern| regex::Regex::new(&format!("^{pattern}$")).map_err(io::Error::other))
        .collect::<Result<_, _>>()?;
    let kind = |code: u32| {
        let Some(character) = char::from_u32(code) else { return 1 };
        let character = character.to_string();
        patterns.iter().position(|pattern| pattern.is_match(&character)).map_or(1, |at| 2 << at)
    };
    let (mut index, mut blocks): (Vec<u8>, Vec<Vec<u8>>) = (Vec::new(), Vec::new());
    for first in (0..0x11_0000).step_by(256) {
        let block: Vec<u8> = (first..first + 256).map(kind).collect();
        let at = blocks.iter().position(|known| *known == block).unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        index.push(u8::try_from(at).map_err(io::Error::other)?);
    }
    index.extend(blocks.concat());
    Ok(index)
}

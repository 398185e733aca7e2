//! Describes a file in one line, from its first heading or doc comment, or from its definitions.

mod names;

use names::{first_imports, largest_definitions, main_names};

use super::fence::one_line;
use crate::gather::{Corpus, SourceFile};
use crate::ids::ItemId;
use crate::outline::language::Language;

pub(super) use names::DEFINES;

/// Number of bytes that are read for a description.
const HEAD: usize = 4096;
/// Maximum number of words in a description.
const WORDS: usize = 7;
/// Maximum length of a file name extension that is used as a description.
const LONGEST_EXTENSION: usize = 10;

/// A description of an item, from its text.
pub(super) fn describe_item(corpus: &Corpus, item: ItemId) -> String {
    let text = corpus.item_text(item);
    match corpus.file_of(item) {
        Some(file) => describe(file, &text.shown),
        None => describe_text(&text.shown),
    }
}

/// A description of the file, from its text and its symbols.
pub(super) fn describe(file: &SourceFile, text: &str) -> String {
    let head = &text[..text.floor_char_boundary(HEAD)];
    let language = file.language;
    let found = match language {
        Some(Language::Markdown | Language::Rst | Language::AsciiDoc | Language::Text | Language::Tex) => heading(head),
        _ => comment(head, &file.path),
    };
    let found = found
        .or_else(|| largest_definitions(file, text))
        .or_else(|| main_names(file))
        .or_else(|| first_imports(file))
        .unwrap_or_else(|| kind_of(file, text));
    one_line(&few_words(&found))
}

/// Kind of file. Describes a file without any names to list.
fn kind_of(file: &SourceFile, text: &str) -> String {
    match (file.language, file.path.rsplit('/').next().and_then(|name| name.rsplit_once('.'))) {
        _ if text.is_empty() => "empty".to_owned(),
        (Some(language), _) => format!("{} file", language.name()),
        (None, Some((_, extension))) if extension.len() <= LONGEST_EXTENSION && says_word(extension) => {
            format!("{extension} file")
        }
        (None, _) => "text file".to_owned(),
    }
}

/// Returns true for letters and digits.
fn says_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Description of content that is not a file.
pub(super) fn describe_text(text: &str) -> String {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("empty");
    one_line(&few_words(first))
}

/// The first sentence, shortened to a few words.
fn few_words(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        if words.len() == WORDS {
            return format!("{}…", words.join(" ").trim_end_matches([',', ';', ':', '.']));
        }
        words.push(word);
        if word.ends_with('.') && word.len() > 3 && words.len() > 2 {
            break;
        }
    }
    // A minified line has no word breaks, so the number of characters is also limited.
    let joined = words.join(" ");
    let joined = joined.trim_end_matches(['.', ':', ' ']);
    super::fence::cut_line(joined, WORDS * 10)
}

/// The first heading of a document, or else its first line with words.
fn heading(head: &str) -> Option<String> {
    let lines = || head.lines().map(str::trim).filter(|line| line.chars().any(char::is_alphanumeric));
    let marked = lines().find_map(|line| {
        let rest = line.trim_start_matches(['#', '=']);
        (rest.len() < line.len() && rest.starts_with(' ')).then(|| rest.trim_matches([' ', '#', '=']).to_owned())
    });
    marked
        .or_else(|| lines().find(|line| !line.starts_with('<')).map(ToOwned::to_owned))
        .filter(|text| is_informative(text))
}

/// The first comment before the code that introduces the file. A title that only repeats the path is skipped.
fn comment(head: &str, path: &str) -> Option<String> {
    let introduces = |paragraph: &str| introduces(paragraph) && !repeats(paragraph, path);
    let mut paragraph = String::new();
    let mut block: Option<&str> = None;
    // Brackets of an attribute that are still open.
    let mut open = 0;
    for line in head.lines().map(str::trim) {
        if block.is_none() && (open > 0 || line.starts_with("#![") || line.starts_with("#[")) {
            open += line.matches(['[', '(']).count();
            open = open.saturating_sub(line.matches([']', ')']).count());
            continue;
        }
        let words = match block {
            Some(end) => {
                let (words, ended) = line.split_once(end).map_or((line, false), |(before, _)| (before, true));
                if ended {
                    block = None;
                }
                Some(words.trim_start_matches('*').trim())
            }
            None => match opening(line) {
                CommentStart::Skip => continue,
                CommentStart::Line(words) => Some(words),
                CommentStart::Block(words, end) => {
                    let (words, ended) = words.split_once(end).map_or((words, false), |(before, _)| (before, true));
                    block = (!ended).then_some(end);
                    Some(words.trim())
                }
                CommentStart::Code => None,
            },
        };
        // An underline ends the title above it.
        let words = words.map(|words| if is_rule(words) { "" } else { words });
        let ends_paragraph = words.is_none_or(str::is_empty);
        if ends_paragraph && introduces(&paragraph) {
            return Some(paragraph);
        }
        match words {
            None if !paragraph.is_empty() || !line.is_empty() => return introduces(&paragraph).then_some(paragraph),
            Some(words) if !words.is_empty() => {
                if !paragraph.is_empty() {
                    paragraph.push(' ');
                }
                paragraph.push_str(words);
            }
            // After a license or an empty comment, the next comment may describe the file.
            _ => paragraph.clear(),
        }
    }
    introduces(&paragraph).then_some(paragraph)
}

enum CommentStart<'a> {
    Skip,
    Line(&'a str),
    Block(&'a str, &'static str),
    Code,
}

fn opening(line: &str) -> CommentStart<'_> {
    let skipped = [
        "#!", "<?php", "<?xml", "<!DOCTYPE", "# -*-", "# coding", "// @", "//go:", "// +build", "'use strict'",
        "\"use strict\"", "package ",
    ];
    if line.is_empty() {
        return CommentStart::Line("");
    }
    if skipped.iter().any(|start| line.starts_with(start)) {
        return CommentStart::Skip;
    }
    for (start, end) in
        [("/**", "*/"), ("/*", "*/"), ("\"\"\"", "\"\"\""), ("r\"\"\"", "\"\"\""), ("'''", "'''"), ("<!--", "-->")]
    {
        if let Some(rest) = line.strip_prefix(start) {
            return CommentStart::Block(rest.trim_start_matches(['*', '!']), end);
        }
    }
    for start in ["//!", "///", "//", "#", "--", ";", "%"] {
        if let Some(rest) = line.strip_prefix(start) {
            return CommentStart::Line(rest.trim_start_matches(['/', '#', '-', ';', '%', '=', '*']).trim());
        }
    }
    CommentStart::Code
}

/// Words of licenses and of settings for tools, in lower case.
const BOILERPLATE: [&str; 19] = [
    "copyright",
    "license",
    "licence",
    "spdx",
    "all rights reserved",
    "permission is hereby granted",
    "redistribution and use",
    "warranty",
    "warranties",
    "eslint",
    "jshint",
    "tslint",
    "prettier-ignore",
    "pylint",
    "flake8",
    "noqa",
    "mypy:",
    "clang-format",
    "vim:",
];

/// Returns true if a comment describes the file and is not a license.
fn introduces(text: &str) -> bool {
    let lower = text.to_lowercase();
    is_informative(text) && !BOILERPLATE.iter().any(|word| lower.contains(word))
}

/// Returns true for a line of punctuation: `=====`, `~~~~~`.
fn is_rule(line: &str) -> bool {
    line.len() >= 3
        && line.chars().all(|c| c.is_ascii_punctuation())
        && line.bytes().all(|byte| byte == line.as_bytes()[0])
}

/// Returns true if the text only repeats the path: `shop.cart.tax` for `shop/cart/tax.py`.
fn repeats(text: &str, path: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
    };
    let known = parts(path);
    parts(text).iter().all(|part| known.contains(part))
}

fn is_informative(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_described_by_their_first_comment() {
        let cases = [
            (
                "//! Reads one file: opened without following links.\n//! More.\nuse std;\n",
                Some("Reads one file: opened without following links. More."),
            ),
            ("#!/usr/bin/env python\n\"\"\"Send refunds.\n\nLonger.\n\"\"\"\nimport os\n", Some("Send refunds.")),
            ("/*\n * Copyright 2020 A. Person\n */\n\n/** Sends mail. */\nclass A {}\n", Some("Sends mail.")),
            ("# SPDX-License-Identifier: MIT\n# Makes things\nx = 1\n", None),
            ("package main\n\n// Command serve answers requests.\n", Some("Command serve answers requests.")),
            ("fn main() {}\n// not an introduction\n", None),
            ("", None),
            ("<!-- Page of the shop -->\n<html>\n", Some("Page of the shop")),
            ("\"\"\"\n    shop.cart.tax\n    ~~~~~~~~~~~~~\n\n    Adds the tax.\n\"\"\"\n", Some("Adds the tax.")),
            ("\"\"\"\nRounding\n========\nUp, always.\n\"\"\"\n", Some("Rounding")),
            ("/*\n * tax.py\n */\nx\n", None),
        ];
        for (text, found) in cases {
            assert_eq!(comment(text, "shop/cart/tax.py").as_deref(), found, "{text}");
        }
    }

    #[test]
    fn prose_is_described_by_its_heading() {
        assert_eq!(heading("<p align=center>\n\n# The Project #\ntext").as_deref(), Some("The Project"));
        assert_eq!(heading("Title words\n===========\n").as_deref(), Some("Title words"));
        assert_eq!(heading("\n\n***\n"), None);
    }

    #[test]
    fn descriptions_are_short() {
        assert_eq!(
            few_words("one two three four five six seven eight nine ten eleven twelve thirteen").split(' ').count(),
            7
        );
        assert_eq!(few_words("Sends mail to people. And more."), "Sends mail to people");
        assert!(few_words(&"x".repeat(4000)).chars().count() < 130);
        assert_eq!(describe_text("\n  a <b>\n"), "a \\<b>");
    }

    #[test]
    fn descriptions_are_a_sentence_or_a_few_words() {
        for (text, wanted) in [
            ("\n\n  Takes money. And gives it back.\n", "Takes money. And gives it back"),
            ("Takes all money. And gives it back.", "Takes all money"),
            ("e.g. this one here. More", "e.g. this one here"),
            ("a b c. d", "a b c. d"),
            ("", "empty"),
            ("Ends with a colon:", "Ends with a colon"),
        ] {
            assert_eq!(describe_text(text), wanted);
        }
        let long = describe_text(&"word, ".repeat(90));
        assert!(long.ends_with("word…") && long.matches("word").count() < 30, "{long}");
        assert!(describe_text(&"x".repeat(900)).chars().count() < 300);
    }

    #[test]
    fn comments_of_every_syntax_describe_a_file() {
        for (text, found) in [
            ("/// Sends mail.\nfn x() {}\n", Some("Sends mail.")),
            ("-- Sends mail.\nSELECT 1;\n", Some("Sends mail.")),
            ("; Sends mail.\n(x)\n", Some("Sends mail.")),
            ("% Sends mail.\nx\n", Some("Sends mail.")),
            ("## Sends mail.\nx\n", Some("Sends mail.")),
            ("'''Sends mail.'''\nx\n", Some("Sends mail.")),
            ("/*! Sends mail. */\nx\n", Some("Sends mail.")),
            ("/*\n * Sends\n * mail.\n */\nx\n", Some("Sends mail.")),
            ("'use strict'\n// @ts-check\n// Sends mail.\n", Some("Sends mail.")),
            ("#[cfg(x)]\n// Sends mail.\n", Some("Sends mail.")),
            ("<?php\n# -*- coding\n// Sends mail.\n", Some("Sends mail.")),
            ("// vim: set x\n\n// Sends mail.\n", Some("Sends mail.")),
            ("// eslint-disable\n// Sends mail.\n", None),
            ("//go:build linux\n// +build linux\n\n// Sends mail.\npackage mail\n", Some("Sends mail.")),
            ("#![allow(\n    clippy::all,\n    dead_code\n)]\n//! Sends mail.\n", Some("Sends mail.")),
            ("// Permission is hereby granted, free of charge\n\n// Sends mail.\n", Some("Sends mail.")),
            (
                "/*\n * Redistribution and use in source and binary forms\n *\n * Sends mail.\n */\n",
                Some("Sends mail."),
            ),
            ("r\"\"\"Sends mail.\"\"\"\n", Some("Sends mail.")),
            ("// ab\n\n// Sends mail.\n", Some("Sends mail.")),
            ("//\n// Sends mail.\n//\n// More.\n", Some("Sends mail.")),
            ("// =====\n// Mail sender\n// =====\n// More words.\n", Some("Mail sender")),
            ("// ab\nx\n// Sends mail.\n", None),
            ("\n\nx\n// Sends mail.\n", None),
        ] {
            assert_eq!(comment(text, "shop/cart/tax.py").as_deref(), found, "{text}");
        }
        for rule in ["===", "~~~~", "***"] {
            assert!(is_rule(rule), "{rule}");
        }
        for words in ["==", "=-=", "aaa", ""] {
            assert!(!is_rule(words), "{words}");
        }
        assert!(repeats("Cart: tax", "shop/cart/tax.py") && !repeats("Cart: taxes", "shop/cart/tax.py"));
    }

    #[test]
    fn headings_lose_their_markup() {
        for (text, found) in [
            ("== Title words ==\n", Some("Title words")),
            ("words first\n# Then a title\n", Some("Then a title")),
            ("#hashtag words\n", Some("#hashtag words")),
            ("<b>\nPlain words\n", Some("Plain words")),
            ("# abc\n", None),
            ("# abcd\n", Some("abcd")),
        ] {
            assert_eq!(heading(text).as_deref(), found, "{text}");
        }
    }
}

//! Tests of the descriptions of LINKED files: what a file says about itself, without boilerplate.

use super::support::Place;

const MIT: &str = "// Copyright (c) 2024 A. Person\n//\n// Permission is hereby granted, free of charge, to any person obtaining a copy\n// of this software.\n//\n// THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND.\n";
const BSD: &str = "/*\n * Copyright 2020 The Authors. All rights reserved.\n *\n * Redistribution and use in source and binary forms are permitted.\n */\n";

#[test]
fn linked_files_are_described_by_what_they_say_and_define() {
    let place = Place::repository();
    let files = [
        ("lib/mit.rs", format!("{MIT}\n//! Sends mail.\n\npub fn send() {{}}\n"), "Sends mail"),
        ("lib/bsd.c", format!("{BSD}\n/* Weighs parcels. */\nint weigh(void) {{ return 1; }}\n"), "Weighs parcels"),
        (
            "lib/tagged.go",
            "//go:build !linux\n// +build !linux\n\npackage lib\n\nconst limit = 3\n\nfunc Weigh() int {\n\treturn limit\n}\n"
                .to_owned(),
            "defines Weigh",
        ),
        (
            "lib/attributed.rs",
            "#![allow(\n    dead_code,\n    unused\n)]\n//! Rounds amounts.\n\npub fn round() {}\n".to_owned(),
            "Rounds amounts",
        ),
        (
            "lib/sized.py",
            "class Unit:\n    pass\n\n\nclass Model:\n    def save(self):\n        return 1\n\n    def load(self):\n        return 2\n"
                .to_owned(),
            "defines Model, Unit",
        ),
        ("lib/Cargo.toml", "[package]\nname = \"lib\"\n".to_owned(), "toml file"),
    ];
    for (path, text, _) in &files {
        place.write(path, text);
    }
    place.commit("Add a library");
    let payload = place.ok(&["plan", "Weigh the parcels", "--dry-run", "--link", "lib/**"]).out;
    for (path, text, description) in &files {
        let line = format!("- `{path}` lines 1-{} -- {description}\n", text.lines().count());
        assert!(payload.contains(&line), "{line}{payload}");
    }
}

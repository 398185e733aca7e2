//! Import graphs of small projects in each language.

use proptest::prelude::*;

use super::super::imports::{Import, imports_of};
use super::{GraphNode, ImportGraph};
use crate::ids::FileId;
use crate::outline::language::Language;

fn build(files: &[(&str, &str)]) -> ImportGraph {
    let found: Vec<Vec<Import>> =
        files.iter().map(|(path, text)| imports_of(path, Language::of(path, ""), text)).collect();
    let node =
        |(at, imports): (usize, _)| GraphNode { path: files[at].0, language: Language::of(files[at].0, ""), imports };
    ImportGraph::build(&found.iter().map(Vec::as_slice).enumerate().map(node).collect::<Vec<_>>())
}

/// Files that the first file imports.
pub(super) fn first_imports<'a>(files: &[(&'a str, &str)]) -> Vec<&'a str> {
    build(files).imports(FileId::new(0)).iter().map(|file| files[*file].0).collect()
}

#[test]
fn rust_paths_from_crate_self_and_super() {
    let tree = [
        (
            "a/src/net/tcp.rs",
            "use crate::io::Read;\nuse super::udp::Socket;\nuse super::*;\nmod inner;\nuse std::fmt;\n",
        ),
        ("a/src/io.rs", ""),
        ("a/src/lib.rs", ""),
        ("a/src/net/mod.rs", ""),
        ("a/src/net/tcp/inner.rs", ""),
        ("a/src/net/udp.rs", ""),
    ];
    assert_eq!(first_imports(&tree), ["a/src/io.rs", "a/src/net/mod.rs", "a/src/net/tcp/inner.rs", "a/src/net/udp.rs"]);
}

#[test]
fn rust_workspace_crates_by_directory_and_by_the_name_that_tests_use() {
    let tree = [
        ("tokio-util/src/lib.rs", "use tokio::sync::mpsc::Sender;\nuse serde::de;\n"),
        ("tokio/src/lib.rs", ""),
        ("tokio/src/sync/mod.rs", ""),
        ("tokio/src/sync/mpsc.rs", ""),
    ];
    assert_eq!(first_imports(&tree), ["tokio/src/sync/mpsc.rs"]);
    let tree = [
        ("tests/it.rs", "use bat::{config::Config, Printer};\nuse clap::App;\nmod common;\n"),
        ("src/lib.rs", ""),
        ("src/config.rs", ""),
        ("tests/common/mod.rs", ""),
    ];
    assert_eq!(first_imports(&tree), ["src/lib.rs", "src/config.rs", "tests/common/mod.rs"]);
    let tree =
        [("x-term/src/ui.rs", "use tui::buffer::Buffer;\n"), ("x-tui/src/lib.rs", ""), ("x-tui/src/buffer.rs", "")];
    assert_eq!(first_imports(&tree), ["x-tui/src/buffer.rs"]);
}

#[test]
fn python_absolute_and_relative() {
    let tree = [
        (
            "src/pkg/sub/a.py",
            "import json\nfrom pkg.core import base\nfrom pkg import thing\nfrom . import b\nfrom ..util import f\nimport pkg.sub.c\n",
        ),
        ("src/pkg/__init__.py", ""),
        ("src/pkg/core/__init__.py", ""),
        ("src/pkg/core/base.py", ""),
        ("src/pkg/core/json.py", ""),
        ("src/pkg/sub/__init__.py", ""),
        ("src/pkg/sub/b.py", ""),
        ("src/pkg/sub/c.py", ""),
        ("src/pkg/util.py", ""),
    ];
    assert_eq!(
        first_imports(&tree),
        ["src/pkg/__init__.py", "src/pkg/core/base.py", "src/pkg/sub/b.py", "src/pkg/sub/c.py", "src/pkg/util.py"]
    );
}

#[test]
fn script_extensions_indexes_aliases_and_packages() {
    let tree = [
        (
            "packages/app/src/main.ts",
            "import './a'\nimport './b.js'\nimport './dir'\nimport C from '@/c.vue'\nimport '@scope/lib'\nimport 'react'\nimport './x.css?inline'\n",
        ),
        ("packages/app/src/a.ts", ""),
        ("packages/app/src/b.ts", ""),
        ("packages/app/src/c.vue", ""),
        ("packages/app/src/dir/index.js", ""),
        ("packages/app/src/x.css", ""),
        ("packages/lib/package.json", ""),
        ("packages/lib/src/index.ts", ""),
        ("playground/react/index.js", ""),
    ];
    let all: Vec<&str> = tree.iter().map(|(path, _)| *path).collect();
    let without = [all[0], "packages/lib/package.json", "playground/react/index.js"];
    let expected: Vec<&str> = all.iter().copied().filter(|path| !without.contains(path)).collect();
    assert_eq!(first_imports(&tree), expected);
}

#[test]
fn go_packages_agree_on_the_module() {
    let tree = [
        (
            "cmd/main.go",
            "import (\n\t\"fmt\"\n\t\"example.com/me/app/pkg/util\"\n\t\"example.com/me/app/pkg/api\"\n\t\"example.com/other/pkg/util\"\n\t\"net/http\"\n\t\"example.com/me/app\"\n\t\"k8s.io/api/core/v1\"\n)\n",
        ),
        ("go.mod", ""),
        ("root.go", ""),
        ("pkg/api/api.go", ""),
        ("pkg/util/util.go", ""),
        ("pkg/util/util_test.go", ""),
        ("pkg/net/http/x.go", ""),
        ("staging/src/k8s.io/api/core/v1/types.go", ""),
    ];
    assert_eq!(
        first_imports(&tree),
        ["root.go", "pkg/api/api.go", "pkg/util/util.go", "staging/src/k8s.io/api/core/v1/types.go"]
    );
}

#[test]
fn java_classes_nested_static_and_wildcard() {
    let tree = [
        (
            "app/src/main/java/p/Main.java",
            "import q.r.A;\nimport q.r.B.Inner;\nimport static q.s.C.make;\nimport q.t.*;\nimport java.util.List;\n",
        ),
        ("lib/src/main/java/q/r/A.java", ""),
        ("lib/src/main/java/q/r/B.java", ""),
        ("lib/src/main/java/q/s/C.java", ""),
        ("lib/src/main/java/q/t/D.kt", ""),
        ("lib/src/main/java/z/List.java", ""),
        ("app/src/main/java/p/Neighbour.java", ""),
    ];
    let expected =
        ["q/r/A.java", "q/r/B.java", "q/s/C.java", "q/t/D.kt"].map(|path| format!("lib/src/main/java/{path}"));
    assert_eq!(first_imports(&tree), expected);
}

#[test]
fn c_includes_nearest_first_and_pairs() {
    let tree = [
        ("src/a/x.c", "#include \"x.h\"\n#include \"util/y.h\"\n#include <string.h>\n#include <lib/z.h>\n"),
        ("src/a/x.h", ""),
        ("src/a/util/y.h", ""),
        ("other/util/y.h", ""),
        ("src/string.h", ""),
        ("include/lib/z.h", ""),
    ];
    assert_eq!(first_imports(&tree), ["src/a/x.h", "src/a/util/y.h", "include/lib/z.h"]);
    let graph = build(&tree);
    assert_eq!(graph.imports(FileId::new(1)), [FileId::new(0)]);
}

#[test]
fn ruby_php_c_sharp_shell_lua() {
    let tree = [
        ("lib/f/a.rb", "require 'f/b'\nrequire_relative 'c'\nrequire 'json'\n"),
        ("lib/f/b.rb", ""),
        ("lib/f/c.rb", ""),
        ("test/json.rb", ""),
    ];
    assert_eq!(first_imports(&tree), ["lib/f/b.rb", "lib/f/c.rb"]);
    let tree = [
        ("src/A.php", "<?php\nuse App\\Http\\Kernel;\nuse App\\Model;\nuse Other\\Thing;\n"),
        ("src/Http/Kernel.php", ""),
        ("src/Model.php", ""),
        ("lib/x/Thing.php", ""),
    ];
    assert_eq!(first_imports(&tree), ["src/Http/Kernel.php", "src/Model.php"]);
    let tree = [
        ("App/Main.cs", "using App.Data.Models;\nusing App.Retry;\nusing System;\n"),
        ("App.Data/Models/User.cs", ""),
        ("App/System.cs", ""),
        ("App.Core/Retry/Retry.cs", ""),
        ("App.Core.Tests/Retry/RetryTests.cs", ""),
    ];
    assert_eq!(first_imports(&tree), ["App.Data/Models/User.cs", "App.Core/Retry/Retry.cs"]);
    let tree = [
        ("hack/test.sh", "source \"${ROOT}/hack/lib/init.sh\"\n. ./near.sh\n"),
        ("hack/lib/init.sh", ""),
        ("hack/near.sh", ""),
    ];
    assert_eq!(first_imports(&tree), ["hack/lib/init.sh", "hack/near.sh"]);
    let tree = [("lua/p/a.lua", "require('p.b')\nrequire 'p.c'\n"), ("lua/p/b.lua", ""), ("lua/p/c/init.lua", "")];
    assert_eq!(first_imports(&tree), ["lua/p/b.lua", "lua/p/c/init.lua"]);
}

#[test]
fn scala_dart_zig_elixir_protobuf_terraform() {
    let tree = [
        ("app/src/main/scala/p/Main.scala", "import q.r.{A, B => C}\nimport q.s._\n"),
        ("lib/src/main/scala/q/r/A.scala", ""),
        ("lib/src/main/scala/q/r/B.scala", ""),
        ("lib/src/main/scala/q/s/D.scala", ""),
    ];
    assert_eq!(first_imports(&tree).len(), 3);
    let tree = [
        (
            "app/lib/main.dart",
            "import 'dart:io';\nimport 'package:shop/src/cart.dart';\nimport 'src/a.dart' as a;\npart 'b.dart';\n",
        ),
        ("app/lib/src/a.dart", ""),
        ("app/lib/b.dart", ""),
        ("packages/shop/lib/src/cart.dart", ""),
        ("other/lib/src/cart.dart", ""),
    ];
    assert_eq!(first_imports(&tree), ["app/lib/src/a.dart", "app/lib/b.dart", "packages/shop/lib/src/cart.dart"]);
    let tree = [
        ("src/main.zig", "const std = @import(\"std\");\nconst a = @import(\"net/a.zig\").A;\n"),
        ("src/net/a.zig", ""),
        ("std.zig", ""),
    ];
    assert_eq!(first_imports(&tree), ["src/net/a.zig"]);
    let tree = [
        (
            "lib/shop_web/controllers/cart_controller.ex",
            "defmodule ShopWeb.CartController do\n  use ShopWeb, :controller\n  alias Shop.{Cart, HTTPClient}\n  alias ShopWeb.CartView\n",
        ),
        ("lib/shop_web.ex", ""),
        ("lib/shop/cart.ex", ""),
        ("lib/shop/http_client.ex", ""),
        ("lib/shop_web/views/cart_view.ex", ""),
    ];
    assert_eq!(
        first_imports(&tree),
        ["lib/shop_web.ex", "lib/shop/cart.ex", "lib/shop/http_client.ex", "lib/shop_web/views/cart_view.ex"]
    );
    let tree = [
        ("api/shop/v1/cart.proto", "import \"shop/v1/item.proto\";\nimport public \"google/protobuf/any.proto\";\n"),
        ("api/shop/v1/item.proto", ""),
    ];
    assert_eq!(first_imports(&tree), ["api/shop/v1/item.proto"]);
    let tree = [
        ("infra/main.tf", "module \"net\" {\n  source = \"./modules/net\"\n}\n"),
        ("infra/modules/net/main.tf", ""),
        ("infra/modules/net/vars.tf", ""),
        ("infra/modules/net/README.md", ""),
    ];
    assert_eq!(first_imports(&tree), ["infra/modules/net/main.tf", "infra/modules/net/vars.tf"]);
}

#[test]
fn an_ambiguous_import_resolves_to_no_file() {
    let copies: Vec<String> = (10..40).map(|n| format!("d{n}/include/lib/z.h")).collect();
    let mut tree = vec![("src/x.c", "#include <lib/z.h>\n")];
    tree.extend(copies.iter().map(|path| (path.as_str(), "")));
    assert!(first_imports(&tree).is_empty());
}

#[test]
fn hops_go_both_ways_and_stop() {
    let graph =
        build(&[("a.py", "import b\n"), ("b.py", "import c\n"), ("c.py", ""), ("d.py", "import c\n"), ("e.py", "")]);
    let hops = |from: &[usize], limit| -> Vec<(usize, u8)> {
        let from: Vec<FileId> = from.iter().copied().map(FileId::new).collect();
        graph.hops(&from, limit).into_iter().map(|(file, distance)| (file.index(), distance)).collect()
    };
    assert_eq!(hops(&[0], 1), [(1, 1)]);
    assert_eq!(hops(&[0], 3), [(1, 1), (2, 2), (3, 3)]);
    assert_eq!(hops(&[0, 2, 99], 1), [(1, 1), (3, 1)]);
    assert!(hops(&[4], 9).is_empty());
    assert!(graph.imports(FileId::new(99)).is_empty());
}

proptest! {
    #[test]
    fn both_directions_agree(
        files in proptest::collection::btree_map(
            "(src/|a/|b/|pkg/){0,3}(a|b|mod|lib|index|__init__|main)\\.(rs|py|ts|go|java|c|h|rb|php|cs|sh|lua)",
            "((use|import|from|require|#include|source) [\"'<]?(crate::|super::|\\./|\\.\\./|a|b|/|\\.|::|pkg){1,4}[\"'>]?( import (a|b))?;?\n){0,4}", 0..14)
    ) {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let graph = build(&files);
        for i in FileId::all(files.len()) {
            prop_assert!(graph.imports(i).is_sorted_by(|a, b| a < b));
            prop_assert!(graph.imported_by(i).is_sorted_by(|a, b| a < b));
            prop_assert!(!graph.imports(i).contains(&i));
            for j in FileId::all(files.len()) {
                prop_assert_eq!(graph.imports(i).contains(&j), graph.imported_by(j).contains(&i));
            }
        }
        let reached = graph.hops(&[FileId::new(0)], 3);
        prop_assert!(reached.iter().all(|(file, distance)| file.index() != 0 && (1..=3).contains(distance)));
    }
}

//! Tests of imports that can only be resolved with a manifest, in layouts of real projects.

use super::tests::first_imports;

#[test]
fn tsconfig_paths_and_base_url_are_inherited() {
    let tree = [
        (
            "apps/web/src/pages/home.ts",
            "import { a } from '@shared/text/trim'\nimport b from '~ui'\nimport c from 'features/cart'\nimport 'react'\n",
        ),
        ("apps/web/tsconfig.json", "{\n  // inherits paths\n  \"extends\": \"../../tsconfig.base\",\n}\n"),
        (
            "tsconfig.base.json",
            "{ \"compilerOptions\": { \"baseUrl\": \"./apps/web/source\", \"paths\": { \"@shared/*\": [\"../../../libs/shared/*\"], \"~ui\": [\"../../../libs/ui/entry.tsx\"], }, }, }",
        ),
        ("libs/shared/text/trim.ts", ""),
        ("libs/ui/entry.tsx", ""),
        ("apps/web/source/features/cart/index.ts", ""),
        ("other/features/cart.ts", ""),
    ];
    assert_eq!(
        first_imports(&tree),
        ["libs/shared/text/trim.ts", "libs/ui/entry.tsx", "apps/web/source/features/cart/index.ts"]
    );
}

#[test]
fn package_names_exports_and_imports_lead_to_sources() {
    let tree = [
        (
            "site/src/main.js",
            "import '@acme/core'\nimport '@acme/core/testing'\nimport x from '#config'\nimport 'left-pad'\nimport y from '#utils/dates.js'\n",
        ),
        (
            "site/package.json",
            "{ \"name\": \"site\", \"imports\": { \"#config\": { \"node\": \"./config/node.js\" }, \"#utils/*.js\": \"./src/helpers/*.js\" } }",
        ),
        (
            "code/engine/package.json",
            "{ \"name\": \"@acme/core\", \"exports\": { \".\": { \"types\": \"./dist/main.d.ts\", \"import\": \"./dist/main.mjs\" }, \"./testing\": \"./dist/testing/setup.js\" } }",
        ),
        ("package.json", "{ \"workspaces\": [\"site\", \"code/*\"] }"),
        ("code/engine/src/main.ts", ""),
        ("code/engine/src/testing/setup.ts", ""),
        ("site/config/node.js", ""),
        ("site/src/helpers/dates.js", ""),
        ("site/left-pad.js", ""),
    ];
    assert_eq!(
        first_imports(&tree),
        [
            "code/engine/src/main.ts",
            "code/engine/src/testing/setup.ts",
            "site/config/node.js",
            "site/src/helpers/dates.js"
        ]
    );
}

#[test]
fn python_source_layouts_and_namespace_packages() {
    let tree = [
        (
            "tests/test_store.py",
            "from acme.storage.disk import Disk\nfrom acme.cloud import upload\nimport acme_tools\n",
        ),
        ("pyproject.toml", "[project]\nname = \"acme-storage\"\n"),
        ("src/acme/storage/__init__.py", ""),
        ("src/acme/storage/disk.py", ""),
        ("plugins/cloud/src/acme/cloud/__init__.py", ""),
        ("plugins/cloud/src/acme/cloud/upload.py", ""),
        ("src/acme_tools/__init__.py", ""),
    ];
    assert_eq!(
        first_imports(&tree),
        ["src/acme/storage/disk.py", "plugins/cloud/src/acme/cloud/upload.py", "src/acme_tools/__init__.py"]
    );
}

#[test]
fn cargo_packages_are_found_by_name_and_by_renamed_dependency() {
    let tree = [
        ("crates/cli/src/main.rs", "use engine::plan::Plan;\nuse acme_text::wrap;\nuse json::Value;\n"),
        (
            "crates/cli/Cargo.toml",
            "[package]\nname = \"acme-cli\"\n[dependencies]\nengine = { package = \"acme-core\", path = \"../core\" }\nacme-text.workspace = true\njson = { package = \"serde_json\", version = \"1\" }\n",
        ),
        ("crates/core/Cargo.toml", "[package]\nname = \"acme-core\"\n"),
        ("crates/core/src/lib.rs", ""),
        ("crates/core/src/plan.rs", ""),
        ("libs/strings/Cargo.toml", "[package]\nname = \"text-tools\"\n[lib]\nname = \"acme_text\"\n"),
        ("libs/strings/src/lib.rs", ""),
        ("libs/strings/src/wrap.rs", ""),
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"libs/*\"]\n"),
    ];
    assert_eq!(first_imports(&tree), ["crates/core/src/plan.rs", "libs/strings/src/wrap.rs"]);
}

#[test]
fn go_modules_by_name_and_by_replacement() {
    let tree = [
        (
            "cmd/main.go",
            "import (\n\t\"example.com/app/internal/db\"\n\t\"example.com/forked/log\"\n\t\"example.com/forked/log/sink\"\n)\n",
        ),
        (
            "go.mod",
            "module example.com/app // the application\n\ngo 1.22\n\nreplace (\n\texample.com/forked/log v1.2.0 => ./third/logging\n\texample.com/other => example.com/mirror v1.0.0\n)\n",
        ),
        ("internal/db/db.go", ""),
        ("third/logging/go.mod", "module example.com/forked/log\n"),
        ("third/logging/log.go", ""),
        ("third/logging/sink/sink.go", ""),
        ("other/db/db.go", ""),
    ];
    assert_eq!(first_imports(&tree), ["internal/db/db.go", "third/logging/log.go", "third/logging/sink/sink.go"]);
}

#[test]
fn gradle_and_maven_modules_choose_between_classes_of_one_name() {
    let gradle = [
        ("app/src/main/kotlin/p/Main.kt", "import q.Clock\n"),
        ("app/build.gradle.kts", "dependencies {\n    implementation(project(\":platform:jvm-time\"))\n}\n"),
        ("android-time/build.gradle.kts", ""),
        ("android-time/src/main/kotlin/q/Clock.kt", ""),
        ("platform/jvm-time/build.gradle.kts", ""),
        ("platform/jvm-time/src/main/kotlin/q/Clock.kt", ""),
    ];
    assert_eq!(first_imports(&gradle), ["platform/jvm-time/src/main/kotlin/q/Clock.kt"]);
    let maven = [
        ("web/src/main/java/p/Main.java", "import q.Store;\n"),
        (
            "web/pom.xml",
            "<project>\n  <parent><artifactId>root</artifactId></parent>\n  <artifactId>web</artifactId>\n  <dependencies>\n    <dependency>\n      <groupId>g</groupId>\n      <artifactId>store-sql</artifactId>\n    </dependency>\n  </dependencies>\n</project>\n",
        ),
        ("memory/pom.xml", "<project><artifactId>store-memory</artifactId></project>"),
        ("memory/src/main/java/q/Store.java", ""),
        ("backends/sql/pom.xml", "<project><artifactId>store-sql</artifactId></project>"),
        ("backends/sql/src/main/java/q/Store.java", ""),
    ];
    assert_eq!(first_imports(&maven), ["backends/sql/src/main/java/q/Store.java"]);
}

#[test]
fn include_directories_of_compile_commands() {
    let tree = [
        ("src/app/main.c", "#include <config.h>\n#include \"net/socket.h\"\n"),
        (
            "build/compile_commands.json",
            "[{\"directory\": \"/home/me/project/build\", \"file\": \"../src/app/main.c\", \"command\": \"cc -I../generated -isystem /home/me/project/vendor/net2/include -I/usr/include -c ../src/app/main.c\"}]",
        ),
        ("generated/config.h", ""),
        ("src/net/socket.h", ""),
        ("vendor/net2/include/net/socket.h", ""),
    ];
    assert_eq!(first_imports(&tree), ["generated/config.h", "vendor/net2/include/net/socket.h"]);
}

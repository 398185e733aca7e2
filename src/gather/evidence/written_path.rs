//! A path as it appears in text or a log, matched against project files by its last directories.

/// Directories of third-party code.
const FOREIGN: [&str; 26] = [
    "/node_modules/", "/.cargo/registry/", "/.cargo/git/", "/.rustup/", "/rustc/", "/lib/rustlib/", "/go/pkg/mod/",
    "/usr/local/go/src/", "/usr/lib/", "/usr/include/", "/usr/share/", "/hostedtoolcache/", "/.m2/repository/",
    "/.gradle/caches/", "/homebrew/", "/cellar/", "/sysdeps/", "/nptl/", "/.pnpm/", "/.yarn/", "/internal/modules/",
    "/.nuget/", "/gems/", "/.pyenv/", "/miniconda3/lib/", "/.local/share/uv/",
];
/// Directories of installed Python packages, one of which may be this project.
const INSTALLED: [&str; 2] = ["/site-packages/", "/dist-packages/"];
/// Common directory names. If two paths share only such a name, they may belong to different projects.
const GENERIC: [&str; 24] = [
    "app", "apps", "api", "bin", "cmd", "common", "core", "include", "internal", "java", "kotlin", "lib", "main",
    "packages", "pkg", "python", "source", "sources", "src", "test", "tests", "util", "utils", "web",
];
/// Directories into which projects are checked out or deployed under another name.
const CHECKOUTS: [&str; 16] = [
    "app", "build", "builds", "checkout", "code", "html", "project", "repo", "s", "site", "source", "src", "srv",
    "work", "workspace", "www",
];

/// A path as it appears in text or a log, with `/` as separator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenPath {
    /// For an installed package, the components below the package directory.
    pub parts: Vec<String>,
    /// True if it starts at the root of a machine or server.
    pub absolute: bool,
    /// True if it points to an installed package.
    pub installed: bool,
    /// True if it points to a library or to the language's own code.
    pub foreign: bool,
}

/// Number of matching components from the end, and true if they are the whole file path. A higher value is a better
/// match.
pub type PathMatch = (usize, bool);

impl WrittenPath {
    /// Parses a path; `None` for pseudo-files such as `<string>`.
    pub fn parse(path: &str) -> Option<Self> {
        let (wanted, absolute) = normal(path)?;
        let low = format!("/{}", wanted.to_lowercase());
        let below = INSTALLED.iter().filter_map(|mark| low.rfind(mark).map(|at| at + mark.len() - 1)).max();
        // In a few scripts, conversion to lower case changes the length.
        let below = below.and_then(|at| wanted.get(at..));
        Some(Self {
            parts: below.unwrap_or(&wanted).split('/').map(str::to_owned).collect(),
            absolute,
            installed: below.is_some(),
            foreign: is_foreign(&low),
        })
    }

    /// The file name.
    pub fn name(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// Quality of the match with a project file, if it is good enough. A common file name is not enough: one path must
    /// end with the other, or both must share a distinctive directory.
    pub fn fit(&self, file: &str, root: &str, same: impl Fn(&str, &str) -> bool) -> Option<PathMatch> {
        let own = file.split('/').count();
        let common = file.rsplit('/').zip(self.parts.iter().rev()).take_while(|(a, b)| same(a, b)).count();
        let all = common == self.parts.len();
        let enough = if self.installed {
            // A single module such as `six.py` may be a copy of a library.
            all && (common > 1 || own == 1)
        } else if !self.absolute {
            all || common == own && common > 1
        } else {
            all || common == own && (common > 1 || self.is_in_checkout(root))
                || common > 1 && self.has_distinctive_directory(common) && self.is_below_checkout(common, root)
        };
        (common > 0 && enough).then_some((common, common == own))
    }

    /// Returns true if the parent directory is a usual checkout directory, or has the project's name.
    fn is_in_checkout(&self, root: &str) -> bool {
        self.is_below_checkout(1, root)
    }

    /// Returns true if the directory above the last components is a usual checkout directory, or has the project's
    /// name. Any other directory belongs to another project: `/home/u/other/src/shop/cart.py` is not
    /// `backend/src/shop/cart.py`.
    fn is_below_checkout(&self, components: usize, root: &str) -> bool {
        let directory = self.parts.iter().rev().nth(components).map_or("", String::as_str);
        directory.eq_ignore_ascii_case(root) || CHECKOUTS.contains(&directory.to_lowercase().as_str())
    }

    /// Returns true if one of the matching directories has a distinctive name.
    fn has_distinctive_directory(&self, common: usize) -> bool {
        let directories = self.parts.iter().rev().take(common).skip(1);
        directories.into_iter().any(|directory| !GENERIC.contains(&directory.to_lowercase().as_str()))
    }
}

/// The path with `/`, without scheme, drive and dots, and true if it is absolute.
fn normal(path: &str) -> Option<(String, bool)> {
    let path = path.replace('\\', "/").replace("%20", " ");
    if path.starts_with('<') || path.starts_with("node:") {
        return None;
    }
    let (path, url) = match path.split_once("://") {
        Some((_, rest)) => (rest.split_once('/').map_or(rest, |(_, below)| below).to_owned(), true),
        None => (path, false),
    };
    let drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(|c: char| c.is_ascii_alphabetic());
    let absolute = url || drive || path.starts_with('/');
    let path = if drive { &path[2..] } else { path.as_str() };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| (parts.join("/"), absolute))
}

/// Returns true if a lower-case path with a leading slash is third-party code.
fn is_foreign(low: &str) -> bool {
    // These directories may follow any prefix, as in `/opt/venv/lib/python3.11/json/…`.
    let python = low
        .match_indices("/lib/python")
        .any(|(at, found)| low[at + found.len()..].starts_with(|c: char| c.is_ascii_digit()));
    let windows = low.match_indices("/python").any(|(at, found)| {
        let rest = &low[at + found.len()..];
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains("/lib/")
    });
    python || windows || FOREIGN.iter().any(|mark| low.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized() {
        let cases = [
            ("./src/a.rs", "src/a.rs", false),
            ("C:\\work\\repo\\src\\a.rs", "work/repo/src/a.rs", true),
            ("file:///home/u/x.mjs", "home/u/x.mjs", true),
            ("file:///C:/u/x.mjs", "u/x.mjs", true),
            ("webpack-internal:///./src/x.ts", "src/x.ts", true),
            ("webpack://shop/./src/x.ts", "src/x.ts", true),
            ("http://localhost:3000/src/x.ts", "src/x.ts", true),
            ("../src/./b/../a.c", "src/a.c", false),
        ];
        for (given, path, absolute) in cases {
            assert_eq!(normal(given), Some((path.to_owned(), absolute)), "{given}");
        }
        for none in ["<frozen importlib._bootstrap>", "<string>", "node:internal/process/task_queues", "/", ""] {
            assert_eq!(normal(none), None, "{none}");
        }
    }

    #[test]
    fn third_party_code_is_recognized() {
        for path in [
            "/usr/lib/python3.11/json/decoder.py",
            "/opt/venv/lib/python3.12/asyncio/base.py",
            "/c/python311/lib/json.py",
            "/home/u/.cargo/registry/src/index/serde-1.0/src/lib.rs",
            "/rustc/0123456789abcdef/library/core/src/option.rs",
            "/usr/local/go/src/runtime/panic.go",
            "/home/u/go/pkg/mod/github.com/x/y@v1/z.go",
            "/app/node_modules/express/lib/router.js",
            "/opt/hostedtoolcache/go/1.21/x64/src/testing/testing.go",
        ] {
            assert!(is_foreign(path), "{path}");
        }
        for path in ["/builds/team/repo/repo/src/x.rs", "/usr/src/app/server.js", "/src/lib/python/x.py"] {
            assert!(!is_foreign(path), "{path}");
        }
    }

    fn fits(written: &str, files: &[&str]) -> Vec<bool> {
        let path = WrittenPath::parse(written).unwrap();
        files.iter().map(|file| path.fit(file, "shop", |a, b| a == b).is_some()).collect()
    }

    #[test]
    fn a_shared_file_name_is_not_a_match() {
        let views = ["views.py", "django/views.py", "django/contrib/admin/views.py", "tests/app/views.py"];
        assert_eq!(fits("/srv/app/shop/views.py", &views[1..]), [false; 3]);
        assert_eq!(fits("/home/u/other/views.py", &views), [false; 4]);
        assert_eq!(fits("other/views.py", &views), [false; 4]);
        assert_eq!(fits("/venv/lib/python3.12/site-packages/rest_framework/views.py", &views), [false; 4]);
        assert_eq!(
            fits("/venv/lib/python3.12/site-packages/six.py", &["six.py", "django/utils/six.py"]),
            [true, false]
        );
        // Every project has a `src`, so that name is not distinctive.
        assert_eq!(fits("/home/u/other/src/index.js", &["packages/cart/src/index.js"]), [false]);
    }

    #[test]
    fn a_shared_suffix_of_several_components_is_a_match() {
        let query = ["django/db/models/query.py", "django/db/models/sql/query.py"];
        assert_eq!(fits("/usr/lib/python3/site-packages/django/db/models/query.py", &query), [true, false]);
        assert_eq!(fits("/usr/lib/python3/dist-packages/django/db/models/sql/query.py", &query), [false, true]);
        assert_eq!(fits("models/query.py", &query), [true, false]);
        assert_eq!(fits("C:\\work\\django\\django\\db\\models\\query.py", &query), [true, false]);
        // In a container, `/app` may have the contents of `backend/`.
        assert_eq!(fits("/app/cart/views.py", &["backend/cart/views.py"]), [true]);
        assert_eq!(fits("/home/u/other/cart/views.py", &["backend/cart/views.py"]), [false]);
        assert_eq!(fits("/home/u/other/src/cart/views.py", &["backend/src/cart/views.py"]), [false]);
        // A file at the root of a checkout.
        assert_eq!(fits("/home/u/shop/setup.py", &["setup.py"]), [true]);
        assert_eq!(fits("/workspace/setup.py", &["setup.py"]), [true]);
    }
}

//! A path of another machine as a file of the project: by the longest end that only one file has.

use std::collections::HashMap;

use crate::gather::corpus::Corpus;

/// Why a path is no file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unresolved {
    /// It is a library's or the language's own.
    Dependency,
    /// Nothing here has that name.
    Unknown,
    /// Several files fit equally well.
    Ambiguous(Vec<String>),
}

/// Finds files by the ends of their paths.
pub struct Resolver<'c> {
    corpus: &'c Corpus,
    /// Files by their names in lower case.
    names: HashMap<String, Vec<usize>>,
}

/// Directories that hold other people's code, as they stand in a path between slashes.
const FOREIGN: [&str; 27] = [
    "/node_modules/",
    "/dist-packages/",
    "/.cargo/registry/",
    "/.cargo/git/",
    "/.rustup/",
    "/rustc/",
    "/lib/rustlib/",
    "/go/pkg/mod/",
    "/usr/local/go/src/",
    "/usr/lib/",
    "/usr/include/",
    "/usr/share/",
    "/hostedtoolcache/",
    "/.m2/repository/",
    "/.gradle/caches/",
    "/homebrew/",
    "/cellar/",
    "/sysdeps/",
    "/nptl/",
    "/.pnpm/",
    "/.yarn/",
    "/internal/modules/",
    "/.nuget/",
    "/gems/",
    "/.pyenv/",
    "/miniconda3/lib/",
    "/.local/share/uv/",
];
/// Installed Python packages: one of them may be this project itself.
const INSTALLED: &str = "/site-packages/";

impl<'c> Resolver<'c> {
    /// For the files of a corpus.
    pub fn new(corpus: &'c Corpus) -> Self {
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, file) in corpus.files.iter().enumerate() {
            let name = file.path.rsplit('/').next().unwrap_or_default().to_lowercase();
            names.entry(name).or_default().push(index);
        }
        Self { corpus, names }
    }

    /// The file that a path means; `hint` is the directory or package that it is probably in.
    pub fn find(&self, path: &str, hint: Option<&str>) -> Result<usize, Unresolved> {
        let (wanted, absolute) = normal(path).ok_or(Unresolved::Unknown)?;
        if let Some(inside) = self.below_root(path)
            && let Some(exact) = self.corpus.find(&inside)
        {
            return Ok(exact);
        }
        if !absolute && let Some(exact) = self.corpus.find(&wanted) {
            return Ok(exact);
        }
        let low = format!("/{}", wanted.to_lowercase());
        let installed = low.rfind(INSTALLED).map(|at| &wanted[at + INSTALLED.len() - 1..]);
        if is_foreign(&low) && installed.is_none() {
            return Err(Unresolved::Dependency);
        }
        let wanted = installed.unwrap_or(&wanted);
        let parts: Vec<&str> = wanted.split('/').collect();
        let name = parts.last().copied().unwrap_or_default();
        let candidates = self.names.get(&name.to_lowercase()).map_or(&[][..], Vec::as_slice);
        let exact_case = |a: &str, b: &str| a == b;
        let any_case = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
        let mut best = self.best(candidates, &parts, absolute, installed.is_some(), exact_case);
        if best.is_empty() {
            // Windows writes paths in whatever case they were typed.
            best = self.best(candidates, &parts, absolute, installed.is_some(), any_case);
        }
        if best.len() > 1 {
            best = self.nearest_to(best, hint);
        }
        match best.as_slice() {
            [one] => Ok(*one),
            [] if installed.is_some() => Err(Unresolved::Dependency),
            [] => Err(Unresolved::Unknown),
            several => {
                Err(Unresolved::Ambiguous(several.iter().map(|file| self.corpus.files[*file].path.clone()).collect()))
            }
        }
    }

    /// The line of a definition, in one file or in the only test file that has it.
    pub fn symbol(&self, file: Option<usize>, name: &str, hint: Option<&str>) -> Option<(usize, u32)> {
        let line = |file: usize| {
            self.corpus.files[file].symbols.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.line)
        };
        if let Some(file) = file {
            return line(file).map(|line| (file, line));
        }
        let defining: Vec<usize> = (0..self.corpus.files.len()).filter(|file| line(*file).is_some()).collect();
        match self.nearest_to(defining, hint).as_slice() {
            [one] => line(*one).map(|line| (*one, line)),
            _ => None,
        }
    }

    /// The path below the project's own root, for a log of this machine.
    fn below_root(&self, path: &str) -> Option<String> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let inside = std::path::Path::new(path).strip_prefix(&self.corpus.root).ok()?;
        Some(inside.to_str()?.replace('\\', "/"))
    }

    /// The files that share the longest end with the wanted path, if it is long enough to mean them.
    fn best(
        &self,
        candidates: &[usize],
        wanted: &[&str],
        absolute: bool,
        whole: bool,
        same: impl Fn(&str, &str) -> bool,
    ) -> Vec<usize> {
        let (mut longest, mut best) = ((0, false), Vec::new());
        for file in candidates {
            let path = &self.corpus.files[*file].path;
            let own = path.split('/').count();
            let common = path.rsplit('/').zip(wanted.iter().rev()).take_while(|(a, b)| same(a, b)).count();
            let enough = if whole {
                common == wanted.len()
            } else {
                common == wanted.len() || common == own && (absolute || common > 1) || absolute && common > 1
            };
            // Of two equal ends, the one that is the file's whole path means it.
            let key = (common, common == own);
            if !enough || common == 0 || key < longest {
                continue;
            }
            if key > longest {
                longest = key;
                best.clear();
            }
            best.push(*file);
        }
        best
    }

    /// Those in the directory that the hint ends with; all of them where it says nothing.
    fn nearest_to(&self, files: Vec<usize>, hint: Option<&str>) -> Vec<usize> {
        let Some(hint) = hint.filter(|_| files.len() > 1) else { return files };
        let hint = hint.trim_end_matches('/');
        let fit = |file: &usize| {
            let directory = self.corpus.files[*file].path.rsplit_once('/').map_or("", |(directory, _)| directory);
            let ends = hint.strip_suffix(directory).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            if directory.is_empty() || ends { directory.len() + 1 } else { 0 }
        };
        let most = files.iter().map(fit).max().unwrap_or(0);
        if most == 0 { files } else { files.into_iter().filter(|file| fit(file) == most).collect() }
    }
}

/// The path with `/`, without scheme, drive and dots, and whether it is absolute.
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

/// Whether a path in lower case, with a slash before it, is other people's code.
fn is_foreign(low: &str) -> bool {
    // `/usr/lib/python3.11/…` is caught above; this is the same below any prefix: `/opt/venv/lib/python3.11/json/…`.
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
    fn paths_lose_what_is_the_machines() {
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
    fn other_peoples_code_is_known() {
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
}

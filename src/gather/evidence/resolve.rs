//! Resolves a path from another machine to the project file with the longest matching suffix.

use std::collections::HashMap;

use super::written_path::WrittenPath;
use crate::gather::corpus::Corpus;
use crate::ids::FileId;

/// The reason a path is not resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolveError {
    /// Belongs to a library or to the language.
    Dependency,
    /// No file has that name.
    Unknown,
    /// Several files match equally well.
    Ambiguous(Vec<String>),
}

/// Finds project files by path suffix.
pub struct Resolver<'c> {
    corpus: &'c Corpus,
    /// Files by lower-case name.
    names: HashMap<String, Vec<FileId>>,
    /// Root directories of the project on other machines, found from the paths in a log.
    roots: Vec<Vec<String>>,
}

impl<'c> Resolver<'c> {
    /// A resolver for the files of a corpus.
    pub fn new(corpus: &'c Corpus) -> Self {
        let mut names: HashMap<String, Vec<FileId>> = HashMap::new();
        for (index, file) in FileId::enumerate(&corpus.files) {
            let name = file.path.rsplit('/').next().unwrap_or_default().to_lowercase();
            names.entry(name).or_default().push(index);
        }
        Self { corpus, names, roots: Vec::new() }
    }

    /// Finds the project's root on the machine that wrote the log, from absolute paths that end with the complete path
    /// of a nested file. With the root known, files directly in it can also be resolved.
    pub fn learn_roots<'p>(&mut self, paths: impl Iterator<Item = &'p str>) {
        for path in paths {
            let Some(written) = WrittenPath::parse(path).filter(|written| written.absolute) else { continue };
            let Ok(file) = self.find(path, None) else { continue };
            let own = self.corpus.files[file].path.split('/').count();
            let root = &written.parts[..written.parts.len().saturating_sub(own)];
            let is_whole = written.parts[root.len()..].join("/").eq_ignore_ascii_case(&self.corpus.files[file].path);
            if own > 1 && is_whole && !root.is_empty() && !self.roots.iter().any(|known| known == root) {
                self.roots.push(root.to_vec());
            }
        }
    }

    /// The file below a known root.
    fn below_known_root(&self, wanted: &WrittenPath) -> Option<FileId> {
        let below = |root: &Vec<String>| wanted.parts.strip_prefix(root.as_slice());
        self.roots.iter().filter_map(below).find_map(|inside| self.corpus.find(&inside.join("/")))
    }

    /// The file that a path refers to. `hint` is the directory or package that probably contains it.
    pub fn find(&self, path: &str, hint: Option<&str>) -> Result<FileId, ResolveError> {
        let wanted = WrittenPath::parse(path).ok_or(ResolveError::Unknown)?;
        if let Some(inside) = self.below_root(path)
            && let Some(exact) = self.corpus.find(&inside)
        {
            return Ok(exact);
        }
        if !wanted.absolute
            && let Some(exact) = self.corpus.find(&wanted.parts.join("/"))
        {
            return Ok(exact);
        }
        if let Some(file) = self.below_known_root(&wanted) {
            return Ok(file);
        }
        if wanted.foreign && !wanted.installed {
            return Err(ResolveError::Dependency);
        }
        let candidates = self.names.get(&wanted.name().to_lowercase()).map_or(&[][..], Vec::as_slice);
        let mut best = self.best(candidates, &wanted, |a, b| a == b);
        if best.is_empty() {
            // Windows paths may differ in case.
            best = self.best(candidates, &wanted, str::eq_ignore_ascii_case);
        }
        if best.len() > 1 {
            best = self.nearest_to(best, hint);
        }
        match best.as_slice() {
            [one] => Ok(*one),
            [] if wanted.installed => Err(ResolveError::Dependency),
            [] => Err(ResolveError::Unknown),
            several => {
                Err(ResolveError::Ambiguous(several.iter().map(|file| self.corpus.files[*file].path.clone()).collect()))
            }
        }
    }

    /// The line of a definition in one file, or in the only file that defines it.
    pub fn symbol(&self, file: Option<FileId>, name: &str, hint: Option<&str>) -> Option<(FileId, u32)> {
        let line = |file: FileId| {
            self.corpus.files[file].symbols.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.line)
        };
        if let Some(file) = file {
            return line(file).map(|line| (file, line));
        }
        let defining: Vec<FileId> = FileId::all(self.corpus.files.len()).filter(|file| line(*file).is_some()).collect();
        match self.nearest_to(defining, hint).as_slice() {
            [one] => line(*one).map(|line| (*one, line)),
            _ => None,
        }
    }

    /// The path relative to the project's root, for a log from this machine.
    fn below_root(&self, path: &str) -> Option<String> {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let inside = std::path::Path::new(path).strip_prefix(&self.corpus.root).ok()?;
        Some(inside.to_str()?.replace('\\', "/"))
    }

    /// The files with the longest matching suffix. If several are equally long, a match of the whole file path wins.
    fn best(&self, candidates: &[FileId], wanted: &WrittenPath, same: impl Fn(&str, &str) -> bool) -> Vec<FileId> {
        let (mut most, mut best) = ((0, false), Vec::new());
        for file in candidates {
            let Some(fit) = wanted.fit(&self.corpus.files[*file].path, root_name(self.corpus), &same) else { continue };
            if fit > most {
                most = fit;
                best.clear();
            }
            if fit == most {
                best.push(*file);
            }
        }
        best
    }

    /// The files in the directory that the hint ends with; all files if there is no such directory.
    fn nearest_to(&self, files: Vec<FileId>, hint: Option<&str>) -> Vec<FileId> {
        let Some(hint) = hint.filter(|_| files.len() > 1) else { return files };
        let hint = hint.trim_end_matches('/');
        let fit = |file: &FileId| {
            let directory = self.corpus.files[*file].path.rsplit_once('/').map_or("", |(directory, _)| directory);
            let ends = hint.strip_suffix(directory).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            if directory.is_empty() || ends { directory.len() + 1 } else { 0 }
        };
        let most = files.iter().map(fit).max().unwrap_or(0);
        if most == 0 { files } else { files.into_iter().filter(|file| fit(file) == most).collect() }
    }
}

/// Name of the project's root directory.
pub fn root_name(corpus: &Corpus) -> &str {
    corpus.root.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default()
}

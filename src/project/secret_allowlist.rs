//! Allowed false positives of the secret scanner, one list for each project, in the user's state directory. They are
//! not stored in the repository, where somebody else could add entries, and the values themselves are not stored at
//! all.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{atomic, files};
use crate::error::{Error, Result};
use crate::redact::AllowedValues;
use crate::text::hex;

/// Environment variable that overrides the user's state directory.
pub const STATE_DIR_VARIABLE: &str = "TEDDY_STATE_DIR";

/// A value allowed by the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Rule that matched.
    pub rule: String,
    /// Path of the file when the value was allowed.
    pub path: String,
    /// Line of the value when it was allowed.
    pub line: u32,
    /// Salted hash of rule and value.
    pub hash: String,
}

/// Values allowed in one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretAllowlist {
    /// Root of the project. It is only for people who read the file.
    project: String,
    salt: String,
    allowed: Vec<Allowance>,
    #[serde(skip)]
    file: PathBuf,
}

/// The user's state directory: `TEDDY_STATE_DIR`, else the system's default.
pub fn state_dir() -> Option<PathBuf> {
    files::variable_or_default(std::env::var_os(STATE_DIR_VARIABLE), |dirs| {
        dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).to_path_buf()
    })
}

impl SecretAllowlist {
    /// Loads the allowlist of the project at `root`; empty if there is no file.
    pub fn load(state_dir: &Path, root: &Path) -> Result<Self> {
        let project = root.to_string_lossy().into_owned();
        let file = state_dir.join("allowed").join(format!("{}.json", &hex(&Sha256::digest(project.as_bytes()))[..24]));
        let Some(text) = files::read_own(&file)? else {
            return Ok(Self { project, salt: fresh_salt(), allowed: Vec::new(), file });
        };
        let read: Self = serde_json::from_str(&text).map_err(|error| Error::json(&file, &error))?;
        Ok(Self { file, ..read })
    }

    /// Hashes for the redaction policy.
    pub fn for_policy(&self) -> AllowedValues {
        AllowedValues::new(&self.salt, self.allowed.iter().map(|allowance| allowance.hash.clone()))
    }

    /// Allowed values, oldest first.
    pub fn list(&self) -> &[Allowance] {
        &self.allowed
    }

    /// Allows a value; returns false if it is already allowed.
    pub fn allow(&mut self, rule: &str, value: &str, path: &str, line: u32) -> Result<bool> {
        let hash = self.for_policy().hash_of(rule, value);
        if self.allowed.iter().any(|known| known.hash == hash) {
            return Ok(false);
        }
        self.allowed.push(Allowance { rule: rule.to_owned(), path: path.to_owned(), line, hash });
        self.save().map(|()| true)
    }

    /// Removes the values allowed at a location, for all rules or one; returns their number.
    pub fn forget(&mut self, path: &str, line: u32, rule: Option<&str>) -> Result<usize> {
        let before = self.allowed.len();
        self.allowed
            .retain(|known| known.path != path || known.line != line || rule.is_some_and(|rule| rule != known.rule));
        let gone = before - self.allowed.len();
        if gone > 0 {
            self.save()?;
        }
        Ok(gone)
    }

    fn save(&self) -> Result<()> {
        let text = serde_json::to_string_pretty(self).map_err(|error| Error::input(error.to_string(), ""))?;
        if let Some(parent) = self.file.parent() {
            std::fs::create_dir_all(parent).map_err(|source| Error::io("create", parent, source))?;
        }
        atomic::write(&self.file, format!("{text}\n").as_bytes())
    }
}

/// Generates a random salt. The hasher's keys come from the system's random source.
fn fresh_salt() -> String {
    let random = || RandomState::new().build_hasher().finish().to_be_bytes();
    hex(&[random(), random(), random(), random()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_stored_as_a_hash_and_can_be_removed() {
        let dir = tempfile::tempdir().unwrap();
        let (root, other) = (Path::new("/shop"), Path::new("/other"));
        let value = ["qZ7vT2mXw9", "Lk4RbP"].concat();
        let mut list = SecretAllowlist::load(dir.path(), root).unwrap();
        assert!(list.allow("password", &value, "a.env", 3).unwrap());
        assert!(!list.allow("password", &value, "b.env", 9).unwrap(), "it is allowed already");
        let again = SecretAllowlist::load(dir.path(), root).unwrap();
        assert_eq!(again, list);
        let policy = again.for_policy();
        assert!(policy.holds("password", &value) && !policy.holds("token", &value) && !policy.holds("password", "x"));
        assert!(!SecretAllowlist::load(dir.path(), other).unwrap().for_policy().holds("password", &value));
        let kept = std::fs::read_to_string(&again.file).unwrap();
        assert!(!kept.contains(&value) && !kept.contains(&hex(&Sha256::digest(value.as_bytes()))), "{kept}");
        let mut again = again;
        assert_eq!(again.forget("a.env", 3, Some("token")).unwrap(), 0);
        assert_eq!(again.forget("a.env", 3, None).unwrap(), 1);
        assert!(!SecretAllowlist::load(dir.path(), root).unwrap().for_policy().holds("password", &value));
    }

    #[test]
    fn only_values_at_the_location_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let mut list = SecretAllowlist::load(dir.path(), Path::new("/shop")).unwrap();
        for (rule, value, path, line) in [
            ("password", "a", "x.env", 3),
            ("token", "b", "x.env", 3),
            ("token", "c", "x.env", 4),
            ("token", "d", "y", 3),
        ] {
            assert!(list.allow(rule, value, path, line).unwrap());
        }
        let fourth = &list.list()[3];
        assert_eq!((fourth.rule.as_str(), fourth.path.as_str(), fourth.line), ("token", "y", 3));
        assert_eq!(list.forget("x.env", 5, None).unwrap(), 0);
        assert_eq!(list.forget("x.env", 3, Some("token")).unwrap(), 1);
        let left = SecretAllowlist::load(dir.path(), Path::new("/shop")).unwrap().for_policy();
        let held = [("password", "a"), ("token", "b"), ("token", "c"), ("token", "d")]
            .map(|(rule, value)| left.holds(rule, value));
        assert_eq!(held, [true, false, true, true]);
        assert_eq!(list.forget("x.env", 4, None).unwrap(), 1);
        assert_eq!(list.list().len(), 2);
    }

    #[test]
    fn every_project_has_its_own_salt() {
        let salts = [fresh_salt(), fresh_salt()];
        assert!(salts[0] != salts[1] && salts.iter().all(|salt| salt.len() == 64), "{salts:?}");
    }

    #[test]
    fn an_invalid_file_is_reported_with_its_location() {
        let dir = tempfile::tempdir().unwrap();
        let mut list = SecretAllowlist::load(dir.path(), Path::new("/shop")).unwrap();
        list.allow("password", "x", "a", 1).unwrap();
        std::fs::write(&list.file, "{\n").unwrap();
        let error = SecretAllowlist::load(dir.path(), Path::new("/shop")).unwrap_err();
        assert!(error.to_string().ends_with(".json:2:1: EOF while parsing an object"), "{error}");
    }
}

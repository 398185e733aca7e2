//! Stack frames in a task that belong to other projects: a library, the language, or an application that uses this
//! project.

use std::cell::LazyCell;
use std::collections::HashMap;

use super::mentions::{FILE, is_file_name};
use super::text_regions::Region;
use crate::gather::corpus::Corpus;
use crate::gather::evidence::resolve::{ResolveError, Resolver};
use crate::gather::facts::own_names;

/// Maximum number of paths that are looked up. Even a trace of thousands of lines has few paths.
const MOST_PATHS: usize = 200;

/// For each line, true if it is a frame outside the project, or the source line below such a frame.
pub fn foreign_lines(corpus: &Corpus, lines: &[(Region, &str)]) -> Vec<bool> {
    let resolver = LazyCell::new(|| Resolver::new(corpus));
    let own = LazyCell::new(|| own_names(corpus));
    let mut known: HashMap<&str, bool> = HashMap::new();
    let mut foreign: Vec<bool> = Vec::with_capacity(lines.len());
    let mut frame: Option<usize> = None;
    for (zone, line) in lines {
        let path = (*zone == Region::Trace).then(|| file_of(line)).flatten();
        let is_foreign = match path {
            Some(path) if known.len() < MOST_PATHS || known.contains_key(path) => {
                *known.entry(path).or_insert_with(|| is_outside_project(&resolver, path) && !is_installed(path, &own))
            }
            Some(_) => false,
            // The source line below a frame is indented more than the frame.
            None => *zone != Region::Trace && frame.is_some_and(|frame| indent(line) > frame),
        };
        frame = match path {
            Some(_) => is_foreign.then(|| indent(line)),
            None => None,
        };
        foreign.push(is_foreign);
    }
    foreign
}

/// The file of a frame. In Java, the class name comes before it.
fn file_of(line: &str) -> Option<&str> {
    let paths = FILE.captures_iter(line).filter_map(|found| found.name("path")).map(|path| path.as_str());
    paths.into_iter().find(|path| is_file_name(path))
}

/// Returns true if a frame's path matches no file of the project. A path that matches several files may belong to the
/// project.
fn is_outside_project(resolver: &Resolver<'_>, path: &str) -> bool {
    matches!(resolver.find(path, None), Err(ResolveError::Dependency | ResolveError::Unknown))
}

/// Returns true if a path is in an installed copy of the project itself: `gems/fluentd-1.14.0/lib/…`,
/// `node_modules/axios/lib/…`.
fn is_installed(path: &str, own: &[String]) -> bool {
    path.split(['/', '\\']).any(|part| {
        let name = part.split('@').next().unwrap_or_default();
        own.iter().any(|own| {
            name.strip_prefix(own.as_str()).is_some_and(|version| {
                version.is_empty() || version.starts_with('-') && version[1..].starts_with(|c: char| c.is_ascii_digit())
            })
        })
    })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::samples;
    use crate::score::text_regions::zones;

    #[test]
    fn frames_have_a_file() {
        for (line, file) in [
            ("at com.acme.Cart.add(Cart.java:80)", Some("Cart.java")),
            ("File \"/srv/app/views.py\", line 3, in x", Some("/srv/app/views.py")),
            ("at Object.<anonymous> (/app/src/x.js:3:1)", Some("/app/src/x.js")),
            ("at java.lang.Thread.run(Native Method)", None),
        ] {
            assert_eq!(file_of(line), file, "{line}");
        }
    }

    #[test]
    fn an_installed_copy_belongs_to_the_project() {
        let own = ["fluentd".to_owned()];
        assert!(is_installed("/var/gems/fluentd-1.14.0/lib/fluent/log.rb", &own));
        assert!(is_installed("node_modules/fluentd/lib/log.js", &own));
        assert!(is_installed("/go/pkg/mod/x.y/fluentd@v1.2/log.go", &own));
        for path in ["/var/gems/fluentd-plugin-s3/lib/log.rb", "/var/gems/serverengine-2.2/lib/log.rb"] {
            assert!(!is_installed(path, &own), "{path}");
        }
    }

    #[test]
    fn frames_of_other_projects_are_recognized() {
        let (_dir, corpus) = samples::corpus(&[("django/core/base.py", "x\n"), ("admin/views.py", "x\n")]);
        let text = "It fails\n\nTraceback (most recent call last):\n  \
                    File \"/usr/lib/python3/site-packages/django/core/base.py\", line 1, in respond\n    \
                    return view()\n  \
                    File \"/srv/app/shop/views.py\", line 42, in checkout\n    \
                    total = cart.total()\n\
                    KeyError: 1\n";
        let lines = zones(text);
        let foreign = foreign_lines(&corpus, &lines);
        let told: Vec<&str> =
            lines.iter().zip(foreign).filter(|(_, is)| *is).map(|((_, line), _)| line.trim()).collect();
        assert_eq!(told, ["File \"/srv/app/shop/views.py\", line 42, in checkout", "total = cart.total()"]);
    }
}

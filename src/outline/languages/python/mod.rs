//! Python.

mod imports;
mod outline;
mod resolve;

use super::Language;
use super::spec::{HASH, LanguageSpec, OutlineReader, TestNaming};
use crate::outline::symbols::{DefinitionWords, SymbolSyntax, assigned};

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    other_extensions: &["pyw", "pxd"],
    file_names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "pypy", "uv"],
    imports: Some(imports::scan),
    resolve: Some(resolve::resolve),
    symbols: Some(&SymbolSyntax {
        block_comments: &[("\"\"\"", "\"\"\""), ("'''", "'''"), ("r\"\"\"", "\"\"\"")],
        by_shape: Some(|line, indent| if indent == 0 { assigned(line) } else { None }),
        ..SymbolSyntax::hashed(DefinitionWords::new(&["async"], &["def", "class"]))
    }),
    tests: TestNaming {
        family: Some(Language::Python),
        prefixes: &["test_"],
        suffixes: &["_test", "_tests"],
        names: &["tests", "test"],
        support: &["conftest"],
        ..TestNaming::NONE
    },
    outline: Some(OutlineReader::Lines(outline::read)),
    empty_body: "...  ",
    ..LanguageSpec::code("python", "python", HASH, &["py", "pyi", "pyx", "ipynb"])
};

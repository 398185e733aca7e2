//! C++: like C, but with its own file extensions, plus member functions.

use super::c::{self, SYMBOLS, symbols};
use super::spec::LanguageSpec;
use crate::outline::symbols::SymbolSyntax;

pub(super) const SPEC: LanguageSpec = LanguageSpec {
    name: "c++",
    fence_tag: "cpp",
    extensions: &["cc", "cpp", "cxx", "hh", "hpp", "hxx"],
    other_extensions: &["c++", "h++", "ipp", "inl", "tpp", "ixx", "cppm"],
    manifests: &[],
    symbols: Some(&SymbolSyntax { by_shape: Some(symbols::cpp_by_shape), ..SYMBOLS }),
    ..c::SPEC
};

//! Readers shared by several languages; each language describes the differences in its own file.

pub(crate) mod classes;
pub(crate) mod declarations;

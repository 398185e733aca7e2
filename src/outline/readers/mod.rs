//! Readers that several languages share; each language says what differs in its own file.

pub(crate) mod classes;
pub(crate) mod declarations;

#![allow(missing_docs)]
use std::borrow::Cow;
use std::sync::Arc;
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: Arc<str>,
    pub start: usize,
    pub end: usize,
    pub line: u32,
}
#[derive(Default)]
pub struct Redactor {}
impl Redactor {
    pub fn off() -> Self {
        Self {}
    }
    pub fn new(_r: Option<&str>) -> crate::Result<Self> {
        Ok(Self {})
    }
    pub fn allowing(self, _a: &[String]) -> crate::Result<Self> {
        Ok(self)
    }
    pub fn redact<'a>(&self, t: &'a str, _p: &str) -> (Cow<'a, str>, Vec<Finding>) {
        (Cow::Borrowed(t), vec![])
    }
}

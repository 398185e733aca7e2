//! A log of any length, read as it comes: decoded, without colours and secrets, cut to its failures.

use std::io::Read;

use super::cut::Cutter;
use super::notation::plain;
use crate::error::{Error, Result};
use crate::redact::Policy;
use crate::text::{counted, thousands};

/// What is kept of a log with its turn: enough for hundreds of failures, and small enough to be read again in an instant.
pub const KEPT_BYTES: usize = 300_000;
/// A longer line is data; its beginning is kept.
const LINE_BYTES: usize = 64 * 1024;
const SHOWN_LINE: usize = 2_000;
/// Secrets are looked for in stretches of this size: one may span several lines.
const STRETCH: usize = 256 * 1024;
/// A program that never stops printing is cut off here.
const MOST_BYTES: u64 = 4_000_000_000;

/// A log as it may be kept and shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// What it goes by.
    pub name: String,
    /// Its text: cut to its failures, secrets replaced.
    pub text: String,
    /// What the person should know about it.
    pub notes: Vec<String>,
}

/// How the bytes are to be read.
enum Encoding {
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
}

/// Reads a log to its end.
pub fn read(mut stream: impl Read, name: &str, redactor: &Policy) -> Result<Log> {
    let mut intake = Intake {
        redactor,
        name,
        cutter: Cutter::new(KEPT_BYTES),
        pending: Vec::new(),
        stretch: String::new(),
        secrets: 0,
        lossy: false,
    };
    let mut encoding = None;
    let mut buffer = vec![0; 64 * 1024];
    let (mut total, mut odd) = (0u64, None);
    loop {
        let count = match stream.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::io("read", name, error)),
        };
        let bytes = &buffer[..count];
        if count == 0 || total > MOST_BYTES {
            break;
        }
        total += count as u64;
        let encoding = match &encoding {
            Some(encoding) => encoding,
            None => encoding.insert(sniff(bytes, name)?),
        };
        match encoding {
            Encoding::Utf8 => intake.bytes(bytes),
            Encoding::Utf16(unit) => {
                let mut units: Vec<u8> = odd.take().into_iter().chain(bytes.iter().copied()).collect();
                if !units.len().is_multiple_of(2) {
                    odd = units.pop();
                }
                let pairs = units.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
                let text: String =
                    char::decode_utf16(pairs).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
                intake.bytes(text.as_bytes());
            }
        }
    }
    Ok(intake.finish(total))
}

/// Text, or an error that says it is none.
fn sniff(bytes: &[u8], name: &str) -> Result<Encoding> {
    match bytes {
        [0xff, 0xfe, ..] => return Ok(Encoding::Utf16(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => return Ok(Encoding::Utf16(u16::from_be_bytes)),
        _ => {}
    }
    let head = &bytes[..bytes.len().min(8192)];
    let unreadable = String::from_utf8_lossy(head).chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    if head.contains(&0) || unreadable * 5 > head.len() {
        return Err(Error::input(
            format!("the evidence {name} is binary, not a log"),
            "give the text that was printed; unpack it first if it is compressed",
        ));
    }
    Ok(Encoding::Utf8)
}

struct Intake<'r> {
    redactor: &'r Policy,
    name: &'r str,
    cutter: Cutter,
    /// The line that has not ended yet.
    pending: Vec<u8>,
    /// Lines that wait to be searched for secrets.
    stretch: String,
    secrets: usize,
    lossy: bool,
}

impl Intake<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LINE_BYTES.saturating_sub(self.pending.len());
            match piece.strip_suffix(b"\n") {
                Some(end) => {
                    self.pending.extend_from_slice(&end[..end.len().min(room)]);
                    self.line();
                }
                None => self.pending.extend_from_slice(&piece[..piece.len().min(room)]),
            }
        }
    }

    fn line(&mut self) {
        let text = String::from_utf8_lossy(&self.pending);
        // A line that is cut in the middle of a character is not the log's fault.
        self.lossy |= matches!(text, std::borrow::Cow::Owned(_)) && self.pending.len() < LINE_BYTES;
        let line = plain(&text);
        self.stretch.extend(line.chars().filter(|c| !c.is_control() || *c == '\t'));
        self.stretch.push('\n');
        self.pending.clear();
        if self.stretch.len() > STRETCH && (!in_a_key(&self.stretch) || self.stretch.len() > 2 * STRETCH) {
            self.take_in();
        }
    }

    fn take_in(&mut self) {
        let (clean, found) = self.redactor.redact(&self.stretch, self.name);
        self.secrets += found.len();
        for line in clean.lines() {
            match line.char_indices().nth(SHOWN_LINE) {
                Some((end, _)) => {
                    let more = line[end..].chars().count();
                    self.cutter.push(&format!("{} [… {} more characters]", &line[..end], thousands(more)));
                }
                None => self.cutter.push(line),
            }
        }
        self.stretch.clear();
    }

    fn finish(mut self, total: u64) -> Log {
        if !self.pending.is_empty() {
            self.line();
        }
        self.take_in();
        let cut = self.cutter.finish();
        let name = self.name;
        let mut notes = Vec::new();
        if cut.text.trim().is_empty() {
            notes.push(format!("the evidence {name} is empty"));
        }
        if cut.gone > 0 {
            let (gone, all) = (thousands(cut.gone), thousands(cut.lines));
            notes.push(format!("the evidence {name} is cut to its failures: {gone} of {all} lines left out"));
        }
        if total > MOST_BYTES {
            notes.push(format!(
                "the evidence {name} did not end; it was read up to {} bytes",
                thousands(total as usize)
            ));
        }
        if self.lossy {
            notes.push(format!("the evidence {name} is not all UTF-8; what could not be read is replaced"));
        }
        if self.secrets > 0 {
            notes.push(format!("{} in the evidence {name} replaced", counted(self.secrets, "secret")));
        }
        Log { name: name.to_owned(), text: cut.text, notes }
    }
}

/// Whether a key block is open at the end of a text.
fn in_a_key(text: &str) -> bool {
    text.rfind("-----BEGIN").is_some_and(|at| !text[at..].contains("-----END"))
}

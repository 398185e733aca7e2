//! Reads a log of any length: decodes it, removes escape sequences, redacts secrets, and trims it to its failures.

use std::io::Read;

use super::notations::plain;
use super::trim::LogTrimmer;
use crate::error::{Error, Result};
use crate::redact::Policy;
use crate::text::{counted, thousands};

/// Maximum size of a log that is stored with the turn: enough for hundreds of failures, and fast to read again.
pub const KEPT_BYTES: usize = 300_000;
/// Maximum length of a line. Longer lines are data.
const LINE_BYTES: usize = 64 * 1024;
const SHOWN_LINE: usize = 2_000;
/// Size of the chunks in which secrets are searched for. A secret may span several lines.
const STRETCH: usize = 256 * 1024;
/// Maximum number of bytes read, in case a program never stops printing.
const MOST_BYTES: u64 = 4_000_000_000;

/// A log as it is stored and shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// File name, or `standard input`.
    pub name: String,
    /// The text, trimmed to its failures and redacted.
    pub text: String,
    /// Messages for the person: that the log was trimmed or redacted, or is not UTF-8.
    pub notes: Vec<String>,
}

enum LogEncoding {
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
}

/// Reads a log to its end.
pub fn read(mut stream: impl Read, name: &str, redactor: &Policy) -> Result<Log> {
    let mut reader = LogReader {
        redactor,
        name,
        cutter: LogTrimmer::new(KEPT_BYTES),
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
            None => encoding.insert(detect_encoding(bytes, name)?),
        };
        match encoding {
            LogEncoding::Utf8 => reader.bytes(bytes),
            LogEncoding::Utf16(unit) => {
                let mut units: Vec<u8> = odd.take().into_iter().chain(bytes.iter().copied()).collect();
                if !units.len().is_multiple_of(2) {
                    odd = units.pop();
                }
                let pairs = units.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
                let text: String =
                    char::decode_utf16(pairs).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
                reader.bytes(text.as_bytes());
            }
        }
    }
    Ok(reader.finish(total))
}

/// Detects the encoding. Binary data is an error.
fn detect_encoding(bytes: &[u8], name: &str) -> Result<LogEncoding> {
    match bytes {
        [0xff, 0xfe, ..] => return Ok(LogEncoding::Utf16(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => return Ok(LogEncoding::Utf16(u16::from_be_bytes)),
        _ => {}
    }
    let head = &bytes[..bytes.len().min(8192)];
    let unreadable = String::from_utf8_lossy(head).chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    if head.contains(&0) || unreadable * 5 > head.len() {
        return Err(Error::input(
            format!("{name} is binary, not a log"),
            "pass the printed text; decompress it first if needed",
        ));
    }
    Ok(LogEncoding::Utf8)
}

struct LogReader<'r> {
    redactor: &'r Policy,
    name: &'r str,
    cutter: LogTrimmer,
    /// Beginning of the current line.
    pending: Vec<u8>,
    /// Complete lines that have not been searched for secrets yet.
    stretch: String,
    secrets: usize,
    lossy: bool,
}

impl LogReader<'_> {
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
        // Cutting a long line may split a character, which does not make the log invalid.
        self.lossy |= matches!(text, std::borrow::Cow::Owned(_)) && self.pending.len() < LINE_BYTES;
        let line = plain(&text);
        self.stretch.extend(line.chars().filter(|c| !c.is_control() || *c == '\t'));
        self.stretch.push('\n');
        self.pending.clear();
        if self.stretch.len() > STRETCH && (!in_a_key(&self.stretch) || self.stretch.len() > 2 * STRETCH) {
            self.flush();
        }
    }

    fn flush(&mut self) {
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
        self.flush();
        let cut = self.cutter.finish();
        let name = self.name;
        let mut notes = Vec::new();
        if cut.text.trim().is_empty() {
            notes.push(format!("{name} is empty"));
        }
        if cut.gone > 0 {
            let (gone, all) = (thousands(cut.gone), thousands(cut.lines));
            notes.push(format!("trimmed {name} to its failures: removed {gone} of {all} lines"));
        }
        if total > MOST_BYTES {
            notes.push(format!("{name} did not end; read the first {} bytes", thousands(total as usize)));
        }
        if self.lossy {
            notes.push(format!("{name} is not valid UTF-8; invalid bytes were replaced"));
        }
        if self.secrets > 0 {
            notes.push(format!("{} redacted in {name}", counted(self.secrets, "secret")));
        }
        Log { name: name.to_owned(), text: cut.text, notes }
    }
}

/// Returns true if a PEM block is open at the end of the text.
fn in_a_key(text: &str) -> bool {
    text.rfind("-----BEGIN").is_some_and(|at| !text[at..].contains("-----END"))
}

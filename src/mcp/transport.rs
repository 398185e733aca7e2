//! JSON-RPC messages as lines of standard input and output. A line that is not a message is answered with an error; the
//! connection stays open.

use std::io::{BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};

/// Maximum length of a line. A longer line is skipped and answered with an error.
const LONGEST_LINE: u64 = 4_000_000;
/// Maximum number of lines that wait for an answer.
const WAITING_LINES: usize = 16;

const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;

/// A line of the client's input.
enum RequestLine {
    Text(Vec<u8>),
    TooLong,
}

/// Both directions of the connection; clones share them.
#[derive(Clone)]
pub struct Lines {
    incoming: Arc<Mutex<mpsc::Receiver<RequestLine>>>,
    ended: Arc<AtomicBool>,
}

impl Lines {
    /// Reads standard input on its own thread, because such a read cannot be cancelled.
    pub fn of_standard_streams() -> Self {
        let (sender, incoming) = mpsc::channel(WAITING_LINES);
        std::thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            while let Ok(Some(line)) = next_line(&mut input) {
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        Self { incoming: Arc::new(Mutex::new(incoming)), ended: Arc::default() }
    }

    /// Returns true if the input has ended.
    pub fn ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }
}

impl Transport<RoleServer> for Lines {
    type Error = std::io::Error;

    #[expect(clippy::manual_async_fn, reason = "the future must not borrow the transport")]
    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        async move { write_line(serde_json::to_string(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = self.incoming.lock().await.recv().await;
            let answer = match line {
                None => {
                    self.ended.store(true, Ordering::Release);
                    return None;
                }
                Some(RequestLine::TooLong) => Some(error(PARSE_ERROR, "the message is too long", &Value::Null)),
                Some(RequestLine::Text(text)) if text.trim_ascii().is_empty() => None,
                Some(RequestLine::Text(text)) => match parse(&text) {
                    Ok(message) => return Some(message),
                    Err(answer) => answer,
                },
            };
            if let Some(answer) = answer
                && write_line(answer).await.is_err()
            {
                self.ended.store(true, Ordering::Release);
                return None;
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The next line without its end, or `None` at the end of input.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<RequestLine>> {
    let mut line = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(RequestLine::TooLong));
    }
    Ok(Some(RequestLine::Text(line)))
}

/// Parses the message in a line. If the message is invalid, the error is the answer to send; it is empty for a
/// notification.
fn parse(line: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, Option<String>> {
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return Err(Some(error(PARSE_ERROR, "the message is not valid JSON", &Value::Null)));
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
    let is_notification = id.is_none() && value.get("method").is_some_and(Value::is_string);
    serde_json::from_value(value).map_err(|_| {
        (!is_notification)
            .then(|| error(INVALID_REQUEST, "the message is not a valid request", &id.unwrap_or_default()))
    })
}

fn error(code: i32, message: &str, id: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}).to_string()
}

/// Writes a line on a separate thread, because a client that does not read blocks the writer.
async fn write_line(mut line: String) -> std::io::Result<()> {
    line.push('\n');
    let write = move || {
        let mut out = std::io::stdout().lock();
        out.write_all(line.as_bytes())?;
        out.flush()
    };
    tokio::task::spawn_blocking(write).await.unwrap_or_else(|error| Err(std::io::Error::other(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_line_feeds_and_are_bounded() {
        let long = vec![b'x'; LONGEST_LINE as usize + 10];
        let mut input = b"{}\n\n".to_vec();
        input.extend(&long);
        input.extend(b"\nlast");
        let mut input = std::io::Cursor::new(input);
        let mut next = || next_line(&mut input).unwrap();
        assert!(matches!(next(), Some(RequestLine::Text(text)) if text == b"{}\n"));
        assert!(matches!(next(), Some(RequestLine::Text(text)) if text == b"\n"));
        assert!(matches!(next(), Some(RequestLine::TooLong)));
        assert!(matches!(next(), Some(RequestLine::Text(text)) if text == b"last"));
        assert!(next().is_none());
    }

    #[test]
    fn every_line_that_is_not_a_message_is_answered_except_a_notification() {
        let answer = |line: &str| parse(line.as_bytes()).err();
        assert!(answer(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_none());
        assert!(answer("{").unwrap().unwrap().contains("-32700"));
        for line in ["[]", "7", r#"{"id":4}"#, r#"{"id":4,"method":5}"#] {
            assert!(answer(line).unwrap().unwrap().contains("-32600"), "{line}");
        }
        assert!(answer(r#"{"id":"a","method":5}"#).unwrap().unwrap().contains(r#""id":"a""#));
        assert_eq!(answer(r#"{"method":"x"}"#), Some(None));
    }
}

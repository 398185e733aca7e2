//! Standard output and other byte streams.

use std::io::{self, ErrorKind, Write};
use std::thread;
use std::time::Duration;

use super::{Channel, Confirmation, Delivery};
use crate::{Error, Result};

/// Writes all of `text` to standard output; a reader that closes early (`| head`) is not an error.
pub fn to_stdout(text: &str) -> Result<Delivery> {
    write_to(&mut io::stdout().lock(), text, Channel::Stdout)
        .map_err(|source| Error::io("write to", "standard output", source))
}

/// Writes `text` to an open stream; returns the number of bytes written.
pub(super) fn write_to(stream: &mut impl Write, text: &str, way: Channel) -> io::Result<Delivery> {
    let mut bytes = 0;
    let mut note = None;
    match write_and_flush(stream, text.as_bytes(), &mut bytes) {
        Ok(()) => {}
        Err(gone) if gone.kind() == ErrorKind::BrokenPipe => {
            note = Some("the reader closed the pipe before the end".to_owned());
        }
        Err(error) => return Err(error),
    }
    let confirmed = if note.is_none() { Confirmation::Confirmed } else { Confirmation::Unconfirmed };
    Ok(Delivery { way, confirmed, bytes, note })
}

/// `write_all` and `flush`, with a byte count and retries for a terminal that another program made non-blocking.
fn write_and_flush(stream: &mut impl Write, bytes: &[u8], written: &mut usize) -> io::Result<()> {
    while *written < bytes.len() {
        match stream.write(&bytes[*written..]) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => *written += count,
            Err(error) => wait_or_fail(error)?,
        }
    }
    while let Err(error) = stream.flush() {
        wait_or_fail(error)?;
    }
    Ok(())
}

fn wait_or_fail(error: io::Error) -> io::Result<()> {
    match error.kind() {
        ErrorKind::Interrupted => Ok(()),
        ErrorKind::WouldBlock => {
            thread::sleep(Duration::from_millis(5));
            Ok(())
        }
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_text_is_written() {
        let mut taken = Vec::new();
        let delivery = write_to(&mut taken, "a\nb", Channel::Stdout).unwrap();
        assert_eq!(taken, b"a\nb");
        assert_eq!((delivery.bytes, delivery.confirmed), (3, Confirmation::Confirmed));
    }

    #[cfg(unix)]
    #[test]
    fn a_reader_that_closes_early_is_not_an_error() {
        let (reader, mut writer) = io::pipe().unwrap();
        drop(reader);
        let delivery = write_to(&mut writer, "nobody reads this", Channel::Stdout).unwrap();
        assert_eq!((delivery.bytes, delivery.confirmed), (0, Confirmation::Unconfirmed));
        assert!(delivery.note.is_some());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error() {
        let mut full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let error = write_to(&mut full, "no room", Channel::Stdout).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }
}

//! Everything that differs between operating systems. No other module checks which system it is compiled for.
//!
//! Each function has a version for Unix and one for other systems. If the second one can run on Unix, tests compare
//! the two.
//!
//! | module | contents |
//! | --- | --- |
//! | `dir` | access relative to an open directory |
//! | `escape_key` | the Esc key while a command runs |
//! | `files` | opening, identifying and classifying files; paths and names of programs |
//! | `local_time` | the local time zone |
//! | `processes` | shells, process groups, running processes, the system's name |
//! | `signals` | signals and a closed terminal |
//! | `terminal` | waking the terminal's reader, suspending |

pub(crate) mod dir;
pub(crate) mod escape_key;
pub(crate) mod files;
pub(crate) mod local_time;
pub(crate) mod processes;
pub(crate) mod signals;
pub(crate) mod terminal;

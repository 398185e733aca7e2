//! The `teddy` command.

fn main() {}

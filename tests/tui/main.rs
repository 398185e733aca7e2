//! The screen without a terminal: keys in, the whole screen with its styles out, on a real project in a real repository.

mod budget;
mod keys;
mod pictures;
mod project;
mod screens;
mod story;

//! The screen without a terminal: receives keys, and returns text, styles or a picture. Jobs run immediately and in
//! order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crossterm::event::{KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::background::Brightness;
use super::jobs::{JobObserver, perform};
use super::keymap::{Key, Keymap};
use super::message::{EditResult, Effect, Job, JobResult, Message, Ticket};
use super::state::State;
use super::theme::Theme;
use super::update::{start, update};
use super::{svg, view};
use crate::app::backend::{Backend, OpenTarget, Progress, Request};
use crate::error::{Error, Result};

/// Drives the screen.
pub struct Driver {
    state: State,
    backend: Arc<dyn Backend>,
    terminal: Terminal<TestBackend>,
    /// Text that the editor returns, in tests.
    editor: Option<String>,
    /// True if the editor returns its input unchanged.
    editor_keeps: bool,
    clock: u64,
    /// Keys pressed while the next scan runs.
    meanwhile: Option<String>,
    /// Screens recorded during scans.
    frames: Vec<String>,
    /// Effects whose jobs have not run yet.
    waiting: Vec<Effect>,
}

/// State during a scan, the keys that are not pressed yet, and the results.
type Scan<'a> = (&'a mut State, Option<String>, Vec<Effect>);

/// Receives reports of a job. Presses keys during a scan and records whether they cancelled it.
struct RecordedResults<'a> {
    ticket: Ticket,
    heard: Mutex<Vec<JobResult>>,
    scan: Option<Mutex<Scan<'a>>>,
    /// Screens after each report.
    frames: Mutex<Vec<String>>,
}

impl JobObserver for RecordedResults<'_> {
    fn tell(&self, answer: JobResult) {
        let Some(scan) = &self.scan else {
            return self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
        };
        let mut scan = scan.lock().unwrap_or_else(PoisonError::into_inner);
        let (state, keys, effects) = &mut *scan;
        // All files have arrived, in any order.
        let all_read = matches!(answer, JobResult::Progress(Progress::Scoring));
        effects.extend(update(state, Message::JobResult(self.ticket, Box::new(answer))));
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).push(drawn(state));
        if !all_read {
            return;
        }
        for event in keys.take().map(|keys| events(&keys)).and_then(Result::ok).into_iter().flatten() {
            effects.extend(update(state, Message::Key(event)));
        }
    }

    fn should_continue(&self) -> bool {
        let Some(scan) = &self.scan else { return true };
        let scan = scan.lock().unwrap_or_else(PoisonError::into_inner);
        !scan.2.iter().any(|effect| matches!(effect, Effect::Cancel(_)))
    }
}

/// Converts a line of keys to events: key names as in the keymap, and `<…>` around text to type.
fn events(keys: &str) -> Result<Vec<KeyEvent>> {
    let mut all = Vec::new();
    let mut rest = keys.trim_start();
    while !rest.is_empty() {
        if let Some(typed) = rest.strip_prefix('<')
            && let Some(end) = typed.find('>')
        {
            let press = |character| KeyEvent::new(crossterm::event::KeyCode::Char(character), KeyModifiers::NONE);
            all.extend(typed[..end].chars().map(press));
            rest = typed[end + 1..].trim_start();
            continue;
        }
        let end = rest.find(' ').unwrap_or(rest.len());
        let name = &rest[..end];
        let key = Key::parse(name).ok_or_else(|| Error::input(format!("`{name}` is not a key"), ""))?;
        all.push(key.event());
        rest = rest[end..].trim_start();
    }
    Ok(all)
}

impl Driver {
    /// Opens the screen and runs all jobs.
    pub fn open(backend: Arc<dyn Backend>, entry: Option<OpenTarget>, theme: &str, size: (u16, u16)) -> Result<Self> {
        Self::open_and_press(backend, entry, theme, size, None)
    }

    /// Like [`Driver::open`], with keys pressed during the first scan, when the files are read but not scored.
    pub fn open_and_press(
        backend: Arc<dyn Backend>,
        entry: Option<OpenTarget>,
        theme: &str,
        size: (u16, u16),
        meanwhile: Option<&str>,
    ) -> Result<Self> {
        let keymap = Keymap::load(None)?;
        // `mono ascii` is the theme mono in plain characters.
        let (theme, ascii) = theme.strip_suffix(" ascii").map_or((theme, false), |theme| (theme, true));
        let theme = Theme::load(theme, ascii, None)?;
        let mut state = State::new(&backend.facts().root, keymap, theme, size);
        state.ui.themes = Theme::built_in(ascii)?;
        let begin = start(&mut state, entry, backend.facts());
        let terminal =
            Terminal::new(TestBackend::new(size.0, size.1)).map_err(|error| Error::input(error.to_string(), ""))?;
        let mut driver = Self {
            state,
            backend,
            terminal,
            editor: None,
            editor_keeps: false,
            clock: 0,
            meanwhile: None,
            frames: Vec::new(),
            waiting: Vec::new(),
        };
        driver.meanwhile = meanwhile.map(ToOwned::to_owned);
        driver.work(begin);
        Ok(driver)
    }

    /// Opens an entry and records every screen: before the scan, after each report, and at the end.
    pub fn frames_of_the_scan(backend: Arc<dyn Backend>, entry: OpenTarget, size: (u16, u16)) -> Result<Vec<String>> {
        let mut before =
            State::new(&backend.facts().root, Keymap::load(None)?, Theme::load("ansi", false, None)?, size);
        start(&mut before, Some(entry.clone()), backend.facts());
        let mut frames = vec![drawn(&before)];
        let mut driver = Self::open(backend, Some(entry), "ansi", size)?;
        frames.append(&mut driver.frames);
        frames.push(driver.text());
        Ok(frames)
    }

    /// Sets the text that `$EDITOR` saves.
    pub fn editor_writes(&mut self, text: &str) {
        (self.editor, self.editor_keeps) = (Some(text.to_owned()), false);
    }

    /// Makes the editor save its input unchanged.
    pub fn editor_keeps(&mut self) {
        self.editor_keeps = true;
    }

    /// Presses keys in order: names as in the keymap, `<…>` around text to type.
    pub fn keys(&mut self, keys: &str) -> Result<()> {
        for event in events(keys)? {
            self.send(Message::Key(event));
        }
        Ok(())
    }

    /// Presses keys and draws the frame after the last one; their jobs wait for [`Driver::run_jobs`], as if they were
    /// slow.
    pub fn press_and_draw(&mut self, keys: &str) -> Result<()> {
        for event in events(keys)? {
            self.waiting.extend(update(&mut self.state, Message::Key(event)));
        }
        let state = &self.state;
        // The test backend cannot fail.
        let _ = self.terminal.draw(|frame| view::draw(frame, state));
        Ok(())
    }

    /// Runs the jobs that [`Driver::press_and_draw`] has left waiting.
    pub fn run_jobs(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.work(waiting);
    }

    /// Sets keys to press during the next scan, when the files are read but not scored.
    pub fn press_during_scan(&mut self, keys: &str) {
        self.meanwhile = Some(keys.to_owned());
    }

    /// Pastes text.
    pub fn paste(&mut self, text: &str) {
        self.send(Message::Paste(text.to_owned()));
    }

    /// Clicks at a position.
    pub fn click(&mut self, column: u16, row: u16) {
        self.clock += 100;
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.send(Message::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }, self.clock));
    }

    /// Scrolls the wheel down at a position.
    pub fn wheel_down(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::ScrollDown;
        self.send(Message::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }, self.clock));
    }

    /// Reports the terminal's background, and lets it determine the theme.
    pub fn background(&mut self, light: bool) {
        self.state.ui.follow_background = true;
        let brightness = if light { Brightness::Light } else { Brightness::Dark };
        self.send(Message::Background(brightness));
    }

    /// Reports changed files to the screen.
    pub fn changed(&mut self, paths: &[&str]) {
        self.send(Message::Changed(paths.iter().map(|path| (*path).to_owned()).collect()));
    }

    /// Resizes the screen.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.send(Message::Resize(width, height));
    }

    /// Returns true if the person quit.
    pub fn has_left(&self) -> bool {
        self.state.ui.quit
    }

    fn send(&mut self, message: Message) {
        let effects = update(&mut self.state, message);
        self.work(effects);
    }

    fn work(&mut self, effects: Vec<Effect>) {
        let mut queue: VecDeque<Effect> = effects.into();
        while let Some(effect) = queue.pop_front() {
            let (ticket, job) = match effect {
                Effect::Start(ticket, job) => (ticket, job),
                Effect::EditText(before) => {
                    let text = if self.editor_keeps { Some(before) } else { self.editor.clone() };
                    let edited = text.map_or(EditResult::File, EditResult::Text);
                    queue.extend(update(&mut self.state, Message::Edited(Ok(edited))));
                    continue;
                }
                _ => continue,
            };
            let scans = matches!(job, Job::Request(Request::Open(_) | Request::Rescan));
            let keys = if scans { self.meanwhile.take() } else { None };
            let scan = scans.then(|| Mutex::new((&mut self.state, keys, Vec::new())));
            let tape = RecordedResults { ticket, heard: Mutex::default(), scan, frames: Mutex::default() };
            let answer = perform(self.backend.as_ref(), job, &tape);
            let RecordedResults { heard, scan, frames, .. } = tape;
            self.frames.append(&mut frames.into_inner().unwrap_or_else(PoisonError::into_inner));
            queue.extend(scan.into_iter().flat_map(|scan| scan.into_inner().unwrap_or_else(PoisonError::into_inner).2));
            let mut all = heard.into_inner().unwrap_or_else(PoisonError::into_inner);
            all.extend(answer);
            for answer in all {
                queue.extend(update(&mut self.state, Message::JobResult(ticket, Box::new(answer))));
            }
        }
    }

    fn buffer(&mut self) -> Buffer {
        let state = &self.state;
        // The test backend cannot fail.
        let _ = self.terminal.draw(|frame| view::draw(frame, state));
        self.terminal.backend().buffer().clone()
    }

    /// The screen as text.
    pub fn text(&mut self) -> String {
        let buffer = self.buffer();
        lines(&buffer).join("\n") + "\n"
    }

    /// The screen as text, followed by the positions of styles; repeated rows are shown once.
    pub fn styled(&mut self) -> String {
        let buffer = self.buffer();
        styled(&buffer)
    }

    /// The style of this text at its first position below the budget bar.
    pub fn style_of(&mut self, text: &str) -> Option<String> {
        let buffer = self.buffer();
        let first: String = text.chars().take(1).collect();
        for (y, line) in lines(&buffer).iter().enumerate().skip(3) {
            let Some(at) = line.find(text) else { continue };
            let x = line[..at].chars().count() as u16;
            let cell = buffer.cell((x, y as u16)).filter(|cell| cell.symbol() == first)?;
            return Some(svg::named(cell));
        }
        None
    }

    /// The screen as a picture.
    pub fn svg(&mut self) -> String {
        let buffer = self.buffer();
        svg::picture(&buffer)
    }
}

/// A state as text with its styles.
fn drawn(state: &State) -> String {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(state.ui.size.0, state.ui.size.1));
    let _ = terminal.draw(|frame| view::draw(frame, state));
    styled(terminal.backend().buffer())
}

/// Rows of style letters, and the letters used: `.4a12` is four plain cells and twelve of style `a`.
fn styled(buffer: &Buffer) -> String {
    let mut out = once(&lines(buffer));
    let mut legend: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    for y in 0..buffer.area.height {
        let mut runs: Vec<(char, usize)> = Vec::new();
        for x in 0..buffer.area.width {
            let Some(cell) = buffer.cell((x, y)) else { continue };
            let style = svg::named(cell);
            let at = legend.iter().position(|known| *known == style);
            let at = at.unwrap_or_else(|| {
                legend.push(style.clone());
                legend.len() - 1
            });
            let letter = if style.is_empty() { '.' } else { char::from(b'a' + (at % 26) as u8) };
            match runs.last_mut() {
                Some((known, count)) if *known == letter => *count += 1,
                _ => runs.push((letter, 1)),
            }
        }
        let run = |(letter, count): &(char, usize)| format!("{letter}{count}");
        rows.push(runs.iter().map(run).collect::<Vec<_>>().concat());
    }
    out.push_str("---\n");
    out.push_str(&once(&rows));
    for (at, style) in legend.iter().enumerate().filter(|(_, style)| !style.is_empty()) {
        out.push_str(&format!("{} = {style}\n", char::from(b'a' + (at % 26) as u8)));
    }
    out
}

/// Replaces each run of equal lines by one line and their number.
fn once(lines: &[String]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        let same = lines[at..].iter().take_while(|line| **line == lines[at]).count();
        out.push_str(&lines[at]);
        out.push('\n');
        if same > 2 {
            out.push_str(&format!("({} more like this)\n", same - 1));
            at += same;
        } else {
            at += 1;
        }
    }
    out
}

fn lines(buffer: &Buffer) -> Vec<String> {
    let mut lines = Vec::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            let Some(cell) = buffer.cell((x, y)) else { continue };
            if skip > 0 {
                skip -= 1;
                continue;
            }
            line.push_str(cell.symbol());
            skip = unicode_width::UnicodeWidthStr::width(cell.symbol()).saturating_sub(1);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

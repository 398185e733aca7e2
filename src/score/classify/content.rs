//! Detects tasks without content, such as "do the thing" or "Ticket 4412".

use super::cues::lexicon;
use super::tokens::{NUMBER, Prose, TRIM, prose, tokens};

/// Text with more lines always has content.
const LINES: usize = 3;

/// Returns false if the text consists only of filler words, numbers and ticket ids.
pub fn has_content(text: &str) -> bool {
    let Prose { lines, fenced, trace } = prose(text);
    fenced || trace || lines.len() > LINES || lines.iter().any(|line| line_has_content(line))
}

fn line_has_content(line: &str) -> bool {
    let lexicon = lexicon();
    let mut low = line.to_lowercase().replace('’', "'");
    for word in &lexicon.empty_anywhere {
        low = low.replace(word, " ");
    }
    low.split_whitespace().any(|chunk| {
        let bare = chunk.trim_matches(|c| TRIM.contains(c) || c == '#');
        if lexicon.empty.contains(bare) || is_ticket(bare) {
            return false;
        }
        let says = |token: &String| !lexicon.empty.contains(token.as_str()) && token != NUMBER && token != "?";
        tokens(chunk, &mut Vec::new()).iter().any(says)
    })
}

/// Returns true for ticket ids: `proj-1234`
fn is_ticket(word: &str) -> bool {
    word.split_once('-').is_some_and(|(head, tail)| {
        (1..=6).contains(&head.chars().count())
            && head.chars().all(char::is_alphabetic)
            && !tail.is_empty()
            && tail.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_filler_words_have_no_content() {
        for text in [
            "go ahead with it",
            "Some minor updates",
            "ABC-91",
            "#12",
            "as we said yesterday",
            "mach das bitte fertig",
            "sigue con eso",
            "fais comme hier",
            "сделай как обычно",
            "请继续处理",
            "続きをお願いします",
            "계속 부탁합니다",
        ] {
            assert!(!has_content(text), "{text}");
        }
    }

    #[test]
    fn short_tasks_with_a_subject_have_content() {
        for text in [
            "fix the login",
            "review my diff",
            "`parse` fails",
            "src/a.rs",
            "ABC-91 refunds",
            "make the admin faster",
            "登录失败",
            "ログイン画面を改善",
            "로그인 오류 수정",
            "explain this code",
        ] {
            assert!(has_content(text), "{text}");
        }
    }
}

//! Types, complexities and reasons for tasks in many styles and languages.

use super::*;
use crate::ids::FileId;

fn typed(text: &str) -> Option<TaskType> {
    Inference::new(text).task_type
}

fn sized(text: &str) -> Option<Complexity> {
    Inference::new(text).complexity(&Scores::default(), &|_| String::new()).0
}

#[test]
fn types_are_inferred() {
    use TaskType::{Analyze, Debug, Docs, Implement, Refactor, Review, Test};
    for (text, kind) in [
        ("Add refunds to the payment service", Implement),
        ("Users should be able to pay in two parts", Implement),
        ("The ledger crashes on empty names", Debug),
        ("Pay\n\nTraceback (most recent call last):\n  File \"pay.py\", line 3, in pay\n", Debug),
        ("Refunds are booked twice since the last update", Debug),
        ("`Ledger.close` returns nothing", Debug),
        ("Rename Ledger to Book", Refactor),
        ("Split the ledger into smaller modules, behaviour stays the same", Refactor),
        ("Write tests for the ledger", Test),
        ("Add test coverage of refunds", Test),
        ("How are refunds booked? I don't want any changes", Analyze),
        ("What does `settle` do?", Analyze),
        ("Analyze how the scheduler steals tasks", Analyze),
        ("Please explain why the ledger is closed twice", Analyze),
        ("Explain why the ledger crashes and fix it", Debug),
        ("Please review my branch refunds before I merge it", Review),
        ("Have a look at PR 12 and tell me what is wrong with it", Review),
        ("Update the README: the port is 8080 now", Docs),
        ("Write a docstring for `settle`", Docs),
        ("docs: name the new options", Docs),
    ] {
        assert_eq!(typed(text), Some(kind), "{text}");
    }
}

#[test]
fn types_are_inferred_in_other_languages() {
    use TaskType::{Analyze, Debug, Docs, Implement, Refactor, Review, Test};
    for (text, kind) in [
        ("Füge eine Suche nach Kundennummern hinzu", Implement),
        ("Das Programm stürzt beim Drucken ab", Debug),
        ("Añade una búsqueda por número de cliente", Implement),
        ("La búsqueda no funciona con acentos, corrige el error", Debug),
        ("Écris des tests pour la recherche", Test),
        ("Comment fonctionne la recherche ? Je ne veux rien changer", Analyze),
        ("Renomeie a classe `Cliente` para `Pessoa`", Refactor),
        ("Aggiorna la documentazione della ricerca", Docs),
        ("Объясни, как работает поиск", Analyze),
        ("Исправь ошибку при поиске", Debug),
        ("为搜索功能编写单元测试", Test),
        ("请审查我的分支", Review),
        ("検索機能を追加してください", Implement),
        ("検索の仕組みを説明してください", Analyze),
        ("검색 기능을 추가해 주세요", Implement),
        ("Napisz testy dla wyszukiwarki", Test),
    ] {
        assert_eq!(typed(text), Some(kind), "{text}");
    }
}

#[test]
fn scope_decides_the_complexity() {
    for (text, least) in [
        ("make the admin faster", Complexity::Medium),
        ("rewrite the whole ORM query compiler to support async end to end", Complexity::Complex),
        ("Redesign the authentication system and migrate all users", Complexity::Complex),
        ("Remove the global lock everywhere, across all services", Complexity::Complex),
        ("Die gesamte Anwendung auf TypeScript umstellen", Complexity::Complex),
        ("重写整个数据访问层", Complexity::Complex),
    ] {
        assert!(sized(text) >= Some(least), "{text}: {:?}", sized(text));
    }
    for text in ["Fix the typo in the label of the save button", "`round(-0.5)` returns 1"] {
        assert_eq!(sized(text), Some(Complexity::Simple), "{text}");
    }
}

#[test]
fn many_scattered_targets_raise_the_complexity() {
    let targets = FileId::all(12).map(|file| (file, 0.9)).collect();
    let scores = Scores { targets, ..Scores::default() };
    let inference = Inference::new("Let orders carry a currency");
    let (alone, _) = inference.complexity(&Scores::default(), &|_| String::new());
    let (spread, reason) = inference.complexity(&scores, &|file| format!("dir{file:?}/a.py"));
    assert!(spread > alone, "{alone:?} {spread:?}");
    assert!(reason.contains("12 likely targets in 12 directories"), "{reason}");
}

#[test]
fn tasks_without_content_are_not_guessed() {
    for text in ["do it", "Various improvements", "ABC-12", "mach weiter", "继续"] {
        let inference = Inference::new(text);
        assert_eq!(inference.task_type, None, "{text}");
        assert_eq!(inference.complexity(&Scores::default(), &|_| String::new()).0, None, "{text}");
    }
}

#[test]
fn reasons_quote_the_text() {
    let inference = Inference::new("The search crashes on umlauts since the update");
    assert!(inference.type_reason.contains("'crashes'"), "{}", inference.type_reason);
    let (_, reason) = Inference::new("Rename it everywhere").complexity(&Scores::default(), &|_| String::new());
    assert!(reason.contains("'everywhere'"), "{reason}");
    assert_eq!(Inference::new("fix(ui): wrong colour").type_reason, "the prefix 'fix:'");
}

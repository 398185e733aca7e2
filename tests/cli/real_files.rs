//! Tests with realistic files and repositories: encodings, notebooks, generated files, unusual repositories.

use std::fs;

use super::support::{Place, TASK, item, ran};

#[test]
fn a_file_in_a_legacy_encoding_is_delivered_as_utf8() {
    let place = Place::repository();
    // Shift-JIS for "refund the amount" in a comment, with CRLF line endings.
    let comment = b"# \x95\xa5\x82\xa2\x96\xdf\x82\xb5\x82\xcc\x8b\xe0\x8a\x7a\x82\xf0\x8c\x76\x8e\x5a\x82\xb7\x82\xe9";
    let bytes = [comment.as_slice(), b"\r\ndef refund_payment(amount):\r\n    return amount\r\n"].concat();
    fs::write(place.path("src/refund.py"), bytes).unwrap();
    place.commit("Add refunds");
    let ran = place.ok(&["plan", TASK, "--pin", "src/refund.py", "--stdout", "--dry-run"]);
    assert!(ran.out.contains("払い戻しの金額を計算する\r\ndef refund_payment"), "{}", ran.out);
    assert!(ran.out.contains("Converted from Shift_JIS to UTF-8: `src/refund.py`"), "{}", ran.out);
    assert!(!ran.out.contains('\u{fffd}'));
    let ran = place.ok(&["plan", TASK, "--pin", "src/refund.py", "--format", "invocation", "--stdout", "--dry-run"]);
    assert!(
        ran.out.contains("払い戻し") && ran.err.contains("`src/refund.py` was converted from Shift_JIS"),
        "{}",
        ran.err
    );
}

#[test]
fn a_notebook_is_delivered_as_its_cells() {
    let place = Place::repository();
    let image = "iVBORw0KGgo".repeat(150_000);
    let notebook = serde_json::json!({
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# Refund report\n"]},
            {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["def refund_total(rows):\n", "    return sum(rows)\n"],
             "outputs": [{"output_type": "display_data", "data": {"image/png": image}}]},
        ],
        "metadata": {"kernelspec": {"name": "secret_kernel"}}, "nbformat": 4, "nbformat_minor": 5,
    });
    place.write("reports/refunds.ipynb", &notebook.to_string());
    let plan = place.placed(&["--pin", "reports/refunds.ipynb"]);
    let tokens = item(&plan, "reports/refunds.ipynb")["tokens"].as_u64().unwrap();
    assert!(tokens < 100, "{tokens}");
    let payload = place.ok(&["plan", TASK, "--pin", "reports/refunds.ipynb", "--stdout", "--dry-run"]).out;
    let cells = "# %% [markdown]\n# # Refund report\n\n# %%\ndef refund_total(rows):\n    return sum(rows)\n";
    assert!(payload.contains(cells), "{payload}");
    assert!(!payload.contains("iVBOR") && !payload.contains("secret_kernel"));
    place.ok(&["plan", TASK]);
    let lines = place.ok(&["fetch", "reports/refunds.ipynb:5-6"]).out;
    assert!(lines.contains("def refund_total(rows):\n    return sum(rows)\n"), "{lines}");
}

#[test]
fn bulky_generated_files_enter_raw_only_if_pinned() {
    let place = Place::repository();
    let entries = |entry: &str| format!("{entry}\n").repeat(400);
    place.write("package-lock.json", &entries("\"payment-refund\": {\"version\": \"1.0.0\"},"));
    place.write("static/payment.min.js", &"function refundPayment(a){return a};".repeat(300));
    place.write("static/payment.js.map", &entries("\"refund payment service\""));
    place.write("src/__snapshots__/payment.test.js.snap", &entries("refund payment service"));
    place.write("static/refund-payment.svg", &entries("<path d=\"M0 0L1 1 refund payment\"/>"));
    place.commit("Add refund capability to the payment service");
    let paths = [
        "package-lock.json",
        "static/payment.min.js",
        "static/payment.js.map",
        "src/__snapshots__/payment.test.js.snap",
        "static/refund-payment.svg",
    ];
    let plan = place.placed(&["--fill", "--budget", "400k"]);
    for path in paths {
        assert_ne!(item(&plan, path)["tier"], "raw", "{path}");
    }
    let pinned = place.placed(&["--budget", "400k", "--pin", "static/payment.js.map"]);
    assert_eq!(item(&pinned, "static/payment.js.map")["tier"], "raw");
}

#[test]
fn missing_git_signals_are_explained_in_one_line() {
    for (arguments, why) in [
        (["init", "-q", "--object-format=sha256"], "git signals are off: the repository uses SHA-256 object ids"),
        (["init", "-q", "--ref-format=reftable"], "git signals are off: the repository uses reftable"),
    ] {
        let place = Place::plain();
        place.git(&arguments);
        place.commit("Charge cards and keep a ledger");
        let ran = place.ok(&["plan", TASK, "--stdout", "--dry-run"]);
        assert!(ran.err.lines().any(|line| line.contains(why)), "{}", ran.err);
        assert!(ran.out.contains("src/payment.py"));
    }
}

#[test]
fn the_store_of_a_jujutsu_workspace_is_not_read() {
    let place = Place::plain();
    place.write(".jj/repo/store/type", "refund payment service");
    let plan = place.placed(&[]);
    assert!(plan["items"].as_array().unwrap().iter().all(|item| !item["path"].as_str().unwrap().starts_with(".jj")));
}

#[test]
fn an_old_repository_has_no_recently_changed_file() {
    let place = Place::repository();
    place.write("src/payment.py", &format!("{}\n# Refunds follow.\n", place.read("src/payment.py")));
    place.commit("Note refunds");
    let recent = |now: Option<&str>| {
        let mut command = place.teddy();
        match now {
            Some(now) => command.env("SOURCE_DATE_EPOCH", now),
            None => command.env_remove("SOURCE_DATE_EPOCH"),
        };
        ran(command.args(["explain", "src/payment.py", "--task", TASK])).out
    };
    // Four days, then a year after the commit.
    assert!(recent(Some("1769250600")).contains("changed 2026-01-20"), "{}", recent(Some("1769250600")));
    assert!(!recent(Some("1800000000")).contains("changed 2026-01-20"));
    // Without the variable the system clock decides: a commit of 2001 is old.
    let old = Place::repository();
    old.write("src/payment.py", "def refund():\n    pass\n");
    let date = "2001-01-01T00:00:00Z";
    let mut commit = std::process::Command::new("git");
    commit.args(["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-a", "-m", "Refund"]);
    commit.current_dir(old.root()).env("GIT_AUTHOR_DATE", date).env("GIT_COMMITTER_DATE", date);
    assert!(commit.status().unwrap().success());
    let mut command = old.teddy();
    command.env_remove("SOURCE_DATE_EPOCH").args(["explain", "src/payment.py", "--task", TASK]);
    assert!(!ran(&mut command).out.contains("changed 2001-01-01"));
}

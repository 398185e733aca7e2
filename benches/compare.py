"""Compare teddy with roust, BM25 and aider's repository map on the same tasks: the tables in docs/comparison.md.

    compare.py --harness DIR --mirrors DIR --cache DIR [--systems teddy,roust,bm25,aider] [--every N]

The harness directory has `run_eval.py` and its tasks, the mirrors are `<owner>+<name>/repo` bare git directories, and the cache
keeps the results. An interrupted run continues; `--fresh` measures again, and is needed after a system has changed. The tables
cover the tasks that all of --systems have. numpy and tiktoken must be installed.

Every system gets the task's text, a checkout that has no later commit, and the same token budget. The harness counts tokens and
scores lines; nothing beyond the budget scores.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

COLUMNS = [("lines", "changed lines"), ("defs", "whole functions"), ("recall_linked", "changed files"), ("test_cut_recall", "changed tests"),
           ("token_precision", "useful tokens"), ("over", "over budget")]


def rank_with_aider(task_file):
    """Print the files of the current directory in the order of aider's map. Runs under the Python that has aider."""
    from aider.repomap import RepoMap

    class Silent:
        """Input and output without a terminal; also counts tokens, which ranking does not need."""

        def read_text(self, path, **_):
            try:
                return Path(path).read_text("utf-8")
            except (OSError, UnicodeError):
                return None

        def tool_output(self, *_, **__):
            pass

        tool_warning = tool_error = tool_output

        def token_count(self, text):
            return len(text) // 4

    text, root = Path(task_file).read_text("utf-8"), Path.cwd()
    tracked = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    files = [name for name in tracked if name and (root / name).is_file()]
    words = set(re.split(r"\W+", text))
    lower = {word.lower() for word in words if len(word) >= 5}
    mentioned = {name for name in files if name in text or Path(name).stem.lower() in lower}
    silent = Silent()
    tags = RepoMap(root=str(root), main_model=silent, io=silent).get_ranked_tags(set(), {str(root / name) for name in files}, mentioned, words)
    print("\n".join(dict.fromkeys(tag[0] for tag in tags)))


def commands(options):
    """External systems: name -> (adapter of the harness, command)."""
    query = f'{shlex.quote(options.roust)} --json --no-cache --budget {{budget}} -- "$(cat {{task}})" .'
    aider = [options.aider_python, str(Path(__file__).resolve()), "--rank-with-aider", "{task}"]
    return {
        "teddy": ("teddy", f"{shlex.quote(options.teddy)} plan --task-file {{task}} --budget {{budget}} --fill --dry-run --no-tui --json"),
        "roust": ("roust", f"sh -c {shlex.quote(query)}"),
        "aider": ("lines", shlex.join(aider)),
    }


def measure(harness, system, tasks, store, options):
    """Append one row per task that has none yet."""
    rows = {} if options.fresh else load(store)
    todo = [task for task in tasks if task["id"] not in rows]
    with store.open("w" if options.fresh else "a") as out:
        if system == "bm25":
            found = harness.run_internal("bm25_k12", todo, [options.budget]) if todo else []
        else:
            adapter, command = commands(options)[system]
            found = harness.run_external(command, adapter, todo, [options.budget], options.jobs, options.timeout)
        for row in found:
            if system == "bm25":
                row[str(options.budget)]["recall_linked"] = None  # the harness lists 20 further files free of charge
            print(json.dumps(row), file=out, flush=True)


def load(store):
    return {row["id"]: row for row in map(json.loads, store.open())} if store.exists() else {}


def average(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def percent(value):
    return "–" if value is None else f"{100 * value:.1f}"


def table(rows, ids, budget):
    """Every system on the tasks that all of them have."""
    print(f"| {len(ids)} tasks, {budget:,} tokens | " + " | ".join(label for _, label in COLUMNS) + " | tokens | first hit (MRR) | failed |")
    print("| --- |" + " --- |" * (len(COLUMNS) + 3))
    for system, found in rows.items():
        scores = [found[task][str(budget)] for task in ids]
        cells = [percent(average(score.get(key) for score in scores)) for key, _ in COLUMNS]
        tokens, first = average(score["tokens"] for score in scores), average(found[task]["rank"]["mrr"] for task in ids)
        failed = sum("errors" in found[task] for task in ids)
        print(f"| {system} | " + " | ".join(cells) + f" | {tokens:,.0f} | {first:.3f} | {failed} |")


def by_language(rows, tasks, budget):
    """Changed lines by language, and on how many tasks teddy has more or fewer of them."""
    groups = defaultdict(list)
    for task in tasks:
        groups[task["language"]].append(task["id"])
    names = sorted(groups, key=lambda name: -len(groups[name]))
    print("\n| changed lines | " + " | ".join(f"{name} ({len(groups[name])})" for name in names) + " | teddy more / fewer |")
    print("| --- |" + " --- |" * (len(names) + 1))

    def share(system, task):
        return rows[system][task][str(budget)]["lines"] or 0

    for system in rows:
        cells = [percent(average(share(system, task) for task in groups[name])) for name in names]
        pairs = [(share("teddy", task["id"]), share(system, task["id"])) for task in tasks] if "teddy" in rows else []
        more, fewer = sum(a > b + .005 for a, b in pairs), sum(a < b - .005 for a, b in pairs)
        print(f"| {system} | " + " | ".join(cells) + (" | |" if system == "teddy" else f" | {more} / {fewer} |"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--harness", type=Path, required=True)
    arguments.add_argument("--mirrors", type=Path, required=True)
    arguments.add_argument("--cache", type=Path, required=True)
    arguments.add_argument("--systems", default="teddy,roust,bm25,aider")
    arguments.add_argument("--every", type=int, default=1, help="use every n-th task only")
    arguments.add_argument("--budget", type=int, default=27_000)
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--timeout", type=float, default=300)
    arguments.add_argument("--fresh", action="store_true", help="measure again instead of continuing")
    arguments.add_argument("--report", action="store_true", help="only print the tables of what is measured")
    arguments.add_argument("--teddy", default="teddy")
    arguments.add_argument("--roust", default="roust")
    arguments.add_argument("--aider-python", default="python3", help="the Python of an environment that has aider-chat")
    options = arguments.parse_args()
    cache = options.cache.resolve()
    os.environ.update(EVAL_MIRROR=str(options.mirrors.resolve()), EVAL_CACHE=str(cache), EVAL_RESULTS=str(cache / "results"))
    sys.path.insert(0, str(options.harness.resolve()))
    import common
    import run_eval
    tasks = common.load_tasks("dev")[:: options.every]
    stores = {system: cache / "compare" / f"{system}.{options.budget}.jsonl" for system in options.systems.split(",")}
    (cache / "compare").mkdir(parents=True, exist_ok=True)
    for system, store in stores.items():
        if not options.report:
            measure(run_eval, system, tasks, store, options)
    rows = {system: load(store) for system, store in stores.items()}
    tasks = [task for task in tasks if all(task["id"] in found for found in rows.values())]
    table(rows, [task["id"] for task in tasks], options.budget)
    by_language(rows, tasks, options.budget)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank-with-aider"]:
        rank_with_aider(sys.argv[2])
    else:
        main()

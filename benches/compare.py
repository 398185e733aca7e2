"""Compare teddy with roust, BM25 and aider's repository map on the same tasks: the tables in docs/comparison.md.

    compare.py --cache DIR [--mirrors DIR] [--texts FILE] [--systems teddy,roust,bm25,aider] [--every N] [--budget N]

Every system gets the task's text, a checkout that has no later commit, and the same token budget. evaluate.py supplies the tasks,
counts tokens and computes the measures; content beyond the budget is ignored. The cache keeps the results, and an interrupted run continues; `--fresh`
measures again, and is needed after a system has changed. The tables cover the tasks that all of --systems have.
"""
import argparse
import json
import math
import re
import shlex
import subprocess
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COLUMNS = [("lines", "changed lines"), ("functions", "whole functions"), ("found", "changed files"), ("tests", "changed tests"),
           ("useful", "useful tokens"), ("over", "over budget")]


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


# ---- BM25 over whole files

SOURCES = set("""py pyx pyi rs go java kt scala groovy ts tsx mts cts js jsx mjs cjs vue svelte c h cc cpp cxx hpp hh hxx inl rb php
lua cs swift m mm vim sh zig""".split())
COMMON = set("""a an and are as at be but by can do for from has have if in is it not of on or that the then this to was we when which
will with you""".split())
TEST = re.compile(r"(^|/)(tests?|__tests__|specs?|testdata|fixtures|e2e|testing|benches|jmh)/|(^|/)(test_|conftest)[^/]*$|[_.](test|spec)s?\.\w+$|Tests?\.\w+$")


def words(text):
    """Lower-case identifiers and their parts."""
    found = Counter()
    for name in re.findall(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]{2,}", text):
        parts = {part.lower() for part in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+", name) if len(part) > 1}
        found.update((parts | {name.lower()}) - COMMON)
    return found


def rank_with_bm25(task_file):
    """Print the source files of the current directory by BM25 (k1 1.2, b 0.75) over their text and path, tests last."""
    query = words(Path(task_file).read_text("utf-8"))
    tracked = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    paths = [name for name in tracked if name.rsplit(".", 1)[-1].lower() in SOURCES and Path(name).is_file()]
    documents = [words(Path(name).read_text("utf-8", "replace") + "\n" + name) for name in paths]
    lengths = [sum(document.values()) for document in documents]
    mean = sum(lengths) / max(1, len(lengths))
    scores = [0.0] * len(paths)
    for term, times in query.items():
        having = [at for at, document in enumerate(documents) if term in document]
        rarity = math.log(1 + (len(paths) - len(having) + 0.5) / (len(having) + 0.5))
        for at in having:
            count = documents[at][term]
            scores[at] += (1 + math.log(times)) * rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[at] / mean))
    order = sorted(range(len(paths)), key=lambda at: (bool(TEST.search(paths[at])), -scores[at], paths[at]))
    print("\n".join(paths[at] for at in order))


# ---- measuring

def commands(options):
    """Systems: name -> (reader of evaluate.py, command)."""
    query = f'{shlex.quote(options.roust)} --json --no-cache --budget {{budget}} -- "$(cat {{task}})" .'
    own = str(Path(__file__).resolve())
    return {
        "teddy": ("teddy", evaluate.TEDDY),
        "roust": ("roust", f"sh -c {shlex.quote(query)}"),
        "bm25": ("paths", shlex.join([sys.executable, own, "--rank-with-bm25", "{task}"])),
        "aider": ("paths", shlex.join([options.aider_python, own, "--rank-with-aider", "{task}"])),
    }


def run(system, tasks, store, options):
    """Append one row for each task that has none yet."""
    known = {} if options.fresh else load(store)
    reader, command = commands(options)[system]

    def one(task):
        return {"id": task["id"], **evaluate.run(options, task, command, reader, options.budget, options.timeout)}

    with store.open("w" if options.fresh else "a") as out, ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(one, [task for task in tasks if task["id"] not in known]):
            print(json.dumps(row), file=out, flush=True)


def load(store):
    return {row["id"]: row for row in map(json.loads, store.open())} if store.exists() else {}


def percent(value):
    return "–" if value is None else f"{100 * value:.1f}"


def table(rows, ids, budget):
    """Every system on the tasks that all of them have."""
    print(f"| {len(ids)} tasks, {budget:,} tokens | " + " | ".join(label for _, label in COLUMNS) + " | tokens | first hit (MRR) | failed |")
    print("| --- |" + " --- |" * (len(COLUMNS) + 3))
    for system, found in rows.items():
        def mean(key, found=found):
            return evaluate.average(found[task][key] for task in ids)

        # These systems only rank files: there are no links to count, and packing the files never exceeds the budget.
        packed = system in ("bm25", "aider")
        cells = [percent(None if packed and key in ("found", "over") else mean(key)) for key, _ in COLUMNS]
        failed = sum("failed" in found[task] for task in ids)
        print(f"| {system} | " + " | ".join(cells) + f" | {mean('tokens'):,.0f} | {mean('first'):.3f} | {failed} |")


def by_language(rows, tasks):
    """Changed lines by language, and on how many tasks teddy has more or fewer of them."""
    groups = defaultdict(list)
    for task in tasks:
        groups[task["language"]].append(task["id"])
    names = sorted(groups, key=lambda name: -len(groups[name]))
    print("\n| changed lines | " + " | ".join(f"{name} ({len(groups[name])})" for name in names) + " | teddy more / fewer |")
    print("| --- |" + " --- |" * (len(names) + 1))

    def share(system, task):
        return rows[system][task]["lines"] or 0

    for system in rows:
        cells = [percent(evaluate.average(share(system, task) for task in groups[name])) for name in names]
        pairs = [(share("teddy", task["id"]), share(system, task["id"])) for task in tasks] if "teddy" in rows else []
        more, fewer = sum(a > b + .005 for a, b in pairs), sum(a < b - .005 for a, b in pairs)
        print(f"| {system} | " + " | ".join(cells) + (" | |" if system == "teddy" else f" | {more} / {fewer} |"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    evaluate.add_arguments(arguments)
    arguments.add_argument("--systems", default="teddy,roust,bm25,aider")
    arguments.add_argument("--budget", type=int, default=27_000)
    arguments.add_argument("--timeout", type=float, default=300)
    arguments.add_argument("--fresh", action="store_true", help="measure again instead of continuing")
    arguments.add_argument("--report", action="store_true", help="only print the tables of the stored results")
    arguments.add_argument("--roust", type=evaluate.program, default="roust")
    arguments.add_argument("--aider-python", type=evaluate.program, default="python3", help="the Python of an environment that has aider-chat")
    options = arguments.parse_args()
    options.cache = options.cache.resolve()
    tasks, unknown = evaluate.load_tasks(texts=options.texts)
    if unknown:
        print(f"{unknown} tasks are omitted: use --texts to supply their issues", file=sys.stderr)
    tasks = tasks[:: options.every]
    stores = {system: options.cache / "compare" / f"{system}.{options.budget}.jsonl" for system in options.systems.split(",")}
    (options.cache / "compare").mkdir(parents=True, exist_ok=True)
    for system, store in stores.items():
        if not options.report:
            run(system, tasks, store, options)
    rows = {system: load(store) for system, store in stores.items()}
    tasks = [task for task in tasks if all(task["id"] in found for found in rows.values())]
    table(rows, [task["id"] for task in tasks], options.budget)
    by_language(rows, tasks)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank-with-aider"]:
        rank_with_aider(sys.argv[2])
    elif sys.argv[1:2] == ["--rank-with-bm25"]:
        rank_with_bm25(sys.argv[2])
    else:
        import evaluate
        main()

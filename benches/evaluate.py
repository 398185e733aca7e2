"""Evaluate a selection of files on 163 real changes: the evaluation that teddy's weights were fitted on.

    python3 -m venv venv && venv/bin/pip install tiktoken
    venv/bin/python benches/evaluate.py --cache DIR

The second command clones the 13 repositories into DIR (or takes them from `--mirrors DIR`), checks out each task's base commit without
any later commit, runs teddy at four budgets and with its defaults, and prints the figures of docs/scoring.md. `--weight NAME=VALUE` sets a weight,
`--json FILE` writes every result, and `--every N` uses only every n-th task. `--bench FILE` measures the commits that `teddy bench
--json` measured, to check its figures.

For each task, tasks.jsonl contains the repository, the base commit, the changed source files with the changed lines and the functions
around them, and the changed tests, but not the text. The text of 90 tasks is the message of the commit that made the change, which is read from
the repository. The other 73 are issues of SWE-bench and SWE-bench Multilingual: `--texts FILE` reads JSON Lines with `instance_id` and
`problem_statement`, as in these data sets. Without `--texts`, these tasks are omitted.

Tokens are counted here, not by the program under test, with the o200k encoding. The heading of each file costs 12 tokens. An excerpt
costs at least 25 tokens and at least what the program states. Files in RAW beyond 102% of the budget do not count. Each link costs 25
of the tokens that RAW does not use.
"""
import argparse
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TASKS = Path(__file__).resolve().parent / "tasks.jsonl"
BUDGETS = [13_000, 27_000, 50_000, 100_000]
DEFAULT = "default"
HEADING, LEAST, LINK, SLACK = 12, 25, 25, 1.02
# Number of files that are tried when a ranking is packed.
DEPTH = 400

TEDDY = "{teddy} plan --task-file {task} --budget {budget} --fill --dry-run --no-tui --json"
TEDDY_DEFAULT = "{teddy} plan --task-file {task} --dry-run --no-tui --json"


# ---- tasks

def load_tasks(file=TASKS, texts=None):
    """The tasks with a known text, and the number of the others."""
    given = {}
    if texts:
        for row in map(json.loads, Path(texts).open()):
            given[row["instance_id"]] = row["problem_statement"]
    tasks = [json.loads(line) for line in Path(file).open()]
    for task in tasks:
        if task["id"] in given:
            task["text"] = given[task["id"]]
    known = [task for task in tasks if "commit" in task or "text" in task]
    return known, len(tasks) - len(known)


def load_bench(file):
    """The commits that `teddy bench --json` measured, as tasks."""
    return [{
        "id": commit["id"], "repo": "bench", "base": commit["parent"], "text": commit["task"], "tests": commit["tests"],
        "files": {file["path"]: {"lines": file["lines"], "functions": file["functions"]} for file in commit["files"]},
    } for commit in json.loads(Path(file).read_text())["commits"]]


def message_of(repository, commit):
    """The message of a commit without trailers and without references to issues and reviews, which do not describe the change."""
    lines = []
    for line in git(repository, "log", "-1", "--format=%B", commit).splitlines():
        closes = re.match(r"(?i)\s*(fix(es)?|close[sd]?|resolve[sd]?):? *#\d+", line)
        refers = re.fullmatch(r"(?i)(see|refs?|issues?):? *#\d+\.?", line.strip())
        if not closes and not refers and not re.match(r"(?i)\s*[a-z-]+-by: ", line):
            lines.append(re.sub(r"\s*\(?#\d+\)?", "", line).rstrip())
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return re.sub(r"\n-{3,}$", "", text).rstrip()  # the line above the trailers


def text_of(task, repository):
    if "text" not in task:
        return message_of(repository, task["commit"])
    if "text_sha256" in task and hashlib.sha256(task["text"].strip().encode()).hexdigest() != task["text_sha256"]:
        print(f"note: {task['id']} has a different text from the one that was evaluated", file=sys.stderr)
    return task["text"]


# ---- repositories

def git(directory, *arguments):
    return subprocess.run(["git", "-C", str(directory), *arguments], capture_output=True, check=True).stdout.decode("utf-8", "replace")


def mirror(options, name):
    """The repository of a task; cloned if there is none."""
    if name == "bench":
        return Path(git(options.repository, "rev-parse", "--absolute-git-dir").strip())
    if options.mirrors:
        wanted = name.replace("/", "+").lower()
        found = [directory for directory in Path(options.mirrors).iterdir() if directory.name.lower() == wanted]
        if not found:
            sys.exit(f"no {name.replace('/', '+')}/repo in {options.mirrors}")
        return found[0] / "repo"
    target = options.cache / "mirrors" / name.replace("/", "+") / "repo"
    if not target.exists():
        print(f"cloning {name}", file=sys.stderr)
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "-q", "--bare", f"https://github.com/{name}", str(target)], check=True)
    return target


def checkout(options, task):
    """The files at the base commit, with a history that ends there; kept for the next run."""
    target = options.cache / "checkouts" / task["id"].replace("/", "_")
    if target.exists():
        return target
    source = mirror(options, task["repo"])
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    git(".", "init", "-q", "-b", "main", str(partial))
    (partial / ".git/objects/info/alternates").write_text(f"{(source / 'objects').resolve()}\n")
    git(partial, "update-ref", "refs/heads/main", task["base"])
    # A mirror may lack the largest blobs.
    subprocess.run(["git", "-C", str(partial), "reset", "-q", "--hard"], capture_output=True, check=False)
    try:
        partial.rename(target)
    except OSError:
        shutil.rmtree(partial)  # another run was faster
    return target


# ---- tokens and lines

@functools.cache
def encoding():
    import tiktoken
    return tiktoken.get_encoding("o200k_base")


def count(text):
    return len(encoding().encode_ordinary(text))


def lines_of(path):
    try:
        return path.read_bytes().decode("utf-8", "replace").split("\n")
    except OSError:
        return []


def whole_tokens(path):
    try:
        return count(path.read_text("utf-8", "replace")) + HEADING
    except OSError:
        return 0


def excerpt_tokens(path, ranges):
    lines = lines_of(path)
    kept = sorted({number for first, last in ranges for number in range(max(1, first), min(len(lines), last) + 1)})
    return count("\n".join(lines[number - 1] for number in kept)) + HEADING


# ---- the selection of a program: RAW as (path, lines or None for all, stated tokens), links, and all files best first

def read_teddy(output):
    items = [item for item in json.loads(output[output.index("{"):])["items"] if item["kind"] in ("file", "doc")]
    raw = [(item["path"], item["spans"] if item["form"] in ("spans", "skeleton") else None, item["tokens"])
           for item in items if item["tier"] == "raw"]
    return raw, [item["path"] for item in items if item["tier"] == "linked"], [item["path"] for item in items]


def read_roust(output):
    found = json.loads(output)
    ranking = [file["path"] for file in found["files"]]
    return [(path, found["regions"][path], 0) for path in ranking if found["regions"].get(path)], [], ranking


def read_paths(output):
    """One path per line, best first; whole files are packed in this order."""
    return None, [], [line.strip() for line in output.splitlines() if line.strip()]


READERS = {"teddy": read_teddy, "roust": read_roust, "paths": read_paths}


def pack(ranking, budget, tokens):
    raw, used = [], 0
    for path in ranking[:DEPTH]:
        cost = tokens(path)
        if used + cost <= budget:
            raw.append((path, None, cost))
            used += cost
    return raw


# ---- measures

def measure(task, root, chosen, budget):
    """The measures of one payload: shares between 0 and 1, or `None` if there is nothing to measure."""
    raw, links, ranking = chosen
    tokens = functools.cache(lambda path: whole_tokens(root / path))
    limit = float("inf") if budget == DEFAULT else budget * SLACK
    if raw is None:
        raw = pack(ranking, budget, tokens)
    else:
        raw = [(path, ranges, tokens(path) if ranges is None else max(stated, LEAST, excerpt_tokens(root / path, ranges)))
               for path, ranges, stated in raw]
    used, counted = 0, []
    for file in raw:
        used += file[2]
        if used > limit:
            break
        counted.append(file)
    used = sum(cost for _, _, cost in counted)
    links = links if budget == DEFAULT else links[: max(0, int(limit - used)) // LINK]
    whole = {path for path, ranges, _ in counted if ranges is None}
    have = defaultdict(set)
    for path, ranges, _ in counted:
        for first, last in ranges or []:
            have[path].update(range(first, last + 1))

    def share(path, first, last):
        if path in whole:
            return 1.0
        return sum(number in have[path] for number in range(first, last + 1)) / (last - first + 1)

    changed, functions = [], []
    for path, file in task["files"].items():
        changed += [share(path, *lines) for lines in file["lines"]]
        functions += [float(share(path, *lines) == 1.0) for lines in file["functions"]]
    truth, tests, inlined = set(task["files"]), set(task["tests"]), {path for path, _, _ in counted}
    places = [ranking.index(path) for path in truth if path in ranking]
    return {
        "lines": average(changed),
        "functions": average(functions),
        "tests": len(tests & inlined) / len(tests) if tests else None,
        "useful": sum(cost for path, _, cost in counted if path in truth | tests) / max(1, used),
        "whole": len(truth & whole) / len(truth),
        "found": len(truth & (inlined | set(links))) / len(truth),
        "tokens": sum(cost for _, _, cost in raw),
        "over": float(len(counted) < len(raw)),
        "first": 1 / (1 + min(places)) if places else 0.0,
        "ten": sum(place < 10 for place in places) / len(truth),
    }


def average(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


# ---- running a program

def output_of(options, task, command, budget, timeout=300):
    """The output of a command in the task's checkout."""
    root = checkout(options, task)
    with tempfile.TemporaryDirectory(prefix="evaluate-") as home:
        text = Path(home) / "task.md"
        text.write_text(text_of(task, mirror(options, task["repo"])))
        weights = getattr(options, "weight", None)
        if weights:
            settings = Path(home) / ".config/teddy/config.yaml"
            settings.parent.mkdir(parents=True)
            settings.write_text("weights:\n" + "".join(f"  {one.replace('=', ': ')}\n" for one in weights))
        # The clock is set to the base commit, because the age of files affects their score.
        now = git(root, "log", "-1", "--format=%ct").strip()
        environment = {**os.environ, "SOURCE_DATE_EPOCH": now, "HOME": home, "XDG_CONFIG_HOME": f"{home}/.config"}
        arguments = [part.format(task=text, budget=budget, repo=root, teddy=options.teddy) for part in shlex.split(command)]
        return subprocess.run(arguments, cwd=root, env=environment, capture_output=True, text=True, timeout=timeout, check=False).stdout


def run(options, task, command, reader, budget, timeout=300):
    """Measures the selection of a command for a task. The selection of a command that fails is empty."""
    failed = None
    try:
        chosen = READERS[reader](output_of(options, task, command, budget, timeout))
    except (subprocess.TimeoutExpired, ValueError, KeyError, TypeError) as error:
        chosen, failed = ([], [], []), f"{type(error).__name__}: {error}"[:200]
    result = measure(task, checkout(options, task), chosen, budget)
    if failed:
        result["failed"] = failed
    return result


def evaluate(options, tasks, jobs=1):
    """teddy on every task and budget: {task: {budget: measures}}."""
    def one(task):
        found = {}
        for budget in options.budgets:
            command = TEDDY_DEFAULT if budget == DEFAULT else TEDDY
            found[str(budget)] = run(options, task, options.cmd or command, options.reader, budget)
        return task["id"], found

    results = {}
    with ThreadPoolExecutor(jobs) as pool:
        for done, (task, found) in enumerate(pool.map(one, tasks), 1):
            results[task] = found
            print(f"\r{done} of {len(tasks)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return results


ROWS = [("lines", "changed lines in RAW"), ("functions", "changed ranges whose whole function is in RAW"), ("tests", "changed tests in RAW"),
        ("useful", "share of RAW's tokens in changed files and tests"), ("whole", "changed files in RAW in full"),
        ("found", "changed files in RAW or LINKED")]


def table(results, budgets):
    """The figures of docs/scoring.md."""
    names = [name if name == DEFAULT else f"{int(name) // 1000}k" for name in map(str, budgets)]
    print(f"| {len(results)} tasks | " + " | ".join(names) + " |\n|" + " --- |" * (len(names) + 1))

    def mean(key, budget):
        return average(found[str(budget)][key] for found in results.values())

    for key, label in ROWS:
        cells = [mean(key, budget) for budget in budgets]
        print(f"| {label} | " + " | ".join("–" if cell is None else f"{100 * cell:.1f}" for cell in cells) + " |")
    print("| tokens in RAW | " + " | ".join(f"{mean('tokens', budget):,.0f}" for budget in budgets) + " |")
    first, ten = mean("first", budgets[-1]), mean("ten", budgets[-1])
    print(f"\nMRR {first:.3f}; {100 * ten:.1f}% of the changed files are among the first ten.")
    failed = sum("failed" in one for found in results.values() for one in found.values())
    if failed:
        print(f"{failed} runs failed")


def parse_budget(text):
    return DEFAULT if text == DEFAULT else int(text)


def program(text):
    """An absolute path, which stays valid in another directory."""
    return str(Path(text).resolve()) if "/" in text else text


def add_arguments(arguments):
    arguments.add_argument("--cache", type=Path, required=True, help="directory for clones and checkouts")
    arguments.add_argument("--mirrors", type=Path, help="directory with <owner>+<name>/repo bare repositories, instead of cloning")
    arguments.add_argument("--texts", type=Path, help="JSON Lines with instance_id and problem_statement")
    arguments.add_argument("--teddy", type=program, default="teddy")
    arguments.add_argument("--every", type=int, default=1, help="use only every n-th task")
    arguments.add_argument("--jobs", type=int, default=1)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(arguments)
    arguments.add_argument("--budgets", default=",".join([*map(str, BUDGETS), DEFAULT]), help="token budgets, and `default` for no options")
    arguments.add_argument("--weight", action="append", metavar="NAME=VALUE", help="set a weight of docs/scoring.md; can be repeated")
    arguments.add_argument("--cmd", help="another command to run in the checkout; {task}, {budget} and {repo} are replaced")
    arguments.add_argument("--reader", default="teddy", choices=READERS, help="format of its output")
    arguments.add_argument("--bench", type=Path, metavar="FILE", help="check `teddy bench --json` instead: the same commits of --repository")
    arguments.add_argument("--repository", type=Path, default=".", help="the repository of --bench")
    arguments.add_argument("--json", type=Path, help="write every result to this file")
    options = arguments.parse_args()
    options.cache = options.cache.resolve()
    options.budgets = [parse_budget(budget) for budget in options.budgets.split(",")]
    tasks, unknown = (load_bench(options.bench), 0) if options.bench else load_tasks(texts=options.texts)
    if unknown:
        print(f"{unknown} tasks are omitted: use --texts to supply their issues", file=sys.stderr)
    results = evaluate(options, tasks[:: options.every], options.jobs)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    table(results, options.budgets)


if __name__ == "__main__":
    main()

"""How often files change, by their points: the table in docs/scoring.md.

    points.py --tasks dev.jsonl --mirror DIR [--teddy PATH]

Each line of the tasks has `id`, `repo`, `base_commit`, `text`, `truth` and `truth_tests`; DIR has `<owner>+<name>/repo` bare git directories.
"""
import argparse
import json
import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path


def git(directory, *arguments):
    return subprocess.run(["git", "-C", str(directory), *arguments], capture_output=True, text=True, check=True).stdout


def plan(teddy, mirror, task, work):
    """The items of a plan for the task, in a checkout of its base commit that knows no later one."""
    repo, text = work / "repo", work / "task.md"
    source = next(d for d in mirror.iterdir() if d.name.lower() == task["repo"].replace("/", "+").lower()) / "repo"
    git(work, "init", "-q", "-b", "main", str(repo))
    (repo / ".git/objects/info/alternates").write_text(f"{(source / 'objects').resolve()}\n")
    git(repo, "update-ref", "refs/heads/main", task["base_commit"])
    subprocess.run(["git", "-C", str(repo), "reset", "-q", "--hard"], capture_output=True)
    text.write_text(task["text"])
    now = git(repo, "log", "-1", "--format=%ct").strip()
    run = subprocess.run(
        [teddy, "plan", "--task-file", str(text), "--dry-run", "--no-tui", "--json"],
        cwd=repo, env={**os.environ, "SOURCE_DATE_EPOCH": now, "HOME": str(work)}, capture_output=True, text=True, check=True)
    return [item for item in json.loads(run.stdout)["items"] if item["kind"] == "file"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tasks", type=Path, required=True)
    arguments.add_argument("--mirror", type=Path, required=True)
    arguments.add_argument("--teddy", default="teddy")
    given = arguments.parse_args()
    files, changed = Counter(), Counter()
    for line in given.tasks.open():
        task = json.loads(line)
        truth = {*task["truth"], *task["truth_tests"]}
        with tempfile.TemporaryDirectory() as work:
            for item in plan(given.teddy, given.mirror, task, Path(work)):
                for key in (item["score"], *(signal["name"] for signal in item["signals"])):
                    files[key] += 1
                    changed[key] += item["path"] in truth
    print("| | files | changed |\n|---|---|---|")
    for key in sorted(files, key=lambda key: (isinstance(key, str), str(key).zfill(2))):
        print(f"| {key} | {files[key]:,} | {100 * changed[key] / files[key]:.1f}% |")


if __name__ == "__main__":
    main()

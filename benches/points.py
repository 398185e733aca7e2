"""Share of files that changed, by their points and by the confidence of likely targets: the tables in docs/benchmarks.md.

    points.py --cache DIR [--mirrors DIR] [--texts FILE] [--teddy PATH]

The tasks and their checkouts are those of evaluate.py.
"""
import argparse
import json
from collections import Counter

import evaluate


class Shares:
    """Numbers of files and of changed files for each key."""

    def __init__(self):
        self.files, self.changed = Counter(), Counter()

    def add(self, key, has_changed):
        self.files[key] += 1
        self.changed[key] += has_changed

    def print(self, heading, order):
        print(f"\n| {heading} | files | changed |\n|---|---|---|")
        for key in sorted(self.files, key=order):
            print(f"| {key} | {self.files[key]:,} | {100 * self.changed[key] / self.files[key]:.1f}% |")


def band(confidence):
    """A confidence in steps of ten percent; the first step is 5-10%, because there are no targets below."""
    tens = int(confidence * 10) * 10
    return f"{max(tens, 5)}-{tens + 10}%"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    evaluate.add_arguments(arguments)
    options = arguments.parse_args()
    options.cache = options.cache.resolve()
    by_points, by_confidence = Shares(), Shares()
    for task in evaluate.load_tasks(texts=options.texts)[0][:: options.every]:
        truth = {*task["files"], *task["tests"]}
        output = evaluate.output_of(options, task, evaluate.TEDDY_DEFAULT, evaluate.DEFAULT)
        plan = json.loads(output[output.index("{"):])
        for item in plan["items"]:
            if item["kind"] == "file":
                for key in (item["score"], *(signal["name"] for signal in item["signals"])):
                    by_points.add(key, item["path"] in truth)
        for target in plan["task"]["targets"]:
            by_confidence.add(band(target["confidence"]), target["path"] in truth)
    by_points.print("points, criterion", lambda key: (isinstance(key, str), str(key).zfill(2)))
    by_confidence.print("confidence", lambda key: int(key.split("-")[0]))


if __name__ == "__main__":
    main()

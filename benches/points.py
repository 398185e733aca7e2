"""Share of files that changed, by their points: the table in docs/benchmarks.md.

    points.py --cache DIR [--mirrors DIR] [--texts FILE] [--teddy PATH]

The tasks and their checkouts are those of evaluate.py.
"""
import argparse
import json
from collections import Counter

import evaluate


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    evaluate.add_arguments(arguments)
    options = arguments.parse_args()
    options.cache = options.cache.resolve()
    files, changed = Counter(), Counter()
    for task in evaluate.load_tasks(texts=options.texts)[0][:: options.every]:
        truth = {*task["files"], *task["tests"]}
        output = evaluate.output_of(options, task, evaluate.TEDDY_DEFAULT, evaluate.DEFAULT)
        for item in json.loads(output[output.index("{"):])["items"]:
            if item["kind"] != "file":
                continue
            for key in (item["score"], *(signal["name"] for signal in item["signals"])):
                files[key] += 1
                changed[key] += item["path"] in truth
    print("| | files | changed |\n|---|---|---|")
    for key in sorted(files, key=lambda key: (isinstance(key, str), str(key).zfill(2))):
        print(f"| {key} | {files[key]:,} | {100 * changed[key] / files[key]:.1f}% |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Train the weights with which teddy infers a task's type and complexity from its text.

    python3 train.py --histories GIT_DIR... [--held-out LABELLED.jsonl]

Needs numpy, scipy and scikit-learn. Writes `weights.tsv` next to this file. Labels come from two sources:
- subjects of conventional commits in the given histories (feat, fix, refactor, style, perf, chore with deps, test, docs), without
  their prefix: they give weights to words;
- `examples.tsv`, which covers what commit subjects do not: questions, reviews, issue reports, chat, languages other than English.
The first model is trained on the commits. Its scores are features of the second, which is trained on the examples; both are
linear, so their product is one table of weights. Complexity is learnt from the examples alone.
"""

import argparse
import collections
import json
import random
import re
import subprocess
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

import features as F

HERE = Path(__file__).resolve().parent
TYPES = ["implement", "debug", "refactor", "test", "analyze", "review", "docs"]
LEVELS = ["simple", "medium", "complex"]
OF_PREFIX = {"feat": "implement", "fix": "debug", "refactor": "refactor", "style": "refactor", "perf": "refactor", "chore": "refactor",
             "test": "test", "docs": "docs"}
#: Subjects per history and prefix, so that no project and no prefix dominates.
MOST = collections.defaultdict(lambda: 1200, chore=250, build=150, style=200, perf=200)
#: Weights are stored as whole hundredths.
SCALE = 100
#: Number of words in the table; those with the most influence are kept.
WORDS = 3000


def examples():
    out = []
    for line in (HERE / "examples.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            types, levels, text = line.split("\t")
            out.append((types.split("|"), levels.split("|"), text.replace("\\n", "\n")))
    return [e for e in out if e[0] != ["-"]]


def subjects(git_dirs):
    groups = collections.defaultdict(list)
    for git_dir in git_dirs:
        log = ["git", "--git-dir", git_dir, "log", "--no-merges", "--format=%s", "-n", "40000"]
        seen = set()
        for subject in subprocess.run(log, capture_output=True, check=True).stdout.decode(errors="replace").splitlines():
            subject = re.sub(r"\s*\([^()]*#\d+\)\s*$", "", subject).strip()
            known, _, rest = F.prefix(subject)
            label = OF_PREFIX.get(known)
            if known in ("chore", "build"):
                label = "refactor" if re.search(r"deps|bump|update .* to|upgrade", subject) else None
            if label and len(rest.split()) >= 3 and rest not in seen:
                seen.add(rest)
                groups[git_dir, known].append((rest, label))
    rng = random.Random(1)
    out = []
    for (_, known), group in sorted(groups.items()):
        rng.shuffle(group)
        out.extend(group[: MOST[known]])
    return out


def is_word(name):
    return not name.startswith(("@", "#", "p:", "$"))


def matrix(rows, index, scale=None):
    r, c, v = [], [], []
    for i, row in enumerate(rows):
        for name, value in row.items():
            if name in index:
                r.append(i)
                c.append(index[name])
                v.append(value)
    out = sparse.csr_matrix((v, (r, c)), shape=(len(rows), len(index)))
    return out if scale is None else out.multiply(scale).tocsr()


def centred(coef):
    return coef - coef.mean(axis=0, keepdims=True)


class CommitModel:
    """Scores of the five types that commits have, from words alone."""

    def __init__(self, labelled, at_least=12, c=0.3):
        rows = [{k: v for k, v in F.features(text)[0].items() if is_word(k)} for text, _ in labelled]
        count = collections.Counter(k for row in rows for k in row)
        self.index = {k: i for i, k in enumerate(sorted(k for k, n in count.items() if n >= at_least))}
        self.count = count
        model = LogisticRegression(C=c, max_iter=300, class_weight="balanced").fit(matrix(rows, self.index), [t for _, t in labelled])
        self.coef = centred(model.coef_)

    def scores(self, rows):
        return matrix(rows, self.index) @ self.coef.T


class TypeModel:
    C, WORD_SCALE, COMMIT_SCALE = 1.0, 1.0, 0.5

    def __init__(self, rows, types, commits):
        count = collections.Counter(k for row in rows for k in row)
        names = sorted(k for k, n in count.items() if n >= 2 or not is_word(k))
        self.index = {k: i for i, k in enumerate(names)}
        self.scale = np.array([self.WORD_SCALE if is_word(k) else 1.0 for k in names])
        self.commits = commits
        self.model = LogisticRegression(C=self.C, max_iter=500).fit(self.inputs(rows), types)

    def inputs(self, rows):
        return sparse.hstack([matrix(rows, self.index, self.scale), self.commits.scores(rows) * self.COMMIT_SCALE]).tocsr()

    def predict(self, rows):
        return list(self.model.predict(self.inputs(rows)))

    def table(self):
        order = [list(self.model.classes_).index(t) for t in TYPES]
        coef = centred(self.model.coef_[order])
        own, from_commits = coef[:, : len(self.index)] * self.scale, coef[:, len(self.index) :] * self.COMMIT_SCALE
        table = {k: own[:, i].copy() for k, i in self.index.items()}
        for k, i in self.commits.index.items():
            table[k] = table.get(k, np.zeros(len(TYPES))) + from_commits @ self.commits.coef[:, i]
        bias = self.model.intercept_[order]
        table["bias"] = bias - bias.mean()
        return table


class LevelModel:
    C, WORD_SCALE, ALSO = 0.3, 2.0, 0.4
    WEIGHT = {"simple": 1.0, "medium": 1.0, "complex": 1.5}

    def __init__(self, rows, levels):
        count = collections.Counter(k for row in rows for k in row)
        names = sorted(k for k, n in count.items() if (n >= 2 or not is_word(k)) and not k.startswith("$"))
        self.index = {k: i for i, k in enumerate(names)}
        self.scale = np.array([self.WORD_SCALE if is_word(k) else 1.0 for k in names])
        at, y, w = [], [], []
        for i, accepted in enumerate(levels):
            for k, level in enumerate(accepted):
                share = 1.0 if len(accepted) == 1 else (self.ALSO if k else 1.0 - self.ALSO)
                at.append(i)
                y.append(level)
                w.append(share * self.WEIGHT[level])
        self.model = LogisticRegression(C=self.C, max_iter=500).fit(matrix(rows, self.index, self.scale)[at], y, sample_weight=w)

    def predict(self, rows):
        return list(self.model.predict(matrix(rows, self.index, self.scale)))

    def table(self):
        order = [list(self.model.classes_).index(x) for x in LEVELS]
        coef = centred(self.model.coef_[order]) * self.scale
        table = {k: coef[:, i] for k, i in self.index.items()}
        bias = self.model.intercept_[order]
        table["bias"] = bias - bias.mean()
        return table


def by_prefix(text, guess):
    lines = text.split("\n")
    return OF_PREFIX.get(F.prefix(lines[0])[0], guess)


def cross_validate(data, commits, folds=8):
    rows = [F.features(text)[0] for _, _, text in data]
    types, levels = [None] * len(data), [None] * len(data)
    for train, test in KFold(folds, shuffle=True, random_state=1).split(rows):
        held = [rows[i] for i in test]
        seen = [rows[i] for i in train]
        t = TypeModel(seen, [data[i][0][0] for i in train], commits).predict(held)
        x = LevelModel(seen, [data[i][1] for i in train]).predict(held)
        for i, a, b in zip(test, t, x):
            types[i], levels[i] = by_prefix(data[i][2], a), b
    report("cross-validation on examples.tsv", data, types, levels)


def report(title, data, types, levels):
    n = len(data)
    type_ok = sum(g in e[0] for g, e in zip(types, data)) / n
    loose = sum(g in e[1] for g, e in zip(levels, data)) / n
    exact = sum(g == e[1][0] for g, e in zip(levels, data)) / n
    print(f"{title}: type {100 * type_ok:.1f}%, complexity {100 * loose:.1f}% with alternatives, {100 * exact:.1f}% exact ({n} texts)")


def write(types, levels, commits):
    zero_t, zero_x = np.zeros(len(TYPES)), np.zeros(len(LEVELS))
    rows = {}
    for k in {**types, **levels}:
        values = np.concatenate([types.get(k, zero_t), levels.get(k, zero_x)])
        rows[k] = np.rint(values * SCALE).astype(int)
    def use(k):
        return np.abs(rows[k]).max() * (commits.count.get(k, 0) + 3) ** 0.25
    word_names = sorted((k for k in rows if is_word(k) and k != "bias"), key=lambda k: (-use(k), k))
    kept = [k for k in rows if not is_word(k) or k == "bias"] + word_names[:WORDS]
    kept = sorted(k for k in kept if np.abs(rows[k]).max() >= 3)
    lines = ["# Written by train.py. Feature, then weights in hundredths: " + " ".join(TYPES + LEVELS)]
    lines += [k + "\t" + " ".join(str(x) for x in rows[k]) for k in kept]
    (HERE / "weights.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {k: rows[k] / SCALE for k in kept}


def infer(table, text):
    total = table["bias"].copy()
    for k, v in F.features(text)[0].items():
        if k in table:
            total += v * table[k]
    kind = by_prefix(text, TYPES[int(total[: len(TYPES)].argmax())])
    return kind, LEVELS[int(total[len(TYPES) :].argmax())], total


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--histories", nargs="+", required=True, metavar="GIT_DIR")
    ap.add_argument("--held-out", type=Path, help="labelled tasks (text, type, also, complexity, also_complexity) to report on")
    ap.add_argument("--no-cross-validation", action="store_true")
    a = ap.parse_args()
    data = examples()
    commits = CommitModel(subjects(a.histories))
    if not a.no_cross_validation:
        cross_validate(data, commits)
    rows = [F.features(text)[0] for _, _, text in data]
    table = write(TypeModel(rows, [e[0][0] for e in data], commits).table(), LevelModel(rows, [e[1] for e in data]).table(), commits)
    if a.held_out:
        items = [json.loads(line) for line in a.held_out.read_text(encoding="utf-8").splitlines()]
        held = [([i["type"], *i["also"]], [i["complexity"], *i["also_complexity"]], i["text"]) for i in items if i["type"]]
        guesses = [infer(table, text) for _, _, text in held]
        report("held out", held, [g[0] for g in guesses], [g[1] for g in guesses])
        for (types, levels, text), (kind, level, _) in zip(held, guesses):
            if kind not in types or level not in levels:
                print(f"  {'|'.join(types)} {'|'.join(levels)} <- {kind} {level}: {' '.join(text.split())[:80]}")


if __name__ == "__main__":
    main()

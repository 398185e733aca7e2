"""Features of a task's text, for `train.py`. `src/score/classify/` computes the same ones; change both together."""

import math
from pathlib import Path

HERE = Path(__file__).resolve().parent

#: Words at the start that only make a request polite.
POLITE = set(
    "please pls plz hey hi hello can could would will you we let's lets ok so hm just kindly i want to i'd like need "
    "bitte kannst du könntest por favor puedes podrías peux tu pouvez vous pourrais s'il te plaît pode você poderia "
    "puoi potresti per favore пожалуйста можешь нужно надо proszę czy możesz".split()
)
PREFIXES = {
    "feat": "feat", "feature": "feat", "fix": "fix", "bugfix": "fix", "hotfix": "fix", "refactor": "refactor",
    "style": "style", "chore": "chore", "build": "build", "ci": "ci", "test": "test", "tests": "test", "docs": "docs",
    "doc": "docs", "perf": "perf", "revert": "revert",
}
EXTENSIONS = set(
    "py rs go js mjs ts tsx jsx vue svelte java kt c h cc cpp hpp cs rb php pl swift scala sql proto sh bash ps1 md rst adoc txt "
    "toml yaml yml json xml html css scss less ini cfg conf lock tf ex exs erl hs ml lua r jl dart svg csv erb gradle cmake patch diff".split()
)
TRIM = "()[]{}<>\"'«»„“”‘’,.;:!?…*—–-。，、；：！？（）「」『』【】"
CODE, PATH, URL, NUM = "<code>", "<path>", "<url>", "<num>"
#: Maximum number of characters read. More of a pasted log would add no information.
LONGEST = 6000
#: Maximum number of words below the first line that count.
BODY_WORDS = 250


def is_cjk(c):
    o = ord(c)
    return 0x3040 <= o <= 0x30FF or 0x3400 <= o <= 0x9FFF or 0xAC00 <= o <= 0xD7AF or 0xF900 <= o <= 0xFAFF


def is_word(c):
    return c.isalpha() and not is_cjk(c)


class Lexicon:
    def __init__(self):
        self.cues = []
        for line in (HERE / "cues.tsv").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                concept, phrases = line.split("\t")
                seen = dict.fromkeys(p.strip() for p in phrases.split(","))
                self.cues.append((concept, [p for p in seen if p]))
        self.empty, self.empty_cjk = set(), []
        for line in (HERE / "empty.txt").read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                for w in line.split():
                    if any(is_cjk(c) for c in w):
                        self.empty_cjk.append(w)
                    else:
                        self.empty.add(w)
        self.empty_cjk = sorted(set(self.empty_cjk), key=lambda w: (-len(w), w))


LEXICON = Lexicon()


def is_trace(line):
    t = line.strip()
    return (
        t.startswith("Traceback (most recent call last)") or "panicked at" in t or t.startswith("panic: ")
        or t.startswith("goroutine ") or (t.startswith('File "') and '", line ' in t) or "stack backtrace" in t
        or (t.startswith("at ") and ("(" in t or ":" in t)) or "SIGSEGV" in t
    )


def prose(text):
    """(lines of prose, has a fence, has a stack trace)"""
    lines, fence, fenced, trace = [], False, False, False
    for line in text[:LONGEST].splitlines():
        t = line.strip()
        if is_trace(t):
            trace = True
        if t.startswith("```") or t.startswith("~~~"):
            fence, fenced = not fence, True
        elif not fence and t:
            lines.append(t)
    return lines, fenced, trace


def prefix(title):
    """(conventional-commit prefix or None, whether it is marked as breaking, the rest of the line)"""
    end = 0
    while end < len(title) and title[end].isascii() and title[end].isalpha():
        end += 1
    word, rest = title[:end], title[end:]
    if rest.startswith("("):
        close = rest.find(")")
        if close < 0:
            return None, False, title
        rest = rest[close + 1 :]
    bang = rest.startswith("!")
    rest = rest[1:] if bang else rest
    known = PREFIXES.get(word) or (PREFIXES.get(word.lower()) if word in ("Docs", "Doc", "Feature", "Fix") else None)
    if known and rest.startswith(": "):
        return known, bang, rest[2:].strip()
    return None, False, title


def is_path(chunk):
    if "://" in chunk:
        return False
    name = chunk.split(":")[0] if "." in chunk else chunk
    if any(not (c.isalnum() or c in "/._-+*@~") for c in name) or not any(c.isalnum() for c in name):
        return False
    last = name.rsplit("/", 1)[-1]
    stem, dot, ext = last.rpartition(".")
    if dot and stem and ext.lower() in EXTENSIONS:
        return True
    return name.count("/") >= 2 or (name.count("/") == 1 and name.endswith("/") and len(name) > 2)


def is_identifier(chunk):
    if "::" in chunk or chunk.endswith("()"):
        return True
    if not all((c.isascii() and c.isalnum()) or c in "_.#" for c in chunk):
        return False
    inner = chunk.strip("_")
    if "_" in inner and any(c.isalpha() for c in inner):
        return True
    return any(a.islower() and b.isupper() for a, b in zip(chunk, chunk[1:]))


def tokens(line, paths):
    """Tokens of a line; paths are also collected."""
    out, i, n = [], 0, len(line)
    while i < n:
        c = line[i]
        if c.isspace():
            i += 1
        elif c == "`" and "`" in line[i + 1 :]:
            end = line.index("`", i + 1)
            inner = line[i + 1 : end]
            if is_path(inner):
                paths.append(inner)
                out.append(PATH)
            else:
                out.append(CODE)
            i = end + 1
        else:
            end = i + 1
            while end < n and not line[end].isspace() and line[end] != "`":
                end += 1
            chunk_tokens(line[i:end], out, paths)
            i = end
    return out


def chunk_tokens(raw, out, paths):
    chunk = raw.strip(TRIM)
    tail = raw.rstrip(")\"'»”")
    bare = raw.strip("([{\"'«„“,;:!?)]}»”").rstrip(".")
    if "://" in chunk:
        out.append(URL)
    elif is_path(bare):
        paths.append(bare)
        out.append(PATH)
    elif chunk and (is_identifier(chunk) or chunk + "()" in raw):
        out.append(CODE)
    else:
        words(chunk, out)
    if tail.endswith("?") or tail.endswith("？"):
        out.append("?")


def words(chunk, out):
    i, n = 0, len(chunk)
    while i < n:
        c = chunk[i]
        end = i + 1
        if is_cjk(c):
            while end < n and is_cjk(chunk[end]):
                end += 1
            run = chunk[i:end]
            out.extend(run[k : k + 2] for k in range(max(1, len(run) - 1)))
        elif is_word(c):
            while end < n and (is_word(chunk[end]) or (chunk[end] in "'’" and end + 1 < n and is_word(chunk[end + 1]))):
                end += 1
            out.append(chunk[i:end].lower().replace("’", "'"))
        elif c.isnumeric():
            while end < n and (chunk[end].isnumeric() or (chunk[end] in ".," and end + 1 < n and chunk[end + 1].isnumeric())):
                end += 1
            out.append(NUM)
        i = end


def cue_at(low, phrase):
    """Position of a phrase in the lowercase text, or -1."""
    open_end = phrase.endswith("*")
    phrase = phrase.rstrip("*")
    cjk = any(is_cjk(c) for c in phrase)
    at = low.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        before = at == 0 or not is_word(low[at - 1])
        after = open_end or end == len(low) or not (is_word(low[end]) or low[end] == "_")
        if cjk or (before and after):
            return at
        at = low.find(phrase, at + 1)
    return -1


def without_code(line):
    """The line in lowercase, with code spans and paths replaced."""
    out, parts = [], line.split("`")
    for k, part in enumerate(parts):
        out.append(part if k % 2 == 0 or k == len(parts) - 1 else "§")
    chunks = [("§" if is_path(c.strip("([{\"'«„“,;:!?)]}»”").rstrip(".")) else c) for c in " ".join(out).split()]
    return " ".join(chunks).lower().replace("’", "'")


def has_content(text):
    """Returns true if the text contains more than filler words, numbers and ticket ids."""
    lines, fenced, trace = prose(text)
    if fenced or trace or len(lines) > 3:
        return True
    for line in lines:
        low = line.lower().replace("’", "'")
        for w in LEXICON.empty_cjk:
            low = low.replace(w, " ")
        for chunk in low.split():
            bare = chunk.strip(TRIM + "#")
            if bare in LEXICON.empty or is_ticket(bare):
                continue
            found = tokens(chunk, [])
            if any(t not in LEXICON.empty and t != NUM and t != "?" for t in found):
                return True
    return False


def is_ticket(word):
    """`jira-1234`, `gh-17`"""
    head, dash, tail = word.partition("-")
    return bool(dash) and head.isalpha() and len(head) <= 6 and tail.isdigit()


def features(text):
    """(features by name, cues as concept -> phrases found)"""
    lines, fenced, trace = prose(text)
    title = lines[0].lstrip("#* ").strip() if lines else ""
    known, bang, rest = prefix(title)
    paths = []
    head = tokens(rest, paths)
    body = []
    for line in lines[1:]:
        body.extend(tokens(line, paths))
    body = body[:BODY_WORDS]
    f = {}

    def put(name, value=1.0):
        f[name] = max(value, f.get(name, 0.0))

    start = 0
    while start < len(head) - 1 and head[start] in POLITE:
        start += 1
    bag = {}
    for part, value in ((head, 1.0), (body, 0.5)):
        for k, t in enumerate(part):
            bag[t] = max(value, bag.get(t, 0.0))
            if k:
                pair = part[k - 1] + " " + t
                bag[pair] = max(value, bag.get(pair, 0.0))
    norm = math.sqrt(sum(v * v for v in bag.values())) or 1.0
    for t, v in bag.items():
        put(t, 2.0 * v / norm)
    if start < len(head):
        put("^" + head[start])
        if start + 1 < len(head):
            put("^" + head[start] + " " + head[start + 1])
    if head:
        put("$" + head[-1])
    if known:
        put("p:" + known)
    if bang:
        put("p:!")
    # Cues, in the first line and below it.
    low = without_code(rest)
    below = " ".join(without_code(line) for line in lines[1:])
    found = {}
    starts = sentence_starts(low)
    for concept, phrases in LEXICON.cues:
        hits = [(cue_at(low, p), p) for p in phrases]
        hits = sorted((at, p) for at, p in hits if at >= 0)
        if hits:
            put("@" + concept)
            if low[: hits[0][0]].count(" ") <= start:
                put("@^" + concept)
            if len(hits) > 1:
                put("@2" + concept)
        late = [p for p in phrases if below and cue_at(below, p) >= 0]
        if late:
            put("@_" + concept)
        if hits or late:
            found[concept] = [p for _, p in hits] + [p for p in late if p not in {q for _, q in hits}]
            if any(at in starts for at, _ in hits):
                put("@;" + concept)
    states = "@states" in f and "@^imperative" not in f
    if states:
        put("#states")
        if "@modal" not in f:
            put("#reports")
    elif "@^imperative" not in f and "@modal" not in f and "?" not in head:
        put("#names")
    for a, b in PAIRS:
        if "@" + a in f and "@" + b in f:
            put(f"@{a}+{b}")
    structure(put, text, rest, head, body, paths, lines, fenced, trace)
    return f, found


def sentence_starts(low):
    """Start of each sentence after the first one, without polite words."""
    out = set()
    for mark in (". ", "; ", "? ", "! ", ": ", ", ", " - "):
        at = low.find(mark)
        while at >= 0:
            start = at + len(mark)
            while True:
                space = low.find(" ", start)
                if space < 0 or low[start:space] not in POLITE:
                    break
                start = space + 1
            out.add(start)
            at = low.find(mark, at + 1)
    return out


#: Concepts that mean something else together.
PAIRS = [
    ("judge", "change_ref"), ("ask", "no_change"), ("add", "test"), ("fix", "test"), ("fix", "docs"), ("add", "docs"),
    ("refactor", "same"), ("refactor", "docs"), ("refactor", "test"), ("perf", "since"), ("perf", "cache"),
    ("ask", "fix"), ("wrong", "since"), ("refactor", "scope_all"), ("add", "scope_all"), ("docs", "scope_all"),
    ("big", "scope_all"), ("wrong", "test"), ("wrong", "docs"), ("add", "same"), ("error", "add"), ("ask", "docs"),
    ("widget", "test"), ("widget", "wrong"), ("widget", "docs"), ("widget", "refactor"), ("widget", "crash"), ("widget", "states"),
    ("widget", "ask"), ("widget", "judge"), ("widget", "error"), ("states", "modal"), ("ask", "please_do"), ("docs", "states"),
    ("test", "states"), ("test", "scope_all"), ("refactor", "dependency"), ("big", "refactor"), ("add", "big"), ("few", "refactor"), ("along", "test"), ("along", "add"), ("along", "docs"),
]


def structure(put, text, rest, head, body, paths, lines, fenced, trace):
    flat = " ".join(lines)
    if flat.rstrip().endswith(("?", "？")):
        put("#ends with ?")
    if "?" in head:
        put("#question")
        put("#first line asks" if head[-1] == "?" else "#asks and goes on")
    if fenced:
        put("#fence")
    if trace:
        put("#trace")
    if len(lines) > 1:
        put("#several lines")
    listed = sum(line.startswith(("- ", "* ", "1.", "2.", "3.", "4.", "5.")) for line in lines)
    if listed >= 2:
        put("#list")
    if listed >= 4:
        put("#long list")
    count = len(paths)
    if count:
        put("#path")
    if count >= 2:
        put("#paths")
    if count >= 3:
        put("#3 paths")
    if count >= 4:
        put("#4 paths")
    tops = {p.strip("/").split("/")[0] for p in paths if "/" in p}
    if len(tops) >= 2:
        put("#top directories", min(len(tops) - 1, 3) / 1.0)
    if sum(p.endswith("/") for p in paths) >= 2:
        put("#directories")
    kinds = [path_kind(p) for p in paths]
    if kinds:
        put("#first path " + kinds[0])
    for kind in ("docs", "test"):
        if kinds and all(k == kind for k in kinds):
            put("#only " + kind + " paths")
        elif kind in kinds:
            put("#a " + kind + " path")
    codes = head.count(CODE) + body.count(CODE)
    if head and head[0] == CODE:
        put("#starts with code")
        if "`:" in rest[:60]:
            put("#code:")
    if codes >= 1:
        put("#code")
    if codes >= 3:
        put("#3 codes")
    n = len(head)
    put("#length", math.log1p(n) / 3.0)
    put("#body length", math.log1p(len(body)) / 5.0)
    if n <= 3:
        put("#short")
    if n >= 25:
        put("#long")
    commas = rest.count(",") + rest.count("、") + rest.count("，")
    put("#commas", min(commas, 4) / 2.0)
    sentences = sum(rest.count(s) for s in (". ", "; ", "。"))
    put("#sentences", min(sentences, 3) / 2.0)
    if ":" in rest[:40]:
        put("#colon")


def path_kind(path):
    low = path.lower()
    if low.endswith((".md", ".rst", ".adoc", ".txt")) or low.startswith(("docs/", "doc/", "readme", "changelog")):
        return "docs"
    if "test" in low or "spec" in low:
        return "test"
    return "source"

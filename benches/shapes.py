"""Plan and open the screen in projects of unusual shapes, and print a table of time and memory.

    shapes.py --teddy PROGRAM --dir DIR [--keep] [SHAPE...]

Without SHAPE, all of them except `million`, which needs 5 GB and a million inodes. Each tree is generated in DIR, measured and removed;
`--keep` leaves it there for the next run. Processor time is that of the program alone, so another load on the machine changes it little.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

TASK = "Fix the refund ledger of area 17: it books the wrong amount. Keep the reason of each refund."
PACE = 0.05


# ---- The trees

def go_file(number, parts=10):
    head = f'package module{number}\n\nimport "ledger/area{number % 50}"\n\n'
    return head + "".join(f"// Part{part} keeps the refund ledger.\nfunc Refund{number}Part{part}(amount int) int {{\n"
                          f"\treturn amount + {part}\n}}\n\n" for part in range(parts))


def write(path, text):
    try:
        path.write_text(text, "utf-8")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def areas(root, files):
    for number in range(files):
        write(root / f"area{number % 50:02}/module{number // 100:05}/file{number}.go", go_file(number))


def flat(root):
    """200,000 files in one directory."""
    for number in range(200_000):
        write(root / f"file{number:06}.go", go_file(number, 2))


def deep(root):
    """60 nested directories with 100 files in each."""
    here = root
    for level in range(60):
        here = here / f"level{level}"
        for number in range(100):
            write(here / f"file{number}.go", go_file(level * 100 + number))


def data(root):
    """500 MB of CSV, JSON and log files of 250 kB, next to 2,000 source files."""
    areas(root, 2_000)
    row = "17,refund,2026-11-19T10:00:00Z,area 17,the wrong amount was booked,1042.50\n"
    for number in range(2_000):
        name = ("csv", "json", "log")[number % 3]
        write(root / f"data/part{number % 40}/table{number}.{name}", "".join(f"{number}-{line},{row}" for line in range(3_000)))


SNIPPETS = {
    "go": "package refund\n\nfunc Refund{n}(amount int) int {{\n\treturn amount\n}}\n",
    "rs": "use crate::ledger;\n\npub fn refund_{n}(amount: u64) -> u64 {{\n    ledger::book(amount)\n}}\n",
    "py": "from ledger import book\n\n\ndef refund_{n}(amount):\n    return book(amount)\n",
    "ts": "import {{ book }} from '../ledger';\n\nexport function refund{n}(amount: number) {{\n  return book(amount);\n}}\n",
    "java": "package refund;\n\npublic class Refund{n} {{\n    int refund(int amount) {{\n        return amount;\n    }}\n}}\n",
    "kt": "package refund\n\nclass Refund{n} {{\n    fun refund(amount: Int) = amount\n}}\n",
    "c": "#include \"ledger.h\"\n\nint refund_{n}(int amount) {{\n    return book(amount);\n}}\n",
    "cpp": "#include \"ledger.hpp\"\n\nclass Refund{n} {{\n    int refund(int amount);\n}};\n",
    "rb": "require 'ledger'\n\ndef refund_{n}(amount)\n  book(amount)\nend\n",
    "php": "<?php\n\nfunction refund_{n}($amount) {{\n    return $amount;\n}}\n",
    "cs": "namespace Refund;\n\nclass Refund{n} {{\n    int Book(int amount) => amount;\n}}\n",
    "swift": "import Ledger\n\nfunc refund{n}(amount: Int) -> Int {{\n    return amount\n}}\n",
}


def languages(root):
    """A monorepo of 12 languages: 24,000 files in 240 packages."""
    for number in range(24_000):
        ending = list(SNIPPETS)[number % 12]
        write(root / f"{ending}/package{number // 1200:02}/src/refund{number}.{ending}", SNIPPETS[ending].format(n=number) * 5)


def names(root):
    """50,000 files named index.ts, which import each other."""
    for number in range(50_000):
        text = f"import {{ part }} from '../unit{(number * 7) % 500}';\nexport const refund{number} = () => part({number});\n"
        write(root / f"packages/p{number // 500:03}/unit{number % 500}/index.ts", text)


def lines(root):
    """200 bundles of 900 kB in one line each, next to 2,000 source files."""
    areas(root, 2_000)
    for number in range(200):
        write(root / f"dist/bundle{number}.js", f"var refund{number}=function(a){{return a+{number}}};" * 20_000)


def generated(root):
    """300 source files of 20,000 lines each."""
    for number in range(300):
        write(root / f"tables/table{number}.go", go_file(number, 4_000))


def assets(root):
    """100,000 binary files next to 2,000 source files."""
    areas(root, 2_000)
    for number in range(100_000):
        path = root / f"assets/set{number // 500}/image{number}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + number.to_bytes(8, "big") * 20)


def empty(root):
    """100,000 empty directories and 50,000 empty files next to 2,000 source files."""
    areas(root, 2_000)
    for number in range(100_000):
        (root / f"empty/group{number // 1000}/place{number}").mkdir(parents=True)
    for number in range(50_000):
        write(root / f"blank/group{number // 1000}/__init__{number}.py", "")


def scripts(root):
    """40,000 files whose paths are Japanese, Russian and Chinese words."""
    words = ["返金", "возврат", "退款", "台帳", "книга", "账本"]
    for number in range(40_000):
        word = words[number % 6]
        text = f"# {word} 返金の台帳\ndef refund_{number}(amount):\n    '''{word}: возврат денег, 退款金额'''\n    return amount\n" * 4
        write(root / f"{word}/{words[(number // 6) % 6]}{number // 400}/{word}_{number}.py", text)


def million(root):
    """A million files with one function each, 100 in each directory."""
    for number in range(1_000_000):
        write(root / f"area{number // 100 % 50:02}/module{number // 100:05}/file{number}.go", go_file(number, 1))


SHAPES = [flat, deep, data, languages, names, lines, generated, assets, empty, scripts, million]


# ---- Measuring

def high_water(pid):
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 if found else 0


def processor(pid):
    """Processor time of all threads of a running program, in seconds."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:
            pass
    return total / 1e9


def plan(teddy, root, env):
    """Elapsed seconds, processor seconds and peak memory of a plan."""
    began = time.monotonic()
    child = subprocess.Popen([teddy, "plan", TASK, "--dry-run", "--no-tui"], cwd=root, env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"teddy failed in {root}: {child.stderr.read().decode()[-2000:]}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


class Screen:
    """The program in a pseudo-terminal of 120 x 40."""

    def __init__(self, teddy, root, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(root)
            os.execve(teddy, [teddy, "plan", TASK], env | {"TERM": "xterm-256color", "COLORTERM": "truecolor"})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.text = b""

    def read(self, seconds):
        """Read the output that arrives within this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                self.text = (self.text + os.read(self.fd, 1 << 16))[-200_000:]

    def settle(self, limit=900):
        """Wait until the list is scored and the program is idle; return the seconds."""
        began, quiet = time.monotonic(), 0
        while time.monotonic() - began < limit:
            before = processor(self.pid)
            self.read(1)
            quiet = quiet + 1 if processor(self.pid) - before < 0.02 else 0
            if quiet == 3:
                return time.monotonic() - began - quiet
        return None

    def keys(self, keys, rounds):
        """Processor seconds of the median key."""
        costs = []
        for _ in range(rounds):
            for key in keys:
                before = processor(self.pid)
                os.write(self.fd, key.encode())
                self.read(PACE)
                costs.append((processor(self.pid) - before))
        return sorted(costs)[len(costs) // 2]

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        try:
            self.read(3)
        except OSError:
            pass
        os.waitpid(self.pid, 0)


def measure(teddy, shape, directory, keep):
    root = directory / shape.__name__
    if not root.exists():
        shape(root)
    files = sum(len(names) for _, _, names in os.walk(root) )
    with tempfile.TemporaryDirectory() as home:
        env = os.environ | {"HOME": home, "TEDDY_CACHE_DIR": f"{home}/cache", "XDG_CACHE_HOME": f"{home}/c", "XDG_CONFIG_HOME": f"{home}/c"}
        subprocess.run([teddy, "init"], cwd=root, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cold = plan(teddy, root, env)
        plan(teddy, root, env)
        warm = plan(teddy, root, env)
        search = timed_search(root)
        screen = Screen(teddy, root, env)
        settled = screen.settle()
        peak = high_water(screen.pid)
        keys = [screen.keys("j", 40), screen.keys("pu", 10), screen.keys("s", 5), screen.keys("/refund17", 1)]
        asleep = screen.settle(60) is not None
        peak = max(peak, high_water(screen.pid))
        screen.close()
    shutil.rmtree(root / ".teddy", ignore_errors=True)
    if not keep:
        shutil.rmtree(root)
    cells = [shape.__name__, f"{files:,}"]
    for seconds, used, memory in (cold, warm):
        cells.append(f"{seconds:.1f} s, {used:.1f} s, {memory / 1e6:.0f} MB")
    cells += [f"{search[0]:.1f} s" if search else "–", f"{settled:.0f} s" if settled is not None else "never", f"{peak / 1e6:.0f} MB"]
    cells += [f"{seconds * 1e3:.1f} ms" for seconds in keys] + ["yes" if asleep else "no"]
    print("| " + " | ".join(cells) + " |", flush=True)


def timed_search(root):
    """Elapsed seconds of a search for the task's words, if ripgrep is installed."""
    if not shutil.which("rg"):
        return None
    words = "|".join(sorted({word for word in re.findall(r"\w+", TASK.lower()) if len(word) > 3}))
    began = time.monotonic()
    subprocess.run(["rg", "-ci", words], cwd=root, stdout=subprocess.DEVNULL, check=False)
    return (time.monotonic() - began,)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teddy", required=True)
    parser.add_argument("--dir", required=True, type=Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("shapes", nargs="*", choices=[shape.__name__ for shape in SHAPES] + [[]])
    options = parser.parse_args()
    print("| shape | files | cold plan: elapsed, processor, memory | warm plan | `rg -c` | screen ready | memory | `j` | `p`, `u` | `s` | filter | sleeps |")
    print("|" + " --- |" * 12)
    for shape in SHAPES:
        if shape.__name__ in options.shapes or not options.shapes and shape is not million:
            measure(str(Path(options.teddy).resolve()), shape, options.dir, options.keep)


if __name__ == "__main__":
    main()

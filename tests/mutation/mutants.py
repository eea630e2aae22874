#!/usr/bin/env python3
"""Builds deliberately broken variants of the core and demands that random programs catch each of them.

Usage: mutants.py [--build DIR] [--jobs N] [--only TEXT] [--list]

DIR is a configured build of the repository (build/dev) in which blockscope-fuzz has been built. For every
mutant of table.py only the broken file is compiled, and linked in front of the library. A mutant is
caught if `blockscope-fuzz --detect` finds a mismatch, crashes or does not end. Exit codes: 0 all
caught, 1 some survived or the table does not fit the sources any more.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from table import MUTANTS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = 4000  # random programs per mutant, until the first failure
SEED = 1
TIME_LIMIT = 180  # seconds; a mutant that runs longer does not stop
CAUGHT = {4: "mismatch", 124: "does not end"}


def mutated(mutant):
    """The broken source; None and a complaint if the table does not fit it."""
    text = (ROOT / mutant.file).read_text()
    for original, replacement in mutant.patches:
        found = text.count(original)
        if found != 1:
            return None, f"expected once in {mutant.file}, found {found} times: {original}"
        text = text.replace(original, replacement)
    return text, ""


class Build:
    def __init__(self, directory):
        self.directory = directory
        entries = json.loads((directory / "compile_commands.json").read_text())
        self.commands = {os.path.relpath(entry["file"], ROOT): entry for entry in entries}

    def compile(self, file, source, target):
        entry = self.commands[file]
        words = [word for word in shlex.split(entry["command"]) if not word.startswith(("-O", "-g"))]
        words[words.index("-c") + 1] = str(source)
        words[words.index("-o") + 1] = str(target)
        # What a defect leaves unused is no error.
        words += ["-O1", "-Wno-error", "-w"]
        return subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True)

    def link(self, objects, target):
        main = self.directory / "tests/proof/CMakeFiles/blockscope-fuzz.dir/fuzz_main.cpp.o"
        libraries = [self.directory / path for path in (
            "tests/proof/libblockscope_proof.a", "tests/support/liblisting_reader.a", "core/libblockscope_core.a")]
        compiler = shlex.split(next(iter(self.commands.values()))["command"])
        compiler = compiler[1] if compiler[0].endswith("ccache") else compiler[0]
        words = [compiler, str(main), *map(str, objects), "-Wl,--start-group", *map(str, libraries),
                 "-Wl,--end-group", "-lpthread", "-o", str(target)]
        return subprocess.run(words, capture_output=True, text=True)


def detect(program):
    """How the mutant is caught; empty if it survives."""
    try:
        done = subprocess.run([str(program), str(PROGRAMS), str(SEED), "--detect"], capture_output=True,
                              timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return CAUGHT[124]
    if done.returncode < 0:
        return f"crash (signal {-done.returncode})"
    return "" if done.returncode == 0 else CAUGHT.get(done.returncode, f"exit code {done.returncode}")


def examine(build, mutant, number):
    """(fine, verdict) of one mutant."""
    text, complaint = mutated(mutant)
    if text is None:
        return False, complaint
    place = build.directory / "mutants" / str(number)
    place.mkdir(parents=True, exist_ok=True)
    source = place / pathlib.Path(mutant.file).name
    source.write_text(text)
    compiled = build.compile(mutant.file, source, place / "mutant.o")
    if compiled.returncode != 0:
        return False, "does not compile:\n" + compiled.stderr
    linked = build.link([place / "mutant.o"], place / "detect")
    if linked.returncode != 0:
        return False, "does not link:\n" + linked.stderr
    verdict = detect(place / "detect")
    (place / "detect").unlink()
    return bool(verdict), verdict or "SURVIVES"


def check_unbroken(build):
    """Without a defect nothing may be found: else every mutant would count as caught."""
    place = build.directory / "mutants"
    place.mkdir(parents=True, exist_ok=True)
    linked = build.link([], place / "unbroken")
    if linked.returncode != 0:
        sys.exit("mutants: cannot link the unbroken program; build blockscope-fuzz first:\n" + linked.stderr)
    verdict = detect(place / "unbroken")
    if verdict:
        sys.exit(f"mutants: the unbroken program fails already: {verdict}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="mutants whose name or file holds this text")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    chosen = [(i, m) for i, m in enumerate(MUTANTS) if options.only in m.name or options.only in m.file]
    if options.list:
        print("\n".join(f"{mutant.file}: {mutant.name}" for _, mutant in chosen))
        return 0
    started = time.monotonic()
    build = Build(options.build.resolve())
    check_unbroken(build)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda item: examine(build, item[1], item[0]), chosen)
        for (_, mutant), (fine, verdict) in zip(chosen, results):
            bad += not fine
            print(f"{'caught ' if fine else 'PROBLEM'}  {mutant.name}: {verdict}", flush=True)
    print(f"{len(chosen) - bad} of {len(chosen)} mutants caught in {time.monotonic() - started:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

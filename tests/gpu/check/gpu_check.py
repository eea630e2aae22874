#!/usr/bin/env python3
"""Everything that only a graphics card can show, in pieces that can be repeated (./dev gpu-check).

gpu_check.py [--cli FILE] [--out FOLDER] [--device cuda0] [--samples NAME,...] [--budget SECONDS] [PIECE ...]

facts      the card, the driver, the compiler
correct    every snapshot of every sample at small, ragged sizes, plain and safe, in f32, f16 and bf16, against the
           float64 reference; on an H100 or H200 for sm_90a and sm_90; the safe forms in e4m3 and e5m2, too, and with
           products of f32 in tf32
sanitize   the last snapshot of every sample under compute-sanitizer (memcheck, then racecheck and synccheck), where it is
           installed
calibrate  the card's description, measured and fitted (which forecasts use from then on)
times      the table of benchmarks (table.py), beside the forecasts
baselines  the same problems by PyTorch (cuBLAS, cuDNN, FlexAttention, torch.compile) and Triton, where Python has them
           (baselines.py)
report     results.md from what the pieces have left (report.py)

Each piece writes FOLDER/PIECE.json. The pieces that are asked for share the budget (480 seconds): what does not fit is said
in the report, and a piece alone has all of it. `sanitize`, `times` and `baselines` go on with what has no result yet when
they are repeated on the same card, until all is there, and then begin anew; the others replace what they wrote before. Exit
code 1 if anything was wrong, 77 if there is no card. Needs nothing but Python and blockscope-cli.
"""
import argparse
import concurrent.futures
import datetime
import json
import math
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time
import traceback

from files import read_whole, write_whole
from report import ceilings, description, report_text
from table import ROOT, TABLE, TYPES, small_sizes

# Pieces in order, and what each gets of the time when all are asked for.
PIECES = {"facts": 0.03, "correct": 0.30, "sanitize": 0.1, "calibrate": 0.06, "times": 0.33, "baselines": 0.18, "report": 0}
SAFE = ""  # the form that runs where nothing else is asked for
QUICK = ["--samples", "1", "--seconds", "0", "--no-cold", "--no-results"]
WORKERS = min(16, os.cpu_count() or 1)  # programs at once where no time is taken


class Check:
    def __init__(self, options):
        self.options = options
        self.out = pathlib.Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.until = math.inf
        self.wrong = 0

    def cli(self, *arguments, wrapper=(), seconds=300):
        """The exit code, and what was printed as JSON."""
        command = [*wrapper, self.options.cli, *map(str, arguments)]
        left = max(1, min(seconds, self.until - time.monotonic()))
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=left, check=False)
        except subprocess.TimeoutExpired:
            return -1, None, "took longer than the budget left"
        try:
            return done.returncode, json.loads(done.stdout), done.stderr
        except ValueError:
            return done.returncode, None, done.stderr

    def run(self, sample, *arguments, **more):
        return self.cli("run", ROOT / "samples" / f"{sample}.bp", "--on", self.options.device, "--json", *arguments, **more)

    def samples(self):
        if self.options.samples:
            return self.options.samples.split(",")
        return sorted(file.stem for file in (ROOT / "samples").glob("*.bp"))

    # What the card is asked for: its own target, and for 16 bits on an H100 or H200 (as piece `facts` found it), where
    # that means TMA and wgmma, also the kernels without.
    def targets(self, elem):
        hopper = any("sm_90a" in text for text in (self.kept("facts") or {}).get("prepared", []))
        return ["", "sm_90"] if hopper and elem in ("f16", "bf16") else [""]

    def say(self, text):
        print(text, flush=True)

    def keep(self, piece, value):
        write_whole(self.out / f"{piece}.json", json.dumps(value, indent=1) + "\n")

    def kept(self, piece):
        return read_whole(self.out / f"{piece}.json")

    # ---- pieces

    def facts(self):
        self.need_cuda()
        code, answer, errors = self.run("softmax", "--set", "M=32/16", "--set", "N=32/16", *QUICK)
        if code == 5:
            self.say("there is no card here\n" + errors)
            sys.exit(77)
        if code:
            self.wrong += 1
            self.say(f"WRONG  the first kernel: {errors.strip()[:2000]}")
        lines = shutil.which("nvidia-smi") and subprocess.run(
            ["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm,power.limit", "--format=csv"],
            capture_output=True, text=True, check=False).stdout
        card, prepared = self.card(lines or ""), [m.get("prepared", "") for m in (answer or {}).get("measurements", [])]
        facts = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                 "system": platform.platform(), "nvidia_smi": lines or "", "machine": (answer or {}).get("machine"),
                 "card": card, "prepared": prepared, "ceilings": self.ceilings(card, prepared)}
        self.keep("facts", facts)
        self.say(lines or "no nvidia-smi")

    def need_cuda(self):
        """Ends with what is missing, where it was looked for and how it is installed."""
        _, found, _ = self.cli("diagnostics", "--json")
        missing = [part for part in ("driver", "compiler") if not (found or {}).get(part, {"found": "not asked"})["found"]]
        if not missing:
            return
        for part in missing:
            searched = "".join(f"  {one['path']}: {one['outcome']}\n" for one in found[part]["searched"])
            self.say(f"NVIDIA's {part} is not there. Looked for:\n{searched}Any of these installs it:")
            self.say("".join(f"  {command}\n" for command in found[part]["install"]))
        sys.exit(77)

    # The card's name, where nvidia-smi says it; devices are counted as CUDA does where all are of one kind.
    def card(self, lines):
        rows = [row.split(",")[0].strip() for row in lines.splitlines()[1:]]
        number = int(re.sub(r"\D", "", self.options.device) or 0)
        return rows[number] if number < len(rows) else ""

    def ceilings(self, card, prepared):
        _, answer, _ = self.cli("devices", "--json")
        architecture = re.search(r"for (sm_\d+)", " ".join(prepared))
        found = description((answer or {}).get("devices", []), card, architecture.group(1) if architecture else "")
        return ceilings(found) if found else None

    def at_once(self, asked, work):
        """work(*one) for each one asked for, several at a time; what it returns, in order."""
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            return list(pool.map(lambda one: work(*one), asked))

    def correct(self):
        # Where the time does not suffice every sample has been there in some form.
        forms = [(form, elem, target) for form in (SAFE, "--unsafe") for elem in ("bf16", "f16", "f32")
                 for target in self.targets(elem)]
        forms[len(forms) // 2:len(forms) // 2] = [(SAFE, elem, "") for elem in ("tf32", "e4m3", "e5m2")]
        asked = [(sample, *one) for one in forms for sample in self.samples()]

        def one(sample, form, elem, target):
            result = {"sample": sample, "safe": form == SAFE, "type": elem, "target": target}
            if time.monotonic() > self.until:
                return {**result, "skipped": "the time is up"}
            options = (["--target", target] if target else []) + ([form] if form else [])
            code, answer, errors = self.run(sample, "--snapshot", "all", *small_sizes(sample), "--type", elem, *options, *QUICK)
            states = judge(answer)
            fine = code == 0 and states and all(state["right"] for state in states)
            self.say(f"{'right' if fine else 'WRONG'}  {sample} {elem}{' safe' if form == SAFE else ''}"
                     f"{' ' + target if target else ''}  {len(states)} states" + ("" if fine else f": {errors.strip()[:300]}"))
            return {**result, "code": code if fine or code else 4, "states": states, "errors": "" if fine else errors}

        results = self.at_once(asked, one)
        self.wrong += sum(result.get("code", 1) != 0 for result in results)
        self.keep("correct", results)

    def sanitize(self):
        tool = shutil.which("compute-sanitizer")
        if not tool:
            self.keep("sanitize", {"skipped": "compute-sanitizer is not installed"})
            self.say("compute-sanitizer is not installed")
            return
        card = (self.kept("facts") or {}).get("card", "")
        kept = self.kept("sanitize") or {}
        known = [one for one in kept.get("results", []) if kept.get("card") == card and "skipped" not in one]
        there = {(one["tool"], one["sample"]) for one in known}
        asked = [(check, sample) for check in ("memcheck", "racecheck", "synccheck") for sample in self.samples()]
        missing = [one for one in asked if one not in there]
        if not missing:  # all are there: once more
            known, missing = [], asked

        def one(check, sample):
            if time.monotonic() > self.until:
                return {"sample": sample, "tool": check, "skipped": "the time is up"}
            wrapper = [tool, "--tool", check, "--target-processes", "all", "--error-exitcode", "9"]
            code, _, errors = self.run(sample, *small_sizes(sample), "--snapshot", "last", "--type", "bf16", *QUICK, wrapper=wrapper)
            if code == -1:
                return {"sample": sample, "tool": check, "skipped": errors}
            self.say(f"{'clean' if code == 0 else 'DIRTY'}  {sample} {check}")
            return {"sample": sample, "tool": check, "code": code, "errors": "" if code == 0 else errors}

        results = self.at_once(missing, one)
        self.wrong += sum(result.get("code", 0) != 0 for result in results)
        self.keep("sanitize", {"card": card, "results": known + results})
        if late := sum("skipped" in result for result in results):
            self.say(f"the time is up; a repetition goes on with {late} of {len(asked)}")

    def calibrate(self):
        code, answer, errors = self.cli("calibrate", "--on", self.options.device, "--json")
        self.keep("calibrate", {"code": code, "answer": answer, "errors": errors})
        self.wrong += code != 0
        self.say("calibrated" if code == 0 else f"not calibrated: {errors.strip()[:300]}")

    def asked_times(self):
        """Lines of the table with their type and target, what matters most first."""
        samples = self.options.samples.split(",") if self.options.samples else None
        table = [one for one in TABLE if not samples or one.sample in samples]
        asked = [(one, elem, "") for elem in TYPES for one in table]
        if other := (self.targets("bf16") + [""])[1]:
            asked[len(table):len(table)] = [(one, "bf16", other) for one in table if "other" in one.also]
        return asked

    def times(self):
        card = (self.kept("facts") or {}).get("card", "")
        kept = self.kept("times") or {}
        known = [one for one in kept.get("results", []) if kept.get("card") == card and "skipped" not in one]
        asked = self.asked_times()
        there = {(one["name"], one["type"], one.get("target", "")) for one in known}
        missing = [(one, elem, target) for one, elem, target in asked if (one.name, elem, target) not in there]
        if not missing:  # the table is full: once more
            known, missing = [], asked
        for i, (problem, elem, target) in enumerate(missing):
            if time.monotonic() > self.until:
                known += [{"name": one.name, "type": text, "target": by, "skipped": "the time is up"}
                          for one, text, by in missing[i:]]
                self.say(f"the time is up; a repetition goes on with {len(missing) - i} lines of the table")
                break
            known += self.timed(problem, elem, target)
            self.keep("times", {"card": card, "results": known})
        self.keep("times", {"card": card, "results": known})

    def timed(self, problem, elem, target):
        asked = ["--target", target] if target else []
        code, answer, errors = self.run(problem.sample, *problem.words(), "--snapshot", problem.snapshot, *asked,
                                        "--type", elem, "--no-results", "--seconds", "0.1", "--cap", "2")
        line = {"name": problem.name, "sample": problem.sample, "type": elem, "target": target, "flops": problem.flops,
                "bytes": 2 * problem.numbers}
        results = []
        for state in judge(answer):
            state["state"] += f", {target}" if target else ""
            results.append({**line, **state})
            self.say(f"{problem.name} {elem} {state['state']}: " + (
                f"{state['median'] * 1e6:.1f} us, {problem.flops / state['median'] / 1e12:.1f} TFLOP/s" if state.get("median")
                else state.get("failure", "no time")))
        self.wrong += any(not state["right"] for state in results)
        if code not in (0, 4):
            late = time.monotonic() > self.until
            results.append({**line, "code": code, "errors": errors, **({"skipped": "the time is up"} if late else {})})
        return results

    def baselines(self):
        script = pathlib.Path(__file__).with_name("baselines.py")
        left = max(1, self.until - time.monotonic())
        budget = max(left / 2, left - 30)  # what is under way then is waited for
        try:
            done = subprocess.run([sys.executable, "-B", script, "--out", self.out / "baselines.json", "--budget", str(budget),
                                   "--samples", self.options.samples], check=False, timeout=left)
        except subprocess.TimeoutExpired:
            self.say("the baselines took longer than their time; those that are there are kept")
            return
        if done.returncode == 77:
            self.say("Python has no PyTorch that sees a card: no baselines")
        elif done.returncode:
            self.say(f"the baselines ended with exit code {done.returncode}")

    def report(self):
        write_whole(self.out / "results.md", report_text(self.kept))
        self.say(f"{self.out / 'results.md'}")


def judge(answer):
    """What became of each state: right or the failure, and its time."""
    states = []
    for one in (answer or {}).get("measurements", []):
        # A card's own target that was wrong and gave way to another one is no right result.
        gave_way = one.get("prepared", "").startswith("not what suits the card best")
        state = {"state": one["subject"]["state"], "right": "failure" not in one and not gave_way,
                 "error": (one.get("check") or {}).get("error"), "prepared": one.get("prepared", "")}
        if "failure" in one or gave_way:
            state["failure"] = one["failure"]["message"] if "failure" in one else one["prepared"].splitlines()[0]
        if one.get("predicted_seconds"):
            state["predicted"] = one["predicted_seconds"]
        if warm := one.get("warm"):
            state.update(median=warm["median"], interval=warm.get("interval"), count=warm.get("count"),
                         clock=warm.get("clock_hz"), slow=warm.get("slow", False), runs=warm.get("runs", 1),
                         discarded=warm.get("discarded", 0), empty=warm.get("empty_seconds"))
        if one.get("cold"):
            state["cold"] = one["cold"]["median"]
        states.append(state)
    return states


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(ROOT / "build/gpu/app/cli/blockscope-cli"))
    parser.add_argument("--out", default=str(ROOT / "tests/gpu-results"))
    parser.add_argument("--device", default="cuda0")
    parser.add_argument("--samples", default="")
    parser.add_argument("--budget", type=float, default=480)
    parser.add_argument("pieces", nargs="*", choices=[[], *PIECES])
    options = parser.parse_args()
    check = Check(options)
    end = time.monotonic() + options.budget
    pieces = options.pieces or list(PIECES)
    if pieces != ["report"] and "facts" not in pieces and check.kept("facts") is None:
        pieces.insert(0, "facts")  # what the others know the card by
    for i, piece in enumerate(pieces):
        # What is left is shared by the pieces that are left.
        left, shares = end - time.monotonic(), sum(PIECES[other] for other in pieces[i:])
        check.until = time.monotonic() + max(0.0, left * (PIECES[piece] / shares if shares else 1))
        begin = time.monotonic()
        check.say(f"---- {piece}")
        try:
            getattr(check, piece)()
        except Exception:  # pylint: disable=broad-except
            # The pieces do not depend on each other: a defect of one leaves the others.
            check.wrong += 1
            check.say(f"WRONG  {piece} has ended with an error of its own:\n{traceback.format_exc()}")
        check.say(f"---- {piece}: {time.monotonic() - begin:.0f} s")
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Everything that only a graphics card can show, in pieces that can be repeated (./dev gpu-check).

gpu_check.py [--cli FILE] [--out FOLDER] [--device cuda0] [--samples NAME,...] [--budget SECONDS] [PIECE ...]

facts      the card, the driver, the compiler
correct    every snapshot of every sample at small, ragged sizes, plain and safe, in f32, f16 and bf16, against the
           float64 reference
sanitize   the same of some samples under compute-sanitizer, where it is installed
times      the table of benchmarks: every snapshot at the sizes of the table, beside its prediction
baselines  the same problems by PyTorch (cuBLAS, cuDNN, its Triton kernels), where Python has them (baselines.py)
report     results.md from what the pieces have left

Each piece writes FOLDER/PIECE.json and replaces what it wrote before. Exit code 1 if anything was wrong, 77 if there is no
card. Needs nothing but Python and blockscope-cli.
"""
import argparse
import datetime
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PIECES = ["facts", "correct", "sanitize", "times", "baselines", "report"]
QUICK = ["--samples", "1", "--seconds", "0", "--no-cold", "--no-results"]

# name, sample, sizes, FLOPs of the unfused program (multiply-adds count two)
ATTENTION = [(f"attention d={d} {tokens} tokens", "attention",
              {"M": (tokens, 128), "N": (tokens, 64), "D": (d, d), "L": (d, d)}, 4 * tokens * tokens * d)
             for d in (64, 128) for tokens in (1024, 2048, 4096, 8192, 16384)]
NORMS = [(f"{sample} {rows} rows", sample, {"M": (rows, min(rows, 128)), "N": (4096, 128), "K": (4096, 64)},
          2 * rows * 4096 * 4096)
         for sample in ("layernorm-matmul",) for rows in (16, 256, 4096, 16384)]
SWIGLU = [(f"rmsnorm-swiglu {rows} rows", "rmsnorm-swiglu",
           {"M": (rows, min(rows, 128)), "D": (4096, 64), "K": (14336, 64), "N": (4096, 128)}, 6 * rows * 4096 * 14336)
          for rows in (16, 256, 4096, 16384)]


class Check:
    def __init__(self, options):
        self.options = options
        self.out = pathlib.Path(options.out)
        self.out.mkdir(parents=True, exist_ok=True)
        self.until = time.monotonic() + options.budget
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
        (self.out / f"{piece}.json").write_text(json.dumps(value, indent=1) + "\n")

    def kept(self, piece):
        file = self.out / f"{piece}.json"
        return json.loads(file.read_text()) if file.exists() else None

    # ---- pieces

    def facts(self):
        code, answer, errors = self.run("softmax", "--set", "M=32/16", "--set", "N=32/16", *QUICK)
        if code == 5:
            self.say("there is no card here\n" + errors)
            sys.exit(77)
        lines = shutil.which("nvidia-smi") and subprocess.run(
            ["nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm,power.limit", "--format=csv"],
            capture_output=True, text=True, check=False).stdout
        facts = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                 "system": platform.platform(), "nvidia_smi": lines or "", "machine": (answer or {}).get("machine"),
                 "prepared": [m.get("prepared", "") for m in (answer or {}).get("measurements", [])]}
        self.keep("facts", facts)
        self.say(lines or "no nvidia-smi")

    def correct(self):
        results = []
        for sample in self.samples():
            sizes = small_sizes(sample)
            for form in ("--unsafe", "--safe"):
                for elem, target in [(elem, target) for elem in ("f32", "f16", "bf16") for target in self.targets(elem)]:
                    if time.monotonic() > self.until:
                        results.append({"sample": sample, "skipped": "the time is up"})
                        self.wrong += 1
                        continue
                    asked = ["--target", target] if target else []
                    code, answer, errors = self.run(sample, *sizes, form, "--type", elem, *asked, *QUICK)
                    states = judge(answer)
                    bad = [state for state in states if not state["right"]]
                    fine = code == 0 and states and not bad
                    self.wrong += not fine
                    results.append({"sample": sample, "safe": form == "--safe", "type": elem, "target": target, "code": code,
                                    "states": states, "errors": "" if fine else errors})
                    self.say(f"{'right' if fine else 'WRONG'}  {sample} {elem}{' safe' if form == '--safe' else ''}"
                             f"{' ' + target if target else ''}  {len(states)} states" + ("" if fine else f": {errors.strip()[:300]}"))
        self.keep("correct", results)

    def sanitize(self):
        tool = shutil.which("compute-sanitizer")
        if not tool:
            self.keep("sanitize", {"skipped": "compute-sanitizer is not installed"})
            self.say("compute-sanitizer is not installed")
            return
        results = []
        for sample in self.options.samples.split(",") if self.options.samples else ("attention", "layernorm-matmul", "rmsnorm-swiglu"):
            for check in ("memcheck", "racecheck", "synccheck"):
                wrapper = [tool, "--tool", check, "--target-processes", "all", "--error-exitcode", "9"]
                code, answer, errors = self.run(sample, *small_sizes(sample), "--type", "bf16", *QUICK, wrapper=wrapper)
                fine = code == 0
                self.wrong += not fine
                results.append({"sample": sample, "tool": check, "code": code, "errors": "" if fine else errors})
                self.say(f"{'clean' if fine else 'DIRTY'}  {sample} {check}")
        self.keep("sanitize", results)

    def times(self):
        results = []
        for name, sample, sizes, flops in ATTENTION + NORMS + SWIGLU:
            if self.options.samples and sample not in self.options.samples.split(","):
                continue
            for elem, target in [(elem, target) for elem in ("bf16", "f16") for target in self.targets(elem)]:
                if time.monotonic() > self.until:
                    results.append({"name": name, "type": elem, "skipped": "the time is up"})
                    continue
                setting = [word for dim, (size, block) in sizes.items() for word in ("--set", f"{dim}={size}/{block}")]
                setting += ["--target", target] if target else []
                code, answer, errors = self.run(sample, *setting, "--safe", "--type", elem, "--no-results", "--seconds", "0.1",
                                                "--cap", "2")
                for state in judge(answer):
                    state["state"] += f", {target}" if target else ""
                    results.append({"name": name, "sample": sample, "type": elem, "flops": flops, **state})
                    self.say(f"{name} {elem} {state['state']}: " + (
                        f"{state['median'] * 1e6:.1f} us, {flops / state['median'] / 1e12:.1f} TFLOP/s" if state.get("median")
                        else state["failure"]))
                if code not in (0, 4):
                    results.append({"name": name, "type": elem, "code": code, "errors": errors})
        self.keep("times", results)

    def baselines(self):
        script = pathlib.Path(__file__).with_name("baselines.py")
        done = subprocess.run([sys.executable, script, "--out", self.out / "baselines.json"], check=False,
                              timeout=max(1, self.until - time.monotonic()))
        if done.returncode == 77:
            self.say("Python has no PyTorch that sees a card: no baselines")

    def report(self):
        (self.out / "results.md").write_text(report_text(self))
        self.say(f"{self.out / 'results.md'}")


def small_sizes(sample):
    """--set options that make every axis small and its last block ragged."""
    words = []
    for kind, name, size, block in re.findall(r"^(dim|batch|group) (\w+) = (\d+)(?: / (\d+))?",
                                              (ROOT / "samples" / f"{sample}.bp").read_text(), re.M):
        if kind == "dim":
            words += ["--set", f"{name}={min(int(size), 80)}/{min(int(block or size), 32)}"]
        else:
            words += ["--set", f"{name}={min(int(size), 2)}"]
    return words


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
        warm = (one.get("warm") or {}).get("summary") or one.get("warm")
        if warm:
            state.update(median=warm["median"], low=warm.get("low"), high=warm.get("high"), count=warm.get("count"))
        states.append(state)
    return states


def report_text(check):
    facts = check.kept("facts") or {}
    lines = [f"# A card's results, {facts.get('date', 'no date')}", "", "```", (facts.get("nvidia_smi") or "").strip(),
             facts.get("system", ""), "```", ""]
    correct = check.kept("correct")
    if correct is not None:
        states = [state for one in correct for state in one.get("states", [])]
        wrong = [one for one in correct if one.get("code", 1) != 0]
        lines += ["## Right results", "", f"{len(states)} states of {len({one['sample'] for one in correct})} samples; "
                  f"{len(wrong)} runs were wrong or skipped.", ""]
        lines += [f"- {one['sample']} {one.get('type', '')}: {(one.get('skipped') or one.get('errors', '')).strip()[:200]}"
                  for one in wrong]
    sanitize = check.kept("sanitize")
    if isinstance(sanitize, list):
        lines += ["", "## compute-sanitizer", ""] + [
            f"- {one['sample']} {one['tool']}: {'clean' if one['code'] == 0 else 'dirty'}" for one in sanitize]
    baselines = {(one["name"], one["type"]): one for one in (check.kept("baselines") or {}).get("results", [])}
    times = check.kept("times")
    if times:
        lines += ["", "## Times", "", "| problem | type | state | median | TFLOP/s | best baseline | ratio |",
                  "|---|---|---|---|---|---|---|"]
        for one in times:
            if not one.get("median"):
                lines.append(f"| {one['name']} | {one['type']} | {one.get('state', '')} | "
                             f"{one.get('failure') or one.get('skipped') or 'failed'} | | | |")
                continue
            best = baselines.get((one["name"], one["type"]))
            other = f"{best['best']} {best['median'] * 1e6:.1f} us" if best else ""
            ratio = f"{best['median'] / one['median']:.2f}" if best else ""
            lines.append(f"| {one['name']} | {one['type']} | {one['state']} | {one['median'] * 1e6:.1f} us | "
                         f"{one['flops'] / one['median'] / 1e12:.1f} | {other} | {ratio} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(ROOT / "build/gpu/app/cli/blockscope-cli"))
    parser.add_argument("--out", default=str(ROOT / "build/gpu-results"))
    parser.add_argument("--device", default="cuda0")
    parser.add_argument("--samples", default="")
    parser.add_argument("--budget", type=float, default=520)
    parser.add_argument("pieces", nargs="*", choices=[[], *PIECES])
    options = parser.parse_args()
    check = Check(options)
    for piece in options.pieces or PIECES:
        check.say(f"---- {piece}")
        getattr(check, piece)()
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Everything that only a graphics card can show, in pieces that can be repeated (./dev gpu-check).

gpu_check.py [--cli FILE] [--out FOLDER] [--device cuda0] [--samples NAME,...] [--budget SECONDS] [PIECE ...]

facts      the card, the driver, the compiler
correct    every snapshot of every sample at small, ragged sizes, plain and safe, in f32, f16 and bf16, against the
           float64 reference; on an H100 or H200 for sm_90a and sm_90
sanitize   the same of some samples under compute-sanitizer, where it is installed
calibrate  the card's description, measured and fitted (which forecasts use from then on)
times      the table of benchmarks, beside the forecasts
baselines  the same problems by PyTorch (cuBLAS, cuDNN, its Triton kernels), where Python has them (baselines.py)
report     results.md from what the pieces have left

Each piece writes FOLDER/PIECE.json and replaces what it wrote before. The pieces that are asked for share the budget (480
seconds): what does not fit is said in the report, and a piece alone has all of it. Exit code 1 if anything was wrong, 77
if there is no card. Needs nothing but Python and blockscope-cli.
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

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Pieces in order, and what each gets of the time when all are asked for.
PIECES = {"facts": 0.03, "correct": 0.33, "sanitize": 0.1, "calibrate": 0.06, "times": 0.33, "baselines": 0.15, "report": 0}
QUICK = ["--samples", "1", "--seconds", "0", "--no-cold", "--no-results"]
WORKERS = min(8, os.cpu_count() or 1)  # programs at once where no time is taken


class Problem:
    """A line of the table: sizes are {dimension: (size, block)} or {batch: size}; flops are the unfused program's, a
    multiply-add counting two, of a causal mask half (as FlashAttention counts)."""

    def __init__(self, name, sample, sizes, flops, snapshot="all", also=()):
        self.name, self.sample, self.sizes, self.flops = name, sample, sizes, flops
        self.snapshot = snapshot  # which states
        self.also = also          # besides bf16 by the card's own target: "f16", "other" (target)

    def words(self):
        return [word for dim, size in self.sizes.items()
                for word in ("--set", f"{dim}={size}" if isinstance(size, int) else f"{dim}={size[0]}/{size[1]}")]


def attention(d, tokens, causal):
    """16384 tokens in all and 2048 columns of heads, as FlashAttention-3 measures."""
    heads, batch = 2048 // d, 16384 // tokens
    sizes = {"H": heads * batch} if causal else {"B": batch, "H": heads}
    sizes |= {"M": (tokens, 128), "N": (tokens, 128), "D": (d, d), "L": (d, d)}
    flops = 4 * 16384 * tokens * 2048 // (2 if causal else 1)
    return Problem(f"attention d={d} {tokens} tokens{' causal' if causal else ''}",
                   "causal-attention" if causal else "multihead-attention", sizes, flops, "last",
                   ("f16", "other") if tokens == 4096 else ())


def rows_of(rows):
    return (rows, min(rows, 128))


ATTENTION = [attention(d, tokens, causal) for tokens in (4096, 16384, 1024, 8192, 2048)
             for d in (128, 64) for causal in (False, True)]
NORMS = [Problem(f"layernorm-matmul {rows} rows", "layernorm-matmul",
                 {"M": rows_of(rows), "N": (4096, 128), "K": (4096, 64)}, 2 * rows * 4096 * 4096,
                 also=("f16", "other") if rows == 4096 else ())
         for rows in (4096, 16, 256, 16384)]
SWIGLU = [Problem(f"rmsnorm-swiglu {rows} rows", "rmsnorm-swiglu",
                  {"M": rows_of(rows), "D": (4096, 64), "K": (14336, 64), "N": (4096, 128)}, 6 * rows * 4096 * 14336,
                  also=("other",) if rows == 16 else ())
          for rows in (16, 256, 4096, 16384)]
MIRAGE = [Problem(f"rmsnorm-matmul {rows} rows", "rmsnorm-matmul",
                  {"M": (rows, rows), "D": (4096, 64), "N": (6144, 128)}, 2 * rows * 4096 * 6144, "last")
          for rows in (1, 16)] + [
    Problem("gated-mlp 16 rows", "gated-mlp", {"M": (16, 16), "D": (4096, 64), "F": (11008, 64)}, 6 * 16 * 4096 * 11008, "last"),
    Problem("lora 16 rows", "lora", {"M": (16, 16), "D": (4096, 64), "N": (4096, 128)},
            2 * 16 * (4096 * 4096 + 16 * (4096 + 4096)), "last")]


def mcfuser():
    """G1 to G12 and S1 to S9 as the samples have them (MCFuser, tables II and III)."""
    problems = []
    for name in [f"mcfuser-g{i}" for i in range(1, 13)] + [f"mcfuser-s{i}" for i in range(1, 10)]:
        text = (ROOT / "samples" / f"{name}.bp").read_text()
        of = {dim: int(size) for dim, size in re.findall(r"^(?:dim|batch) (\w+) = (\d+)", text, re.M)}
        batch = of.get("Chains", of.get("Heads", 1))
        flops = 2 * batch * of["M"] * of["N"] * (of["K"] + of["H"])
        problems.append(Problem(name, name, {}, flops))
    return problems


# What matters most comes first, in case the time is up.
TABLE = NORMS[:1] + SWIGLU[:1] + ATTENTION[:4] + NORMS[1:] + SWIGLU[1:] + ATTENTION[4:] + MIRAGE + mcfuser()


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

    def at_once(self, asked, work):
        """work(*one) for each one asked for, several at a time; what it returns, in order."""
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            return list(pool.map(lambda one: work(*one), asked))

    def correct(self):
        asked = [(sample, form, elem, target) for sample in self.samples() for form in ("--unsafe", "--safe")
                 for elem in ("f32", "f16", "bf16") for target in self.targets(elem)]

        def one(sample, form, elem, target):
            result = {"sample": sample, "safe": form == "--safe", "type": elem, "target": target}
            if time.monotonic() > self.until:
                return {**result, "skipped": "the time is up"}
            options = ["--target", target] if target else []
            code, answer, errors = self.run(sample, *small_sizes(sample), form, "--type", elem, *options, *QUICK)
            states = judge(answer)
            fine = code == 0 and states and all(state["right"] for state in states)
            self.say(f"{'right' if fine else 'WRONG'}  {sample} {elem}{' safe' if form == '--safe' else ''}"
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
        samples = self.options.samples.split(",") if self.options.samples else ("attention", "layernorm-matmul", "rmsnorm-swiglu")

        def one(check, sample):
            if time.monotonic() > self.until:
                return {"sample": sample, "tool": check, "skipped": "the time is up"}
            wrapper = [tool, "--tool", check, "--target-processes", "all", "--error-exitcode", "9"]
            code, _, errors = self.run(sample, *small_sizes(sample), "--snapshot", "last", "--type", "bf16", *QUICK, wrapper=wrapper)
            self.say(f"{'clean' if code == 0 else 'DIRTY'}  {sample} {check}")
            return {"sample": sample, "tool": check, "code": code, "errors": "" if code == 0 else errors}

        results = self.at_once([(check, sample) for check in ("memcheck", "racecheck", "synccheck") for sample in samples], one)
        self.wrong += sum(result.get("code", 0) != 0 for result in results)
        self.keep("sanitize", results)

    def calibrate(self):
        code, answer, errors = self.cli("calibrate", "--on", self.options.device, "--json")
        self.keep("calibrate", {"code": code, "answer": answer, "errors": errors})
        self.wrong += code != 0
        self.say("calibrated" if code == 0 else f"not calibrated: {errors.strip()[:300]}")

    def times(self):
        results = []
        other = (self.targets("bf16") + [""])[1]
        for problem in TABLE:
            if self.options.samples and problem.sample not in self.options.samples.split(","):
                continue
            ways = [("bf16", "")] + [("f16", "")] * ("f16" in problem.also) + [("bf16", other)] * (other != "" and "other" in problem.also)
            for elem, target in ways:
                if time.monotonic() > self.until:
                    results.append({"name": problem.name, "type": elem, "target": target, "skipped": "the time is up"})
                    continue
                results += self.timed(problem, elem, target)
                self.keep("times", results)
        self.keep("times", results)

    def timed(self, problem, elem, target):
        asked = ["--target", target] if target else []
        code, answer, errors = self.run(problem.sample, *problem.words(), "--snapshot", problem.snapshot, *asked, "--safe",
                                        "--type", elem, "--no-results", "--seconds", "0.1", "--cap", "2")
        results = []
        for state in judge(answer):
            state["state"] += f", {target}" if target else ""
            results.append({"name": problem.name, "sample": problem.sample, "type": elem, "flops": problem.flops, **state})
            self.say(f"{problem.name} {elem} {state['state']}: " + (
                f"{state['median'] * 1e6:.1f} us, {problem.flops / state['median'] / 1e12:.1f} TFLOP/s" if state.get("median")
                else state.get("failure", "no time")))
        self.wrong += any(not state["right"] for state in results)
        if code not in (0, 4):
            results.append({"name": problem.name, "type": elem, "code": code, "errors": errors})
        return results

    def baselines(self):
        script = pathlib.Path(__file__).with_name("baselines.py")
        left = max(1, self.until - time.monotonic())
        try:
            done = subprocess.run([sys.executable, script, "--out", self.out / "baselines.json", "--budget", str(left)],
                                  check=False, timeout=left + 60)
        except subprocess.TimeoutExpired:
            self.say("the baselines took longer than their time; those that are there are kept")
            return
        if done.returncode == 77:
            self.say("Python has no PyTorch that sees a card: no baselines")
        elif done.returncode:
            self.say(f"the baselines ended with exit code {done.returncode}")

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


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    for rank, i in enumerate(order):
        result[i] = rank
    return result


def pearson(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    spread = math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))
    return both / spread if spread > 0 else float("nan")


def forecast_lines(times):
    """How forecasts agree with times: over all of them, and over the states of each problem."""
    known = [one for one in times if one.get("median") and one.get("predicted")]
    if len(known) < 2:
        return ["There are too few."]
    logs = [[math.log(one[key]) for one in known] for key in ("predicted", "median")]
    error = sum(abs(one["predicted"] / one["median"] - 1) for one in known) / len(known)
    lines = [f"{len(known)} times: Pearson of logarithms {pearson(*logs):.3f}, Spearman "
             f"{pearson(ranks(logs[0]), ranks(logs[1])):.3f}, mean error {100 * error:.0f}%.", "",
             "| problem | type | states | Spearman | regret |", "|---|---|---|---|---|"]
    for name, elem in sorted({(one["name"], one["type"]) for one in known}):
        own = [one for one in known if (one["name"], one["type"]) == (name, elem)]
        if len(own) < 3:
            continue
        pick = min(own, key=lambda one: one["predicted"])["median"]
        regret = pick / min(one["median"] for one in own)
        order = pearson(ranks([one["predicted"] for one in own]), ranks([one["median"] for one in own]))
        lines.append(f"| {name} | {elem} | {len(own)} | {order:.2f} | {regret:.2f} |")
    return lines


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
        for one in wrong:
            failures = [state["failure"] for state in one.get("states", []) if "failure" in state]
            why = one.get("skipped") or one.get("errors") or (failures or ["no answer"])[0]
            lines.append(f"- {one['sample']} {one.get('type', '')} {one.get('target', '')}: {why.strip()[:200]}")
    sanitize = check.kept("sanitize")
    if isinstance(sanitize, list):
        lines += ["", "## compute-sanitizer", ""] + [
            f"- {one['sample']} {one['tool']}: {one.get('skipped') or ('clean' if one['code'] == 0 else 'dirty')}" for one in sanitize]
    baselines = {(one["name"], one["type"]): one for one in (check.kept("baselines") or {}).get("results", [])}
    times = check.kept("times")
    if times:
        lines += ["", "## Forecasts", "", *forecast_lines(times)]
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
    parser.add_argument("--budget", type=float, default=480)
    parser.add_argument("pieces", nargs="*", choices=[[], *PIECES])
    options = parser.parse_args()
    check = Check(options)
    end = time.monotonic() + options.budget
    pieces = options.pieces or list(PIECES)
    for i, piece in enumerate(pieces):
        # What is left is shared by the pieces that are left.
        left, shares = end - time.monotonic(), sum(PIECES[other] for other in pieces[i:])
        check.until = time.monotonic() + max(1.0, left * (PIECES[piece] / shares if shares else 1))
        begin = time.monotonic()
        check.say(f"---- {piece}")
        getattr(check, piece)()
        check.say(f"---- {piece}: {time.monotonic() - begin:.0f} s")
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()

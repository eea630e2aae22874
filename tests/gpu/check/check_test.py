#!/usr/bin/env python3
"""gpu_check.py itself, without a card: a stand-in for blockscope-cli answers with results to order."""
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from report import ceilings, description, pearson, ranks, report_text, share
from table import ROOT, TABLE

HERE = pathlib.Path(__file__).resolve().parent

# Answers `run` with two states, each of which takes 2 ms; a problem with the name in FAILS ends with an error.
STAND_IN = """#!/usr/bin/env python3
import json, os, sys
if sys.argv[1] == "devices":
    folder = {devices!r}
    print(json.dumps({{"devices": [json.load(open(os.path.join(folder, f))) for f in sorted(os.listdir(folder))
                                   if f.endswith(".json")]}}))
    sys.exit(0)
with open({log!r}, "a") as log:
    log.write(" ".join(sys.argv[1:]) + "\\n")
time = {{"count": 25, "median": 0.002, "interval": [0.0019, 0.0021], "clock_hz": 1.75e9, "discarded": 3, "slow": True,
        "empty_seconds": 2e-6}}
states = [{{"subject": {{"state": name}}, "prepared": "target sm_80 for sm_80", "check": {{"error": 0.001}}, "warm": time,
           "cold": time, "predicted_seconds": 0.001}} for name in ("initial", "fused")]
print(json.dumps({{"machine": {{}}, "measurements": states}}))
"""


class Pieces(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(self.folder.name)
        self.out, self.log, self.cli = root / "out", root / "log", root / "cli"
        self.cli.write_text(STAND_IN.format(devices=str(ROOT / "resources/devices"), log=str(self.log)))
        self.cli.chmod(self.cli.stat().st_mode | stat.S_IXUSR)

    def tearDown(self):
        self.folder.cleanup()

    def check(self, *words):
        done = subprocess.run([sys.executable, HERE / "gpu_check.py", "--cli", self.cli, "--out", self.out, *words],
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout

    def kept(self, piece):
        return json.loads((self.out / f"{piece}.json").read_text())

    def test_every_sample_is_sanitized_in_as_many_repetitions_as_it_takes(self):
        tool = self.out.parent / "bin" / "compute-sanitizer"
        tool.parent.mkdir()
        # --tool NAME --target-processes all --error-exitcode 9 COMMAND: racecheck finds something in softmax.
        tool.write_text('#!/bin/sh\nname=$2\nshift 6\n"$@" || exit\n'
                        'case $name$* in racecheck*softmax.bp*) exit 9 ;; esac\n')
        tool.chmod(0o755)
        samples = {file.stem for file in (ROOT / "samples").glob("*.bp")}
        with mock.patch.dict(os.environ, PATH=f"{tool.parent}:{os.environ['PATH']}"):
            said = self.check("facts", "sanitize")
            self.assertIn("DIRTY  softmax racecheck", said)
            kept = self.kept("sanitize")
            for check in ("memcheck", "racecheck", "synccheck"):
                self.assertEqual({one["sample"] for one in kept["results"] if one["tool"] == check}, samples)
            self.assertIn("racecheck: %d samples clean, dirty: softmax" % (len(samples) - 1),
                          report_text(lambda piece: kept if piece == "sanitize" else None))
            # What had no time comes with the next repetition.
            kept["results"] = kept["results"][:-2] + [{"tool": "synccheck", "sample": "softmax", "skipped": "the time is up"}]
            (self.out / "sanitize.json").write_text(json.dumps(kept))
            self.assertEqual(self.check("sanitize").count("clean"), 2)
            self.assertEqual(len(self.kept("sanitize")["results"]), 3 * len(samples))

    def test_times_stand_beside_the_cards_clock(self):
        self.check("--samples", "lora", "facts", "times")
        report = report_text(lambda piece: self.kept("times") if piece == "times" else None)
        self.assertEqual(report.count("| 1.75 (slow) |"), 4)
        self.assertIn("An empty kernel takes up to 2.0 us", report)
        self.assertIn("12 samples at less than three quarters", report)
        header = next(line for line in report.splitlines() if line.startswith("| problem | type | state |"))
        a_cycle = {f"{one['flops'] / 0.002 / 1.75e9 / 1e3:.1f}" for one in self.kept("times")["results"]}
        for line in report.splitlines():
            if line.startswith("| lora"):
                self.assertEqual(line.count("|"), header.count("|"))
                cells = dict(zip(*([cell.strip() for cell in row.split("|")] for row in (header, line))))
                self.assertIn(cells["kFLOP/cycle"], a_cycle)

    def test_a_repetition_goes_on_with_what_is_missing(self):
        self.check("--samples", "lora", "facts", "times")
        self.assertEqual(len(self.kept("times")["results"]), 4)  # two types, two states
        before = self.log.read_text().count("--set")
        # One line has no result.
        times = self.kept("times")
        times["results"] = [one for one in times["results"] if one["type"] != "f16"]
        (self.out / "times.json").write_text(json.dumps(times))
        self.log.write_text("")
        self.check("--samples", "lora", "times")
        asked = [line for line in self.log.read_text().splitlines() if "--set" in line]
        self.assertEqual(len(asked), 1, "only what was missing")
        self.assertIn("--type f16", asked[0])
        self.assertEqual(len(self.kept("times")["results"]), 4)
        self.log.write_text("")
        self.check("--samples", "lora", "times")
        self.assertEqual(sum("--set M=16" in line for line in self.log.read_text().splitlines()), 2, "once more")
        self.assertGreater(before, 0)

    def test_results_of_another_card_are_left(self):
        self.check("--samples", "lora", "facts", "times")
        times = self.kept("times")
        times["card"] = "another one"
        (self.out / "times.json").write_text(json.dumps(times))
        self.log.write_text("")
        self.check("--samples", "lora", "times")
        self.assertEqual(len([line for line in self.log.read_text().splitlines() if "--set M=16" in line]), 2)

    def test_what_had_no_time_is_said(self):
        text = self.check("--budget", "0", "times")
        self.assertIn("the time is up; a repetition goes on with", text)
        self.assertTrue(any("skipped" in one for one in self.kept("times")["results"]))

    def test_what_is_missing_is_said_before_anything_else(self):
        self.cli.write_text("#!/usr/bin/env python3\nimport json\n"
                            "print(json.dumps({'driver': {'found': 'libcuda.so.1', 'searched': [], 'install': []}, 'compiler': "
                            "{'found': '', 'searched': [{'path': 'libnvrtc.so', 'outcome': 'no such file'}], "
                            "'install': ['pip install it']}}))\n")
        done = subprocess.run([sys.executable, HERE / "gpu_check.py", "--cli", self.cli, "--out", self.out, "correct"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("NVIDIA's compiler is not there", done.stdout)
        self.assertIn("libnvrtc.so: no such file", done.stdout)
        self.assertIn("pip install it", done.stdout)
        self.assertNotIn("driver is not there", done.stdout)

    def test_a_piece_that_fails_leaves_the_others(self):
        self.check("--samples", "lora", "facts")
        (self.out / "times.json").write_text('{"card": "", "results": 7}')  # nothing that a piece has written
        text = self.check("--samples", "lora", "times", "calibrate", "report")
        self.assertIn("WRONG  times has ended with an error of its own", text)
        self.assertIn("---- calibrate", text)

    def test_a_file_that_was_cut_off_counts_as_none(self):
        self.check("--samples", "lora", "facts")
        (self.out / "times.json").write_text('{"card": "", "resu')
        self.check("--samples", "lora", "times", "report")
        self.assertEqual(len(self.kept("times")["results"]), 4)

    def test_the_report_has_every_column(self):
        self.check("--samples", "lora", "facts", "times")
        baselines = {"results": [{"name": "lora 16 rows", "type": "bf16", "ways": {
            "torch.compile": {"median": 0.003}, "cuBLAS": {"failure": "no such thing"}}}]}
        (self.out / "baselines.json").write_text(json.dumps(baselines))
        self.check("report")
        text = (self.out / "results.md").read_text()
        line = next(line for line in text.splitlines() if line.startswith("| lora 16 rows | bf16 | fused"))
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        self.assertEqual(cells[3], "2000.0")
        self.assertEqual(cells[4], "1900.0 .. 2100.0")
        self.assertEqual(cells[10], "1000.0")
        self.assertEqual(cells[11], "torch.compile 1.50")
        self.assertRegex(cells[7], r"^\d+%$")  # of the a100's ceiling: sm_80
        self.assertIn("lora 16 rows bf16, cuBLAS: no such thing", text)
        self.assertIn("mean error (MAPE) 50%", text)


class Table(unittest.TestCase):
    def test_every_row_of_the_table(self):
        names = [one.name for one in TABLE]
        self.assertEqual(len(names), len(set(names)))
        for d in (64, 128):
            for tokens in (1024, 2048, 4096, 8192, 16384):
                for causal in ("", " causal"):
                    self.assertIn(f"attention d={d} {tokens} tokens{causal}", names)
        for rows in (16, 256, 4096, 16384):
            self.assertIn(f"layernorm-matmul {rows} rows", names)
            self.assertIn(f"rmsnorm-swiglu {rows} rows", names)
        for i in range(1, 13):
            self.assertIn(f"mcfuser-g{i}", names)
        for i in range(1, 10):
            self.assertIn(f"mcfuser-s{i}", names)
        for one in TABLE:
            self.assertTrue((ROOT / "samples" / f"{one.sample}.bp").exists(), one.sample)
            self.assertTrue(one.flops > 0 and one.numbers > 0)
            self.assertEqual("--range" in one.words(), one.sample in ("rmsnorm-swiglu", "gated-mlp"), one.name)
            declared = set(re.findall(r"^(?:dim|batch|group) (\w+)", (ROOT / "samples" / f"{one.sample}.bp").read_text(), re.M))
            self.assertLessEqual(set(one.sizes), declared, one.name)

    def test_flops_are_the_programs(self):
        of = {one.name: one for one in TABLE}
        self.assertEqual(of["layernorm-matmul 4096 rows"].flops, 2 * 4096 ** 3)
        self.assertEqual(of["attention d=128 4096 tokens"].flops, 4 * 4 * 16 * 4096 * 4096 * 128)
        self.assertEqual(of["attention d=64 4096 tokens causal"].flops, 2 * 4 * 32 * 4096 * 4096 * 64)


class Figures(unittest.TestCase):
    def devices(self):
        return [json.loads(file.read_text()) for file in sorted((ROOT / "resources/devices").glob("*.json"))]

    def test_a_card_is_found_by_name_and_by_generation(self):
        self.assertEqual(description(self.devices(), "NVIDIA H200", "sm_90")["name"], "h200")
        self.assertEqual(description(self.devices(), "NVIDIA L4", "sm_89")["name"], "l4")
        self.assertEqual(description(self.devices(), "A card of the future", "sm_90a")["name"], "h100-sxm5")
        self.assertIsNone(description(self.devices(), "A card", ""))

    def test_the_share_of_a_ceiling(self):
        ceiling = ceilings(description(self.devices(), "NVIDIA H200", ""))
        self.assertEqual(ceiling["flops"], 989.5e12)
        self.assertEqual(ceiling["bytes"], 4.8e12)
        bound_by_memory = {"flops": 1e9, "bytes": 4.8e9, "median": 2e-3}
        self.assertAlmostEqual(share(bound_by_memory, ceiling), 0.5)
        bound_by_products = {"flops": 989.5e9, "bytes": 1e6, "median": 4e-3}
        self.assertAlmostEqual(share(bound_by_products, ceiling), 0.25)

    def test_ranks_of_equal_values(self):
        self.assertEqual(ranks([3, 1, 3]), [1.5, 0, 1.5])
        self.assertAlmostEqual(pearson(ranks([1, 2, 3]), ranks([10, 20, 40])), 1)

    def test_a_report_of_nothing(self):
        self.assertIn("no date", report_text(lambda piece: None))


if __name__ == "__main__":
    unittest.main()

"""The Python package against the real command line (tests/python/CMakeLists.txt)."""

import os
import inspect
import pathlib
import re
import subprocess
import unittest
import unittest.mock
import xml.dom.minidom

import blockscope as bs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "samples"

SMALL = """dim M = 64 / 16
dim N = 64 / 16
input X[M, N]
output Y = softmax(X)
"""


class Programs(unittest.TestCase):
    def test_attention_is_fused_in_its_17_steps(self):
        run = bs.open(SAMPLES / "attention.bp").fuse()
        self.assertEqual(len(run), 18)
        self.assertEqual(run.snapshots, [15, 17])
        self.assertEqual(run.steps[0]["number"], 1)
        self.assertIn("forall m in range(M):", run.state(-1).listing)
        self.assertIn("17 steps", repr(run))
        self.assertEqual(repr(run[3]), "<step 3 of attention.bp>")
        self.assertEqual(repr(run[-1]), "<step 17 of attention.bp>")

    def test_a_text_is_a_program(self):
        run = bs.program(SMALL).fuse()
        self.assertIn("row_sum", run.best.listing)
        self.assertIn("<table>", run._repr_html_())

    def test_the_papers_rules_are_another_run_in_pictures_too(self):
        sample = bs.open(SAMPLES / "layernorm-affine-matmul.bp")
        ours, papers = sample.fuse(), sample.fuse(rules="paper")
        self.assertNotEqual(len(ours), len(papers))
        self.assertNotEqual(ours.state(-1).svg(), papers.state(-1).svg())

    def test_steps_that_there_are_not_are_refused(self):
        run = bs.program(SMALL).fuse()
        with self.assertRaises(IndexError):
            run.state(len(run))
        with self.assertRaises(IndexError):
            run.state(-len(run) - 1)
        with self.assertRaisesRegex(bs.BlockscopeError, "no snapshot 9"):
            run.state("snapshot 9")

    def test_what_names_no_state_is_refused_with_a_sentence(self):
        run = bs.program(SMALL).fuse()
        for wrong in (slice(0, 2), 1.0, None, [1]):
            with self.assertRaisesRegex(TypeError, "a state is the number of a step or a name"):
                run[wrong]  # pylint: disable=pointless-statement

    def test_whatever_counts_as_an_integer_is_a_step(self):
        class One:
            def __index__(self):
                return 1

        self.assertEqual(bs.program(SMALL).fuse()[One()].step, 1)

    def test_what_is_wrong_is_said_with_its_place(self):
        with self.assertRaisesRegex(bs.BlockscopeError, "2:.*K"):
            bs.program("dim M = 64 / 16\ninput X[M, K]\n").fuse()


    def test_a_star_does_not_take_the_name_of_open(self):
        names = {}
        exec("from blockscope import *", names)  # pylint: disable=exec-used
        self.assertNotIn("open", names)
        self.assertIn("from_torch", names)

    def test_the_package_has_the_version_of_the_program(self):
        project = ROOT / "resources" / "python" / "pyproject.toml"
        version = re.search(r'^version = "(.*)"$', project.read_text(encoding="utf-8"), re.MULTILINE).group(1)
        cli = os.environ.get("BLOCKSCOPE_CLI", "blockscope-cli")
        told = subprocess.run([cli, "--version"], capture_output=True, encoding="utf-8", check=True).stdout
        self.assertEqual(told.strip(), f"blockscope-cli {version}")


class Models(unittest.TestCase):
    def test_an_archive_opens_as_a_program(self):
        program = bs.open(ROOT / "tests/import/models/export-masked.pt2")
        self.assertIn("mask Mask[M, M] = causal", program.text)
        self.assertGreater(program.fuse().state("last").step, 5)


class Names(unittest.TestCase):
    def test_names_are_numbers_of_steps(self):
        run = bs.open(SAMPLES / "attention.bp").fuse()
        self.assertEqual(run.state("snapshot 0").step, 0)
        self.assertEqual(run.state("snapshot 1").step, run.snapshots[0])
        self.assertEqual(run.state("snapshot 2").step, run.snapshots[1])
        self.assertEqual(run.state("last").step, 17)
        self.assertEqual(run.state("best").step, run.best.step)

    def test_the_best_state_is_of_a_device(self):
        run = bs.open(SAMPLES / "rmsnorm-matmul.bp").fuse()
        self.assertNotEqual(run.best_on("h100-sxm5").step, run.best_on("ryzen-9-9950x").step)
        with self.assertRaisesRegex(bs.BlockscopeError, "nothing-like-it"):
            run.best_on("nothing-like-it")

    def test_everything_is_asked_of_one_state(self):
        run = bs.open(SAMPLES / "rmsnorm-matmul.bp").fuse()
        for state in (run.best, run.best_on("ryzen-9-9950x"), run.state("snapshot 1")):
            with unittest.mock.patch.object(bs, "_call", wraps=bs._call) as call:
                self.assertTrue(state.listing)
                self.assertEqual(state.costs("rtx-3080")["step"], state.step)
                self.assertTrue(state.cuda())
                self.assertTrue(state.svg())
            asked = [arguments[arguments.index("--state") + 1] for (arguments, _), _ in call.call_args_list]
            self.assertEqual(asked, [str(state.step)] * 4)


class States(unittest.TestCase):
    def test_a_picture_is_svg_and_what_jupyter_shows(self):
        state = bs.program(SMALL).fuse().state(-1)
        self.assertEqual(xml.dom.minidom.parseString(state._repr_svg_()).documentElement.tagName, "svg")
        self.assertIn("<svg", state.svg("circuit"))

    def test_costs_are_a_dictionary_and_follow_the_sizes(self):
        state = bs.program(SMALL).fuse().state(0)
        small = state.costs("h100-sxm5")
        large = state.costs("h100-sxm5", {"M": (128, 16)})
        self.assertEqual(small["compulsory_bytes"], 64 * 64 * 4 * 2)
        self.assertEqual(large["compulsory_bytes"], 2 * small["compulsory_bytes"])

    def test_cuda_is_a_text_for_a_target(self):
        state = bs.program(SMALL).fuse().best
        self.assertIn("__global__", state.cuda())
        with self.assertRaises(bs.BlockscopeError):
            state.cuda("sm_1")


class Jupyter(unittest.TestCase):
    def test_a_cell_shows_the_picture(self):
        try:
            from ipykernel.kernelspec import RESOURCES as _  # noqa: F401
            from jupyter_client.kernelspec import NoSuchKernel
            from jupyter_client.manager import start_new_kernel
        except ImportError:
            self.skipTest("python3-ipykernel is not installed")
        try:
            manager, client = start_new_kernel(kernel_name="python3")
        except NoSuchKernel:
            self.skipTest("Jupyter knows no kernel called python3")
        shown = {}

        def see(message):
            if message["msg_type"] in ("execute_result", "error"):
                shown.update(message["content"].get("data") or {"error": str(message["content"])})

        try:
            code = f"import blockscope as bs\nbs.program({SMALL!r}).fuse().state(-1)"
            client.execute_interactive(code, output_hook=see, timeout=120)
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
        self.assertIn("image/svg+xml", shown)
        self.assertIn("<svg", shown["image/svg+xml"])


class Torch(unittest.TestCase):
    def setUp(self):
        try:
            import torch
        except ImportError:
            self.skipTest("python3-torch is not installed")
        self.torch = torch

    def test_a_module_is_exported_and_imported(self):
        nn = self.torch.nn
        module = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32))
        program = bs.from_torch(module, self.torch.zeros(16, 32))
        self.assertEqual(program.name, "Sequential")
        self.assertEqual(program.text.count("@"), 2)
        self.assertGreater(len(program.fuse()), 1)

    def test_each_module_keeps_its_mode(self):
        nn = self.torch.nn
        module = nn.Sequential(nn.Linear(32, 32), nn.Dropout(), nn.ReLU())
        module[1].eval()
        bs.from_torch(module, self.torch.zeros(16, 32))
        self.assertEqual([one.training for one in module.modules()], [True, True, False, True])
        with self.assertRaises(Exception):
            bs.from_torch(module, self.torch.zeros(16, 5))
        self.assertEqual([one.training for one in module.modules()], [True, True, False, True])

    def test_the_exports_of_torchscript_are_asked_for_where_there_are_others(self):
        asked = []

        def export(module, inputs, path, opset_version, dynamo=True):
            asked.append((module.training, dynamo))
            more = {"dynamo": dynamo} if "dynamo" in inspect.signature(older).parameters else {}
            older(module, inputs, path, opset_version=opset_version, **more)

        older = self.torch.onnx.export
        module = self.torch.nn.Linear(32, 32)
        with unittest.mock.patch.object(self.torch.onnx, "export", export):
            bs.from_torch(module, self.torch.zeros(16, 32))
        self.assertEqual(asked, [(False, False)])


if __name__ == "__main__":
    unittest.main(verbosity=2)

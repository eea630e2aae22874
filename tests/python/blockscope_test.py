"""The Python package against the real command line (tests/python/CMakeLists.txt)."""

import pathlib
import unittest
import xml.dom.minidom

import blockscope as bs

SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "samples"

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

    def test_what_is_wrong_is_said_with_its_place(self):
        with self.assertRaisesRegex(bs.BlockscopeError, "2:.*K"):
            bs.program("dim M = 64 / 16\ninput X[M, K]\n").fuse()


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
            from jupyter_client.manager import start_new_kernel
        except ImportError:
            self.skipTest("python3-ipykernel is not installed")
        manager, client = start_new_kernel(kernel_name="python3")
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
    def test_a_module_is_exported_and_imported(self):
        try:
            import torch
        except ImportError:
            self.skipTest("python3-torch is not installed")
        module = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32))
        program = bs.from_torch(module, torch.zeros(16, 32))
        self.assertEqual(program.name, "Sequential")
        self.assertEqual(program.text.count("@"), 2)
        self.assertGreater(len(program.fuse()), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Folders of `codegen --pytorch`, written by the real command line and run in PyTorch (tests/handover/CMakeLists.txt)."""

import ctypes
import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
except ImportError:
    torch = None

CLI = os.environ["BLOCKSCOPE_CLI"]
SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "samples"
SIZES = {
    "attention": ["M=96/32", "N=80/32", "D=24/24", "L=40/40"],
    "causal-attention": ["H=2", "M=96/32", "N=96/32", "D=24/24", "L=24/24"],
    "fp8-attention": ["M=48/32", "N=56/24", "D=24/24", "L=24/24"],
    "layernorm-matmul": ["M=48/32", "K=72/32", "N=40/32"],
    "rmsnorm-swiglu": ["M=48/32", "D=40/32", "K=72/32", "N=40/32"],
}


def handed_over(name, folder, *more):
    sizes = [word for size in SIZES[name] for word in ("--set", size)]
    command = [CLI, "codegen", str(SAMPLES / f"{name}.bp"), "--pytorch", str(folder), *sizes, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def module_of(name, folder):
    """The module, and its reference and scripts, which have the same names in all folders."""
    for other in ("reference", "operators", "check", "bench"):
        sys.modules.pop(other, None)
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name), importlib.import_module("check")
    finally:
        sys.path.remove(str(folder))


@unittest.skipUnless(torch, "PyTorch is not installed for this Python")
class Folders(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="blockscope-pytorch-"))
        self.addCleanup(shutil.rmtree, self.folder)
        sys.argv = ["check.py"]

    def write(self, name, *more):
        done = handed_over(name, self.folder, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        module, check = module_of(name.replace("-", "_"), self.folder)
        self.addCleanup(sys.modules.pop, name.replace("-", "_"), None)
        module.CXX = [*module.CXX, "-Werror"]
        return module, check

    def test_every_program_is_what_its_reference_is(self):
        for name in SIZES:
            with self.subTest(name):
                shutil.rmtree(self.folder)
                in_float32 = ["--type", "f32"] if name == "fp8-attention" else []  # which keeps its casts
                _, check = self.write(name, *in_float32)
                self.assertEqual(check.main(), 0)

    def test_nothing_is_warned_of_at_the_sizes_of_the_files(self):
        for name in ("attention", "layernorm-matmul"):
            with self.subTest(name):
                sizes, SIZES[name] = SIZES[name], []
                try:
                    module, _ = self.write(name)
                finally:
                    SIZES[name] = sizes
                module.build(module.CXX, name.replace("-", "_") + ".cpp")

    def test_in_float32_it_is_right_to_a_millionth(self):
        module, check = self.write("causal-attention", "--type", "f32")
        given = check.inputs(3, "cpu")
        expected = check.reference(*(value.double() for value in given))
        self.assertLess(check.relative_error(module.causal_attention(*given), expected), 2e-6)

    def test_the_scripts_run_and_a_wrong_kernel_is_found(self):
        self.assertIn("check.py", handed_over("attention", self.folder).stdout)
        def run(script, *more):
            command = [sys.executable, "-B", str(self.folder / script), *more]
            return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
        done = run("bench.py", "--rounds", "3")
        self.assertRegex(done.stdout, r"plain PyTorch takes [0-9.]+ times as long, on cpu", done.stderr)
        source = self.folder / "attention.cpp"
        text = source.read_text()
        source.write_text(text.replace("exponential(x0)", "exponential(0.9f * x0)"))
        self.assertNotEqual(source.read_text(), text)
        done = run("check.py")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("WRONG", done.stdout)

    def test_what_does_not_fit_is_refused_with_a_sentence(self):
        module, check = self.write("attention")
        q, k, v = check.inputs(1, "cpu")
        with self.assertRaisesRegex(TypeError, "K is no tensor but a list"):
            module.attention(q, [1], v)
        with self.assertRaisesRegex(TypeError, "Q has the type torch.float32, and attention takes torch.bfloat16"):
            module.attention(q.float(), k, v)
        with self.assertRaisesRegex(ValueError, r"V has the shape \(40, 80\), and attention takes \(80, 40\)"):
            module.attention(q, k, v.T)
        with self.assertRaisesRegex(RuntimeError, "Q wants a gradient, and attention has none"):
            module.attention(q.clone().requires_grad_(), k, v)
        with self.assertRaisesRegex(ValueError, "K is on meta, and Q on cpu"):
            module.attention(q, k.to("meta"), v)
        with torch.no_grad():  # any strides
            found = module.attention(q.clone().requires_grad_(), k, v.T.contiguous().T)
        self.assertTrue(torch.equal(found, module.attention(q, k, v)))

    def test_nvcc_builds_the_cuda_which_says_what_went_wrong(self):
        if not shutil.which("nvcc") and not os.path.exists("/usr/local/cuda/bin/nvcc"):
            self.skipTest("there is no nvcc")
        if torch.cuda.is_available():
            self.skipTest("there is a card; check.py is for that")
        module, _ = self.write("attention", "--target", "sm_80")
        message = module._function("cuda")((ctypes.c_void_p * len(module.CUDA_ARRAYS))(), None)
        self.assertRegex(message.decode(), "CUDA|device")

    def test_a_compiler_that_fails_is_quoted(self):
        module, check = self.write("attention")
        module.CXX = [*module.CXX, "-include", "there-is-none.h"]
        with self.assertRaisesRegex(RuntimeError, "there-is-none.h"):
            module.attention(*check.inputs(1, "cpu"))


class Refusals(unittest.TestCase):
    def test_a_block_program_has_no_reference(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="blockscope-pytorch-"))
        self.addCleanup(shutil.rmtree, folder)
        blocks = folder / "blocks.json"
        made = subprocess.run([CLI, "fuse", str(SAMPLES / "gemm-relu.bp"), "--format", "json"],
                              capture_output=True, text=True, check=True)
        blocks.write_text(made.stdout)
        done = subprocess.run([CLI, "codegen", str(blocks), "--pytorch", str(folder / "out")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--pytorch needs an array program", done.stderr)


if __name__ == "__main__":
    unittest.main()

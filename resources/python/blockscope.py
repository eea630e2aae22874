"""Blockscope from Python: programs, the states of their fusion, costs and pictures.

    >>> import blockscope as bs
    >>> run = bs.open("attention.bp").fuse()
    >>> print(run.best.listing)
    >>> run.state(-1).costs("h100-sxm5")["predicted"]["seconds"]

Everything is asked of `blockscope-cli`, which is found by the environment variable BLOCKSCOPE_CLI or on the PATH. A state
shows itself as a picture in Jupyter. What the program refuses is raised as `BlockscopeError`, in its words.
"""

import contextlib
import html
import inspect
import json
import operator
import os
import pathlib
import subprocess
import tempfile

# Not `open`: after "from blockscope import *" files open as ever.
__all__ = ["BlockscopeError", "Program", "Run", "State", "from_torch", "program"]


class BlockscopeError(Exception):
    """What blockscope-cli said against a program or a question, with places as it names them."""


def _call(arguments, text):
    """The output of blockscope-cli, whose file "-" is `text`."""
    cli = os.environ.get("BLOCKSCOPE_CLI", "blockscope-cli")
    try:
        done = subprocess.run([cli, *arguments], input=text, capture_output=True, encoding="utf-8", check=False)
    except FileNotFoundError:
        raise BlockscopeError(
            f"{cli} is not there: install Blockscope, or set BLOCKSCOPE_CLI to where it is"
        ) from None
    if done.returncode != 0:
        raise BlockscopeError(done.stderr.strip() or f"{cli} ended with {done.returncode}")
    return done.stdout


def _ask(arguments, text):
    return json.loads(_call([*arguments, "--json"], text))


class Program:
    """An array program, as text of Blockscope's language."""

    def __init__(self, text, name="program.bp"):
        self.text = text
        self.name = name

    def fuse(self, rules="extended"):
        """The fusion algorithm's run; `rules` are "extended" or "paper"."""
        return Run(self, rules)

    def __repr__(self):
        return f"<Blockscope program {self.name}>"

    def __str__(self):
        return self.text


class Run:
    """A program's way from its operators to fused kernels: step 0, then a state after each step."""

    def __init__(self, program, rules="extended"):
        self.program = program
        self.rules = rules
        #: The run as blockscope-cli writes it: a trace, which `replay` reads, too.
        self.trace = _call(["fuse", "-", "--rules", rules, "--all", "--format", "json"], program.text)
        told = _ask(["fuse", "-", "--rules", rules, "--state", "last"], program.text)
        #: A dictionary a step: "rule", "name", "where", "explanation", "buffered_before", "buffered_after".
        self.steps = told["steps"]
        #: The numbers of the steps that are snapshots.
        self.snapshots = told["snapshots"]
        #: Why the run ends.
        self.stopped = told["stopped"]
        self._best = None  # the number of a step, as soon as it is asked for

    def __len__(self):
        """How many states there are, step 0 included."""
        return len(self.steps) + 1

    def state(self, which):
        """The state after a step (-1: the last one), or by its name: "best", "last", "snapshot 2"."""
        if isinstance(which, str):
            return self.best if which == "best" else State(self, self._step_named(which))
        try:
            step = operator.index(which)
        except TypeError:
            raise TypeError(
                f'a state is the number of a step or a name ("best", "last", "snapshot 2"), not {which!r}'
            ) from None
        if not -len(self) <= step < len(self):
            raise IndexError(f"there are steps 0 to {len(self) - 1}")
        return State(self, step % len(self))

    __getitem__ = state

    def _step_named(self, name, device=None):
        """The number of a step that has a name; blockscope-cli knows which names there are."""
        arguments = ["fuse", "-", "--rules", self.rules, "--state", name, "--no-prove"]
        if device is not None:
            arguments += ["--device", device]
        return _ask(arguments, self.program.text)["states"][0]["step"]

    def best_on(self, device):
        """The state that is predicted to be fastest on a device: a name, or a description's file."""
        return State(self, self._step_named("best", device))

    @property
    def best(self):
        """The state that is predicted to be fastest on this machine if it is calibrated, else on an h100-sxm5."""
        if self._best is None:
            self._best = self._step_named("best")
        return State(self, self._best)

    def __repr__(self):
        return f"<run of {self.program.name}: {len(self.steps)} steps, snapshots at {self.snapshots}>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{step['number']}</td><td>{html.escape(step['name'])}</td>"
            f"<td style='text-align:left'>{html.escape(step['explanation'])}</td>"
            f"<td>{step['buffered_before']} → {step['buffered_after']}</td></tr>"
            for step in self.steps
        )
        head = "<tr><th>step</th><th>rule</th><th>what it does</th><th>buffered edges</th></tr>"
        return f"<table>{head}{rows}</table><p>{html.escape(self.stopped)}</p>"


class State:
    """One state of a run. In Jupyter it shows itself as its block program."""

    def __init__(self, run, step):
        self.run = run
        #: How many steps were taken. Whatever is asked of the state is asked for this number, so it is of one state.
        self.step = step

    def _arguments(self):
        return ["-", "--rules", self.run.rules, "--state", str(self.step)]

    def _text(self):
        return self.run.program.text

    @property
    def listing(self):
        """The state as nested loops, line by line."""
        return _call(["fuse", *self._arguments(), "--format", "listing"], self._text())

    def svg(self, view="block"):
        """Its picture as SVG: "block", "circuit", "pseudocode", "clocks" or "levels"."""
        arguments = ["render", "-", "--state", str(self.step), "--view", view]
        return self._written(arguments, "picture.svg", self.run.trace)

    def cuda(self, target="f32"):
        """Its kernels as CUDA: "f32" for any card, or "sm_80", "sm_90a", ..."""
        return self._written(["codegen", *self._arguments(), "--target", target], "kernels.cu", self._text())

    @staticmethod
    def _written(arguments, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            _call([*arguments, "-o", str(path)], text)
            return path.read_text(encoding="utf-8")

    def costs(self, device=None, sizes=None):
        """What it moves, computes and keeps, and the time that is predicted: blockscope-cli's state of `cost`.

        `device` is a name that `blockscope-cli devices` lists, or a description's file. `sizes` are other sizes, each with
        a block size if it shall have another one: {"M": 8192, "N": (8192, 64)}.
        """
        arguments = ["cost", *self._arguments()]
        if device is not None:
            arguments += ["--device", device]
        for name, size in (sizes or {}).items():
            size = size if isinstance(size, tuple) else (size,)
            arguments += ["--set", f"{name}={'/'.join(str(part) for part in size)}"]
        return _ask(arguments, self._text())["states"][0]

    def __repr__(self):
        return f"<step {self.step} of {self.run.program.name}>"

    def _repr_svg_(self):
        return self.svg()


def open(path):  # noqa: A001 (bs.open reads best)
    """The program of a file: text, an ONNX model, or an archive of torch.export."""
    path = pathlib.Path(path)
    if path.suffix in (".onnx", ".pt2"):
        return Program(_call(["import", str(path)], ""), path.name)
    return Program(path.read_text(encoding="utf-8"), path.name)


def program(text, name="program.bp"):
    """A program of this text."""
    return Program(text, name)


@contextlib.contextmanager
def _evaluating(module):
    """The module in the mode for evaluation; afterwards each of its modules is in its own mode again."""
    modes = [(one, one.training) for one in module.modules()]
    try:
        yield module.eval()
    finally:
        for one, training in modes:
            one.training = training


def from_torch(module, inputs, **export):
    """The program of a PyTorch module called with `inputs` (a tensor or a tuple); `export` goes to torch.onnx.export."""
    import torch  # pylint: disable=import-outside-toplevel

    options = {"opset_version": 13, **export}
    # The import is tested with the exports of TorchScript, which newer versions of PyTorch have to be asked for.
    if "dynamo" in inspect.signature(torch.onnx.export).parameters:
        options.setdefault("dynamo", False)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.onnx"
        with _evaluating(module):
            torch.onnx.export(module, inputs, str(path), **options)
        text = _call(["import", str(path)], "")
    return Program(text, type(module).__name__)

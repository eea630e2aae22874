#!/usr/bin/env python3
"""The problems of table.py by PyTorch and Triton: scaled dot-product attention with each back end that the card has,
FlexAttention, fused attention in Triton (fused_attention.py), norm and matrix product by cuBLAS, and what torch.compile
makes of them. Writes the times to --out; exit code 77 without a card.

Times are medians of runs behind each other (warm), as blockscope-cli's; those after the caches were overwritten stand beside
them. A way whose result differs from float32's has no time. What --out has already stays: a repetition goes on with what is missing,
first what compiles nothing, and when all is there it begins anew.
"""
import argparse
import json
import pathlib
import statistics
import sys
import time

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(77)

from files import read_whole, write_whole
from table import TABLE, TYPES

RUNS = 25
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16}
TOLERANCE = {"bf16": 3e-2, "f16": 1e-2}  # of the largest number
COMPILED = ("torch.compile", "FlexAttention")  # ways that a compiler spends seconds on


def seconds(work, flush):
    """Medians of the warm and of the cold runs."""
    for _ in range(3):
        work()
    result = []
    for cold in (False, True):
        times = []
        for _ in range(RUNS):
            if cold:
                flush.add_(1)
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            work()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3)
        result.append(statistics.median(times))
    return result


def random(*shape, dtype, most=1):
    """In [-most, most]."""
    return torch.rand(*shape, device="cuda", dtype=torch.float32).mul_(2 * most).sub_(most).to(dtype)


class Attention:
    """Batches of heads; `heads` are the leading sizes."""

    def __init__(self, heads, tokens, keys, depth, values, causal, dtype):
        self.q, self.k = random(*heads, tokens, depth, dtype=dtype), random(*heads, keys, depth, dtype=dtype)
        self.v, self.causal = random(*heads, keys, values, dtype=dtype), causal

    def reference(self):
        """The first head in float32, of some queries."""
        index = (0,) * (self.q.dim() - 2)
        q, k, v = (one[index].float() for one in (self.q, self.k, self.v))
        rows = torch.arange(0, q.shape[0], max(1, q.shape[0] // 64), device="cuda")
        scores = q[rows] @ k.T * q.shape[1] ** -0.5
        if self.causal:
            scores.masked_fill_(torch.arange(k.shape[0], device="cuda")[None, :] > rows[:, None], float("-inf"))
        return torch.softmax(scores, -1) @ v, lambda result: result[index][rows]

    def ways(self):
        from torch.nn.attention import SDPBackend  # of PyTorch 2.3 and later; a back end that it lacks has no time
        # Without tensor cores' kernels all scores are kept: too many for long sequences, and never the best.
        ways = {f"SDPA {name}": (lambda one=backend: self.by(getattr(SDPBackend, one))) for name, backend in (
            ("flash", "FLASH_ATTENTION"), ("cuDNN", "CUDNN_ATTENTION"), ("efficient", "EFFICIENT_ATTENTION"))}
        ways["Triton"] = self.triton
        ways["FlexAttention"] = self.flex
        return ways

    def by(self, backend):
        from torch.nn.attention import sdpa_kernel

        def work():
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(self.q, self.k, self.v, is_causal=self.causal)
        return work

    def triton(self):
        from fused_attention import fused_attention
        return lambda: fused_attention(self.q, self.k, self.v, self.causal)

    def flex(self):
        from torch.nn.attention.flex_attention import create_block_mask, flex_attention
        flex = torch.compile(flex_attention, dynamic=False)
        tokens, keys = self.q.shape[-2], self.k.shape[-2]
        mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, tokens, keys, device="cuda") if self.causal else None
        q, k, v = (one if one.dim() == 4 else one[None] for one in (self.q, self.k, self.v))
        return lambda: flex(q, k, v, block_mask=mask).view(self.v.shape[:-2] + (tokens, self.v.shape[-1]))


class Formula:
    """What PyTorch makes of an expression, operator by operator (products by cuBLAS) and compiled."""

    def __init__(self, formula, *inputs, eager="cuBLAS, separate operators", more=None):
        self.formula, self.inputs, self.eager, self.more = formula, inputs, eager, more or {}

    def reference(self):
        with torch.no_grad():
            return self.formula(*(one.float() for one in self.inputs)), lambda result: result

    def ways(self):
        return {self.eager: lambda: lambda: self.formula(*self.inputs), **self.more, "torch.compile": self.compiled}

    def compiled(self):
        torch._dynamo.reset()  # every problem has its own sizes
        made = torch.compile(self.formula, dynamic=False)
        return lambda: made(*self.inputs)


def rms_norm(x, weight=None):
    return F.rms_norm(x, (x.shape[-1],), weight)


def layernorm_matmul(problem, dtype):
    m, n, k = (problem.size(dim) for dim in "MNK")
    return Formula(lambda x, y: F.layer_norm(x, (k,)) @ y, random(m, k, dtype=dtype), random(k, n, dtype=dtype),
                   eager="cuBLAS, separate norm")


def rmsnorm_swiglu(problem, dtype):
    m, d, k, n = (problem.size(dim) for dim in "MDKN")

    def formula(x, gate, up, down):
        h = rms_norm(x)
        return (F.silu(h @ gate) * (h @ up)) @ down
    shapes = ((m, d), (d, k), (d, k), (k, n))
    return Formula(formula, *(random(*shape, dtype=dtype, most=problem.range) for shape in shapes), eager="cuBLAS, separate norm")


def rmsnorm_matmul(problem, dtype):
    m, d, n = (problem.size(dim) for dim in "MDN")
    return Formula(lambda x, g, w: rms_norm(x, g) @ w, random(m, d, dtype=dtype), random(d, dtype=dtype),
                   random(d, n, dtype=dtype), eager="cuBLAS, separate norm")


def gated_mlp(problem, dtype):
    m, d, f = (problem.size(dim) for dim in "MDF")
    shapes = ((m, d), (d, f), (d, f), (f, d))
    return Formula(lambda x, gate, up, down: (F.silu(x @ gate) * (x @ up)) @ down,
                   *(random(*shape, dtype=dtype, most=problem.range) for shape in shapes))


def lora(problem, dtype):
    m, d, n = (problem.size(dim) for dim in "MDN")
    return Formula(lambda x, w, a, b: x @ w + x @ a @ b * 2, random(m, d, dtype=dtype), random(d, n, dtype=dtype),
                   random(d, 16, dtype=dtype), random(16, n, dtype=dtype))


def mcfuser(problem, dtype):
    batch, m, n, k, h = (problem.of[dim] for dim in ("batch", "M", "N", "K", "H"))
    if problem.sample.startswith("mcfuser-g"):
        return Formula(lambda a, b, d: a @ b @ d, random(batch, m, k, dtype=dtype), random(batch, k, n, dtype=dtype),
                       random(batch, n, h, dtype=dtype))
    same = Attention((1, batch), m, n, k, h, False, dtype)
    fused = {name: way for name, way in same.ways().items() if name.startswith("SDPA")}
    return Formula(lambda q, keys, v: torch.softmax(q @ keys.transpose(-1, -2) * k ** -0.5, -1) @ v, same.q, same.k, same.v,
                   more=fused)


def attention(problem, dtype):
    heads = (problem.sizes.get("B", 1), problem.sizes["H"])
    tokens, depth = problem.size("M"), problem.size("D")
    return Attention(heads, tokens, tokens, depth, depth, problem.sample == "causal-attention", dtype)


MAKERS = {"multihead-attention": attention, "causal-attention": attention, "layernorm-matmul": layernorm_matmul,
          "rmsnorm-swiglu": rmsnorm_swiglu, "rmsnorm-matmul": rmsnorm_matmul, "gated-mlp": gated_mlp, "lora": lora}


def why(error):
    return (str(error).splitlines() or [type(error).__name__])[0][:200]


def timed(work, reference, text, flops, flush):
    """A way's times, or why it has none: a back end that this card or these sizes do not have, or a wrong result."""
    try:
        run = work()
        expected, part = reference
        error = ((part(run()).float() - expected).abs().max() / expected.abs().max()).item()
        if not error <= TOLERANCE[text]:
            return {"failure": f"differs from float32 by {error:.2g} of the largest number"}
        warm, cold = seconds(run, flush)
        return {"median": warm, "cold": cold, "tflops": flops / warm / 1e12, "error": error}
    except Exception as error:  # pylint: disable=broad-except
        return {"failure": why(error)}


class Results:
    """What --out has of this card and these versions."""

    def __init__(self, file):
        self.file = pathlib.Path(file)
        self.head = {"card": torch.cuda.get_device_name(), "torch": torch.__version__}
        kept = read_whole(self.file) or {}
        same = all(kept.get(key) == value for key, value in self.head.items())
        self.all = {(one["name"], one["type"]): one for one in kept.get("results", [])} if same else {}

    def ways(self, problem, text):
        return self.all.setdefault((problem.name, text), {"name": problem.name, "type": text, "ways": {}})["ways"]

    def write(self):
        for one in self.all.values():
            times = {way: known["median"] for way, known in one["ways"].items() if "median" in known}
            one.pop("best", None)
            if times:
                one["best"] = min(times, key=times.get)
        write_whole(self.file, json.dumps({**self.head, "results": list(self.all.values())}, indent=1) + "\n")


def visit(results, until, samples, flush):
    """Measures what is missing until the time is up; how many ways that were."""
    count = 0
    for text, compiled in ((text, compiled) for text in TYPES for compiled in (False, True)):
        for problem in TABLE:
            if samples and problem.sample not in samples:
                continue
            if time.monotonic() > until:
                return count
            known = results.ways(problem, text)
            try:
                made = MAKERS.get(problem.sample, mcfuser)(problem, DTYPES[text])
                missing = [way for way in made.ways() if way not in known and (way in COMPILED) == compiled]
                reference = made.reference() if missing else None
            except Exception as error:  # pylint: disable=broad-except
                # Too large for this card, or for this PyTorch: the other problems go on.
                known["inputs"] = {"failure": why(error)}
                print(f"{problem.name} {text}: {known['inputs']['failure']}", flush=True)
                torch.cuda.empty_cache()
                continue
            for way in missing:
                if time.monotonic() > until:
                    return count
                known[way] = timed(made.ways()[way], reference, text, problem.flops, flush)
                print(f"{problem.name} {text}, {way}: " + (known[way].get("failure") or f"{known[way]['median'] * 1e6:.1f} us"),
                      flush=True)
                count += 1
            if missing:
                results.write()
            del made, reference
            torch.cuda.empty_cache()
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--budget", type=float, default=480)
    parser.add_argument("--samples", default="")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit(77)
    until = time.monotonic() + options.budget
    flush = torch.zeros(1 << 28, dtype=torch.int8, device="cuda")
    results = Results(options.out)
    samples = [name for name in options.samples.split(",") if name]
    if visit(results, until, samples, flush) == 0 and time.monotonic() < until:
        results.all.clear()  # everything was there
        visit(results, until, samples, flush)
    results.write()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The problems of gpu_check.py by PyTorch: scaled dot-product attention with each back end that the card has, FlexAttention,
norm and matrix product by cuBLAS, and what torch.compile makes of them. Writes the times to --out; exit code 77 without a
card. Times are medians of runs after the caches were overwritten, as blockscope-cli's cold ones; warm ones stand beside them.
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

from gpu_check import ATTENTION, NORMS, SWIGLU

RUNS = 25


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


def random(*shape, dtype):
    return torch.rand(*shape, device="cuda", dtype=torch.float32).mul_(2).sub_(1).to(dtype)


def attention(problem, dtype):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    sizes, causal = problem.sizes, problem.sample == "causal-attention"
    heads = (sizes.get("B", 1), sizes["H"])
    q, k, v = (random(*heads, sizes[one][0], sizes["D"][0], dtype=dtype) for one in "MNN")

    def by(backend):
        def work():
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return work
    # Without tensor cores' kernels all scores are kept: too many for long sequences, and never the best.
    ways = {f"SDPA {name}": by(backend) for name, backend in (
        ("flash", SDPBackend.FLASH_ATTENTION), ("cuDNN", SDPBackend.CUDNN_ATTENTION),
        ("efficient", SDPBackend.EFFICIENT_ATTENTION))}
    if sizes["M"][0] == 4096:  # compiled anew for every shape
        try:
            from torch.nn.attention.flex_attention import create_block_mask, flex_attention
            flex = torch.compile(flex_attention, dynamic=False)
            mask = create_block_mask(lambda b, h, i, j: i >= j, None, None, 4096, 4096, device="cuda") if causal else None
            ways["FlexAttention"] = lambda: flex(q, k, v, block_mask=mask)
        except ImportError:
            pass
    return ways


def compiled(plain):
    return {"PyTorch": plain, "torch.compile": torch.compile(plain)}


def layernorm_matmul(problem, dtype):
    m, n, k = (problem.sizes[one][0] for one in "MNK")
    x, y = random(m, k, dtype=dtype), random(k, n, dtype=dtype)
    return compiled(lambda: F.layer_norm(x, (k,)) @ y)


def rmsnorm_swiglu(problem, dtype):
    m, d, k, n = (problem.sizes[one][0] for one in "MDKN")
    x, gate, up, down = (random(*shape, dtype=dtype) for shape in ((m, d), (d, k), (d, k), (k, n)))

    def plain():
        h = F.rms_norm(x, (d,))
        return (F.silu(h @ gate) * (h @ up)) @ down
    return compiled(plain)


MAKERS = {"multihead-attention": attention, "causal-attention": attention, "layernorm-matmul": layernorm_matmul,
          "rmsnorm-swiglu": rmsnorm_swiglu}
TYPES = {"bf16": torch.bfloat16, "f16": torch.float16}


def measured(problem, text, flush):
    one = {"name": problem.name, "type": text, "ways": {}}
    for way, work in MAKERS[problem.sample](problem, TYPES[text]).items():
        try:
            warm, cold = seconds(work, flush)
            one["ways"][way] = {"median": warm, "cold": cold, "tflops": problem.flops / warm / 1e12}
        except Exception as error:  # a back end that this card or these sizes do not have
            one["ways"][way] = {"failure": (str(error).splitlines() or [type(error).__name__])[0][:200]}
    timed = {way: times["median"] for way, times in one["ways"].items() if "median" in times}
    if timed:
        one["best"] = min(timed, key=timed.get)
        one["median"] = timed[one["best"]]
    return one


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--budget", type=float, default=600)
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit(77)
    until = time.monotonic() + options.budget
    flush = torch.zeros(1 << 28, dtype=torch.int8, device="cuda")
    results = []
    for problem in NORMS[:1] + SWIGLU[:1] + ATTENTION[:4] + NORMS[1:] + SWIGLU[1:] + ATTENTION[4:]:
        for text in ["bf16"] + ["f16"] * ("f16" in problem.also):
            if time.monotonic() > until:
                break
            one = measured(problem, text, flush)
            torch.cuda.empty_cache()
            results.append(one)
            print(f"{problem.name} {text}: " + (f"{one['best']} {one['median'] * 1e6:.1f} us" if "best" in one else "no way"),
                  flush=True)
        pathlib.Path(options.out).write_text(
            json.dumps({"torch": torch.__version__, "results": [one for one in results if "best" in one], "all": results},
                       indent=1) + "\n")


if __name__ == "__main__":
    main()

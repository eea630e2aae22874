"""The table of benchmarks (docs/gpu.md): which problems, at which sizes, and what each of them takes at least."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
TYPES = ("bf16", "f16")
# Where results of inputs in [-1, 1] are larger than f16 has numbers, inputs lie in a smaller interval, in both types.
SMALL = 0.25


class Problem:
    """A line of the table. sizes are {dimension: (size, block)} or {batch: size}; flops are the unfused program's, a
    multiply-add counting two, of a causal mask half (as FlashAttention counts); numbers are those of inputs and outputs
    together, each of which memory has to give or take once. Inputs are random numbers in [-range, range]."""

    def __init__(self, name, sample, sizes, flops, numbers, snapshot="all", also=(), range=1):
        self.name, self.sample, self.sizes, self.flops, self.numbers = name, sample, sizes, flops, numbers
        self.snapshot = snapshot  # which states
        self.also = also          # besides the card's own target: "other"
        self.range = range

    def words(self):
        words = [word for dim, size in self.sizes.items()
                 for word in ("--set", f"{dim}={size}" if isinstance(size, int) else f"{dim}={size[0]}/{size[1]}")]
        return words + (["--range", str(self.range)] if self.range != 1 else [])

    def size(self, dim):
        size = self.sizes[dim]
        return size if isinstance(size, int) else size[0]


TOKENS = 16384  # in all, with 2048 columns of heads, as FlashAttention-3 measures


def attention(d, tokens, causal):
    heads, batch = 2048 // d, TOKENS // tokens
    sizes = {"H": heads * batch} if causal else {"B": batch, "H": heads}
    sizes |= {"M": (tokens, 128), "N": (tokens, 128), "D": (d, d), "L": (d, d)}
    flops = 4 * TOKENS * tokens * 2048 // (2 if causal else 1)
    return Problem(f"attention d={d} {tokens} tokens{' causal' if causal else ''}",
                   "causal-attention" if causal else "multihead-attention", sizes, flops, 4 * TOKENS * 2048, "last",
                   ("other",) if tokens == 4096 else ())


def rows_of(rows):
    return (rows, min(rows, 128))


def layernorm_matmul(rows, n=4096, k=4096):
    return Problem(f"layernorm-matmul {rows} rows", "layernorm-matmul",
                   {"M": rows_of(rows), "N": (n, 128), "K": (k, 64)}, 2 * rows * n * k, rows * k + k * n + rows * n,
                   also=("other",) if rows == 4096 else ())


def rmsnorm_swiglu(rows, d=4096, k=14336):
    return Problem(f"rmsnorm-swiglu {rows} rows", "rmsnorm-swiglu",
                   {"M": rows_of(rows), "D": (d, 64), "K": (k, 64), "N": (d, 128)}, 6 * rows * d * k,
                   2 * rows * d + 3 * d * k, also=("other",) if rows == 16 else (), range=SMALL)


def mirage(rows=16, d=4096, f=11008, n=6144, r=16):
    return [Problem(f"rmsnorm-matmul {m} rows", "rmsnorm-matmul", {"M": (m, m), "D": (d, 64), "N": (n, 128)},
                    2 * m * d * n, m * d + d + d * n + m * n) for m in (1, rows)] + [
        Problem(f"gated-mlp {rows} rows", "gated-mlp", {"M": (rows, rows), "D": (d, 64), "F": (f, 64)},
                6 * rows * d * f, 2 * rows * d + 3 * d * f, range=SMALL),
        Problem(f"lora {rows} rows", "lora", {"M": (rows, rows), "D": (d, 64), "N": (d, 128)},
                2 * rows * (d * d + r * (d + d)), 2 * rows * d + d * d + 2 * d * r)]


def mcfuser():
    """G1 to G12 and S1 to S9 as the samples have them (MCFuser, tables II and III)."""
    problems = []
    for name in [f"mcfuser-g{i}" for i in range(1, 13)] + [f"mcfuser-s{i}" for i in range(1, 10)]:
        text = (ROOT / "samples" / f"{name}.bp").read_text()
        of = {dim: int(size) for dim, size in re.findall(r"^(?:dim|batch) (\w+) = (\d+)", text, re.M)}
        of["batch"] = of.pop("Chains", of.pop("Heads", 1))
        m, n, k, h = (of[dim] for dim in "MNKH")
        problem = Problem(name, name, {}, 2 * of["batch"] * m * n * (k + h), of["batch"] * (m * k + k * n + n * h + m * h))
        problem.of = of
        problems.append(problem)
    return problems


ATTENTION = [attention(d, tokens, causal) for tokens in (4096, 16384, 1024, 8192, 2048)
             for d in (128, 64) for causal in (False, True)]
NORMS = [layernorm_matmul(rows) for rows in (4096, 16, 256, 16384)]
SWIGLU = [rmsnorm_swiglu(rows) for rows in (16, 256, 4096, 16384)]

# What matters most comes first, in case the time is up.
TABLE = NORMS[:1] + SWIGLU[:1] + ATTENTION[:4] + NORMS[1:] + SWIGLU[1:] + ATTENTION[4:] + mirage() + mcfuser()


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

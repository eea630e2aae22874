"""PyTorch's side of ./dev bench rivals: eager programs as people write them, one at a time.

Reads a line per request and answers with a line:
    load ROW FOLDER NAME=2048x128 ...   inputs are FOLDER/NAME.bin, float32 row by row   -> "ok PyTorch 1.13.1"
    run COUNT                           so many runs, one after the other                -> their seconds
    write                               the result goes to FOLDER/result.bin             -> "ok 2048x128"
"""
import sys
import time

import numpy
import torch
import torch.nn.functional as F


def attention(Q, K, V):
    return torch.softmax(Q @ K.transpose(-1, -2) * Q.shape[-1] ** -0.5, -1) @ V


def causal_attention(Q, K, V, mask):
    return torch.softmax(Q @ K.transpose(-1, -2) * Q.shape[-1] ** -0.5 + mask, -1) @ V


def layernorm_matmul(X, Y):
    return F.layer_norm(X, (X.shape[-1],), eps=0) @ Y


def rmsnorm_swiglu(X, W, V, U):
    R = X * torch.rsqrt((X * X).sum(-1, keepdim=True))
    return (F.silu(R @ W) * (R @ V)) @ U


def gated_mlp(X, Wg, Wu, Wd):
    return (F.silu(X @ Wg) * (X @ Wu)) @ Wd


def chain(A, B, D):
    return A @ B @ D


def lora(X, W, A, B):
    return X @ W + X @ A @ B * 2


PROGRAMS = {
    "attention": attention,
    "causal-attention": causal_attention,
    "layernorm-matmul": layernorm_matmul,
    "rmsnorm-swiglu": rmsnorm_swiglu,
    "gated-mlp": gated_mlp,
    "lora": lora,
}


class Row:
    def __init__(self, name, folder, arrays):
        self.folder = folder
        self.inputs = {}
        for array in arrays:
            label, shape = array.split("=")
            shape = [int(size) for size in shape.split("x")]
            values = numpy.fromfile(f"{folder}/{label}.bin", dtype=numpy.float32).reshape(shape)
            self.inputs[label] = torch.from_numpy(values)
        self.program = PROGRAMS.get(name, chain)
        if name == "causal-attention":  # the mask is made once, as models do
            queries, keys = self.inputs["Q"].shape[-2], self.inputs["K"].shape[-2]
            hidden = torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)
            self.inputs["mask"] = torch.zeros(queries, keys).masked_fill(hidden, float("-inf"))
        self.result = None

    def run(self, count):
        start = time.perf_counter()
        for _ in range(count):
            self.result = self.program(**self.inputs)
        return time.perf_counter() - start

    def write(self):
        self.result.contiguous().numpy().tofile(f"{self.folder}/result.bin")
        return "x".join(str(size) for size in self.result.shape)


def main():
    torch.set_num_threads(int(sys.argv[1]))
    row = None
    with torch.inference_mode():
        for line in sys.stdin:
            words = line.split()
            if words[0] == "load":
                row = Row(words[1], words[2], words[3:])
                answer = f"ok PyTorch {torch.__version__}"
            elif words[0] == "run":
                answer = repr(row.run(int(words[1])))
            else:
                answer = f"ok {row.write()}"
            print(answer, flush=True)


main()

"""Fused attention in Triton, a baseline of its own beside PyTorch's: the forward pass as FlashAttention-2 has it and Triton
programs write it. A program (thread block) has some queries of one head; it goes over the keys with the running maximum and
sum of each row, in exponents of 2, and divides at the end. Of a causal mask only the blocks on the diagonal are masked, and
those behind it are left out.
"""
import math

import torch
import triton
import triton.language as tl

# The shapes that are usual for these head dimensions; the fastest one is kept for each of them.
SHAPES = [triton.Config({"QUERIES": queries, "KEYS": keys}, num_warps=warps, num_stages=stages)
          for queries, keys, warps, stages in ((128, 64, 4, 3), (128, 64, 8, 3), (128, 128, 8, 2))]


@triton.jit
def visit(queries, keys, values, most, total, sums, scale, rows, first, tokens, DEPTH: tl.constexpr, KEYS: tl.constexpr,
          DIAGONAL: tl.constexpr, RAGGED: tl.constexpr):
    """One block of keys: the running maximum, sum and weighted sum of each row behind it."""
    cols = first + tl.arange(0, KEYS)
    depth = tl.arange(0, DEPTH)
    if RAGGED:
        there = cols < tokens
        k = tl.load(keys + cols[None, :] * DEPTH + depth[:, None], mask=there[None, :], other=0.0)
        v = tl.load(values + cols[:, None] * DEPTH + depth[None, :], mask=there[:, None], other=0.0)
    else:
        k = tl.load(keys + cols[None, :] * DEPTH + depth[:, None])
        v = tl.load(values + cols[:, None] * DEPTH + depth[None, :])
    scores = tl.dot(queries, k) * scale
    if RAGGED:
        scores = tl.where(there[None, :], scores, float("-inf"))
    if DIAGONAL:
        scores = tl.where(cols[None, :] <= rows[:, None], scores, float("-inf"))
    larger = tl.maximum(most, tl.max(scores, 1))
    weights = tl.exp2(scores - larger[:, None])
    before = tl.exp2(most - larger)
    total = total * before + tl.sum(weights, 1)
    sums = sums * before[:, None] + tl.dot(weights.to(v.dtype), v)
    return larger, total, sums


@triton.jit
def forward(q, k, v, out, scale, tokens, DEPTH: tl.constexpr, CAUSAL: tl.constexpr, RAGGED: tl.constexpr,
            QUERIES: tl.constexpr, KEYS: tl.constexpr):
    block = tl.program_id(0)
    if CAUSAL:
        block = tl.num_programs(0) - 1 - block  # the longest first
        whole = block * QUERIES // KEYS * KEYS  # keys that every row sees
    else:
        whole = tokens
    base = tl.program_id(1).to(tl.int64) * tokens * DEPTH
    rows = block * QUERIES + tl.arange(0, QUERIES)
    depth = tl.arange(0, DEPTH)
    places = rows[:, None] * DEPTH + depth[None, :]
    there = rows[:, None] < tokens
    queries = tl.load(q + base + places, mask=there, other=0.0)
    most = tl.full([QUERIES], -1e30, tl.float32)
    total = tl.zeros([QUERIES], tl.float32)
    sums = tl.zeros([QUERIES, DEPTH], tl.float32)
    for first in range(0, whole, KEYS):
        most, total, sums = visit(queries, k + base, v + base, most, total, sums, scale, rows, first, tokens, DEPTH, KEYS,
                                  False, RAGGED)
    if CAUSAL:
        for first in range(whole, tl.minimum(tokens, (block + 1) * QUERIES), KEYS):
            most, total, sums = visit(queries, k + base, v + base, most, total, sums, scale, rows, first, tokens, DEPTH,
                                      KEYS, True, RAGGED)
    tl.store(out + base + places, (sums / total[:, None]).to(out.dtype.element_ty), mask=there)


tuned = triton.autotune(configs=SHAPES, key=["DEPTH", "CAUSAL", "RAGGED"])(forward)


def fused_attention(q, k, v, causal):
    """softmax(q k' / sqrt(d)) v of [..., tokens, d]: contiguous tensors of one shape, d a power of two from 16 on."""
    if not (q.shape == k.shape == v.shape and q.is_contiguous() and k.is_contiguous() and v.is_contiguous()):
        raise ValueError("queries, keys and values have to have one shape, and to lie side by side")
    tokens, depth = q.shape[-2:]
    heads = q.numel() // (tokens * depth)
    out = torch.empty_like(q)
    ragged = tokens % 128 != 0
    tuned[lambda shape: (triton.cdiv(tokens, shape["QUERIES"]), heads)](
        q, k, v, out, math.log2(math.e) / math.sqrt(depth), tokens, DEPTH=depth, CAUSAL=causal, RAGGED=ragged)
    return out

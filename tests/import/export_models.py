#!/usr/bin/python3
"""Exports small PyTorch models as ONNX, with what PyTorch computes on random inputs beside them.

    apt-get install python3-torch python3-torchvision python3-onnx
    PATH=/usr/bin:$PATH tests/import/export_models.py        # writes tests/import/models

Each NAME.onnx has a NAME.values: lines "input NAME EXTENTS..." or "output NAME EXTENTS...", each followed by a line of
numbers. What is committed was made by Debian 12's PyTorch 1.13.1.
"""
import math
import os
import sys

import torch
from torch import nn
from torch.nn import functional as F

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models")
BATCH, ROWS, WIDTH, HEADS = 2, 6, 8, 2


class SelfAttention(nn.Module):
    """Separate weights for queries, keys and values, as BERT has them."""

    def __init__(self):
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH)
        self.key = nn.Linear(WIDTH, WIDTH)
        self.value = nn.Linear(WIDTH, WIDTH)

    @staticmethod
    def heads(x):
        return x.view(x.size(0), x.size(1), HEADS, WIDTH // HEADS).permute(0, 2, 1, 3)

    def forward(self, x, mask=None):
        q, k, v = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS)
        if mask is not None:
            scores = scores + mask
        context = torch.matmul(torch.softmax(scores, dim=-1), v).permute(0, 2, 1, 3).contiguous()
        return context.view(context.size(0), context.size(1), WIDTH)


class BertBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = SelfAttention()
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.up = nn.Linear(WIDTH, 2 * WIDTH)
        self.down = nn.Linear(2 * WIDTH, WIDTH)
        self.output_norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, mask=None):
        x = self.norm(self.dense(self.attention(x, mask)) + x)
        return self.output_norm(self.down(F.gelu(self.up(x))) + x)


class Conv1D(nn.Module):
    """GPT-2's linear layer, with its weight the other way round."""

    def __init__(self, into, out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(into, out) * 0.3)
        self.bias = nn.Parameter(torch.randn(out) * 0.3)

    def forward(self, x):
        flat = torch.addmm(self.bias, x.view(-1, x.size(-1)), self.weight)
        return flat.view(x.size()[:-1] + (self.weight.size(1),))


class Gpt2Block(nn.Module):
    """Packed projections, a causal mask by `where`, GELU by tanh written out, as Hugging Face has it."""

    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(WIDTH)
        self.c_attn = Conv1D(WIDTH, 3 * WIDTH)
        self.c_proj = Conv1D(WIDTH, WIDTH)
        self.ln_2 = nn.LayerNorm(WIDTH)
        self.c_fc = Conv1D(WIDTH, 2 * WIDTH)
        self.mlp_proj = Conv1D(2 * WIDTH, WIDTH)
        self.register_buffer("bias", torch.tril(torch.ones(16, 16, dtype=torch.bool)).view(1, 1, 16, 16))

    @staticmethod
    def heads(x):
        return x.view(x.size()[:-1] + (HEADS, WIDTH // HEADS)).permute(0, 2, 1, 3)

    def attention(self, x):
        q, k, v = (self.heads(part) for part in self.c_attn(x).split(WIDTH, dim=2))
        scores = torch.matmul(q, k.transpose(-1, -2)) / (v.size(-1) ** 0.5)
        rows, columns = q.size(-2), k.size(-2)
        seen = self.bias[:, :, columns - rows:columns, :columns]
        scores = torch.where(seen, scores, torch.tensor(torch.finfo(scores.dtype).min))
        context = torch.matmul(torch.softmax(scores, dim=-1), v).permute(0, 2, 1, 3).contiguous()
        return self.c_proj(context.view(context.size()[:-2] + (WIDTH,)))

    @staticmethod
    def gelu(x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))

    def forward(self, x):
        x = x + self.attention(self.ln_1(x))
        return x + self.mlp_proj(self.gelu(self.c_fc(self.ln_2(x))))


class GatedBlock(nn.Module):
    """RMSNorm, keys and values shared by groups of queries, an additive mask, SwiGLU: Llama's block without rotation."""

    def __init__(self):
        super().__init__()
        self.heads, self.kv_heads, self.head = 4, 2, 4
        self.q = nn.Linear(WIDTH, self.heads * self.head, bias=False)
        self.k = nn.Linear(WIDTH, self.kv_heads * self.head, bias=False)
        self.v = nn.Linear(WIDTH, self.kv_heads * self.head, bias=False)
        self.o = nn.Linear(self.heads * self.head, WIDTH, bias=False)
        self.norm = nn.Parameter(torch.rand(WIDTH) + 0.5)
        self.norm2 = nn.Parameter(torch.rand(WIDTH) + 0.5)
        self.gate = nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.up = nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    @staticmethod
    def rmsnorm(x, weight):
        return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    def repeat(self, x):
        b, n, rows, head = x.shape
        x = x[:, :, None, :, :].expand(b, n, self.heads // self.kv_heads, rows, head)
        return x.reshape(b, self.heads, rows, head)

    def placed(self, x):
        """Tells heads where in the text their rows stand: here nothing does."""
        return x

    def forward(self, x):
        b, rows, _ = x.shape
        y = self.rmsnorm(x, self.norm)
        q = self.placed(self.q(y).view(b, rows, self.heads, self.head).transpose(1, 2))
        k = self.repeat(self.placed(self.k(y).view(b, rows, self.kv_heads, self.head).transpose(1, 2)))
        v = self.repeat(self.v(y).view(b, rows, self.kv_heads, self.head).transpose(1, 2))
        mask = torch.triu(torch.full((rows, rows), float("-inf")), diagonal=1)
        p = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(self.head) + mask, dim=-1)
        x = x + self.o((p @ v).transpose(1, 2).reshape(b, rows, -1))
        y = self.rmsnorm(x, self.norm2)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def angles(rows, head):
    frequencies = 1.0 / (10000 ** (torch.arange(0, head, 2).float() / head))
    return torch.arange(rows).float()[:, None] * frequencies[None, :]


class LlamaBlock(GatedBlock):
    """The same with rotary embeddings in halves of rows, their cosines computed from the positions."""

    @staticmethod
    def rotate_half(x):
        half = x.shape[-1] // 2
        return torch.cat((-x[..., half:], x[..., :half]), dim=-1)

    def placed(self, x):
        angle = angles(x.size(2), self.head)
        angle = torch.cat((angle, angle), dim=-1)[None, None]
        return x * angle.cos() + self.rotate_half(x) * angle.sin()


class RotaryPairs(GatedBlock):
    """Pairs of neighbours are rotated, as GPT-J does it, by cosines that are stored with the model."""

    def __init__(self):
        super().__init__()
        angle = torch.repeat_interleave(angles(ROWS, self.head), 2, dim=-1)
        self.register_buffer("cosines", angle.cos())
        self.register_buffer("sines", angle.sin())

    def placed(self, x):
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
        return x * self.cosines + turned * self.sines


class FusedQkv(nn.Module):
    """All three projections in one, taken apart by a reshape and single indices, as vision transformers do."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        b, rows, width = x.shape
        qkv = self.qkv(x).reshape(b, rows, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        p = ((q @ k.transpose(-2, -1)) * (width // HEADS) ** -0.5).softmax(dim=-1)
        return self.proj((p @ v).transpose(1, 2).reshape(b, rows, width))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(WIDTH, HEADS)

    def forward(self, x):
        return self.attention(x, x, x)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(WIDTH, 12), nn.ReLU(), nn.Linear(12, 4), nn.Sigmoid())

    def forward(self, x):
        return self.layers(x)


class Sorted(nn.Module):
    """Something without a form in the language between two layers that have one."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(WIDTH, WIDTH)
        self.second = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return self.second(torch.cumsum(self.first(x), dim=-1))


def save_values(path, inputs, outputs):
    with open(path, "w") as out:
        for kind, tensors in (("input", inputs), ("output", outputs)):
            for name, tensor in tensors.items():
                print(kind, name, *tensor.shape, file=out)
                print(*("%.9g" % value for value in tensor.detach().flatten().tolist()), file=out)


def randomize(module, generator):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)


def export(name, module, shape, opset, outputs=("y",), values=True, random=True, **options):
    generator = torch.Generator().manual_seed(sum(map(ord, name.split("-opset")[0].split("-dynamic")[0])))
    module.train(False)
    if random:
        randomize(module, generator)
    x = torch.randn(shape, generator=generator)
    path = os.path.join(FOLDER, name + ".onnx")
    torch.onnx.export(module, (x,), path, opset_version=opset, input_names=["x"], output_names=list(outputs), **options)
    if values:
        result = module(x)
        result = result if isinstance(result, tuple) else (result,)
        save_values(path[:-5] + ".values", {"x": x}, dict(zip(outputs, result)))


def bert_variants():
    shape = (BATCH, ROWS, WIDTH)
    torch.manual_seed(1)
    block = BertBlock()
    randomize(block, torch.Generator().manual_seed(7))
    export("bert", block, shape, 13, random=False)
    export("bert-opset17", block, shape, 17, values=False, random=False)
    export("bert-dynamic", block, shape, 13, values=False, random=False,
           dynamic_axes={"x": {0: "batch", 1: "seq"}})
    export("bert-unfolded", block, shape, 13, values=False, random=False, do_constant_folding=False)


class Pointwise(nn.Module):
    """A feed-forward network as convolutions that see one place at a time, as models of images and speech have it."""

    def __init__(self):
        super().__init__()
        self.up = nn.Conv1d(WIDTH, 2 * WIDTH, 1)
        self.down = nn.Conv1d(2 * WIDTH, WIDTH, 1, bias=False)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Head(nn.Module):
    """What classifies one row."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(WIDTH, 2 * WIDTH)
        self.second = nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def vit():
    """torchvision's, of two layers and few numbers."""
    from torchvision.models.vision_transformer import VisionTransformer

    model = VisionTransformer(image_size=8, patch_size=4, num_layers=2, num_heads=HEADS, hidden_dim=WIDTH,
                              mlp_dim=2 * WIDTH, num_classes=4)
    export("vit", model, (1, 3, 8, 8), 17, values=False)


def scaled_dot_product(q, k, v, mask=None, scale=None, softcap=0.0):
    """Attention of the ONNX standard, operator by operator; q, k and v are [batch, heads, rows, width]."""
    k = k.repeat_interleave(q.size(1) // k.size(1), 1)
    v = v.repeat_interleave(q.size(1) // v.size(1), 1)
    scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.size(-1)) if scale is None else scale)
    if softcap:
        scores = softcap * torch.tanh(scores / softcap)
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, -1) @ v


def attention_operator(name, q, k, v, expected, mask=None, body=None, **attributes):
    """The operator Attention of opset 23, which PyTorch does not export yet, or what it stands for."""
    import onnx

    inputs = {"Q": q, "K": k, "V": v}
    if mask is not None:
        inputs["mask"] = mask
    described = [onnx.helper.make_tensor_value_info(one, onnx.TensorProto.FLOAT, list(tensor.shape))
                 for one, tensor in list(inputs.items()) + [("Y", expected)]]
    nodes = body or [onnx.helper.make_node("Attention", list(inputs), ["Y"], name="attention", **attributes)]
    graph = onnx.helper.make_graph(nodes, name, described[:-1], described[-1:])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 23)], producer_name="Blockscope")
    path = os.path.join(FOLDER, name + ".onnx")
    with open(path, "wb") as file:
        file.write(model.SerializeToString())
    save_values(path[:-5] + ".values", inputs, {"Y": expected})


class Embedded(nn.Module):
    """A whole small model as Hugging Face has it: embeddings of words and positions, a mask of numbers 0 and 1, heads
    on the weights of the words. Positions are cut from a table."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(12, WIDTH)
        self.places = nn.Embedding(32, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.layer = BertBlock()
        self.register_buffer("place", torch.arange(32).unsqueeze(0))

    def forward(self, ids, seen):
        mask = (1.0 - seen[:, None, None, :].to(torch.float32)) * -10000.0
        x = self.norm(self.words(ids) + self.places(self.place[:, : ids.size(1)]))
        return self.layer(x, mask) @ self.words.weight.t()


def embedded():
    generator = torch.Generator().manual_seed(11)
    model = Embedded()
    model.train(False)
    randomize(model, generator)
    ids = torch.randint(0, 12, (BATCH, ROWS), generator=generator)
    seen = torch.ones(BATCH, ROWS, dtype=torch.int64)
    seen[1, 4:] = 0
    path = os.path.join(FOLDER, "embedded.onnx")
    torch.onnx.export(model, (ids, seen), path, opset_version=14, input_names=["ids", "seen"], output_names=["y"])
    save_values(path[:-5] + ".values", {"ids": ids, "seen": seen}, {"y": model(ids, seen)})
    axes = {"ids": {0: "batch", 1: "seq"}, "seen": {0: "batch", 1: "seq"}}
    torch.onnx.export(model, (ids, seen), os.path.join(FOLDER, "embedded-dynamic.onnx"), opset_version=14,
                      input_names=["ids", "seen"], output_names=["y"], dynamic_axes=axes)


class Placed(LlamaBlock):
    """A small Llama as Hugging Face has it: words are looked up, cosines are computed of the positions that are given."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(12, WIDTH)
        self.register_buffer("frequencies", 1.0 / (10000 ** (torch.arange(0, self.head, 2).float() / self.head)))

    def turns(self, positions):
        angle = (self.frequencies[None, :, None].expand(positions.size(0), -1, 1) @ positions[:, None].float())
        angle = torch.cat((angle.transpose(1, 2), angle.transpose(1, 2)), dim=-1)
        return angle.cos(), angle.sin()

    def placed(self, x):
        return x * self.cosines[:, None] + self.rotate_half(x) * self.sines[:, None]

    def forward(self, ids, positions):
        self.cosines, self.sines = self.turns(positions)
        return super().forward(self.words(ids)) @ self.words.weight.t()


def placed():
    generator = torch.Generator().manual_seed(13)
    model = Placed()
    model.train(False)
    randomize(model, generator)
    ids = torch.randint(0, 12, (BATCH, ROWS), generator=generator)
    positions = torch.arange(ROWS)[None] + torch.tensor([[0], [3]])
    path = os.path.join(FOLDER, "placed.onnx")
    torch.onnx.export(model, (ids, positions), path, opset_version=14, input_names=["ids", "positions"],
                      output_names=["y"])
    cosines, sines = model.turns(positions)
    save_values(path[:-5] + ".values", {"ids": ids, "/Cos_output_0": cosines, "/Sin_output_0": sines},
                {"y": model(ids, positions)})


class Body:
    """The nodes of a function: add(output, operator, inputs, attributes)."""

    def __init__(self):
        self.nodes = []

    def add(self, output, operator, *inputs, **attributes):
        import onnx

        self.nodes.append(onnx.helper.make_node(operator, list(inputs), [output], name=output, **attributes))
        return output

    def constant(self, name, values, kind):
        import onnx

        return self.add(name, "Constant", value=onnx.helper.make_tensor(name, kind, [len(values)], values))

    def shape(self, name, of, start, end):
        return self.add(name, "Shape", of, start=start, end=end)


def body_of_attention(causal):
    """What opset 23 defines Attention(Q, K, V) to be, of 4 axes: heads are repeated, masks are sums."""
    from onnx import TensorProto

    body = Body()
    for name, values in {"One1D": [1], "Zero1D": [0], "Two1D": [2], "PastKVSeqLen": [0]}.items():
        body.constant(name, values, TensorProto.INT64)
    for name, values in {"One1DF": [1.0], "FloatNegInf": [-math.inf], "ScalarZero": [0.0]}.items():
        body.constant(name, values, TensorProto.FLOAT)
    body.shape("BatchSize", "Q", 0, 1), body.shape("QSeqLen", "Q", -2, -1), body.shape("NewKVSeqLen", "K", -2, -1)
    body.shape("QNumHeads", "Q", 1, 2), body.shape("KVNumHeads", "K", 1, 2)
    body.shape("QKHeadSize", "Q", 3, 4), body.shape("VHeadSize", "V", 3, 4)
    body.add("QKHeadSizeF", "Cast", "QKHeadSize", to=TensorProto.FLOAT)
    body.add("SqrtHeadSize", "Sqrt", "QKHeadSizeF")
    body.add("ScaleFactor", "Div", "One1DF", "SqrtHeadSize")
    body.add("ScaleFactorSqrt", "Sqrt", "ScaleFactor")
    body.add("ScaleFactorF", "Cast", "ScaleFactorSqrt", to=TensorProto.FLOAT)
    body.add("AttnBiasShape", "Concat", "QSeqLen", "NewKVSeqLen", axis=0)
    bias = body.add("AttnBias", "ConstantOfShape", "AttnBiasShape")
    if causal:
        bias = add_causal_mask(body)
    body.add("AttnBiasT", "Cast", bias, to=TensorProto.FLOAT)
    body.add("NGQACond1", "Equal", "QNumHeads", "KVNumHeads")
    body.add("GQACond1", "Not", "NGQACond1")
    body.add("DivNumHeads", "Div", "QNumHeads", "KVNumHeads")
    body.add("IDivNumHeads", "Cast", "DivNumHeads", to=TensorProto.INT64)
    body.add("RemainderNumHeads", "Mod", "QNumHeads", "KVNumHeads")
    body.add("GQACond2", "Equal", "RemainderNumHeads", "Zero1D")
    body.add("GQACond", "And", "GQACond1", "GQACond2")
    body.add("InterleaveDim", "Where", "GQACond", "IDivNumHeads", "One1D")
    for one, size in {"K": "QKHeadSize", "V": "VHeadSize"}.items():
        body.add(one + "Unsqueezed", "Unsqueeze", one, "Two1D")
        body.add(one + "ExpandShape", "Concat", "BatchSize", "KVNumHeads", "InterleaveDim", "NewKVSeqLen", size, axis=0)
        body.add(one + "Expanded", "Expand", one + "Unsqueezed", one + "ExpandShape")
        body.add(one + "AttentionShape", "Concat", "BatchSize", "QNumHeads", "NewKVSeqLen", size, axis=0)
        body.add(one + "AttentionInput", "Reshape", one + "Expanded", one + "AttentionShape")
    body.add("KTranspose", "Transpose", "KAttentionInput", perm=[0, 1, 3, 2])
    body.add("QScaled", "Mul", "Q", "ScaleFactorF")
    body.add("KScaled", "Mul", "KTranspose", "ScaleFactorF")
    body.add("QKAttnWeight", "MatMul", "QScaled", "KScaled")
    body.add("QKAttnWeightSoftcap", "Add", "QKAttnWeight", "AttnBiasT")
    body.add("SoftmaxOut", "Softmax", "QKAttnWeightSoftcap")
    # Rows of which nothing may be seen are zero.
    body.constant("BiasRowMaxAxes", [-1], TensorProto.INT64)
    body.add("BiasRowMax", "ReduceMax", "AttnBiasT", "BiasRowMaxAxes")
    body.add("FloatNegInfT", "CastLike", "FloatNegInf", "AttnBiasT")
    body.add("RowAllMasked", "Equal", "BiasRowMax", "FloatNegInfT")
    body.add("ZeroProbT", "CastLike", "ScalarZero", "SoftmaxOut")
    body.add("SoftmaxOutSafe", "Where", "RowAllMasked", "ZeroProbT", "SoftmaxOut")
    body.add("Y", "MatMul", "SoftmaxOutSafe", "VAttentionInput")
    return body.nodes


def add_causal_mask(body):
    from onnx import TensorProto

    body.constant("Zero", [0], TensorProto.INT64), body.constant("One", [1], TensorProto.INT64)
    body.add("ZeroNoDim", "Squeeze", "Zero", "Zero")
    body.add("OneNoDim", "Squeeze", "One", "Zero")
    body.add("SequenceLength", "Gather", "AttnBiasShape", "ZeroNoDim")
    body.add("TotalSequenceLength", "Gather", "AttnBiasShape", "OneNoDim")
    body.add("RangeRow", "Range", "ZeroNoDim", "SequenceLength", "OneNoDim")
    body.add("RangeRow2D", "Unsqueeze", "RangeRow", "One")
    body.add("RangeCol", "Range", "ZeroNoDim", "TotalSequenceLength", "OneNoDim")
    body.add("RangeCol2D", "Unsqueeze", "RangeCol", "Zero")
    body.add("RangeRow2DPast", "Add", "RangeRow2D", "PastKVSeqLen")
    body.add("BoolMaskTri", "Less", "RangeRow2DPast", "RangeCol2D")
    body.add("MaskTri", "Where", "BoolMaskTri", "FloatNegInf", "ScalarZero")
    return body.add("AttnBiasCausalOrNot", "Add", "AttnBias", "MaskTri")


def attention_operators():
    torch.manual_seed(5)
    q, k, v = torch.randn(2, 4, 6, 8), torch.randn(2, 2, 6, 8), torch.randn(2, 2, 6, 4)
    causal = torch.full((6, 6), -math.inf).triu(1)
    attention_operator("attention-causal", q, q, v.repeat(1, 2, 1, 1),
                       scaled_dot_product(q, q, v.repeat(1, 2, 1, 1), causal), is_causal=1)
    attention_operator("attention-shared", q, k, v, scaled_dot_product(q, k, v, scale=0.25), scale=0.25)
    attention_operator("attention-expanded", q, k, v, scaled_dot_product(q, k, v), body=body_of_attention(False))
    attention_operator("attention-expanded-causal", q, k, v, scaled_dot_product(q, k, v, causal),
                       body=body_of_attention(True))
    mask = torch.randn(6, 6)
    joined = [x.transpose(1, 2).reshape(2, 6, -1) for x in (q, k, v)]
    result = scaled_dot_product(q, k, v, mask, softcap=2.0).transpose(1, 2).reshape(2, 6, -1)
    attention_operator("attention-joined", *joined, result, mask, q_num_heads=4, kv_num_heads=2, softcap=2.0)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    torch.manual_seed(3)
    shape = (BATCH, ROWS, WIDTH)
    bert_variants()
    export("gpt2", Gpt2Block(), shape, 13)
    export("gated", GatedBlock(), shape, 14)
    export("llama", LlamaBlock(), shape, 14)
    export("rotary-pairs", RotaryPairs(), shape, 14)
    export("fused-qkv", FusedQkv(), shape, 13)
    export("multihead-attention", Attention(), (ROWS, BATCH, WIDTH), 13, outputs=("y", "weights"))
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 2 * WIDTH, dropout=0.0)
    export("encoder-layer", layer, (ROWS, BATCH, WIDTH), 13)
    export("encoder-layer-opset17", layer, (ROWS, BATCH, WIDTH), 17, random=False, values=False)
    export("mlp", Mlp(), (5, WIDTH), 11)
    export("pointwise", Pointwise(), (BATCH, WIDTH, ROWS), 13)
    export("head", Head(), (1, WIDTH), 13)
    vit()
    embedded()
    placed()
    attention_operators()
    export("cumsum", Sorted(), (ROWS, WIDTH), 13, values=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())

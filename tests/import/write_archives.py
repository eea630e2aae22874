#!/usr/bin/python3
"""Writes archives as torch.export.save does, after PyTorch's torch/_export/serde/schema.py (version 8).

    apt-get install python3-torch python3-onnx
    PATH=/usr/bin:$PATH tests/import/write_archives.py        # writes tests/import/models/*.pt2

torch.export is newer than Debian 12's PyTorch 1.13, so no file here was made by it. The operators are those that PyTorch
1.13 calls: recorded as the modules of export_models.py call them (what torch.export writes), or as make_fx decomposes
them (what ExportedProgram.run_decompositions writes). Weights are left out; tests take them from NAME.values.
"""
import json
import math
import os
import struct
import sys
import zipfile

import torch
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional as F
from torch.nn.utils import stateless
from torch.overrides import TorchFunctionMode

import export_models as models
from export_models import BATCH, FOLDER, HEADS, ROWS, WIDTH

TYPES = {torch.uint8: 1, torch.int64: 5, torch.float16: 6, torch.float32: 7, torch.float64: 8, torch.bool: 12,
         torch.bfloat16: 13}


def number(value):
    """Floats that JSON has no word for are strings."""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


class Program:
    """An exported program while it is written down. `symbols` makes sizes symbols: {7: "s27"}."""

    def __init__(self, symbols=None):
        self.symbols = symbols or {}
        self.inputs, self.nodes, self.specs = [], [], []
        self.tensors, self.wholes, self.constants = {}, {}, {}
        self.names = {}  # of tensors, by identity
        self.kept = []   # tensors that are alive, so that no two have one identity
        self.taken = {}
        self.modules = [("", "Model")]

    # ---- Sizes.

    def expression(self, size):
        symbol = lambda s: f"Symbol('{s}', positive=True, integer=True)"
        if size in self.symbols:
            return symbol(self.symbols[size])
        parts = [(a, b) for a in self.symbols for b in self.symbols if a < b and a * b == size]
        if parts:
            return f"Mul({symbol(self.symbols[parts[0][0]])}, {symbol(self.symbols[parts[0][1]])})"
        return None

    def size(self, size):
        text = self.expression(size)
        return {"as_int": size} if text is None else {"as_expr": {"expr_str": text, "hint": {"as_int": size}}}

    def sizes_argument(self, sizes):
        if not any(self.expression(size) for size in sizes):
            return {"as_ints": list(sizes)}
        return {"as_sym_ints": [self.whole(size) for size in sizes]}

    def whole(self, size):
        if not self.expression(size):
            return {"as_int": size}
        name = f"sym_size_int_{size}"
        if name not in self.wholes:
            self.wholes[name] = self.size(size)
            self.nodes.append({"target": "torch.ops.aten.sym_size.int", "inputs": [],
                               "outputs": [{"as_sym_int": {"as_name": name}}], "metadata": {}})
        return {"as_name": name}

    # ---- Tensors.

    def meta(self, tensor):
        return {"dtype": TYPES[tensor.dtype], "sizes": [self.size(size) for size in tensor.shape],
                "requires_grad": False, "device": {"type": "cpu", "index": None},
                "strides": [self.size(step) for step in tensor.stride()], "storage_offset": {"as_int": 0}, "layout": 7}

    def name(self, wanted):
        number_of = self.taken.get(wanted, 0)
        self.taken[wanted] = number_of + 1
        return wanted if number_of == 0 else f"{wanted}_{number_of}"

    def declare(self, tensor, wanted):
        name = self.name(wanted)
        self.names[id(tensor)] = name
        self.kept.append(tensor)
        self.tensors[name] = self.meta(tensor)
        return name

    def given(self, tensor, wanted, kind, target=None):
        name = self.declare(tensor, wanted)
        self.inputs.append({"as_tensor": {"name": name}})
        if kind == "user_input":
            self.specs.append({"user_input": {"arg": {"as_tensor": {"name": name}}}})
            return
        spec = {"arg": {"name": name}, kind + "_name": target}
        if kind == "buffer":
            spec["persistent"] = True
        if kind != "parameter":
            self.constants[target] = tensor
        self.specs.append({kind: spec})

    def module(self, module, example):
        for target, tensor in module.named_parameters():
            self.given(tensor, "p_" + target.replace(".", "_"), "parameter", target)
        for target, tensor in module.named_buffers():
            self.given(tensor, "b_" + target.replace(".", "_"), "buffer", target)
        self.given(example, "x", "user_input")

    # ---- Nodes.

    def argument(self, value, sizes=False):
        if value is None:
            return {"as_none": True}
        if isinstance(value, torch.Tensor):
            if id(value) not in self.names:  # torch.tensor(..) in the model
                raise ValueError("a tensor that nothing made")
            return {"as_tensor": {"name": self.names[id(value)]}}
        if isinstance(value, bool):
            return {"as_bool": value}
        if isinstance(value, int):
            whole = self.whole(value) if sizes else {"as_int": value}
            return {"as_sym_int": whole} if "as_name" in whole else whole
        if isinstance(value, float):
            return {"as_float": number(value)}
        if isinstance(value, str):
            return {"as_string": value}
        if isinstance(value, torch.dtype):
            return {"as_scalar_type": TYPES[value]}
        if isinstance(value, torch.device):
            return {"as_device": {"type": value.type, "index": value.index}}
        if isinstance(value, torch.layout):
            return {"as_layout": 7}
        if isinstance(value, torch.memory_format):
            return {"as_memory_format": 1}
        if all(isinstance(one, torch.Tensor) for one in value):
            return {"as_tensors": [{"name": self.names[id(one)]} for one in value]}
        if all(isinstance(one, bool) for one in value):
            return {"as_bools": list(value)}
        return self.sizes_argument(value) if sizes else {"as_ints": list(value)}

    def call(self, target, arguments, result):
        """`arguments` by name; those that the operator does not name are sizes where they are called so."""
        several = isinstance(result, (tuple, list))
        base = target.split(".")[0]
        inputs = [{"name": key, "arg": self.argument(value, key in ("size", "shape", "end")), "kind": 1}
                  for key, value in arguments.items()]
        results = list(result) if several else [result]
        made = [self.declare(one, "getitem" if several else base) for one in results]
        if several and base in ("split", "split_with_sizes", "chunk", "unbind"):
            outputs = [{"as_tensors": [{"name": name} for name in made]}]
        else:
            outputs = [{"as_tensor": {"name": name}} for name in made]
        stack = ";".join(f"L__self__{path.replace('.', '_')},{path},{kind}" for path, kind in self.modules)
        self.nodes.append({"target": "torch.ops.aten." + target, "inputs": inputs, "outputs": outputs,
                           "metadata": {"stack_trace": '  File "model.py", line 1, in forward\n',
                                        "nn_module_stack": stack}})

    def document(self, outputs, minor=14):
        outputs = [{"as_tensor": {"name": self.names[id(one)]}} for one in outputs]
        ranges = {symbol: {"min_val": 2, "max_val": 512} for symbol in self.symbols.values()}
        graph = {"inputs": self.inputs, "outputs": outputs, "nodes": self.nodes, "tensor_values": self.tensors,
                 "sym_int_values": self.wholes, "sym_bool_values": {}, "is_single_tensor_return": False,
                 "custom_obj_values": {}, "sym_float_values": {}}
        signature = {"input_specs": self.specs, "output_specs": [{"user_output": {"arg": one}} for one in outputs]}
        return {"graph_module": {"graph": graph, "signature": signature, "module_call_graph": [], "metadata": {},
                                 "treespec_namedtuple_fields": {}},
                "opset_version": {"aten": 10}, "range_constraints": ranges,
                "schema_version": {"major": 8, "minor": minor}, "verifiers": ["TRAINING"],
                "torch_version": "written by hand", "guards_code": []}


# ---- What torch.export records: the operators that a module calls, by their schemas.

# Functions whose operator has another name or form; others have their own and the overload "default".
FORMS = {"transpose": "transpose.int", "__matmul__": "matmul.default", "matmul": "matmul.default",
         "add": "add.Tensor", "__add__": "add.Tensor", "__radd__": "add.Tensor", "sub": "sub.Tensor",
         "mul": "mul.Tensor", "__mul__": "mul.Tensor", "__rmul__": "mul.Tensor", "div": "div.Tensor",
         "__truediv__": "div.Tensor", "true_divide": "div.Tensor", "pow": "pow.Tensor_Scalar", "mean": "mean.dim",
         "softmax": "softmax.int", "eq": "eq.Scalar", "masked_fill": "masked_fill.Scalar", "split": "split.Tensor", "where": "where.self", "neg": "neg.default",
         "__neg__": "neg.default", "cat": "cat.default", "flatten": "flatten.using_ints"}
ONLY_ASKED = {"size", "dim", "numel", "__get__", "__len__", "is_floating_point"}


class Recorder(TorchFunctionMode):
    def __init__(self, program):
        super().__init__()
        self.program = program

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        name = function.__name__
        if name in ONLY_ASKED:
            return function(*args, **kwargs)
        if name == "__getitem__":
            return self.indexed(*args)
        if name == "tensor":
            return self.constant(function(*args, **kwargs))
        if name in ("reshape", "view", "permute", "expand") and not isinstance(args[1], (tuple, list)):
            args = (args[0], tuple(args[1:]))
        target = FORMS.get(name, name.strip("_") + ".default")
        if name == "layer_norm":
            args, kwargs = args[:5], {key: kwargs[key] for key in ("weight", "bias", "eps") if key in kwargs}
        if name == "float":
            target, args, function = "to.dtype", (args[0], torch.float32), torch.Tensor.to
        if name == "arange" and len(args) > 1:
            target = "arange.start_step"
        if name in ("__radd__", "__rmul__"):
            function = {"__radd__": torch.Tensor.add, "__rmul__": torch.Tensor.mul}[name]
        if name == "mul" and not isinstance(args[0], torch.Tensor):
            args = (args[1], args[0])
        if name == "__rpow__":
            target, args, function = "pow.Scalar", (float(args[1]), args[0]), torch.pow
        if name in ("__rdiv__", "__rtruediv__"):
            turned = self.step("reciprocal.default", {"self": args[0]}, args[0].reciprocal())
            target, args, function = "mul.Tensor", (turned, args[1]), torch.Tensor.mul
        kwargs.pop("_stacklevel", None)
        kwargs.pop("inplace", None)
        result = function(*args, **kwargs)
        self.program.call(target, self.named(target, args, kwargs), result)
        return result

    @staticmethod
    def named(target, args, kwargs):
        packet, overload = target.split(".")
        schema = getattr(getattr(torch.ops.aten, packet), overload)._schema
        names = [one.name for one in schema.arguments if not one.kwarg_only]
        named = dict(zip(names, args))
        for key, value in kwargs.items():
            named["self" if key == "input" and "self" in names else key] = value
        return named

    def constant(self, tensor):
        lifted = f"lifted_tensor_{len(self.program.constants)}"
        self.program.given(tensor, "c_" + lifted, "tensor_constant", lifted)
        return tensor

    def step(self, target, arguments, result):
        self.program.call(target, arguments, result)
        return result

    def indexed(self, tensor, index):
        """x[..., 1:, None, 0] as slices, selections and new axes."""
        index = index if isinstance(index, tuple) else (index,)
        if Ellipsis in index:
            at = index.index(Ellipsis)
            there = sum(1 for one in index if one is not None and one is not Ellipsis)
            index = index[:at] + (slice(None),) * (tensor.dim() - there) + index[at + 1:]
        axis = 0
        for one in index:
            if one is None:
                tensor = self.step("unsqueeze.default", {"self": tensor, "dim": axis}, tensor.unsqueeze(axis))
            elif isinstance(one, int):
                tensor = self.step("select.int", {"self": tensor, "dim": axis, "index": one},
                                   tensor.select(axis, one))
                axis -= 1
            else:
                start = one.start or 0
                end = 2 ** 63 - 1 if one.stop is None else one.stop
                key = (slice(None),) * axis + (one,)
                with torch._C.DisableTorchFunction():
                    part = tensor[key]
                arguments = {"self": tensor, "dim": axis, "start": start, "end": end}
                if one.step not in (None, 1):
                    arguments["step"] = one.step
                tensor = self.step("slice.Tensor", arguments, part)
            axis += 1
        return tensor


def recorded(module, example, symbols=None):
    program = Program(symbols)
    program.module(module, example)
    hooks = []
    for path, one in module.named_modules():
        kind = f"{type(one).__module__}.{type(one).__qualname__}"
        hooks.append(one.register_forward_pre_hook(
            lambda _module, _inputs, path=path, kind=kind: program.modules.append((path, kind))))
        hooks.append(one.register_forward_hook(lambda *_unused: program.modules.pop() and None))
    with torch.no_grad(), Recorder(program):
        result = module(example)
    for hook in hooks:
        hook.remove()
    return program, result


# ---- What run_decompositions writes: PyTorch's core operators.

def decomposed(module, example):
    program = Program()
    program.module(module, example)
    stored = dict(module.named_parameters())
    stored.update(module.named_buffers())
    with torch.no_grad():
        graph = make_fx(lambda weights, x: stateless.functional_call(module, weights, (x,)))(stored, example)
    values = {}
    places = iter([*stored.values(), example])
    result = None
    lookup = lambda value: torch.fx.node.map_arg(value, lambda one: values[one])
    for node in graph.graph.nodes:
        if node.op == "placeholder":
            values[node] = next(places)
        elif node.op == "get_attr":
            values[node] = getattr(graph, node.target)
            lifted = f"lifted_tensor_{len(program.constants)}"
            program.given(values[node], "c_" + lifted, "tensor_constant", lifted)
        elif node.op == "output":
            result = lookup(node.args[0])
            result = result[0] if isinstance(result, (tuple, list)) else result
        elif node.target.__name__ == "getitem":
            values[node] = values[node.args[0]][node.args[1]]
        else:
            args, kwargs = lookup(node.args), lookup(node.kwargs)
            values[node] = node.target(*args, **kwargs)
            target = node.target.__name__ if "." in node.target.__name__ else node.target.__name__ + ".default"
            if target == "_reshape_alias.default":  # which newer versions call a view
                target, args = "view.default", args[:2]
            program.call(target, Recorder.named(target, args, kwargs), values[node])
    return program, result


# ---- Blocks with the operators that PyTorch 1.13 does not have yet: they compute what it computes.

def attention(program, query, key, value, mask=None, causal=False, scale=None, shared=False):
    """scaled_dot_product_attention, a node of its own."""
    arguments = {"query": query, "key": key, "value": value}
    if mask is not None:
        arguments["attn_mask"] = mask
    if causal:
        arguments["is_causal"] = True
    if scale is not None:
        arguments["scale"] = scale
    if shared:
        arguments["enable_gqa"] = True
        times = query.size(-3) // key.size(-3)
        key, value = key.repeat_interleave(times, -3), value.repeat_interleave(times, -3)
    scores = query @ key.transpose(-1, -2) * (scale or query.size(-1) ** -0.5)
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask
    result = torch.softmax(scores, -1) @ value
    program.call("scaled_dot_product_attention.default", arguments, result)
    return result


class BufferedMask(nn.Module):
    """A causal mask of numbers in a buffer that is longer than the text, as minGPT has it."""

    def __init__(self):
        super().__init__()
        self.c_attn = nn.Linear(WIDTH, 3 * WIDTH)
        self.c_proj = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("bias", torch.tril(torch.ones(16, 16)).view(1, 1, 16, 16))

    def forward(self, x):
        b, rows, width = x.size()
        q, k, v = (part.view(b, rows, HEADS, width // HEADS).transpose(1, 2)
                   for part in self.c_attn(x).split(WIDTH, dim=2))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        scores = scores.masked_fill(self.bias[:, :, :rows, :rows] == 0, -math.inf)
        context = (F.softmax(scores, dim=-1) @ v).transpose(1, 2).contiguous().view(b, rows, width)
        return self.c_proj(context)


class Steps:
    """Calls of operators that are recorded: steps.linear(x, weight)."""

    def __init__(self, program):
        self.program = program

    def __getattr__(self, target):
        packet, _, overload = target.partition("__")
        name = f"{packet}.{overload or 'default'}"
        operator = getattr(getattr(torch.ops.aten, packet), overload or "default")

        def run(*args, **kwargs):
            result = operator(*args, **kwargs)
            self.program.call(name, Recorder.named(name, args, kwargs), result)
            return result

        return run


def rms_norm(program, x, weight, eps=1e-6):
    result = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight
    program.call("rms_norm.default", {"input": x, "normalized_shape": [x.size(-1)], "weight": weight, "eps": eps}, result)
    return result


def llama(module, x, symbols=None):
    """The gated block with an RMSNorm, an attention and shared heads that are one operator each."""
    program = Program(symbols)
    program.module(module, x)
    steps = Steps(program)
    b, rows, _ = x.shape

    def heads(weight, count):
        apart = steps.view(steps.linear(y, weight), [b, rows, count, module.head])
        return steps.transpose__int(apart, 1, 2)

    with torch.no_grad():
        y = rms_norm(program, x, module.norm)
        q = heads(module.q.weight, module.heads)
        k = heads(module.k.weight, module.kv_heads)
        v = heads(module.v.weight, module.kv_heads)
        context = attention(program, q, k, v, causal=True, shared=True)
        context = steps.reshape(steps.transpose__int(context, 1, 2), [b, rows, module.heads * module.head])
        x = steps.add__Tensor(x, steps.linear(context, module.o.weight))
        y = rms_norm(program, x, module.norm2)
        gate = steps.silu(steps.linear(y, module.gate.weight))
        gated = steps.mul__Tensor(gate, steps.linear(y, module.up.weight))
        return program, steps.add__Tensor(x, steps.linear(gated, module.down.weight))


def masked_attention(x, weight, mask):
    """An attention with a constant mask of truths, and numbers of its own: not those of any module."""
    program = Program()
    program.given(weight, "p_weight", "parameter", "weight")
    program.given(mask, "c_mask", "tensor_constant", "mask")
    program.given(x, "x", "user_input")
    steps = Steps(program)
    q, k, v = steps.split__Tensor(steps.linear(x, weight), WIDTH, -1)
    context = attention(program, q, k, v, mask=mask, scale=0.25)
    return program, steps.dropout(context, 0.1, False)


# ---- Archives.

def payload(program, place, name, tensors):
    config, members = {}, {}
    for target, tensor in tensors.items():
        file = f"{name}_{len(members)}"
        members[f"data/{place}/{file}"] = bytes(tensor.contiguous().numpy().tobytes())
        config[target] = {"path_name": file, "is_param": False, "use_pickle": False,
                          "tensor_meta": program.meta(tensor.contiguous())}
    members[f"data/{place}/model_{place}_config.json"] = json.dumps({"config": config}).encode()
    return members


def write_zip(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)


def write_archive(name, program, result):
    """The newer layout: everything in a folder, buffers and constants as plain bytes."""
    document = json.dumps(program.document(result if isinstance(result, tuple) else (result,)), allow_nan=False)
    weights = {key: value for key, value in program.constants.items() if not key.startswith("lifted")}
    lifted = {key: value for key, value in program.constants.items() if key.startswith("lifted")}
    members = {"archive_format": b"pt2", "archive_version": b"0", "models/model.json": document.encode(),
               **payload(program, "weights", "weight", weights), **payload(program, "constants", "tensor", lifted)}
    write_zip(os.path.join(FOLDER, name + ".pt2"), {name + "/" + key: value for key, value in members.items()})


def write_flat(name, program, result):
    """The older layout: one document beside pickled weights, numbers without a word in JSON as Python has them."""
    document = json.dumps(program.document(result if isinstance(result, tuple) else (result,), minor=2))
    document = document.replace('"-Infinity"', "-Infinity").replace('"Infinity"', "Infinity")
    write_zip(os.path.join(FOLDER, name + ".pt2"),
              {"serialized_exported_program.json": document.encode(), "serialized_state_dict.pt": b"",
               "serialized_constants.pt": b"", "serialized_example_inputs.pt": b"", "version": b"8.2"})


def values(name, module, x, result):
    """The input and every weight, which the archive does not have."""
    inputs = {"x": x, **dict(module.named_parameters())}
    models.save_values(os.path.join(FOLDER, name + ".values"), inputs, result)


def seeded(name, module, shape):
    """The module with the weights that export_models.export gives it, and its input."""
    generator = torch.Generator().manual_seed(sum(map(ord, name)))
    module.train(False)
    models.randomize(module, generator)
    return module, torch.randn(shape, generator=generator)


def main():
    shape = (BATCH, ROWS, WIDTH)
    torch.manual_seed(3)
    for name, make, write in (("bert", models.BertBlock, write_archive), ("gpt2", models.Gpt2Block, write_archive),
                              ("gated", models.GatedBlock, write_flat), ("llama", models.LlamaBlock, write_flat)):
        module, x = seeded(name, make(), shape)
        program, result = recorded(module, x)
        write("export-" + name, program, result)
        values("export-" + name, module, x, {program.names[id(result)]: result})
        program, result = decomposed(module, x)
        write_archive("core-" + name, program, result)
        values("core-" + name, module, x, {program.names[id(result)]: result})
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 2 * WIDTH, dropout=0.0)
    for name, make, shape_of in (("fused-qkv", models.FusedQkv(), shape), ("encoder-layer", layer, (ROWS, BATCH, WIDTH))):
        module, x = seeded(name, make, shape_of)
        program, result = decomposed(module, x)
        write_archive("core-" + name, program, result)
        values("core-" + name, module, x, {program.names[id(result)]: result})
    module, x = seeded("buffered", BufferedMask(), shape)
    program, result = recorded(module, x)
    write_archive("export-buffered-mask", program, result)
    values("export-buffered-mask", module, x, {program.names[id(result)]: result})
    module, x = seeded("gated", models.GatedBlock(), shape)
    program, result = llama(module, x)
    write_archive("export-sdpa", program, result)
    values("export-sdpa", module, x, {program.names[id(result)]: result})
    module, x = seeded("gated", models.GatedBlock(), (3, 7, WIDTH))
    write_archive("export-dynamic", *llama(module, x, {3: "s77", 7: "s27"}))
    module, x = seeded("masked", nn.Linear(WIDTH, 3 * WIDTH, bias=False), (ROWS, WIDTH))
    with torch.no_grad():
        program, result = masked_attention(x, module.weight, torch.ones(ROWS, ROWS, dtype=torch.bool).tril())
    write_archive("export-masked", program, result)
    values("export-masked", module, x, {program.names[id(result)]: result})
    return 0


if __name__ == "__main__":
    sys.exit(main())

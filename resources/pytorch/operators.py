"""The operators of the text language that PyTorch writes in another way. In float64 a cast rounds and changes nothing
else, so that a reference can be computed more exactly than it is asked for."""
import torch
import torch.nn.functional as F


def softmax(x):
    return torch.softmax(x, dim=-1)


def rmsnorm(x, weight=None, eps=0.0, paper=False):
    squares = x * x
    root = torch.sqrt(squares.sum(-1, keepdim=True) if paper else squares.mean(-1, keepdim=True) + eps)
    return x / root if weight is None else x / root * weight


def layernorm(x, weight=None, bias=None, eps=0.0, paper=False):
    y = F.layer_norm(x, x.shape[-1:], eps=0.0 if paper else eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


def rope(x, cosines, sines):
    first, second = x.chunk(2, dim=-1)
    return x * cosines + torch.cat([-second, first], dim=-1) * sines


def rope_interleaved(x, cosines, sines):
    pairs = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1)
    return x * cosines + pairs.reshape(x.shape) * sines


def row_sum(x):
    return x.sum(-1)


def row_mean(x):
    return x.mean(-1)


def row_max(x):
    return x.amax(-1)


def outer(x, y):
    return x.unsqueeze(-1) * y.unsqueeze(-2)


EIGHT_BITS = {"float8_e4m3fn": (3, -6, 448.0), "float8_e5m2": (2, -14, 57344.0)}  # mantissa, exponent, largest number


def cast(x, dtype):
    """PyTorch has no arithmetic on 8 bits, and older ones no such types: the numbers are rounded, their type stays. What
    is too large becomes the largest number, as in the kernels."""
    if dtype in EIGHT_BITS:
        mantissa, least, largest = EIGHT_BITS[dtype]
        exponent = torch.clamp(torch.frexp(x.double())[1] - 1, min=least)
        step = torch.ldexp(torch.ones((), dtype=torch.float64, device=x.device), exponent - mantissa)
        return ((x.double() / step).round() * step).clamp(-largest, largest).to(x.dtype)
    rounded = x.to(getattr(torch, dtype))
    return rounded.to(x.dtype) if x.dtype == torch.float64 else rounded


def causal(rows, columns, window, like):
    """0 where a row sees a column, -1e30 elsewhere: the last row sees all columns, each before it one less, with a
    window the last so many of them."""
    behind = torch.arange(rows, device=like.device)[:, None] + (columns - rows)
    behind = behind - torch.arange(columns, device=like.device)[None, :]
    hidden = (behind < 0) | (behind >= window) if window > 0 else behind < 0
    dtype = like.dtype if like.dtype in (torch.float64, torch.float32, torch.bfloat16) else torch.float32
    return torch.zeros(rows, columns, dtype=dtype, device=like.device).masked_fill(hidden, -1e30)


def _of_tensors(function):
    return lambda *x: function(*(torch.as_tensor(one) for one in x))


exp, log, sqrt, tanh, erf = map(_of_tensors, (torch.exp, torch.log, torch.sqrt, torch.tanh, torch.erf))
abs, sin, cos, floor = map(_of_tensors, (torch.abs, torch.sin, torch.cos, torch.floor))
max, min = _of_tensors(torch.maximum), _of_tensors(torch.minimum)

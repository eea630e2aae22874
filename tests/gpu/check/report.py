"""results.md: what the pieces of gpu_check.py have left, for people."""
import math
import re

# Descriptions of cards (blockscope-cli devices) by compute capability, where none has the card's own name.
GENERATIONS = {"80": "a100-sxm-80gb", "86": "rtx-3080", "89": "rtx-4090", "90": "h100-sxm5", "100": "b200", "120": "rtx-4090"}


def letters(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def description(devices, card, architecture):
    """The device of `devices` that the card is, by its name or its generation; None if there is none."""
    gpus = [one for one in devices if one["kind"] == "gpu" and "calibration" not in one]
    for one in gpus:
        if letters(one["name"]) in letters(card):
            return one
    wanted = GENERATIONS.get(re.sub(r"\D", "", architecture))
    return next((one for one in gpus if one["name"] == wanted), None)


def ceilings(device):
    """FLOP/s of products in 16 bits, and bytes a second of memory, as the card's maker states them."""
    rates = {rate["type"]: rate["peak"]["value"] for rate in device["rates"]
             if rate["unit"] == "matrix" and "peak" in rate}
    memory = next(level for level in device["memory"] if level["role"] == "memory")
    return {"device": device["name"], "flops": rates.get("bf16") or rates.get("f16"), "bytes": memory["bandwidth"]["value"]}


def share(one, ceiling):
    """Of the time that the card would take at its stated rates: the larger one of computing and of moving."""
    if not ceiling or not ceiling.get("flops"):
        return None
    least = max(one["flops"] / ceiling["flops"], one["bytes"] / ceiling["bytes"])
    return least / one["median"]


def ranks(values):
    """Places in order; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for k in range(i, j + 1):
            result[order[k]] = (i + j) / 2
        i = j + 1
    return result


def pearson(a, b):
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    spread = math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))
    return both / spread if spread > 0 else float("nan")


def forecast_lines(times):
    """How forecasts agree with times: over all of them, and over the states of each problem."""
    known = [one for one in times if one.get("median") and one.get("predicted")]
    if len(known) < 2:
        return ["There are too few."]
    logs = [[math.log(one[key]) for one in known] for key in ("predicted", "median")]
    error = sum(abs(one["predicted"] / one["median"] - 1) for one in known) / len(known)
    lines = [f"{len(known)} times: Pearson of logarithms {pearson(*logs):.3f}, Spearman "
             f"{pearson(ranks(logs[0]), ranks(logs[1])):.3f}, mean error (MAPE) {100 * error:.0f}%.", "",
             "| problem | type | states | Pearson | Spearman | MAPE | regret |", "|---|---|---|---|---|---|---|"]
    for name, elem in sorted({(one["name"], one["type"]) for one in known}):
        own = [one for one in known if (one["name"], one["type"]) == (name, elem)]
        if len(own) < 3:
            continue
        predicted, measured = [one["predicted"] for one in own], [one["median"] for one in own]
        pick = min(own, key=lambda one: one["predicted"])["median"]
        mape = sum(abs(p / m - 1) for p, m in zip(predicted, measured)) / len(own)
        lines.append(f"| {name} | {elem} | {len(own)} | {pearson([math.log(p) for p in predicted], [math.log(m) for m in measured]):.2f} "
                     f"| {pearson(ranks(predicted), ranks(measured)):.2f} | {100 * mape:.0f}% | {pick / min(measured):.2f} |")
    return lines


def microseconds(seconds):
    return f"{seconds * 1e6:.1f}"


def time_line(one, ceiling, ways):
    """A line of the table of times; `ways` are the baselines of its problem."""
    if not one.get("median"):
        return f"| {one['name']} | {one['type']} | {one.get('state', '')} | " \
               f"{one.get('failure') or one.get('skipped') or 'failed'} | | | | | | | | |"
    interval = one.get("interval")
    between = f"{microseconds(interval[0])} .. {microseconds(interval[1])}" if interval else ""
    of_ceiling = share(one, ceiling)
    cycle = f"{one['flops'] / one['median'] / one['clock'] / 1e3:.1f}" if one.get("clock") else ""
    clock = f"{one['clock'] / 1e9:.2f}{' (slow)' if one.get('slow') else ''}" if one.get("clock") else ""
    ratios = ", ".join(f"{way} {known['median'] / one['median']:.2f}" for way, known in ways.items() if "median" in known)
    return (f"| {one['name']} | {one['type']} | {one['state']} | {microseconds(one['median'])} | {between} | "
            f"{one['flops'] / one['median'] / 1e12:.1f} | {one['bytes'] / one['median'] / 1e9:.0f} | "
            f"{f'{100 * of_ceiling:.0f}%' if of_ceiling else ''} | {clock} | {cycle} | "
            f"{microseconds(one['predicted']) if one.get('predicted') else ''} | {ratios} |")


def times_lines(times, baselines, facts):
    by_problem = {(one["name"], one["type"]): one["ways"] for one in baselines}
    ceiling = (facts or {}).get("ceilings")
    lines = ["", "## Times", ""]
    if ceiling and ceiling.get("flops"):
        lines += [f"The ceiling is that of {ceiling['device']}: {ceiling['flops'] / 1e12:.0f} TFLOP/s and "
                  f"{ceiling['bytes'] / 1e12:.2f} TB/s, whichever binds. Ratios are a baseline's time over ours: above 1 we are "
                  "faster.", ""]
    empty = [one["empty"] for one in times if one.get("empty")]
    if empty:
        lines += [f"An empty kernel takes up to {microseconds(max(empty))} us between the events that times lie between; "
                  f"{sum(one.get('discarded', 0) for one in times)} samples at less than three quarters of the card's best "
                  "clock are left out (slow: most were, so none is).", ""]
    lines += ["| problem | type | state | median, us | 95% interval | TFLOP/s | GB/s | of ceiling | GHz | kFLOP/cycle | predicted, us | baselines |",
              "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    lines += [time_line(one, ceiling, by_problem.get((one["name"], one["type"]), {})) for one in times]
    without = sorted({f"{one['name']} {one['type']}, {way}: {known['failure']}" for one in baselines
                      for way, known in one["ways"].items() if "failure" in known})
    if without:
        lines += ["", "Baselines without a time:", ""] + [f"- {line}" for line in without]
    return lines


def correct_lines(correct):
    states = [state for one in correct for state in one.get("states", [])]
    wrong = [one for one in correct if one.get("code", 1) != 0]
    lines = ["## Right results", "", f"{len(states)} states of {len({one['sample'] for one in correct})} samples; "
             f"{len(wrong)} runs were wrong or skipped.", ""]
    for one in wrong:
        failures = [state["failure"] for state in one.get("states", []) if "failure" in state]
        why = one.get("skipped") or one.get("errors") or (failures or ["no answer"])[0]
        lines.append(f"- {one['sample']} {one.get('type', '')} {one.get('target', '')}: {why.strip()[:200]}")
    return lines


def sanitize_lines(sanitize):
    lines = ["", "## compute-sanitizer", ""]
    if "skipped" in sanitize:
        return lines + [sanitize["skipped"] + "."]
    for tool in ("memcheck", "racecheck", "synccheck"):
        of_tool = [one for one in sanitize["results"] if one["tool"] == tool]
        dirty = [one["sample"] for one in of_tool if one.get("code", 0) != 0]
        late = [one["sample"] for one in of_tool if "skipped" in one]
        lines.append(f"- {tool}: {len(of_tool) - len(dirty) - len(late)} samples clean"
                     + (f", dirty: {', '.join(dirty)}" if dirty else "")
                     + (f", not looked at yet: {', '.join(late)}" if late else ""))
    return lines


def report_text(kept):
    """`kept` gives what a piece has left, or None."""
    facts = kept("facts") or {}
    lines = [f"# A card's results, {facts.get('date', 'no date')}", "", "```", (facts.get("nvidia_smi") or "").strip(),
             facts.get("system", ""), "```", ""]
    if (correct := kept("correct")) is not None:
        lines += correct_lines(correct)
    if (sanitize := kept("sanitize")) is not None:
        lines += sanitize_lines(sanitize)
    times = (kept("times") or {}).get("results")
    if times:
        baselines = (kept("baselines") or {}).get("results", [])
        lines += ["", "## Forecasts", "", *forecast_lines(times)] + times_lines(times, baselines, facts)
    return "\n".join(lines) + "\n"

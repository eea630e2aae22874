#include "app/cli/report.h"

#include <algorithm>
#include <iterator>

#include "app/cli/selection.h"
#include "core/json/json_io.h"
#include "core/print/print.h"

namespace blockscope::cli {

namespace {

constexpr int kWhereLimit = 16;  // columns
constexpr int kNarrowestRule = 9;
constexpr int kNarrowestStep = 20;  // the least that is left for what a step did

// One line of the table of steps, as plain text.
struct StepRow {
    int step;
    std::string rule, where;
    Operators what;
    std::string buffered;
};

struct Widths {
    int step = 4, rule = 4, where = 5, what = 12, buffered = 8;
};

std::string arrow(int before, int after) {
    return std::to_string(before) + " → " + std::to_string(after);
}

std::vector<StepRow> table(const Trace& trace, const Shown& shown) {
    std::vector<StepRow> rows;
    int before = buffered_edges(*trace.initial);
    rows.push_back({0, "", "", {{"the program, operator by operator"}, {""}, {}}, std::to_string(before)});
    for (int i = 0; i < shown.last; ++i) {
        const Step& step = trace.steps[static_cast<std::size_t>(i)];
        const int after = before + step.buffered_edges;
        rows.push_back({i + 1, to_string(step.match.rule) + " " + rule(step.match.rule).name.str(),
                        where(*step.before, step.match.path), operators(*step.before, step.match),
                        arrow(before, after)});
        before = after;
    }
    return rows;
}

Widths measure(const std::vector<StepRow>& rows, int width) {
    Widths widths;
    for (const StepRow& row : rows) {
        widths.step = std::max(widths.step, columns(std::to_string(row.step)));
        widths.rule = std::max(widths.rule, columns(row.rule));
        widths.where = std::max(widths.where, std::min(kWhereLimit, columns(row.where)));
        widths.what = std::max(widths.what, columns(row.what.text(kUnlimited)));
        widths.buffered = std::max(widths.buffered, columns(row.buffered));
    }
    if (width > 0) {
        const int rest = width - widths.step - widths.rule - widths.where - widths.buffered - 2 * 4;
        // What a step does with what counts; its rule's number says the rest of a name that is cut.
        const int cut = std::clamp(widths.what - rest, 0, std::max(0, widths.rule - kNarrowestRule));
        widths.rule -= cut;
        widths.what = std::max(kNarrowestStep, std::min(widths.what, rest + cut));
    }
    return widths;
}

void print_row(std::ostream& out, const StepRow& row, const Widths& widths, const Style& style) {
    out << pad_left(std::to_string(row.step), widths.step) << "  "
        << style(Tone::Cyan, pad(fit(row.rule, widths.rule), widths.rule)) << "  "
        << pad(row.where, widths.where) << "  " << fit(row.what.text(widths.what), widths.what) << "  "
        << style(Tone::Red, pad_left(row.buffered, widths.buffered)) << '\n';
}

void print_snapshot(std::ostream& out, int number, const Widths& widths, const Style& style) {
    const std::string text = "── snapshot " + std::to_string(number) + " ";
    const int total = widths.step + widths.rule + widths.where + widths.what + widths.buffered + 2 * 4;
    std::string line = text;
    for (int i = columns(text); i < total; ++i) line += "─";
    out << style(Tone::Green, line) << '\n';
}

void print_steps(std::ostream& out, const Trace& trace, const Shown& shown, const Style& style, int width) {
    const auto rows = table(trace, shown);
    const Widths widths = measure(rows, width);
    out << style(Tone::Dim, pad_left("step", widths.step) + "  " + pad("rule", widths.rule) + "  " +
                                pad("where", widths.where) + "  " + pad("what it does", widths.what) + "  " +
                                pad_left("buffered", widths.buffered))
        << '\n';
    std::size_t snapshot = 0;
    for (const StepRow& row : rows) {
        print_row(out, row, widths, style);
        if (shown.all) {
            print_listing(out, State(trace.state(row.step)), style);
            out << '\n';
        }
        for (; snapshot < trace.snapshots.size() && trace.snapshots[snapshot] == row.step; ++snapshot) {
            print_snapshot(out, static_cast<int>(snapshot) + 1, widths, style);
        }
    }
}

std::string array(const std::string& name, const Shape& shape, const DimTable& dims) {
    std::string text = name + "[";
    bool first = true;
    for (const auto* part : {&shape.batch, &shape.axes}) {
        for (const DimId dim : *part) {
            text += (first ? "" : ",") + dims[dim.value].name;
            first = false;
        }
    }
    return text + "]";
}

std::string array_names(const BlockProgram& program, bool inputs) {
    std::string text;
    for (const NodePtr& node : inputs ? program.graph->inputs() : program.graph->outputs()) {
        const auto* input = node->as<Input>();
        const auto* output = node->as<Output>();
        text += "  " + (input != nullptr ? input->name + (input->transposed ? "T" : "") : output->name);
    }
    return text;
}

std::string signature(const Loaded& loaded) {
    if (!loaded.array) return array_names(*loaded.blocks, true) + "  →" + array_names(*loaded.blocks, false);
    const ArrayProgram& program = *loaded.array;
    std::string text;
    for (const ArrayOp& op : program.ops) {
        if (op.kind != ArrayOpKind::Input || op.source != InputSource::Array) continue;
        text += "  " + array(op.name, op.shape, program.dims) + " " + to_string(op.elem);
    }
    text += "  →";
    for (const ArrayOutput& output : program.outputs) {
        const ArrayOp& op = program.ops[static_cast<std::size_t>(output.op)];
        text += "  " + array(output.name, op.shape, program.dims) + " " + to_string(op.elem);
    }
    return text;
}

std::string sizes(const DimTable& dims) {
    std::string text;
    for (const Dim& dim : dims) {
        text += "  " + dim.name + " = " + std::to_string(dim.size);
        if (dim.kind == DimKind::Blocked) text += "/" + std::to_string(dim.block);
    }
    return text;
}

void print_proof(std::ostream& out, const Proof& proof, const Style& style) {
    switch (proof.verdict) {
        case Proof::Verdict::Proven:
            out << style(Tone::Green, "✓ " + proof.sentence);
            break;
        case Proof::Verdict::Mismatch:
            out << style(Tone::Red, "✗ " + proof.sentence);
            break;
        case Proof::Verdict::Skipped:
            out << style(Tone::Yellow, proof.sentence);
            break;
    }
    out << '\n';
}

bool reads(const Node& consumer, const Node& producer) {
    return std::any_of(consumer.inputs.begin(), consumer.inputs.end(),
                       [&](const ValueRef& input) { return input.node == producer.id; });
}

// As sentences name it, without what goes without saying in a table.
std::string short_name(const Node& node, const DimTable& dims) {
    std::string name = describe(node, dims).str();
    for (const std::string prefix : {"the ", "elementwise operator "}) {
        if (name.compare(0, prefix.size(), prefix) == 0) name.erase(0, prefix.size());
    }
    return name;
}

std::string call_painted(const std::string& line, const std::string& name, const Style& style) {
    const std::size_t at = line.find(name + "(");
    if (at == std::string::npos) return {};
    return line.substr(0, at) + style(Tone::Red, line.substr(at));
}

std::string painted(const std::string& line, const Style& style) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos || !style.colours()) return line;
    const auto starts = [&](const char* word) {
        return line.compare(indent, std::string(word).size(), word) == 0;
    };
    if (starts("forall ")) return style(Tone::Bold, line);
    if (starts("for ")) return style(Tone::Cyan, line);
    if (starts("store(")) return call_painted(line, "store", style);
    const std::string load = call_painted(line, "load", style);
    return load.empty() ? line : load;
}

}  // namespace

std::string Operators::text(int width) const {
    std::vector<std::string> kept = contents;
    const auto joined = [&] {
        std::string text;
        for (std::size_t i = 0; i < names.size(); ++i)
            text += (i == 0 ? "" : links[i - 1]) + names[i] + kept[i];
        return text;
    };
    const auto shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
    while (columns(joined()) > width) {
        const auto longest = std::max_element(kept.begin(), kept.end(), shorter);
        if (longest == kept.end() || longest->empty()) break;
        longest->clear();
    }
    return joined();
}

Operators operators(const BlockProgram& program, const Match& match) {
    const GraphPtr graph = graph_at(program, match.path);
    Operators result;
    const Node* previous = nullptr;
    std::vector<NodeId> named;
    for (const Role& role : match.roles) {
        const Node* node = graph->find(role.node);
        if (node == nullptr || std::find(named.begin(), named.end(), role.node) != named.end()) continue;
        if (previous != nullptr) result.links.emplace_back(reads(*node, *previous) ? " → " : ", ");
        const std::string name = short_name(*node, program.dims);
        const std::size_t bracket = std::min(name.find(" ("), name.size());
        result.names.push_back(name.substr(0, bracket));
        result.contents.push_back(name.substr(bracket));
        named.push_back(role.node);
        previous = node;
    }
    return result;
}

void print_heading(std::ostream& out, const Loaded& loaded, const Style& style) {
    out << style(Tone::Bold, harmless_name(loaded.name)) << '\n';
    if (loaded.array) {
        for (const std::string& line : loaded.array->comment)
            out << style(Tone::Dim, "  " + harmless_name(line)) << '\n';
    }
    out << signature(loaded) << '\n' << sizes(loaded.blocks->dims) << '\n';
}

void print_listing(std::ostream& out, const State& state, const Style& style) {
    for (const ListingLine& line : state.listing()) out << painted(line.text, style) << '\n';
}

void print_report(std::ostream& out, const Run& run, const Shown& shown, const Proof& proof,
                  const Style& style, int width) {
    print_heading(out, run.loaded, style);
    out << '\n';
    print_steps(out, run.trace, shown, style, width);
    if (shown.last == static_cast<int>(run.trace.steps.size()))
        out << '\n' << harmless(run.trace.stopped.str()) << '\n';
    if (!shown.safe.empty()) {
        const int exponentials = shown.safe.back().exponentials();
        out << "Made numerically safe: " << exponentials
            << (exponentials == 1 ? " exponential." : " exponentials.") << '\n';
    }
    print_proof(out, proof, style);
    if (shown.all && shown.safe.empty()) return;
    out << '\n';
    print_listing(out, shown.state(run.trace, shown.last), style);
}

namespace {

void print_with_newline(std::ostream& out, const std::string& text) {
    out << text;
    if (text.empty() || text.back() != '\n') out << '\n';
}

std::string title(const Trace& trace, int step) {
    if (step == 0) return "step 0: the initial block program";
    const Step& taken = trace.steps[static_cast<std::size_t>(step - 1)];
    return "step " + std::to_string(step) + ": rule " + to_string(taken.match.rule);
}

constexpr const char* kFormatNames[] = {"listing", "text", "dot", "json"};

const char* comment(Format format) {
    return format == Format::Dot ? "// " : "# ";
}

}  // namespace

std::vector<std::string> format_names() {
    return {std::begin(kFormatNames), std::end(kFormatNames)};
}

Format format_named(const std::string& name) {
    const auto found = std::find(std::begin(kFormatNames), std::end(kFormatNames), name);
    return static_cast<Format>(found - std::begin(kFormatNames));
}

std::string print_state(const State& state, Format format) {
    switch (format) {
        case Format::Listing:
            return listing(state);
        case Format::Text:
            return outline(*state.program());
        case Format::Dot:
            return dot(*state.program());
        case Format::Json:
            return write_json(*state.program());
    }
    return {};
}

void print_states(std::ostream& out, const Trace& trace, const Shown& shown, Format format) {
    if (!shown.all) {
        print_with_newline(out, print_state(shown.state(trace, shown.last), format));
        return;
    }
    if (format == Format::Json) {
        print_with_newline(out, write_json(trace));
        return;
    }
    for (int step = 0; step <= shown.last; ++step) {
        out << comment(format) << title(trace, step) << (shown.safe.empty() ? "" : ", safe form") << '\n';
        print_with_newline(out, print_state(shown.state(trace, step), format));
    }
}

}  // namespace blockscope::cli

#include "app/cli/run.h"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "app/cli/envelope.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "app/files/file_formats.h"
#include "core/cost/models/model.h"
#include "core/json/json_io.h"
#include "core/print/print.h"
#include "core/story/chapters.h"
#include "core/story/recognised.h"
#include "core/story/step_story.h"

namespace blockscope::cli {

namespace {

// Operations, as proof_work counts them, in a second: measured over the samples, rounded down.
constexpr double kOperationsPerSecond = 1e8;
constexpr double kSecondsByDefault = 1;
constexpr int kStatesSampled = 16;  // estimating every state of a long run would itself take long

double estimated_seconds(const Run& run, const Shown& shown) {
    const DimTable dims = proof_dims(*run.trace.initial);
    const int states = shown.last + 1;
    const int sampled = std::min(states, kStatesSampled);
    double work = 0;
    for (int i = 0; i < sampled; ++i) {
        const int step = static_cast<int>(static_cast<std::int64_t>(i) * states / sampled);
        work += proof_work(*run.trace.state(step), dims) * states / sampled;
    }
    if (run.loaded.array) work += proof_work(*run.trace.initial, dims);
    for (const State& safe : shown.safe) work += proof_work(*safe.program(), dims);
    return work / kOperationsPerSecond;
}

std::string about(double seconds) {
    if (seconds < 100) return std::to_string(static_cast<int>(std::ceil(seconds))) + " s";
    if (seconds < 6000) return std::to_string(static_cast<int>(std::ceil(seconds / 60))) + " min";
    return std::to_string(static_cast<int>(std::ceil(std::min(seconds, 1e12) / 3600))) + " h";
}

std::string proven_sentence(const Run& run, const Shown& shown, std::uint64_t seed) {
    std::vector<std::string> parts;
    if (shown.last == 1) parts.emplace_back("the step");
    if (shown.last > 1) parts.push_back("all " + std::to_string(shown.last) + " steps");
    if (run.loaded.array) parts.emplace_back("the conversion");
    if (!shown.safe.empty()) parts.emplace_back(shown.safe.size() == 1 ? "the safe form" : "all safe forms");
    if (parts.empty()) return "nothing to prove: no step was taken";
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text + " proven (exact arithmetic, seed " + std::to_string(seed) + ")";
}

Proof failed(int step, const Mismatch& mismatch) {
    return {Proof::Verdict::Mismatch, "the proof fails", step, mismatch};
}

Proof prove_all(const Run& run, const Shown& shown, std::uint64_t seed) {
    const BlockProgram& initial = *run.trace.initial;
    Progress progress("proving: step");
    if (run.loaded.array) {
        const auto mismatch = compare_exact(*run.loaded.array, initial, proof_dims(initial), seed);
        if (mismatch) return failed(0, *mismatch);
    }
    if (shown.last > 0 || !shown.safe.empty()) {
        const Prover prover(initial, seed);
        for (int step = 1; step <= shown.last; ++step) {
            progress.at(step, shown.last);
            if (const auto mismatch = prover.check(*run.trace.state(step))) return failed(step, *mismatch);
        }
        for (const State& safe : shown.safe)
            if (const auto mismatch = prover.check(*safe.program())) return failed(shown.last + 1, *mismatch);
    }
    return {Proof::Verdict::Proven, proven_sentence(run, shown, seed), {}, {}};
}

}  // namespace

Proof prove(const Run& run, const Shown& shown, const View& view) {
    if (view.prove == false) return {Proof::Verdict::Skipped, "not proven, as asked", {}, {}};
    if (!view.prove) {
        const double seconds = estimated_seconds(run, shown);
        if (seconds > kSecondsByDefault) {
            return {Proof::Verdict::Skipped,
                    "not proven: it would take about " + about(seconds) + "; --prove does it",
                    {},
                    {}};
        }
    }
    return prove_all(run, shown, view.seed);
}

namespace {

std::string state_name(const Run& run, const Shown& shown, int step) {
    if (step == 0) return "the conversion";
    if (step > shown.last) return shown.safe.size() == 1 ? "the safe form" : "a safe form";
    const Step& taken = run.trace.steps[static_cast<std::size_t>(step - 1)];
    return "step " + std::to_string(step) + " (rule " + to_string(taken.match.rule) + ")";
}

void say(const std::string& sentence) {
    std::fprintf(stderr, "blockscope-cli: %s\n", harmless(sentence).c_str());
}

// Of a whole run, where states are not printed alone.
std::optional<Worth> worth(const Run& run, const Shown& shown, const View& view) {
    if (view.format || shown.last != static_cast<int>(run.trace.steps.size())) return std::nullopt;
    StateArguments best;
    best.objective = view.objective;
    return worth_of(run.trace, stakes_of(best, view.device));
}

void print(const Run& run, const Shown& shown, const Proof& proof, const View& view) {
    const std::optional<Worth> best = worth(run, shown, view);
    if (view.json) {
        std::cout << run_envelope(run, shown, proof, best) << "\n";
    } else if (view.format) {
        print_states(std::cout, run.trace, shown, *view.format);
        say(proof.sentence);
    } else {
        const Style style = style_for(STDOUT_FILENO);
        print_report(std::cout, run, shown, proof, best, style, terminal_width(STDOUT_FILENO, 0));
    }
}

}  // namespace

Form form_of(bool safe, LoopForm loops) {
    Form form = safe_form(safe);
    form.loops = loops;
    return form;
}

StateChoice step_choice(std::optional<int> step) {
    return step ? StateChoice::step(*step) : StateChoice{};
}

ChosenState chosen_state(const Trace& trace, const StateChoice& choice, const Form& form) {
    Result<ChosenState> chosen = choose_state(states_of(trace), choice, form);
    if (!chosen) throw UsageError(chosen.problems().front().message.str());
    return std::move(chosen).value();
}

StateChoice snapshot_choice(const std::string& snapshot) {
    const Result<StateChoice> choice = parse_state_choice("snapshot " + snapshot);
    if (!choice) throw UsageError(choice.problems().front().message.str());
    return *choice;
}

std::vector<ChosenState> chosen_states(const Trace& trace, const NamedStates& names, const Form& form) {
    if (names.step) return {chosen_state(trace, StateChoice::step(*names.step), form)};
    if (!names.state.empty()) return {state_named(trace, names.state, {}, names.device, form, names.safe)};
    if (names.snapshot.empty() || names.snapshot == "all")
        return unfused_and_snapshots(states_of(trace), form);
    return {chosen_state(trace, snapshot_choice(names.snapshot), form)};
}

namespace {

// After how many steps the state is that the view is about.
int viewed_step(const Trace& trace, const View& view) {
    if (!view.state.empty()) return state_named(trace, view.state, view.objective, view.device, {}).step;
    const StateChoice choice =
        view.snapshot.empty() ? step_choice(view.step) : snapshot_choice(view.snapshot);
    return chosen_state(trace, choice).step;
}

}  // namespace

Shown select(const Run& run, const View& view) {
    Shown shown{viewed_step(run.trace, view), view.all, {}, form_of(false, view.loops)};
    if (view.safe || view.per_block) {
        if (view.all && view.format == "json") {
            throw UsageError("a trace in JSON has no safe form; leave out --all or --safe");
        }
        const auto sharing = view.per_block ? SharedExponent::PerBlock : SharedExponent::PerRow;
        for (int step = shown.first(); step <= shown.last; ++step)
            shown.safe.emplace_back(run.trace.state(step), Form{sharing, {}, view.loops});
    }
    return shown;
}

int show(const Run& run, const View& view) {
    const Shown shown = select(run, view);
    const Proof proof = prove(run, shown, view);
    print(run, shown, proof, view);
    if (proof.verdict != Proof::Verdict::Mismatch) return kFine;
    say(state_name(run, shown, *proof.failed_step) + " changes the result: output " + proof.mismatch->output +
        " differs at element " + std::to_string(proof.mismatch->index) + " (seed " +
        std::to_string(proof.mismatch->seed) + ")");
    return kMismatch;
}

Trace fuse_watched(const ProgramPtr& initial, RuleSet rules) {
    return fuse_on_watched(
        Trace{.initial = initial, .steps = {}, .snapshots = {}, .stopped = {}, .rules = rules});
}

Trace fuse_on_watched(Trace trace) {
    Progress progress("fusing: step");
    int count = static_cast<int>(trace.steps.size());
    return fuse_on(std::move(trace), [&](const Step&) {
        progress.at(++count);
        return true;
    });
}

Trace fuse_up_to(const ProgramPtr& initial, int steps, RuleSet rules) {
    if (steps == 0)
        return Trace{.initial = initial,
                     .steps = {},
                     .snapshots = {},
                     .stopped = Text("The algorithm has not started."),
                     .rules = rules};
    int count = 0;
    Trace trace = fuse(
        initial, [&](const Step&) { return ++count != steps; }, rules);
    (void)chosen_state(trace, StateChoice::step(steps));  // refuses a step that there is not
    return trace;
}

namespace {

constexpr int kWhereLimit = 16;  // columns
constexpr int kNarrowestRule = 9;
constexpr int kNarrowestStep = 20;  // the least that is left for what a step did

// One line of the table of steps, as plain text.
struct StepRow {
    int step;
    std::string rule = {}, where = {};
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
    rows.push_back({.step = 0,
                    .what = {{"the program, operator by operator"}, {""}, {}},
                    .buffered = std::to_string(before)});
    for (int i = 0; i < shown.last; ++i) {
        const Step& step = trace.steps[static_cast<std::size_t>(i)];
        const int after = before + step.buffered_edges;
        rows.push_back({.step = i + 1,
                        .rule = to_string(step.match.rule) + " " + rule(step.match.rule).short_name.str(),
                        .where = where(*step.before, step.match.path),
                        .what = operators(*step.before, step.match),
                        .buffered = arrow(before, after)});
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

// What the steps that follow achieve together, before the first of them.
void print_chapter(std::ostream& out, const Chapter& chapter, const Style& style) {
    const TwoTexts bytes =
        bytes_texts_of(static_cast<double>(chapter.bytes_before), static_cast<double>(chapter.bytes_after));
    out << style(Tone::Bold, "      " + chapter.title.str())
        << style(Tone::Dim, "  " + bytes.before + " → " + bytes.after) << '\n';
}

// Chapters and sentences follow every array through every step: longer runs go without.
constexpr std::size_t kMostToldSteps = 2000;

bool is_told(const Trace& trace) {
    return trace.steps.size() <= kMostToldSteps;
}

void print_steps(std::ostream& out, const Trace& trace, const Shown& shown, const Style& style, int width) {
    const auto rows = table(trace, shown);
    const Widths widths = measure(rows, width);
    const std::vector<Chapter> chapters =
        is_told(trace) ? chapters_of(trace, shown.form) : std::vector<Chapter>();
    out << style(Tone::Dim, pad_left("step", widths.step) + "  " + pad("rule", widths.rule) + "  " +
                                pad("where", widths.where) + "  " + pad("what it does", widths.what) + "  " +
                                pad_left("buffered", widths.buffered))
        << '\n';
    std::size_t snapshot = 0;
    for (const StepRow& row : rows) {
        const Chapter* chapter = chapter_at(chapters, row.step);
        if (chapter && chapter->first == row.step) print_chapter(out, *chapter, style);
        print_row(out, row, widths, style);
        if (shown.all) {
            print_listing(out, State(trace.state(row.step), shown.form), style);
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

namespace {

// The last step that is shown in words, and what the state is called.
void print_story(std::ostream& out, const Run& run, const Shown& shown, int width) {
    if (!is_told(run.trace)) {
        out << "Runs of more than " << kMostToldSteps << " steps are not told in chapters and sentences.\n";
        return;
    }
    std::vector<Text> told;
    if (shown.last > 0) {
        const RunStory story(run.trace, run.loaded.array ? &*run.loaded.array : nullptr, shown.form);
        told.push_back(Text("Step %1: %2", shown.last, story.step(shown.last).sentence()));
    }
    const State unfused(run.trace.initial, shown.form);
    const State state = shown.state(run.trace, shown.last);
    if (const Text flash = flash_attention_text(unfused, state); !flash.empty()) {
        told.push_back(flash);
        told.push_back(real_kernel_adds(state));
    }
    told.push_back(online_softmax_text(state));
    for (const Text& text : told)
        for (const std::string& line :
             text.empty() ? std::vector<std::string>() : wrap(text.str(), width > 0 ? width : kUnlimited))
            out << harmless(line) << '\n';
}

}  // namespace

void print_report(std::ostream& out, const Run& run, const Shown& shown, const Proof& proof,
                  const std::optional<Worth>& worth, const Style& style, int width) {
    print_heading(out, run.loaded, style);
    out << '\n';
    print_steps(out, run.trace, shown, style, width);
    if (shown.last == static_cast<int>(run.trace.steps.size()))
        out << '\n' << harmless(run.trace.stopped.str()) << '\n';
    print_story(out, run, shown, width);
    if (!shown.safe.empty()) {
        const int exponentials = shown.safe.back().exponentials();
        out << "Made numerically safe: " << exponentials
            << (exponentials == 1 ? " exponential." : " exponentials.") << '\n';
    }
    print_proof(out, proof, style);
    if (worth)
        for (const std::string& line : worth_lines(*worth)) out << line << '\n';
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

std::string comment(const std::string& format) {
    const FileFormat* row = find_format(format);
    return row ? row->comment : "# ";
}

}  // namespace

std::vector<std::string> format_names() {
    std::vector<std::string> names = {"listing", "text"};
    const std::vector<std::string> more = state_formats();
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

std::string print_state(const State& state, const std::string& format) {
    if (format == "listing") return listing(state);
    if (format == "text") return outline(*state.program());
    return find_format(format)->state(*state.program());  // one of those that the parser lets through
}

void print_states(std::ostream& out, const Trace& trace, const Shown& shown, const std::string& format) {
    if (!shown.all) {
        print_with_newline(out, print_state(shown.state(trace, shown.last), format));
        return;
    }
    if (format == "json") {
        print_with_newline(out, write_json(trace));
        return;
    }
    for (int step = 0; step <= shown.last; ++step) {
        out << comment(format) << title(trace, step) << (shown.safe.empty() ? "" : ", safe form") << '\n';
        print_with_newline(out, print_state(shown.state(trace, step), format));
    }
}

}  // namespace blockscope::cli

#include "app/cuda/cuda_source.h"

#include <QStringList>
#include <algorithm>

#include "app/words/words.h"
#include "gpu/driver/for_card.h"

namespace blockscope {

namespace {

bool is_word(QChar c) {
    return (c.isLetterOrNumber() && c.unicode() < 128) || c == QLatin1Char('_');
}

bool is_keyword(const QString& word) {
    static const QStringList words{
        "KERNEL",   "DEVICE",   "UNROLL", "asm",      "auto",    "break",    "case",   "constexpr",
        "const",    "else",     "extern", "false",    "for",     "if",       "inline", "namespace",
        "operator", "return",   "static", "struct",   "switch",  "template", "true",   "typename",
        "using",    "volatile", "while",  "continue", "default", "do",       "sizeof",
    };
    return words.contains(word);
}

bool is_type(const QString& word) {
    static const QStringList words{"bool",     "char", "double", "float", "int",  "long", "short",
                                   "unsigned", "void", "float4", "f16",   "bf16", "e4m3", "e5m2"};
    if (words.contains(word)) return true;
    // Block, View, Rows: a capital, then something small.
    return word.size() > 1 && word[0].isUpper() && word[1].isLower();
}

int number_end(const QString& line, int i) {
    int end = i;
    while (end < line.size() && (is_word(line[end]) || line[end] == QLatin1Char('.'))) ++end;
    return end;
}

}  // namespace

std::vector<CudaToken> cuda_tokens(const QString& line) {
    std::vector<CudaToken> tokens;
    const auto size = static_cast<int>(line.size());
    for (int i = 0; i < size;) {
        const auto add = [&](int end, CudaWord word) {
            tokens.push_back({i, end - i, word});
            i = end;
        };
        if (line.mid(i, 2) == QLatin1String("//")) {
            add(size, CudaWord::Comment);
        } else if (line[i] == QLatin1Char('#')) {
            add(size, CudaWord::Keyword);
        } else if (line[i].isDigit()) {
            add(number_end(line, i), CudaWord::Number);
        } else if (is_word(line[i])) {
            int end = i;
            while (end < size && is_word(line[end])) ++end;
            const QString word = line.mid(i, end - i);
            const bool called =
                end < size && (line[end] == QLatin1Char('(') || line[end] == QLatin1Char('<'));
            if (is_keyword(word))
                add(end, CudaWord::Keyword);
            else if (is_type(word))
                add(end, CudaWord::Type);
            else if (called)
                add(end, CudaWord::Function);
            else
                i = end;
        } else {
            ++i;
        }
    }
    return tokens;
}

CudaHighlighter::CudaHighlighter(QTextDocument* document, Appearance& appearance)
    : LazyHighlighter(document), appearance_(appearance) {}

void CudaHighlighter::colour(const QString& text) {
    if (plain_) return;
    const Theme& theme = appearance_.theme();
    for (const CudaToken& token : cuda_tokens(text)) {
        QTextCharFormat format;
        switch (token.word) {
            case CudaWord::Keyword:
                format.setForeground(theme.frame_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case CudaWord::Type:
                format.setForeground(theme.formula_rim);
                break;
            case CudaWord::Function:
                format.setForeground(theme.box_rim);
                break;
            case CudaWord::Number:
                format.setForeground(theme.search);
                break;
            case CudaWord::Comment:
                format.setForeground(appearance_.colors().muted);
                format.setFontItalic(true);
                break;
        }
        setFormat(token.start, token.length, format);
    }
}

namespace {

void add_lines(const std::string& text, std::vector<gpu::SourceLine>& lines) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back({text.substr(begin, end - begin), {}});
        begin = end + 1;
    }
}

}  // namespace

CudaSource cuda_source(const ProgramPtr& program, const CudaChoice& choice, const StopSign& stop) {
    CudaSource source;
    const gpu::Capability card = gpu::capability_of(choice.architecture).value_or(gpu::Capability{8, 0});
    const State state(program, safe_form(choice.safe).kept_in(choice.elem));
    gpu::KernelChoice how{.target = choice.target};
    how.tf32 = choice.tf32;
    how.stop = stop;
    how.device = choice.device ? &*choice.device : nullptr;
    if (choice.target && !choice.is_card)
        how.device = &gpu::generation_of(
            gpu::capability_of(gpu::architecture_of(*choice.target)).value_or(gpu::Capability{8, 0}));
    Result<gpu::CardKernels> kernels = gpu::kernels_for(state, card, choice.elem, how);
    if (!kernels) {
        for (const Problem& problem : kernels.problems())
            source.lines.push_back(
                {translated(problem).toStdString(), state.origin(NodeId{problem.place.node})});
        return source;
    }
    source.made = true;
    source.instead_of = kernels->instead_of;
    source.set = std::move(kernels).value().set;
    source.work = state.work();
    for (const gpu::Launch& launch : source.set.launches) source.kernel_nodes.push_back(launch.node);
    // A target that was asked for may be one that this card does not run.
    source.architecture = choice.target &&
                                  *choice.target != gpu::target_for(card, choice.elem, choice.tf32) &&
                                  *choice.target != gpu::Target::F32
                              ? gpu::architecture_of(*choice.target)
                              : choice.architecture;
    for (gpu::SourceLine& line : source.set.lines) line.node = state.origin(line.node);
    for (gpu::Launch& launch : source.set.launches) launch.node = state.origin(launch.node);
    if (choice.library) add_lines(gpu::prelude(source.set), source.lines);
    source.lines.insert(source.lines.end(), source.set.lines.begin(), source.set.lines.end());
    return source;
}

namespace {

gpu::Capability capability(const CudaSource& source) {
    return gpu::capability_of(source.architecture).value_or(gpu::Capability{8, 0});
}

// Why the worker has no report.
void take_failure(const measure::Failure& failure, CudaReport& report) {
    report.missing = failure.cls == measure::FailureClass::Refused;
    report.problem = failure.log;
    if (!report.missing && failure.cls != measure::FailureClass::Compile) report.lost = failure.message;
    if (report.problem.empty()) report.problem = failure.message.str();
}

const measure::CompiledKernel* said_of(const std::string& kernel, const measure::CompiledAnswer& answer) {
    for (const measure::CompiledKernel& said : answer.kernels)
        if (said.kernel == kernel) return &said;
    return nullptr;
}

}  // namespace

CudaReport compile_cuda(const CudaSource& source, worker::Client& client) {
    CudaReport report;
    report.architecture = source.architecture;
    const auto compiled = client.compile({gpu::source(source.set), source.architecture});
    if (!compiled) {
        take_failure(compiled.failure(), report);
        return report;
    }
    report.compiler = compiled->compiler;
    report.seconds = compiled->seconds;
    report.from_cache = compiled->from_cache;
    report.warnings = compiled->warnings;
    const gpu::ProcessorLimits limits = gpu::limits_of(capability(source));
    for (const gpu::Launch& launch : source.set.launches) {
        CudaKernel kernel;
        kernel.kernel = launch.kernel;
        kernel.node = launch.node;
        kernel.tiles = launch.tiles;
        kernel.threads = launch.threads;
        kernel.shared_bytes = launch.shared_bytes;
        if (const measure::CompiledKernel* said = said_of(launch.kernel, *compiled)) {
            kernel.registers = said->registers;
            kernel.spilled_bytes = said->spilled_bytes;
            kernel.shared_bytes += said->shared_bytes;
        }
        const gpu::KernelNeeds needs{kernel.threads, kernel.registers, kernel.shared_bytes};
        kernel.resident = gpu::blocks_per_processor(limits, needs);
        kernel.occupancy = gpu::occupancy(limits, needs);
        report.kernels.push_back(kernel);
    }
    return report;
}

Prediction predicted(const CudaSource& source, const CudaReport* report, const Device& device,
                     const TimeModel& model) {
    gpu::KernelSet own;                        // the launches, by the nodes that `work` has
    own.computed_in = source.set.computed_in;  // by those nodes, too
    gpu::Compiled compiled;
    for (std::size_t i = 0; i < source.set.launches.size(); ++i) {
        own.launches.push_back(source.set.launches[i]);
        own.launches.back().node = source.kernel_nodes[i];
        if (!report) continue;
        const CudaKernel& kernel = report->kernels.at(i);
        compiled.kernels.push_back(
            {.kernel = kernel.kernel,
             .registers = kernel.registers,
             .spill_stores = kernel.spilled_bytes,
             .shared_bytes = kernel.shared_bytes - source.set.launches[i].shared_bytes});
    }
    return predict(model, source.work, device,
                   gpu::setting_for(own, report ? &compiled : nullptr, capability(source)));
}

}  // namespace blockscope

#include "app/costs/baselines.h"

#include <QStringList>

#include "app/charts/chart.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr BaselineKind kOfKernels[] = {BaselineKind::Library, BaselineKind::Compiler,
                                       BaselineKind::Operators};

// In the sizes and types that the states are counted in.
ArrayProgram as_counted(const ArrayProgram& program, const StateCosts& unfused) {
    return in_types(at_sizes(program, unfused.state.source()->dims), unfused.state.form().stored);
}

BaselineCosts costs_of(Baseline made, const Device& device) {
    BaselineCosts costs;
    costs.prediction = predict_baseline(made, device);
    costs.bytes = made.bytes();
    for (const BaselineArray& array : made.arrays)
        if (array.kind != Buffer::Kind::Intermediate) costs.compulsory += array.bytes;
    for (const BaselineKernel& kernel : made.kernels) {
        costs.matrix += kernel.matrix;
        costs.operations += kernel.matrix + kernel.vector + kernel.special;
    }
    costs.made = std::move(made);
    return costs;
}

}  // namespace

double bytes_of(const Baseline& made, Buffer::Kind kind) {
    double bytes = 0;
    const auto add = [&](int array) {
        const BaselineArray& moved = made.arrays.at(static_cast<std::size_t>(array));
        if (moved.kind == kind) bytes += moved.bytes;
    };
    for (const BaselineKernel& kernel : made.kernels) {
        for (const int array : kernel.reads) add(array);
        for (const int array : kernel.writes) add(array);
    }
    return bytes;
}

QString baseline_name(BaselineKind kind) {
    QString title = translated(baseline_title(kind));
    if (!title.isEmpty()) title[0] = title[0].toUpper();
    return title;
}

Baselines::Baselines(Document& document)
    : QObject(&document),
      document_(document),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)) {
    connect(&costs_, &Costs::counted, this, &Baselines::changed);
    connect(&costs_, &Costs::rows_changed, this, &Baselines::changed);
    connect(&forecast_, &Forecast::changed, this, &Baselines::changed);
}

Baselines& Baselines::of(Document& document) {
    if (auto* found = document.findChild<Baselines*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Baselines(document);
}

bool Baselines::has_kernels() const {
    return !document_.empty() && document_.content().array != nullptr;
}

BaselineKind Baselines::kind() const {
    return has_kernels() || document_.empty() ? chosen_ : BaselineKind::Unfused;
}

void Baselines::choose(BaselineKind kind) {
    if (std::exchange(chosen_, kind) != kind) Q_EMIT changed();
}

const BaselineCosts* Baselines::costs(BaselineKind kind) const {
    if (kind == BaselineKind::Unfused || !has_kernels()) return nullptr;
    const StateCostsPtr unfused = costs_.of(StateId{0});
    if (!unfused) return nullptr;
    if (made_for_.first != unfused || made_for_.second != forecast_.device()) {
        made_.clear();
        made_for_ = {unfused, forecast_.device()};
    }
    const auto known = made_.find(kind);
    if (known != made_.end()) return &known->second;
    const ArrayProgram program = as_counted(*document_.content().array, *unfused);
    return &made_.emplace(kind, costs_of(baseline(program, kind), forecast_.device())).first->second;
}

std::optional<double> Baselines::seconds(BaselineKind kind) const {
    if (kind == BaselineKind::Unfused) {
        const PredictionPtr known = forecast_.of(costs_.baseline());
        return known ? std::optional(known->seconds) : std::nullopt;
    }
    const BaselineCosts* known = forecast_.model().name == kUsualModel ? costs(kind) : nullptr;
    return known ? std::optional(known->prediction.seconds) : std::nullopt;
}

QString Baselines::name() const {
    if (kind() != BaselineKind::Unfused) return baseline_name(kind());
    return document_.empty() ? QString() : row_name(document_.content(), costs_.baseline());
}

std::vector<BaselineSeconds> Baselines::judges() const {
    std::vector<BaselineSeconds> all;
    for (const BaselineKind kind : kOfKernels)
        if (const auto known = seconds(kind)) all.push_back({kind, *known, costs(kind)->made.kernels.size()});
    // The unfused program is one, whatever other state the user compares with.
    if (const PredictionPtr unfused = forecast_.of(StateId{0}); unfused && !all.empty())
        all.push_back({BaselineKind::Unfused, unfused->seconds});
    return all;
}

bool Baselines::beat(double best_seconds) const {
    const std::vector<BaselineSeconds> all = judges();
    return !all.empty() && !blockscope::verdict(best_seconds, all).fuse;
}

QString Baselines::compared(double seconds, double best_seconds) const {
    const std::vector<BaselineSeconds> all = judges();
    if (all.empty()) return {};
    const Verdict said = blockscope::verdict(best_seconds, all);
    return translated(compared_with(seconds, {said.against, said.times * best_seconds}));
}

QString Baselines::verdict(double best_seconds, const std::optional<SearchedBlocks>& others) const {
    const std::vector<BaselineSeconds> all = judges();
    if (all.empty()) return {};
    const Verdict said = blockscope::verdict(best_seconds, all, others);
    QString sentence = translated(said.sentence);
    const bool named = said.against == kind() || kind() == BaselineKind::Unfused;
    const auto chosen = seconds(kind());
    if (named || !chosen) return sentence;
    QString compared = translated(compared_with(best_seconds, {kind(), *chosen}));
    compared[0] = compared[0].toUpper();
    return said.fuse ? tr("%1; of all baselines: %2").arg(compared, sentence)
                     : tr("%1. %2").arg(compared, sentence);
}

QString Baselines::derivation(BaselineKind kind) const {
    const BaselineCosts* known = costs(kind);
    if (!known) return {};
    QStringList lines{tr("%1 on %2: %3, the sum of its kernels")
                          .arg(baseline_name(kind), QString::fromStdString(forecast_.device().title),
                               QString::fromStdString(seconds_text(known->prediction.seconds))),
                      tr("A kernel takes its launch and the longest of what it moves and computes, at the "
                         "rates that libraries reach."),
                      QString()};
    for (std::size_t i = 0; i < known->made.kernels.size(); ++i) {
        const BaselineKernel& kernel = known->made.kernels[i];
        const KernelTime& time = known->prediction.kernels.at(i);
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(kernel.name),
                                              QString::fromStdString(seconds_text(time.seconds)))
              << tr("    reads %1, writes %2, computes %3")
                     .arg(with_unit(known->made.read(kernel), QStringLiteral("B")),
                          with_unit(known->made.written(kernel), QStringLiteral("B")),
                          with_unit(kernel.matrix + kernel.vector + kernel.special, QStringLiteral("FLOP")));
        if (!time.sentence.empty()) lines << QStringLiteral("    ") + translated(time.sentence);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace blockscope

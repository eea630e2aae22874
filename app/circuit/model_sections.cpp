#include "app/circuit/model_sections.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>
#include <optional>

#include "app/circuit/kernel_text.h"
#include "app/circuit/steps_text.h"
#include "app/words/circuit_phrases.h"
#include "core/circuit/intensity.h"

namespace blockscope {

namespace {

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(CircuitModels)
};

// What both kinds of studies have.
struct Models {
    const circuit::Resources& resources;
    circuit::Values sizes;
    std::string symbol;  // of the memory
    const std::optional<circuit::PowerLaw>& law;
    bool of_numbers = false;
    QString no_law;
    double memory = 0, bytes = 1;
    QString local;
    const std::optional<circuit::LevelModels>& levels;
    const Device& device;
};

template <class AnyStudy>
Models models_of(const AnyStudy& study, const Device& device) {
    return {study.resources,
            circuit::sizes(study.circuit.axes),
            study.memory_symbol,
            study.law,
            study.law_of_numbers,
            in_kernel_words(study.no_law),
            study.memory,
            study.bytes,
            QString::fromStdString(study.local),
            study.models,
            device};
}

QString line(const QString& text) {
    return QStringLiteral("<p style=\"margin:0 0 6px 0\">%1</p>").arg(text);
}

QString equation(const QString& left, const QString& right) {
    return line(QStringLiteral("<b>%1</b> = %2").arg(left, right));
}

QString power_html(double base, double exponent) {
    return QStringLiteral("%1<sup>%2</sup>").arg(amount_text(base), QLocale().toString(exponent, 'g', 3));
}

// Σ α M^-β with the numbers in it, and its value.
QString law_html(const napkin::PowerLaw& law, double memory) {
    QStringList terms;
    for (const napkin::LawTerm& term : law)
        terms << (term.beta == 0
                      ? amount_text(term.alpha)
                      : amount_text(term.alpha) + QStringLiteral(" · ") + power_html(memory, -term.beta));
    return terms.join(QStringLiteral(" + ")) +
           QStringLiteral(" = <b>%1</b>").arg(amount_text(transfers(law, memory)));
}

napkin::PowerLaw numbers_of(const Models& models) {
    return models.law->numbers(models.sizes);
}

// ---- H* and the groups that have it ----

ModelCell law_cell(const Models& models, double memory) {
    const QString formula = formula_html(models.law->formula(models.symbol));
    const QString limit =
        models.law->limit.is_zero()
            ? QString()
            : line(Texts::tr("Equation 4: the least H of all groups with %1 ≤ %2.")
                       .arg(formula_html(models.law->limit), QString::fromStdString(models.symbol)));
    return {amount_text(models.law->value(models.sizes, memory)),
            equation(QStringLiteral("H"), formula_html(models.resources.transferred)) + limit +
                equation(QStringLiteral("H*"), formula) +
                equation(QStringLiteral("H*"), law_html(numbers_of(models), memory))};
}

ModelSection best_section(const Models& models) {
    ModelSection made{Texts::tr("H* and the groups that have it (Equations 1 and 4)"), {}, {}, {}};
    if (!models.law) {
        made.note = Texts::tr("There is no H*: %1.").arg(models.no_law);
        return made;
    }
    made.note = Texts::tr("With memory for %1 = %2 values: %3 of %4, %5 bytes each.")
                    .arg(QString::fromStdString(models.symbol), amount_text(models.memory),
                         size_text(models.memory * models.bytes), models.local)
                    .arg(models.bytes);
    if (models.of_numbers)
        made.note +=
            QLatin1Char(' ') +
            Texts::tr("With the sizes put in, as a formula of symbols fails: %1.").arg(models.no_law);
    made.headers = {Texts::tr("What"), Texts::tr("Formula"), Texts::tr("Value")};
    made.rows.push_back({{QStringLiteral("H*"), {}},
                         {formula_html(models.law->formula(models.symbol)), {}},
                         law_cell(models, models.memory)});
    for (const circuit::GroupChoice& choice : models.law->choices) {
        const QString name = rich_text_html(choice.name());
        const QString formula = rich_text_html(choice.text(models.symbol));
        const double value = choice.value(models.sizes, models.memory);
        const QString number = QLocale().toString(value, 'g', 5);
        made.rows.push_back(
            {{name, {}},
             {formula, {}},
             {number,
              line(Texts::tr("Where H is least: its terms have the shares that Equation 4's solution gives "
                             "them, and the groups fill the memory.")) +
                  (models.law->limit.is_zero()
                       ? QString()
                       : equation(formula_html(models.law->limit), QString::fromStdString(models.symbol))) +
                  equation(name, formula) + equation(name, QStringLiteral("<b>%1</b>").arg(number))}});
    }
    return made;
}

// ---- Equation 2 ----

QString weight_html(double bytes, double bandwidth) {
    return Texts::tr("w = %1 bytes / %2").arg(bytes).arg(rate_text(bandwidth));
}

ModelSection levels_section(const Models& models) {
    ModelSection made{
        Texts::tr("Levels (Equation 2)"),
        Texts::tr("Σ w H*(a, M) over the memories of the device, each at the bandwidth of the one "
                  "that feeds it."),
        {Texts::tr("Level"), Texts::tr("Instances"), Texts::tr("Memory"), QStringLiteral("H*"),
         Texts::tr("Bandwidth"), Texts::tr("Time")},
        {}};
    const napkin::PowerLaw law = numbers_of(models);
    QStringList sum;
    for (const circuit::LevelCost& level : models.levels->levels) {
        const double bandwidth = models.bytes / level.level.weight;
        const QString moved = equation(QStringLiteral("H*"), law_html(law, level.level.memory));
        sum << duration_text(level.seconds);
        made.rows.push_back(
            {{QString::fromStdString(level.level.name), {}},
             {amount_text(level.instances), {}},
             {size_text(level.level.memory * models.bytes),
              line(Texts::tr("One instance of %1: %2 values of %3 bytes.")
                       .arg(QString::fromStdString(level.level.name), amount_text(level.level.memory))
                       .arg(models.bytes))},
             {amount_text(level.transfers), moved},
             {rate_text(bandwidth),
              line(Texts::tr("At which the level above feeds all %1 instances together.")
                       .arg(amount_text(level.instances)))},
             {duration_text(level.seconds),
              moved + line(weight_html(models.bytes, bandwidth)) +
                  equation(Texts::tr("w · H*"),
                           QStringLiteral("<b>%1</b>").arg(duration_text(level.seconds)))}});
    }
    made.rows.push_back(
        {{Texts::tr("All together"), {}},
         {},
         {},
         {},
         {},
         {duration_text(models.levels->seconds),
          equation(QStringLiteral("Σ w · H*"),
                   sum.join(QStringLiteral(" + ")) +
                       QStringLiteral(" = <b>%1</b>").arg(duration_text(models.levels->seconds)))}});
    return made;
}

// ---- Equation 3 ----

ModelSection quantisation_section(const Models& models) {
    ModelSection made{Texts::tr("Quantisation (Equation 3)"),
                      Texts::tr("With q bytes per value M = bytes/q and w = q/bandwidth: a term grows as "
                                "q<sup>1+β</sup>."),
                      {Texts::tr("Bytes per value"), Texts::tr("Time"), Texts::tr("Times as fast")},
                      {}};
    const napkin::PowerLaw law = numbers_of(models);
    const double widest = models.levels->quantised.front().second;
    for (const auto& [bytes, seconds] : models.levels->quantised) {
        QString derived;
        for (const napkin::TransferLevel& level :
             circuit::transfer_levels(circuit::byte_levels(models.device), bytes))
            derived +=
                line(Texts::tr("%1: %2, M = %3 values, H* = %4: %5")
                         .arg(QString::fromStdString(level.name), weight_html(bytes, bytes / level.weight),
                              amount_text(level.memory), amount_text(transfers(law, level.memory)),
                              duration_text(level.weight * transfers(law, level.memory))));
        const QString gain = QLocale().toString(widest / seconds, 'f', 2);
        made.rows.push_back({{QLocale().toString(bytes), {}},
                             {duration_text(seconds),
                              derived + equation(QStringLiteral("Σ w · H*"),
                                                 QStringLiteral("<b>%1</b>").arg(duration_text(seconds)))},
                             {gain, equation(Texts::tr("gain"), QStringLiteral("%1 / %2 = <b>%3</b>")
                                                                    .arg(duration_text(widest),
                                                                         duration_text(seconds), gain))}});
    }
    return made;
}

// ---- Sections 4.4 and 4.5 ----

ModelSection caches_section(const Models& models) {
    ModelSection made{
        Texts::tr("Intermediate caches (Section 4.4, Appendix A.2.1)"),
        Texts::tr("A level that only caches has the memory of all its children."),
        {Texts::tr("Level"), Texts::tr("Children"), Texts::tr("Values of its own"),
         Texts::tr("Values of its children"), Texts::tr("H* with its own"), Texts::tr("H* as a cache")},
        {}};
    if (models.levels->caches.empty())
        made.note = Texts::tr("No level of the device feeds several instances.");
    const napkin::PowerLaw law = numbers_of(models);
    for (const circuit::CacheCost& cache : models.levels->caches)
        made.rows.push_back(
            {{QString::fromStdString(cache.name), {}},
             {amount_text(cache.children), {}},
             {amount_text(cache.own), {}},
             {amount_text(cache.together),
              equation(QStringLiteral("N<sub>c</sub> · M<sub>c</sub>"),
                       QStringLiteral("%1 · %2 = <b>%3</b>")
                           .arg(amount_text(cache.children), amount_text(cache.together / cache.children),
                                amount_text(cache.together)))},
             {amount_text(cache.transfers), equation(QStringLiteral("H*"), law_html(law, cache.own))},
             {amount_text(cache.transfers_cached),
              line(Texts::tr("Theorem 2: H*(a, N<sub>c</sub> M<sub>c</sub>).")) +
                  equation(QStringLiteral("H*"), law_html(law, cache.together))}});
    return made;
}

QString saved_html(const Models& models, const circuit::CrossCost& cross) {
    const circuit::LevelModels& levels = *models.levels;
    const circuit::LevelCost& child = levels.levels[levels.levels.size() > 1 ? 1 : 0];
    const QString formula = QStringLiteral(
        "ΔH = (w<sub>h→c</sub> − w<sub>x→c</sub>) Σ α M<sub>c</sub><sup>−β</sup> (1 − N<sup>−β</sup>)");
    QStringList terms;
    for (const napkin::LawTerm& term : numbers_of(models)) {
        if (term.beta == 0) continue;  // it is sent once, linked or not
        terms << QStringLiteral("%1 · %2 · (1 − %3)")
                     .arg(amount_text(term.alpha), power_html(child.level.memory, -term.beta),
                          power_html(cross.children, -term.beta));
    }
    const QString across =
        levels.link > 0 ? weight_html(models.bytes, levels.link) : Texts::tr("w = 0: links cost nothing");
    return line(formula) +
           line(Texts::tr("h→c: %1. x→c: %2.")
                    .arg(weight_html(models.bytes, models.bytes / child.level.weight), across)) +
           line(QStringLiteral("Σ: ") +
                (terms.isEmpty() ? QStringLiteral("0") : terms.join(QStringLiteral(" + ")))) +
           equation(QStringLiteral("ΔH"), QStringLiteral("<b>%1</b>").arg(duration_text(cross.saved)));
}

ModelSection linked_section(const Models& models) {
    const circuit::LevelModels& levels = *models.levels;
    ModelSection made{
        Texts::tr("Linked instances of %1 (Section 4.5, Appendix A.2.3)")
            .arg(QString::fromStdString(levels.linked)),
        levels.link > 0 ? Texts::tr("N of them pass data on at %1 all together.").arg(rate_text(levels.link))
                        : Texts::tr("N of them pass data on to each other at no cost."),
        {Texts::tr("N"), Texts::tr("ΔH: time saved")},
        {}};
    for (const circuit::CrossCost& cross : levels.cross)
        made.rows.push_back(
            {{amount_text(cross.children), {}}, {duration_text(cross.saved), saved_html(models, cross)}});
    return made;
}

// ---- Appendix B.1 ----

QString least_text(double value) {
    return value > 0 ? amount_text(std::ceil(value)) : Texts::tr("none is enough");
}

std::vector<ModelCell> intensity_row(const circuit::LevelIntensity& level,
                                     const circuit::LevelIntensity::Axis& axis, const circuit::Intensity& all,
                                     const QString& symbol) {
    const QString ratio =
        equation(Texts::tr("values per operation"),
                 QStringLiteral("%1 / %2 = %3")
                     .arg(amount_text(level.values_per_second), amount_text(all.operations_per_second),
                          QLocale().toString(level.values_per_second / all.operations_per_second, 'g', 4)));
    const QString below = line(Texts::tr("Transfers do not bind it while %1 is less than that.")
                                   .arg(formula_html(all.per_operation))) +
                          ratio;
    const QString name = QString::fromStdString(axis.axis);
    const auto solved = [&](const QString& what, double value) {
        return below + equation(what, QStringLiteral("<b>%1</b>").arg(least_text(value)));
    };
    return {{QString::fromStdString(level.level), {}},
            {amount_text(level.values_per_second), {}},
            {amount_text(level.memory) + (level.caches ? QStringLiteral(" *") : QString()),
             level.caches ? line(Texts::tr("* It only caches: what all its children hold (Theorem 2)."))
                          : QString()},
            {least_text(level.least_memory), solved(symbol, level.least_memory)},
            {name, {}},
            {least_text(axis.at_memory), solved(name, axis.at_memory)},
            {least_text(axis.at_any_memory),
             line(Texts::tr("With memory without end.")) + solved(name, axis.at_any_memory)}};
}

ModelSection intensity_section(const circuit::Study& study, const Device& device) {
    ModelSection made{Texts::tr("Arithmetic intensity (Appendix B.1)"), {}, {}, {}};
    if (!study.intensity) {
        made.note = Texts::tr("Left out: %1.").arg(in_kernel_words(study.no_intensity));
        return made;
    }
    const circuit::Intensity& all = *study.intensity;
    const QString symbol = QString::fromStdString(study.memory_symbol);
    made.note = Texts::tr("Transfers per operation H*/K = %1; the device does %2 operations per second.")
                    .arg(formula_html(all.per_operation), amount_text(all.operations_per_second));
    made.headers = {Texts::tr("Into"),         Texts::tr("Values per second"),
                    Texts::tr("Values held"),  Texts::tr("Least %1").arg(symbol),
                    Texts::tr("Axis"),         Texts::tr("Least of it"),
                    Texts::tr("at any memory")};
    for (const circuit::LevelIntensity& level : circuit::level_intensities(
             all.per_operation, circuit::sizes(study.circuit.axes), circuit::byte_levels(device), study.bytes,
             all.operations_per_second, study.memory_symbol))
        for (const circuit::LevelIntensity::Axis& axis : level.axes)
            made.rows.push_back(intensity_row(level, axis, all, symbol));
    return made;
}

void add_models(std::vector<ModelSection>& sections, const Models& models) {
    sections.push_back(best_section(models));
    if (!models.levels || models.levels->levels.empty()) {
        sections.push_back(
            {Texts::tr("Levels, quantisation, caches, linked instances (Equations 2 and 3)"),
             models.levels
                 ? Texts::tr("Left out: the device has no level whose memory and bandwidth are known.")
                 : Texts::tr("Left out: there is no H*."),
             {},
             {}});
        return;
    }
    sections.push_back(levels_section(models));
    sections.push_back(quantisation_section(models));
    sections.push_back(caches_section(models));
    sections.push_back(linked_section(models));
}

}  // namespace

std::vector<ModelSection> model_sections(const circuit::Study& study, const Device& device) {
    std::vector<ModelSection> sections;
    add_models(sections, models_of(study, device));
    sections.push_back(intensity_section(study, device));
    return sections;
}

std::vector<ModelSection> model_sections(const circuit::DrawnStudy& study, const Device& device) {
    std::vector<ModelSection> sections;
    add_models(sections, models_of(study, device));
    return sections;
}

}  // namespace blockscope

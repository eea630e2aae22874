#include "app/circuit/model_view.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLocale>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <cmath>
#include <optional>

#include "app/circuit/circuit_steps.h"
#include "app/words/words.h"
#include "core/napkin/levels.h"

namespace blockscope {

namespace {

constexpr double kMostWhole = 1e12;  // longer numbers have a power of ten

struct KernelTexts {
    Q_DECLARE_TR_FUNCTIONS(KernelTables)
};

QString digits(double value) {
    return QLocale().toString(value, 'g', value < 1000 ? 4 : 5);
}

QString raised(int exponent) {
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text;
    for (const QChar digit : QString::number(std::abs(exponent))) text += kDigits[digit.digitValue()];
    return exponent < 0 ? QStringLiteral("⁻") + text : text;
}

}  // namespace

QString size_text(double bytes) {
    if (bytes >= 1024.0 * 1024 * 1024)
        return KernelTexts::tr("%1 GiB").arg(digits(bytes / (1024.0 * 1024 * 1024)));
    if (bytes >= 1024 * 1024) return KernelTexts::tr("%1 MiB").arg(digits(bytes / (1024 * 1024)));
    if (bytes >= 1024) return KernelTexts::tr("%1 KiB").arg(digits(bytes / 1024));
    return KernelTexts::tr("%1 B").arg(digits(bytes));
}

QString rate_text(double bytes_per_second) {
    if (bytes_per_second >= 1e12) return KernelTexts::tr("%1 TB/s").arg(digits(bytes_per_second / 1e12));
    return KernelTexts::tr("%1 GB/s").arg(digits(bytes_per_second / 1e9));
}

QString duration_text(double seconds) {
    const auto four = [](double value) { return QLocale().toString(value, 'g', 4); };
    if (seconds >= 1) return KernelTexts::tr("%1 s").arg(four(seconds));
    if (seconds >= 1e-3) return KernelTexts::tr("%1 ms").arg(four(seconds * 1e3));
    return KernelTexts::tr("%1 µs").arg(four(seconds * 1e6));
}

QString amount_text(double value) {
    if (std::abs(value) < kMostWhole) {
        const double rounded = std::round(value);
        const bool whole = std::abs(value) >= 1000 || std::abs(value - rounded) < 1e-9;
        return whole ? QLocale().toString(static_cast<qlonglong>(rounded))
                     : QLocale().toString(value, 'g', 4);
    }
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    return QStringLiteral("%1·10%2").arg(QLocale().toString(value / std::pow(10.0, exponent), 'g', 6),
                                         raised(exponent));
}

QString percent_text(double share) {
    return QLocale().toString(100 * share, 'f', 1) + QStringLiteral("\u00A0%");  // stays on one line
}

QString number_of(double value, int digits) {
    return QLocale().toString(value, 'f', digits);
}

namespace {

struct ModelTexts {
    Q_DECLARE_TR_FUNCTIONS(CircuitModels)
};

// What both kinds of studies have.
struct Models {
    const circuit::Resources& resources;
    circuit::Values sizes;
    std::string symbol;  // of the memory
    const std::optional<circuit::PowerLaw>& law;
    const std::optional<algebra::ClippedLaw>& clipped;
    bool of_numbers = false;
    QString no_law;
    double memory = 0, bytes = 1;
    QString local;
    const std::optional<circuit::LevelModels>& levels;
    const Device& device;
};

template <class AnyStudy>
Models models_of(const AnyStudy& study, const Device& device) {
    return {.resources = study.resources,
            .sizes = circuit::sizes(study.circuit.axes),
            .symbol = study.memory_symbol,
            .law = study.law,
            .clipped = study.clipped,
            .of_numbers = study.law_of_numbers,
            .no_law = translated(study.no_law),
            .memory = study.memory,
            .bytes = study.bytes,
            .local = QString::fromStdString(study.local),
            .levels = study.models,
            .device = device};
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

// "No group is larger than its axis: g_A, g_C are whole."; empty where none is.
QString whole_html(const std::vector<std::string>& groups) {
    QStringList names;
    for (const std::string& group : groups) names << rich_text_html(group);
    return names.isEmpty() ? QString()
                           : line(ModelTexts::tr("No group is larger than its axis; whole axes: %1.")
                                      .arg(names.join(QStringLiteral(", "))));
}

// Σ α M^-β with the numbers in it, and its value; where groups are whole, the law with those.
QString law_html(const algebra::ClippedLaw& law, double memory) {
    QStringList terms;
    for (const algebra::LawTerm& term : law.at(memory).law)
        terms << (term.beta == 0
                      ? amount_text(term.alpha)
                      : amount_text(term.alpha) + QStringLiteral(" · ") + power_html(memory, -term.beta));
    return terms.join(QStringLiteral(" + ")) +
           QStringLiteral(" = <b>%1</b>").arg(amount_text(transfers(law, memory)));
}

algebra::ClippedLaw numbers_of(const Models& models) {
    return models.clipped ? *models.clipped : models.law->numbers(models.sizes);
}

// What law_html writes is H*, and why it is not the power law of large axes.
QString moved_html(const algebra::ClippedLaw& law, double memory) {
    return whole_html(law.at(memory).whole) + equation(QStringLiteral("H*"), law_html(law, memory));
}

// ---- H* and the groups that have it ----

ModelCell law_cell(const Models& models, double memory) {
    const QString formula = formula_html(models.law->formula(models.symbol));
    const QString limit =
        models.law->limit.is_zero()
            ? QString()
            : line(ModelTexts::tr("Equation 4: the least H of all groups with %1 ≤ %2.")
                       .arg(formula_html(models.law->limit), QString::fromStdString(models.symbol)));
    const algebra::ClippedLaw law = numbers_of(models);
    return {amount_text(transfers(law, memory)),
            equation(QStringLiteral("H"), formula_html(models.resources.transferred)) + limit +
                equation(QStringLiteral("H*"), formula) + moved_html(law, memory)};
}

ModelSection best_section(const Models& models) {
    ModelSection made{ModelTexts::tr("H* and the groups that have it (Equations 1 and 4)"), {}, {}, {}};
    if (!models.law) {
        made.note = ModelTexts::tr("There is no H*: %1.").arg(models.no_law);
        return made;
    }
    made.note = ModelTexts::tr("With memory for %1 = %2 values: %3 of %4, %5 bytes each.")
                    .arg(QString::fromStdString(models.symbol), amount_text(models.memory),
                         size_text(models.memory * models.bytes), models.local)
                    .arg(models.bytes);
    if (models.of_numbers)
        made.note +=
            QLatin1Char(' ') +
            ModelTexts::tr("With the sizes put in, as a formula of symbols fails: %1.").arg(models.no_law);
    made.headers = {ModelTexts::tr("What"), ModelTexts::tr("Formula"), ModelTexts::tr("Value")};
    made.rows.push_back({{QStringLiteral("H*"), {}},
                         {formula_html(models.law->formula(models.symbol)), {}},
                         law_cell(models, models.memory)});
    const algebra::ClippedLaw law = numbers_of(models);
    const algebra::LawPiece& piece = law.at(models.memory);
    for (const circuit::GroupChoice& choice : models.law->choices) {
        const QString name = rich_text_html(choice.name());
        const QString formula = rich_text_html(choice.text(models.symbol));
        const algebra::GroupSize* size = piece.size_of(choice.symbols());
        const double value = size ? size->at(models.memory) : choice.value(models.sizes, models.memory);
        const QString number = QLocale().toString(value, 'g', 5);
        made.rows.push_back(
            {{name, {}},
             {formula, {}},
             {number, line(ModelTexts::tr(
                          "Where H is least: its terms have the shares that Equation 4's solution gives "
                          "them, and the groups fill the memory.")) +
                          (models.law->limit.is_zero() ? QString()
                                                       : equation(formula_html(models.law->limit),
                                                                  QString::fromStdString(models.symbol))) +
                          equation(name, formula) + whole_html(piece.whole) +
                          equation(name, QStringLiteral("<b>%1</b>").arg(number))}});
    }
    return made;
}

// ---- Equation 2 ----

QString weight_html(double bytes, double bandwidth) {
    return ModelTexts::tr("w = %1 bytes / %2").arg(bytes).arg(rate_text(bandwidth));
}

ModelSection levels_section(const Models& models) {
    ModelSection made{
        ModelTexts::tr("Levels (Equation 2)"),
        ModelTexts::tr("Σ w H*(a, M) over the memories of the device, each at the bandwidth of the one "
                       "that feeds it. * No group is larger than its axis, and some are whole there."),
        {ModelTexts::tr("Level"), ModelTexts::tr("Instances"), ModelTexts::tr("Memory"), QStringLiteral("H*"),
         ModelTexts::tr("Bandwidth"), ModelTexts::tr("Time")},
        {}};
    const algebra::ClippedLaw law = numbers_of(models);
    QStringList sum;
    for (const circuit::LevelCost& level : models.levels->levels) {
        const double bandwidth = models.bytes / level.level.weight;
        const QString moved = moved_html(law, level.level.memory);
        sum << duration_text(level.seconds);
        made.rows.push_back(
            {{QString::fromStdString(level.level.name), {}},
             {amount_text(level.instances), {}},
             {size_text(level.level.memory * models.bytes),
              line(ModelTexts::tr("One instance of %1: %2 values of %3 bytes.")
                       .arg(QString::fromStdString(level.level.name), amount_text(level.level.memory))
                       .arg(models.bytes))},
             {amount_text(level.transfers) + (level.whole.empty() ? QString() : QStringLiteral(" *")), moved},
             {rate_text(bandwidth),
              line(ModelTexts::tr("At which the level above feeds all %1 instances together.")
                       .arg(amount_text(level.instances)))},
             {duration_text(level.seconds),
              moved + line(weight_html(models.bytes, bandwidth)) +
                  equation(ModelTexts::tr("w · H*"),
                           QStringLiteral("<b>%1</b>").arg(duration_text(level.seconds)))}});
    }
    made.rows.push_back(
        {{ModelTexts::tr("All together"), {}},
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
    ModelSection made{
        ModelTexts::tr("Quantisation (Equation 3)"),
        ModelTexts::tr("With q bytes per value M = bytes/q and w = q/bandwidth: a term grows as "
                       "q<sup>1+β</sup>."),
        {ModelTexts::tr("Bytes per value"), ModelTexts::tr("Time"), ModelTexts::tr("Times as fast")},
        {}};
    const algebra::ClippedLaw law = numbers_of(models);
    const double widest = models.levels->quantised.front().second;
    for (const auto& [bytes, seconds] : models.levels->quantised) {
        QString derived;
        for (const napkin::TransferLevel& level :
             circuit::transfer_levels(circuit::byte_levels(models.device), bytes))
            derived +=
                line(ModelTexts::tr("%1: %2, M = %3 values, H* = %4: %5")
                         .arg(QString::fromStdString(level.name), weight_html(bytes, bytes / level.weight),
                              amount_text(level.memory), amount_text(transfers(law, level.memory)),
                              duration_text(level.weight * transfers(law, level.memory))));
        const QString gain = QLocale().toString(widest / seconds, 'f', 2);
        made.rows.push_back(
            {{QLocale().toString(bytes), {}},
             {duration_text(seconds),
              derived + equation(QStringLiteral("Σ w · H*"),
                                 QStringLiteral("<b>%1</b>").arg(duration_text(seconds)))},
             {gain, equation(ModelTexts::tr("gain"),
                             QStringLiteral("%1 / %2 = <b>%3</b>")
                                 .arg(duration_text(widest), duration_text(seconds), gain))}});
    }
    return made;
}

// ---- Sections 4.4 and 4.5 ----

ModelSection caches_section(const Models& models) {
    ModelSection made{ModelTexts::tr("Intermediate caches (Section 4.4, Appendix A.2.1)"),
                      ModelTexts::tr("A level that only caches has the memory of all its children."),
                      {ModelTexts::tr("Level"), ModelTexts::tr("Children"),
                       ModelTexts::tr("Values of its own"), ModelTexts::tr("Values of its children"),
                       ModelTexts::tr("H* with its own"), ModelTexts::tr("H* as a cache")},
                      {}};
    if (models.levels->caches.empty())
        made.note = ModelTexts::tr("No level of the device feeds several instances.");
    const algebra::ClippedLaw law = numbers_of(models);
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
             {amount_text(cache.transfers), moved_html(law, cache.own)},
             {amount_text(cache.transfers_cached),
              line(ModelTexts::tr("Theorem 2: H*(a, N<sub>c</sub> M<sub>c</sub>).")) +
                  moved_html(law, cache.together)}});
    return made;
}

QString saved_html(const Models& models, const circuit::CrossCost& cross) {
    const circuit::LevelModels& levels = *models.levels;
    const circuit::LevelCost& child = levels.levels[levels.levels.size() > 1 ? 1 : 0];
    const QString formula =
        QStringLiteral("ΔH = (w<sub>h→c</sub> − w<sub>x→c</sub>) (H*(M<sub>c</sub>) − H*(N M<sub>c</sub>))");
    const algebra::ClippedLaw law = numbers_of(models);
    const double together = cross.children * child.level.memory;
    const QString across = levels.link > 0 ? weight_html(models.bytes, levels.link)
                                           : ModelTexts::tr("w = 0: links cost nothing");
    return line(formula) +
           line(ModelTexts::tr("h→c: %1. x→c: %2.")
                    .arg(weight_html(models.bytes, models.bytes / child.level.weight), across)) +
           whole_html(law.at(together).whole) +
           equation(QStringLiteral("H*(M<sub>c</sub>)"), law_html(law, child.level.memory)) +
           equation(QStringLiteral("H*(N M<sub>c</sub>)"), law_html(law, together)) +
           equation(QStringLiteral("ΔH"), QStringLiteral("<b>%1</b>").arg(duration_text(cross.saved)));
}

ModelSection linked_section(const Models& models) {
    const circuit::LevelModels& levels = *models.levels;
    ModelSection made{
        ModelTexts::tr("Linked instances of %1 (Section 4.5, Appendix A.2.3)")
            .arg(QString::fromStdString(levels.linked)),
        levels.link > 0
            ? ModelTexts::tr("N of them pass data on at %1 all together.").arg(rate_text(levels.link))
            : ModelTexts::tr("N of them pass data on to each other at no cost."),
        {ModelTexts::tr("N"), ModelTexts::tr("ΔH: time saved")},
        {}};
    for (const circuit::CrossCost& cross : levels.cross)
        made.rows.push_back(
            {{amount_text(cross.children), {}}, {duration_text(cross.saved), saved_html(models, cross)}});
    return made;
}

// ---- Appendix B.1 ----

QString least_text(double value) {
    return value > 0 ? amount_text(std::ceil(value)) : ModelTexts::tr("none is enough");
}

std::vector<ModelCell> intensity_row(const circuit::LevelIntensity& level,
                                     const circuit::LevelIntensity::Axis& axis, const circuit::Intensity& all,
                                     const QString& symbol) {
    const QString ratio =
        equation(ModelTexts::tr("values per operation"),
                 QStringLiteral("%1 / %2 = %3")
                     .arg(amount_text(level.values_per_second), amount_text(all.operations_per_second),
                          QLocale().toString(level.values_per_second / all.operations_per_second, 'g', 4)));
    const QString below = line(ModelTexts::tr("Transfers do not bind it while %1 is less than that.")
                                   .arg(formula_html(all.per_operation))) +
                          ratio;
    const QString name = QString::fromStdString(axis.axis);
    const auto solved = [&](const QString& what, double value) {
        return below + equation(what, QStringLiteral("<b>%1</b>").arg(least_text(value)));
    };
    return {{QString::fromStdString(level.level), {}},
            {amount_text(level.values_per_second), {}},
            {amount_text(level.memory) + (level.caches ? QStringLiteral(" *") : QString()),
             level.caches ? line(ModelTexts::tr("* It only caches: what all its children hold (Theorem 2)."))
                          : QString()},
            {least_text(level.least_memory), solved(symbol, level.least_memory)},
            {name, {}},
            {least_text(axis.at_memory), solved(name, axis.at_memory)},
            {least_text(axis.at_any_memory),
             line(ModelTexts::tr("With memory without end.")) + solved(name, axis.at_any_memory)}};
}

ModelSection intensity_section(const circuit::Study& study, const Device& device) {
    ModelSection made{ModelTexts::tr("Arithmetic intensity (Appendix B.1)"), {}, {}, {}};
    if (!study.intensity) {
        made.note = ModelTexts::tr("Left out: %1.").arg(translated(study.no_intensity));
        return made;
    }
    const circuit::Intensity& all = *study.intensity;
    const QString symbol = QString::fromStdString(study.memory_symbol);
    made.note = ModelTexts::tr("Transfers per operation H*/K = %1; the device does %2 operations per second.")
                    .arg(formula_html(all.per_operation), amount_text(all.operations_per_second));
    made.headers = {ModelTexts::tr("Into"),         ModelTexts::tr("Values per second"),
                    ModelTexts::tr("Values held"),  ModelTexts::tr("Least %1").arg(symbol),
                    ModelTexts::tr("Axis"),         ModelTexts::tr("Least of it"),
                    ModelTexts::tr("at any memory")};
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
            {ModelTexts::tr("Levels, quantisation, caches, linked instances (Equations 2 and 3)"),
             models.levels
                 ? ModelTexts::tr("Left out: the device has no level whose memory and bandwidth are known.")
                 : ModelTexts::tr("Left out: there is no H*."),
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

std::vector<ModelSection> model_sections(const circuit::DiagramStudy& study, const Device& device) {
    std::vector<ModelSection> sections;
    add_models(sections, models_of(study, device));
    return sections;
}

// Tables as comma-separated values.

namespace {

QString plain(const QString& rich) {
    QTextDocument document;
    document.setHtml(rich);
    return document.toPlainText();
}

QString quoted(QString text) {
    return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('"'), QStringLiteral("\"\"")));
}

}  // namespace

QByteArray csv_of(const std::vector<ModelSection>& sections) {
    QString text;
    for (const ModelSection& section : sections) {
        if (!text.isEmpty()) text += QLatin1Char('\n');
        text += quoted(section.title) + QLatin1Char('\n');
        if (!section.note.isEmpty()) text += quoted(plain(section.note)) + QLatin1Char('\n');
        QStringList headers;
        for (const QString& header : section.headers) headers << quoted(plain(header));
        if (!headers.isEmpty()) text += headers.join(QLatin1Char(',')) + QLatin1Char('\n');
        for (const std::vector<ModelCell>& row : section.rows) {
            QStringList cells;
            for (const ModelCell& cell : row) cells << quoted(plain(cell.text));
            text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
    return text.toUtf8();
}

namespace {

constexpr int kMargin = 10;

QTextBrowser* browser(const QString& name, QWidget* parent) {
    auto* made = new QTextBrowser(parent);
    made->setOpenLinks(false);
    made->setAccessibleName(name);
    made->document()->setDocumentMargin(kMargin);
    return made;
}

QString cell_html(const ModelCell& cell, const QString& place, bool first, const QPalette& palette) {
    const QString align = first ? QStringLiteral("left") : QStringLiteral("right");
    // The text's colour, underlined: many links in another would be hard to read.
    const QString text = cell.derivation.isEmpty()
                             ? cell.text
                             : QStringLiteral("<a href=\"%1\" style=\"color:%3\">%2</a>")
                                   .arg(place, cell.text, palette.color(QPalette::Text).name());
    return QStringLiteral("<td align=\"%1\" style=\"padding:2px 26px 2px 0\">%2</td>").arg(align, text);
}

}  // namespace

ModelView::ModelView(QWidget* parent)
    : QWidget(parent),
      tables_(browser(tr("Performance models"), this)),
      derivation_(browser(tr("Where the number comes from"), this)) {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(tables_);
    splitter->addWidget(derivation_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({760, 420});
    splitter->setChildrenCollapsible(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(splitter);
    setFocusProxy(tables_);
    connect(tables_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QStringList place = link.toString().split(QLatin1Char('.'));
        if (place.size() == 3) derive(place[0].toInt(), place[1].toInt(), place[2].toInt());
    });
    write();
}

void ModelView::show_sections(std::vector<ModelSection> sections) {
    sections_ = std::move(sections);
    write();
}

void ModelView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) write();
}

void ModelView::write() {
    QString html;
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        const ModelSection& section = sections_[s];
        html += QStringLiteral("<p style=\"margin:%2px 0 2px 0\"><b>%1</b></p>")
                    .arg(section.title.toHtmlEscaped())
                    .arg(s == 0 ? 0 : 14);
        if (!section.note.isEmpty())
            html += QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(section.note);
        if (section.rows.empty()) continue;
        html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\"><tr>");
        for (int column = 0; column < section.headers.size(); ++column)
            html += QStringLiteral(
                        "<th align=\"%1\" style=\"padding:2px 26px 2px 0;font-weight:normal;"
                        "color:%3\">%2</th>")
                        .arg(column == 0 ? QStringLiteral("left") : QStringLiteral("right"),
                             section.headers[column], palette().color(QPalette::PlaceholderText).name());
        html += QStringLiteral("</tr>");
        for (std::size_t r = 0; r < section.rows.size(); ++r) {
            html += QStringLiteral("<tr>");
            for (std::size_t c = 0; c < section.rows[r].size(); ++c)
                html += cell_html(section.rows[r][c], QStringLiteral("%1.%2.%3").arg(s).arg(r).arg(c), c == 0,
                                  palette());
            html += QStringLiteral("</tr>");
        }
        html += QStringLiteral("</table>");
    }
    const int seen = tables_->verticalScrollBar()->value();
    tables_->setHtml(html);
    tables_->verticalScrollBar()->setValue(seen);
    write_derivation();
}

void ModelView::derive(int section, int row, int column) {
    derived_ = {section, row, column};
    write_derivation();
}

void ModelView::write_derivation() {
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const auto [section, row, column] = derived_;
    const bool known = section >= 0 && at(section) < sections_.size() && row >= 0 &&
                       at(row) < sections_[at(section)].rows.size() && column >= 0 &&
                       at(column) < sections_[at(section)].rows[at(row)].size();
    if (!known)
        return derivation_->setHtml(
            QStringLiteral("<p>%1</p>")
                .arg(tr("Every number that is underlined says here where it comes from.")));
    const ModelSection& from = sections_[at(section)];
    const std::vector<ModelCell>& cells = from.rows[at(row)];
    QString what = cells.front().text;
    if (column > 0 && column < from.headers.size()) what += QStringLiteral(", ") + from.headers[column];
    derivation_->setHtml(
        QStringLiteral("<p style=\"margin:0\">%1</p><p style=\"margin:0 0 8px 0\"><b>%2</b></p>")
            .arg(from.title.toHtmlEscaped(), what) +
        cells[at(column)].derivation);
}

}  // namespace blockscope

#include "app/costs/cost_page.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/charts/chart.h"
#include "app/costs/forecast.h"
#include "app/costs/heat.h"
#include "app/costs/measurements.h"
#include "app/words/words.h"
#include "core/cost/derivation.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

enum DerivationColumn { AmountColumn, PartColumn, LineColumn, DerivationColumns };
constexpr int kNodeRole = Qt::UserRole;

QString exact(std::int64_t number) {
    return QLocale().toString(static_cast<qlonglong>(number));
}

// The units of derivations.
QString unit_text(const std::string& unit) {
    if (unit == "items") return DerivationView::tr("blocks");
    if (unit == "values") return DerivationView::tr("values");
    if (unit == "bytes") return DerivationView::tr("bytes");
    if (unit == "operations") return DerivationView::tr("operations");
    if (unit == "tasks") return DerivationView::tr("tasks");
    if (unit == "launches") return DerivationView::tr("launches");
    return QString::fromStdString(unit);
}

// Formulas of thousands of lines have as many terms, more than anyone reads, and a label takes long for them.
constexpr qsizetype kMostLetters = 600;
constexpr int kShareOfFormula = 3, kShareOfLines = 2;  // of the height, where both have too little
constexpr std::size_t kMostSymbols = 40;

// As many whole terms as can be read. (The lines below have the part of each.)
QString readable(const QString& formula) {
    if (formula.size() <= kMostLetters) return formula;
    const QString plus = QStringLiteral(" + ");
    const auto end = formula.lastIndexOf(plus, kMostLetters);
    if (end <= 0) return formula.left(kMostLetters) + QChar(0x2026);
    return formula.left(end + plus.size()) +
           QCoreApplication::translate("blockscope::DerivationView", "%1 more terms")
               .arg(formula.mid(end + plus.size()).count(plus) + 1);
}

QString symbols_text(const std::vector<SymbolValue>& symbols) {
    QStringList parts;
    for (std::size_t i = 0; i < std::min(symbols.size(), kMostSymbols); ++i)
        parts << QStringLiteral("%1\u00a0=\u00a0%2")
                     .arg(QString::fromStdString(symbols[i].symbol), exact(symbols[i].value));
    if (symbols.size() > kMostSymbols)
        parts << DerivationView::tr("%1 more sizes").arg(symbols.size() - kMostSymbols);
    return parts.join(QStringLiteral(", "));
}

std::vector<std::string> line_texts(const LoopProgram& loops) {
    std::vector<std::string> texts;
    for (const ListingLine& line : listing_lines(loops)) texts.push_back(line.text);
    return texts;
}

// As wide as its longest text, or a third of the view; only that one text is measured.
void fit_column(QTreeWidget& lines, int column) {
    QString longest = lines.headerItem()->text(column);
    for (int i = 0; i < lines.topLevelItemCount(); ++i) {
        const QString text = lines.topLevelItem(i)->text(column);
        if (text.size() > longest.size()) longest = text;
    }
    constexpr int kLeast = 48, kAround = 24;
    const int most = std::max(kLeast, lines.viewport()->width() / 3);
    const int wide = lines.fontMetrics().horizontalAdvance(longest) + kAround;
    lines.header()->resizeSection(column, std::clamp(wide, kLeast, most));
}

// Lays its parts out once at its end: every label that comes or goes has all of them measured anew, long
// formulas among them.
class OneLayout {
public:
    explicit OneLayout(QWidget& view) : view_(view) { view.layout()->setEnabled(false); }
    ~OneLayout() {
        view_.layout()->setEnabled(true);
        view_.layout()->invalidate();
        view_.layout()->activate();
    }
    OneLayout(const OneLayout&) = delete;
    OneLayout& operator=(const OneLayout&) = delete;

private:
    QWidget& view_;
};

QLabel* label(QWidget* parent) {
    auto* made = new QLabel(parent);
    made->setWordWrap(true);
    made->setTextFormat(Qt::PlainText);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

}  // namespace

DerivationView::DerivationView(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      title_(label(this)),
      result_(label(this)),
      area_(new QScrollArea(this)),
      formula_(label(area_)),
      values_(label(area_)),
      note_(label(area_)),
      text_(new QPlainTextEdit(this)),
      lines_(new QTreeWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(4);
    column->addWidget(title_);
    column->addWidget(result_);
    column->addWidget(area_, kShareOfFormula);
    column->addWidget(text_, 1);
    column->addWidget(lines_, kShareOfLines);
    auto* inside = new QWidget(area_);
    auto* parts = new QVBoxLayout(inside);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(4);
    for (QLabel* part : {formula_, values_, note_}) parts->addWidget(part);
    parts->addStretch(1);
    area_->setWidget(inside);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setFocusPolicy(Qt::NoFocus);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setAccessibleName(tr("Formula"));
    text_->setReadOnly(true);
    text_->setFrameShape(QFrame::NoFrame);
    text_->viewport()->setAutoFillBackground(false);
    text_->document()->setDocumentMargin(0);
    text_->setTabChangesFocus(true);
    text_->setAccessibleName(tr("Where numbers come from"));
    title_->setProperty("heading", true);
    values_->setEnabled(false);  // secondary text
    lines_->setColumnCount(DerivationColumns);
    lines_->setHeaderLabels({tr("Amount"), tr("Term"), tr("Line")});
    lines_->headerItem()->setTextAlignment(AmountColumn, Qt::AlignRight | Qt::AlignVCenter);
    lines_->setRootIsDecorated(false);
    lines_->setUniformRowHeights(true);
    lines_->setAccessibleName(tr("Lines that the number sums"));
    // Interactive, not by contents: those would be measured anew for every line.
    lines_->header()->setSectionResizeMode(LineColumn, QHeaderView::Stretch);
    lines_->header()->setSectionResizeMode(PartColumn, QHeaderView::Interactive);
    lines_->header()->setSectionResizeMode(AmountColumn, QHeaderView::Interactive);
    lines_->header()->setStretchLastSection(false);

    connect(lines_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) { choose(item); });
    show_text(tr("Where numbers come from"),
              tr("Choose a number in the table to see its formula and what it sums."));
}

QString DerivationView::formula() const {
    if (result_->text().isEmpty()) return formula_->text();
    return formula_->text() + QStringLiteral(" = ") + result_->text().chopped(2);  // "... ="
}

QString DerivationView::title() const {
    return title_->text();
}

QString DerivationView::note() const {
    return note_->text();
}

void DerivationView::show_text(const QString& title, const QString& text) {
    const OneLayout once(*this);
    title_->setText(title);
    result_->clear();
    result_->hide();
    formula_->setText(text);
    values_->clear();
    note_->clear();
    note_->hide();
    lines_->clear();
    lines_->hide();
    area_->hide();
    text_->setPlainText(text);
    text_->show();
}

void DerivationView::show_derivation(const QString& title, const CostDerivation& derivation,
                                     const LoopProgram& loops, const QString& note) {
    {
        const OneLayout once(*this);
        fill(title, derivation, loops, note);
    }
    fit_columns();
    fit_formula();
}

void DerivationView::fill(const QString& title, const CostDerivation& derivation, const LoopProgram& loops,
                          const QString& note) {
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    lines_->clear();
    text_->hide();
    area_->show();
    result_->show();
    title_->setText(title);
    const QString unit = unit_text(derivation.unit);
    const QString result = derivation.divisor ? QLocale().toString(derivation.result(), 'g', 5)
                                              : exact(derivation.sum.value) + QLatin1Char(' ') + unit;
    // In front: the number is seen, however long its formula.
    result_->setText(result + QStringLiteral(" ="));
    formula_->setText(readable(QString::fromStdString(derivation.formula())));
    std::vector<SymbolValue> symbols = derivation.sum.symbols;
    if (derivation.divisor)
        for (const SymbolValue& symbol : derivation.divisor->symbols)
            if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end()) symbols.push_back(symbol);
    values_->setText(symbols.empty() ? QString() : tr("with %1").arg(symbols_text(symbols)));
    const std::vector<std::string> texts = line_texts(loops);
    add(derivation.sum, unit, texts, loops.dims);
    if (derivation.divisor) {
        auto* heading = new QTreeWidgetItem(
            lines_, {exact(derivation.divisor->value), QString::fromStdString(derivation.divisor->formula),
                     tr("divided by")});
        heading->setTextAlignment(AmountColumn, Qt::AlignRight | Qt::AlignVCenter);
        add(*derivation.divisor, {}, texts, loops.dims);
    }
    lines_->setVisible(lines_->topLevelItemCount() > 0);
}

void DerivationView::fit_columns() {
    fit_column(*lines_, AmountColumn);
    fit_column(*lines_, PartColumn);
}

// Once it is as wide as it will be: what is filled before it is shown has no width yet.
void DerivationView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_columns();
    fit_formula();
}

// As high as it needs, or scrolled.
void DerivationView::fit_formula() {
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int needed = area_->widget()->layout()->totalHeightForWidth(std::max(1, area_->width() - bar));
    area_->setMaximumHeight(needed);
    area_->setMinimumHeight(std::min(needed, 2 * fontMetrics().lineSpacing()));
}

void DerivationView::add(const Sum& sum, const QString&, const std::vector<std::string>& texts,
                         const DimTable& dims) {
    QList<QTreeWidgetItem*> items;
    for (const Summand& summand : sum.summands) {
        const bool has_line = summand.line >= 0 && summand.line < static_cast<int>(texts.size());
        QString text = has_line
                           ? QString::fromStdString(texts[static_cast<std::size_t>(summand.line)]).trimmed()
                           : QString();
        if (summand.temp.id > 0)
            text = QStringLiteral("t%1").arg(summand.temp.id) +
                   (text.isEmpty() ? QString() : QStringLiteral("  ") + text);
        auto* item = new QTreeWidgetItem;
        item->setText(LineColumn, has_line ? QStringLiteral("%1  %2").arg(summand.line + 1).arg(text) : text);
        item->setText(PartColumn, QString::fromStdString(summand.polynomial.text(dims)));
        item->setText(AmountColumn, exact(summand.amount));
        item->setTextAlignment(AmountColumn, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(LineColumn, kNodeRole, summand.node.value);
        item->setToolTip(LineColumn, text);
        items << item;
    }
    lines_->addTopLevelItems(items);  // together: the view hears of each insertion
}

// The line's node lights up in the picture and the listing.
void DerivationView::choose(QTreeWidgetItem* item) {
    if (!item || document_.empty()) return;
    const NodeId node{item->data(LineColumn, kNodeRole).toUInt()};
    if (node) document_.select({{node}, {}, {}});
}

namespace {

struct NumberViewWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::NumberView)
};

std::set<int> buffers_of(const StateCosts& costs, const CostPlace& place) {
    const std::set<NodeId> nodes = place.node ? listed_nodes(costs, *place.node) : std::set<NodeId>();
    std::set<int> found;
    for (std::size_t i = 0; i < costs.state.loops().buffers.size(); ++i) {
        const Buffer& buffer = costs.state.loops().buffers[i];
        const bool array = nodes.count(buffer.node) > 0 && buffer.kind != Buffer::Kind::Intermediate;
        const bool named =
            std::find(place.arrays.begin(), place.arrays.end(), buffer.name) != place.arrays.end();
        if (array || named) found.insert(static_cast<int>(i));
    }
    return found;
}

bool is_traffic(int column) {
    return column == CostTable::Moved || column == CostTable::Inputs || column == CostTable::Outputs ||
           column == CostTable::Intermediates;
}

std::set<int> lines_of(const StateCosts& costs, int column, const CostPlace& place) {
    const std::vector<ListedLine> listed = listed_lines(costs.state.loops());
    std::set<int> lines;
    if (place.line && *place.line >= 0 && *place.line < std::ssize(listed)) {
        // What is alive is known of each line alone.
        const int end =
            column == CostTable::Local ? *place.line + 1 : listed[static_cast<std::size_t>(*place.line)].end;
        for (int line = *place.line; line < end; ++line) lines.insert(line);
    }
    const bool transfers = column == CostTable::Intensity || is_traffic(column);
    if (place.node) lines.merge(lines_showing(listed, listed_nodes(costs, *place.node), !transfers));
    if (column == CostTable::Intensity || (place.node && transfers))
        lines = with_transfers(listed, std::move(lines));
    return lines;
}

// Nodes that the part's lines compute for.
std::set<NodeId> computing_in(const StateCosts& costs, const CostPart& part) {
    std::set<NodeId> nodes;
    for (const Term& term : costs.state.terms())
        if (term.buffer < 0 && part.has_line(term.line)) nodes.insert(term.node);
    return nodes;
}

// "n12, n14": of operators, not too many.
QString nodes_text(const std::set<NodeId>& nodes) {
    constexpr int kMost = 12;
    QStringList names;
    for (const NodeId node : nodes) {
        if (names.size() == kMost) {
            names << QStringLiteral("\u2026");
            break;
        }
        names << QString::fromStdString(to_string(node));
    }
    return names.join(QStringLiteral(", "));
}

QString place_text(const StateCosts& costs, const CostPlace& place) {
    if (place.point == CostPlace::Point::Predicted) return NumberViewWords::tr("on the roofline, predicted");
    if (place.point == CostPlace::Point::Measured) return NumberViewWords::tr("on the roofline, measured");
    if (place.point == CostPlace::Point::Both) return NumberViewWords::tr("beside the prediction");
    const auto buffer_name = [&](NodeId node) -> QString {
        for (const Buffer& buffer : costs.state.loops().buffers)
            if (buffer.node == node && buffer.kind != Buffer::Kind::Intermediate)
                return QString::fromStdString(buffer.name);
        return QString::fromStdString(to_string(node));
    };
    if (place.node) return buffer_name(*place.node);
    if (place.value) return NumberViewWords::tr("the edge from %1").arg(buffer_name(place.value->node));
    if (place.line) return NumberViewWords::tr("line %1").arg(*place.line + 1);
    QStringList names;
    for (const std::string& name : place.arrays) names << QString::fromStdString(name);
    return names.join(QStringLiteral(", "));
}

// What a term of a model is proportional to.
QString amount_text(const TimeShare& share) {
    const QString unit = share.buffer >= 0 ? QStringLiteral("B") : QStringLiteral("FLOP");
    return NumberViewWords::tr("%1 of %2").arg(with_unit(share.amount, unit), with_unit(share.all, unit));
}

bool belongs(const TimeShare& share, const CostPart& part) {
    if (!part.has_line(share.line)) return false;
    if (part.buffers && part.buffers->count(share.buffer) == 0) return false;
    return !part.value || (share.value && share.value->same_value(*part.value));
}

// Every share of the model's terms that the place has.
QString predicted_text(const StateCosts& costs, const Prediction& prediction, const CostPart& part,
                       const CostPlace& place, const QString& head) {
    const std::vector<ListingLine>& listing = costs.state.listing();
    QStringList lines;
    double sum = 0;
    for (const TimeShare& share : time_shares(costs, prediction)) {
        if (!belongs(share, part)) continue;
        // On the picture transfers are the edges', what is computed the operators'.
        if (place.node && !part.buffers && share.buffer >= 0) continue;
        sum += share.seconds;
        const std::string& line = listing.at(static_cast<std::size_t>(share.line)).text;
        const QString text = QString::fromStdString(line).trimmed();
        lines << (share.term.empty() ? NumberViewWords::tr("%1: line %2, the whole kernel")
                                           .arg(time_text(share.seconds))
                                           .arg(share.line + 1)
                                     : NumberViewWords::tr("%1 = %2 (%3) \u00b7 %4: line %5, %6")
                                           .arg(time_text(share.seconds), time_text(share.whole),
                                                translated(share.term), amount_text(share))
                                           .arg(share.line + 1)
                                           .arg(text));
    }
    const QString what = lines.isEmpty() ? NumberViewWords::tr("No term of the model is caused here.")
                                         : NumberViewWords::tr("%1, the sum of:").arg(time_text(sum));
    return what + QLatin1Char('\n') + lines.join(QLatin1Char('\n')) + QStringLiteral("\n\n") + head;
}

// The top-level operators that have a line of the part.
QString measured_text(const StateCosts& costs, const std::vector<double>& kernels, const CostPart& part,
                      const StateTimes& times) {
    if (kernels.size() != costs.state.loops().body.size())
        return times.how + QStringLiteral("\n\n") +
               NumberViewWords::tr(
                   "Times of single operators are measured on processors, when a state is measured.");
    const std::vector<ListedLine> listed = listed_lines(costs.state.loops());
    QStringList lines;
    double sum = 0;
    std::size_t kernel = 0;
    for (std::size_t line = 0; line < listed.size(); ++line) {
        if (listed[line].outer >= 0) continue;
        const double seconds = kernels[kernel++];
        sum += seconds;
        if (!part.meets(static_cast<int>(line), listed[line].end)) continue;
        lines << NumberViewWords::tr("Kernel %1 (%2): %3")
                     .arg(kernel)
                     .arg(QString::fromStdString(to_string(listed[line].node)), time_text(seconds));
    }
    lines << NumberViewWords::tr(
                 "Medians of warm runs with a clock after each top-level operator. All together: %1")
                 .arg(time_text(sum));
    if (times.measured)
        lines << NumberViewWords::tr(
                     "The whole takes %1: bringing inputs into their readers' layout comes first.")
                     .arg(time_text(*times.measured));
    return lines.join(QLatin1Char('\n')) + QStringLiteral("\n\n") + times.how;
}

// Every input and output with its bytes.
QString compulsory_text(const StateCosts& costs) {
    struct Array {
        QString name;
        std::int64_t bytes = 0;
    };
    std::map<NodeId, Array> arrays;
    const LoopProgram& loops = costs.state.loops();
    for (const BufferTraffic& traffic : costs.state.counts().buffers) {
        const Buffer& buffer = loops.buffers.at(static_cast<std::size_t>(traffic.buffer));
        const std::int64_t moved = std::max(traffic.loads.bytes, traffic.stores.bytes);
        const bool generated = buffer.source == InputSource::CausalMask;
        if (buffer.kind == Buffer::Kind::Intermediate || generated || moved == 0) continue;
        Array& array = arrays[buffer.node];
        array.name = QString::fromStdString(buffer.name);
        array.bytes = std::max(array.bytes, std::min(moved, bytes_of(buffer, loops.dims)));
    }
    QStringList names, lines;
    for (const auto& [node, array] : arrays) {
        names << array.name;
        lines << NumberViewWords::tr("%1: %2 bytes, once").arg(array.name, exact(array.bytes));
    }
    const std::int64_t all = costs.state.counts().compulsory;
    return NumberViewWords::tr("%1 = %2 bytes").arg(names.join(QStringLiteral(" + ")), exact(all)) +
           QLatin1Char('\n') + lines.join(QLatin1Char('\n')) + QStringLiteral("\n\n") +
           NumberViewWords::tr(
               "What has to move whatever the schedule is: every input that is read, and "
               "every output.");
}

// Operations per second of the roofline, below its intensity.
QString rate_derivation(const StateCosts& costs, const StateTimes& times, CostPlace::Point point) {
    const bool predicted = point == CostPlace::Point::Predicted;
    const std::optional<double> seconds = predicted ? times.predicted : times.measured;
    if (point == CostPlace::Point::None || !seconds || *seconds <= 0) return {};
    const auto operations = static_cast<double>(costs.state.counts().flops.total());
    return NumberViewWords::tr("%1 = %2 / %3")
               .arg(with_unit(operations / *seconds, QStringLiteral("FLOP/s")),
                    with_unit(operations, QStringLiteral("FLOP")), time_text(*seconds)) +
           QLatin1Char('\n') + (predicted ? times.binds : times.how);
}

}  // namespace

std::optional<CostQuantity> quantity_of(int column) {
    using Counted = CostQuantity::Kind;
    const auto bytes = [](Counted kind) { return CostQuantity{kind, CostQuantity::Measure::Bytes, -1, {}}; };
    switch (column) {
        case CostTable::Inputs:
            return bytes(Counted::Inputs);
        case CostTable::Outputs:
            return bytes(Counted::Outputs);
        case CostTable::Intermediates:
            return bytes(Counted::Intermediates);
        case CostTable::Moved:
            return bytes(Counted::Moved);
        case CostTable::Operations:
            return bytes(Counted::Operations);
        case CostTable::Replication:
            return bytes(Counted::Replication);
        case CostTable::Intensity:
            return bytes(Counted::Intensity);
        case CostTable::Local:
            return bytes(Counted::LocalMemory);
        case CostTable::Launches:
            return bytes(Counted::Launches);
        case CostTable::Tasks:
            return bytes(Counted::Tasks);
        default:
            return {};
    }
}

CostPart part_of(const StateCosts& costs, int column, const CostPlace& place) {
    CostPart part;
    if (place.whole()) return part;
    if (place.value) {
        part.value = place.value;
        return part;
    }
    const bool moves = is_traffic(column) || column == CostTable::Predicted;
    std::set<int> buffers = buffers_of(costs, place);
    if (!place.arrays.empty() || (moves && !buffers.empty())) {
        part.buffers = std::move(buffers);
        return part;
    }
    part.lines = lines_of(costs, column, place);
    return part;
}

DerivedPart derived_part(const StateCosts& costs, const StateCosts& unfused, const Replicated& replicated,
                         int column, const CostPlace& place) {
    DerivedPart of{part_of(costs, column, place), {}};
    if (column != CostTable::Replication || !of.part.lines) return of;
    const WorkGroup group = replicated.group_of(computing_in(costs, of.part));
    of.part.lines = lines_showing(listed_lines(costs.state.loops()), group.now);
    of.unfused_part.lines = lines_showing(listed_lines(unfused.state.loops()), group.unfused);
    return of;
}

void show_number(DerivationView& view, Document& document, const CostTable& table, const TimesOf& times_of,
                 const ShownNumber& number) {
    const StateTimes times = times_of(number.state);
    Costs& all = Costs::of(document);
    const StateCostsPtr counted = all.of(number.state);
    const StateCostsPtr unfused = all.of(StateId{0});
    QString title =
        NumberViewWords::tr("%1: %2").arg(row_name(document.content(), number.state),
                                          table.headerData(number.column, Qt::Horizontal, Qt::DisplayRole)
                                              .toString()
                                              .section(QLatin1Char('\n'), 0, 0));  // without the device
    if (!counted || !unfused) return view.show_text(title, all.missing());
    const bool predicted = number.column == CostTable::Predicted;
    const QString form = predicted ? Forecast::of(document).other_form() : table.form_below(number.column);
    if (!form.isEmpty()) title = NumberViewWords::tr("%1, %2").arg(title, form);
    const bool part_only = !number.place.whole() || number.place.point != CostPlace::Point::None;
    if (part_only) title = NumberViewWords::tr("%1, %2").arg(title, place_text(*counted, number.place));
    // Only of the column that needs it: following the lineage of all steps takes a while.
    const DerivedPart of =
        number.column == CostTable::Replication
            ? derived_part(*counted, *unfused, *all.replicated(number.state), number.column, number.place)
            : DerivedPart{part_of(*counted, number.column, number.place), {}};
    const Forecast& forecast = Forecast::of(document);
    const auto prediction = [&] {
        const PredictionPtr known = forecast.of(counted);
        return known ? prediction_details(*known, forecast.device(), forecast.model()) : forecast.missing();
    };
    if (number.column == CostTable::Predicted) {
        const PredictionPtr known = number.place.whole() ? nullptr : forecast.listed(counted);
        if (!known) return view.show_text(title, prediction());
        return view.show_text(title, predicted_text(*counted, *known, of.part, number.place, prediction()));
    }
    if (number.column == CostTable::Measured && times.measured) {
        const std::vector<double> kernels = Measurements::of(document).kernels_of(number.state);
        QString text = measured_text(*counted, kernels, of.part, times);
        if (number.place.point == CostPlace::Point::Both) text += QStringLiteral("\n\n") + prediction();
        return view.show_text(title, text);
    }
    if (number.column == CostTable::Ratio && table.ratio_times(number.state))
        return view.show_text(title, ratio_derivation(document, table, times_of, number.state));
    if (number.column == CostTable::Compulsory) return view.show_text(title, compulsory_text(*counted));
    const std::optional<CostQuantity> quantity = quantity_of(number.column);
    if (!quantity)
        return view.show_text(
            title, table.index(table.row_of(number.state), number.column).data(Qt::ToolTipRole).toString());
    QString note = rate_derivation(*counted, times, number.place.point);
    if (number.column == CostTable::Replication && of.part.lines)
        note = NumberViewWords::tr("%1 for the work of %2 of the unfused program.")
                   .arg(nodes_text(computing_in(*counted, of.part)),
                        nodes_text(computing_in(*unfused, of.unfused_part)));
    const CountedLoops initial = unfused->state.counted();
    view.show_derivation(title, derive(counted->state.counted(), *quantity, of, &initial),
                         counted->state.loops(), note);
}

}  // namespace blockscope

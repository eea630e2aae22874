#include "app/costs/derivation_view.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/print/print.h"

namespace blockscope {

namespace {

enum Column { Amount, Part, Line, Columns };
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
      formula_(label(this)),
      values_(label(this)),
      note_(label(this)),
      text_(new QPlainTextEdit(this)),
      lines_(new QTreeWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(4);
    column->addWidget(title_);
    column->addWidget(formula_);
    column->addWidget(values_);
    column->addWidget(note_);
    column->addWidget(text_, 1);
    column->addWidget(lines_, 1);
    text_->setReadOnly(true);
    text_->setFrameShape(QFrame::NoFrame);
    text_->viewport()->setAutoFillBackground(false);
    text_->document()->setDocumentMargin(0);
    text_->setTabChangesFocus(true);
    text_->setAccessibleName(tr("Where numbers come from"));
    title_->setProperty("heading", true);
    values_->setEnabled(false);  // secondary text
    lines_->setColumnCount(Columns);
    lines_->setHeaderLabels({tr("Amount"), tr("Term"), tr("Line")});
    lines_->headerItem()->setTextAlignment(Amount, Qt::AlignRight | Qt::AlignVCenter);
    lines_->setRootIsDecorated(false);
    lines_->setUniformRowHeights(true);
    lines_->setAccessibleName(tr("Lines that the number sums"));
    // Interactive, not by contents: those would be measured anew for every line.
    lines_->header()->setSectionResizeMode(Line, QHeaderView::Stretch);
    lines_->header()->setSectionResizeMode(Part, QHeaderView::Interactive);
    lines_->header()->setSectionResizeMode(Amount, QHeaderView::Interactive);
    lines_->header()->setStretchLastSection(false);

    connect(lines_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) { choose(item); });
    show_text(tr("Where numbers come from"),
              tr("Choose a number in the table to see its formula and what it sums."));
}

QString DerivationView::formula() const {
    return formula_->text();
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
    formula_->setText(text);
    values_->clear();
    note_->clear();
    note_->hide();
    lines_->clear();
    lines_->hide();
    formula_->hide();
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
}

void DerivationView::fill(const QString& title, const CostDerivation& derivation, const LoopProgram& loops,
                          const QString& note) {
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
    lines_->clear();
    text_->hide();
    formula_->show();
    title_->setText(title);
    const QString unit = unit_text(derivation.unit);
    const QString result = derivation.divisor ? QLocale().toString(derivation.result(), 'g', 5)
                                              : exact(derivation.sum.value) + QLatin1Char(' ') + unit;
    formula_->setText(readable(QString::fromStdString(derivation.formula())) + QStringLiteral(" = ") +
                      result);
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
        heading->setTextAlignment(Amount, Qt::AlignRight | Qt::AlignVCenter);
        add(*derivation.divisor, {}, texts, loops.dims);
    }
    lines_->setVisible(lines_->topLevelItemCount() > 0);
}

void DerivationView::fit_columns() {
    fit_column(*lines_, Amount);
    fit_column(*lines_, Part);
}

// Once it is as wide as it will be: what is filled before it is shown has no width yet.
void DerivationView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_columns();
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
        item->setText(Line, has_line ? QStringLiteral("%1  %2").arg(summand.line + 1).arg(text) : text);
        item->setText(Part, QString::fromStdString(summand.polynomial.text(dims)));
        item->setText(Amount, exact(summand.amount));
        item->setTextAlignment(Amount, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(Line, kNodeRole, summand.node.value);
        item->setToolTip(Line, text);
        items << item;
    }
    lines_->addTopLevelItems(items);  // together: the view hears of each insertion
}

// The line's node lights up in the picture and the listing.
void DerivationView::choose(QTreeWidgetItem* item) {
    if (!item || document_.empty()) return;
    const NodeId node{item->data(Line, kNodeRole).toUInt()};
    if (node) document_.select({{node}, {}, {}});
}

}  // namespace blockscope

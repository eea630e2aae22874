#include "app/panels/matches.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "app/panels/rule_card.h"
#include "app/shell/progress.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kPad = 5;  // around a row's text
constexpr int kFlags = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

}  // namespace

WhyDelegate::WhyDelegate(QAbstractItemView* view) : QStyledItemDelegate(view), view_(*view) {}

// As if there were a scroll bar: a row's height does not depend on whether there is one.
int WhyDelegate::row_width() const {
    return std::max(60, view_.width() - view_.verticalScrollBar()->sizeHint().width() - 2);
}

// The sentence stands under the rules' numbers, so that it has the whole width.
QRect WhyDelegate::text_rect(const QRect& row) const {
    const int head = QFontMetrics(view_.font()).height() + 6;
    QRect text = row.adjusted(kPad + 2, kPad + head, -kPad, -kPad);
    text.setWidth(row_width() - 2 * kPad - 2);
    return text;
}

QSize WhyDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const int width = row_width();
    const QRect room = text_rect(QRect(0, 0, width, 10000));
    const QRect text =
        QFontMetrics(view_.font()).boundingRect(room, kFlags, index.data(Qt::DisplayRole).toString());
    return {width, text.height() + room.top() + kPad + 2};
}

void WhyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const Colors& colors = colors_of(view_);
    const bool applies = index.data(kWhyAppliesRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paint_row_ground(*painter, option, colors, 0);
    const QRect text = text_rect(option.rect);
    const double middle = (option.rect.top() + kPad + text.top()) / 2.0;
    const double size = QFontMetrics(view_.font()).ascent();
    paint_verdict(*painter, QRectF(text.left(), middle - size / 2, size, size),
                  applies ? Proof::Verdict::Proven : Proof::Verdict::Wrong, colors);
    painter->setFont(scaled_font(view_, 0.92, true));
    double x = text.left() + size + 6;
    const QStringList rules =
        index.data(kWhyRulesRole).toString().split(QStringLiteral(", "), Qt::SkipEmptyParts);
    for (const QString& rule : rules)
        x += paint_pill(*painter, {x, middle}, rule, applies ? colors.accent : colors.line,
                        applies ? colors.on_accent : colors.text) +
             4;
    painter->setFont(view_.font());
    painter->setPen(colors.text);
    painter->drawText(text, kFlags, index.data(Qt::DisplayRole).toString());
    painter->restore();
}

namespace {

constexpr int kQuickAnswers = 1000;    // all rules are asked about fewer nodes within a few milliseconds
constexpr int kNamed = 8;              // of the selected nodes
constexpr int kAnswersOverlayTop = 4;  // of what says that the answers take long

bool same(const std::optional<Refusal>& a, const std::optional<Refusal>& b) {
    if (!a || !b) return !a && !b;
    return a->sentence == b->sentence && a->culprits == b->culprits;
}

QString sentence(const WhyAnswer& answer) {
    if (!answer.refusal) return QCoreApplication::translate("blockscope::WhyView", "It applies.");
    return as_sentence(answer.refusal->sentence);
}

QString rule_list(const WhyAnswer& answer) {
    QStringList names;
    for (const RuleId id : answer.rules) names << rule_text(id);
    return names.join(QStringLiteral(", "));
}

QString name_of(const BlockProgram& program, NodeId id) {
    std::vector<NodeId> path;
    if (!find_path(program, id, path)) return QString::fromStdString(to_string(id));
    const GraphPtr graph = graph_at(program, path);
    return translated(describe(*graph->find(id), program.dims));
}

// Thousands would fill the window.
QString names_of(const BlockProgram& program, const std::set<NodeId>& nodes) {
    QStringList names;
    for (const NodeId id : nodes) {
        if (names.size() == kNamed) break;
        names << name_of(program, id);
    }
    const QString text = names.join(QStringLiteral(", "));
    const auto more = static_cast<qlonglong>(nodes.size()) - names.size();
    return more == 0 ? text
                     : QCoreApplication::translate("blockscope::WhyView", "%1 and %2 more")
                           .arg(text, QLocale().toString(more));
}

}  // namespace

std::vector<WhyAnswer> why_answers(const BlockProgram& program, const std::vector<NodeId>& nodes,
                                   std::optional<RuleId> asked, const StopSign& stop) {
    const auto level = find_level(program, nodes, stop);
    if (const Refusal* refusal = std::get_if<Refusal>(&level)) return {{{}, *refusal}};
    std::vector<WhyAnswer> answers;
    for (const Rule& rule : rules()) {
        if (asked && *asked != rule.id) continue;
        const auto refusal = diagnose(program, rule.id, std::get<LevelNodes>(level), stop);
        const auto alike = std::find_if(answers.begin(), answers.end(), [&](const WhyAnswer& answer) {
            return same(answer.refusal, refusal);
        });
        if (alike != answers.end())
            alike->rules.push_back(rule.id);
        else
            answers.push_back({{rule.id}, refusal});
    }
    std::stable_partition(answers.begin(), answers.end(),
                          [](const WhyAnswer& answer) { return !answer.refusal; });
    return answers;
}

WhyView::WhyView(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      selected_(new QLabel(this)),
      rules_(new RuleCombo(this)),
      list_(new QListView(this)),
      hint_(new QLabel(this)) {
    setAccessibleName(QCoreApplication::translate("blockscope::WhyView", "Why not?"));
    selected_->setAccessibleName(QCoreApplication::translate("blockscope::WhyView", "Selected nodes"));
    selected_->setWordWrap(true);
    hint_->setWordWrap(true);
    hint_->setAlignment(Qt::AlignTop);
    make_list();
    auto* title = new QLabel(QCoreApplication::translate("blockscope::WhyView", "Why not?"), this);
    title->setFont(scaled_font(*this, 1, true));
    auto* head = new QHBoxLayout;
    title->setMinimumWidth(title->sizeHint().width());  // the list of rules gives way
    rules_->setMinimumWidth(4 * fontMetrics().height());
    rules_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    head->addWidget(title);
    head->addWidget(rules_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 6, 10, 6);
    column->addLayout(head);
    column->addWidget(selected_);
    column->addWidget(hint_, 1);
    column->addWidget(list_, 1);
    connect(rules_, &QComboBox::currentIndexChanged, this, &WhyView::refresh);
    connect(&document, &Document::selection_changed, this, &WhyView::refresh);
    connect(&document, &Document::current_changed, this, &WhyView::refresh);
    connect(&background_, &Background::failed, this, &WhyView::show_hint);
    const auto* late = new ProgressOverlay(background_, kAnswersOverlayTop, hint_);
    connect(late, &ProgressOverlay::cancelled, this, [this] {
        show_hint(QCoreApplication::translate("blockscope::WhyView",
                                              "Asking was cancelled. Select the blocks again to ask again."));
    });
    refresh();
}

void WhyView::make_list() {
    list_->setAccessibleName(QCoreApplication::translate("blockscope::WhyView", "Reasons"));
    list_->setModel(&rows_);
    list_->setItemDelegate(new WhyDelegate(list_));
    list_->setResizeMode(QListView::Adjust);
    list_->setEditTriggers(QListView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QListView::ScrollPerPixel);
    list_->setMouseTracking(true);
    list_->viewport()->installEventFilter(this);
    list_->installEventFilter(this);
    connect(list_, &QListView::entered, this, &WhyView::light);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &WhyView::light);
}

void WhyView::explain(std::optional<RuleId> rule) {
    const int index = rule ? rules_->findData(rule_text(*rule)) : 0;
    rules_->setCurrentIndex(std::max(0, index));
    refresh();
}

bool WhyView::eventFilter(QObject* watched, QEvent* event) {
    const bool left = watched == list_->viewport() && event->type() == QEvent::Leave;
    if (left || event->type() == QEvent::FocusOut || event->type() == QEvent::Hide) darken();
    return QWidget::eventFilter(watched, event);
}

void WhyView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void WhyView::refresh() {
    darken();
    background_.cancel();
    answers_.clear();
    rows_.clear();
    if (document_.empty()) return show_hint({});
    const std::set<NodeId>& selection = document_.selection().nodes;
    const auto asked = parse_rule_id(rules_->currentData().toString().toStdString());
    if (selection.empty() && asked)
        return show_hint(
            QCoreApplication::translate(
                "blockscope::WhyView",
                "Rule %1 applies when this holds: %2 Select the blocks in the picture that you mean: the "
                "first condition that fails is named here.")
                .arg(rule_text(*asked), translated(rule(*asked).condition)));
    if (selection.empty())
        return show_hint(QCoreApplication::translate(
            "blockscope::WhyView",
            "Select one or more blocks in the picture: every rule then says here why it "
            "does not apply to them, and what stands in its way lights up."));
    if (!isVisible()) return;  // a hidden view costs nothing
    const BlockProgram& program = *document_.content().program();
    selected_->setText(
        QCoreApplication::translate("blockscope::WhyView", "Selected: %1").arg(names_of(program, selection)));
    const Background::Job job = [this, program = document_.content().program(),
                                 nodes = std::vector<NodeId>(selection.begin(), selection.end()),
                                 asked](const Stop& stop) -> Background::Finish {
        return [this, answers = why_answers(*program, nodes, asked, stop.sign())] { take(answers); };
    };
    if (node_count(program) < kQuickAnswers) return background_.run_now(job);
    background_.start(QCoreApplication::translate("blockscope::WhyView", "Asking every rule"), job);
    selected_->show();
    list_->hide();
    hint_->clear();
    hint_->show();
}

void WhyView::take(std::vector<WhyAnswer> answers) {
    answers_ = std::move(answers);
    show_answers();
}

void WhyView::show_answers() {
    selected_->show();
    hint_->hide();
    list_->show();
    for (const WhyAnswer& answer : answers_) {
        auto* item = new QStandardItem(sentence(answer));
        item->setData(rule_list(answer), kWhyRulesRole);
        item->setData(!answer.refusal, kWhyAppliesRole);
        item->setData(QCoreApplication::translate("blockscope::WhyView", "Rule %1: %2")
                          .arg(rule_list(answer), sentence(answer)),
                      Qt::AccessibleTextRole);
        rows_.appendRow(item);
    }
}

void WhyView::show_hint(const QString& text) {
    selected_->hide();
    list_->hide();
    hint_->setText(text);
    hint_->show();
}

void WhyView::light(const QModelIndex& index) {
    if (!index.isValid()) return darken();
    const WhyAnswer& answer = answers_[static_cast<std::size_t>(index.row())];
    if (!answer.refusal) return darken();
    lit_ = true;
    document_.set_glow({Glow::Kind::Culprit, answer.refusal->culprits});
}

void WhyView::darken() {
    if (std::exchange(lit_, false)) document_.set_glow({});
}

}  // namespace blockscope

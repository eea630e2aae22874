#include "app/plan/plan_page.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <algorithm>
#include <set>

#include "app/charts/chart.h"
#include "app/plan/operator_picture.h"
#include "app/plan/plan_pictures.h"
#include "app/plan/plan_tables.h"
#include "app/plan/plan_words.h"
#include "app/plan/steps_bar.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kSoon = 300;         // milliseconds
constexpr int kWide = 1100;        // pixels: from here on pictures stand beside the tables
constexpr int kMostPicture = 420;  // pixels high without scrolling
constexpr int kMargin = 10;

QLabel* make_sentence(QWidget* parent, const QString& name) {
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAccessibleName(name);
    return label;
}

}  // namespace

PlanPage::PlanPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent), document_(document), services_(services) {
    setFocusPolicy(Qt::StrongFocus);
    soon_.setSingleShot(true);
    soon_.setInterval(kSoon);
}

void PlanPage::showEvent(QShowEvent* event) {
    if (!search_) make_parts();
    QWidget::showEvent(event);
    look_soon();
}

void PlanPage::make_parts() {
    search_ = std::make_unique<PlanSearch>(document_);
    QWidget* all = make_scrolled_content(this);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(kMargin, 8, kMargin, 8);
    column->setSpacing(8);
    sentence_ = make_sentence(all, tr("The best plan"));
    column->addWidget(sentence_);
    column->addWidget(make_bar());
    answer_ = new QWidget(all);
    columns_ = new QBoxLayout(QBoxLayout::TopToBottom, answer_);
    columns_->setContentsMargins(0, 0, 0, 0);
    columns_->setSpacing(12);
    auto* left = new QWidget(answer_);
    auto* tables = new QVBoxLayout(left);
    tables->setContentsMargins(0, 0, 0, 0);
    tables->setSpacing(8);
    ways_ = new WaysTable(left);
    tables->addWidget(ways_);
    tables->addWidget(make_kernels());
    tables->addStretch(1);
    columns_->addWidget(left, 3);
    pictures_ = make_pictures();
    columns_->addWidget(pictures_, 2);
    column->addWidget(answer_);
    column->addStretch(1);
    connect_parts();
    restyle();
    fit();
}

QWidget* PlanPage::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    find_ = new QPushButton(tr("Find plan"), bar);  // what there is to do on an empty page
    find_->setToolTip(
        tr("Finds what each set of operators would take as one kernel on the window's "
           "device, and which of them make up the best plan"));
    cancel_ = make_bar_button(bar, tr("Cancel"), tr("Ends the search"));
    progress_ = new ShareBar(tr("Finding the plan"), bar);
    progress_->setFixedWidth(140);
    copy_ = make_bar_button(bar, tr("Copy as text"),
                            tr("Copies the ways and the kernels of the chosen one as plain text"));
    for (QWidget* part : std::initializer_list<QWidget*>{find_, cancel_, progress_, copy_})
        row->addWidget(part);
    return bar;
}

QWidget* PlanPage::make_kernels() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* bar = new QWidget(part);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    kernels_title_ = make_sentence(bar, tr("The way that is shown"));
    row->addWidget(kernels_title_, 1);
    open_ = make_bar_button(bar, tr("Open as a program"),
                            tr("Opens the chosen kernel in a window of its own, with its steps and its best "
                               "state; so does Return, or a double click"));
    row->addWidget(open_, 0, Qt::AlignTop);
    column->addWidget(bar);
    kernels_ = new KernelsTable(services_.appearance, part);
    column->addWidget(kernels_);
    column->addWidget(make_decisions());
    return part;
}

// What somebody decides: kernels that are ticked stay as they are, operators are kept apart.
QWidget* PlanPage::make_decisions() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    solve_ = make_bar_button(bar, tr("Keep ticked, solve the rest"),
                             tr("Ticked kernels stay as they are; all else is decided as is best with them"));
    forget_ = make_bar_button(bar, tr("Forget decisions"), tr("No kernel is kept, no operators are apart"));
    row->addWidget(solve_);
    row->addWidget(forget_);
    decided_ = make_sentence(bar, tr("What you have decided"));
    row->addWidget(decided_);
    return bar;
}

QWidget* PlanPage::make_question() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* bar = new QWidget(part);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(new QLabel(tr("Why are these (not) together?"), bar));
    first_ = new QComboBox(bar);
    first_->setAccessibleName(tr("One operator"));
    second_ = new QComboBox(bar);
    second_->setAccessibleName(tr("Another operator"));
    for (QComboBox* choice : {first_, second_}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(choice);
    }
    apart_ = make_bar_button(bar, tr("Keep these apart"),
                             tr("The two are in different kernels; all else is decided as is best then"));
    row->addWidget(apart_);
    move_ = make_bar_button(bar, tr("Move the first to the second"),
                            tr("The first operator goes to the kernel of the second, as if it were dragged "
                               "there: the way Yours has the price"));
    row->addWidget(move_);
    column->addWidget(bar);
    why_ = make_sentence(part, tr("Why they are together or not"));
    column->addWidget(why_);
    return part;
}

QWidget* PlanPage::make_pictures() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    timelines_ = new ChartView(part);
    timelines_->setAccessibleName(tr("Each way as a bar as long as it takes, of its kernels"));
    column->addWidget(timelines_);
    picture_area_ = new QScrollArea(part);
    picture_area_->setWidgetResizable(true);
    picture_area_->setFocusPolicy(Qt::NoFocus);
    picture_area_->setAccessibleName(tr("The operators with their kernels"));
    picture_ = new OperatorPicture(picture_area_);
    picture_->setAccessibleName(tr("The operators with their kernels"));
    picture_area_->setWidget(picture_);
    column->addWidget(picture_area_);
    steps_ = new StepsBar(part);
    column->addWidget(steps_);
    column->addWidget(make_question());
    column->addStretch(1);
    return part;
}

void PlanPage::connect_parts() {
    connect(&soon_, &QTimer::timeout, this, [this] {
        if (!isVisible()) return;
        search_->look();
        const bool small = search_->operators() <= kSearchedAtOnce;
        if (small && !search_->busy() && !search_->given_up()) search_->start();
    });
    connect(search_.get(), &PlanSearch::changed, this, [this] {
        failure_.clear();
        refresh();
    });
    connect(search_.get(), &PlanSearch::failed, this, [this](const QString& what) {
        failure_ = what;
        refresh();
    });
    connect(search_.get(), &PlanSearch::progressed, this,
            [this](int share) { progress_->show_share(share); });
    connect(search_.get(), &PlanSearch::answered, this, &PlanPage::answer);
    connect(search_.get(), &PlanSearch::cannot_move, this, [this](int node, const Text& why) {
        if (!shown_) return;
        why_->setText(tr("%1 cannot go there: %2.").arg(operator_text(*shown_, node), translated(why)));
    });
    connect(search_.get(), &PlanSearch::added, this, [this](const QString& name) {
        for (std::size_t i = 0; shown_ && i < shown_->ways.size(); ++i)
            if (shown_->ways[i].name == name.toStdString()) ways_->choose(i);
    });
    connect(picture_, &OperatorPicture::dropped, this, &PlanPage::move_operator);
    connect(steps_, &StepsBar::changed, this, &PlanPage::show_pictures);
    connect(solve_, &QToolButton::clicked, this, &PlanPage::keep_ticked);
    connect(apart_, &QToolButton::clicked, this, &PlanPage::keep_apart);
    connect(move_, &QToolButton::clicked, this,
            [this] { move_operator(first_->currentIndex(), second_->currentIndex()); });
    connect(forget_, &QToolButton::clicked, this, &PlanPage::forget);
    connect(&document_, &Document::content_changed, this, &PlanPage::look_soon);
    connect(&Forecast::of(document_), &Forecast::changed, this, &PlanPage::look_soon);
    connect(find_, &QPushButton::clicked, search_.get(), &PlanSearch::start);
    connect(cancel_, &QToolButton::clicked, search_.get(), &PlanSearch::cancel);
    connect(copy_, &QToolButton::clicked, this, &PlanPage::copy);
    connect(open_, &QToolButton::clicked, this, &PlanPage::open_kernel);
    connect(ways_, &WaysTable::way_chosen, this, &PlanPage::show_way);
    connect(kernels_, &QTreeWidget::itemActivated, this, &PlanPage::open_kernel);
    for (QComboBox* choice : {first_, second_})
        connect(choice, &QComboBox::currentIndexChanged, this, &PlanPage::explain_choice);
    connect(picture_, &ChartView::chosen, this, &PlanPage::mark_operator);
    connect(timelines_, &ChartView::chosen, this, [this](int way, int kernel) {
        ways_->choose(static_cast<std::size_t>(way));
        kernels_->choose(static_cast<std::size_t>(kernel));
    });
    connect(&services_.appearance, &Appearance::changed, this, &PlanPage::restyle);
}

// What is shown is of the program and the device as they were: it goes at once, and the new search waits for
// more changes.
void PlanPage::look_soon() {
    if (!isVisible()) return;
    search_->look();
    refresh();
    soon_.start();
}

QString PlanPage::state_text() const {
    if (document_.empty()) return {};
    if (!search_->has_program())
        return tr(
            "This document holds a block program alone. Its operators are in blocks already, so that there "
            "is "
            "nothing to plan: plans are made of programs in the text language.");
    if (!failure_.isEmpty()) return failure_;
    const QString device = QString::fromStdString(Forecast::of(document_).device().title);
    if (search_->busy()) {
        const QString finding =
            tr("Finding the plan on %1: what each set of operators takes as one kernel, then "
               "which of them make up the program.")
                .arg(device);
        return search_->so_far() ? finding + QLatin1Char(' ') + so_far_text(*search_->so_far()) : finding;
    }
    if (search_->given_up()) return tr("The search was cancelled.");
    const int operators = search_->operators();
    if (operators == 0) return tr("This program has no operators.");
    if (operators <= kSearchedAtOnce) return {};
    return tr("This program has %1 operators. To find its plan on %2, every set of them that can be one "
              "kernel "
              "is fused and costed, which takes all processors some seconds: it begins when you ask for it.")
        .arg(operators)
        .arg(device);
}

// The table of ways has the page's focus; before there is one it is the page itself, not a button, which the
// next key would press.
void PlanPage::hand_focus(bool found, bool here) {
    setFocusProxy(found ? ways_ : nullptr);
    if (here) setFocus();
}

void PlanPage::refresh() {
    const bool busy = search_->busy();
    const FoundPlansPtr found = search_->found();
    const bool appears = (found != nullptr) == answer_->isHidden();
    const QWidget* focused = QApplication::focusWidget();
    const bool here = focused == this || isAncestorOf(focused);
    find_->setVisible(!busy && (!found || found->partial));
    find_->setEnabled(search_->has_program() && search_->operators() > 0);
    cancel_->setVisible(busy);
    progress_->setVisible(busy);
    if (busy) progress_->show_share(search_->work().permille());
    copy_->setVisible(found != nullptr);
    answer_->setVisible(found != nullptr);
    if (appears) hand_focus(found != nullptr, here);
    sentence_->setText(found ? best_plan_text(*found) : state_text());
    if (shown_ == found) return;
    // The same operators with another way beside the others: what was asked about stays.
    const bool same = shown_ && found && shown_->graph.names == found->graph.names;
    shown_ = found;
    if (!same) decisions_ = {};
    if (shown_) show_plans(!same);
}

const PlannedWay* PlanPage::way() const {
    const int chosen = ways_->chosen_way();
    return shown_ && chosen >= 0 ? &shown_->ways[static_cast<std::size_t>(chosen)] : nullptr;
}

void PlanPage::show_plans(bool other_operators) {
    if (other_operators) fill_operators();
    ways_->show_plans(*shown_);
    show_way();
}

void PlanPage::fill_operators() {
    const int last = shown_->graph.nodes() - 1;
    for (QComboBox* choice : {first_, second_}) {
        const QSignalBlocker quiet(choice);
        choice->clear();
        for (int node = 0; node <= last; ++node) choice->addItem(operator_text(*shown_, node));
        choice->setCurrentIndex(choice == first_ ? 0 : std::min(1, last));
    }
    second_next_ = false;
    also_chosen_.clear();
}

void PlanPage::show_way() {
    const PlannedWay* chosen = way();
    if (!chosen) return;
    kernels_->show_kernels(*shown_, *chosen, decisions_.kernels);
    steps_->show_way(shown_, chosen->name);
    show_decisions();
    open_->setEnabled(!chosen->none());
    kernels_title_->setText(
        chosen->none() ? QStringLiteral("%1: %2").arg(way_title(chosen->name), no_plan_text(*shown_, *chosen))
                       : tr("Kernels of: %1").arg(way_title(chosen->name)));
    show_pictures();
    explain_choice();
}

void PlanPage::show_pictures() {
    const PlannedWay* chosen = way();
    if (!chosen) return;
    const FoundPlansPtr plans = shown_;
    const auto index = static_cast<std::size_t>(ways_->chosen_way());
    const ChartStyle style = timelines_->style_now();
    timelines_->show_chart(
        [plans, index](QPainter& painter, const QRectF& all, const ChartStyle& now) {
            return paint_timelines(painter, all, now, *plans, index);
        },
        plain_text(*plans, *chosen));
    timelines_->setFixedHeight(static_cast<int>(timelines_height(*plans, style) + 2 * kChartMargin));
    picture_area_->setVisible(!chosen->none());
    if (chosen->none()) return;
    const PlacedOperators placed = place_operators(*plans, style);
    const plan::DecisionStep* step = steps_->step();
    const OperatorGroups groups = step ? groups_of(*plans, *step) : groups_of(*plans, *chosen);
    picture_->show_chart(
        [this, plans, groups, placed](QPainter& painter, const QRectF& all, const ChartStyle& now) {
            return paint_operators(painter, all, now, *plans, groups, placed,
                                   steps_->step() ? steps_->step()->nodes : chosen_operators());
        },
        tr("Two operators that are chosen here are asked about, more with Ctrl; one that is dragged to "
           "another "
           "goes to its kernel"));
    const QSize size = placed.size.toSize() + QSize(1, 1) * static_cast<int>(2 * kChartMargin + 2);
    picture_->setMinimumSize(size);
    picture_area_->setFixedHeight(std::min(size.height(), kMostPicture) + 2 * picture_area_->frameWidth() +
                                  picture_area_->style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

void PlanPage::mark_operator(int node) {
    if (QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier)) return add_to_question(node);
    also_chosen_.clear();
    (second_next_ ? second_ : first_)->setCurrentIndex(node);
    second_next_ = !second_next_;
}

void PlanPage::ask_about(int a, int b) {
    also_chosen_.clear();
    first_->setCurrentIndex(a);
    second_->setCurrentIndex(b);
}

void PlanPage::explain_choice() {
    picture_->update();
    why_->clear();
    const PlannedWay* chosen = way();
    if (!chosen || chosen->none()) return;
    for (QToolButton* button : {apart_, move_})
        button->setEnabled(first_->currentIndex() != second_->currentIndex());
    if (chosen_operators().size() < 2)
        return why_->setText(
            tr("Choose two operators: here, or by a click on each in the picture; a click with "
               "Ctrl adds another."));
    search_->ask_about(static_cast<std::size_t>(ways_->chosen_way()), chosen_operators());
}

plan::FusionGroup PlanPage::chosen_operators() const {
    std::set<int> nodes(also_chosen_.begin(), also_chosen_.end());
    nodes.insert(first_->currentIndex());
    nodes.insert(second_->currentIndex());
    return {nodes.begin(), nodes.end()};
}

void PlanPage::add_to_question(int node) {
    if (std::erase(also_chosen_, node) == 0) also_chosen_.push_back(node);
    explain_choice();
}

void PlanPage::answer(const OperatorAnswer& answer) {
    if (!shown_ || !way() || way()->none()) return;
    QStringList said;
    if (answer.why)
        said << why_text(*shown_, *way(), answer.operators.front(), answer.operators.back(), *answer.why)
             << rules_text(answer);
    said << benefit_text(answer);
    why_->setText(said.join(QStringLiteral("\n")));
}

// ---- Decisions.

void PlanPage::move_operator(int node, int onto) {
    if (way() && !steps_->step())
        search_->move_operator(static_cast<std::size_t>(ways_->chosen_way()), node, onto);
}

void PlanPage::keep_ticked() {
    const PlannedWay* chosen = way();
    if (!chosen) return;
    decisions_.kernels.clear();
    for (const std::size_t kernel : kernels_->ticked())
        decisions_.kernels.push_back(chosen->kernels[kernel].nodes);
    decide();
}

void PlanPage::keep_apart() {
    const std::pair<int, int> pair = std::minmax(first_->currentIndex(), second_->currentIndex());
    if (std::erase(decisions_.apart, pair) == 0) decisions_.apart.push_back(pair);
    decide();
}

void PlanPage::forget() {
    decisions_ = {};
    decide();
}

void PlanPage::decide() {
    if (const auto problem = plan::problem_with(shown_->graph, decisions_, shown_->graph.names)) {
        decided_->setText(capital(translated(*problem)) + QLatin1Char('.'));
        return;
    }
    search_->decide(decisions_);
}

void PlanPage::show_decisions() {
    forget_->setEnabled(!decisions_.none());
    QStringList said;
    if (!decisions_.kernels.empty()) said << tr("%1 kernels are kept").arg(decisions_.kernels.size());
    for (const auto& [a, b] : decisions_.apart)
        said << tr("%1 and %2 are apart").arg(operator_text(*shown_, a), operator_text(*shown_, b));
    decided_->setText(said.join(QStringLiteral("; ")));
}

void PlanPage::open_kernel() {
    const PlannedWay* chosen = way();
    const int kernel = kernels_->chosen_kernel();
    if (!chosen || kernel < 0 || !services_.open_program) return;
    const auto index = static_cast<std::size_t>(kernel);
    const QString name =
        QStringLiteral("%1-%2").arg(QString::fromStdString(document_.content().name), kernel_letter(index));
    const PlannedGroup& planned = chosen->kernels[index];
    services_.open_program(name, QString::fromStdString(print_program(planned.program)),
                           StateChoice::step(planned.cost.step));
}

void PlanPage::copy() {
    if (!way()) return;
    QGuiApplication::clipboard()->setText(plain_text(*shown_, *way()));
    services_.say(tr("The plan was copied."));
}

QString PlanPage::sentence() const {
    return sentence_->text();
}

QString PlanPage::why() const {
    return why_->text();
}

void PlanPage::restyle() {
    const ChartStyle style{.theme = services_.appearance.theme(),
                           .text = static_cast<double>(services_.appearance.pixels())};
    timelines_->set_style(style);
    picture_->set_style(style);
    if (shown_) show_way();
}

void PlanPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void PlanPage::fit() {
    if (columns_)
        columns_->setDirection(width() >= kWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

}  // namespace blockscope

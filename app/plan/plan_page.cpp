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

#include "app/charts/chart.h"
#include "app/plan/plan_pictures.h"
#include "app/plan/plan_tables.h"
#include "app/plan/plan_words.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"

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
    return part;
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
    picture_ = new ChartView(picture_area_);
    picture_->setAccessibleName(tr("The operators with their kernels"));
    picture_area_->setWidget(picture_);
    column->addWidget(picture_area_);
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
    connect(search_.get(), &PlanSearch::answered, this, [this](int a, int b, const worker::PlanWhy& why) {
        if (shown_ && way() && !way()->none()) why_->setText(why_text(*shown_, *way(), a, b, why));
    });
    connect(&document_, &Document::content_changed, this, &PlanPage::look_soon);
    connect(&Forecast::of(document_), &Forecast::changed, this, &PlanPage::look_soon);
    connect(find_, &QPushButton::clicked, search_.get(), &PlanSearch::start);
    connect(cancel_, &QToolButton::clicked, search_.get(), &PlanSearch::cancel);
    connect(copy_, &QToolButton::clicked, this, &PlanPage::copy);
    connect(open_, &QToolButton::clicked, this, &PlanPage::open_kernel);
    connect(ways_, &WaysTable::way_chosen, this, &PlanPage::show_way);
    connect(kernels_, &QTreeWidget::itemActivated, this, &PlanPage::open_kernel);
    for (QComboBox* choice : {first_, second_})
        connect(choice, &QComboBox::currentIndexChanged, this, &PlanPage::ask);
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
    if (search_->busy())
        return tr("Finding the plan on %1: what each set of operators takes as one kernel, then which of "
                  "them make up the program.")
            .arg(device);
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
    find_->setVisible(!busy && !found);
    find_->setEnabled(search_->has_program() && search_->operators() > 0);
    cancel_->setVisible(busy);
    progress_->setVisible(busy);
    if (busy) progress_->show_share(search_->work().permille());
    copy_->setVisible(found != nullptr);
    answer_->setVisible(found != nullptr);
    if (appears) hand_focus(found != nullptr, here);
    sentence_->setText(found ? best_plan_text(*found) : state_text());
    if (shown_ == found) return;
    shown_ = found;
    if (shown_) show_plans();
}

const PlannedWay* PlanPage::way() const {
    const int chosen = ways_->chosen_way();
    return shown_ && chosen >= 0 ? &shown_->ways[static_cast<std::size_t>(chosen)] : nullptr;
}

void PlanPage::show_plans() {
    fill_operators();
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
}

void PlanPage::show_way() {
    const PlannedWay* chosen = way();
    if (!chosen) return;
    kernels_->show_kernels(*shown_, *chosen);
    open_->setEnabled(!chosen->none());
    kernels_title_->setText(
        chosen->none() ? QStringLiteral("%1: %2").arg(way_title(chosen->name), no_plan_text(*shown_, *chosen))
                       : tr("Kernels of: %1").arg(way_title(chosen->name)));
    show_pictures();
    ask();
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
    picture_->show_chart(
        [this, plans, index, placed](QPainter& painter, const QRectF& all, const ChartStyle& now) {
            return paint_operators(painter, all, now, *plans, plans->ways[index], placed,
                                   {first_->currentIndex(), second_->currentIndex()});
        },
        tr("Two operators that are chosen here are asked about"));
    const QSize size = placed.size.toSize() + QSize(1, 1) * static_cast<int>(2 * kChartMargin + 2);
    picture_->setMinimumSize(size);
    picture_area_->setFixedHeight(std::min(size.height(), kMostPicture) + 2 * picture_area_->frameWidth() +
                                  picture_area_->style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

void PlanPage::mark_operator(int node) {
    (second_next_ ? second_ : first_)->setCurrentIndex(node);
    second_next_ = !second_next_;
}

void PlanPage::ask_about(int a, int b) {
    first_->setCurrentIndex(a);
    second_->setCurrentIndex(b);
}

void PlanPage::ask() {
    picture_->update();
    why_->clear();
    const PlannedWay* chosen = way();
    if (!chosen || chosen->none()) return;
    if (first_->currentIndex() == second_->currentIndex())
        return why_->setText(tr("Choose two operators: here, or by a click on each in the picture."));
    search_->ask_why(static_cast<std::size_t>(ways_->chosen_way()), first_->currentIndex(),
                     second_->currentIndex());
}

void PlanPage::open_kernel() {
    const PlannedWay* chosen = way();
    const int kernel = kernels_->chosen_kernel();
    if (!chosen || kernel < 0 || !services_.open_program) return;
    const auto index = static_cast<std::size_t>(kernel);
    const QString name =
        QStringLiteral("%1-%2").arg(QString::fromStdString(document_.content().name), kernel_letter(index));
    services_.open_program(name, QString::fromStdString(print_program(chosen->kernels[index].program)));
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

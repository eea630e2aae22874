#include "app/tilings/search_view.h"

#include <QBoxLayout>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <limits>

#include "app/costs/cost_table.h"
#include "app/shell/controls.h"
#include "app/tilings/table_look.h"
#include "app/tilings/tilings_words.h"

namespace blockscope {

namespace {

constexpr int kTablesBesideFrom = 900;  // pixels

QSpinBox* make_count(QWidget* bar, const QString& prefix, const QString& help, int least, int most) {
    auto* box = new QSpinBox(bar);
    box->setRange(least, most);
    box->setPrefix(prefix + QLatin1Char(' '));
    box->setAccessibleName(prefix);
    box->setToolTip(help);
    box->setKeyboardTracking(false);
    return box;
}

QTreeWidget* make_rows(QWidget* parent, const QStringList& titles, const QString& name, int rows) {
    auto* table = new QTreeWidget(parent);
    table->setHeaderLabels(titles);
    set_up_tilings_table(*table, name);
    table->setMinimumHeight((rows + 2) * (table->fontMetrics().height() + 4));
    return table;
}

void set_right(QTreeWidgetItem& item, int column, const QString& text) {
    item.setText(column, text);
    item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

QString share_of(double share) {
    return QLocale().toString(share * 100, 'f', 2) + QLatin1Char('%');
}

}  // namespace

SearchView::SearchView(TilingsStudy& study, QWidget* parent) : QWidget(parent), study_(study) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(6);
    column->addWidget(make_choices());
    column->addWidget(make_buttons());
    text_ = make_tilings_text(this, tr("What the search has found"));
    column->addWidget(text_);
    rounds_ = make_rows(
        this, {tr("Round"), tr("Run"), tr("New"), tr("Best of the round"), tr("Time"), tr("Difference")},
        tr("Rounds of the search"), 3);
    rounds_->headerItem()->setToolTip(Ran, tr("Candidates with the least estimates, until enough have run"));
    rounds_->headerItem()->setToolTip(Anew, tr("Measured for the first time in this search"));
    rounds_->headerItem()->setToolTip(Difference, tr("To the best before, as a share of it"));
    column->addWidget(rounds_, 1);
    round_ = make_tilings_text(this, tr("The chosen round"));
    column->addWidget(round_);
    lower_ = new QBoxLayout(QBoxLayout::TopToBottom);  // until there is room beside each other
    lower_->setSpacing(8);
    measured_ = make_rows(this, {tr("Measured"), tr("Estimate"), tr("Time"), tr("First")},
                          tr("What the round measured"), 4);
    mutations_ = make_rows(this, {tr("Parent"), tr("Drawn with"), tr("Changes"), tr("Child"), tr("Estimate")},
                           tr("Mutations that make the next population"), 4);
    mutations_->headerItem()->setToolTip(
        Weight, tr("How likely this parent was drawn: 1 / estimate, of the population's sum"));
    mutations_->headerItem()->setToolTip(Loop, tr("The loop that got another tile"));
    lower_->addWidget(measured_, 1);
    lower_->addWidget(mutations_, 1);
    column->addLayout(lower_, 2);
    setFocusProxy(rounds_);
    connect(rounds_, &QTreeWidget::currentItemChanged, this, &SearchView::show_round);
}

QWidget* SearchView::make_choices() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    seed_ = make_count(bar, tr("Seed"), tr("The same seed gives the same search"), 0,
                       std::numeric_limits<int>::max());
    population_ =
        make_count(bar, tr("Population"), tr("Candidates of each round"), 1, kMostTilingsPopulation);
    top_ = make_count(bar, tr("Measured in a round"), tr("The candidates with the least estimates"), 1,
                      kMostTilingsPopulation);
    epsilon_ = new QDoubleSpinBox(bar);
    epsilon_->setRange(0, 100);
    epsilon_->setDecimals(2);
    epsilon_->setPrefix(tr("Ends below") + QLatin1Char(' '));
    epsilon_->setSuffix(QStringLiteral("%"));
    epsilon_->setAccessibleName(tr("Ends below a difference of"));
    epsilon_->setToolTip(tr("The search ends when a round's best differs by less from the best before"));
    epsilon_->setKeyboardTracking(false);
    for (QSpinBox* box : {seed_, population_, top_}) {
        row->addWidget(box);
        connect(box, &QSpinBox::valueChanged, this, &SearchView::take_choices);
    }
    row->addWidget(epsilon_);
    connect(epsilon_, &QDoubleSpinBox::valueChanged, this, &SearchView::take_choices);
    return bar;
}

QWidget* SearchView::make_buttons() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    next_ = make_bar_button(bar, tr("Next round"), tr("Runs one round of Algorithm 1 on this processor"));
    run_ = make_bar_button(bar, tr("Run to the end"), tr("Runs rounds until the search ends"));
    anew_ = make_bar_button(bar, tr("Begin anew"), tr("Forgets the rounds; measured times stay"));
    use_ = make_bar_button(bar, tr("Show that search"), tr("Takes the choices of the search that is kept"));
    for (QToolButton* button : {next_, run_, anew_, use_}) row->addWidget(button);
    connect(next_, &QToolButton::clicked, &study_, &TilingsStudy::next_round);
    connect(run_, &QToolButton::clicked, &study_, &TilingsStudy::run_search);
    connect(anew_, &QToolButton::clicked, &study_, &TilingsStudy::forget_search);
    connect(use_, &QToolButton::clicked, this, &SearchView::use_other);
    return bar;
}

void SearchView::take_choices() {
    TilingChoices choices = study_.choices();
    choices.seed = seed_->value();
    choices.population = population_->value();
    choices.top = top_->value();
    choices.epsilon = epsilon_->value() / 100;
    study_.set_choices(choices);
}

void SearchView::use_other() {
    const KeptSearch* other = study_.other_search();
    if (!other) return;
    const KeptSearch kept = *other;
    study_.use_device(kept.device);
    study_.set_choices(kept.choices);
}

void SearchView::refresh() {
    const TilingChoices choices = study_.choices();
    const auto show_value = [](auto* box, auto value) {
        const QSignalBlocker quiet(box);
        if (!box->hasFocus() || box->value() != value) box->setValue(value);
    };
    show_value(seed_, choices.seed);
    show_value(population_, choices.population);
    show_value(top_, choices.top);
    show_value(epsilon_, choices.epsilon * 100);
    const tilings::Search* search = study_.search();
    const KeptSearch* other = study_.other_search();
    const bool may = study_.found() && !study_.measuring() && study_.cannot_measure().isEmpty();
    const bool goes_on = !search || search->end == tilings::SearchEnd::GoesOn;
    next_->setEnabled(may && goes_on);
    run_->setEnabled(may && goes_on);
    anew_->setEnabled(!study_.measuring() && (search || other));
    use_->setVisible(other != nullptr && !study_.measuring());
    QString text;
    if (!study_.found())
        text.clear();
    else if (!study_.cannot_measure().isEmpty())
        text = study_.cannot_measure();
    else if (search)
        text = search_text(*study_.found(), *search);
    else
        text = search_text(*study_.found(), tilings::Search{});
    if (other)
        text += tr("\nThe document keeps a search of %1 rounds with other choices, on the device %2. A new "
                   "one takes its place.")
                    .arg(other->rounds)
                    .arg(QString::fromStdString(other->device));
    else if (const TilingsRun* run = study_.run();
             run && run->search && search && static_cast<int>(search->rounds.size()) < run->search->rounds)
        text += tr("\nThe document keeps %1 rounds of it; the description of the device is another one now.")
                    .arg(run->search->rounds);
    if (!study_.doubts().isEmpty()) text += QLatin1Char('\n') + study_.doubts();
    text_->setText(text);
    fill_rounds();
}

void SearchView::fill_rounds() {
    const tilings::Search* search = study_.search();
    const bool follows =
        rounds_->indexOfTopLevelItem(rounds_->currentItem()) + 1 >= rounds_->topLevelItemCount();
    const int before = rounds_->indexOfTopLevelItem(rounds_->currentItem());
    {
        const QSignalBlocker quiet(rounds_);
        rounds_->clear();
        const RankedSpacePtr ranked = study_.found();
        for (std::size_t i = 0; ranked && search && i < search->rounds.size(); ++i) {
            const tilings::SearchRound& round = search->rounds[i];
            const auto anew = std::count_if(round.measured.begin(), round.measured.end(),
                                            [](const tilings::MeasuredOne& one) { return one.anew; });
            auto* item = new QTreeWidgetItem(rounds_);
            set_right(*item, Round, whole_text(static_cast<std::int64_t>(i) + 1));
            set_right(*item, Ran, whole_text(static_cast<std::int64_t>(round.measured.size())));
            set_right(*item, Anew, whole_text(anew));
            if (!round.best) continue;
            item->setText(Best, candidate_title(*ranked, *round.best));
            set_right(*item, Time, time_text(round.best_seconds));
            if (i > 0) set_right(*item, Difference, share_of(round.difference));
        }
        const int count = rounds_->topLevelItemCount();
        if (count > 0)
            rounds_->setCurrentItem(
                rounds_->topLevelItem(follows || before < 0 ? count - 1 : std::min(before, count - 1)));
    }
    show_round();
}

void SearchView::show_round() {
    measured_->clear();
    mutations_->clear();
    round_->clear();
    const tilings::Search* search = study_.search();
    const RankedSpacePtr ranked = study_.found();
    const int chosen = rounds_->indexOfTopLevelItem(rounds_->currentItem());
    if (!search || !ranked || chosen < 0 || chosen >= static_cast<int>(search->rounds.size())) return;
    const tilings::SearchRound& round = search->rounds[static_cast<std::size_t>(chosen)];
    round_->setText(round_text(*ranked, *search, static_cast<std::size_t>(chosen)));
    for (const tilings::MeasuredOne& one : round.measured) {
        auto* item = new QTreeWidgetItem(measured_);
        item->setText(Candidate, candidate_title(*ranked, one.candidate));
        set_right(*item, Estimate, time_text(one.estimate));
        set_right(*item, Measured, one.seconds ? time_text(*one.seconds) : tr("cannot run"));
        item->setText(New, one.anew ? tr("yes") : tr("no"));
    }
    double sum = 0;
    const auto weight = [&](int candidate) {
        return 1 / ranked->estimates()[static_cast<std::size_t>(candidate)];
    };
    for (const int candidate : round.population) sum += weight(candidate);
    for (const tilings::Mutation& mutation : round.mutations) {
        auto* item = new QTreeWidgetItem(mutations_);
        item->setText(Parent, candidate_title(*ranked, mutation.parent));
        set_right(*item, Weight, share_of(weight(mutation.parent) / sum));
        item->setText(Loop,
                      mutation.loop < 0
                          ? tr("nothing")
                          : QString::fromStdString(
                                ranked->space.chain.loops[static_cast<std::size_t>(mutation.loop)].name));
        item->setText(Child, candidate_title(*ranked, mutation.child));
        set_right(*item, ChildEstimate,
                  time_text(ranked->estimates()[static_cast<std::size_t>(mutation.child)]));
    }
}

QString SearchView::text() const {
    return text_->text();
}

QString SearchView::round_said() const {
    return round_->text();
}

void SearchView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    lower_->setDirection(width() >= kTablesBesideFrom ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

}  // namespace blockscope

#include "app/tilings/tilings_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/tilings/candidates_view.h"
#include "app/tilings/comparison_view.h"
#include "app/tilings/expressions_view.h"
#include "app/tilings/funnel_view.h"
#include "app/tilings/plots_view.h"
#include "app/tilings/search_view.h"
#include "app/tilings/table_look.h"
#include "app/tilings/tilings_words.h"
#include "core/tilings/workloads.h"

namespace blockscope {

namespace {

constexpr int kTilingsSoon = 300;  // milliseconds
constexpr int kTilingsMargin = 10;

QComboBox* make_choice(QWidget* bar, const QString& name, const QStringList& readings, const QString& help) {
    auto* choice = new QComboBox(bar);
    choice->addItems(readings);
    choice->setAccessibleName(name);
    choice->setToolTip(help);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return choice;
}

}  // namespace

TilingsPage::TilingsPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent), document_(document), services_(services) {
    setFocusPolicy(Qt::StrongFocus);
    soon_.setSingleShot(true);
    soon_.setInterval(kTilingsSoon);
}

TilingsPage::~TilingsPage() = default;

void TilingsPage::showEvent(QShowEvent* event) {
    if (!study_) make_parts();
    QWidget::showEvent(event);
    look_soon();
}

void TilingsPage::make_parts() {
    study_ = std::make_unique<TilingsStudy>(document_);
    QWidget* all = make_scrolled_content(this);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(kTilingsMargin, 8, kTilingsMargin, 8);
    column->setSpacing(8);
    column->addWidget(make_subject());
    QWidget* readings = make_readings();
    column->addWidget(readings);
    readings->hide();
    connect(readings_, &QToolButton::toggled, readings, &QWidget::setVisible);
    sentence_ = make_tilings_text(all, tr("What the tilings are of"));
    column->addWidget(sentence_);
    column->addWidget(make_buttons());
    column->addWidget(measured_);
    make_tabs(all);
    column->addWidget(tabs_, 200);
    column->addStretch(1);
    connect_parts();
    refresh();
}

// The chain, and a button that shows how the paper is read.
QWidget* TilingsPage::make_subject() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    QStringList subjects{workload_title({})};
    for (const tilings::Workload& workload : tilings::workloads()) subjects << workload_title(workload.name);
    workload_ = make_choice(bar, tr("Of which chain"), subjects,
                            tr("The open program, or one of the workloads of MCFuser's paper"));
    for (std::size_t i = 0; i < tilings::workloads().size(); ++i)
        workload_->setItemData(static_cast<int>(i) + 1,
                               QString::fromStdString(tilings::workloads()[i].network), Qt::ToolTipRole);
    readings_ = make_bar_button(bar, tr("Readings"), tr("Shows how the rules of the paper are read"));
    readings_->setCheckable(true);
    row->addWidget(workload_);
    row->addWidget(readings_);
    return bar;
}

QWidget* TilingsPage::make_readings() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    same_ = make_choice(bar, tr("Reading of rule 1"),
                        {tr("Rule 1: order of the grid counts"), tr("Rule 1: sub-tiling alone")},
                        tr("Which expressions count as the same thread block; the paper's numbers need the "
                           "order of the grid's loops"));
    padding_ = make_choice(bar, tr("Reading of rule 3"),
                           {tr("Rule 3: powers of two exact"), tr("Rule 3: 5% for all")},
                           tr("How much a tile may pad a loop"));
    shared_ = make_choice(bar, tr("Reading of rule 4"),
                          {tr("Rule 4: all tiles, ABCDE"), tr("Rule 4: loaded tiles, ABD")},
                          tr("Which tiles count as shared memory"));
    counts_ = make_choice(bar, tr("How often statements run"),
                          {tr("Counts: of thread blocks"), tr("Counts: as the paper's tree")},
                          tr("Whether the grid's loops surround every statement, or those above it in the "
                             "tree alone"));
    chimera_ = new QCheckBox(tr("Chimera's space"), bar);
    chimera_->setAccessibleName(chimera_->text());
    chimera_->setToolTip(tr("Deep expressions only: no loops stand beside each other"));
    for (QWidget* part : std::initializer_list<QWidget*>{same_, padding_, shared_, counts_, chimera_})
        row->addWidget(part);
    return bar;
}

QWidget* TilingsPage::make_buttons() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    find_ = new QPushButton(tr("Find tilings"), bar);
    find_->setToolTip(tr("Finds the space again, which was cancelled"));
    all_ = make_bar_button(bar, tr("Measure all"),
                           tr("Runs every candidate that is not measured yet on this processor, those with "
                              "the least estimates first"));
    some_ = make_bar_button(bar, tr("Measure chosen"),
                            tr("Runs the candidates that are chosen in the table of candidates"));
    cancel_ = make_bar_button(bar, tr("Cancel"), tr("Ends what runs; what was measured stays"));
    progress_ = new ShareBar(tr("Progress of the tilings"), bar);
    progress_->setFixedWidth(140);
    copy_ =
        make_bar_button(bar, tr("Copy as text"), tr("Copies funnel, expressions and search as plain text"));
    measured_ = new QLabel(this);
    measured_->setWordWrap(true);
    measured_->setTextFormat(Qt::PlainText);
    measured_->setAccessibleName(tr("What is measured"));
    for (QWidget* part : std::initializer_list<QWidget*>{find_, all_, some_, cancel_, progress_, copy_})
        row->addWidget(part);
    return bar;
}

void TilingsPage::make_tabs(QWidget* all) {
    tabs_ = new QTabWidget(all);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("Parts of the page Tilings"));
    tabs_->tabBar()->setAccessibleName(tr("Parts of the page Tilings"));
    QWidget* within = page_parent(*tabs_);
    funnel_ = new FunnelView(within);
    expressions_ = new ExpressionsView(services_, within);
    candidates_ = new CandidatesView(within);
    search_ = new SearchView(*study_, within);
    plots_ = new PlotsView(*study_, services_.appearance, within);
    comparison_ = new ComparisonView(*study_, within);
    tabs_->addTab(funnel_, tr("Funnel"));
    tabs_->addTab(expressions_, tr("Expressions"));
    tabs_->addTab(candidates_, tr("Candidates"));
    tabs_->addTab(search_, tr("Search"));
    tabs_->addTab(plots_, tr("Figures"));
    tabs_->addTab(comparison_, tr("Beside ours"));
}

void TilingsPage::connect_parts() {
    connect(&soon_, &QTimer::timeout, this, [this] {
        if (isVisible() && !study_->given_up()) study_->look();
    });
    connect(study_.get(), &TilingsStudy::changed, this, [this] {
        failure_.clear();
        refresh();
    });
    connect(study_.get(), &TilingsStudy::failed, this, [this](const QString& what) {
        failure_ = what;
        refresh();
    });
    connect(study_.get(), &TilingsStudy::measured_changed, this, &TilingsPage::show_measured);
    connect(study_.get(), &TilingsStudy::states_changed, this,
            [this] { expressions_->show_states(study_->states()); });
    connect(study_.get(), &TilingsStudy::progressed, this,
            [this](int share) { progress_->show_share(share); });
    connect(&document_, &Document::content_changed, this, &TilingsPage::look_soon);
    connect(&Forecast::of(document_), &Forecast::changed, this, &TilingsPage::look_soon);
    for (QComboBox* choice : {workload_, same_, padding_, shared_, counts_})
        connect(choice, &QComboBox::currentIndexChanged, this, &TilingsPage::take_choices);
    connect(chimera_, &QCheckBox::toggled, this, &TilingsPage::take_choices);
    connect(find_, &QPushButton::clicked, study_.get(), &TilingsStudy::find);
    connect(all_, &QToolButton::clicked, study_.get(), &TilingsStudy::measure_all);
    connect(some_, &QToolButton::clicked, this, &TilingsPage::measure_chosen);
    connect(cancel_, &QToolButton::clicked, study_.get(), &TilingsStudy::cancel);
    connect(copy_, &QToolButton::clicked, this, &TilingsPage::copy);
    connect(candidates_->table().selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const std::vector<int> chosen = candidates_->chosen();
        plots_->choose(chosen.empty() ? -1 : chosen.front());
        some_->setEnabled(all_->isEnabled() && !chosen.empty());
    });
    connect(plots_, &PlotsView::candidate_chosen, candidates_, &CandidatesView::choose);
    connect(plots_, &PlotsView::workload_chosen, this, [this](const std::string& name) {
        TilingChoices choices = study_->choices();
        choices.workload = name;
        study_->set_choices(choices);
    });
}

// What is shown of measured times follows at once; another space waits for more changes.
void TilingsPage::look_soon() {
    if (!isVisible() || !study_) return;
    show_choices();
    soon_.start();
}

void TilingsPage::show_choices() {
    const TilingChoices choices = study_->choices();
    const auto show_index = [](QComboBox* box, int index) {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(index);
    };
    int row = 0;
    for (std::size_t i = 0; i < tilings::workloads().size(); ++i)
        if (tilings::workloads()[i].name == choices.workload) row = static_cast<int>(i) + 1;
    show_index(workload_, row);
    show_index(same_, static_cast<int>(choices.rules.same));
    show_index(padding_, static_cast<int>(choices.rules.padding));
    show_index(shared_, static_cast<int>(choices.rules.tiles));
    show_index(counts_, static_cast<int>(choices.counts));
    const QSignalBlocker quiet(chimera_);
    chimera_->setChecked(!choices.rules.flat);
    const TilingChoices usual;
    if (choices.rules != usual.rules || choices.counts != usual.counts) readings_->setChecked(true);
}

void TilingsPage::take_choices() {
    TilingChoices choices = study_->choices();
    const int row = workload_->currentIndex();
    choices.workload = row > 0 ? tilings::workloads()[static_cast<std::size_t>(row) - 1].name : std::string();
    choices.rules = {.same = static_cast<tilings::SameBlock>(same_->currentIndex()),
                     .padding = static_cast<tilings::Padding>(padding_->currentIndex()),
                     .tiles = static_cast<tilings::SharedTiles>(shared_->currentIndex()),
                     .flat = !chimera_->isChecked()};
    choices.counts = static_cast<tilings::TripCounts>(counts_->currentIndex());
    study_->set_choices(choices);
}

QString TilingsPage::subject() const {
    const TilingChoices choices = study_->choices();
    if (!choices.workload.empty()) return QString::fromStdString(choices.workload);
    return document_.empty() ? QString() : QString::fromStdString(document_.content().name);
}

void TilingsPage::refresh() {
    const RankedSpacePtr found = study_->found();
    for (QWidget* part :
         std::initializer_list<QWidget*>{workload_, same_, padding_, shared_, counts_, chimera_})
        part->setEnabled(!document_.empty());
    show_choices();
    if (!failure_.isEmpty())
        sentence_->setText(failure_);
    else if (found)
        sentence_->setText(space_text(*found, subject()));
    else if (study_->busy())
        sentence_->setText(
            tr("Finding the tilings of %1 on %2.")
                .arg(subject(), QString::fromStdString(Forecast::of(document_).device().title)));
    else if (study_->given_up())
        sentence_->setText(tr("The search for tilings was cancelled."));
    else
        sentence_->setText(study_->why_not());
    tabs_->setVisible(found != nullptr);
    setFocusProxy(found ? static_cast<QWidget*>(tabs_) : workload_);
    funnel_->show_space(found);
    expressions_->show_space(found);
    expressions_->show_states(study_->states());
    candidates_->show_space(found);
    show_measured();
}

void TilingsPage::show_measured() {
    const RankedSpacePtr found = study_->found();
    const bool measuring = study_->measuring();
    const bool may = found && !measuring && study_->cannot_measure().isEmpty();
    find_->setVisible(!found && study_->given_up());
    all_->setVisible(found != nullptr);
    some_->setVisible(found != nullptr);
    copy_->setVisible(found != nullptr);
    all_->setEnabled(may);
    some_->setEnabled(may && !candidates_->chosen().empty());
    cancel_->setVisible(measuring || study_->busy());
    progress_->setVisible(measuring || study_->busy());
    if (measuring || study_->busy()) progress_->show_share(study_->work().permille());
    QString text;
    if (found && !study_->cannot_measure().isEmpty()) {
        text = tr("Not measured here");
        measured_->setToolTip(study_->cannot_measure());
    } else if (found) {
        const TilingsRun* run = study_->run();
        const QString machine = run ? QString::fromStdString(run->machine) : study_->machine();
        text = tr("%1 of %2 measured")
                   .arg(whole_text(study_->measured()),
                        whole_text(static_cast<std::int64_t>(found->space.candidates.size())));
        const bool here = machine == study_->machine();
        QStringList tip{here ? tr("On this machine: %1").arg(machine)
                             : tr("On another machine: %1").arg(machine)};
        if (found->device.kind == DeviceKind::Gpu)
            tip << tr("Estimates are those of %1.").arg(QString::fromStdString(found->device.title));
        if (here && !study_->doubts().isEmpty()) {
            text = tr("%1, with doubts").arg(text);
            tip << study_->doubts();
        }
        measured_->setToolTip(tip.join(QLatin1Char('\n')));
    }
    measured_->setText(text);
    candidates_->show_times(*study_);
    search_->refresh();
    plots_->refresh();
    comparison_->refresh();
}

void TilingsPage::measure_chosen() {
    study_->measure(candidates_->chosen());
}

void TilingsPage::copy() {
    const RankedSpacePtr found = study_->found();
    if (!found) return;
    QStringList lines{sentence_->text(), whole_space_text(found->space)};
    for (std::size_t i = 0; i < found->space.funnel.size(); ++i)
        lines << QStringLiteral("%1\t%2").arg(funnel_rule_title(static_cast<int>(i)),
                                              whole_text(found->space.funnel[i].left));
    lines << tile_sizes_text(found->space);
    for (std::size_t i = 0; i < found->space.expressions.size(); ++i) {
        const QString rule = rule_of_expression(found->space, static_cast<int>(i));
        lines << QStringLiteral("%1\t%2").arg(expression_title(found->space, static_cast<int>(i)),
                                              rule.isEmpty() ? tr("kept") : rule);
    }
    if (const QString compared = comparison_->text(); !compared.isEmpty()) lines << compared;
    if (const tilings::Search* search = study_->search()) {
        for (std::size_t i = 0; i < search->rounds.size(); ++i) lines << round_text(*found, *search, i);
        lines << search_text(*found, *search);
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
    services_.say(tr("The tilings were copied."));
}

QString TilingsPage::sentence() const {
    return sentence_->text();
}

QString TilingsPage::measured_text() const {
    return measured_->text();
}

}  // namespace blockscope

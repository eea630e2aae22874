#include "app/window/main_window.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QObject>
#include <QPointer>
#include <QScreen>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QVBoxLayout>
#include <cstring>
#include <utility>

#include "app/compare/compare_view.h"
#include "app/costs/best.h"
#include "app/costs/choosers.h"
#include "app/document/journal.h"
#include "app/scene/canvas.h"
#include "app/shell/actions.h"
#include "app/shell/caption_bar.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/shell/settings.h"
#include "app/shell/telling.h"
#include "app/window/docks.h"
#include "app/window/message_bars.h"
#include "app/window/model_bar.h"
#include "app/window/panel_table.h"
#include "app/window/picture_view.h"
#include "app/window/presenter.h"
#include "app/window/start_page.h"
#include "app/window/status_bar.h"
#include "app/window/tab_order.h"

namespace blockscope {

// ---- Menus and the toolbar, from the table of actions.

namespace {

// The menu itself, or the one within it that the action belongs to, made with its first action.
QMenu& menu_for(QMenu& menu, const ActionInfo& info) {
    if (*info.submenu == 0) return menu;
    const QString name = QString::fromLatin1(info.submenu);
    if (auto* found = menu.findChild<QMenu*>(name, Qt::FindDirectChildrenOnly)) return *found;
    QMenu* made = menu.addMenu(QCoreApplication::translate("actions", info.submenu));
    made->setObjectName(name);
    return *made;
}

void make_menus(QMainWindow& window, Actions& actions) {
    // The window has the keys too: a presentation hides the menus, and the keys of hidden menus are dead.
    for (const ActionInfo& info : action_table())
        if (info.scope == KeyScope::Window) window.addAction(actions.get(info.id));
    for (const char* menu : action_menus()) {
        QMenu* made = nullptr;
        for (const ActionInfo& info : action_table()) {
            if (std::strcmp(info.menu, menu) != 0) continue;
            if (made == nullptr) {
                made = window.menuBar()->addMenu(QCoreApplication::translate("actions", menu));
                made->setObjectName(QString::fromLatin1(menu));
                made->setToolTipsVisible(false);  // the status bar shows them
            }
            if (info.separator) made->addSeparator();
            menu_for(*made, info).addAction(actions.get(info.id));
        }
    }
}

QToolBar* make_toolbar(QMainWindow& window, Actions& actions) {
    auto* bar = window.addToolBar(QCoreApplication::translate("MainWindow", "Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setAccessibleName(bar->windowTitle());
    bar->setMovable(false);
    bar->toggleViewAction()->setVisible(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    const char* menu = nullptr;
    for (const ActionInfo& info : action_table()) {
        if (!info.toolbar) continue;
        if (menu != nullptr && std::strcmp(menu, info.menu) != 0) bar->addSeparator();
        menu = info.menu;
        bar->addAction(actions.get(info.id));
    }
    return bar;
}

// One device and one objective for all pages.
void add_choosers(QToolBar& bar, Document& document) {
    auto* space = new QWidget(&bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar.addWidget(space);
    const auto add = [&bar](const QString& name, QWidget* chooser) {
        auto* label = new QLabel(name, &bar);
        label->setContentsMargins(10, 0, 6, 0);
        label->setBuddy(chooser);
        bar.addWidget(label);
        bar.addWidget(chooser);
    };
    add(QCoreApplication::translate("MainWindow", "Device"), new DeviceChooser(document, &bar));
    add(QCoreApplication::translate("MainWindow", "Best by"), new ObjectiveChooser(document, &bar));
}

void to_end(Document& document) {
    if (document.empty()) return;
    const Branch& branch = document.content().history.branch(document.content().branch);
    if (document.content().current == branch.tip && branch.stopped.empty()) document.run_from_here();
    document.end();
}

void refresh(Actions& actions, Document& document) {
    const bool open = !document.empty();
    actions.enable("edit.undo", document.can_undo());
    actions.enable("edit.redo", document.can_redo());
    const auto text = [&](const char* id, const QString& label) {
        const QString plain = action_text(actions.info(id));
        actions.get(id)->setText(label.isEmpty() ? plain : QStringLiteral("%1: %2").arg(plain, label));
    };
    text("edit.undo", document.undo_label());
    text("edit.redo", document.redo_label());
    for (const char* id : {"step.forward", "step.next_snapshot", "step.end"})
        actions.enable(id, document.can_forward());
    for (const char* id : {"step.back", "step.home", "step.previous_snapshot"})
        actions.enable(id, document.can_back());
    const std::optional<StateId> best = Best::of(document).state();
    actions.enable("step.best", best && *best != document.content().current);
    actions.enable("step.play", document.can_forward() || document.can_back());
    actions.enable("step.run", open);
    actions.enable("step.algorithm", left_algorithm(document));
    actions.enable("step.rename", open && document.content().state().step);
    actions.enable("step.group", open && document.content().history.states().size() > 1);
    actions.enable("step.compare", open && (document.can_back() || !document.content().compared.empty()));
    for (const char* id :
         {"view.toggle_fold", "view.fold_all", "view.unfold_all", "view.fold_depth_1", "view.fold_depth_2",
          "view.fold_depth_3", "view.tidy", "view.fit", "view.fit_selection", "view.actual_size",
          "view.zoom_in", "view.zoom_out", "view.safe", "edit.copy_picture", "edit.copy_link"})
        actions.enable(id, open);
}

// Stepping, undo and the algorithm from the table of actions, and which of them make sense now.
void connect_step_actions(Actions& actions, Document& document) {
    actions.on("edit.undo", [&document] { document.undo(); });
    actions.on("edit.redo", [&document] { document.redo(); });
    LessonDesk& lessons = LessonDesk::of(document);
    actions.on("step.forward", [&document, &lessons] {
        // After a prediction comes the next question, not a step that nobody has predicted.
        const bool predicted = lessons.quizzing() && !lessons.busy() && lessons.player().done();
        predicted ? lessons.forward() : document.forward();
    });
    actions.on("step.back", [&document] { document.back(); });
    actions.on("step.next_snapshot", [&document] { document.next_snapshot(); });
    actions.on("step.previous_snapshot", [&document] { document.previous_snapshot(); });
    actions.on("step.home", [&document] { document.home(); });
    actions.on("step.end", [&document] { to_end(document); });
    Best& best = Best::of(document);
    actions.on("step.best", [&best] { best.go(); });
    actions.on("step.algorithm", [&document] { back_to_algorithm(document); });
    actions.on("step.compare", [&document] {
        if (document.empty()) return;
        const bool ends = !document.content().compared.empty();
        if (ends || document.can_back())
            document.compare_with(ends ? std::vector<StateId>{}
                                       : std::vector{document.content().state().parent});
    });
    actions.on("step.run", [&document] { document.run_from_here(); });
    const auto look = [&actions, &document] { refresh(actions, document); };
    QObject::connect(&document, &Document::content_changed, &actions, look);
    QObject::connect(&best, &Best::changed, &actions, look);
    look();
}

// Beside the journals: both are the user's data.
QString lesson_folder(const QString& journals) {
    return QFileInfo(journals).path() + QStringLiteral("/lessons");
}

const QString kGeometry = QStringLiteral("window/geometry");
const QSize kFirstSize(1440, 900);
constexpr QSize kSmall(1400, 800);  // of windows with a compact timeline: below one of these
constexpr int kNarrow = 1170;       // pixels; of windows whose side panels lie over the picture: below this
constexpr int kLeastCentre = 240;   // pixels wide, whatever its pages would like

// A page that stands beside the picture has no tab of its own.
void show_page(QTabWidget& pages, int index) {
    const bool beside = !pages.isTabVisible(index);
    pages.setCurrentIndex(beside ? 0 : index);
    give_keys(beside ? *pages.widget(index) : *pages.currentWidget());
}

// ---- The picture and the circuit.

// Shows the picture and the circuit behind two tabs, or beside each other behind one.
class SideBySide : public QObject {
public:
    // Takes the place of `picture`, the first page of `pages`; the second page that it joins is at `index`.
    SideBySide(QTabWidget& pages, int index, Actions& actions, Settings& settings);

    bool on() const;
    void set_on(bool on);

private:
    QTabWidget& pages_;
    const int index_;
    QSplitter* splitter_;
    QWidget* beside_;  // the second page
    QWidget* keeper_;  // stands behind its tab, and holds it while it is there
    Actions& actions_;
    Settings& settings_;
};

const QString kBesideKey = QStringLiteral("window/circuit_beside");

SideBySide::SideBySide(QTabWidget& pages, int index, Actions& actions, Settings& settings)
    : QObject(&pages),
      pages_(pages),
      index_(index),
      splitter_(new QSplitter(Qt::Horizontal)),
      beside_(pages.widget(index)),
      keeper_(new QWidget),
      actions_(actions),
      settings_(settings) {
    const QString first = pages.tabText(0), second = pages.tabText(index);
    QWidget* picture = pages.widget(0);
    const int shown = pages.currentIndex();
    pages.removeTab(index);
    pages.removeTab(0);
    splitter_->addWidget(picture);
    splitter_->setChildrenCollapsible(false);
    splitter_->setFocusProxy(picture);
    picture->show();
    auto* column = new QVBoxLayout(keeper_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(beside_);
    beside_->show();
    keeper_->setFocusProxy(beside_);
    pages.insertTab(0, splitter_, first);
    pages.insertTab(index, keeper_, second);
    pages.setCurrentIndex(shown);
    actions.on_toggle(
        "circuit.beside", [this](bool on) { set_on(on); }, this);
    set_on(settings.value(kBesideKey).toBool());
}

bool SideBySide::on() const {
    return splitter_->count() > 1;
}

void SideBySide::set_on(bool on) {
    actions_.set_checked("circuit.beside", on);
    settings_.set_value(kBesideKey, on);
    if (on == this->on()) return;
    if (on) {
        splitter_->addWidget(beside_);
        const int half = splitter_->width() / 2;
        splitter_->setSizes({half, half});
        pages_.setCurrentIndex(0);
    } else {
        keeper_->layout()->addWidget(beside_);
    }
    pages_.setTabVisible(index_, !on);
    beside_->show();
}

}  // namespace

MainWindow::MainWindow(Settings& settings, Appearance& appearance, const QString& journals)
    : settings_(settings),
      appearance_(appearance),
      journals_(journals),
      costs_(Costs::of(document_)),
      lesson_store_(lesson_folder(journals), settings),
      lessons_(LessonDesk::of(document_)),
      pictures_(qt_measure()),
      services_{.pictures = pictures_,
                .proofs = proofs_,
                .actions = actions_,
                .appearance = appearance_,
                .settings = settings_,
                .work = work_,
                .show_panel = [this](const std::string& panel) { show_panel(panel); },
                .say = [this](const QString& text) { statusBar()->showMessage(text, 6000); },
                .wrote = [this](const QString& path) { written_->show_file(path); },
                .open_program =
                    [this](const QString& name, const QString& text,
                           const std::optional<StateChoice>& state) { open_beside(name, text, state); }},
      opener_(document_, settings_, work_),
      thumbnails_(std::make_unique<Thumbnails>(pictures_, appearance_)) {
    setObjectName(QStringLiteral("main_window"));
    setAcceptDrops(true);
    keep_choices(document_, settings_);
    setMinimumSize(720, 480);
    lessons_.set_store(lesson_store_);
    make_centre();
    docks_ = new Docks(*this, document_, services_);
    docks_->put_strips(*row_, *pages_);
    add_centre_pages();
    connect_file_actions();
    connect_view_actions();
    connect_window_actions();
    connect_lesson_actions();
    connect_step_actions(actions_, document_);
    make_menus(*this, actions_);
    toolbar_ = make_toolbar(*this, actions_);
    add_choosers(*toolbar_, document_);
    presenter_ = new Presenter(document_, services_, *view_, this);
    setStatusBar(new StatusBar(document_, services_, view_->canvas(), this));
    palette_ = new CommandPalette(appearance_, this);
    ring_ = new FocusRing(*this);
    connect_parts();
    connect_lessons();
    take_files_from_fields();
    restyle();
    check_settings();
    const QSize frame(0, style()->pixelMetric(QStyle::PM_TitleBarHeight));
    resize(kFirstSize.boundedTo(screen()->availableSize() - frame));
    restoreGeometry(settings_.value(kGeometry).toByteArray());
    docks_->recall();
    show_start(true);
    retitle();
}

// The widgets go before what they use, which are members.
MainWindow::~MainWindow() {
    ending_ = true;
    for (const QPointer<MainWindow>& window : beside_) delete window.data();
    disconnect(&work_, nullptr, nullptr, nullptr);
    std::vector<QPointer<QWidget>> parts;
    for (QWidget* part : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        parts.emplace_back(part);
    for (const QPointer<QWidget>& part : parts) delete part.data();
    delete docks_;
}

void MainWindow::make_centre() {
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    problems_ = new ProblemBar(appearance_, centre);
    column->addWidget(problems_);
    recovery_ = new RecoveryBar(
        opener_, [this](std::function<void()> next) { leave_and(std::move(next)); }, centre);
    recovery_->look(journals_);
    column->addWidget(recovery_);
    written_ = new WrittenBar(centre);
    column->addWidget(written_);
    model_ = new ModelBar(centre);
    column->addWidget(model_);
    progress_ = new ProgressFrame(centre);
    progress_->follow(work_);
    progress_->follow(document_);
    progress_->follow(opener_.saving());
    column->addWidget(progress_);
    stack_ = new QStackedWidget(centre);
    row_ = new QHBoxLayout;
    row_->setSpacing(0);
    row_->addWidget(stack_, 1);
    column->addLayout(row_, 1);
    start_ = new StartPage(settings_, actions_, appearance_, *thumbnails_, lesson_store_, stack_);
    stack_->addWidget(start_);
    pages_ = new QTabWidget(stack_);
    pages_->setDocumentMode(true);
    pages_->setAccessibleName(tr("Views"));
    pages_->tabBar()->setAccessibleName(tr("Views"));
    pages_->tabBar()->setObjectName(QStringLiteral("page_tabs"));  // seven, in small windows, too
    pages_->setTabBarAutoHide(true);
    QWidget* within = page_parent(*pages_);
    view_ = new PictureView(document_, services_, within);
    const CaptionedPage captioned = with_caption(
        picture_or_comparison(view_, document_, pictures_, appearance_, within), document_, appearance_);
    pages_->addTab(captioned.page, tr("Picture"));
    const auto tell_price = [this, caption = captioned.caption] {
        if (document_.empty()) return caption->set_price({}, {}, {});
        const Best& best = Best::of(document_);
        const StateId current = document_.content().current;
        caption->set_price(best.price(current), best.price_reason(current), best.price_with_cause(current));
    };
    connect(&document_, &Document::content_changed, captioned.caption, tell_price);
    connect(&Best::of(document_), &Best::changed, captioned.caption, tell_price);
    pages_->setMinimumWidth(kLeastCentre);
    stack_->addWidget(pages_);
    setCentralWidget(centre);
}

// Panels of the centre stand behind tabs beside the picture; their actions go there and back.
void MainWindow::add_centre_pages() {
    for (const PanelInfo& panel : panel_table()) {
        if (panel.area != PanelArea::Centre) continue;
        QWidget* page = panel.make(document_, services_, page_parent(*pages_));
        const QString title = QCoreApplication::translate("actions", panel.title);
        if (page->accessibleName().isEmpty()) page->setAccessibleName(title);
        const char* tab = panel.tab != nullptr ? panel.tab : panel.title;
        const int index = pages_->addTab(page, QCoreApplication::translate("actions", tab));
        page_of_[panel.id] = index;
        actions_.on_toggle(
            panel.id, [this, index](bool on) { show_page(*pages_, on ? index : 0); }, this);
    }
    new SideBySide(*pages_, page_of_.at("panel.circuit"), actions_, settings_);
    for (const PanelInfo& panel : panel_table())
        if (const auto page = page_of_.find(panel.id); page != page_of_.end())
            pages_->setTabToolTip(page->second, QCoreApplication::translate("actions", panel.help));
    connect(pages_, &QTabWidget::currentChanged, docks_, &Docks::clear_overlay);
    connect(pages_, &QTabWidget::currentChanged, this, [this](int current) {
        for (const auto& [panel, index] : page_of_) actions_.set_checked(panel, index == current);
        if (appearance_.presenting()) appearance_.set_presenting(true, presented());
    });
    // What is compared stands in the picture's place.
    connect(&document_, &Document::content_changed, pages_, [this, before = std::size_t{}]() mutable {
        const std::size_t now = document_.empty() ? 0 : document_.content().compared.size();
        if (now > std::exchange(before, now) && pages_->currentIndex() != 0) show_page(*pages_, 0);
    });
    // By a click as by its action: the page itself has the focus, not the first button on it.
    connect(
        pages_, &QTabWidget::tabBarClicked, this,
        [this](int index) {
            if (index >= 0 && index == pages_->currentIndex()) show_page(*pages_, index);
        },
        Qt::QueuedConnection);
}

void MainWindow::connect_parts() {
    connect(&opener_, &Opener::refused, this, [this](const QString& file, const Problems& problems) {
        problems_->show_problems(file, problems);
    });
    connect(&opener_, &Opener::not_saved, problems_, &ProblemBar::show_not_saved);
    connect(&opener_, &Opener::saved, problems_, &ProblemBar::end_not_saved);
    connect(&opener_, &Opener::brought_back, this, [this](const Recovered& recovered) {
        journal_ ? journal_->replace(recovered) : discard(recovered);
    });
    connect(&opener_, &Opener::loaded, this, [this] {
        problems_->hide();
        show_start(false);
    });
    connect(&opener_, &Opener::model_opened, model_, &ModelBar::show_report);
    connect(model_, &ModelBar::sizes_asked, this, [this] { show_panel("panel.sizes"); });
    connect(model_, &ModelBar::layers_asked, this, [this] { show_panel("panel.layers"); });
    connect(&opener_, &Opener::circuit_chosen, this, &MainWindow::show_circuit);
    connect(&opener_, &Opener::said, this, [this](const QString& text) { services_.say(text); });
    connect(&pictures_, &Pictures::failed, problems_, &ProblemBar::show_failure);
    connect(&settings_, &Settings::changed, this, &MainWindow::keep_journal);
    keep_journal();
    connect(&document_, &Document::failed, problems_, &ProblemBar::show_failure);
    connect(&document_, &Document::said, this, [this](const QString& what) { services_.say(what); });
    connect(&work_, &Work::failed, problems_, [this](const QString& what) {
        problems_->show_failure(tr("Blockscope found a mistake of its own and stopped: %1").arg(what));
    });
    connect(&document_, &Document::saved_changed, this, &MainWindow::retitle);
    connect(&Draft::of(document_), &Draft::changed, this, &MainWindow::retitle);
    connect(&document_, &Document::opened, this, &MainWindow::retitle);
    connect(&document_, &Document::opened, model_, &ModelBar::forget);
    connect(&document_, &Document::opened, this, [this] {
        if (const auto labels = document_.view().edge_labels) settings_.set_edge_labels(*labels);
    });
    connect(&document_, &Document::content_changed, this, [this] {
        check_rules();
        proofs_.prove(document_.snapshot());
        if (document_.empty()) return;
        model_->follow(document_.content().program()->dims);
        if (on_start_page()) show_start(false);  // nothing changes out of sight
    });
    connect(problems_, &ProblemBar::try_again, this, &MainWindow::open_instead);
    connect(problems_, &ProblemBar::save_again, this,
            [this](const QString& file) { opener_.save_and(file, [] {}); });
    connect(problems_, &ProblemBar::save_elsewhere, this, [this] { save_as([] {}); });
    connect(problems_, &ProblemBar::choose_other, this, &MainWindow::choose_file);
    connect(start_, &StartPage::sample_chosen, this, [this](const Sample& sample) {
        leave_and([this, &sample] {
            if (lessons_.active()) lessons_.leave();  // a program is asked for, not the lesson
            opener_.open_sample(sample);
        });
    });
    connect(start_, &StartPage::file_chosen, this, &MainWindow::open_instead);
    connect(start_, &StartPage::lesson_chosen, this, &MainWindow::begin_lesson);
    connect(start_, &StartPage::back_chosen, this, [this] { show_start(false); });
    connect(&appearance_, &Appearance::changed, this, &MainWindow::restyle);
    connect(&settings_, &Settings::changed, this, &MainWindow::check_settings);
}

void MainWindow::keep_journal() {
    if (settings_.journal() == (journal_ != nullptr)) return;
    if (!settings_.journal()) {
        journal_->finish();
        return journal_.reset();
    }
    journal_ = std::make_unique<Journal>(document_, journals_);
    connect(journal_.get(), &Journal::failed, problems_, &ProblemBar::show_failure);
}

bool MainWindow::on_start_page() const {
    return stack_->currentWidget() == start_;
}

void MainWindow::show_start(bool start) {
    if (start) present(false);
    setUpdatesEnabled(false);  // the panels of the user's own arrangement are not to be seen in between
    thumbnails_->pause(!start);
    stack_->setCurrentWidget(start ? static_cast<QWidget*>(start_) : pages_);
    if (start) docks_->set_calm(false);  // what is kept is the user's own arrangement
    docks_->set_shown(!start && !appearance_.presenting());
    if (!start && lessons_.active()) docks_->set_calm(true);
    actions_.enable("view.presentation", !start);
    setUpdatesEnabled(true);
    (start ? static_cast<QWidget*>(start_) : view_)->setFocus();
}

void MainWindow::show_panel(const std::string& panel) {
    if (document_.empty()) return;
    if (on_start_page()) show_start(false);
    present(false);
    if (const auto page = page_of_.find(panel); page != page_of_.end()) {
        return show_page(*pages_, page->second);
    }
    docks_->raise(panel);
}

void MainWindow::present(bool on) {
    if (on == appearance_.presenting() || (on && document_.empty()))
        return actions_.set_checked("view.presentation", on);
    if (on) {
        show_start(false);
        const bool circuit = pages_->currentIndex() == page_of_.at("panel.circuit");
        full_before_ = isFullScreen();
        page_before_ = circuit ? 0 : pages_->currentIndex();
        if (!circuit) pages_->setCurrentIndex(0);
        docks_->set_shown(false);
    }
    appearance_.set_presenting(on, on ? presented() : std::vector<QWidget*>{});
    on ? presenter_->begin() : presenter_->end();
    actions_.set_checked("view.presentation", on);
    docks_->set_shown(!on, true);
    for (QWidget* part : std::initializer_list<QWidget*>{menuBar(), toolbar_, statusBar()})
        part->setVisible(!on);
    recovery_->hold_back(on);
    pages_->tabBar()->setVisible(!on && pages_->count() > 1);
    if (!on && pages_->currentIndex() == 0) pages_->setCurrentIndex(page_before_);
    const bool full = on || full_before_;
    setWindowState(full ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen);
    (pages_->currentIndex() == 0 ? static_cast<QWidget*>(view_) : pages_->currentWidget())->setFocus();
}

// The page that is seen, and what may come over it.
std::vector<QWidget*> MainWindow::presented() const {
    return {pages_->currentWidget(), problems_, progress_, palette_};
}

QString MainWindow::called() const {
    if (document_.empty()) return {};
    if (opener_.has_document_file()) return QFileInfo(document_.path()).completeBaseName();
    return QString::fromStdString(document_.content().name);
}

void MainWindow::retitle() {
    const QString name = called();
    start_->offer_way_back(name);
    if (document_.empty()) {
        setWindowTitle(tr("Blockscope"));
        return;
    }
    setWindowTitle(tr("%1[*] - Blockscope").arg(name));
    setWindowModified(opener_.has_unsaved_work());
}

// The actions of settings say what they are.
void MainWindow::check_settings() {
    actions_.set_checked("view.theme_light", settings_.theme() == ThemeChoice::Light);
    actions_.set_checked("view.theme_dark", settings_.theme() == ThemeChoice::Dark);
    actions_.set_checked("view.theme_system", settings_.theme() == ThemeChoice::System);
    actions_.set_checked("view.edge_labels", settings_.edge_labels());
    actions_.set_checked("view.minimap", settings_.minimap());
    actions_.set_checked("view.legend", settings_.legend());
    actions_.set_checked("picture.flow_automatic", settings_.flow() == FlowChoice::Automatic);
    actions_.set_checked("picture.flow_down", settings_.flow() == FlowChoice::Down);
    actions_.set_checked("picture.flow_right", settings_.flow() == FlowChoice::Right);
    actions_.set_checked("view.paper_loops", settings_.paper_loops());
    check_rules();
}

const std::map<std::string, RuleSet>& MainWindow::rule_choices() {
    static const std::map<std::string, RuleSet> choices = {
        {"rules.extended", {}}, {"rules.paper", kPaperRules}, {"rules.rounding", {.rounding = true}}};
    return choices;
}

// Those of the document; without one, those that the next program is opened with.
void MainWindow::check_rules() {
    const RuleSet now = document_.empty() ? rules_of(settings_) : document_.content().history.rules();
    for (const auto& [id, rules] : rule_choices()) actions_.set_checked(id, rules == now);
}

// Small windows keep their height for the picture, unless the user wants the timeline large there; and narrow
// ones their width.
void MainWindow::choose_form() {
    const bool small = width() < kSmall.width() || height() < kSmall.height();
    const bool compact = settings_.compact().value_or(small);
    docks_->set_compact(compact);
    actions_.set_checked("view.compact", compact);
    const bool overlaid = settings_.overlay().value_or(width() < kNarrow);
    docks_->set_overlaid(overlaid);
    actions_.set_checked("view.overlay", overlaid);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    choose_form();
    QMainWindow::resizeEvent(event);
}

// Of Tab, and of Qt when what has the focus goes.
bool MainWindow::focusNextPrevChild(bool next) {
    if (ending_) return false;
    QWidget* stop = go_to_next_stop(*this, next);
    if (stop != nullptr) ring_->show_at(*stop);
    return stop != nullptr;
}

void MainWindow::restyle() {
    actions_.set_icons(appearance_.theme());
    const int size = appearance_.pixels() * 18 / 13;
    toolbar_->setIconSize({size, size});
}

}  // namespace blockscope

// What the actions of the window do: files, looks, help.
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <cstring>

#include "app/circuit/circuit_page.h"
#include "app/circuit/circuit_view.h"
#include "app/costs/best.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/cuda/cuda_page.h"
#include "app/cuda/diagnostics_dialog.h"
#include "app/document/files.h"
#include "app/document/journal.h"
#include "app/export/export_dialog.h"
#include "app/panels/listing_panel.h"
#include "app/panels/timeline.h"
#include "app/scene/canvas.h"
#include "app/shell/controls.h"
#include "app/shell/samples.h"
#include "app/shell/state_link.h"
#include "app/shell/term_help.h"
#include "app/window/dialogs.h"
#include "app/window/docks.h"
#include "app/window/main_window.h"
#include "app/window/message_bars.h"
#include "app/window/picture_view.h"
#include "app/window/start_page.h"
#include "app/window/text_dialogs.h"

namespace blockscope {
namespace {

QStringList files_of(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    return files;
}

}  // namespace

void MainWindow::connect_file_actions() {
    actions_.on("file.new", [this] {
        leave_and([this] {
            opener_.open_new([this] { show_panel("panel.editor"); });  // where it is written
        });
    });
    actions_.on("file.open", [this] { choose_file(); });
    actions_.on("file.start", [this] { show_start(document_.empty() || !on_start_page()); });
    actions_.on("file.save", [this] { save([] {}); });
    actions_.on("file.save_as", [this] { save_as([] {}); });
    actions_.on("file.export", [this] {
        const Canvas& canvas = view_->canvas();
        const auto* circuit = findChild<CircuitPage*>();
        ask_and_export(
            document_, services_,
            {.part = canvas.visible(),
             .lights = canvas.lights(),
             .circuit = circuit ? circuit->seen() : SeenCircuit{},
             .picture = view_->isVisible(),
             .shape = view_->shape()},
            [this](const QString& what) { problems_->show_failure(what); }, this);
    });
    actions_.on("file.hand_over", [this] {
        show_panel("panel.cuda");  // what is handed over, and what it is for
        if (auto* cuda = findChild<CudaPage*>()) cuda->ask_and_hand_over();
    });
    actions_.on("file.close", [this] {
        leave_and([this] {
            document_.close();
            problems_->hide();
            show_start(true);
        });
    });
    actions_.on("file.quit", [this] { close(); });
    const auto refresh = [this] {
        for (const char* id : {"file.save", "file.save_as", "file.export", "file.hand_over", "file.close"})
            actions_.enable(id, !document_.empty());
    };
    connect(&document_, &Document::opened, this, refresh);
    refresh();
}

void MainWindow::choose_file() {
    const QString folder = document_.path().isEmpty() ? QString() : QFileInfo(document_.path()).path();
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), folder,
        tr("Programs, documents and models (*.blockscope *.bp *.json *.onnx *.pt2);;All files (*)"));
    if (!path.isEmpty()) open_instead(path);
}

// A circuit opens in a window of its own: nothing is left for it.
void MainWindow::open_instead(const QString& path) {
    if (is_circuit_file(path)) return opener_.open_file(path);
    leave_and([this, path] { opener_.open_file(path); });
}

void MainWindow::save(std::function<void()> next) {
    if (document_.empty()) return;
    if (!opener_.has_document_file()) return save_as(std::move(next));
    if (FileStamp::of(document_).changed()) {
        QMessageBox box(QMessageBox::Warning, tr("Blockscope"),
                        tr("%1 was changed by another program.").arg(QFileInfo(document_.path()).fileName()),
                        QMessageBox::NoButton, this);
        box.setInformativeText(tr("Saving here takes its changes away."));
        const QPushButton* overwrite = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
        const QPushButton* elsewhere = box.addButton(tr("Save as..."), QMessageBox::ActionRole);
        box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox::RejectRole));
        box.exec();
        if (box.clickedButton() == elsewhere) return save_as(std::move(next));
        if (box.clickedButton() != overwrite) return;
    }
    write_to(document_.path(), std::move(next));
}

void MainWindow::save_as(std::function<void()> next) {
    if (document_.empty()) return;
    const QString name = file_name_of(called()) + QLatin1String(kDocumentSuffix);
    const QString start =
        document_.path().isEmpty() ? name : QFileInfo(document_.path()).path() + QLatin1Char('/') + name;
    QString path =
        where_to_write(this, tr("Save as"), tr("Blockscope documents (*.blockscope *.json)"), start);
    if (path.isEmpty()) return;
    // A document is JSON: whoever calls it so gets it under that name.
    const bool named = path.endsWith(QLatin1String(kDocumentSuffix)) || path.endsWith(QLatin1String(".json"));
    if (!named) {
        path += QLatin1String(kDocumentSuffix);
        if (QFileInfo::exists(path) &&
            QMessageBox::question(this, tr("Blockscope"),
                                  tr("Replace %1?").arg(QFileInfo(path).fileName())) != QMessageBox::Yes)
            return;
    }
    write_to(path, std::move(next));
}

void MainWindow::write_to(const QString& path, std::function<void()> next) {
    opener_.save_and(path, [this, next = std::move(next)] {
        statusBar()->showMessage(Draft::of(document_).text().isEmpty()
                                     ? tr("Saved.")
                                     : tr("Saved, without the edits of the program: they are not applied."),
                                 6000);
        next();
    });
}

void MainWindow::leave_and(std::function<void()> next) {
    if (!opener_.has_unsaved_work()) return next();
    QMessageBox box(QMessageBox::Question, tr("Blockscope"), tr("Save the changes of %1?").arg(called()),
                    QMessageBox::NoButton, this);
    box.setInformativeText(
        Draft::of(document_).text().isEmpty()
            ? tr("Steps, branches and notes that are not saved are lost.")
            : tr("Steps, branches and notes that are not saved are lost. The program was edited, too, and "
                 "the "
                 "edits are not applied (Ctrl+E shows them): a document does not hold them."));
    QPushButton* save_button = box.addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(tr("Do not save"), QMessageBox::DestructiveRole);
    box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(save_button);
    box.exec();
    if (box.clickedButton() == static_cast<QAbstractButton*>(save_button)) return save(std::move(next));
    if (box.clickedButton() == static_cast<QAbstractButton*>(discard)) next();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!leaving_ && opener_.has_unsaved_work()) {
        event->ignore();
        return leave_and([this] {
            leaving_ = true;
            const auto again = [this] {
                close();
                leaving_ = false;
            };
            QMetaObject::invokeMethod(this, again, Qt::QueuedConnection);  // not within this close
        });
    }
    present(false);
    docks_->set_calm(false);
    settings_.set_value(QStringLiteral("window/geometry"), saveGeometry());
    docks_->remember();
    if (journal_) journal_->finish();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!files_of(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

// A file is opened wherever it is dropped: fields of text would write its name down.
void MainWindow::take_files_from_fields() {
    for (QWidget* field : findChildren<QWidget*>())
        if (field->acceptDrops()) field->installEventFilter(this);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::DragEnter) return QMainWindow::eventFilter(watched, event);
    auto* drag = static_cast<QDragEnterEvent*>(event);
    if (files_of(drag->mimeData()).isEmpty()) return false;
    drag->ignore();  // it goes on to what is around the field, and in the end to the window
    return true;
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList files = files_of(event->mimeData());
    if (files.isEmpty()) return;
    event->acceptProposedAction();
    if (files.size() > 1)
        services_.say(tr("Of %1 files %2 is opened: the window has one document.")
                          .arg(QString::number(files.size()), QFileInfo(files.front()).fileName()));
    open_instead(files.front());
}

void MainWindow::connect_view_actions() {
    const auto theme = [this](const char* id, ThemeChoice choice) {
        actions_.on_toggle(id, [this, choice](bool) {
            settings_.set_theme(choice);
            check_settings();  // a second click on the same one leaves it checked
        });
    };
    theme("view.theme_light", ThemeChoice::Light);
    theme("view.theme_dark", ThemeChoice::Dark);
    theme("view.theme_system", ThemeChoice::System);
    const auto heat = [this](const char* id, HeatMetric metric) {
        actions_.on_toggle(id, [this, id, metric](bool on) {
            tell_heat(on ? actions_.get(id)->text().remove(QLatin1Char('&')) : QString());
            costs_.set_heat(on ? metric : HeatMetric::None);
        });
        connect(&costs_, &Costs::heat_changed, this,
                [this, id, metric] { actions_.set_checked(id, costs_.heat() == metric); });
    };
    connect(&costs_, &Costs::derivation_asked, this, [this] { show_panel("panel.costs"); });
    heat("heat.moved", HeatMetric::Moved);
    heat("heat.inputs", HeatMetric::Inputs);
    heat("heat.outputs", HeatMetric::Outputs);
    heat("heat.intermediates", HeatMetric::Intermediates);
    heat("heat.operations", HeatMetric::Operations);
    heat("heat.alive", HeatMetric::Alive);
    heat("heat.predicted", HeatMetric::Predicted);
    heat("heat.measured", HeatMetric::Measured);
    heat("heat.replication", HeatMetric::Replication);
    heat("heat.intensity", HeatMetric::Intensity);
    heat("heat.launches", HeatMetric::Launches);
    heat("heat.tasks", HeatMetric::Tasks);
    connect(&costs_, &Costs::heat_changed, this, &MainWindow::explain_heat);
    actions_.on("heat.derive", [this] { ask_for_number(); });
    actions_.on_toggle("view.edge_labels", [this](bool on) {
        document_.set_edge_labels(on);
        settings_.set_edge_labels(on);
    });
    actions_.on_toggle("view.minimap", [this](bool on) { settings_.set_minimap(on); });
    actions_.on_toggle("view.legend", [this](bool on) { settings_.set_legend(on); });
    actions_.on_toggle("view.safe", [this](bool on) { document_.show_safe(on); });
    connect(&document_, &Document::safe_changed, this,
            [this] { actions_.set_checked("view.safe", document_.shows_safe()); });
    actions_.on_toggle("view.paper_loops", [this](bool on) { settings_.set_paper_loops(on); });
    for (const auto& [id, rules] : rule_choices())
        actions_.on_toggle(id, [this, rules = rules](bool) {
            settings_.set_rules(QString::fromStdString(to_string(rules)));
            document_.set_rules(rules);
            check_settings();  // a second click on the same one leaves it checked
        });
    actions_.on_toggle("view.compact", [this](bool on) {
        settings_.set_compact(on);
        choose_form();
    });
    actions_.on_toggle("view.overlay", [this](bool on) {
        settings_.set_overlay(on);
        choose_form();
    });
    const auto flow = [this](const char* id, FlowChoice choice) {
        actions_.on_toggle(id, [this, choice](bool) {
            settings_.set_flow(choice);
            check_settings();
        });
    };
    flow("picture.flow_automatic", FlowChoice::Automatic);
    flow("picture.flow_down", FlowChoice::Down);
    flow("picture.flow_right", FlowChoice::Right);
    actions_.on_toggle("view.presentation", [this](bool on) { present(on); });
    actions_.on_toggle("view.full_screen", [this](bool on) {
        setWindowState(on ? windowState() | Qt::WindowFullScreen : windowState() & ~Qt::WindowFullScreen);
    });
    actions_.on("step.rename", [this] {
        if (document_.empty() || !document_.content().state().step) return;
        const StateId step = document_.content().current;
        bool good = false;
        const QString name = QInputDialog::getText(
            this, tr("Rename step"),
            tr("Name of step %1; empty: its rule's").arg(document_.content().state().depth),
            QLineEdit::Normal, QString::fromStdString(document_.content().state().name), &good);
        if (good) document_.rename_step(step, name);
    });
    actions_.on("step.group",
                [this] { ask_and_group_steps(document_, findChild<Timeline*>()->strip().selected(), this); });
    actions_.on("edit.copy_link", [this] {
        const QString link = link_to(document_);
        if (link.isEmpty()) return services_.say(tr("Save the document first: the link names its file."));
        QApplication::clipboard()->setText(link);
        services_.say(tr("On the clipboard: %1").arg(link));
    });
    actions_.on("edit.deselect", [this] { deselect(); });
    actions_.on("edit.settings", [this] {
        auto* dialog = new SettingsDialog(settings_, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
}

// A heat map without a number is not left without a word.
void MainWindow::tell_heat(const QString& shown) {
    if (document_.empty()) return;
    // Short: a narrow window cuts it.
    services().say(shown.isEmpty() ? tr("Timeline: %1").arg(Best::of(document_).objective_text())
                                   : tr("Timeline, too: %1").arg(shown.section(QStringLiteral(": "), -1)));
}

void MainWindow::explain_heat() {
    if (document_.empty() || costs_.heat() != HeatMetric::Measured) return;
    if (Measurements::of(document_).kernels_of(document_.content().current).empty())
        services().say(
            tr("Times of this state's operators are not known here. Measure it on a processor: Costs, "
               "Measure this."));
}

// In the listing of its line, else of what is selected.
void MainWindow::ask_for_number() {
    const auto* listing = findChild<ListingPanel*>();
    if (listing && listing->isAncestorOf(focusWidget()))
        listing->ask_for_number();
    else
        view_->ask_for_number();
}

// One thing at a time: what is on top goes first.
void MainWindow::deselect() {
    if (problems_->isVisible()) return problems_->hide();
    if (document_.preview()) return document_.set_preview({});
    if (docks_->clear_overlay()) return;
    const bool seen = view_->shows_selection();
    if (!document_.selection().empty() || !document_.glow().nodes.empty()) {
        document_.select({});
        document_.set_glow({});
        if (seen) return;
    }
    if (appearance_.presenting()) return present(false);
    if (on_start_page() && !document_.empty()) show_start(false);
}

void MainWindow::connect_window_actions() {
    actions_.on("window.picture", [this] {
        if (document_.empty()) return;
        show_start(false);
        pages_->setCurrentIndex(0);
        view_->setFocus();
    });
    actions_.on("window.reset", [this] {
        docks_->reset();
        if (on_start_page()) docks_->set_shown(false);
        if (lessons_.active() && !on_start_page()) docks_->set_calm(true);
    });
    actions_.on("window.arrangements", [this] { palette_->open(arrangement_commands()); });
    actions_.on("circuit.samples", [this] { palette_->open(circuit_commands()); });
    actions_.on("help.palette", [this] { palette_->open(commands()); });
    actions_.on("help.shortcuts", [this] {
        auto* sheet = new ShortcutSheet(appearance_, this);
        sheet->setAttribute(Qt::WA_DeleteOnClose);
        sheet->open();
    });
    actions_.on("help.glossary", [this] {
        auto* dialog = new GlossaryDialog(appearance_, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    auto* terms = new TermHelp(this);
    actions_.on("help.term", [this, terms] {
        if (!terms->explain_focus()) services_.say(tr("No word of the glossary stands here."));
    });
    actions_.on("help.diagnostics", [this] {
        auto* dialog = new DiagnosticsDialog(appearance_, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    actions_.on("help.about", [this] { about(); });
}

void MainWindow::about() {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About Blockscope"),
        tr("<h3>Blockscope %1</h3><p>See AI operator fusion: the rules and the algorithm of the Blockbuster "
           "paper, "
           "step by step.</p><p>Apache License 2.0. Uses Qt %2 (LGPL 3) and Graphviz (EPL 1.0).</p>")
            .arg(QStringLiteral(BLOCKSCOPE_VERSION), QString::fromLatin1(qVersion())),
        QMessageBox::NoButton, this);
    box->addButton(tr("Close"), QMessageBox::AcceptRole);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::show_circuit(const QString& path) {
    auto* window = new CircuitWindow(path, appearance_, this);
    connect(window, &CircuitWindow::refused, this,
            [this, path](const Problems& problems) { problems_->show_problems(path, problems); });
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
    if (!path.startsWith(QLatin1Char(':'))) settings_.add_recent(path);
}

void MainWindow::open_beside(const QString& name, const QString& text,
                             const std::optional<StateChoice>& state) {
    auto* window = new MainWindow(settings_, appearance_, journals_);
    window->setAttribute(Qt::WA_DeleteOnClose);
    beside_.emplace_back(window);
    window->resize(size());
    Forecast::of(window->document()).set_device(Forecast::of(document_).device().name);
    window->show();
    window->opener().open_program(name, text, [window, state] { window->opener().show_state(state); });
}

std::vector<Command> MainWindow::arrangement_commands() {
    std::vector<Command> all;
    for (const QString& name : docks_->arrangements())
        all.push_back({.text = name, .detail = tr("Arrangement"), .run = [this, name] {
                           show_start(false);
                           docks_->use(name);
                       }});
    all.push_back({.text = tr("Keep this arrangement as..."), .detail = tr("Arrangements"), .run = [this] {
                       bool good = false;
                       const QString name = QInputDialog::getText(this, tr("Keep this arrangement"),
                                                                  tr("Name"), QLineEdit::Normal, {}, &good)
                                                .trimmed();
                       if (good && !name.isEmpty()) docks_->keep(name);
                   }});
    for (const QString& name : docks_->arrangements())
        all.push_back({.text = tr("Forget %1").arg(name), .detail = tr("Arrangements"), .run = [this, name] {
                           docks_->forget(name);
                       }});
    return all;
}

std::vector<Command> MainWindow::circuit_commands() {
    std::vector<Command> all;
    for (const CircuitSample& sample : circuit_samples())
        all.push_back({.text = sample.title,
                       .detail = tr("Sample circuit"),
                       .run = [this, path = sample.path] { show_circuit(path); },
                       .data = true});
    return all;
}

std::vector<Command> MainWindow::commands() {
    std::vector<Command> all;
    for (const ActionInfo& info : action_table()) {
        if (std::string(info.id) == "help.palette") continue;
        QAction* action = actions_.get(info.id);
        all.push_back({.text = action_plain_text(info),
                       .detail = action_menu(info),
                       .keys = action_keys(info),
                       .enabled = action->isEnabled(),
                       .run = [action] { action->trigger(); }});
    }
    if (!document_.empty()) {
        const Content& content = document_.content();
        const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
        for (std::size_t i = 0; i < way.size(); ++i) {
            const HistoryState& state = content.history.state(way[i]);
            const QString detail =
                state.step ? tr("Rule %1").arg(QString::fromStdString(to_string(state.step->match.rule)))
                           : tr("The initial program");
            all.push_back({.text = tr("Go to step %1").arg(i), .detail = detail, .run = [this, id = way[i]] {
                               show_start(false);
                               document_.go(id);
                           }});
        }
    }
    for (const LessonInfo& lesson : lesson_shelf())
        all.push_back({.text = lesson.title(),
                       .detail = tr("Lesson"),
                       .run = [this, &lesson] { begin_lesson(lesson); },
                       .data = true});
    for (const Sample& sample : samples())
        all.push_back(
            {.text = sample.title,
             .detail = tr("Sample"),
             .run = [this, &sample] { leave_and([this, &sample] { opener_.open_sample(sample); }); },
             .data = true});
    for (Command& command : circuit_commands()) all.push_back(std::move(command));
    for (const QString& path : settings_.recent_files())
        all.push_back({.text = QFileInfo(path).fileName(),
                       .detail = tr("Recent file"),
                       .run = [this, path] { open_instead(path); },
                       .data = true});
    return all;
}

}  // namespace blockscope

#include "app/cuda/cuda_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/costs/best.h"
#include "app/costs/choosers.h"
#include "app/costs/costs.h"
#include "app/costs/measure_bar.h"
#include "app/cuda/cuda_source.h"
#include "app/cuda/hand_over.h"
#include "app/document/files.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/code_view.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/words/words.h"
#include "app/worker/card_search.h"
#include "core/json/device_files.h"

namespace blockscope {

namespace {

constexpr const char* kNoCard = "sm_80";  // what is generated for without a card
constexpr int kOverlayTop = 16;           // of what says that the source is late
constexpr int kLeastCode = 140;           // pixels: some eight lines
constexpr int kLeastLower = 150;          // tabs, a sentence and three kernels

QString text_of(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

}  // namespace

CudaPage::CudaPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      measurements_(Measurements::of(document)),
      measuring_(new MeasureBar(document, this)),
      note_(new QLabel(this)),
      view_(new CodeView(services.appearance, this)),
      links_(new CodeLinks(document, *view_)),
      filler_(new LineFiller(*view_)),
      highlighter_(new CudaHighlighter(view_->document(), services.appearance)),
      late_(new ProgressOverlay(generating_, kOverlayTop, view_)) {
    QWidget* all = make_scrolled_content(this);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    column->addWidget(measuring_);
    column->addWidget(note_);
    note_->setWordWrap(true);
    note_->setContentsMargins(10, 2, 10, 6);
    view_->setAccessibleName(tr("CUDA"));
    view_->setReadOnly(true);
    view_->setUndoRedoEnabled(false);
    view_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(make_parts(), 1);
    setFocusProxy(view_);
    connect_parts();
    name_targets();
    show_compile_button();
}

CudaPage::~CudaPage() {
    stop_compiling();
}

QWidget* CudaPage::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(8);
    target_ = new QComboBox(bar);
    target_->setAccessibleName(tr("Target"));
    target_->setToolTip(
        tr("What the source is for. sm_80 and later use tensor cores for 16-bit types; f32 computes without "
           "them, "
           "on any card from sm_75 on."));
    target_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    target_->addItem(QString(), QString());
    for (const gpu::Target target : gpu::all_targets())
        target_->addItem(text_of(to_string(target)), text_of(to_string(target)));
    row->addWidget(target_);
    row->addWidget(new TypeChooser(costs_, TypeChooser::For::Kernels, bar));
    tf32_ = new QCheckBox(tr("tf32"), bar);
    tf32_->setToolTip(
        tr("Of arrays in float32: products by tensor cores, operands rounded to 11 bits, sums in float32"));
    row->addWidget(tf32_);
    safe_ = new QCheckBox(tr("Numerically safe"), bar);
    safe_->setToolTip(
        tr("The form in which no exponential overflows; measurements on a card always take it"));
    safe_->setChecked(costs_.safe());
    library_ = new QCheckBox(tr("Tile library"), bar);
    library_->setToolTip(tr("Shows the library that the kernels call, in front of them"));
    row->addWidget(safe_);
    row->addWidget(library_);
    compile_ = make_bar_button(bar, QString(), QString());
    connect(compile_, &QToolButton::clicked, this, &CudaPage::compile);
    row->addWidget(compile_);
    auto* copied =
        make_bar_button(bar, tr("Copy"), tr("Copies the whole source; Ctrl+C copies the selected part"));
    connect(copied, &QToolButton::clicked, this, &CudaPage::copy);
    row->addWidget(copied);
    auto* saved =
        make_bar_button(bar, tr("Save..."),
                        tr("Writes a file with a main() that checks and times the kernels; nvcc builds it"));
    connect(saved, &QToolButton::clicked, this, &CudaPage::ask_and_save);
    row->addWidget(saved);
    auto* handed = make_bar_button(bar, tr("To PyTorch..."),
                                   tr("Writes a folder with the kernels in C++ and CUDA, a function of "
                                      "Python that calls them, and the program in "
                                      "plain PyTorch to compare with"));
    connect(handed, &QToolButton::clicked, this, &CudaPage::ask_and_hand_over);
    row->addWidget(handed);
    return bar;
}

// At least as high as it can be read; small pages scroll.
QWidget* CudaPage::make_parts() {
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(view_);
    parts->addWidget(make_lower());
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 1);
    view_->setMinimumHeight(kLeastCode);
    lower_->setMinimumHeight(kLeastLower);
    parts->setMinimumHeight(kLeastCode + parts->handleWidth() + kLeastLower);
    return parts;
}

QWidget* CudaPage::make_lower() {
    lower_ = new QTabWidget(this);
    lower_->setDocumentMode(true);
    lower_->setAccessibleName(tr("Compiled and measured"));
    report_ = new CudaReportView(lower_);
    lower_->addTab(report_, tr("Compiled"));
    auto* measured = new QWidget(lower_);
    auto* column = new QVBoxLayout(measured);
    column->setContentsMargins(10, 6, 10, 6);
    column->setSpacing(6);
    times_ = new QLabel(measured);
    times_->setWordWrap(true);
    times_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(times_);
    details_ = new QPlainTextEdit(measured);
    details_->setReadOnly(true);
    details_->setAccessibleName(tr("How it was measured"));
    column->addWidget(details_, 1);
    lower_->addTab(measured, tr("Predicted and measured"));
    tried_ = new TuneView(measurements_, lower_);
    lower_->addTab(make_tune_pane(tried_, lower_), tr("Block sizes tried"));
    return lower_;
}

void CudaPage::connect_parts() {
    connect(&document_, &Document::content_changed, this, &CudaPage::refresh);
    connect(&document_, &Document::current_changed, this, &CudaPage::refresh);
    connect(filler_, &LineFiller::filled, links_, &CodeLinks::refresh);
    connect(view_, &CodeView::restyled, highlighter_, &LazyHighlighter::recolour);
    connect(&costs_, &Costs::choices_changed, this, &CudaPage::refresh);
    connect(&costs_, &Costs::counted, this, &CudaPage::show_times);
    connect(&forecast_, &Forecast::changed, this, &CudaPage::refresh);
    connect(&measurements_, &Measurements::measured, this, &CudaPage::show_times);
    connect(&measurements_, &Measurements::progressed, this, &CudaPage::show_tf32);
    connect(&measurements_, &Measurements::finished, this, [this] {
        show_tf32();
        if (isVisible() && lower_->currentIndex() == 0) lower_->setCurrentIndex(1);
    });
    connect(&measurements_, &Measurements::searched, this, [this] {
        if (isVisible()) lower_->setCurrentIndex(2);
    });
    connect(&measurements_, &Measurements::chosen, this, &CudaPage::refresh);
    connect(target_, &QComboBox::activated, this, [this] {
        measurements_.set_target(target_->currentData().toString().toStdString());
        refresh();
    });
    connect(tf32_, &QCheckBox::toggled, this, [this](bool on) {
        measurements_.set_tf32(on);
        refresh();
    });
    connect(safe_, &QCheckBox::toggled, this, [this](bool on) {
        costs_.set_safe(on);  // times are of what is built
        refresh();
    });
    connect(library_, &QCheckBox::toggled, this, &CudaPage::refresh);
    connect(report_, &CudaReportView::kernel_chosen, this, [this](NodeId node) {
        const ProgramLinks& program = links_->program();
        document_.select(program.find(node) ? program.spot(node, {}) : Spot{});
    });
    connect(report_, &CudaReportView::help_wanted, this,
            [this] { services_.actions.trigger("help.diagnostics"); });
    connect(late_, &ProgressOverlay::cancelled, this, &CudaPage::stop_generating);
    connect(late_, &ProgressOverlay::again_clicked, this, [this] {
        shown_.reset();
        view_->setFocus();
        refresh();
    });
    connect(&generating_, &Work::failed, this, [this](const QString& what) { services_.say(what); });
    connect(&compiling_, &Work::failed, this, [this](const QString& what) { services_.say(what); });
}

// Where no card is chosen to be measured on, the source is for the window's device.
bool CudaPage::follows_device() const {
    return !measurements_.place().is_card() && forecast_.device().kind == DeviceKind::Gpu;
}

CudaChoice CudaPage::choice() const {
    CudaChoice chosen;
    const MeasurePlace& place = measurements_.place();
    chosen.is_card = place.is_card();
    chosen.architecture = chosen.is_card ? place.architecture : kNoCard;
    if (follows_device()) {
        chosen.device = forecast_.device();
        chosen.architecture =
            gpu::architecture_of(gpu::target_for(gpu::capability_of(forecast_.device()), ElemType::F16));
    }
    chosen.target = gpu::target_named(target_->currentData().toString().toStdString());
    chosen.elem = costs_.type().value_or(
        declared_type(*document_.content().history.state(0).program).value_or(ElemType::F32));
    chosen.tf32 = tf32_->isChecked() && chosen.elem == ElemType::F32;
    chosen.safe = safe_->isChecked();
    chosen.library = library_->isChecked();
    return chosen;
}

// Of the card that is measured on, else of the window's device.
gpu::Target CudaPage::suiting_target() const {
    const CudaChoice now = choice();
    const auto card = gpu::capability_of(now.architecture).value_or(gpu::Capability{8, 0});
    return gpu::target_for(card, now.elem, now.tf32);
}

// The first one is what suits card and type.
void CudaPage::name_targets() {
    const MeasurePlace& place = measurements_.place();
    QString best = tr("Target: automatic");
    if (!document_.empty()) {
        best = tr("Target: %1").arg(text_of(to_string(suiting_target())));
        if (place.is_card()) best += tr(" (this card)");
        if (follows_device()) best += tr(" (%1)").arg(text_of(forecast_.device().title));
    }
    target_->setItemText(0, best);
    const int asked = target_->findData(text_of(measurements_.target()));
    if (place.is_card()) target_->setCurrentIndex(std::max(0, asked));
}

// Float32 alone has two kinds of products. What runs stays as it was asked for.
void CudaPage::show_tf32() {
    tf32_->setVisible(!document_.empty() && choice().elem == ElemType::F32);
    tf32_->setEnabled(!measurements_.busy());
}

bool CudaPage::busy() const {
    return generating_.busy() || compiling_.busy() || filler_->busy();
}

void CudaPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    links_->refresh();
}

// Generated anew when it is seen and something that it depends on is another.
void CudaPage::refresh() {
    if (!isVisible()) return;
    name_targets();
    show_tf32();
    if (document_.empty()) {
        generating_.cancel();
        stop_compiling();
        late_->say_given_up({});
        shown_.reset();
        show_no_source();
        note_->setText(tr("Open a program or a sample to see its CUDA."));
        note_->show();
        return show_compile_button();
    }
    Origin origin{document_.content().program(), choice()};
    tried_->show_program(origin.program->dims);
    if (shown_ != origin) {
        stop_compiling();
        const bool same_kernels = shown_ && shown_->program == origin.program && [&] {
            CudaChoice before = shown_->choice;
            before.library = origin.choice.library;
            return before == origin.choice;
        }();
        shown_ = origin;
        late_->say_given_up({});
        if (!same_kernels) forget_report(tr("Not compiled yet."));
        generating_.start(tr("Generating CUDA"), [this, origin](const Stop& stop) -> Work::Finish {
            return [this, made = std::make_shared<Made>(make(origin, stop.sign()))] { take(made); };
        });
    }
    show_times();
    show_compile_button();
}

void CudaPage::show_no_source() {
    source_ = std::make_shared<const CudaSource>();
    filler_->fill(0, {});
    view_->set_looks({});
    forget_report({});
}

void CudaPage::stop_generating() {
    generating_.cancel();
    view_->setFocus();
    show_no_source();
    note_->hide();
    show_compile_button();
    show_times();
    late_->say_given_up(tr("The CUDA of this state is not generated."));
}

CudaPage::Made CudaPage::make(const Origin& origin, const StopSign& stop) {
    Made made{cuda_source(origin.program, origin.choice, stop), ProgramLinks(origin.program), {}};
    for (const gpu::SourceLine& line : made.source.lines) {
        const Node* node = line.node ? made.program.find(line.node) : nullptr;
        const bool port = node && node->is<Input>();  // of a map: stands for what comes through it
        made.links.push_back({line.node, port ? std::optional(ValueRef{line.node}) : std::nullopt});
    }
    return made;
}

void CudaPage::take(const std::shared_ptr<Made>& made) {
    source_ = std::shared_ptr<const CudaSource>(made, &made->source);
    const std::vector<gpu::SourceLine>& lines = source_->lines;
    highlighter_->set_plain(!source_->made);
    links_->show(std::move(made->program), std::move(made->links));
    view_->setLineWrapMode(source_->made ? QPlainTextEdit::NoWrap : QPlainTextEdit::WidgetWidth);
    filler_->fill(lines.size(), [shown = source_](std::size_t i) { return text_of(shown->lines[i].text); });
    std::vector<LineLook> looks;
    looks.reserve(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        looks.push_back(
            {.number = static_cast<int>(i) + 1, .mark = source_->made ? LineMark::None : LineMark::Error});
    view_->set_looks(std::move(looks));
    if (!source_->made) forget_report(tr("There is nothing to compile."));
    show_note();
    links_->refresh();
    show_compile_button();
    show_times();
}

void CudaPage::show_note() {
    QString note;
    if (!source_->made)
        note = tr("There is no CUDA for this state; each line says which operator it is, and why:");
    else if (!source_->instead_of.empty())
        note = tr("Without tensor cores, as the card's own target cannot have it: %1")
                   .arg(translated(source_->instead_of));
    else if (follows_device() && shown_ && shown_->choice.target &&
             *shown_->choice.target != suiting_target())
        note = tr("This is for another card than the window's device: %1 takes %2.")
                   .arg(text_of(forecast_.device().title), text_of(to_string(suiting_target())));
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
}

// ---- Compiling

void CudaPage::show_compile_button() {
    const bool compiling = compiling_.busy();
    compile_->setText(compiling ? tr("Stop") : tr("Compile"));
    compile_->setAccessibleName(compile_->text());
    compile_->setToolTip(compiling
                             ? tr("Waits no longer for the compiler")
                             : tr("Compiles the source and says what became of it: registers, spills, shared "
                                  "memory, occupancy"));
    compile_->setEnabled(compiling || (source_->made && !generating_.busy()));
}

void CudaPage::compile() {
    if (compiling_.busy()) {
        stop_compiling();
        forget_report(tr("Stopped."));
        return show_compile_button();
    }
    if (!source_->made || generating_.busy()) return;
    lower_->setCurrentIndex(0);
    forget_report(tr("Compiling for %1...").arg(text_of(source_->architecture)));
    compiler_ =
        std::make_shared<worker::Client>(measurements_.places().command_for(measurements_.place().host));
    compiling_.start(tr("Compiling CUDA"),
                     [this, source = source_, by = compiler_](const Stop&) -> Work::Finish {
                         const auto report = std::make_shared<const CudaReport>(compile_cuda(*source, *by));
                         return [this, report] { take_report(*report); };
                     });
    show_compile_button();
}

void CudaPage::take_report(const CudaReport& report) {
    report_->show_report(report);
    if (!report.kernels.empty()) compiled_ = report;
    show_compile_button();
    show_times();
}

void CudaPage::forget_report(const QString& sentence) {
    compiled_.reset();
    report_->show_nothing(sentence);
}

// The worker gives up, or is ended.
void CudaPage::stop_compiling() {
    if (compiler_) compiler_->cancel();
    compiling_.cancel();
}

// ---- Files

void CudaPage::copy() {
    if (!source_->made) return services_.say(tr("There is nothing to copy."));
    QGuiApplication::clipboard()->setText(text_of(gpu::source(source_->set)));
    services_.say(tr("The source is on the clipboard, with its tile library."));
}

bool CudaPage::save(const QString& path) {
    if (!source_->made) return false;
    return !write_file(path, gpu::standalone_source(source_->set));
}

QString CudaPage::hand_over_to(const QString& folder) {
    if (document_.empty() || !shown_ || generating_.busy()) return tr("There is nothing to hand over.");
    return hand_over(document_.content(), shown_->choice, *source_, folder);
}

void CudaPage::ask_and_hand_over() {
    // Which state it is, and how it stands: whoever has just opened a program is at its first.
    const StateId state = document_.content().current;
    const QString standing = Best::of(document_).standing(state);
    const QString name = row_name(document_.content(), state);
    auto* dialog =
        new QFileDialog(this, standing.isEmpty() ? tr("Folder for PyTorch: %1").arg(name)
                                                 : tr("Folder for PyTorch: %1 (%2)").arg(name, standing));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        const QString wrong = hand_over_to(folder);
        if (wrong.isEmpty() && services_.wrote) services_.wrote(folder);
        services_.say(wrong.isEmpty() ? tr("Written: %1").arg(folder) : wrong);
    });
    dialog->open();
}

void CudaPage::ask_and_save() {
    if (!source_->made) return services_.say(tr("There is nothing to save."));
    const QString name = file_name_of(text_of(document_.content().name)) + QStringLiteral(".cu");
    ask_where_to_write(*this, tr("Save CUDA"), tr("CUDA (*.cu)"), name, [this](const QString& path) {
        const bool written = save(path);
        if (written && services_.wrote) services_.wrote(path);
        services_.say(written ? tr("Written: %1").arg(path) : tr("%1 could not be written.").arg(path));
    });
}

// What is predicted for the state on the page, and what was measured of it.

namespace {

QString times_text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

}  // namespace

// Of the kernels that are shown: on the card that is chosen, else on the window's device if they are for it,
// else on one of the target's generation.
QString CudaPage::prediction() const {
    if (!source_->made || generating_.busy()) return {};
    if (shown_ && shown_->choice.tf32)
        return tr("In tf32 no time is predicted: descriptions of cards do not have its rate.");
    const MeasurePlace& place = measurements_.place();
    const gpu::Capability card = gpu::capability_of(source_->architecture).value_or(gpu::Capability{8, 0});
    const Device device =
        place.is_card()
            ? worker::description_for(forecast_.devices(), calibrated_name(place.host, place.device),
                                      place.model, place.architecture)
        : follows_device() && source_->set.target == suiting_target() ? forecast_.device()
                                                                      : gpu::generation_of(card);
    // As on all pages, where it is of the window's device, of what suits it and in the types of all pages.
    const bool same_types =
        costs_.type() || declared_type(*document_.content().history.state(0).program).has_value();
    const PredictionPtr everywhere =
        same_types && device.name == forecast_.device().name && source_->set.target == suiting_target()
            ? forecast_.of(document_.content().current)
            : nullptr;
    const TimeModel& model = forecast_.model();
    const double expected =
        everywhere ? everywhere->seconds : predicted(*source_, nullptr, device, model).seconds;
    QString text = tr("Predicted for %1 by the model \"%2\": %3")
                       .arg(times_text(device.title), translated(model.title), time_text(expected));
    // Other models do not know of occupancy.
    if (!compiled_ || model.name != kUsualModel) return text;
    return tr("%1 (%2 with registers and occupancy as compiled)")
        .arg(text, time_text(predicted(*source_, &*compiled_, device, model).seconds));
}

void CudaPage::show_times() {
    if (document_.empty() || !isVisible()) return;
    const StateId state = document_.content().current;
    QStringList parts;
    if (const QString text = prediction(); !text.isEmpty()) parts << text;
    const QString place = MeasurePlaces::title(measurements_.place());
    const auto result = measurements_.of(state);
    QString details;
    if (!result) {
        parts << tr("%1: not measured yet.").arg(place);
    } else {
        const measure::Record& record = result->record;
        if (record.failure)
            parts << tr("%1: measuring failed: %2").arg(place, as_sentence(record.failure->message));
        else if (record.warm)
            parts << tr("%1: measured %2").arg(place, time_text(record.warm->summary.median));
        if (!result->stale.isEmpty()) parts << result->stale;
        details = record_text(record) + QLatin1Char('\n') + times_text(record.prepared);
        if (record.failure) details += times_text(record.failure->log);
    }
    times_->setText(parts.join(QStringLiteral("  \u00b7  ")));
    details_->setPlainText(details);
    details_->setVisible(!details.isEmpty());
}

}  // namespace blockscope

#include "app/export/export_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_steps.h"
#include "app/compare/compare_view.h"
#include "app/costs/best.h"
#include "app/costs/forecast.h"
#include "app/document/document.h"
#include "app/document/files.h"
#include "app/document/pictures.h"
#include "app/document/work.h"
#include "app/export/derivation.h"
#include "app/export/render.h"
#include "app/export/runs.h"
#include "app/files/file_formats.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/services.h"
#include "app/shell/state_link.h"
#include "app/words/words.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

RenderOptions picture_options(const ExportRequest& request, const Content& content, const Picture& picture) {
    RenderOptions options;
    options.theme = request.theme;
    options.background = request.background;
    options.legend = request.legend;
    options.title = content.name + ", step " + std::to_string(content.history.depth(content.current));
    if (request.what == ExportRequest::What::Seen) {
        options.part = request.seen;
        options.lights = request.lights;
    }
    options.lights.notes = notes_in(picture, content.pinned);
    options.scale = request.scale;
    return options;
}

PicturePtr picture_for(const ExportRequest& request, const Content& content, const PictureSource& pictures) {
    return pictures(content.current, request.shape, std::nullopt);
}

std::optional<QByteArray> picture_bytes(const ExportRequest& request, const Content& content,
                                        const PictureSource& pictures) {
    const PicturePtr picture = picture_for(request, content, pictures);
    if (!picture) return {};
    return render_bytes(request.format, *picture, picture_options(request, content, *picture));
}

// The circuit that is seen, else one of the content's; null where there is none.
SeenCircuit circuit_to_export(const ExportRequest& request, const Content& content) {
    if (request.shown.circuit) return request.shown;
    Result<circuit::Circuit> made = circuit_for(content, content.current, request.circuit);
    if (!made) return {};
    return {.circuit = std::make_shared<const circuit::Circuit>(std::move(made).value()),
            .drawing = nullptr,
            .kind = "step " + std::to_string(content.history.depth(content.current))};
}

circuit::Drawing drawing_of(const SeenCircuit& shown) {
    if (shown.drawing) return *shown.drawing;
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    return circuit::lay_out(*shown.circuit, options);
}

CircuitFile circuit_options(const ExportRequest& request, const Content& content, const SeenCircuit& shown) {
    CircuitFile file;
    file.theme = request.theme;
    file.background = request.background;
    file.scale = request.scale;
    file.title = content.name + (shown.kind.empty() ? "" : ", " + shown.kind);
    return file;
}

QByteArray circuit_export(const ExportRequest& request, const Content& content) {
    const SeenCircuit shown = circuit_to_export(request, content);
    if (!shown.circuit) return {};
    if (const FileFormat* row = find_format(request.format); row && row->circuit)
        return QByteArray::fromStdString(row->circuit(*shown.circuit));
    return circuit_bytes(request.format, drawing_of(shown), circuit_options(request, content, shown));
}

}  // namespace

const ExportKind* kind_of(ExportRequest::What what) {
    static const std::map<ExportRequest::What, const char*> kNames = {
        {ExportRequest::What::Strip, "strip"},           {ExportRequest::What::Page, "html"},
        {ExportRequest::What::Slides, "slides"},         {ExportRequest::What::Deck, "deck"},
        {ExportRequest::What::Comparison, "comparison"},
    };
    const auto name = kNames.find(what);
    return name == kNames.end() ? nullptr : find_export_kind(name->second);
}

std::vector<std::string> formats_of(ExportRequest::What what) {
    if (const ExportKind* kind = kind_of(what)) return formats_of(*kind);
    switch (what) {
        case ExportRequest::What::Circuit:
            return circuit_formats();
        case ExportRequest::What::Graph:
            return state_formats(true);
        case ExportRequest::What::Program:
            return {"json"};
        default:
            return picture_formats();
    }
}

std::optional<QByteArray> make_export(const ExportRequest& request, const Content& content,
                                      const PictureSource& pictures) {
    using What = ExportRequest::What;
    if (request.what == What::Seen || request.what == What::Whole)
        return picture_bytes(request, content, pictures);
    if (request.what == What::Circuit) return circuit_export(request, content);
    if (request.what == What::Graph || request.what == What::Program) {
        const FileFormat* row = find_format(request.format);
        if (!row || !row->state) return {};
        return QByteArray::fromStdString(row->state(*content.program()));
    }
    if (request.what == What::Comparison) {
        const auto pages = compare_on_paper(content, request.comparison, pictures);
        if (pages.empty()) return {};
        return comparison_bytes(request.format, pages, request.theme);
    }
    const RunLook look{
        .stages = request.stages, .theme = request.theme, .notes = request.notes, .opened = request.opened};
    return write_run(kind_of(request.what)->name, request.format, content, look, pictures);
}

QImage export_image(const ExportRequest& request, const Content& content, const PictureSource& pictures,
                    const QSize& room) {
    if (request.what == ExportRequest::What::Circuit) {
        const SeenCircuit shown = circuit_to_export(request, content);
        if (!shown.circuit) return {};
        return circuit_preview(drawing_of(shown), circuit_options(request, content, shown), room);
    }
    const PicturePtr picture = picture_for(request, content, pictures);
    return picture ? render_preview(*picture, picture_options(request, content, *picture), room) : QImage();
}

namespace {

using What = ExportRequest::What;

constexpr int kSteps = -1, kShown = -2;  // beside the kinds of CircuitKind

QString format_name(const std::string& format) {
    const FileFormat* row = find_format(format);
    return row ? ExportDialog::tr(row->title) : QString();
}

bool is_painted(const QString& format, FormatKind kind) {
    const FileFormat* row = find_format(format.toStdString());
    return row && row->kind == kind;
}

// Empty if it is written, else why not.
QString write(const QString& path, const QByteArray& bytes) {
    const std::optional<Problem> problem = write_file(path, bytes);
    return problem ? QString::fromStdString(to_string(*problem)) : QString();
}

}  // namespace

ExportDialog::ExportDialog(const Theme& theme, const Rect& seen, const Lights& lights, QWidget* parent)
    : QDialog(parent),
      seen_(seen),
      lights_(lights),
      what_(new QComboBox(this)),
      format_(new QComboBox(this)),
      state_(new QComboBox(this)),
      colours_(new QComboBox(this)),
      stages_(new QComboBox(this)),
      circuit_(new QComboBox(this)),
      first_(new QComboBox(this)),
      second_(new QComboBox(this)),
      scale_(new QDoubleSpinBox(this)),
      background_(new QCheckBox(tr("&Background"), this)),
      legend_(new QCheckBox(tr("&Legend under the picture"), this)),
      notes_(new QCheckBox(tr("&Notes for the speaker, on A4"), this)),
      preview_(new ExportPreview(this)) {
    setWindowTitle(tr("Export"));
    const auto add = [this](const QString& text, What what) { what_->addItem(text, static_cast<int>(what)); };
    add(tr("The whole picture"), What::Whole);
    add(tr("What is seen"), What::Seen);
    add(tr("Slides, 16:9"), What::Slides);
    add(tr("Slides as a page for the browser"), What::Deck);
    add(tr("The derivation as a strip of pictures"), What::Strip);
    add(tr("The derivation as a page that steps"), What::Page);
    add(tr("A comparison of two states"), What::Comparison);
    add(tr("The circuit diagram"), What::Circuit);
    add(tr("The graph for Graphviz"), What::Graph);
    add(tr("The block program"), What::Program);
    colours_->addItem(tr("Light"));
    colours_->addItem(tr("Dark"));
    colours_->setCurrentIndex(theme.dark ? 1 : 0);
    circuit_->addItem(tr("This state"), static_cast<int>(CircuitKind::State));
    circuit_->addItem(tr("The program"), static_cast<int>(CircuitKind::Program));
    circuit_->addItem(tr("One algorithm"), static_cast<int>(CircuitKind::Algorithm));
    circuit_->addItem(tr("The model"), static_cast<int>(CircuitKind::Model));
    circuit_->addItem(tr("Pseudocode"), static_cast<int>(CircuitKind::Pseudocode));
    circuit_->addItem(tr("Step by step"), kSteps);
    state_->addItem(tr("The one that is seen"));
    stages_->addItem(tr("Every step"), static_cast<int>(Stages::All));
    stages_->addItem(tr("The end of each chapter"), static_cast<int>(Stages::Chapters));
    stages_->addItem(tr("Snapshots only"), static_cast<int>(Stages::Snapshots));
    scale_->setRange(0.25, 8);
    scale_->setSingleStep(0.5);
    scale_->setValue(2);
    scale_->setSuffix(QStringLiteral(" ×"));
    background_->setChecked(true);
    auto* parts = new QHBoxLayout;
    parts->setSpacing(20);
    parts->addWidget(make_form(), 0, Qt::AlignTop);
    parts->addWidget(preview_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->addLayout(parts, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save as..."));
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon({});  // a style's, in colours of its own
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(what_, &QComboBox::currentIndexChanged, this, &ExportDialog::fill_formats);
    for (QComboBox* box : {format_, state_, colours_, stages_, circuit_, first_, second_})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::show_fields);
    for (QCheckBox* box : {background_, legend_, notes_})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::ask_preview);
    connect(scale_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::ask_preview);
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, [this] {
        preview_->wait();
        work_.start(tr("Drawing the preview"),
                    [this, job = previewer_(*this)](const Stop& stop) -> Work::Finish {
                        auto preview = std::make_shared<Preview>(job(stop));
                        return [this, preview] { preview_->show_preview(std::move(*preview)); };
                    });
    });
    fill_formats();
}

QWidget* ExportDialog::make_form() {
    auto* box = new QWidget(this);
    form_ = new QFormLayout(box);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(18);
    const auto row = [this](const QString& text, QWidget* widget) {
        widget->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        // In the large type of a presentation, too.
        if (auto* list = qobject_cast<QComboBox*>(widget))
            list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        form_->addRow(text, widget);
    };
    row(tr("&What"), what_);
    row(tr("&Format"), format_);
    row(tr("S&tate"), state_);
    row(tr("&Steps"), stages_);
    row(tr("F&irst state"), first_);
    row(tr("Secon&d state"), second_);
    row(tr("Ci&rcuit of"), circuit_);
    row(tr("&Colours"), colours_);
    row(tr("Sc&ale"), scale_);
    for (QCheckBox* check : {background_, legend_, notes_}) form_->addRow(QString(), check);
    return box;
}

What ExportDialog::what() const {
    return static_cast<What>(what_->currentData().toInt());
}

void ExportDialog::fill_formats() {
    {
        const QSignalBlocker quiet(format_);
        format_->clear();
        for (const std::string& format : formats_of(what()))
            format_->addItem(format_name(format), QString::fromStdString(format));
    }
    show_fields();
}

void ExportDialog::show_fields() {
    const What now = what();
    const ExportKind* kind = kind_of(now);
    const bool picture = now == What::Whole || now == What::Seen;
    const QString format = format_->currentData().toString();
    const bool circuit = now == What::Circuit && !is_painted(format, FormatKind::Text);
    const int of = circuit_->currentData().toInt();
    const bool of_state = now == What::Whole || now == What::Graph || now == What::Program ||
                          (now == What::Circuit && of >= 0 && of != static_cast<int>(CircuitKind::Program));
    const std::pair<QWidget*, bool> fields[] = {
        {format_, format_->count() > 1},
        {state_, of_state && state_->count() > 1},
        {stages_, kind && kind->stages},
        {first_, kind && kind->pair},
        {second_, kind && kind->pair},
        {circuit_, now == What::Circuit},
        {colours_, kind ? kind->themed : picture || circuit},
        {scale_, (picture || circuit) && is_painted(format, FormatKind::Pixels)},
        {background_, picture || circuit},
        {legend_, picture},
        {notes_, kind && kind->notes},
    };
    for (const auto& [field, shown] : fields) {
        field->setVisible(shown);
        if (QWidget* label = form_->labelForField(field)) label->setVisible(shown);
    }
    ask_preview();
}

void ExportDialog::preview_with(Previewer previewer) {
    previewer_ = std::move(previewer);
    ask_preview();
}

// What is chosen quickly one after the other is drawn once.
void ExportDialog::ask_preview() {
    constexpr int kSoon = 120;  // milliseconds
    if (previewer_) soon_.start(kSoon);
}

void ExportDialog::choose(What what, const std::string& format) {
    what_->setCurrentIndex(what_->findData(static_cast<int>(what)));
    format_->setCurrentIndex(format_->findData(QString::fromStdString(format)));
}

void ExportDialog::offer(const SeenCircuit& circuit) {
    if (!circuit.circuit) return;
    seen_circuit_ = circuit;
    circuit_->insertItem(0, tr("What is seen: %1").arg(QString::fromStdString(circuit.kind)), kShown);
    circuit_->setCurrentIndex(0);
}

void ExportDialog::offer_best(StateId state, const QString& name) {
    state_->addItem(tr("Best state: %1").arg(name), state);
    show_fields();
}

void ExportDialog::offer_pairs(const std::vector<std::pair<StateId, QString>>& states,
                               const ComparisonRequest& first) {
    pair_ = first;
    for (QComboBox* box : {first_, second_}) {
        const QSignalBlocker quiet(box);
        for (const auto& [id, name] : states) box->addItem(name, id);
    }
    first_->setCurrentIndex(first_->findData(first.before));
    second_->setCurrentIndex(second_->findData(first.after));
}

std::optional<StateId> ExportDialog::other_state() const {
    const QVariant state = state_->currentData();
    return state_->isVisibleTo(this) && state.isValid() ? std::optional(state.toInt()) : std::nullopt;
}

bool ExportDialog::wants_steps() const {
    return what() == What::Circuit && circuit_->currentData().toInt() == kSteps;
}

ExportRequest ExportDialog::request() const {
    ExportRequest request;
    request.what = what();
    request.format = format_->currentData().toString().toStdString();
    const int circuit = circuit_->currentData().toInt();
    if (circuit >= 0) request.circuit = static_cast<CircuitKind>(circuit);
    if (circuit == kShown) request.shown = seen_circuit_;
    request.theme = colours_->currentIndex() == 0 ? Theme::light() : Theme::dark_theme();
    request.shape = shape_;
    request.seen = seen_;
    request.lights = lights_;
    request.scale = scale_->value();
    request.background = background_->isChecked();
    request.legend = legend_->isChecked();
    request.stages = static_cast<Stages>(stages_->currentData().toInt());
    request.notes = notes_->isChecked() && notes_->isVisibleTo(this);
    request.comparison = pair_;
    request.comparison.before = first_->currentData().toInt();
    request.comparison.after = second_->currentData().toInt();
    return request;
}

namespace {

// Fills in the circuit step by step. Empty, or why the circuit that is asked for cannot be drawn.
QString why_no_circuit(const ExportDialog& dialog, Document& document, const Content& content,
                       ExportRequest& request) {
    if (request.what != What::Circuit || request.shown.circuit) return {};
    if (!dialog.wants_steps()) {
        const auto made = circuit_for(content, content.current, request.circuit);
        return made ? QString() : as_sentence(made.problems().front().message);
    }
    const SessionPtr& session = CircuitSteps::of(document).session();
    if (!session) return ExportDialog::tr("There is no circuit step by step yet: open its panel first.");
    request.shown.circuit = std::make_shared<const circuit::Circuit>(session->current().analysis.circuit);
    return {};
}

}  // namespace

ContentPtr exported_content(const ExportDialog& dialog, const Document& document) {
    const std::optional<StateId> other = dialog.other_state();
    if (!other) return document.snapshot();
    Content content = document.content();
    content.branch = content.history.branch_through(*other, content.branch);
    content.current = *other;
    return std::make_shared<const Content>(std::move(content));
}

QString follow_ending(const QString& path, ExportRequest& request) {
    const std::string ending = QFileInfo(path).suffix().toLower().toStdString();
    if (ending == request.format) return {};
    const std::vector<std::string> formats = formats_of(request.what);
    if (std::find(formats.begin(), formats.end(), ending) != formats.end()) {
        request.format = ending;
        return {};
    }
    if (!find_format(ending)) return {};  // "drawing.v2" says nothing of a format
    return ExportDialog::tr("%1 was not written: this is exported as %2 only.")
        .arg(path, QString::fromStdString(endings_text(formats)));
}

QString suggested_name(const Content& content, const ExportRequest& request) {
    static const std::map<What, const char*> kEndings = {
        {What::Slides, "-slides"}, {What::Deck, "-slides"}, {What::Comparison, "-comparison"}};
    const auto ending = kEndings.find(request.what);
    return file_name_of(QString::fromStdString(content.name)) +
           QLatin1String(ending == kEndings.end() ? "" : ending->second) + QLatin1Char('.') +
           QString::fromStdString(request.format);
}

namespace {

// What the document shows beside the current state, else the unfused program and the best or the last state.
ComparisonRequest first_pair(Document& document) {
    const Content& content = document.content();
    const Best& best = Best::of(document);
    Forecast& forecast = Forecast::of(document);
    const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
    ComparisonRequest pair;
    pair.best = best.state();
    pair.by = ExportDialog::tr("predicted on %1, %2")
                  .arg(QString::fromStdString(forecast.device().title), forecast.form_text());
    for (const auto& [id, state] : content.history.states())
        if (const PredictionPtr time = forecast.of(id))
            pair.times[id] = QString::fromStdString(seconds_text(time->seconds));
    pair.before = content.compared.empty() ? way.front() : content.compared.front();
    pair.after = !content.compared.empty() || content.current != way.front()
                     ? content.current
                     : best.state().value_or(way.back());
    return pair;
}

void offer_states(ExportDialog& dialog, Document& document) {
    const Content& content = document.content();
    const std::map<StateId, int> branch_of = branches_of_states(content);
    std::vector<std::pair<StateId, QString>> states;
    for (const auto& [id, state] : content.history.states())
        states.emplace_back(id, state_name(content, id, branch_of.at(id)));
    dialog.offer_pairs(states, first_pair(document));
}

// Pictures of a content, for work on another thread.
PictureSource pictures_of(Services& services, const ContentPtr& content, const Stop& stop) {
    return [&services, content, &stop](StateId id, const PictureShape& shape,
                                       const std::optional<Folds>& folds) -> PicturePtr {
        return stop ? nullptr : services.pictures.now(with_folds(content, folds), id, shape);
    };
}

void preview_in(ExportDialog& dialog, Document& document, Services& services) {
    dialog.preview_with(
        [&document, &services](const ExportDialog& asks) -> std::function<Preview(const Stop&)> {
            const ContentPtr content = exported_content(asks, document);
            ExportRequest request = asks.request();
            if (const QString why = why_no_circuit(asks, document, *content, request); !why.isEmpty())
                return [why](const Stop&) { return Preview{{}, why}; };
            return [&services, content, request, room = asks.preview().room()](const Stop& stop) {
                return preview_of(request, *content, pictures_of(services, content, stop), room);
            };
        });
}

}  // namespace

void ask_and_export(Document& document, Services& services, const SeenPictures& seen,
                    const std::function<void(const QString&)>& failed, QWidget* parent) {
    if (document.empty()) return;
    ExportDialog dialog(services.appearance.theme(), seen.part, seen.lights, parent);
    dialog.keep_shape(seen.shape);
    dialog.offer(seen.circuit);
    const Best& best = Best::of(document);
    if (const auto state = best.state(); state && *state != document.content().current)
        dialog.offer_best(*state, best.name(*state));
    offer_states(dialog, document);
    if (!seen.picture && seen.circuit.circuit) dialog.choose(What::Circuit, "svg");
    if (!document.content().compared.empty()) dialog.choose(What::Comparison, "pdf");
    preview_in(dialog, document, services);
    if (dialog.exec() != QDialog::Accepted) return;
    ExportRequest request = dialog.request();
    request.opened = QFileInfo(opened_by(document)).fileName();  // readers have other folders
    const ContentPtr content = exported_content(dialog, document);
    if (const QString why = why_no_circuit(dialog, document, *content, request); !why.isEmpty())
        return failed(why);
    const QString name = suggested_name(*content, request);
    const QString suggested =
        document.path().isEmpty() ? name : QFileInfo(document.path()).dir().filePath(name);
    std::vector<std::string> formats = formats_of(request.what);
    const auto chosen = std::find(formats.begin(), formats.end(), request.format);
    if (chosen != formats.end()) std::rotate(formats.begin(), chosen, chosen + 1);
    const QString path = where_to_write(parent, ExportDialog::tr("Export"),
                                        QString::fromStdString(name_filter(formats)), suggested);
    if (path.isEmpty()) return;
    if (const QString why = follow_ending(path, request); !why.isEmpty()) return failed(why);
    const std::size_t steps = content->history.path(content->history.branch(content->branch).tip).size();
    const ExportKind* kind = kind_of(request.what);
    const auto job = [=, &services](const Stop& stop) -> Work::Finish {
        const PictureSource source = pictures_of(services, content, stop);
        const auto picture = [&, made = std::size_t{0}](StateId id, const PictureShape& shape,
                                                        const std::optional<Folds>& folds) mutable {
            if (kind && kind->stages && request.stages == Stages::All) stop.done(made++, steps);
            return source(id, shape, folds);
        };
        const std::optional<QByteArray> bytes = make_export(request, *content, picture);
        if (!bytes || stop) return [] {};
        QString problem = bytes->isEmpty() ? ExportDialog::tr(
                                                 "The image would be too large. Choose a smaller "
                                                 "scale, or SVG or PDF.")
                                           : write(path, *bytes);
        if (!problem.isEmpty()) return [failed, problem] { failed(problem); };
        return [path, &services] {
            services.say(ExportDialog::tr("Exported to %1").arg(path));
            if (services.wrote) services.wrote(path);
        };
    };
    services.work.start(ExportDialog::tr("Exporting %1").arg(QFileInfo(path).fileName()), job);
}

}  // namespace blockscope

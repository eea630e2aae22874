#include "app/export/export_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>
#include <algorithm>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_steps.h"
#include "app/document/document.h"
#include "app/document/files.h"
#include "app/document/pictures.h"
#include "app/document/work.h"
#include "app/export/page.h"
#include "app/export/render.h"
#include "app/export/strip.h"
#include "app/files/file_formats.h"
#include "app/shell/appearance.h"
#include "app/shell/dialogs.h"
#include "app/shell/services.h"
#include "app/words/words.h"
#include "core/diagram/document.h"
#include "core/json/json_io.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

std::optional<QByteArray> picture_bytes(const ExportRequest& request, const Content& content,
                                        const PictureSource& pictures) {
    const PicturePtr picture = pictures(content.current);
    if (!picture) return {};
    RenderOptions options;
    options.theme = request.theme;
    options.background = request.background;
    options.legend = request.legend;
    options.title = content.name + ", step " + std::to_string(content.history.depth(content.current));
    if (request.what == ExportRequest::What::Seen) {
        options.part = request.seen;
        options.lights = request.lights;
    }
    options.scale = request.scale;
    return render_bytes(request.format, *picture, options);
}

QByteArray circuit_export(const ExportRequest& request, const circuit::Circuit& circuit,
                          const std::shared_ptr<const circuit::Drawing>& drawing, const std::string& title) {
    if (request.format == "json") return QByteArray::fromStdString(json::print(circuit::to_json(circuit)));
    CircuitFile file;
    file.theme = request.theme;
    file.background = request.background;
    file.scale = request.scale;
    file.title = title;
    if (drawing) return circuit_bytes(request.format, *drawing, file);
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    return circuit_bytes(request.format, circuit::lay_out(circuit, options), file);
}

QByteArray circuit_export(const ExportRequest& request, const Content& content) {
    const SeenCircuit& drawn = request.drawn;
    if (drawn.circuit)
        return circuit_export(request, *drawn.circuit, drawn.drawing,
                              content.name + (drawn.kind.empty() ? "" : ", " + drawn.kind));
    const Result<circuit::Circuit> made = circuit_for(content, content.current, request.circuit);
    if (!made) return {};
    return circuit_export(request, *made, nullptr,
                          content.name + ", step " + std::to_string(content.history.depth(content.current)));
}

}  // namespace

std::vector<std::string> formats_of(ExportRequest::What what) {
    switch (what) {
        case ExportRequest::What::Seen:
        case ExportRequest::What::Whole:
            return picture_formats();
        case ExportRequest::What::Strip:
            return {"pdf", "svg"};
        case ExportRequest::What::Page:
            return {"html"};
        case ExportRequest::What::Circuit:
            return picture_formats({"tex", "json"});
        case ExportRequest::What::Graph:
            return {"dot"};
        case ExportRequest::What::Program:
            return {"json"};
    }
    return {};
}

std::optional<QByteArray> make_export(const ExportRequest& request, const Content& content,
                                      const PictureSource& pictures) {
    using What = ExportRequest::What;
    if (request.what == What::Seen || request.what == What::Whole)
        return picture_bytes(request, content, pictures);
    if (request.what == What::Circuit) return circuit_export(request, content);
    if (request.what == What::Graph) return QByteArray::fromStdString(dot(*content.program()));
    if (request.what == What::Program) return QByteArray::fromStdString(write_json(*content.program()));
    const std::optional<Derivation> derivation = derive(content, request.stages, pictures);
    if (!derivation) return {};
    if (request.what == What::Page) return QByteArray::fromStdString(derivation_page(*derivation));
    if (request.format == "svg") return QByteArray::fromStdString(strip_svg(*derivation, request.theme));
    return strip_pdf(*derivation, request.theme);
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
      colours_(new QComboBox(this)),
      stages_(new QComboBox(this)),
      circuit_(new QComboBox(this)),
      scale_(new QDoubleSpinBox(this)),
      background_(new QCheckBox(tr("&Background"), this)),
      legend_(new QCheckBox(tr("&Legend under the picture"), this)) {
    setWindowTitle(tr("Export"));
    const auto add = [this](const QString& text, What what) { what_->addItem(text, static_cast<int>(what)); };
    add(tr("The whole picture"), What::Whole);
    add(tr("What is seen"), What::Seen);
    add(tr("The derivation as a strip of pictures"), What::Strip);
    add(tr("The derivation as a page that steps"), What::Page);
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
    stages_->addItem(tr("Every step"));
    stages_->addItem(tr("Snapshots only"));
    scale_->setRange(0.25, 8);
    scale_->setSingleStep(0.5);
    scale_->setValue(2);
    scale_->setSuffix(QStringLiteral(" ×"));
    background_->setChecked(true);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(20, 20, 20, 16);
    form->setHorizontalSpacing(18);
    const auto row = [form](const QString& text, QWidget* widget) {
        widget->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        form->addRow(text, widget);
    };
    row(tr("&What"), what_);
    row(tr("&Format"), format_);
    row(tr("&Steps"), stages_);
    row(tr("C&ircuit of"), circuit_);
    row(tr("&Colours"), colours_);
    row(tr("Sc&ale"), scale_);
    form->addRow(QString(), background_);
    form->addRow(QString(), legend_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save as..."));
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    for (QAbstractButton* button : buttons->buttons())
        button->setIcon({});  // a style's, in colours of its own
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(what_, &QComboBox::currentIndexChanged, this, &ExportDialog::fill_formats);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::enable_parts);
    fill_formats();
}

void ExportDialog::fill_formats() {
    format_->clear();
    for (const std::string& format : formats_of(static_cast<What>(what_->currentData().toInt())))
        format_->addItem(format_name(format), QString::fromStdString(format));
    enable_parts();
}

void ExportDialog::enable_parts() {
    const What what = static_cast<What>(what_->currentData().toInt());
    const bool picture = what == What::Whole || what == What::Seen;
    const QString format = format_->currentData().toString();
    format_->setEnabled(format_->count() > 1);
    const bool circuit = what == What::Circuit && !is_painted(format, FormatKind::Text);
    circuit_->setEnabled(what == What::Circuit);
    stages_->setEnabled(what == What::Strip || what == What::Page);
    colours_->setEnabled(picture || circuit || what == What::Strip);
    scale_->setEnabled((picture || circuit) && is_painted(format, FormatKind::Pixels));
    background_->setEnabled(picture || circuit);
    legend_->setEnabled(picture);
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

bool ExportDialog::wants_steps() const {
    return static_cast<What>(what_->currentData().toInt()) == What::Circuit &&
           circuit_->currentData().toInt() == kSteps;
}

ExportRequest ExportDialog::request() const {
    ExportRequest request;
    request.what = static_cast<What>(what_->currentData().toInt());
    request.format = format_->currentData().toString().toStdString();
    const int circuit = circuit_->currentData().toInt();
    if (circuit >= 0) request.circuit = static_cast<CircuitKind>(circuit);
    if (circuit == kShown) request.drawn = seen_circuit_;
    request.theme = colours_->currentIndex() == 0 ? Theme::light() : Theme::dark_theme();
    request.seen = seen_;
    request.lights = lights_;
    request.scale = scale_->value();
    request.background = background_->isChecked();
    request.legend = legend_->isChecked();
    request.stages = stages_->currentIndex() == 0 ? Stages::All : Stages::Snapshots;
    return request;
}

namespace {

// Fills in the circuit step by step. Empty, or why the circuit that is asked for cannot be drawn.
QString why_no_circuit(const ExportDialog& dialog, Document& document, ExportRequest& request) {
    if (request.what != What::Circuit || request.drawn.circuit) return {};
    if (!dialog.wants_steps()) {
        const Content& content = document.content();
        const auto made = circuit_for(content, content.current, request.circuit);
        return made ? QString() : as_sentence(made.problems().front().message);
    }
    const SessionPtr& session = CircuitSteps::of(document).session();
    if (!session) return ExportDialog::tr("There is no circuit step by step yet: open its panel first.");
    request.drawn.circuit = std::make_shared<const circuit::Circuit>(session->current().analysis.circuit);
    return {};
}

}  // namespace

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

void ask_and_export(Document& document, Services& services, const SeenPictures& seen,
                    const std::function<void(const QString&)>& failed, QWidget* parent) {
    if (document.empty()) return;
    ExportDialog dialog(services.appearance.theme(), seen.part, seen.lights, parent);
    dialog.offer(seen.circuit);
    if (!seen.picture && seen.circuit.circuit) dialog.choose(What::Circuit, "svg");
    if (dialog.exec() != QDialog::Accepted) return;
    ExportRequest request = dialog.request();
    const ContentPtr content = document.snapshot();
    if (const QString why = why_no_circuit(dialog, document, request); !why.isEmpty()) return failed(why);
    const QString format = QString::fromStdString(request.format);
    const QString suggested =
        QFileInfo(document.path())
            .dir()
            .filePath(file_name_of(QString::fromStdString(content->name)) + QLatin1Char('.') + format);
    const QString path =
        where_to_write(parent, ExportDialog::tr("Export"), QStringLiteral("*.") + format, suggested);
    if (path.isEmpty()) return;
    if (const QString why = follow_ending(path, request); !why.isEmpty()) return failed(why);
    const std::size_t steps = content->history.path(content->history.branch(content->branch).tip).size();
    const bool derivation = request.what == What::Strip || request.what == What::Page;
    const auto job = [=, &services](const Stop& stop) -> Work::Finish {
        const auto picture = [&, drawn = std::size_t{0}](StateId id) mutable -> PicturePtr {
            if (derivation && request.stages == Stages::All) stop.done(drawn++, steps);
            return stop ? nullptr : services.pictures.now(content, id);
        };
        const std::optional<QByteArray> bytes = make_export(request, *content, picture);
        if (!bytes || stop) return [] {};
        QString problem = bytes->isEmpty() ? ExportDialog::tr(
                                                 "The image would be too large. Choose a smaller "
                                                 "scale, or SVG or PDF.")
                                           : write(path, *bytes);
        if (!problem.isEmpty()) return [failed, problem] { failed(problem); };
        return [path, &services] { services.say(ExportDialog::tr("Exported to %1").arg(path)); };
    };
    services.work.start(ExportDialog::tr("Exporting %1").arg(QFileInfo(path).fileName()), job);
}

}  // namespace blockscope

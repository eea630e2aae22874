#include "app/export/export_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>

#include "app/circuit/circuit_steps.h"
#include "app/document/document.h"
#include "app/document/files.h"
#include "app/document/pictures.h"
#include "app/document/work.h"
#include "app/panels/services.h"
#include "app/panels/write_dialog.h"
#include "app/window/appearance.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

using What = ExportRequest::What;

constexpr int kSteps = -1, kShown = -2;  // beside the kinds of CircuitKind

QString format_name(const std::string& format) {
    if (format == "html") return ExportDialog::tr("HTML page");
    if (format == "dot") return ExportDialog::tr("DOT (Graphviz)");
    if (format == "tex") return ExportDialog::tr("TikZ (LaTeX)");
    return QString::fromStdString(format).toUpper();
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
    const bool circuit =
        what == What::Circuit && format != QStringLiteral("tex") && format != QStringLiteral("json");
    circuit_->setEnabled(what == What::Circuit);
    stages_->setEnabled(what == What::Strip || what == What::Page);
    colours_->setEnabled(picture || circuit || what == What::Strip);
    scale_->setEnabled((picture || circuit) && format == QStringLiteral("png"));
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
            .filePath(QString::fromStdString(content->name) + QLatin1Char('.') + format);
    const QString path =
        where_to_write(parent, ExportDialog::tr("Export"), QStringLiteral("*.") + format, suggested);
    if (path.isEmpty()) return;
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

#include "app/circuit/circuit_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QSaveFile>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_links.h"
#include "app/document/document.h"
#include "app/window/appearance.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr double kZoomStep = 1.25;

}  // namespace

CircuitPage::CircuitPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent), document_(document), services_(services), view_(new CircuitView(this)), work_(this) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    column->addWidget(view_, 1);
    setFocusProxy(view_);
    connect_parts();
    restyle();
}

QWidget* CircuitPage::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    kind_ = new QComboBox(bar);
    kind_->addItem(tr("This state"), static_cast<int>(CircuitKind::State));
    kind_->addItem(tr("The program"), static_cast<int>(CircuitKind::Program));
    kind_->addItem(tr("One algorithm"), static_cast<int>(CircuitKind::Algorithm));
    kind_->setAccessibleName(tr("Which diagram"));
    kind_->setToolTip(
        tr("This state: maps are groups and streams. The program: before there are blocks. One "
           "algorithm: the whole program on two levels, grouped and streamed wherever it can be."));
    numbers_ = new QComboBox(bar);
    numbers_->addItem(tr("Formulas"), static_cast<int>(circuit::NumberStyle::Formulas));
    numbers_->addItem(tr("Counts"), static_cast<int>(circuit::NumberStyle::Counts));
    numbers_->addItem(tr("No numbers"), static_cast<int>(circuit::NumberStyle::None));
    numbers_->setAccessibleName(tr("Numbers under the columns"));
    numbers_->setToolTip(
        tr("H: values that change their level. M: values that are there at a level. The widest "
           "column is framed."));
    row->addWidget(kind_);
    row->addWidget(numbers_);
    row->addStretch(1);
    const auto button = [&](const QString& text, const QString& tip, auto action) {
        auto* made = new QToolButton(bar);
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        connect(made, &QToolButton::clicked, this, action);
        row->addWidget(made);
    };
    button(QStringLiteral("−"), tr("Show the diagram smaller"), [this] { view_->zoom(1 / kZoomStep); });
    button(QStringLiteral("+"), tr("Show the diagram larger"), [this] { view_->zoom(kZoomStep); });
    button(tr("Fit"), tr("Show the whole diagram"), [this] { view_->fit(); });
    button(tr("Export..."), tr("Write the diagram to a file: SVG, PDF, PNG or TikZ"),
           [this] { ask_and_export(); });
    return bar;
}

void CircuitPage::connect_parts() {
    connect(&document_, &Document::content_changed, this, &CircuitPage::refresh);
    connect(&document_, &Document::current_changed, this, &CircuitPage::refresh);
    connect(&document_, &Document::selection_changed, this, &CircuitPage::relight);
    connect(&document_, &Document::hover_changed, this, &CircuitPage::relight);
    connect(&services_.appearance, &Appearance::changed, this, &CircuitPage::restyle);
    connect(kind_, &QComboBox::currentIndexChanged, this, &CircuitPage::refresh);
    connect(numbers_, &QComboBox::currentIndexChanged, this, &CircuitPage::refresh);
    connect(view_, &CircuitView::clicked, this, [this](const CircuitPart& part) {
        if (!document_.empty() && view_->drawing())
            document_.select(circuit_spot(*view_->drawing(), *document_.content().program(), links(), part));
    });
    connect(view_, &CircuitView::hovered, this, [this](const CircuitPart& part) {
        if (!document_.empty() && view_->drawing())
            document_.set_hover(
                circuit_spot(*view_->drawing(), *document_.content().program(), links(), part));
    });
}

void CircuitPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void CircuitPage::restyle() {
    view_->set_theme(services_.appearance.theme());
}

// Drawn anew when it is seen and something that it depends on is another.
void CircuitPage::refresh() {
    if (document_.empty()) {
        work_.cancel();
        shown_.reset();
        return view_->set_message(tr("No program"), tr("Open a program or a sample to see its circuit."));
    }
    if (!isVisible()) return;
    const ContentPtr content = document_.snapshot();
    const auto kind = static_cast<CircuitKind>(kind_->currentData().toInt());
    Source source{content->program(), QString::fromStdString(content->source), kind_->currentIndex(),
                  numbers_->currentIndex()};
    if (shown_ == source) return;
    shown_ = std::move(source);
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    options.numbers = static_cast<circuit::NumberStyle>(numbers_->currentData().toInt());
    work_.start(tr("Drawing the circuit"), [=, this](const Stop&) -> Work::Finish {
        const Result<circuit::Circuit> made = circuit_for(*content, content->current, kind);
        DrawingPtr drawing;
        if (made) drawing = std::make_shared<const circuit::Drawing>(circuit::lay_out(*made, options));
        return [=, this] { take(made, drawing); };
    });
}

void CircuitPage::take(const Result<circuit::Circuit>& made, DrawingPtr drawing) {
    if (!made)
        return view_->set_message(tr("No diagram of this"), as_sentence(made.problems().front().message));
    view_->show_drawing(std::move(drawing));
    relight();
}

const ArrayLinks& CircuitPage::links() {
    const ProgramPtr program = document_.content().program();
    if (linked_ != program) links_ = array_links(document_.content());
    linked_ = program;
    return links_;
}

void CircuitPage::relight() {
    if (document_.empty() || !view_->drawing() || !isVisible()) return;
    const BlockProgram& program = *document_.content().program();
    CircuitLights lights = circuit_lights(*view_->drawing(), program, links(), document_.selection());
    const CircuitLights pointed = circuit_lights(*view_->drawing(), program, links(), document_.hover());
    lights.axes.insert(pointed.axes.begin(), pointed.axes.end());
    lights.pointed_glyphs = pointed.glyphs;
    view_->set_lights(lights);
}

bool CircuitPage::export_diagram(const QString& path) {
    if (!view_->drawing()) return false;
    CircuitFile file;
    file.theme = services_.appearance.theme();
    file.title = document_.content().name + ", " + kind_->currentText().toStdString();
    const std::string format = path.mid(path.lastIndexOf(QLatin1Char('.')) + 1).toLower().toStdString();
    const QByteArray bytes = circuit_bytes(format, *view_->drawing(), file);
    if (bytes.isEmpty()) return false;
    QSaveFile out(path);
    return out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit();
}

void CircuitPage::ask_and_export() {
    if (!view_->drawing()) return services_.say(tr("There is no diagram to export."));
    auto* dialog = new QFileDialog(this, tr("Export diagram"), {}, tr("Diagrams (*.svg *.pdf *.png *.tex)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(QString::fromStdString(document_.content().name) + QStringLiteral("-circuit.svg"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        services_.say(
            export_diagram(path)
                ? tr("Written: %1").arg(path)
                : tr("%1 could not be written. The ending has to be .svg, .pdf, .png or .tex.").arg(path));
    });
    dialog->open();
}

}  // namespace blockscope

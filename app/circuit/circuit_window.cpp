#include "app/circuit/circuit_window.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSplitter>
#include <QVBoxLayout>

#include "app/circuit/circuit_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/shell/appearance.h"
#include "app/shell/dialogs.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr qint64 kBeginning = 400;  // bytes in which a document says what it is
constexpr qint64 kMostBytes = 64 << 20;

struct Read {
    circuit::CircuitDocument document;
    DrawingPtr drawing;
    Result<circuit::Flow> flow;
};

Result<Read> read_document(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Problem{{path.toStdString(), 0, 0, {}}, file.errorString().toStdString()};
    const std::string text = file.read(kMostBytes).toStdString();
    Result<circuit::CircuitDocument> document = circuit::read_circuit(text, path.toStdString());
    if (!document) return document.problems();
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    auto drawing = std::make_shared<const circuit::Drawing>(circuit::lay_out(document->circuit, options));
    Result<circuit::Flow> flow = circuit::flow_of(document->circuit);
    return Read{*std::move(document), std::move(drawing), std::move(flow)};
}

// What the diagram itself splits.
std::string split_axis(const circuit::Axes& axes, circuit::PartitionKind kind) {
    for (const circuit::Axis& axis : axes)
        if (axis.whole && axis.partition == kind) return circuit::axis_of(axes, *axis.whole).name;
    return {};
}

}  // namespace

CircuitWindow::CircuitWindow(const QString& path, Appearance& appearance, QWidget* parent)
    : QWidget(parent, Qt::Window),
      appearance_(appearance),
      work_(this),
      view_(new CircuitView(this)),
      tables_(new KernelTables(appearance, this)) {
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->addWidget(view_);
    splitter->addWidget(tables_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);
    setWindowTitle(QFileInfo(path).completeBaseName());
    resize(first_size(*this, {1160, 860}));
    const auto restyle = [this] { view_->set_theme(appearance_.theme()); };
    connect(&appearance_, &Appearance::changed, this, restyle);
    restyle();
    read(path);
}

bool CircuitWindow::busy() const {
    return work_.busy() || tables_->busy();
}

void CircuitWindow::read(const QString& path) {
    work_.start(tr("Opening %1").arg(QFileInfo(path).fileName()), [=, this](const Stop&) -> Work::Finish {
        auto made = std::make_shared<Result<Read>>(read_document(path));
        return [=, this] {
            if (!*made) {
                Q_EMIT refused(made->problems());
                close();
                return;
            }
            const Read& opened = **made;
            if (!opened.document.title.empty()) setWindowTitle(QString::fromStdString(opened.document.title));
            view_->show_drawing(opened.drawing);
            if (!opened.flow)
                return tables_->show_algorithm(
                    {nullptr,
                     {},
                     {},
                     {},
                     std::make_shared<const circuit::Circuit>(opened.document.circuit),
                     as_sentence(opened.flow.problems().front().message)});
            const circuit::Axes& axes = opened.document.circuit.axes;
            tables_->show_algorithm({std::make_shared<const circuit::Flow>(*opened.flow),
                                     split_axis(axes, circuit::PartitionKind::Group),
                                     split_axis(axes, circuit::PartitionKind::Stream),
                                     opened.document.execution});
        };
    });
}

bool is_circuit_file(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(kBeginning).contains("\"blockscope circuit\"");
}

std::vector<CircuitSample> circuit_samples() {
    std::vector<CircuitSample> all;
    const QDir folder(QStringLiteral(":/samples/circuits"));
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QString title =
            QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("title")).toString();
        all.push_back({title.isEmpty() ? info.completeBaseName() : title, info.filePath()});
    }
    return all;
}

}  // namespace blockscope

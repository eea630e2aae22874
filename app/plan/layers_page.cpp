#include "app/plan/layers_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/shell/controls.h"
#include "app/words/words.h"
#include "core/cost/models/baseline.h"

namespace blockscope {

namespace {

constexpr int kFirstRole = Qt::UserRole;  // of column 0: the row's first part and its last
constexpr int kLastRole = Qt::UserRole + 1;

QString layer_share_text(double part, double all) {
    if (!(all > 0)) return {};
    const double percent = 100 * part / all;
    return percent > 0 && percent < 0.5 ? QStringLiteral("< 1%")
                                        : QStringLiteral("%1%").arg(percent, 0, 'f', 0);
}

QString part_numbers(int first, int last) {
    return first == last ? QString::number(first + 1)
                         : QStringLiteral("%1\u2013%2").arg(first + 1).arg(last + 1);
}

void fill_row(QTreeWidgetItem& row, const plan::ModelLayers& layers, const QString& what, int first, int last,
              const plan::LayerRun& run) {
    const plan::PartCost cost = layers.cost_in_all(run, first, last);
    row.setData(0, kFirstRole, first);
    row.setData(0, kLastRole, last);
    const QString texts[LayersTable::Columns] = {what,
                                                 part_numbers(first, last),
                                                 run.count > 1 ? QString::number(run.count) : QString(),
                                                 QString::number(layers.nodes(first, last).size()),
                                                 with_unit(cost.bytes, QStringLiteral("B")),
                                                 layer_share_text(cost.bytes, layers.all.bytes),
                                                 time_text(cost.seconds),
                                                 layer_share_text(cost.seconds, layers.all.seconds)};
    for (int column = 0; column < LayersTable::Columns; ++column) {
        row.setText(column, texts[column]);
        if (column > LayersTable::What) row.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    constexpr std::size_t kMostNames = 12;
    QStringList names;
    const plan::FusionGroup nodes = layers.nodes(first, last);
    for (std::size_t i = 0; i < std::min(nodes.size(), kMostNames); ++i)
        names << QString::fromStdString(layers.graph.names[plan::slot(nodes[i])]);
    if (nodes.size() > kMostNames) names << QStringLiteral("\u2026");
    row.setToolTip(LayersTable::What, names.join(QStringLiteral(", ")));
}

// A repeated layer says which ones they are and how often: of one part "MLP, layers_0 to layers_5, 6 times".
QString run_text(const plan::ModelLayers& layers, const plan::LayerRun& run) {
    QString part = QString::fromStdString(layers.parts[plan::slot(run.first)].title);
    const QString title = QString::fromStdString(run.title);
    if (run.count == 1) return part;
    return run.parts == 1 ? LayersTable::tr("%1, %2, %3 times").arg(part, title).arg(run.count)
                          : LayersTable::tr("%1, %2 times").arg(title).arg(run.count);
}

}  // namespace

// ---- The table.

LayersTable::LayersTable(QWidget* parent) : QTreeWidget(parent) {
    setHeaderLabels({tr("Part"), tr("No."), tr("Times"), tr("Operators"), tr("Traffic"), tr("of all"),
                     tr("Time"), tr("of all")});
    headerItem()->setToolTip(Times, tr("How often the layer is repeated; what it moves and takes is that of "
                                       "all of them together"));
    headerItem()->setToolTip(Traffic, tr("Bytes between global and local memory, as library kernels"));
    headerItem()->setToolTip(Time, tr("Predicted on the window's device, as library kernels"));
    setAccessibleName(tr("Layers of the program"));
    setProperty("program_data", true);
    setAllColumnsShowFocus(true);
    setUniformRowHeights(true);
    setTabKeyNavigation(false);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    header()->setSectionsMovable(false);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(What, QHeaderView::Stretch);
}

void LayersTable::show_layers(const FoundLayers& found) {
    const plan::ModelLayers& layers = found.layers;
    // Where the device or the sizes change, the parts stay.
    const int chosen = std::max(0, indexOfTopLevelItem(currentItem()));
    clear();
    for (const plan::LayerRun& run : layers.runs) {
        const int last = run.first + run.parts - 1;
        auto* row = new QTreeWidgetItem(this);
        const bool parent = run.parts > 1;
        fill_row(*row, layers, run_text(layers, run), run.first, last, run);
        for (int part = run.first; parent && part <= last; ++part)
            fill_row(*new QTreeWidgetItem(row), layers,
                     QString::fromStdString(layers.parts[plan::slot(part)].title), part, part, run);
    }
    expandAll();
    QTreeWidgetItem* row = topLevelItem(std::min(chosen, topLevelItemCount() - 1));
    if (row) setCurrentItem(row);
}

std::optional<std::pair<int, int>> LayersTable::chosen() const {
    std::optional<std::pair<int, int>> parts;
    for (const QTreeWidgetItem* row : selectedItems()) {
        const int first = row->data(0, kFirstRole).toInt(), last = row->data(0, kLastRole).toInt();
        parts = parts ? std::pair(std::min(parts->first, first), std::max(parts->second, last))
                      : std::pair(first, last);
    }
    return parts;
}

// ---- The page.

LayersPage::LayersPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent), document_(document), services_(services) {
    setFocusPolicy(Qt::StrongFocus);
}

LayersPage::~LayersPage() {
    work_.cancel();
}

void LayersPage::showEvent(QShowEvent* event) {
    if (!table_) make_parts();
    QWidget::showEvent(event);
    look();
}

void LayersPage::make_parts() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(8);
    auto* bar = new QHBoxLayout;
    sentence_ = new QLabel(this);
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sentence_->setAccessibleName(tr("What the layers are"));
    bar->addWidget(sentence_, 1);
    open_ =
        make_bar_button(this, tr("Open as a program"),
                        tr("Opens the chosen part in a window of its own; of several rows, also what lies "
                           "between them. So does Return, or a double click"));
    bar->addWidget(open_, 0, Qt::AlignTop);
    column->addLayout(bar);
    table_ = new LayersTable(this);
    table_->setExpandsOnDoubleClick(false);
    column->addWidget(table_, 1);
    setFocusProxy(table_);
    connect(open_, &QToolButton::clicked, this, &LayersPage::open_chosen);
    connect(table_, &QTreeWidget::itemActivated, this, &LayersPage::open_chosen);
    connect(&document_, &Document::content_changed, this, &LayersPage::look);
    connect(&Forecast::of(document_), &Forecast::changed, this, &LayersPage::look);
    connect(&work_, &Work::failed, this, [this](const QString& what) { sentence_->setText(what); });
}

// The device and the sizes decide what is shown, not the state.
void LayersPage::look() {
    if (!isVisible()) return;
    const bool none = document_.empty() || !document_.content().array;
    const Device device = Forecast::of(document_).device();
    std::optional<ArrayProgram> program;
    if (!none) program = at_sizes(*document_.content().array, document_.content().program()->dims);
    const std::string now = none ? std::string() : device.name + '\n' + print_program(*program);
    if (!now.empty() && now == looked_at_ && (work_.busy() || (found_ && found_->device == device))) return;
    looked_at_ = now;
    work_.cancel();
    found_ = nullptr;
    if (none) {
        show_found(nullptr);
        return sentence_->setText(
            document_.empty() ? tr("No program is open.")
                              : tr("This document holds a block program alone. Its operators are in blocks "
                                   "already, so that there are no layers to find."));
    }
    sentence_->setText(tr("Finding the layers"));
    work_.start(tr("Finding the layers"),
                [this, program = std::move(*program), device](const Stop& stop) -> Work::Finish {
                    auto made = std::make_shared<FoundLayers>(FoundLayers{program, device, {}});
                    made->layers = plan::layers_of(made->program, made->device, stop.sign());
                    return [this, found = FoundLayersPtr(std::move(made))] { show_found(found); };
                });
}

void LayersPage::show_found(FoundLayersPtr found) {
    found_ = std::move(found);
    table_->setVisible(found_ != nullptr);
    open_->setVisible(found_ != nullptr);
    if (!found_) return table_->clear();
    table_->show_layers(*found_);
    sentence_->setText(sentence_of(*found_));
}

QString LayersPage::sentence_of(const FoundLayers& found) const {
    const plan::ModelLayers& layers = found.layers;
    const auto most =
        std::max_element(layers.runs.begin(), layers.runs.end(),
                         [](const auto& a, const auto& b) { return a.count * a.parts < b.count * b.parts; });
    if (most == layers.runs.end()) return tr("The program computes nothing.");
    const QString device = QString::fromStdString(found.device.title);
    const QString all = tr("%1 operators; as %2 library kernels they take %3 on %4.")
                            .arg(layers.graph.nodes())
                            .arg(layers.all.kernels)
                            .arg(time_text(layers.all.seconds), device);
    if (most->count == 1) return tr("No layer is repeated. %1").arg(all);
    const plan::PartCost cost = layers.cost_in_all(*most, most->first, most->first + most->parts - 1);
    return tr("%1 equal layers take %2 of the time. %3")
        .arg(most->count)
        .arg(layer_share_text(cost.seconds, layers.all.seconds), all);
}

void LayersPage::open_chosen() {
    const auto parts = table_->chosen();
    if (!found_ || !parts || !services_.open_program) return;
    const auto [first, last] = *parts;
    const Result<ArrayProgram> part =
        group_program(found_->program, found_->layers.graph, found_->layers.nodes(first, last));
    if (!part) return services_.say(translated(part.problems().front().message));
    const QString name = QStringLiteral("%1-%2").arg(
        QString::fromStdString(document_.content().name),
        first == last ? tr("part-%1").arg(first + 1) : tr("parts-%1-%2").arg(first + 1).arg(last + 1));
    services_.open_program(name, QString::fromStdString(print_program(*part)), {});
}

QString LayersPage::sentence() const {
    return sentence_ ? sentence_->text() : QString();
}

}  // namespace blockscope

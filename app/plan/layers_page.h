// The page Layers: the parts of a model in the order in which they run, a layer that is repeated once with
// its count, and what each moves and takes. Parts are opened as programs of their own.
#pragma once

#include <QTreeWidget>
#include <QWidget>
#include <memory>
#include <optional>

#include "app/costs/forecast.h"
#include "app/document/work.h"
#include "app/shell/services.h"
#include "core/plan/layers.h"

class QLabel;
class QToolButton;

namespace blockscope {

// What was found of a program on a device.
struct FoundLayers {
    ArrayProgram program;
    Device device;
    plan::ModelLayers layers;
};
using FoundLayersPtr = std::shared_ptr<const FoundLayers>;

// One row for each part; a layer of several parts that is repeated has its parts below it.
class LayersTable : public QTreeWidget {
    Q_OBJECT

public:
    enum Column { What, Part, Times, Operators, Traffic, TrafficShare, Time, TimeShare, Columns };

    explicit LayersTable(QWidget* parent);

    void show_layers(const FoundLayers& found);
    // The parts of the chosen rows and those between them: the first and the last.
    std::optional<std::pair<int, int>> chosen() const;
};

// Until it is seen for the first time it has no parts and looks at nothing.
class LayersPage : public QWidget {
    Q_OBJECT

public:
    LayersPage(Document& document, Services& services, QWidget* parent = nullptr);
    ~LayersPage() override;

    // Of a page that was seen.
    LayersTable& table() { return *table_; }
    QToolButton& open_button() { return *open_; }
    QString sentence() const;
    const FoundLayersPtr& found() const { return found_; }  // null while there is nothing to show
    void open_chosen();                                     // as a program

protected:
    void showEvent(QShowEvent* event) override;

private:
    void make_parts();
    void look();
    void show_found(FoundLayersPtr found);
    QString sentence_of(const FoundLayers& found) const;

    Document& document_;
    Services& services_;
    QLabel* sentence_ = nullptr;
    QToolButton* open_ = nullptr;
    LayersTable* table_ = nullptr;
    std::string looked_at_;
    FoundLayersPtr found_;
    Work work_;
};

}  // namespace blockscope

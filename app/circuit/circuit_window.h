// A circuit document (docs/json.md) in a window of its own: the diagram, and the kernel that it says how to
// run.
#pragma once

#include <QWidget>
#include <vector>

#include "app/document/work.h"
#include "core/diagram/document.h"

namespace blockscope {

class Appearance;
class CircuitView;
class KernelTables;

class CircuitWindow : public QWidget {
    Q_OBJECT

public:
    // Reads `path` (a file or a resource) off the interface thread. `parent` is the window that it belongs
    // to.
    CircuitWindow(const QString& path, Appearance& appearance, QWidget* parent);

    CircuitView& view() { return *view_; }
    KernelTables& tables() { return *tables_; }
    bool busy() const;

Q_SIGNALS:
    // It cannot be read; the window closes itself.
    void refused(const blockscope::Problems& problems);

private:
    void read(const QString& path);

    Appearance& appearance_;
    Work work_;
    CircuitView* view_;
    KernelTables* tables_;
};

// Whether a file begins like a circuit document.
bool is_circuit_file(const QString& path);

// The circuits that are compiled in.
struct CircuitSample {
    QString title;
    QString path;  // of the resource
};
std::vector<CircuitSample> circuit_samples();

}  // namespace blockscope

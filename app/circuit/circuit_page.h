// The neural circuit diagram of what the document shows, beside the picture of blocks.
#pragma once

#include <QWidget>
#include <optional>

#include "app/circuit/circuit_choice.h"
#include "app/circuit/circuit_view.h"
#include "app/document/work.h"
#include "app/panels/array_links.h"
#include "app/panels/services.h"

class QComboBox;

namespace blockscope {

class Document;

class CircuitPage : public QWidget {
    Q_OBJECT

public:
    CircuitPage(Document& document, Services& services, QWidget* parent = nullptr);

    CircuitView& view() { return *view_; }
    QComboBox& kind() { return *kind_; }
    bool busy() const { return work_.busy(); }
    // Writes the diagram to a file: svg, pdf, png or tex by its ending. False if it could not.
    bool export_diagram(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;

private:
    // What of the document and the page a diagram depends on.
    struct Source {
        ProgramPtr program;
        QString text;
        int kind = 0, numbers = 0;
        bool operator==(const Source&) const = default;
    };
    QWidget* make_bar();
    void connect_parts();
    void refresh();
    void take(const Result<circuit::Circuit>& made, DrawingPtr drawing);
    void relight();
    void restyle();
    const ArrayLinks& links();
    void ask_and_export();

    Document& document_;
    Services& services_;
    CircuitView* view_;
    QComboBox *kind_ = nullptr, *numbers_ = nullptr;
    Work work_;
    std::optional<Source> shown_;  // what the view shows, or is about to
    ProgramPtr linked_;            // what `links_` belong to
    ArrayLinks links_;
};

}  // namespace blockscope

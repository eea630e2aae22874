// The neural circuit diagram of what the document shows, beside the picture of blocks.
#pragma once

#include <QWidget>
#include <optional>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_key.h"
#include "app/circuit/circuit_paint.h"
#include "app/circuit/circuit_steps.h"
#include "app/circuit/circuit_view.h"
#include "app/document/document.h"
#include "app/document/work.h"
#include "app/panels/array_view.h"
#include "app/shell/services.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSpinBox;

namespace blockscope {

// ---- What of a circuit diagram belongs to what of a block program, both ways. No Qt.

// The nodes that hand a value on, in and out of maps: what makes it, and the input and output nodes of the
// maps that it passes. A transfer of the diagram has the one where it happens as its origin.
std::set<NodeId> nodes_of_value(const BlockProgram& program, const ValueRef& value);

// What else belongs to both: of diagrams of the array program, whose axes and arrays have the program's
// names, and of those step by step, whose axes may have been renamed.
struct SharedNames {
    // By axis of the drawing: the dimension that it is, or is a part of; empty for none.
    std::vector<std::string> dims;
};
// `first` are the axes before any was renamed, by the numbers of the drawing's wholes; null where none was.
SharedNames shared_names(const circuit::Axes& axes, const circuit::Axes* first = nullptr);

// The lights of what is selected or pointed at: operators, the frames of maps with the axis that they iterate
// over, the transfers that a value causes.
CircuitLights circuit_lights(const circuit::Drawing& drawing, const BlockProgram& program,
                             const ArrayLinks& links, const SharedNames& names, const Spot& spot);

// What is meant by a part of the diagram: nodes, or the value of a transfer. Empty if it is nothing of the
// block program.
Spot circuit_spot(const circuit::Drawing& drawing, const BlockProgram& program, const ArrayLinks& links,
                  const SharedNames& names, const CircuitPart& part);

class Document;

class CircuitPage : public QWidget {
    Q_OBJECT

public:
    CircuitPage(Document& document, Services& services, QWidget* parent = nullptr);

    CircuitView& view() { return *view_; }
    const CircuitKey& key() const { return *key_; }
    QComboBox& kind() { return *kind_; }
    QSpinBox& repeat() { return *repeat_; }
    CircuitSteps& steps() { return steps_; }
    bool busy() const { return work_.busy() || steps_.busy(); }
    // What the page shows now; nothing while it is hidden or being drawn.
    SeenCircuit seen() const;
    // Whether it shows the step-by-step diagram and not one of the document's.
    bool stepping() const;
    void set_stepping();
    // What can be done with the chosen axis; the caller shows and deletes it.
    QMenu* make_menu();
    // Opens an editor for the chosen axis' name, at a place of the view.
    void edit_name(QPointF at);
    QLineEdit* name_editor() { return name_; }
    // Writes the diagram to a file: svg, pdf, png, tex or json by its ending. False if it could not.
    bool export_diagram(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // What of the document and the page a diagram depends on.
    struct Source {
        ProgramPtr program = nullptr;
        QString text = {};
        int kind = 0, numbers = 0;
        circuit::CircuitStatePtr state;  // of steps
        circuit::AxisId axis;
        int step = -1;       // of the theorem
        QSize page = {};     // that lines wrap for, roughly
        bool whole = false;  // it is to be seen whole, however small
        int repeat = 1;      // times, in brackets
        bool operator==(const Source&) const = default;
    };
    using CircuitPtr = std::shared_ptr<const circuit::Circuit>;
    QSize page_size() const;
    void show_whole();
    QWidget* make_bar();
    void connect_parts();
    void connect_steps();
    void connect_actions();
    void refresh();
    void refresh_steps();
    void start_drawing(Source source, std::function<Result<circuit::Circuit>()> make);
    void take(const std::shared_ptr<const Result<circuit::Circuit>>& made, DrawingPtr drawing);
    void relight();
    void restyle();
    void say(const QString& text);
    void choose(const CircuitPart& part);
    void split(circuit::CircuitAction::Kind kind);
    void show_argument();
    void finish_name(bool keep);
    const ArrayLinks& links();
    SharedNames names() const;
    Spot spot_of(const CircuitPart& part);
    void ask_and_export();

    Document& document_;
    Services& services_;
    CircuitSteps& steps_;
    QWidget* bar_ = nullptr;
    CircuitView* view_;
    CircuitKey* key_;
    QLabel* argument_ = nullptr;  // which step of the theorem is shown
    QLineEdit* name_ = nullptr;
    QComboBox *kind_ = nullptr, *numbers_ = nullptr;
    QSpinBox* repeat_ = nullptr;
    Work work_;
    bool whole_ = false;           // as the last press of Fit wants it
    std::optional<Source> shown_;  // what the view shows, or is about to
    CircuitPtr circuit_;           // what `view_` draws; null without a drawing
    ProgramPtr linked_;            // what `links_` belong to
    ArrayLinks links_;
};

}  // namespace blockscope

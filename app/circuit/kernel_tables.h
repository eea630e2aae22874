// An algorithm on a device: its levels with groups of their own (Equation 2), of GPUs and CPUs, and, of a
// GPU, the algorithm as a kernel of warpgroups (Section 5): pseudocode, the configuration with sizes and
// types that can be edited against the limits of a device, clocks by pipeline and the lanes of an overlapped
// execution with overheads that can be edited; and what the performance models say of it on every level
// (Section 4).
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "app/document/work.h"
#include "core/diagram/layout/drawing.h"
#include "core/napkin/compared.h"
#include "core/napkin/study.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QSplitter;
class QTableWidget;
class QTabWidget;
class QToolButton;
class QTreeWidget;

namespace blockscope {

class Appearance;
class CircuitView;
class ClockView;
class FlowLayout;
class ModelView;

class KernelTables : public QWidget {
    Q_OBJECT

public:
    // What is analysed, and how it is to run; without `execution` as many warpgroups as fit.
    struct Algorithm {
        std::shared_ptr<const circuit::Flow> flow = nullptr;  // separated
        std::string rows = {}, stream = {};                   // axes; empty: as core/napkin/study.h says
        std::optional<circuit::Deployment> execution = {};
        // A diagram without a flow, and why it has none: its levels alone are analysed, as it is drawn.
        std::shared_ptr<const circuit::Circuit> diagram = nullptr;
        QString why = {};
    };

    explicit KernelTables(Appearance& appearance, QWidget* parent = nullptr);

    // What the user has typed is kept if the new algorithm splits the same axes.
    void show_algorithm(Algorithm algorithm);
    void show_message(const QString& text);
    bool busy() const { return work_.busy(); }
    // Null while it is made and where there is none.
    std::shared_ptr<const circuit::Study> study() const { return current_ ? study_ : nullptr; }
    // What the costs page says of the state that is shown, below the summary of the clocks, and term by term
    // what its time counts and the schedule does not; may be empty.
    void show_prediction(const QString& text, const std::optional<circuit::ComparedTimes>& compared);
    // How many kernels the state that is shown is, which the tables, of all its operators as one kernel, say
    // beside their own; nothing where there is no such state.
    void show_kernels(std::optional<std::int64_t> of_state);
    // While the schedule is made anew: nothing of the one before, in the same room.
    void await_prediction();
    QString prediction() const;
    QTableWidget& comparison() { return *comparison_; }

    QComboBox& device_box() { return *device_; }
    // Takes the device from outside from now on, and says which it is instead of letting it be chosen.
    void follow(const Device& device);
    QComboBox& overlap_box() { return *overlap_; }
    QSpinBox& warpgroups_box() { return *warpgroups_; }
    QDoubleSpinBox& special_box() { return *special_; }
    QTableWidget& sizes() { return *sizes_; }
    QTableWidget& variables() { return *variables_; }
    QTableWidget& levels() { return *levels_; }
    QTableWidget& level_plans() { return *level_plans_; }
    QString level_sum() const;
    QTableWidget& pipelines() { return *pipelines_; }
    QTreeWidget& code() { return *code_; }
    ClockView& clocks() { return *clocks_; }
    CircuitView& code_picture() { return *code_picture_; }
    CircuitView& levels_picture() { return *levels_picture_; }
    ModelView& models() { return *models_; }
    QDoubleSpinBox& link_box() { return *link_; }
    QString message() const;
    QTabWidget& tabs() { return *tabs_; }
    QString summary() const;
    // Writes the clock diagram: svg, pdf, png or tex by the ending. False if it could not.
    bool export_clocks(const QString& path);
    // Writes the pseudocode's diagram: svg, pdf, png, tex or json by the ending. False if it could not.
    bool export_code(const QString& path);
    // Writes what the current tab shows: a diagram, or its tables as csv. False if it could not.
    bool export_tab(const QString& path);
    // What the current tab can be written as: "*.svg *.csv".
    QString endings() const;

Q_SIGNALS:
    void studied();  // study() has changed

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit_corner();
    void tell_no_kernel();
    QWidget* make_choices();
    QWidget* make_corner();
    void add_device(FlowLayout& row);
    void add_execution(FlowLayout& row);
    QWidget* make_code();
    QWidget* make_configuration();
    QWidget* make_clocks();
    QWidget* make_level_plans();
    QWidget* make_models();
    void enable_tabs(bool on);
    void enable_kernel_tabs(bool kernel);
    // Gives every table the width of its columns, until somebody moves the handles.
    void share_width();
    void restyle();
    void ask_and_export();
    enum class Tab : int { Clocks, Configuration, Code, Levels, Models };
    Tab tab() const;
    QByteArray tables_csv() const;
    bool export_levels(const QString& path);
    void start();
    // The loop as a diagram; null where there is none.
    struct Code {
        std::shared_ptr<const circuit::Circuit> circuit;
        std::shared_ptr<const circuit::Drawing> drawing;
    };
    // The diagram is wrapped so that it can be drawn as large as possible on a page of this size.
    static Code drawing_of(Result<circuit::Circuit> circuit, QSizeF page);
    QSizeF page(double share_of_width) const;
    void start_drawn(const Device& device);
    void take(std::shared_ptr<const circuit::Study> study, Code code, Code levels, const QString& problem,
              const Device& device);
    void take_drawn(const circuit::DiagramStudy& study, const Device& device);
    void show_execution();
    void show_code();
    void show_sizes();
    void show_variables();
    void show_levels();
    void show_level_plans(const circuit::LevelPlans& plans);
    void show_clocks();
    void edit_size(int row);
    // Studies again with what the controls say.
    void edit_execution();

    Appearance& appearance_;
    std::vector<Device> devices_;
    Algorithm algorithm_;
    std::map<std::string, ElemType> types_;
    bool as_many_as_fit_ = true;
    bool filling_ = false;  // the controls are being filled from the study, so their signals are no edits
    Work work_;
    std::shared_ptr<const circuit::Study> study_;  // what the tables show; edits go from it
    bool current_ = false;               // it is of the device and the algorithm of now, not of those before
    Code code_drawing_, level_drawing_;  // pseudocode, the algorithm on every level

    QComboBox *device_ = nullptr, *overlap_ = nullptr;
    QLabel* followed_ = nullptr;  // says the device where it is taken from outside
    bool follows_ = false;
    QToolButton* export_ = nullptr;
    QString problem_;
    std::optional<std::int64_t> kernels_of_state_;
    QSpinBox* warpgroups_ = nullptr;
    QDoubleSpinBox *special_ = nullptr, *vector_ = nullptr, *link_ = nullptr;
    QCheckBox* fragments_ = nullptr;
    QLabel *message_ = nullptr, *summary_ = nullptr, *prediction_ = nullptr, *warnings_ = nullptr,
           *level_sum_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    QTreeWidget* code_ = nullptr;
    QSplitter *configuration_ = nullptr, *level_plans_beside_ = nullptr;
    bool widths_chosen_ = false;  // by hand
    QTableWidget *sizes_ = nullptr, *variables_ = nullptr, *levels_ = nullptr, *level_plans_ = nullptr,
                 *pipelines_ = nullptr, *comparison_ = nullptr;
    ClockView* clocks_ = nullptr;
    ModelView* models_ = nullptr;
    CircuitView *code_picture_ = nullptr, *levels_picture_ = nullptr;
};

}  // namespace blockscope

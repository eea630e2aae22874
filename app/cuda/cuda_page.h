// The CUDA of the state that is shown: its source, linked with picture and listing; what the compiler says of
// it; and times, predicted and measured on a card.
#pragma once

#include <QTreeWidget>
#include <QWidget>
#include <memory>
#include <optional>

#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/cuda/cuda_source.h"
#include "app/document/work.h"
#include "app/shell/code_view.h"
#include "app/shell/services.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QToolButton;
class QTreeWidget;

namespace blockscope {

// ---- What the compiler made of a state's kernels: a row each, and what it said.

class CudaReportView : public QWidget {
    Q_OBJECT

public:
    explicit CudaReportView(QWidget* parent);

    void show_nothing(const QString& sentence);
    void show_report(const CudaReport& report);
    QTreeWidget& table() { return *table_; }
    QLabel& sentence() { return *sentence_; }
    QPlainTextEdit& log() { return *log_; }

Q_SIGNALS:
    void kernel_chosen(NodeId node);
    void help_wanted();  // there is no compiler

private:
    void add_row(const CudaKernel& kernel);

    QLabel* sentence_;
    QTreeWidget* table_;
    QPlainTextEdit* log_;
    QToolButton* help_;
};

// A search for block sizes as it runs: every choice with what the model, the compiler and the device say.
class TuneView : public QTreeWidget {
    Q_OBJECT

public:
    TuneView(Measurements& measurements, QWidget* parent);
    // The sizes that the program has now: rows of a search at others are faint, and a line says so.
    void show_program(const DimTable& now);
    // Where the numbers of the current row come from; empty without one.
    QString explanation() const;

Q_SIGNALS:
    void explained();  // explanation() is another one

private:
    void fill();
    void add_row(int index, bool fastest);
    void add_line(const QString& text);
    void hide_empty_columns();
    bool is_of_other_sizes(const TunedRow& tuned) const;

    Measurements& measurements_;
    DimTable now_;
};

// The view, and beside it where the numbers of its current row come from.
QWidget* make_tune_pane(TuneView* view, QWidget* parent);

class CudaHighlighter;
class ProgressOverlay;
class LineFiller;
class CudaReportView;
class MeasureBar;
class TuneView;

class CudaPage : public QWidget {
    Q_OBJECT

public:
    CudaPage(Document& document, Services& services, QWidget* parent = nullptr);
    ~CudaPage() override;  // ends a compiler that is at work

    CodeView& view() { return *view_; }
    QComboBox& target() { return *target_; }
    QCheckBox& safe() { return *safe_; }
    QCheckBox& tf32() { return *tf32_; }
    CudaReportView& report() { return *report_; }
    MeasureBar& measuring() { return *measuring_; }
    QLabel& note() { return *note_; }
    ProgressOverlay& late() { return *late_; }
    bool busy() const;
    const CudaSource& source() const { return *source_; }

    // Compiles what is shown; gives up if that is under way.
    void compile();
    // The stand-alone file, with a main() that nvcc builds. False if it could not be written.
    bool save(const QString& path);
    // The folder for PyTorch. Returns why it could not be written; empty if it is.
    QString hand_over_to(const QString& folder);
    void ask_and_hand_over();

protected:
    void showEvent(QShowEvent* event) override;

private:
    // What of the document and the page the source depends on.
    struct Origin {
        ProgramPtr program;
        CudaChoice choice;
        bool operator==(const Origin&) const = default;
    };
    // The source and which node each line is about. Of a large program it takes a while to copy, too.
    struct Made {
        CudaSource source;
        ProgramLinks program;
        std::vector<CodeLinks::Line> links;
    };
    QWidget* make_bar();
    QWidget* make_parts();
    QWidget* make_lower();
    void connect_parts();
    CudaChoice choice() const;
    bool follows_device() const;
    gpu::Target suiting_target() const;
    void name_targets();
    void show_tf32();
    void refresh();
    static Made make(const Origin& origin, const StopSign& stop);
    void take(const std::shared_ptr<Made>& made);
    void show_no_source();
    void stop_generating();  // by the user
    void take_report(const CudaReport& report);
    void forget_report(const QString& sentence);
    void stop_compiling();
    QString prediction() const;
    void show_note();
    void show_times();
    void show_compile_button();
    void copy();
    void ask_and_save();

    Document& document_;
    Services& services_;
    Costs& costs_;
    Forecast& forecast_;
    Measurements& measurements_;
    QComboBox* target_ = nullptr;
    QCheckBox *safe_ = nullptr, *tf32_ = nullptr, *library_ = nullptr;
    QToolButton* compile_ = nullptr;
    MeasureBar* measuring_;
    QLabel* note_;
    CodeView* view_;
    CodeLinks* links_;
    LineFiller* filler_;
    CudaHighlighter* highlighter_;
    QTabWidget* lower_ = nullptr;
    TuneView* tried_ = nullptr;
    CudaReportView* report_ = nullptr;
    QLabel* times_ = nullptr;
    QPlainTextEdit* details_ = nullptr;
    std::optional<Origin> shown_;  // what the view shows, or is about to
    std::shared_ptr<const CudaSource> source_ = std::make_shared<const CudaSource>();
    std::optional<CudaReport> compiled_;        // of source_
    std::shared_ptr<worker::Client> compiler_;  // of the last compilation
    Work generating_, compiling_;
    ProgressOverlay* late_;  // over the view, of generating_
};

}  // namespace blockscope

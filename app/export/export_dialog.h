// Asks what to export and how.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <functional>

#include "app/export/request.h"

namespace blockscope {

class Document;
struct Services;

class ExportDialog : public QDialog {
    Q_OBJECT

public:
    // `seen` and `lights`: what the picture view shows now.
    ExportDialog(const Theme& theme, const Rect& seen, const Lights& lights, QWidget* parent = nullptr);

    ExportRequest request() const;
    void choose(ExportRequest::What what, const std::string& format);
    // Offers the circuit that the page shows, as it shows it, first of all circuits.
    void offer(const SeenCircuit& circuit);
    // Whether the circuit step by step is asked for, which is no part of the document.
    bool wants_steps() const;

private:
    void fill_formats();
    void enable_parts();

    Rect seen_;
    SeenCircuit seen_circuit_;
    Lights lights_;
    QComboBox *what_, *format_, *colours_, *stages_, *circuit_;
    QDoubleSpinBox* scale_;
    QCheckBox *background_, *legend_;
};

// What the window shows. `picture` is false where the circuit is seen alone: then that is what is asked about
// first.
struct SeenPictures {
    Rect part;
    Lights lights;
    SeenCircuit circuit;
    bool picture = true;
};

// Asks for what, how and where, and writes the file off the interface thread; the work's bar shows progress
// and Cancel. Failures go to `failed`.
void ask_and_export(Document& document, Services& services, const SeenPictures& seen,
                    const std::function<void(const QString&)>& failed, QWidget* parent);

}  // namespace blockscope

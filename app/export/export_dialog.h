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
    // Whether the circuit step by step is asked for, which is no part of the document.
    bool wants_steps() const;

private:
    void fill_formats();
    void enable_parts();

    Rect seen_;
    Lights lights_;
    QComboBox *what_, *format_, *colours_, *stages_, *circuit_;
    QDoubleSpinBox* scale_;
    QCheckBox *background_, *legend_;
};

// Asks for what, how and where, and writes the file off the interface thread; the work's bar shows progress
// and Cancel. Failures go to `failed`.
void ask_and_export(Document& document, Services& services, const Rect& seen, const Lights& lights,
                    const std::function<void(const QString&)>& failed, QWidget* parent);

}  // namespace blockscope

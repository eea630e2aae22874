// What of NVIDIA's software this machine has: what was looked for, where, and how to install what is missing.
#pragma once

#include <QDialog>

#include "app/cuda/ask_for_cuda.h"
#include "app/document/work.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace blockscope {

class Appearance;

class DiagnosticsDialog : public QDialog {
    Q_OBJECT

public:
    // `program` looks, in a process of its own; empty: the command line beside this program.
    DiagnosticsDialog(Appearance& appearance, QWidget* parent, QString program = {});

    void look();  // once more, off the interface thread
    bool looking() const { return work_.busy(); }
    void show_findings(const gpu::Findings& findings);
    QString text() const;  // what "Copy" copies

private:
    void show_asked(const AskedForCuda& asked);
    void say(const QString& sentence, bool good);

    Appearance& appearance_;
    const QString program_;
    QLabel* summary_;
    QPlainTextEdit* details_;
    QPushButton *copy_, *again_;
    Work work_;
};

// The details as text, a heading over each part.
QString diagnostics_text(const gpu::Findings& findings);

}  // namespace blockscope

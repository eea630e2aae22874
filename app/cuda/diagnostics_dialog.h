// What of CUDA is there, asked of a process of its own: a driver or compiler that crashes takes that process
// along, and not the window.
#pragma once

#include <QDialog>
#include <QString>

#include "app/document/work.h"
#include "gpu/driver/driver.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace blockscope {

struct AskedForCuda {
    gpu::Findings findings;
    QString trouble;  // a sentence, if there is no answer; empty: `findings` is what there is
    QString said;     // what the process wrote besides, where there is trouble
};

// Runs `program diagnostics --json`. Where that cannot be started, the libraries are opened in this process.
// Waits half a minute at most: not for the interface thread.
AskedForCuda ask_for_cuda(const QString& program);

// What of NVIDIA's software this machine has: what was looked for, where, and how to install what is missing.

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

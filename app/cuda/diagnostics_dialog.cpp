#include "app/cuda/diagnostics_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/window/appearance.h"
#include "app/window/first_size.h"
#include "app/worker/command.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope {

namespace {

QString text_of(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

void add_search(QStringList& lines, const gpu::Search& search) {
    lines << DiagnosticsDialog::tr("Looked for:");
    for (const gpu::Search::Attempt& attempt : search.attempts)
        lines << QStringLiteral("  %1\n      %2").arg(text_of(attempt.path), text_of(attempt.outcome));
}

void add_commands(QStringList& lines, const std::vector<std::string>& commands) {
    lines << (commands.size() == 1 ? DiagnosticsDialog::tr("This installs it:")
                                   : DiagnosticsDialog::tr("Any of these installs it:"));
    for (const std::string& command : commands) lines << QStringLiteral("  ") + text_of(command);
}

}  // namespace

QString diagnostics_text(const gpu::Findings& findings) {
    QStringList lines;
    if (findings.cards.empty()) {
        lines << DiagnosticsDialog::tr("NVIDIA's driver: not found, or without a card");
        add_search(lines, findings.driver);
        add_commands(lines, gpu::driver_commands());
    } else {
        lines << DiagnosticsDialog::tr("NVIDIA's driver: %1, for CUDA up to %2")
                     .arg(text_of(findings.driver.found),
                          text_of(gpu::cuda_version(findings.driver_version)));
        for (const gpu::Card& card : findings.cards)
            lines << QStringLiteral("  ") +
                         DiagnosticsDialog::tr("cuda%1: %2, %3, %4 multiprocessors, %5 MiB")
                             .arg(card.index)
                             .arg(text_of(card.name), text_of(card.architecture()))
                             .arg(card.processors)
                             .arg(card.memory_bytes / (1 << 20));
    }
    lines << QString();
    if (findings.compiler_version.empty()) {
        lines << DiagnosticsDialog::tr("NVRTC, NVIDIA's run-time compiler: not found");
        add_search(lines, findings.compiler);
        add_commands(lines, gpu::nvrtc_commands());
        lines << DiagnosticsDialog::tr("Or set BLOCKSCOPE_NVRTC to the library or its folder.");
    } else {
        lines << DiagnosticsDialog::tr("NVRTC, NVIDIA's run-time compiler: %1, version %2")
                     .arg(text_of(findings.compiler.found), text_of(findings.compiler_version));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

DiagnosticsDialog::DiagnosticsDialog(Appearance& appearance, QWidget* parent, QString program)
    : QDialog(parent),
      appearance_(appearance),
      program_(program.isEmpty() ? text_of(worker::local_worker().front()) : std::move(program)),
      summary_(new QLabel(this)),
      details_(new QPlainTextEdit(this)) {
    setWindowTitle(tr("Graphics cards"));
    setAccessibleName(windowTitle());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(12);
    summary_->setWordWrap(true);
    column->addWidget(summary_);
    details_->setReadOnly(true);
    details_->setFont(appearance.fixed_font());
    details_->setLineWrapMode(QPlainTextEdit::NoWrap);
    details_->setAccessibleName(tr("What was found, and where it was looked for"));
    column->addWidget(details_, 1);
    auto* buttons = new QDialogButtonBox(this);
    copy_ = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    copy_->setToolTip(tr("Copies all of this, for a report or a search"));
    again_ = buttons->addButton(tr("Look again"), QDialogButtonBox::ActionRole);
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setDefault(true);
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(again_, &QPushButton::clicked, this, &DiagnosticsDialog::look);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(first_size(*this, {58 * appearance.pixels(), 38 * appearance.pixels()}));
    look();
}

QString DiagnosticsDialog::text() const {
    return details_->toPlainText();
}

void DiagnosticsDialog::look() {
    say(tr("Looking for NVIDIA's driver and compiler..."), true);
    again_->setEnabled(false);
    work_.start(tr("Looking for graphics cards"), [this, program = program_](const Stop&) -> Work::Finish {
        const AskedForCuda asked = ask_for_cuda(program);
        return [this, asked] { show_asked(asked); };
    });
}

void DiagnosticsDialog::show_asked(const AskedForCuda& asked) {
    if (asked.trouble.isEmpty()) return show_findings(asked.findings);
    again_->setEnabled(true);
    say(asked.trouble, false);
    details_->setPlainText(asked.said);
}

void DiagnosticsDialog::show_findings(const gpu::Findings& findings) {
    again_->setEnabled(true);
    const bool card = !findings.cards.empty(), compiler = !findings.compiler_version.empty();
    if (card && compiler)
        say(tr("Everything is there: states can be compiled and measured on a graphics card."), true);
    else if (card)
        say(tr("There is a graphics card, but its compiler is missing: CUDA is generated, but not compiled."),
            false);
    else if (compiler)
        say(tr("There is no graphics card: CUDA is generated and compiled here, but cannot be run. Another "
               "machine "
               "with a card can measure, through ssh."),
            false);
    else
        say(tr("There is neither a graphics card nor NVIDIA's compiler: CUDA is generated and can be saved. "
               "All else "
               "works without them."),
            false);
    details_->setPlainText(diagnostics_text(findings));
}

void DiagnosticsDialog::say(const QString& sentence, bool good) {
    summary_->setText(sentence);
    QPalette palette = summary_->palette();
    palette.setColor(QPalette::WindowText, good ? appearance_.colors().text : appearance_.colors().bad);
    summary_->setPalette(palette);
}

}  // namespace blockscope

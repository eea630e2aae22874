#include "app/cuda/diagnostics_dialog.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/worker/client.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope {

namespace {

constexpr int kMilliseconds = 30'000;

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(blockscope::AskedForCuda)
};

std::string text_in(const QJsonObject& object, const char* key) {
    return object[QLatin1String(key)].toString().toStdString();
}

gpu::Search search_in(const QJsonObject& object) {
    gpu::Search search;
    search.found = text_in(object, "found");
    for (const QJsonValue attempt : object[QLatin1String("searched")].toArray())
        search.attempts.push_back(
            {text_in(attempt.toObject(), "path"), text_in(attempt.toObject(), "outcome")});
    return search;
}

// "13.0" as the driver counts.
int version_number(const std::string& text) {
    const QStringList parts = QString::fromStdString(text).split(QLatin1Char('.'));
    return parts.size() == 2 ? 1000 * parts[0].toInt() + 10 * parts[1].toInt() : 0;
}

gpu::Card card_in(const QJsonObject& object, int index) {
    gpu::Card card;
    card.index = index;
    card.name = text_in(object, "model");
    std::string architecture = text_in(object, "architecture");
    if (!architecture.empty() && architecture.back() == 'a') architecture.pop_back();
    if (const auto capability = gpu::capability_of(architecture))
        card.major = capability->major, card.minor = capability->minor;
    card.processors = object[QLatin1String("processors")].toInt();
    card.memory_bytes = static_cast<std::int64_t>(object[QLatin1String("memory_bytes")].toDouble());
    return card;
}

gpu::Findings findings_in(const QJsonObject& answer) {
    gpu::Findings findings;
    const QJsonObject driver = answer[QLatin1String("driver")].toObject();
    const QJsonObject compiler = answer[QLatin1String("compiler")].toObject();
    findings.driver = search_in(driver);
    findings.driver_version = version_number(text_in(driver, "version"));
    findings.compiler = search_in(compiler);
    findings.compiler_version = text_in(compiler, "version");
    int index = 0;
    for (const QJsonValue card : answer[QLatin1String("cards")].toArray())
        findings.cards.push_back(card_in(card.toObject(), index++));
    return findings;
}

}  // namespace

AskedForCuda ask_for_cuda(const QString& program) {
    QProcess process;
    process.start(program, {QStringLiteral("diagnostics"), QStringLiteral("--json")});
    if (!process.waitForStarted()) return {gpu::find_cuda(), {}, {}};
    const bool ended = process.waitForFinished(kMilliseconds);
    if (!ended) {
        process.kill();
        process.waitForFinished();
    }
    const QJsonObject answer = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    if (ended && process.exitStatus() == QProcess::NormalExit && answer.contains(QLatin1String("driver")))
        return {findings_in(answer), {}, {}};
    const bool crashed = process.exitStatus() == QProcess::CrashExit;
    const QString what =
        ended && crashed ? Texts::tr("The process that opened NVIDIA's libraries crashed.")
        : ended          ? Texts::tr("The process that opens NVIDIA's libraries gave no answer.")
                : Texts::tr("Opening NVIDIA's libraries took longer than half a minute and was ended.");
    return {
        {},
        what + QLatin1Char(' ') +
            Texts::tr(
                "The window goes on without a card. Installing the driver again, or restarting the machine "
                "after an update of the driver, often helps; then look again."),
        QString::fromUtf8(process.readAllStandardError())};
}

namespace {

QString finding_text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

void add_search(QStringList& lines, const gpu::Search& search) {
    lines << DiagnosticsDialog::tr("Looked for:");
    for (const gpu::Search::Attempt& attempt : search.attempts)
        lines << QStringLiteral("  %1\n      %2")
                     .arg(finding_text(attempt.path), finding_text(attempt.outcome));
}

void add_commands(QStringList& lines, const std::vector<std::string>& commands) {
    lines << (commands.size() == 1 ? DiagnosticsDialog::tr("This installs it:")
                                   : DiagnosticsDialog::tr("Any of these installs it:"));
    for (const std::string& command : commands) lines << QStringLiteral("  ") + finding_text(command);
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
                     .arg(finding_text(findings.driver.found),
                          finding_text(gpu::cuda_version(findings.driver_version)));
        for (const gpu::Card& card : findings.cards)
            lines << QStringLiteral("  ") +
                         DiagnosticsDialog::tr("cuda%1: %2, %3, %4 multiprocessors, %5 MiB")
                             .arg(card.index)
                             .arg(finding_text(card.name), finding_text(card.architecture()))
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
                     .arg(finding_text(findings.compiler.found), finding_text(findings.compiler_version));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

DiagnosticsDialog::DiagnosticsDialog(Appearance& appearance, QWidget* parent, QString program)
    : QDialog(parent),
      appearance_(appearance),
      program_(program.isEmpty() ? finding_text(worker::local_worker().front()) : std::move(program)),
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

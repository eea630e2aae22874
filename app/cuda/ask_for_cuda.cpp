#include "app/cuda/ask_for_cuda.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

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

}  // namespace blockscope

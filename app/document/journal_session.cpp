#include "app/document/journal_session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>
#include <atomic>
#include <optional>

#include "core/json/value.h"

namespace blockscope {
namespace {

const char* const kHeader = "blockscope journal 1 ";

// When the process was started, in clock ticks since the machine was; empty if there is none (any more) or
// the system does not tell.
QString start_of(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray text = file.readAll();
    // The name in parentheses may hold anything; state and the rest come after it.
    const QStringList fields =
        QString::fromLatin1(text.mid(text.lastIndexOf(')') + 2)).split(QLatin1Char(' '));
    constexpr int kState = 0, kStart = 19;
    if (fields.size() <= kStart || fields[kState] == QLatin1String("Z")) return {};
    return fields[kStart];
}

}  // namespace

Session::Session(const QString& folder) {
    static std::atomic<int> number = 0;
    const qint64 pid = QCoreApplication::applicationPid();
    QDir().mkpath(folder);
    const QString base = QStringLiteral("%1/%2-%3-%4").arg(folder).arg(pid).arg(start_of(pid)).arg(++number);
    journal_ = base + QStringLiteral(".blockscope");
    lock_ = std::make_unique<QLockFile>(base + QStringLiteral(".lock"));
    lock_->setStaleLockTime(0);
    lock_->tryLock(0);  // without it the folder cannot be written, which the first write reports
}

Session::~Session() = default;

QString draft_file(const QString& journal) {
    return journal + QStringLiteral(".draft");
}

std::shared_ptr<QLockFile> lock_of_dead(const QString& folder, const QString& name) {
    const QStringList parts = name.split(QLatin1Char('-'));
    bool ours = false;
    const qint64 pid = parts[0].toLongLong(&ours);
    if (!ours || parts.size() != 3) return nullptr;
    auto lock = std::make_shared<QLockFile>(folder + QLatin1Char('/') + name + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);
    if (lock->tryLock(0)) return lock;
    // The lock may be half-written, and another process may have got the number of the one that died. A
    // process that does hold the lock keeps it from being removed.
    if (parts[1].isEmpty() || start_of(pid) == parts[1]) return nullptr;
    return lock->removeStaleLockFile() && lock->tryLock(0) ? lock : nullptr;
}

std::string journal_header(const QString& path) {
    return kHeader + json::quoted(path.toStdString()) + "\n";
}

std::optional<QString> header_path(const std::string& line) {
    const std::string begin = kHeader;
    if (line.compare(0, begin.size(), begin) != 0) return {};
    const Result<json::Value> path = json::parse(line.substr(begin.size()), "journal");
    const std::string* text = path ? std::get_if<std::string>(&path->data) : nullptr;
    return text ? std::optional(QString::fromStdString(*text)) : std::nullopt;
}

}  // namespace blockscope

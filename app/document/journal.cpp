#include "app/document/journal.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "app/document/files.h"
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

Draft& Draft::of(Document& document) {
    if (auto* found = document.findChild<Draft*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Draft(document);
}

Draft::Draft(Document& document) : QObject(&document) {}

void Draft::set(const QString& text) {
    if (text == text_) return;
    text_ = text;
    Q_EMIT changed();
}

void Draft::bring_back(const QString& text) {
    set(text);
    Q_EMIT brought_back();
}

QString journal_folder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/journal");
}

// One thread and the newest thing to write.
struct Journal::Writer {
    using Clock = std::chrono::steady_clock;
    struct Job {
        ContentPtr content;  // null: there is nothing to recover
        QString path;
        QString draft;
        bool operator==(const Job&) const = default;
    };

    Writer(Journal& owner_, const QString& folder, int interval_)
        : owner(owner_), interval(interval_), session(folder), thread([this] { run(); }) {}
    ~Writer() {
        {
            const std::lock_guard guard(mutex);
            stopping = true;
        }
        wake.notify_all();
        thread.join();
    }

    void post(Job job) {
        {
            const std::lock_guard guard(mutex);
            if (job == newest) return;
            newest = job;
            pending = std::move(job);
        }
        wake.notify_all();
    }

    // What is the newest now is written, if it is not yet; then `recovered` is needed no more.
    void replace(const Recovered& recovered) {
        {
            const std::lock_guard guard(mutex);
            replaced.push_back(recovered);
            pending = newest;
        }
        wake.notify_all();
    }

    void run() {
        Clock::time_point last = Clock::now() - interval;
        std::unique_lock guard(mutex);
        for (;;) {
            wake.wait(guard, [&] { return stopping || pending; });
            wake.wait_until(guard, last + interval, [&] { return stopping; });
            if (!pending) return;
            const Job job = *std::exchange(pending, std::nullopt);
            std::vector<Recovered> old = std::exchange(replaced, {});
            guard.unlock();
            last = Clock::now();
            if (write(job))
                for (const Recovered& each : std::exchange(old, {})) discard(each);
            guard.lock();
            replaced.insert(replaced.end(), old.begin(), old.end());
        }
    }

    // False if the files do not hold it.
    bool write(const Job& job) {
        if (!job.content) {
            QFile::remove(session.journal());
            QFile::remove(session.draft());
            written = {};
            return true;
        }
        std::optional<Problem> problem;
        if (job.draft.isEmpty())
            QFile::remove(session.draft());
        else if (job.draft != written.draft)
            problem = write_file(session.draft(), job.draft.toStdString());
        if (!problem && (job.content != written.content || job.path != written.path))
            problem = write_file(session.journal(), journal_header(job.path) + write_document(*job.content));
        written = problem ? Job() : job;
        if (problem && !std::exchange(broken, true)) {
            const QString what = Journal::tr("Changes are not kept for a recovery after a crash. %1")
                                     .arg(QString::fromStdString(to_string(*problem)));
            QMetaObject::invokeMethod(
                &owner, [this, what] { Q_EMIT owner.failed(what); }, Qt::QueuedConnection);
        }
        if (!problem) broken = false;
        return !problem;
    }

    Journal& owner;
    const std::chrono::milliseconds interval;
    Session session;
    bool broken = false;  // of the thread: the last write failed
    Job written;          // of the thread: what the files hold
    std::mutex mutex;
    std::condition_variable wake;
    std::optional<Job> pending;
    Job newest;
    std::vector<Recovered> replaced;  // by what is to be written next
    bool stopping = false;
    std::thread thread;  // last: it uses all of the above
};

Journal::Journal(Document& document, const QString& folder, int interval, QObject* parent)
    : QObject(parent), document_(document), writer_(std::make_unique<Writer>(*this, folder, interval)) {
    connect(&document, &Document::content_changed, this, &Journal::post);
    connect(&document, &Document::saved_changed, this, &Journal::post);
    connect(&Draft::of(document), &Draft::changed, this, &Journal::post);
    post();
}

Journal::~Journal() = default;

void Journal::post() {
    if (!writer_) return;
    const QString draft = document_.empty() ? QString() : Draft::of(document_).text();
    const bool work = document_.has_work() || !draft.isEmpty();
    writer_->post({work ? document_.snapshot() : nullptr, document_.path(), draft});
}

void Journal::replace(const Recovered& recovered) {
    if (writer_) writer_->replace(recovered);
}

void Journal::finish() {
    if (!writer_) return;
    writer_->post({nullptr, {}, {}});
    writer_ = nullptr;
}

}  // namespace blockscope

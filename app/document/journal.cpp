#include "app/document/journal.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "app/document/files.h"
#include "core/diagram/step_tree.h"
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

// ---- What journals of dead processes hold.

namespace {

constexpr qint64 kLongestLine = 1 << 16;

struct RecoveryWords {
    Q_DECLARE_TR_FUNCTIONS(Recovery)
};

// All files of the session that `journal` belongs to, half-written ones too.
void remove_session(const QString& folder, const QString& name) {
    const QStringList files =
        QDir(folder).entryList({name + QStringLiteral(".*")}, QDir::Files | QDir::Hidden);
    for (const QString& file : files)
        if (!file.endsWith(QLatin1String(".lock"))) QFile::remove(folder + QLatin1Char('/') + file);
}

QString count(int number, const char* one, const char* many) {
    return number == 1 ? RecoveryWords::tr(one) : RecoveryWords::tr(many).arg(number);
}

bool has_step(const History& history, const HistoryState& state) {
    if (!history.has(state.id)) return false;
    const HistoryState& other = history.state(state.id);
    return other.parent == state.parent && !other.step == !state.step &&
           (!state.step || other.step->match == state.step->match);
}

// How many of `a`'s steps, branches and notes are not in `b`.
struct Counts {
    int steps = 0, branches = 0, circuit_steps = 0, notes = 0, tilings = 0;
};

// States of circuits have the same ids as long as they have the same steps.
void count_circuit(const circuit::StepTreePtr& a, const circuit::StepTreePtr& b, Counts& result) {
    if (!a) return;
    for (int id = 0; id < a->count(); ++id) {
        const circuit::StepTree::State& state = a->state(id);
        const bool there = b && id < b->count();
        const bool same =
            id == 0 || (there && b->state(id).parent == state.parent && b->state(id).step == state.step);
        result.circuit_steps += same ? 0 : 1;
        result.notes += state.note.empty() || (same && there && b->state(id).note == state.note) ? 0 : 1;
    }
}

Counts counts(const Content& now, const Content* then) {
    const History none(now.history.state(0).program);
    const History &a = now.history, &b = then ? then->history : none;
    Counts result;
    count_circuit(now.circuit, then ? then->circuit : nullptr, result);
    result.tilings = measured_only_in(now.tilings, then ? then->tilings : nullptr);
    for (const auto& [id, state] : a.states()) {
        const bool same = has_step(b, *state);
        result.steps += same ? 0 : 1;
        result.notes += state->note.empty() || (same && b.state(id).note == state->note) ? 0 : 1;
    }
    if (!then) {
        const auto all = static_cast<int>(a.branches().size());
        result.branches = all > 1 ? all : 0;  // each document has one
        return result;
    }
    for (const Branch& branch : a.branches()) {
        const auto same = [&](const Branch& other) {
            return other.id == branch.id && other.name == branch.name;
        };
        result.branches += std::any_of(b.branches().begin(), b.branches().end(), same) ? 0 : 1;
    }
    return result;
}

QString listed(const Counts& counts) {
    struct Counted {
        int Counts::*number;
        const char *one, *many;
    };
    static constexpr Counted kinds[] = {
        {&Counts::steps, QT_TRANSLATE_NOOP("Recovery", "one step"),
         QT_TRANSLATE_NOOP("Recovery", "%1 steps")},
        {&Counts::branches, QT_TRANSLATE_NOOP("Recovery", "one branch"),
         QT_TRANSLATE_NOOP("Recovery", "%1 branches")},
        {&Counts::circuit_steps, QT_TRANSLATE_NOOP("Recovery", "one step of the circuit"),
         QT_TRANSLATE_NOOP("Recovery", "%1 steps of the circuit")},
        {&Counts::notes, QT_TRANSLATE_NOOP("Recovery", "one note"),
         QT_TRANSLATE_NOOP("Recovery", "%1 notes")},
        {&Counts::tilings, QT_TRANSLATE_NOOP("Recovery", "one measured tiling"),
         QT_TRANSLATE_NOOP("Recovery", "%1 measured tilings")},
    };
    QStringList parts;
    for (const Counted& kind : kinds)
        if (const int number = counts.*kind.number; number > 0) parts << count(number, kind.one, kind.many);
    if (parts.size() < 2) return parts.join(QString());
    const QString last = parts.takeLast();
    return RecoveryWords::tr("%1 and %2").arg(parts.join(QStringLiteral(", ")), last);
}

// Of the document that begins here: one of its first lines.
QString name_in(QFile& file) {
    constexpr int kFirstLines = 4;
    const QByteArray key = "\"name\":";
    for (int i = 0; i < kFirstLines; ++i) {
        const QByteArray line = file.readLine(kLongestLine).trimmed();
        if (!line.startsWith(key) || !line.endsWith(',')) continue;
        const Result<json::Value> name =
            json::parse(line.chopped(1).mid(key.size()).toStdString(), "journal");
        const std::string* text = name ? std::get_if<std::string>(&name->data) : nullptr;
        return text ? QString::fromStdString(*text) : QString();
    }
    return {};
}

}  // namespace

QString difference(const Content& now, const Content* saved) {
    const QString added = listed(counts(now, saved));
    if (!saved)
        return added.isEmpty() ? RecoveryWords::tr("It was never saved and has no steps yet.")
                               : RecoveryWords::tr("It was never saved and has %1.").arg(added);
    const QString removed = listed(counts(*saved, &now));
    const QString text =
        now.source == saved->source ? QString() : RecoveryWords::tr(" The program's text is another.");
    if (!added.isEmpty() && !removed.isEmpty())
        return RecoveryWords::tr("It has %1 that the saved file has not, and lacks %2.").arg(added, removed) +
               text;
    if (!added.isEmpty())
        return RecoveryWords::tr("It has %1 that the saved file has not.").arg(added) + text;
    if (!removed.isEmpty()) return RecoveryWords::tr("It lacks %1 of the saved file.").arg(removed) + text;
    if (!text.isEmpty()) return text.trimmed();
    return RecoveryWords::tr(
        "Steps, branches and notes are those of the saved file; only what is shown differs.");
}

std::vector<Recovered> recoverable(const QString& folder) {
    std::set<QString> sessions;
    for (const QString& file : QDir(folder).entryList(QDir::Files | QDir::Hidden))
        sessions.insert(file.section(QLatin1Char('.'), 0, 0));
    std::vector<Recovered> found;
    for (const QString& name : sessions) {
        std::shared_ptr<QLockFile> lock = lock_of_dead(folder, name);
        if (!lock) continue;
        QFile file(folder + QLatin1Char('/') + name + QStringLiteral(".blockscope"));
        const auto path = file.open(QIODevice::ReadOnly)
                              ? header_path(file.readLine(kLongestLine).toStdString())
                              : std::nullopt;
        if (path)
            found.push_back({.journal = file.fileName(),
                             .path = *path,
                             .name = name_in(file),
                             .written = QFileInfo(file).lastModified(),
                             .lock = std::move(lock)});
        else
            remove_session(folder, name);
    }
    const auto newer = [](const Recovered& a, const Recovered& b) { return a.written > b.written; };
    std::sort(found.begin(), found.end(), newer);
    return found;
}

Result<Recovery> recover(const Recovered& recovered, const StepObserver& observer) {
    const Result<std::string> journal = read_file(recovered.journal);
    if (!journal) return journal.problems();
    const std::size_t line = journal->find('\n');
    const std::string text = line == std::string::npos ? std::string() : journal->substr(line + 1);
    Result<Content> content = read_document(text, recovered.journal.toStdString(), observer);
    if (!content) return content.problems();
    std::optional<Content> saved;
    const Result<std::string> file =
        recovered.path.isEmpty() ? Result<std::string>(Problem{}) : read_file(recovered.path);
    if (file) {
        Result<Content> read = read_any(*file, recovered.path.toStdString(), observer);
        if (read) saved = prepared(std::move(read).value(), observer);
    }
    QString sentence = difference(*content, saved ? &*saved : nullptr);
    if (QFile::exists(draft_file(recovered.journal)))
        sentence += RecoveryWords::tr(" The edited program was not applied: it is in the editor.");
    return Recovery{std::move(content).value(), sentence};
}

void discard(const Recovered& recovered) {
    const QFileInfo file(recovered.journal);
    remove_session(file.path(), file.completeBaseName());
    if (recovered.lock) recovered.lock->unlock();
}

}  // namespace blockscope

// What journals of dead processes hold.
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <set>

#include "app/document/files.h"
#include "app/document/journal.h"
#include "core/diagram/step_tree.h"
#include "core/json/value.h"

namespace blockscope {
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
    int steps = 0, branches = 0, circuit_steps = 0, notes = 0;
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
            found.push_back(
                {file.fileName(), *path, name_in(file), QFileInfo(file).lastModified(), std::move(lock)});
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

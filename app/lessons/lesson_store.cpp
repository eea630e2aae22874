#include "app/lessons/lesson_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <utility>

#include "app/document/files.h"
#include "app/shell/controls.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

const QString kLearnerKey = QStringLiteral("lessons/learner");

QString account() {
    for (const char* variable : {"USER", "LOGNAME", "USERNAME"})
        if (QString name = qEnvironmentVariable(variable); !name.isEmpty()) return name;
    return QStringLiteral("learner");
}

}  // namespace

LessonStore::LessonStore(QString folder, Settings& settings, QObject* parent)
    : QObject(parent), folder_(std::move(folder)), settings_(settings) {
    load();
}

QString LessonStore::learner() const {
    const QString chosen = settings_.value(kLearnerKey).toString();
    return chosen.isEmpty() ? account() : chosen;
}

void LessonStore::set_learner(const QString& name) {
    const QString wanted = name.trimmed();
    if (wanted.isEmpty() || wanted == learner()) return;
    settings_.set_value(kLearnerKey, wanted);
    load();
    Q_EMIT changed();
}

QString LessonStore::file() const {
    return folder_ + QLatin1Char('/') + file_name_of(learner()) + QStringLiteral(".json");
}

// A file that cannot be read stands aside: what is done from now on is not lost for it.
void LessonStore::load() {
    progress_ = {learner().toStdString(), {}};
    if (!QFileInfo::exists(file())) return;
    const Result<std::string> text = read_file(file());
    Result<lesson::LearnerProgress> read =
        text ? lesson::read_progress(*text, file().toStdString()) : text.problems();
    if (read) {
        progress_ = std::move(read).value();
        progress_.learner = learner().toStdString();
        return;
    }
    QFile::remove(file() + QStringLiteral(".broken"));
    QFile::rename(file(), file() + QStringLiteral(".broken"));
    const QString what =
        tr("The progress of your lessons cannot be read: %1").arg(translated(read.problems().front()));
    // Once somebody listens: the store is made before the window.
    QMetaObject::invokeMethod(
        this, [this, what] { Q_EMIT failed(what); }, Qt::QueuedConnection);
}

void LessonStore::keep(const lesson::LessonProgress& progress) {
    const lesson::LessonProgress* known = progress_.find(progress.lesson);
    if (known != nullptr && *known == progress) return;
    progress_.set(progress);
    QDir().mkpath(folder_);
    if (const auto problem = export_to(file()))
        Q_EMIT failed(tr("The progress of your lessons cannot be kept: %1").arg(translated(*problem)));
    Q_EMIT changed();
}

std::optional<Problem> LessonStore::export_to(const QString& path) const {
    return write_file(path, lesson::write_json(progress_));
}

}  // namespace blockscope

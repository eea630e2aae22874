// What is kept of a learner's lessons: the progress file of core/lesson in the user's data folder, one for
// each learner of this account.
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "app/shell/settings.h"
#include "core/lesson/progress.h"

namespace blockscope {

class LessonStore : public QObject {
    Q_OBJECT

public:
    // `folder` is made with the first thing that is kept. The settings have the name of the learner.
    LessonStore(QString folder, Settings& settings, QObject* parent = nullptr);

    // Who learns: the name of the account unless another one was given.
    QString learner() const;
    // The lessons of somebody else from now on; those of this one stay.
    void set_learner(const QString& name);

    const lesson::LearnerProgress& progress() const { return progress_; }
    // Null if the lesson was never begun.
    const lesson::LessonProgress* find(const std::string& lesson) const { return progress_.find(lesson); }
    // Written at once: whoever pulls the plug goes on here.
    void keep(const lesson::LessonProgress& progress);
    // All of it, as a file that a teacher collects. None if all is well.
    std::optional<Problem> export_to(const QString& path) const;
    QString file() const;

Q_SIGNALS:
    void changed();
    void failed(const QString& what);  // the file cannot be read or written, as a sentence

private:
    void load();

    QString folder_;
    Settings& settings_;
    lesson::LearnerProgress progress_;
};

}  // namespace blockscope

// The files of one process's journal: FOLDER/PID-START-N.blockscope, and .lock as long as the process lives.
#pragma once

#include <QLockFile>
#include <QString>
#include <memory>
#include <optional>
#include <string>

namespace blockscope {

// Beside a journal: the text that was being typed.
QString draft_file(const QString& journal);

class Session {
public:
    explicit Session(const QString& folder);
    ~Session();  // gives the lock back
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const QString& journal() const { return journal_; }
    QString draft() const { return draft_file(journal_); }

private:
    QString journal_;
    std::unique_ptr<QLockFile> lock_;
};

// The lock of session `name`, held; null if its process is still there, another one looks after it, or the
// name is not one of a session.
std::shared_ptr<QLockFile> lock_of_dead(const QString& folder, const QString& name);

// The line before the document in a journal.
std::string journal_header(const QString& path);
// What it says of the path; none if `line` is no such line.
std::optional<QString> header_path(const std::string& line);

}  // namespace blockscope

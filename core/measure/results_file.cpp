#include "core/measure/results_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace blockscope::measure {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

private:
    int fd_;
};

Problem problem(const std::string& file, const std::string& what) {
    return {{file, 0, 0, {}}, "The results cannot be kept: " + what + ": " + std::strerror(errno) + "."};
}

// Whether the file has a last line without its end.
bool unfinished(int fd) {
    struct stat status {};
    if (fstat(fd, &status) != 0 || status.st_size == 0) return false;
    char last = '\n';
    return pread(fd, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

bool write_all(int fd, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = write(fd, text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

// A new file survives a power cut only if its folder is on disk, too.
void sync_folder(const std::filesystem::path& folder) {
    const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() >= 0) fsync(fd.get());
}

}  // namespace

std::optional<Problem> append_record(const std::string& file, const Record& record) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::absolute(file).parent_path();
    std::error_code error;
    fs::create_directories(folder, error);
    const bool is_new = !fs::exists(file, error);
    const Descriptor fd(open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
    if (fd.get() < 0) return problem(file, "the file cannot be opened");
    if (flock(fd.get(), LOCK_EX) != 0) return problem(file, "the file cannot be locked");
    const std::string line = (unfinished(fd.get()) ? "\n" : "") + write_record(record) + "\n";
    if (!write_all(fd.get(), line)) return problem(file, "the file cannot be written");
    if (fsync(fd.get()) != 0) return problem(file, "the file cannot be synced");
    if (is_new) sync_folder(folder);
    return std::nullopt;
}

Result<Results> read_results(const std::string& file) {
    Results results;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        if (errno == ENOENT) return results;
        return Problem{{file, 0, 0, {}},
                       std::string("The results cannot be read: ") + std::strerror(errno) + "."};
    }
    for (std::string line; std::getline(stream, line);) {
        if (line.empty()) continue;
        if (Result<Record> record = read_record(line, file))
            results.records.push_back(std::move(record).value());
        else
            ++results.unreadable;
    }
    return results;
}

const Record* newest(const Results& results, const std::string& subject_key) {
    for (auto record = results.records.rbegin(); record != results.records.rend(); ++record)
        if (measure::subject_key(record->subject) == subject_key) return &*record;
    return nullptr;
}

std::string default_results_file() {
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    const std::string folder = data && *data == '/' ? std::string(data)
                               : home               ? std::string(home) + "/.local/share"
                                                    : std::string(".");
    return folder + "/blockscope/results.jsonl";
}

}  // namespace blockscope::measure

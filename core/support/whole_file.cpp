#include "core/support/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace blockscope {
namespace {

namespace fs = std::filesystem;

// Writes everything and closes; 0, or the error.
int write_and_close(int descriptor, const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = write(descriptor, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            const int error = errno;
            close(descriptor);
            return error;
        }
        done += static_cast<std::size_t>(count);
    }
    return close(descriptor) == 0 ? 0 : errno;
}

int write_in_place(const fs::path& file, const std::string& bytes) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    return descriptor < 0 ? errno : write_and_close(descriptor, bytes);
}

// The file that a chain of links ends at; links that lead in a circle are left to open() to refuse.
fs::path behind_links(const fs::path& file) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(file, error))) return file;
    const fs::path end = fs::weakly_canonical(file, error);
    return error ? file : end;
}

// `known` is null if there is no such file yet.
int write_beside(const fs::path& file, const struct stat* known, const std::string& bytes) {
    static std::atomic<int> count{0};
    const std::string fresh = file.string() + "." + std::to_string(getpid()) + "-" + std::to_string(++count);
    const int descriptor = open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return known && errno != ENOSPC ? write_in_place(file, bytes) : errno;
    if (known) fchmod(descriptor, known->st_mode & 07777);
    int error = write_and_close(descriptor, bytes);
    if (error == 0 && rename(fresh.c_str(), file.c_str()) != 0) error = errno;
    if (error != 0) unlink(fresh.c_str());
    return error;
}

}  // namespace

std::string write_whole_file(const fs::path& file, const std::string& bytes) {
    const fs::path target = behind_links(file);
    struct stat known {};
    const bool exists = stat(target.c_str(), &known) == 0;
    int error = 0;
    if (exists && S_ISDIR(known.st_mode)) {
        error = EISDIR;
    } else if (exists && !S_ISREG(known.st_mode)) {
        error = write_in_place(target, bytes);
    } else if (exists && access(target.c_str(), W_OK) != 0) {
        error = errno;
    } else {
        error = write_beside(target, exists ? &known : nullptr, bytes);
    }
    return error == 0 ? std::string() : std::strerror(error);
}

}  // namespace blockscope

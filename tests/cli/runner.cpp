#include "tests/cli/runner.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace blockscope::test {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporary() {
    File file(std::tmpfile(), std::fclose);
    if (!file) throw std::runtime_error("no temporary file");
    return file;
}

std::string contents(std::FILE* file) {
    std::string text;
    std::rewind(file);
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
    return text;
}

// In the child: becomes the program.
[[noreturn]] void become_cli(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment) {
    unsetenv("NO_COLOR");
    unsetenv("CLICOLOR_FORCE");
    // A calibration of the user's machine is not read: its times would be in some outputs.
    setenv("XDG_CACHE_HOME", "/nonexistent/blockscope-tests", 1);
    for (const std::string& entry : environment) {
        const std::size_t equals = entry.find('=');
        setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
    }
    std::vector<char*> argv{const_cast<char*>(BLOCKSCOPE_CLI)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(BLOCKSCOPE_CLI, argv.data());
    _exit(127);
}

int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

void PrintTo(const Outcome& outcome, std::ostream* to) {
    *to << "exit code " << outcome.code << ", output:\n" << outcome.out << "messages:\n" << outcome.err;
}

testing::Matcher<const Outcome&> ends(int code, const std::vector<std::string>& out,
                                      const std::vector<std::string>& err) {
    const auto all = [](const std::vector<std::string>& parts) {
        std::vector<testing::Matcher<std::string>> holds;
        for (const std::string& part : parts) holds.emplace_back(testing::HasSubstr(part));
        return testing::AllOfArray(holds);
    };
    return testing::AllOf(testing::Field("code", &Outcome::code, code),
                          testing::Field("out", &Outcome::out, all(out)),
                          testing::Field("err", &Outcome::err, all(err)));
}

Outcome run_cli(const std::vector<std::string>& arguments, const std::string& input,
                const std::vector<std::string>& environment) {
    const File in = temporary();
    const File out = temporary();
    const File err = temporary();
    std::fwrite(input.data(), 1, input.size(), in.get());
    std::rewind(in.get());
    const pid_t child = fork();
    if (child == 0) {
        dup2(fileno(in.get()), STDIN_FILENO);
        dup2(fileno(out.get()), STDOUT_FILENO);
        dup2(fileno(err.get()), STDERR_FILENO);
        become_cli(arguments, environment);
    }
    const int code = wait_for(child);
    return {code, contents(out.get()), contents(err.get())};
}

Outcome run_cli_into(const std::string& file, const std::vector<std::string>& arguments) {
    const File err = temporary();
    const pid_t child = fork();
    if (child == 0) {
        close(STDOUT_FILENO);
        if (!file.empty() && open(file.c_str(), O_WRONLY) != STDOUT_FILENO) _exit(127);
        dup2(fileno(err.get()), STDERR_FILENO);
        become_cli(arguments, {});
    }
    const int code = wait_for(child);
    return {code, {}, contents(err.get())};
}

Outcome run_in_terminal(const std::vector<std::string>& arguments, int columns,
                        const std::vector<std::string>& environment) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 40;
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
        setenv("TERM", "xterm-256color", 1);
        become_cli(arguments, environment);
    }
    Outcome outcome;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = read(terminal, buffer, sizeof buffer)) > 0)
        outcome.out.append(buffer, static_cast<std::size_t>(count));
    close(terminal);
    outcome.code = wait_for(child);
    return outcome;
}

int interrupted_by(const std::vector<std::string>& arguments, int signal) {
    int in[2];
    if (pipe(in) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        close(in[1]);
        become_cli(arguments, {});
    }
    close(in[0]);
    // The program has started once it has taken the first byte out of the pipe.
    if (write(in[1], "#", 1) != 1) throw std::runtime_error("cannot write to the program");
    int waiting = 1;
    while (ioctl(in[1], FIONREAD, &waiting) == 0 && waiting > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(child, signal);
    const int code = wait_for(child);
    close(in[1]);
    return code;
}

std::string sample(const std::string& name) {
    return std::string(BLOCKSCOPE_SOURCE_DIR "/samples/") + name;
}

std::string source_file(const std::string& name) {
    std::ifstream file(std::string(BLOCKSCOPE_SOURCE_DIR "/") + name, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace blockscope::test

// A person at work who is killed: random actions on a journalled document until the process dies.
//   journal_child FOLDER INTERVAL_MS PAUSE_MS SEED LOG
// Every action also numbers the document, in the note of the first state; afterwards a line "number
// nanoseconds hash hash" goes to LOG: when it was done, by the machine's monotonic clock, and the hashes of
// the document's text before it was numbered and after.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <QCoreApplication>
#include <cstdio>
#include <functional>

#include "app/document/journal.h"
#include "tests/document/contents.h"
#include "tests/document/random_actions.h"

namespace {

long long nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

std::size_t hash(const blockscope::Document& document) {
    return std::hash<std::string>{}(write_document(document.content()));
}

}  // namespace

int main(int argc, char** argv) {
    using namespace blockscope;
    const QCoreApplication application(argc, argv);
    if (argc != 6) return 2;
    const int log = open(argv[5], O_WRONLY | O_CREAT | O_APPEND, 0600);
    Random random(std::stoull(argv[4]));
    Document document;
    document.reset(test::rich_content(), QStringLiteral("/nowhere/at all/\"mine\".blockscope"));
    const Journal journal(document, QString::fromLocal8Bit(argv[1]), std::stoi(argv[2]));
    for (int number = 1;; ++number) {
        test::random_action(random, document, true);
        const std::size_t before = hash(document);
        document.set_note(0, QString::number(number));
        const long long done = nanoseconds();
        dprintf(log, "%d %lld %zu %zu\n", number, done, before, hash(document));
        QCoreApplication::processEvents();
        usleep(static_cast<useconds_t>(std::stoi(argv[3])) * 1000);
    }
}

// Journals: what a killed process leaves is whole and at most a second old; what a closed one leaves is
// nothing.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <thread>

#include "app/document/files.h"
#include "app/document/journal.h"
#include "core/diagram/step_tree.h"
#include "tests/document/contents.h"
#include "tests/document/random_actions.h"

namespace blockscope::test {
namespace {

constexpr long long kSecond = 1'000'000'000;

long long nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kSecond + now.tv_nsec;
}

struct Done {
    int number = 0;
    long long at = 0;
    std::size_t before = 0, after = 0;  // hashes of the text before and after it was numbered
};

// One process with a journal, killed at a random moment.
class Victim {
public:
    Victim(int interval, int pause, int life_ms, std::uint64_t seed) : life_ms_(life_ms), seed_(seed) {
        const std::string folder = dir_.filePath("journal").toStdString();
        log_ = dir_.filePath("log").toStdString();
        std::vector<std::string> texts = {
            JOURNAL_CHILD,        folder, std::to_string(interval), std::to_string(pause),
            std::to_string(seed), log_};
        std::vector<char*> arguments;
        for (std::string& text : texts) arguments.push_back(text.data());
        arguments.push_back(nullptr);
        if (posix_spawn(&pid_, JOURNAL_CHILD, nullptr, nullptr, arguments.data(), environ) != 0)
            throw std::runtime_error("the child cannot be started");
    }

    // Waits for the first action, then lets it live for its time.
    void wait_and_kill() {
        while (done().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::this_thread::sleep_for(std::chrono::milliseconds(life_ms_));
        killed_ = nanoseconds();
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }

    std::vector<Done> done() const {
        std::ifstream file(log_);
        std::vector<Done> actions;
        for (std::string line; std::getline(file, line) && !file.eof();) {
            Done action;
            if (std::istringstream(line) >> action.number >> action.at >> action.before >> action.after)
                actions.push_back(action);
        }
        return actions;
    }

    // Whether there is a journal; checks that nothing older than a second is lost and that it is what was
    // there.
    bool check() const {
        const std::vector<Done> actions = done();
        int owed = 0;
        for (const Done& action : actions)
            if (action.at <= killed_ - kSecond) owed = action.number;
        const std::vector<Recovered> left = recoverable(dir_.filePath("journal"));
        EXPECT_LE(left.size(), 1U);
        if (left.empty()) {
            EXPECT_EQ(owed, 0) << "everything is lost";
            return false;
        }
        EXPECT_EQ(left[0].path, "/nowhere/at all/\"mine\".blockscope");
        const Result<Recovery> recovery = recover(left[0]);
        EXPECT_TRUE(recovery) << to_string(recovery.problems().front());
        if (!recovery) return false;
        EXPECT_GE(number_of(recovery->content, actions), owed) << "of " << actions.size();
        discard(left[0]);
        EXPECT_TRUE(recoverable(dir_.filePath("journal")).empty());
        return true;
    }

private:
    // The last action that `content` is the result of. One that is in no line of the log is of the action
    // after the last line, on its way: its number may be an older one, as it may have undone notes.
    int number_of(const Content& content, const std::vector<Done>& actions) const {
        const std::size_t hash = std::hash<std::string>{}(write_document(content));
        for (auto action = actions.rbegin(); action != actions.rend(); ++action)
            if (action->before == hash || action->after == hash) return action->number;
        EXPECT_EQ(in_flight(actions).count(hash), 1U) << "a content that never was";
        return actions.back().number;
    }

    // All contents of the action after the last line: everything is done again as journal_child does it.
    std::set<std::size_t> in_flight(const std::vector<Done>& actions) const {
        Random random(seed_);
        Document document;
        document.reset(rich_content(), QStringLiteral("/nowhere/at all/\"mine\".blockscope"));
        const auto now = [&] { return std::hash<std::string>{}(write_document(document.content())); };
        for (const Done& action : actions) {
            random_action(random, document, true);
            document.set_note(0, QString::number(action.number));
            EXPECT_EQ(now(), action.after)
                << "action " << action.number << " is another one when it is repeated";
        }
        std::set<std::size_t> contents;
        QObject::connect(&document, &Document::content_changed, [&] { contents.insert(now()); });
        random_action(random, document, true);
        document.set_note(0, QString::number(actions.back().number + 1));
        return contents;
    }

    QTemporaryDir dir_;
    std::string log_;
    int life_ms_;
    std::uint64_t seed_;
    pid_t pid_ = 0;
    long long killed_ = 0;
};

// Runs `count` victims, `together` at a time; how many left a journal.
int killed_runs(int count, int together, int interval, int pause, int shortest, int longest) {
    Random random(static_cast<std::uint64_t>(count));
    int left = 0;
    for (int begun = 0; begun < count; begun += together) {
        std::vector<std::unique_ptr<Victim>> victims;
        for (int i = begun; i < std::min(begun + together, count); ++i)
            victims.push_back(std::make_unique<Victim>(interval, pause, random.between(shortest, longest),
                                                       static_cast<std::uint64_t>(i) + 1));
        std::vector<std::thread> killers;
        for (auto& victim : victims) killers.emplace_back([&victim] { victim->wait_and_kill(); });
        for (std::thread& killer : killers) killer.join();
        for (const auto& victim : victims) left += victim->check() ? 1 : 0;
    }
    return left;
}

// At full speed, so that the kill often comes while the journal is being written.
TEST(KilledJournal, IsAlwaysWholeAtSpeed) {
    EXPECT_GT(killed_runs(140, 4, 5, 0, 10, 150), 100);
}

// With the interval of the window and lives long enough that something may be asked for.
TEST(KilledJournal, LosesAtMostTheLastSecond) {
    EXPECT_EQ(killed_runs(60, 15, Journal::kInterval, 20, 1100, 2600), 60);
}

struct Journalled : testing::Test {
    QString folder() const { return dir.filePath("journal"); }
    QStringList files(const QString& pattern) const {
        return QDir(folder()).entryList({pattern}, QDir::Files);
    }
    // The journal is written on a thread of its own.
    bool eventually(const std::function<bool()>& what) const {
        for (int i = 0; i < 2000 && !what(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return what();
    }
    QTemporaryDir dir;
    Document document;
};

TEST_F(Journalled, IsThereOnlyWhileSomethingIsNotSaved) {
    document.reset(rich_content(), "a.blockscope");
    Journal journal(document, folder(), 1);
    EXPECT_TRUE(files("*.blockscope").isEmpty());
    document.set_note(1, "x");
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
    document.undo();
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").isEmpty(); }));
    document.redo();
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
    document.mark_saved();
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").isEmpty(); }));
    document.set_note(1, "y");
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
    document.close();
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").isEmpty(); }));
}

TEST_F(Journalled, LookingAroundIsNotOfferedForRecovery) {
    document.reset(rich_content(), {});
    Journal journal(document, folder(), 1);
    const auto kept = [&] { return QDir(folder()).entryList({"*.blockscope"}, QDir::Files).size(); };
    document.go(1);
    document.toggle_fold(NodeId{2});
    document.set_note(1, "work");
    const auto wait_for = [&](qsizetype files) {
        for (int i = 0; i < 1000 && kept() != files; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return kept() == files;
    };
    EXPECT_TRUE(wait_for(1));
    document.undo();  // what is left is another state and a fold
    EXPECT_TRUE(document.modified());
    EXPECT_TRUE(wait_for(0));
}

TEST_F(Journalled, FinishLeavesNothing) {
    document.reset(rich_content(), {});
    {
        Journal journal(document, folder(), 1);
        document.set_note(1, "x");
        EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
        journal.finish();
        EXPECT_TRUE(QDir(folder()).entryList(QDir::Files).isEmpty());
        document.set_note(1, "y");
    }
    EXPECT_TRUE(QDir(folder()).entryList(QDir::Files).isEmpty());
}

// A window that is destroyed without being asked (the session ends) leaves its last change.
TEST_F(Journalled, WithoutFinishTheLastChangeIsThere) {
    document.reset(rich_content(), "/x/y.blockscope");
    {
        Journal journal(document, folder(), 600'000);
        document.set_note(1, "first");
        EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
        document.set_note(1, "second");
    }
    const std::vector<Recovered> left = recoverable(folder());
    ASSERT_EQ(left.size(), 1U);
    const Result<Recovery> recovery = recover(left[0]);
    ASSERT_TRUE(recovery);
    EXPECT_EQ(write_document(recovery->content), write_document(document.content()));
    EXPECT_EQ(recovery->difference,
              "It was never saved and has 20 steps, 3 branches, 4 steps of the circuit, 4 notes and 3 "
              "measured tilings.");
}

// A program that is typed and not applied, perhaps with a mistake in it still, is work, too.
TEST_F(Journalled, WhatIsTypedIsThereAfterACrash) {
    document.reset(rich_content(), {});
    {
        Journal journal(document, folder(), 1);
        Draft::of(document).set("output Y = exp(");
        EXPECT_TRUE(eventually([&] { return files("*.draft").size() == 1; }));
        Draft::of(document).set({});
        EXPECT_TRUE(eventually([&] { return files("*.draft").empty() && files("*.blockscope").empty(); }));
        Draft::of(document).set("output Y = exp(X");
    }
    const std::vector<Recovered> left = recoverable(folder());
    ASSERT_EQ(left.size(), 1U);
    const Result<Recovery> recovery = recover(left[0]);
    ASSERT_TRUE(recovery);
    const Result<std::string> typed = read_file(draft_file(left[0].journal));
    ASSERT_TRUE(typed);
    EXPECT_EQ(*typed, "output Y = exp(X");
    EXPECT_TRUE(recovery->difference.contains("not applied"));
    discard(left[0]);
    EXPECT_TRUE(QDir(folder()).entryList({"*.draft", "*.blockscope"}, QDir::Files).isEmpty());
}

// A crash right after a recovery, or a full disk then, must not take what the first crash left.
TEST_F(Journalled, TheOneBeforeStaysUntilThisOneHoldsTheSame) {
    document.reset(rich_content(), {});
    {
        Journal killed(document, folder(), 1);
        document.set_note(1, "x");
    }
    const std::vector<Recovered> left = recoverable(folder());
    ASSERT_EQ(left.size(), 1U);
    document.mark_unsaved();
    {
        QFile file(dir.filePath("file"));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        Journal nowhere(document, dir.filePath("file/journal"), 1);
        QSignalSpy failed(&nowhere, &Journal::failed);
        nowhere.replace(left[0]);
        ASSERT_TRUE(failed.wait(10'000));
    }
    EXPECT_TRUE(QFile::exists(left[0].journal));
    Journal journal(document, folder(), 1);
    journal.replace(left[0]);
    EXPECT_TRUE(eventually([&] { return !QFile::exists(left[0].journal); }));
    EXPECT_EQ(files("*.blockscope").size(), 1);
}

TEST_F(Journalled, LivingProcessesAndOfferedJournalsAreNotOffered) {
    document.reset(rich_content(), {});
    auto journal = std::make_unique<Journal>(document, folder(), 1);
    document.set_note(1, "x");
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
    EXPECT_TRUE(recoverable(folder()).empty());
    journal = nullptr;
    const std::vector<Recovered> first = recoverable(folder());
    EXPECT_EQ(first.size(), 1U);
    EXPECT_TRUE(recoverable(folder()).empty());
}

TEST_F(Journalled, WhatHoldsNothingIsClearedAway) {
    QDir().mkpath(folder());
    for (const char* name : {"1-2-3.blockscope.Xy12", "4-5-6.blockscope", "7-8-9.lock", "mine.blockscope"}) {
        QFile file(folder() + "/" + name);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("nothing");
    }
    EXPECT_TRUE(recoverable(folder()).empty());
    EXPECT_EQ(QDir(folder()).entryList(QDir::Files), QStringList{"mine.blockscope"});
}

TEST_F(Journalled, AFolderThatCannotBeWrittenIsReportedOnce) {
    QFile file(dir.filePath("file"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    document.reset(rich_content(), {});
    Journal journal(document, dir.filePath("file/journal"), 1);
    QSignalSpy failed(&journal, &Journal::failed);
    document.set_note(1, "x");
    ASSERT_TRUE(failed.wait(10'000));
    document.set_note(1, "y");
    EXPECT_FALSE(failed.wait(50));
    EXPECT_EQ(failed.count(), 1);
}

TEST_F(Journalled, BlocksThatWereMovedAreWork) {
    document.reset(rich_content(), "a.blockscope");
    Journal journal(document, folder(), 1);
    document.move_block(document.content().program()->graph->nodes().vector().front()->id, {8, 0});
    EXPECT_TRUE(document.has_work());
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
}

TEST_F(Journalled, TilingsAreWork) {
    document.reset(rich_content(), "a.blockscope");
    Journal journal(document, folder(), 1);
    const Content saved = rich_content();
    TilingsWork work = *document.content().tilings;
    document.set_tilings(work, "Nothing");
    EXPECT_FALSE(document.modified()) << "nothing is another";
    work.run_of("G2", "a machine").measured["mhnk m=16 n=16 k=16 h=16"] = 1e-3;
    document.set_tilings(work, "Measure tilings");
    EXPECT_TRUE(document.has_work());
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
    EXPECT_EQ(difference(document.content(), &saved),
              "It has one measured tiling that the saved file has not.");
    document.undo();
    EXPECT_FALSE(document.has_work());
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").isEmpty(); }));
}

TEST_F(Journalled, StepsOfTheCircuitAreWork) {
    document.reset(rich_content(), "a.blockscope");
    Journal journal(document, folder(), 1);
    Content changed = document.content();
    circuit::StepTree tree = *changed.circuit;
    tree.go_to(2);  // looking around
    changed.circuit = std::make_shared<const circuit::StepTree>(tree);
    document.change("Circuit", changed);
    EXPECT_TRUE(document.modified());
    EXPECT_FALSE(document.has_work());
    tree.add({circuit::CircuitAction::Kind::Join, "N"});
    changed.circuit = std::make_shared<const circuit::StepTree>(tree);
    document.change("Circuit", changed);
    EXPECT_TRUE(document.has_work());
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").size() == 1; }));
    EXPECT_EQ(difference(document.content(), nullptr),
              "It was never saved and has 20 steps, 3 branches, 5 steps of the circuit, 3 notes and "
              "3 measured tilings.");
    const Content saved = rich_content();
    EXPECT_EQ(difference(document.content(), &saved),
              "It has one step of the circuit that the saved file has not.");
    document.undo();
    EXPECT_TRUE(eventually([&] { return files("*.blockscope").isEmpty(); }));
}

TEST_F(Journalled, DifferencesAreSaidInASentence) {
    const Content saved = rich_content();
    Content now = saved;
    EXPECT_EQ(difference(now, &saved),
              "Steps, branches and notes are those of the saved file; only what is shown differs.");
    now.current = 0;
    now = apply_match(std::move(now), all_matches(*now.program()).back());
    EXPECT_EQ(difference(now, &saved), "It has one step and one branch that the saved file has not.");
    EXPECT_EQ(difference(saved, &now), "It lacks one step and one branch of the saved file.");
    now.history.set_note(1, "x");
    now.history.remove(2);
    EXPECT_EQ(difference(now, &saved),
              "It has one step, one branch and one note that the saved file has not, and lacks 2 steps and "
              "one branch.");
}

TEST(Files, SavingReplacesTheFileAsAWhole) {
    const QTemporaryDir dir;
    const QString path = dir.filePath("a.blockscope");
    const Content content = rich_content();
    ASSERT_FALSE(save_document(path, content));
    ASSERT_TRUE(read_file(path));
    EXPECT_EQ(*read_file(path), write_document(content));
    Content other = content;
    other.name = "other";
    ASSERT_FALSE(save_document(path, other));
    EXPECT_EQ(*read_file(path), write_document(other));
    EXPECT_EQ(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"a.blockscope"});
}

TEST(Files, WhatCannotBeSavedOrReadIsSaid) {
    const QTemporaryDir dir;
    for (const QString& path : {dir.path(), dir.filePath("no/where/a.blockscope")}) {
        const auto problem = save_document(path, rich_content());
        ASSERT_TRUE(problem);
        EXPECT_EQ(problem->place.file, path.toStdString());
        EXPECT_FALSE(read_file(path));
    }
}

}  // namespace
}  // namespace blockscope::test

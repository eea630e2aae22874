// Files are replaced as a whole: what writing in place would lose is still there.
#include "app/document/files.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <filesystem>

#include "tests/document/contents.h"

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t kMostBytes = 4096;

// While it lives no file of this process can be longer than kMostBytes, as on a disk that is full.
class FullDisk {
public:
    FullDisk() {
        getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        rlimit little = before_;
        little.rlim_cur = kMostBytes;
        setrlimit(RLIMIT_FSIZE, &little);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

class SavedFile : public testing::Test {
protected:
    void SetUp() override { ASSERT_FALSE(write_file(path(), std::string("the old text"))); }
    QString path(const char* name = "mine.blockscope") const {
        return folder_.filePath(QString::fromLatin1(name));
    }
    static std::string text(const QString& file) { return read_file(file).value(); }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path().toStdString()))
            names.push_back(entry.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }

private:
    QTemporaryDir folder_;
};

// Whoever reads the old file while the new one is written, or keeps it under another name, has all of it.
TEST_F(SavedFile, TheOldOneIsNotWrittenInto) {
    fs::create_hard_link(path().toStdString(), path("kept").toStdString());
    ASSERT_FALSE(save_document(path(), rich_content()));
    EXPECT_EQ(text(path()), write_document(rich_content()));
    EXPECT_EQ(text(path("kept")), "the old text");
}

TEST_F(SavedFile, ADiskThatIsFullLeavesTheOldOneAndNoRest) {
    ASSERT_GT(write_document(rich_content()).size(), kMostBytes);
    std::optional<Problem> problem;
    {
        const FullDisk full;
        problem = save_document(path(), rich_content());
    }
    ASSERT_TRUE(problem);
    EXPECT_THAT(problem->message, testing::HasSubstr("Nothing was changed"));
    EXPECT_EQ(text(path()), "the old text");
    EXPECT_THAT(files(), testing::ElementsAre("mine.blockscope"));
}

TEST_F(SavedFile, ALinkStaysALinkAndKeepsItsPermissions) {
    fs::create_symlink(path().toStdString(), path("link").toStdString());
    fs::permissions(path().toStdString(), fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_FALSE(save_document(path("link"), rich_content()));
    EXPECT_TRUE(fs::is_symlink(path("link").toStdString()));
    EXPECT_EQ(text(path()), write_document(rich_content()));
    EXPECT_EQ(fs::status(path().toStdString()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace blockscope::test

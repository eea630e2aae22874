// Files that are written as a whole or not at all.
#include "core/support/whole_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace blockscope {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
protected:
    void SetUp() override { fs::create_directory(folder_); }
    void TearDown() override { fs::remove_all(folder_); }

    static std::string contents(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    int files() const {
        int count = 0;
        for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++count;
        return count;
    }

    const fs::path folder_ = testing::TempDir() + "whole_file_test" + std::to_string(getpid());
};

TEST_F(WholeFile, ReplacesAFileAndKeepsItsRights) {
    const fs::path file = folder_ / "a";
    EXPECT_EQ(write_whole_file(file, "one"), "");
    EXPECT_EQ(contents(file), "one");
    chmod(file.c_str(), 0640);
    EXPECT_EQ(write_whole_file(file, std::string("t\0o", 3)), "");
    EXPECT_EQ(contents(file), std::string("t\0o", 3));
    struct stat known {};
    stat(file.c_str(), &known);
    EXPECT_EQ(known.st_mode & 07777, 0640U);
    EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, ANewFileHasTheRightsOfOtherNewFiles) {
    const fs::path file = folder_ / "a";
    std::ofstream(folder_ / "b") << "b";
    EXPECT_EQ(write_whole_file(file, "a"), "");
    struct stat ours {
    }, other{};
    stat(file.c_str(), &ours);
    stat((folder_ / "b").c_str(), &other);
    EXPECT_EQ(ours.st_mode, other.st_mode);
}

TEST_F(WholeFile, FollowsLinks) {
    const fs::path file = folder_ / "a";
    const fs::path link = folder_ / "link";
    std::ofstream(file) << "before";
    fs::create_symlink("a", link);
    EXPECT_EQ(write_whole_file(link, "after"), "");
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(contents(file), "after");
}

// A device or a pipe is written into, not replaced.
TEST_F(WholeFile, WritesIntoPipes) {
    const fs::path pipe = folder_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
    EXPECT_EQ(write_whole_file(pipe, "text"), "");
    char buffer[16] = {};
    EXPECT_EQ(read(reader, buffer, sizeof buffer), 4);
    close(reader);
    EXPECT_STREQ(buffer, "text");
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(WholeFile, SaysWhatWentWrong) {
    EXPECT_EQ(write_whole_file(folder_, "text"), "Is a directory");
    EXPECT_EQ(write_whole_file(folder_ / "no" / "file", "text"), "No such file or directory");
    EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace blockscope

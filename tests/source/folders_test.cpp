// The folders are layers: what one includes lies below it. tests use app, app uses gpu and core, gpu uses
// core, and no two folders include each other, directly or by way of others.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

using Folders =
    std::map<std::string, std::map<std::string, std::string>>;  // folder, included folder, one such include

Folders included_folders() {
    const std::regex include("^#include \"((?:app|core|gpu|tests)/[^\"]+)\"");
    const fs::path root = BLOCKSCOPE_SOURCE_DIR;
    Folders folders;
    for (const char* part : {"core", "gpu", "app", "tests"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / part)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
            const fs::path source = entry.path().lexically_relative(root);
            std::ifstream file(entry.path());
            for (std::string line; std::getline(file, line);) {
                std::smatch found;
                if (!std::regex_search(line, found, include)) continue;
                const std::string from = source.parent_path(), to = fs::path(found[1].str()).parent_path();
                if (from != to) folders[from].emplace(to, source.string() + " includes " + found[1].str());
            }
        }
    return folders;
}

// The includes that lead from `from` back to `to`, or none.
std::vector<std::string> way(const Folders& folders, const std::string& from, const std::string& to,
                             std::set<std::string>& seen) {
    const auto found = folders.find(from);
    if (found == folders.end() || !seen.insert(from).second) return {};
    for (const auto& [next, why] : found->second) {
        if (next == to) return {why};
        std::vector<std::string> rest = way(folders, next, to, seen);
        if (rest.empty()) continue;
        rest.insert(rest.begin(), why);
        return rest;
    }
    return {};
}

TEST(Folders, HaveNoCycle) {
    const Folders folders = included_folders();
    ASSERT_GT(folders.size(), 15U);
    ASSERT_GT(folders.count("tests/support"), 0U);
    for (const auto& [folder, others] : folders) {
        std::set<std::string> seen;
        EXPECT_THAT(way(folders, folder, folder, seen), testing::IsEmpty()) << folder << " includes itself";
    }
}

TEST(Folders, LieInFourParts) {
    const std::map<std::string, int> layer = {{"core", 0}, {"gpu", 1}, {"app", 2}, {"tests", 3}};
    for (const auto& [folder, others] : included_folders())
        for (const auto& [other, why] : others)
            EXPECT_LE(layer.at(other.substr(0, other.find('/'))),
                      layer.at(folder.substr(0, folder.find('/'))))
                << why;
}

}  // namespace
}  // namespace blockscope::test

// What holds of all pages: sentences are short, links lead somewhere, and every page and picture is reached.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace blockscope::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = BLOCKSCOPE_SOURCE_DIR;
constexpr int kLongestSentence = 40;  // words

std::vector<fs::path> pages() {
    std::vector<fs::path> found{kRoot / "README.md", kRoot / "CONTRIBUTING.md"};
    for (const char* folder : {"docs", "docs/decisions"})
        for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / folder))
            if (entry.path().extension() == ".md") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::string name_of(const fs::path& page) {
    return page.lexically_relative(kRoot).string();
}

// The lines of a page without code; those of code are empty.
std::vector<std::string> prose_lines(std::istream& page) {
    std::vector<std::string> lines;
    bool code = false;
    for (std::string line; std::getline(page, line);) {
        const bool fence = line.rfind("```", 0) == 0;
        if (fence) code = !code;
        lines.push_back(code || fence || line.rfind("    ", 0) == 0 ? "" : line);
    }
    return lines;
}

std::vector<std::string> prose_lines(const fs::path& page) {
    std::ifstream file(page);
    return prose_lines(file);
}

bool is_item(const std::string& line) {
    static const std::regex kItem(R"(\s*([-*]|\d+\.) .*)");
    return std::regex_match(line, kItem);
}

// The cells of a table's row, each with a blank behind it.
std::vector<std::string> cells(const std::string& row) {
    static const std::regex kBar(
        R"(\\.|`[^`]*`|\|)");  // escaped characters and code have no bars of the table
    std::vector<std::string> found{""};
    std::size_t from = 0;
    for (auto at = std::sregex_iterator(row.begin(), row.end(), kBar); at != std::sregex_iterator(); ++at) {
        if (at->str() != "|") continue;
        const auto to = static_cast<std::size_t>(at->position());
        found.back() = row.substr(from, to - from) + ' ';
        found.emplace_back();
        from = to + 1;
    }
    found.back() = row.substr(from) + ' ';
    return found;
}

// Texts that are read as one: paragraphs, items of lists and cells of tables, whoever wrote them, without
// headings, pictures and comments.
std::vector<std::string> paragraphs(const std::vector<std::string>& lines) {
    std::vector<std::string> found{""};
    for (const std::string& line : lines) {
        if (line.rfind('|', 0) == 0) {
            for (std::string& cell : cells(line)) found.push_back(std::move(cell));
            found.emplace_back();
            continue;
        }
        const bool skipped = line.empty() || std::string("#!<").find(line[0]) != std::string::npos;
        if (skipped || is_item(line)) found.emplace_back();
        if (!skipped) (found.back() += line) += ' ';
    }
    return found;
}

std::string without_addresses(const std::string& text) {
    static const std::regex kAddress(R"(\]\([^)]*\))");
    return std::regex_replace(text, kAddress, "]");
}

std::vector<std::string> sentences(const std::string& paragraph) {
    static const std::regex kEnd(R"(([.!?])[)*"\]]* )");
    std::vector<std::string> found;
    const std::string ends = std::regex_replace(without_addresses(paragraph), kEnd, "$1\n");
    for (std::size_t from = 0; from < ends.size();) {
        const std::size_t to = std::min(ends.find('\n', from), ends.size());
        found.push_back(ends.substr(from, to - from));
        from = to + 1;
    }
    return found;
}

int count_words(const std::string& sentence) {
    int words = 0;
    bool counted = false;
    for (const char c : sentence) {
        if (c == ' ') counted = false;
        if (counted || std::isalnum(static_cast<unsigned char>(c)) == 0) continue;
        counted = true;
        ++words;
    }
    return words;
}

// GitHub's anchor of a heading.
std::string anchor(const std::string& heading) {
    std::string text;
    for (const char c : without_addresses(heading)) {
        if (c == ' ') text += '-';
        if (c == '-' || c == '_' || (c & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(c)) != 0)
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

std::set<std::string> anchors(const fs::path& page) {
    std::set<std::string> found;
    std::map<std::string, int> seen;
    for (const std::string& line : prose_lines(page)) {
        if (line.rfind('#', 0) != 0) continue;
        const std::string name = anchor(line.substr(line.find(' ') + 1));
        const int times = seen[name]++;
        found.insert(times == 0 ? name : name + "-" + std::to_string(times));
    }
    return found;
}

struct Link {
    fs::path page;
    std::string address;
};

std::vector<Link> links() {
    static const std::regex kLink(R"(\]\(([^)]*)\))");
    std::vector<Link> found;
    for (const fs::path& page : pages())
        for (const std::string& line : prose_lines(page))
            for (auto at = std::sregex_iterator(line.begin(), line.end(), kLink);
                 at != std::sregex_iterator(); ++at)
                found.push_back({page, (*at)[1]});
    return found;
}

bool elsewhere(const std::string& address) {
    return address.find("://") != std::string::npos;
}

fs::path target(const Link& link) {
    const std::string file = link.address.substr(0, link.address.find('#'));
    return file.empty() ? link.page : (link.page.parent_path() / file).lexically_normal();
}

TEST(Pages, HaveShortSentences) {
    for (const fs::path& page : pages())
        for (const std::string& paragraph : paragraphs(prose_lines(page)))
            for (const std::string& sentence : sentences(paragraph))
                EXPECT_LE(count_words(sentence), kLongestSentence) << name_of(page) << ": " << sentence;
}

TEST(Pages, LinkToWhatIsThere) {
    ASSERT_GT(links().size(), 200U);
    for (const Link& link : links()) {
        if (elsewhere(link.address)) continue;
        const fs::path file = target(link);
        EXPECT_TRUE(fs::exists(file)) << name_of(link.page) << ": " << link.address;
        const std::size_t hash = link.address.find('#');
        if (hash == std::string::npos || !fs::exists(file)) continue;
        EXPECT_TRUE(anchors(file).contains(link.address.substr(hash + 1)))
            << name_of(link.page) << ": " << link.address;
    }
}

TEST(Pages, AreReachedFromTheListAndUseEveryPicture) {
    std::set<fs::path> listed, linked;
    for (const Link& link : links()) {
        if (elsewhere(link.address)) continue;
        linked.insert(target(link));
        if (link.page == kRoot / "docs/README.md") listed.insert(target(link));
    }
    for (const fs::path& page : pages()) {
        if (page.parent_path() != kRoot / "docs" || page.filename() == "README.md") continue;
        EXPECT_TRUE(listed.contains(page)) << name_of(page) << " is not in docs/README.md";
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "docs/pictures")) {
        if (entry.is_directory() || entry.path().extension() == ".py" || entry.path().extension() == ".md")
            continue;
        EXPECT_TRUE(linked.contains(entry.path())) << name_of(entry.path()) << " is on no page";
    }
}

// `core/graph`, `tests/docs/pages_test.cpp`; what is to be added is written with NAME or as rule15.
TEST(Pages, NameFilesThatExist) {
    static const std::regex kPath("`((?:core|gpu|app|tests|resources|samples)/[A-Za-z0-9_./-]*)`");
    int paths = 0;
    for (const fs::path& page : pages())
        for (const std::string& line : prose_lines(page))
            for (auto at = std::sregex_iterator(line.begin(), line.end(), kPath);
                 at != std::sregex_iterator(); ++at) {
                const std::string path = (*at)[1];
                if (path.find("NAME") != std::string::npos || path.find("rule15") != std::string::npos)
                    continue;
                EXPECT_TRUE(fs::exists(kRoot / path)) << name_of(page) << ": " << path;
                ++paths;
            }
    EXPECT_GT(paths, 30);
}

// Whether a folder has sources or data of its own.
bool is_room(const fs::path& folder) {
    if (folder.filename() == "__pycache__") return false;
    return std::any_of(fs::directory_iterator(folder), {}, [](const fs::directory_entry& entry) {
        return entry.is_regular_file() && entry.path().filename() != "README.md";
    });
}

TEST(Pages, OfFoldersBeginWithWhatTheyHold) {
    int rooms = 0;
    for (const char* part :
         {"core", "gpu", "app", "tests", "samples", "resources", "docs/decisions", "docs/pictures", ".ci"}) {
        std::vector<fs::path> folders{kRoot / part};
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / part))
            if (entry.is_directory()) folders.push_back(entry.path());
        for (const fs::path& folder : folders) {
            if (!is_room(folder)) continue;
            std::ifstream file(folder / "README.md");
            std::string heading, empty, paragraph;
            std::getline(file, heading);
            std::getline(file, empty);
            std::getline(file, paragraph);
            EXPECT_EQ(heading, "# " + name_of(folder));
            EXPECT_TRUE(empty.empty() && !paragraph.empty()) << name_of(folder);
            for (const std::string& sentence : sentences(paragraph))
                EXPECT_LE(count_words(sentence), kLongestSentence) << name_of(folder) << ": " << sentence;
            ++rooms;
        }
    }
    EXPECT_GT(rooms, 40);
}

TEST(Pages, AreReadAsThisTestMeans) {
    std::istringstream page(
        "# One\nA *short* one. Then [three words](a.md#b).\n- item\n\n```\ncode. code\n```\n"
        "| t | `a|b` \\| c. D. |\n|---|---|\n<!-- generated by x -->\n- own\n");
    const std::vector<std::string> parts = paragraphs(prose_lines(page));
    std::vector<std::string> found;
    for (const std::string& part : parts)
        for (const std::string& sentence : sentences(part))
            if (count_words(sentence) > 0) found.push_back(sentence);
    EXPECT_THAT(found, testing::ElementsAre("A *short* one.", "Then [three words].", "- item ", " t  ",
                                            " `a|b` \\| c.", "D.", "- own "));
    EXPECT_EQ(count_words("Then [three words], `x` - 2."), 5);
    EXPECT_EQ(anchor("H* and the `--json` (one)"), "h-and-the---json-one");
}

}  // namespace
}  // namespace blockscope::test

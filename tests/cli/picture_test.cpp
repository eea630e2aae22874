#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

#if BLOCKSCOPE_PICTURES

std::string written(const std::string& name, std::vector<std::string> arguments) {
    const std::string path = testing::TempDir() + name;
    arguments.insert(arguments.end(), {"-o", path});
    const Outcome outcome = run_cli(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    std::filesystem::remove(path);
    return text.str();
}

TEST(Render, TheNameOfTheFileSaysTheFormat) {
    const std::string file = sample("softmax.bp");
    EXPECT_THAT(written("a.svg", {"render", file}), StartsWith("<?xml"));
    EXPECT_THAT(written("a.pdf", {"render", file}), StartsWith("%PDF"));
    EXPECT_THAT(written("a.png", {"render", file, "--scale", "1"}), StartsWith("\x89PNG"));
    EXPECT_THAT(written("a.dot", {"render", file}), StartsWith("digraph"));
    EXPECT_THAT(written("a.json", {"render", file}), HasSubstr("blockscope block program"));
    EXPECT_THAT(written("a.picture", {"render", file, "--format", "svg"}), StartsWith("<?xml"));
}

TEST(Render, ShowsTheStateThatIsAskedFor) {
    const std::string file = sample("attention.bp");
    const std::string last = run_cli({"render", file}).out;
    EXPECT_EQ(run_cli({"render", file, "--step", "17"}).out, last);
    EXPECT_EQ(run_cli({"render", file, "--snapshot", "2"}).out, last);
    EXPECT_EQ(run_cli({"render", file, "--snapshot", "1"}).out,
              run_cli({"render", file, "--step", "15"}).out);
    EXPECT_THAT(run_cli({"render", file, "--step", "0", "--fold", "0"}).out, HasSubstr("map folded"));
    EXPECT_THAT(run_cli({"render", file, "--step", "99"}),
                ends(2, {}, {"there is no step 99; the run takes 17 steps"}));
    EXPECT_THAT(run_cli({"render", file, "--snapshot", "9"}).err, HasSubstr("there is no snapshot 9"));
}

// What the window shows of a document can be had without one: its folds, a part, types.
TEST(Render, ShowsWhatIsSeen) {
    const std::string file = sample("attention.bp");
    const auto drawn = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"render", file, "--step", "0"});
        return run_cli(options);
    };
    const std::string whole = drawn({}).out;
    const std::string folded = drawn({"--fold-map", "n17"}).out;
    EXPECT_THAT(whole, testing::Not(HasSubstr("map folded")));
    EXPECT_THAT(folded, HasSubstr("id=\"n17\" class=\"map folded\""));
    const std::string part = drawn({"--node", "n17,n24"}).out;
    EXPECT_THAT(part, HasSubstr("clip-path"));
    EXPECT_THAT(whole, testing::Not(HasSubstr("clip-path")));
    EXPECT_THAT(drawn({"--types"}).out, HasSubstr("(M,N) block"));
    EXPECT_EQ(drawn({"--fold-map", "n1"}).code, 2);
    EXPECT_THAT(drawn({"--fold-map", "n1"}).err, HasSubstr("is not a map; only maps fold"));
    EXPECT_THAT(drawn({"--node", "n9999"}).err, HasSubstr("n9999"));
    // Folds of a document hold, until --fold says otherwise.
    std::string document = run_cli({"export", file, "--as", "document"}).out;
    const std::string none = "\"folds\": []";
    const std::size_t at = document.find(none);
    ASSERT_NE(at, std::string::npos);
    document.replace(at, none.size(), "\"folds\": [17]");
    EXPECT_THAT(run_cli({"render", "-", "--step", "0"}, document).out, HasSubstr("map folded"));
    EXPECT_THAT(run_cli({"render", "-", "--step", "0", "--fold", "9"}, document).out,
                testing::Not(HasSubstr("map folded")));
}

// The other picture: every format, every circuit, and clear words about what does not go together.
TEST(Render, DrawsCircuits) {
    const std::string file = sample("attention.bp");
    const auto drawn = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"render", file, "--view", "circuit"});
        return run_cli(options);
    };
    EXPECT_THAT(written("c.svg", {"render", file, "--view", "circuit"}), HasSubstr("class=\"wire level1\""));
    EXPECT_THAT(written("c.pdf", {"render", file, "--view", "circuit"}), StartsWith("%PDF"));
    EXPECT_THAT(written("c.png", {"render", file, "--view", "circuit", "--scale", "1"}),
                StartsWith("\x89PNG"));
    EXPECT_THAT(written("c.tex", {"render", file, "--view", "circuit"}), HasSubstr("\\begin{tikzpicture}"));
    EXPECT_THAT(written("c.json", {"render", file, "--view", "circuit"}), HasSubstr("blockscope circuit"));
    EXPECT_EQ(drawn({}).out, drawn({"--step", "17"}).out);
    EXPECT_NE(drawn({}).out, drawn({"--step", "0"}).out);
    EXPECT_THAT(drawn({"--circuit", "program"}).out, HasSubstr(">Attention</title>"));
    EXPECT_THAT(drawn({"--circuit", "algorithm"}).out, HasSubstr(">stream s_N of N</title>"));
    EXPECT_THAT(drawn({}).out, HasSubstr("class=\"number\""));
    EXPECT_THAT(drawn({"--numbers", "none"}).out, testing::Not(HasSubstr("class=\"number\"")));
    const std::string levels = drawn({"--circuit", "levels", "--device", "h100-sxm5"}).out;
    EXPECT_THAT(levels, HasSubstr("class=\"wire level3\""));
    EXPECT_THAT(levels, HasSubstr("levels of NVIDIA H100"));
    EXPECT_EQ(drawn({"--circuit", "levels", "--device", "h100-sxm5", "--step", "3"}).code, 2);
    const std::string decoder = sample("decoder-block.bp");
    EXPECT_THAT(
        run_cli({"render", decoder, "--view", "circuit", "--circuit", "program", "--repeat", "32"}).out,
        HasSubstr("decoder-block × 32"));
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--fold", "1"},
                                               {"--format", "dot"},
                                               {"--legend"},
                                               {"--repeat", "3"},
                                               {"--circuit", "program", "--repeat", "3"}})
        EXPECT_EQ(drawn(wrong).code, 2) << wrong.front();
    EXPECT_EQ(run_cli({"render", file, "--format", "tex"}).code, 2);
}

// An algorithm as a loop: on two levels, and on those of a device with its divisors.
TEST(Render, DrawsPseudocode) {
    const std::string file = sample("attention.bp");
    const std::vector<std::string> plain = {"render", file, "--view", "pseudocode"};
    EXPECT_THAT(written("p.tex", plain), HasSubstr("\\draw[split]"));
    EXPECT_THAT(written("p.json", plain), HasSubstr("\"style\": \"split\""));
    EXPECT_THAT(written("p.pdf", plain), StartsWith("%PDF"));
    EXPECT_THAT(run_cli(plain).out, testing::Not(HasSubstr("wire level3")));
    const std::string on_h100 =
        run_cli({"render", file, "--view", "pseudocode", "--device", "h100-sxm5"}).out;
    EXPECT_THAT(on_h100, HasSubstr("wire level3"));
    EXPECT_THAT(on_h100, HasSubstr(">stream u_N^(16) of s_N"));
    // A document, too, on the levels of its device; what is written is read again.
    const std::string flash = sample("circuits/flash-attention-3-fp8-inter.json");
    EXPECT_THAT(run_cli({"render", flash, "--view", "pseudocode"}).out, HasSubstr("wire level3"));
    const std::string document = run_cli({"render", flash, "--view", "pseudocode", "--format", "json"}).out;
    EXPECT_THAT(run_cli({"render", "-", "--format", "tex"}, document).out, HasSubstr("\\draw[split]"));
    EXPECT_EQ(run_cli({"render", file, "--view", "pseudocode", "--rows", "N"}).code, 2);
    EXPECT_THAT(run_cli({"render", file, "--view", "pseudocode", "--rows", "N"}).err,
                HasSubstr("N cannot be grouped"));
}

TEST(Render, DrawsClocks) {
    const std::string file = sample("circuits/flash-attention-3-fp16-inter.json");
    const std::vector<std::string> clocks = {"render", file, "--view", "clocks"};
    EXPECT_THAT(written("k.svg", clocks), HasSubstr("class=\"clocks\""));
    EXPECT_THAT(written("k.pdf", clocks), StartsWith("%PDF"));
    EXPECT_THAT(written("k.png", clocks), StartsWith("\x89PNG"));
    EXPECT_THAT(written("k.tex", clocks), HasSubstr("{warpgroup 2}"));
    EXPECT_THAT(written("k.json", clocks), HasSubstr("\"format\": \"blockscope clocks\""));
    EXPECT_THAT(written("k.perfetto", clocks), HasSubstr("\"displayTimeUnit\": \"ns\""));
    EXPECT_EQ(run_cli({"render", file, "--view", "circuit", "--format", "perfetto"}).code, 2);
    // What runs can be said; a device has to be.
    const std::string attention = sample("attention.bp");
    EXPECT_THAT(run_cli({"render", attention, "--view", "clocks", "--device", "h100-sxm5", "--warpgroups",
                         "1", "--format", "json"})
                    .out,
                HasSubstr("\"lanes\": 1"));
    EXPECT_EQ(run_cli({"render", attention, "--view", "clocks", "--device", "epyc-9755"}).code, 2);
    EXPECT_EQ(run_cli({"render", attention, "--view", "clocks", "--device", "h100-sxm5", "--step", "3"}).code,
              2);
    EXPECT_EQ(run_cli({"render", attention, "--device", "h100-sxm5"}).code, 2);
}

// Circuit documents are drawn as they are.
TEST(Render, DrawsCircuitDocuments) {
    const std::string file = sample("circuits/flash-attention-3-fp16-inter.json");
    EXPECT_THAT(run_cli({"render", file}).out, HasSubstr("class=\"wire level3\""));
    const std::string tex = run_cli({"render", file, "--format", "tex"}).out;
    EXPECT_THAT(tex, HasSubstr("\\begin{tikzpicture}"));
    EXPECT_THAT(tex, HasSubstr("\\usetikzlibrary{arrows.meta}"));
    EXPECT_EQ(run_cli({"render", file, "--format", "tikz"}).out, tex);
    EXPECT_EQ(run_cli({"render", file, "--step", "1"}).code, 2);
    EXPECT_THAT(
        run_cli({"render", sample("decoder-block.bp"), "--view", "circuit", "--circuit", "model"}).out,
        testing::Not(HasSubstr("Wq")));
}

TEST(Render, NeedsNoDisplayAndUsesNone) {
    const Outcome outcome =
        run_cli({"render", sample("softmax.bp")}, {}, {"DISPLAY=:987", "QT_QPA_PLATFORM=xcb"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, MatchesRegex("drawn: [^\n]*\n")) << "and nothing of Qt's";
}

// A picture without a caption does not say which state it is of.
TEST(Render, SaysWhichStateItDrew) {
    const std::string file = sample("attention.bp");
    EXPECT_EQ(run_cli({"render", file, "--step", "3"}).err, "drawn: step 3\n");
    EXPECT_EQ(run_cli({"render", file, "--snapshot", "2"}).err, "drawn: snapshot 2\n");
    EXPECT_THAT(run_cli({"render", file}, {}, {"XDG_CACHE_HOME=/nonexistent"}).err,
                StartsWith("drawn: snapshot 2, best of 18 states by predicted time on NVIDIA H100"));
    const auto json = nlohmann::json::parse(run_cli({"render", file, "--step", "3", "--json"}).out);
    EXPECT_EQ(json["state"], "step 3");
}

TEST(Render, ProblemsOfTheFileAreThoseOfOtherCommands) {
    const Outcome outcome = run_cli({"render", "-"}, "dim M = oops\n");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(outcome.err, run_cli({"check", "-"}, "dim M = oops\n").err);
}

TEST(Render, RefusesWhatWouldChangeNothing) {
    const std::string file = sample("softmax.bp");
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--circuit", "model"}, {"--repeat", "3"}, {"--numbers", "counts"}}) {
        std::vector<std::string> words = {"render", file};
        words.insert(words.end(), options.begin(), options.end());
        const Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 2) << options.front();
        EXPECT_THAT(outcome.err, HasSubstr("add --view circuit"));
    }
    for (const std::string format : {"dot", "json"})
        for (const std::vector<std::string>& options :
             {std::vector<std::string>{"--fold", "0"}, {"--node", "n1"}, {"--legend"}, {"--scale", "3"}}) {
            std::vector<std::string> words = {"render", file, "--format", format};
            words.insert(words.end(), options.begin(), options.end());
            const Outcome outcome = run_cli(words);
            EXPECT_EQ(outcome.code, 2) << format << ' ' << options.front();
            EXPECT_THAT(outcome.err, HasSubstr("belong to svg, pdf and png"));
        }
    for (const char* option : {"--scale", "--width"}) {
        const Outcome outcome = run_cli({"render", file, "--view", "circuit", option, "nan"});
        EXPECT_EQ(outcome.code, 2) << option;
        EXPECT_THAT(outcome.err, HasSubstr("'nan' is not a number from"));
    }
}

TEST(Export, WritesStripsPagesAndDocuments) {
    const std::string file = sample("softmax.bp");
    EXPECT_THAT(written("a.pdf", {"export", file, "--as", "strip"}), StartsWith("%PDF"));
    EXPECT_THAT(written("a.svg", {"export", file, "--as", "strip"}), StartsWith("<?xml"));
    EXPECT_THAT(written("a.html", {"export", file, "--as", "html"}), StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(written("a.pdf", {"export", file, "--as", "slides", "--chapters"}), StartsWith("%PDF"));
    EXPECT_THAT(written("b.pdf", {"export", file, "--as", "slides", "--notes"}), StartsWith("%PDF"));
    EXPECT_THAT(written("a.html", {"export", file, "--as", "deck"}), HasSubstr("class=\"slide title\""));
    EXPECT_THAT(written("c.svg", {"export", file, "--as", "comparison"}), HasSubstr("best state"));
    EXPECT_THAT(written("c.png", {"export", file, "--as", "comparison", "--before", "1", "--after", "last"}),
                StartsWith("\x89PNG"));
    const std::string document = written("a.json", {"export", file, "--as", "document"});
    EXPECT_THAT(document, StartsWith("{"));
    // A document is input again, and gives the same picture.
    EXPECT_EQ(run_cli({"export", "-", "--as", "document"}, document).out, document);
}

TEST(Export, RefusesEndingsOfOtherFormats) {
    const std::string file = sample("softmax.bp");
    const std::vector<std::vector<std::string>> wrong = {{"render", file, "-o", "x.jpg"},
                                                         {"export", file, "--as", "strip", "-o", "x.png"},
                                                         {"export", file, "--as", "strip", "-o", "x.txt"},
                                                         {"export", file, "--as", "html", "-o", "x.pdf"},
                                                         {"export", file, "--as", "slides", "-o", "x.svg"},
                                                         {"export", file, "--as", "deck", "-o", "x.pdf"},
                                                         {"export", file, "--as", "document", "-o", "x.svg"}};
    for (const std::vector<std::string>& words : wrong) {
        const Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 2) << words.back();
        EXPECT_THAT(outcome.err, HasSubstr("but this makes"));
        EXPECT_FALSE(std::filesystem::exists(words.back()));
    }
}

// A file is written in the format of its name, whatever --format says.
TEST(Export, RefusesAFormatThatIsNotThatOfTheName) {
    const std::string file = sample("softmax.bp"), folder = testing::TempDir();
    const std::vector<std::vector<std::string>> wrong = {
        {"export", file, "--as", "strip", "--format", "pdf", "-o", folder + "wrong.svg"},
        {"export", file, "--as", "strip", "--format", "svg", "-o", folder + "wrong.pdf"},
        {"render", file, "--format", "pdf", "-o", folder + "wrong.svg"},
        {"render", file, "--format", "svg", "-o", folder + "wrong.txt"}};
    for (const std::vector<std::string>& words : wrong) {
        const Outcome outcome = run_cli(words);
        EXPECT_EQ(outcome.code, 2) << words.back();
        EXPECT_THAT(outcome.err, HasSubstr("but --format is")) << words.back();
        EXPECT_FALSE(std::filesystem::exists(words.back())) << words.back();
    }
    EXPECT_EQ(run_cli({"render", file, "--format", "svg", "-o", folder + "right.svg"}).code, 0);
    EXPECT_EQ(run_cli({"render", file, "--format", "svg", "-o", folder + "right.v2"}).code, 0);
    EXPECT_EQ(
        run_cli({"export", file, "--as", "document", "--format", "json", "-o", folder + "right.blockscope"})
            .code,
        0);
}

TEST(Export, SaysWhichOptionsDoNotBelongTogether) {
    const std::string file = sample("softmax.bp");
    EXPECT_EQ(run_cli({"export", file, "--as", "html", "--format", "pdf"}).code, 2);
    const std::vector<std::string> wrong[] = {{"document", "--snapshots"},  {"document", "--chapters"},
                                              {"deck", "--notes"},          {"strip", "--before", "1"},
                                              {"deck", "--theme", "dark"},  {"comparison", "--chapters"},
                                              {"slides", "--format", "svg"}};
    for (std::vector<std::string> words : wrong) {
        words.insert(words.begin(), {"export", file, "--as"});
        EXPECT_EQ(run_cli(words).code, 2) << words[3] << ' ' << words[4];
    }
    EXPECT_THAT(run_cli({"export", file, "--as", "comparison", "--after", "99"}).err,
                HasSubstr("there is no step 99"));
}

TEST(Export, TheSameInputGivesTheSameBytes) {
    const std::string file = sample("softmax.bp");
    for (const char* as : {"strip", "html", "slides", "deck", "comparison", "document"})
        EXPECT_EQ(run_cli({"export", file, "--as", as}).out, run_cli({"export", file, "--as", as}).out) << as;
}

#else

TEST(Render, WithoutQtItSaysSo) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"render", sample("softmax.bp")}, {"export", sample("softmax.bp"), "--as", "html"}}) {
        const Outcome outcome = run_cli(command);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err,
                    HasSubstr("this build has no pictures: it was built without Qt 6 and Graphviz"));
    }
}

#endif

// The program that makes pictures does not lie beside this copy.
TEST(Render, WithoutItsHelperItSaysWhatIsMissing) {
    namespace fs = std::filesystem;
    const std::string folder = testing::TempDir() + "alone";
    fs::remove_all(folder);
    fs::create_directory(folder);
    fs::copy_file(BLOCKSCOPE_CLI, folder + "/blockscope-cli");
    const std::string line =
        folder + "/blockscope-cli render " + sample("softmax.bp") + " 2> " + folder + "/err > /dev/null";
    EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 2);
    std::ifstream err(folder + "/err");
    const std::string said{std::istreambuf_iterator<char>(err), {}};
    const std::string expected =
        BLOCKSCOPE_PICTURES ? "blockscope-render, which makes pictures, is missing: it belongs into " + folder
                            : "it was built without Qt 6 and Graphviz";
    EXPECT_THAT(said, HasSubstr(expected));
}

}  // namespace
}  // namespace blockscope::test

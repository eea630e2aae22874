// The exported page's script, run by Node.js on as much of a browser as it asks for (page/dom.js).
#include <gmock/gmock.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/document/files.h"
#include "app/export/derivation.h"
#include "app/export/slides.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

QJsonObject expected(const Stage& stage) {
    QJsonArray lines, nodes;
    for (const ListingRow& row : stage.listing.rows)
        if (row.kind != ListingRow::Kind::Removed) lines.append(QString::fromStdString(row.text));
    for (const Box& box : stage.picture->figure.boxes)
        if (box.kind != BoxKind::Frame) nodes.append(QString::fromStdString(to_string(box.id())));
    return {{QStringLiteral("step"), stage.number},
            {QStringLiteral("snapshot"), stage.snapshot},
            {QStringLiteral("title"), QString::fromStdString(stage.title)},
            {QStringLiteral("lines"), lines},
            {QStringLiteral("nodes"), nodes}};
}

QString node_program() {
    for (const char* name : {"node", "nodejs"})
        if (QString found = QStandardPaths::findExecutable(QString::fromLatin1(name)); !found.isEmpty())
            return found;
    return {};
}

// What the checks of a script in this folder say, and whether all of them passed.
std::pair<bool, std::string> node_says(const char* script, const QStringList& arguments) {
    QProcess node;
    node.setProcessChannelMode(QProcess::MergedChannels);
    node.start(node_program(), QStringList(QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/tests/export/page/") +
                                           QString::fromLatin1(script)) +
                                   arguments);
    const bool ended = node.waitForFinished(120'000);
    const bool passed = ended && node.exitStatus() == QProcess::NormalExit && node.exitCode() == 0;
    return {passed, node.readAll().toStdString()};
}

std::pair<bool, std::string> checked_deck(const std::string& page, std::size_t slides) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("deck.html"));
    if (write_file(file, page)) return {false, "the deck cannot be written"};
    return node_says("check_deck.js", {file, QString::number(slides)});
}

std::pair<bool, std::string> checked(const std::string& page, const Derivation& derivation) {
    const QTemporaryDir folder;
    QJsonArray stages;
    for (const Stage& stage : derivation.stages) stages.append(expected(stage));
    const QString page_file = folder.filePath(QStringLiteral("page.html"));
    const QString stages_file = folder.filePath(QStringLiteral("stages.json"));
    if (write_file(page_file, page) || write_file(stages_file, QJsonDocument(stages).toJson()))
        return {false, "the page cannot be written"};
    return node_says("check.js", {page_file, stages_file});
}

class PageScript : public testing::Test {
protected:
    void SetUp() override {
        if (node_program().isEmpty()) GTEST_SKIP() << "Node.js is missing; ./dev test installs it";
    }
    FusedRun run{"attention"};
    const Derivation derivation = run.derivation();
};

TEST_F(PageScript, StepsThroughTheWholeDerivation) {
    const auto [passed, said] = checked(derivation_page(derivation), derivation);
    EXPECT_TRUE(passed) << said;
    EXPECT_THAT(said, testing::HasSubstr("ok: the right arrow goes through every step"));
}

// A page of which one word is another does not pass: the checks can fail.
TEST_F(PageScript, IsFoundOutIfItDoesNot) {
    const std::pair<const char*, const char*> defects[] = {
        {"ArrowRight: actions.forward", "ArrowRight: actions.back"},
        {"i > at && s.dataset", "i >= at && s.dataset"},
        {"listing.replaceChildren(lines)", "listing.append(lines)"},
        {"zoom(1.25)", "zoom(0.8)"},
        {"line.classList.add('on')", "line.classList.remove('on')"},
        {"choice === correct) right", "choice !== correct) right"},
        {"if (!from || still.matches)", "if (!from || !still.matches)"},
    };
    const std::string page = derivation_page(derivation);
    for (const auto& [right, wrong] : defects) {
        std::string broken = page;
        const std::size_t at = broken.find(right);
        ASSERT_NE(at, std::string::npos) << right;
        broken.replace(at, std::string(right).size(), wrong);
        EXPECT_FALSE(checked(broken, derivation).first) << wrong;
    }
}

TEST_F(PageScript, OfADeckGoesThroughItsSlides) {
    const std::string page = deck_page(derivation);
    const std::size_t slides = slides_of(derivation).size();
    const auto [passed, said] = checked_deck(page, slides);
    EXPECT_TRUE(passed) << said;
    EXPECT_THAT(said, testing::HasSubstr("ok: questions are answered once and counted"));
}

TEST_F(PageScript, OfADeckIsFoundOutIfItDoesNot) {
    const std::pair<const char*, const char*> defects[] = {
        {"show(at + 1), back", "show(at + 2), back"},
        {"slide.hidden = i !== index", "slide.hidden = i === index"},
        {"n: () => toggle('noting')", "n: () => toggle('blank')"},
        {"return void toggle('blank')", "toggle('blank')"},
        {"all += 1", "all += 2"},
    };
    const std::string page = deck_page(derivation);
    for (const auto& [right, wrong] : defects) {
        std::string broken = page;
        const std::size_t at = broken.find(right);
        ASSERT_NE(at, std::string::npos) << right;
        broken.replace(at, std::string(right).size(), wrong);
        EXPECT_FALSE(checked_deck(broken, slides_of(derivation).size()).first) << wrong;
    }
}

}  // namespace
}  // namespace blockscope::test

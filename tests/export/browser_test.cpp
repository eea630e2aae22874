// The exported page and the deck in a real browser: headless Chromium lays them out, steps through them and
// answers their questions. Where there is no Chromium (Debian: apt-get install chromium), this is skipped.
#include <gmock/gmock.h>

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/document/files.h"
#include "app/export/derivation.h"
#include "app/export/runs.h"
#include "app/export/slides.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

QString chromium() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
        if (QString found = QStandardPaths::findExecutable(QString::fromLatin1(name)); !found.isEmpty())
            return found;
    return {};
}

// The page with a script of tests/export/page behind its own, as the browser has it when it has run: what the
// script says stands in its title.
std::string in_browser(const std::string& page, const char* script, const char* size = "1280,720") {
    const QTemporaryDir folder;
    QFile source(QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/tests/export/page/") + QString::fromLatin1(script));
    if (!source.open(QIODevice::ReadOnly)) return "no script";
    std::string tested = page;
    const std::size_t end = tested.rfind("</body>");
    tested.insert(end, "<script>" + source.readAll().toStdString() + "</script>");
    const QString file = folder.filePath(QStringLiteral("page.html"));
    if (write_file(file, tested)) return "the page cannot be written";
    QProcess browser;
    browser.start(
        chromium(),
        {QStringLiteral("--headless"), QStringLiteral("--no-sandbox"), QStringLiteral("--disable-gpu"),
         QStringLiteral("--disable-dev-shm-usage"), QStringLiteral("--force-prefers-reduced-motion"),
         QStringLiteral("--user-data-dir=") + folder.filePath(QStringLiteral("profile")),
         QStringLiteral("--window-size=") + QString::fromLatin1(size),
         QStringLiteral("--virtual-time-budget=20000"), QStringLiteral("--dump-dom"),
         QStringLiteral("file://") + file});
    if (!browser.waitForFinished(180'000)) return "the browser does not end";
    const std::string dom = browser.readAllStandardOutput().toStdString();
    const std::size_t begin = dom.find("<title>"), stop = dom.find("</title>");
    if (begin == std::string::npos) return "no page: " + browser.readAllStandardError().toStdString();
    return dom.substr(begin + 7, stop - begin - 7);
}

class InBrowser : public testing::Test {
protected:
    void SetUp() override {
        if (chromium().isEmpty()) GTEST_SKIP() << "Chromium is missing (Debian: apt-get install chromium)";
    }
    std::string written(const char* kind) {
        const RunLook look{.opened = QStringLiteral("attention.bp")};
        return write_run(kind, "html", *run.content, look, run.source()).value().toStdString();
    }
    FusedRun run{"attention"};
};

TEST_F(InBrowser, ThePageStepsAndItsQuestionsAreAnswered) {
    const std::string said = in_browser(written("html"), "in_page.js");
    EXPECT_THAT(said, testing::StartsWith("ok: 18 stages"));
}

TEST_F(InBrowser, TheDeckStepsFitsAndItsQuestionsAreAnswered) {
    for (const char* size : {"1280,720", "1024,768", "1920,1080"})
        EXPECT_THAT(in_browser(written("deck"), "in_deck.js", size), testing::StartsWith("ok: 21 slides"))
            << size;
}

TEST_F(InBrowser, ABrokenDeckIsFoundOut) {
    const Derivation slides = derive(*run.content, Stages::All, run.source(), slide_shape()).value();
    std::string page = deck_page(slides);
    const std::string right = "slide.hidden = i !== index";
    page.replace(page.find(right), right.size(), "slide.hidden = i === index");
    EXPECT_THAT(in_browser(page, "in_deck.js"), Not(HasSubstr("ok:")));
}

}  // namespace
}  // namespace blockscope::test

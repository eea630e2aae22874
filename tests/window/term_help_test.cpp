// Words of the glossary where they stand: pictures that are the program's own, tooltips, a key.
#include "app/shell/term_help.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <cstdlib>
#include <set>

#include "app/glossary/term_pictures.h"
#include "app/shell/code_view.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// BLOCKSCOPE_UPDATE=1 writes the files anew.
TEST(TermPictures, AreThoseOfThePageAndUpToDate) {
    std::set<std::string> used;
    for (const GlossaryTerm& term : glossary()) used.insert(term.picture);
    std::set<std::string> drawn;
    for (const std::string& name : term_picture_names()) {
        EXPECT_TRUE(drawn.insert(name).second) << name;
        const QString path = QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/docs/pictures/glossary/%1.svg")
                                 .arg(QString::fromStdString(name));
        const QByteArray svg = QByteArray::fromStdString(term_picture_svg(name));
        if (std::getenv("BLOCKSCOPE_UPDATE")) {
            QFile file(path);
            ASSERT_TRUE(file.open(QIODevice::WriteOnly));
            file.write(svg);
        }
        EXPECT_EQ(read(path), svg) << name;
    }
    EXPECT_EQ(used, drawn);
}

TEST(TermPictures, EveryTermShowsOne) {
    for (const GlossaryTerm& term : glossary()) {
        const QImage image = term_image(term, 260);
        ASSERT_FALSE(image.isNull()) << term.name;
        const QRgb paper = image.pixel(1, 1);
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) drawn += image.pixel(x, y) == paper ? 0 : 1;
        EXPECT_GT(drawn, 200) << term.name;
        EXPECT_TRUE(term_html(term).contains(QStringLiteral("data:image/png")));
    }
}

// In a dark window they are no white holes, and still in the same hues.
TEST(TermPictures, AreDarkInADarkWindow) {
    test::TestWindow t;
    const GlossaryTerm& term = *find_term(glossary(), "Buffered edge");
    const auto reddest = [](const QImage& image) {
        int most = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                most = std::max(most, qRed(image.pixel(x, y)) - qBlue(image.pixel(x, y)));
        return most;
    };
    t.settings.set_theme(ThemeChoice::Light);
    const QImage light = term_image(term, 260);
    t.settings.set_theme(ThemeChoice::Dark);
    const QImage dark = term_image(term, 260);
    EXPECT_GT(qGray(light.pixel(1, 1)), 240);
    EXPECT_LT(qGray(dark.pixel(1, 1)), 40);
    EXPECT_GT(reddest(light), 90);
    EXPECT_GT(reddest(dark), 90);
    t.settings.set_theme(ThemeChoice::Light);
}

std::vector<std::string> names(const std::vector<const GlossaryTerm*>& terms) {
    std::vector<std::string> found;
    for (const GlossaryTerm* term : terms) found.push_back(term->name);
    return found;
}

void hover(QWidget& widget, const QPoint& place) {
    QHelpEvent event(QEvent::ToolTip, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &event);
}

TEST(TermHelp, ExplainsWordsOfLabelsRowsAndListings) {
    test::TestWindow t;
    TermHelp help(&t.window);
    QLabel label(QStringLiteral("12 buffered edges"));
    label.setToolTip(QStringLiteral("Its own words."));
    label.show();
    hover(label, {4, 4});
    EXPECT_TRUE(help.shown().startsWith(QStringLiteral("<p>Its own words.</p><h3>Buffered edge</h3>")))
        << help.shown().left(200).toStdString();
    QListWidget list;
    list.addItems({QStringLiteral("snapshot 1"), QStringLiteral("nothing here")});
    list.show();
    hover(*list.viewport(), list.visualItemRect(list.item(0)).center());
    EXPECT_TRUE(help.shown().contains(QStringLiteral("<h3>Snapshot</h3>")));
    const QPoint second = list.visualItemRect(list.item(1)).center();
    EXPECT_TRUE(terms_at(*list.viewport(), &second).empty());
    CodeView code(t.appearance);
    code.setPlainText(QStringLiteral("forall m in range(M):\n  t1 = load(X[m])"));
    code.resize(400, 200);
    code.show();
    const QPoint word = code.cursorRect().center() + QPoint(6, 0);
    EXPECT_EQ(names(terms_at(*code.viewport(), &word)), std::vector<std::string>{"Parallel loop"});
}

TEST(TermHelp, AKeyExplainsWhatHasTheFocus) {
    test::TestWindow t;
    TermHelp help(&t.window);
    QListWidget list;
    list.addItem(QStringLiteral("best state: step 3"));
    list.setCurrentRow(0);
    list.show();
    QApplication::setActiveWindow(&list);
    list.setFocus();
    ASSERT_TRUE(test::wait_until([&] { return QApplication::focusWidget() == &list; }));
    EXPECT_TRUE(help.explain_focus());
    EXPECT_TRUE(help.shown().contains(QStringLiteral("<h3>Best state</h3>")));
    list.item(0)->setText(QStringLiteral("12345"));
    EXPECT_FALSE(help.explain_focus());
    EXPECT_NE(t.window.actions().get("help.term"), nullptr);
}

}  // namespace
}  // namespace blockscope

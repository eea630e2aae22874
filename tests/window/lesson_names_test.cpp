// What lessons call the parts of the window is what stands on them.
#include <gmock/gmock.h>

#include <QFile>
#include <QRegularExpression>

#include "app/lessons/lesson_shelf.h"
#include "app/window/panel_table.h"
#include "tests/window/texts.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

// Words of a lesson between single asterisks that begin with a capital letter: "*Why not?*".
QStringList names_in(const LessonInfo& info) {
    QFile file(QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/samples/lessons/%1.md")
                   .arg(QString::fromStdString(info.name)));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    static const QRegularExpression name(QStringLiteral("(?<!\\*)\\*([A-Z][^*\\n]*)\\*(?!\\*)"));
    QStringList names;
    for (auto it = name.globalMatch(QString::fromUtf8(file.readAll())); it.hasNext();)
        names << it.next().captured(1);
    return names;
}

TEST(LessonNames, AreThoseOfTheWindow) {
    test::TestWindow t;
    test::Texts texts;
    texts.look(t.window);  // the start page
    ASSERT_TRUE(t.open_sample("attention"));
    for (const PanelInfo& panel : panel_table()) {
        t.window.services().show_panel(panel.id);
        ASSERT_TRUE(test::wait_until([&] { return !t.window.services().work.busy(); }));
        texts.look(t.window);
    }
    std::set<QString> known = texts.lines();
    std::vector<LessonInfo> lessons = lesson_shelf();
    lessons.push_back(tour_lesson());
    for (const LessonInfo& info : lessons) known.insert(info.title());
    int named = 0;
    for (const LessonInfo& info : lessons)
        for (const QString& name : names_in(info)) {
            EXPECT_TRUE(known.count(name) > 0) << info.name << ": " << name.toStdString();
            ++named;
        }
    EXPECT_GT(named, 10) << "otherwise nothing was looked at";
}

}  // namespace
}  // namespace blockscope

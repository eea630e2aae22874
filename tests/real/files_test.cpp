// Saving, opening again and exporting, through the dialogs.
#include <gmock/gmock.h>

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTest>
#include <QTimer>
#include <QXmlStreamReader>
#include <algorithm>

#include "app/export/export_dialog.h"
#include "app/scene/canvas.h"
#include "tests/real/desk.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

using What = ExportRequest::What;

QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Types the path into the dialog and accepts it.
void enter_path(QDialog& dialog, const QString& path) {
    auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    ASSERT_NE(name, nullptr);
    name->setText(path);
    QMetaObject::invokeMethod(&dialog, "accept");
}

void save_as(Desk& desk, const QString& path) {
    desk.with_dialogs([&] { desk.key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier); },
                      [&](QDialog& dialog) { enter_path(dialog, path); });
    ASSERT_TRUE(wait_until([&] { return QFile::exists(path); }));
    ASSERT_TRUE(desk.settle());
}

TEST(Files, ASavedDocumentOpensAgainAndIsByteForByteTheSame) {
    Desk desk;
    ASSERT_TRUE(desk.open(QStringLiteral("attention")));
    ASSERT_TRUE(desk.press(Qt::Key_Space, 3));
    ASSERT_TRUE(desk.press(Qt::Key_T, 1, Qt::ShiftModifier));
    const QString path = desk.path(QStringLiteral("mine.blockscope"));
    save_as(desk, path);
    if (HasFatalFailure()) return;
    EXPECT_FALSE(desk.document().modified());
    const QByteArray saved = bytes_of(path);
    const std::string content = write_document(desk.content());
    EXPECT_EQ(saved.toStdString(), content);

    ASSERT_TRUE(desk.press(Qt::Key_W, 1, Qt::ControlModifier));
    EXPECT_TRUE(desk.document().empty());
    EXPECT_TRUE(desk.window().on_start_page());
    desk.window().open_file(path);
    ASSERT_TRUE(wait_until([&] { return !desk.document().empty(); }));
    ASSERT_TRUE(desk.settle());
    EXPECT_EQ(write_document(desk.content()), content);
    EXPECT_EQ(desk.content().history.depth(desk.content().current), 3);

    ASSERT_TRUE(desk.press(Qt::Key_Space, 1));
    ASSERT_TRUE(desk.press(Qt::Key_S, 1, Qt::ControlModifier));
    EXPECT_NE(bytes_of(path), saved);
    EXPECT_EQ(bytes_of(path).toStdString(), write_document(desk.content()));
}

// The suffix that is added is part of the name that the question is about.
TEST(Files, AnotherFileIsNotReplacedWithoutAQuestion) {
    Desk desk;
    ASSERT_TRUE(desk.open(QStringLiteral("softmax")));
    const QString path = desk.file(QStringLiteral("precious.blockscope"), "precious");
    int questions = 0;
    QTimer no;  // the question comes while the dialog is being answered
    QObject::connect(&no, &QTimer::timeout, [&] {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (question == nullptr) return;
        ++questions;
        question->reject();
    });
    no.start(20);
    desk.with_dialogs([&] { desk.key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier); },
                      [&](QDialog& dialog) {
                          if (questions > 0) return dialog.reject();
                          enter_path(dialog, desk.path(QStringLiteral("precious")));
                      });
    EXPECT_GT(questions, 0);
    EXPECT_EQ(bytes_of(path), "precious");
}

// Exports through both dialogs and returns what is in the file.
QByteArray exported(Desk& desk, What what, const char* format) {
    const QString path = desk.path(QStringLiteral("out.") + QLatin1String(format));
    QFile::remove(path);
    desk.with_dialogs([&] { desk.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier); },
                      [&](QDialog& dialog) {
                          if (auto* choice = qobject_cast<ExportDialog*>(&dialog)) {
                              choice->choose(what, format);
                              return choice->accept();
                          }
                          if (qobject_cast<QFileDialog*>(&dialog) != nullptr) enter_path(dialog, path);
                      });
    EXPECT_TRUE(wait_until([&] { return !desk.window().services().work.busy(); }));
    return bytes_of(path);
}

bool well_formed(const QByteArray& xml) {
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) reader.readNext();
    return !reader.hasError();
}

TEST(Files, ThePictureIsExportedAsSvgPdfAndPng) {
    Desk desk;
    ASSERT_TRUE(desk.open(QStringLiteral("attention")));
    ASSERT_TRUE(desk.press(Qt::Key_Space, 1));
    // The bar that says what was written takes some of the picture's room, and may change its shape.
    exported(desk, What::Whole, "svg");
    QTest::qWait(500);
    ASSERT_TRUE(desk.settle());
    const QByteArray svg = exported(desk, What::Whole, "svg");
    EXPECT_TRUE(svg.contains("<svg"));
    EXPECT_TRUE(well_formed(svg));
    const QByteArray pdf = exported(desk, What::Whole, "pdf");
    EXPECT_TRUE(pdf.startsWith("%PDF"));
    EXPECT_TRUE(pdf.trimmed().endsWith("%%EOF"));
    const Rect bounds = desk.picture()->geometry.bounds;
    const QImage png = QImage::fromData(exported(desk, What::Whole, "png"));
    EXPECT_GE(png.width(), bounds.width);
    EXPECT_GE(png.height(), bounds.height);
    EXPECT_EQ(desk.picture()->geometry.bounds.width, bounds.width);
    EXPECT_EQ(desk.picture()->geometry.bounds.height, bounds.height);
    EXPECT_EQ(exported(desk, What::Whole, "svg"), svg) << "the same picture is the same file";
}

// A part of the picture, as large as it is seen, with what is in it and nothing else.
TEST(Files, WhatIsSeenIsExportedAlone) {
    Desk desk;
    ASSERT_TRUE(desk.open(QStringLiteral("attention")));
    // The bar that says what was written takes some of the picture's room: it is there from here on.
    exported(desk, What::Seen, "svg");
    ASSERT_TRUE(desk.settle());
    Canvas& canvas = desk.window().view().canvas();
    const Picture& picture = *desk.picture();
    const auto input = std::find_if(picture.figure.boxes.begin(), picture.figure.boxes.end(),
                                    [](const Box& box) { return box.kind == BoxKind::Input; });
    const auto first = static_cast<std::size_t>(input - picture.figure.boxes.begin());
    canvas.set_camera({picture.geometry.boxes.at(first).center(), 2});
    ASSERT_TRUE(desk.settle());
    const Rect seen = canvas.visible();
    const QByteArray svg = exported(desk, What::Seen, "svg");
    EXPECT_TRUE(well_formed(svg));
    int inside = 0, outside = 0;
    for (std::size_t i = 0; i < picture.figure.boxes.size(); ++i) {
        const Box& box = picture.figure.boxes[i];
        if (box.kind != BoxKind::Input && box.kind != BoxKind::Output) continue;
        const bool drawn = svg.contains(">" + QByteArray::fromStdString(box.label) + "</text>");
        const Rect& at = picture.geometry.boxes[i];
        const bool whole = seen.contains({at.left(), at.top()}) && seen.contains({at.right(), at.bottom()});
        EXPECT_TRUE(drawn || !whole) << box.label;
        const bool far = !seen.grown(60).intersects(at);  // what is near may have marks that reach in
        EXPECT_FALSE(drawn && far) << box.label;
        inside += whole;
        outside += far;
    }
    EXPECT_GT(inside, 0);
    EXPECT_GT(outside, 0);
    const QImage png = QImage::fromData(exported(desk, What::Seen, "png"));
    EXPECT_NEAR(png.width(), 2 * seen.width, 2) << "two pixels per unit, as the dialog says at first";
    EXPECT_NEAR(png.height(), 2 * seen.height, 2);
    EXPECT_TRUE(exported(desk, What::Seen, "pdf").startsWith("%PDF"));
}

TEST(Files, TheDerivationIsExportedAsOnePage) {
    Desk desk;
    ASSERT_TRUE(desk.open(QStringLiteral("softmax")));
    const QByteArray page = exported(desk, What::Page, "html");
    EXPECT_TRUE(page.contains("<html"));
    EXPECT_TRUE(well_formed(page));
    const QByteArray strip = exported(desk, What::Strip, "svg");
    EXPECT_TRUE(well_formed(strip));
    EXPECT_GT(strip.size(), 1000);
}

}  // namespace
}  // namespace blockscope

#include "app/shell/actions.h"

#include <gtest/gtest.h>

#include <QImage>

namespace blockscope {
namespace {

TEST(Icons, AllAreDrawnAndDifferent) {
    const QStringList names = icon_names();
    std::vector<QImage> images;
    for (const QString& name : names) {
        const QIcon drawn = icon(qPrintable(name), Theme::light());
        ASSERT_FALSE(drawn.isNull()) << qPrintable(name);
        images.push_back(drawn.pixmap(QSize(24, 24)).toImage());
        for (std::size_t i = 0; i + 1 < images.size(); ++i)
            EXPECT_NE(images[i], images.back()) << qPrintable(name);
    }
    EXPECT_GT(names.size(), 25);
}

TEST(Icons, AnUnknownNameHasNone) {
    EXPECT_TRUE(icon("no such icon", Theme::light()).isNull());
    EXPECT_TRUE(icon("", Theme::light()).isNull());
}

TEST(Icons, DisabledOnesLookDifferent) {
    const QIcon save = icon("save", Theme::dark_theme());
    EXPECT_NE(save.pixmap(QSize(24, 24)).toImage(), save.pixmap(QSize(24, 24), QIcon::Disabled).toImage());
    EXPECT_NE(save.pixmap(QSize(24, 24)).toImage(),
              icon("save", Theme::light()).pixmap(QSize(24, 24)).toImage());
}

TEST(Icons, WhatPlaysShowsThatItPauses) {
    const auto drawn = [](const char* name, QIcon::State state) {
        return icon(name, Theme::light()).pixmap(QSize(24, 24), QIcon::Normal, state).toImage();
    };
    EXPECT_EQ(drawn("play", QIcon::On), drawn("pause", QIcon::On));
    EXPECT_NE(drawn("play", QIcon::Off), drawn("pause", QIcon::Off));
    EXPECT_NE(drawn("save", QIcon::On), drawn("save", QIcon::Off)) << "another colour";
}

}  // namespace
}  // namespace blockscope

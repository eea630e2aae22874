#include "app/scene/canvas_state.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

namespace blockscope {
namespace {

constexpr QSize kView(300, 200);

// Stripes of the picture's own coordinates, so that every place has a look of its own.
Backing::Paint stripes(const Backing::Place& place, int* parts = nullptr, QColor color = Qt::black) {
    return [=](QPainter& painter, const QRect& part) {
        if (parts) ++*parts;
        painter.fillRect(part, Qt::white);
        painter.translate(place.offset);
        painter.scale(place.scale, place.scale);
        for (int i = -60; i < 60; ++i) painter.fillRect(QRectF(i * 20, i * 7, 9, 11), color);
    };
}

QImage drawn(const Backing& backing) {
    QImage image(kView, QImage::Format_RGB32);
    image.fill(Qt::red);
    QPainter painter(&image);
    backing.draw(painter, 1);
    painter.end();
    return image;
}

QImage whole(const Backing::Place& place, QColor color = Qt::black) {
    Backing backing;
    EXPECT_TRUE(backing.update(place, stripes(place, nullptr, color)));
    return drawn(backing);
}

// Updates with as little time as there can be; how often it took.
int finish(Backing& backing, const Backing::Place& place, QColor color = Qt::black) {
    int turns = 1;
    while (!backing.update(place, stripes(place, nullptr, color), 0) && turns < 1000) ++turns;
    return turns;
}

const Backing::Place kHere{kView, 1, {150, 100}};

TEST(Backing, PartByPartIsTheSameAsAtOnce) {
    Backing backing;
    EXPECT_GT(finish(backing, kHere), 1);
    EXPECT_EQ(drawn(backing), whole(kHere));
}

TEST(Backing, WhatIsNotThereYetIsLeftOut) {
    Backing backing;
    EXPECT_FALSE(backing.update(kHere, stripes(kHere), 0));
    const QImage begun = drawn(backing);
    EXPECT_EQ(begun.pixelColor(5, 5), QColor(Qt::white));
    EXPECT_EQ(begun.pixelColor(5, kView.height() - 1), QColor(Qt::red));
}

TEST(Backing, PanningPaintsWhatComesIntoView) {
    Backing backing;
    finish(backing, kHere);
    const Backing::Place there{kView, 1, {110, 100}};
    int parts = 0;
    EXPECT_FALSE(backing.update(there, stripes(there, &parts), 0)) << "40 columns, as high as the view";
    EXPECT_EQ(parts, 1);
    EXPECT_EQ(drawn(backing).pixelColor(299, 199), QColor(Qt::red));
    finish(backing, there);
    EXPECT_EQ(drawn(backing), whole(there));
}

TEST(Backing, ZoomingStretchesTheOldPixelsUntilTheNewOnesAreThere) {
    Backing backing;
    finish(backing, kHere);
    const Backing::Place there{kView, 2, {150, 100}};
    ASSERT_FALSE(backing.update(there, stripes(there), 0));
    const QImage stretched = drawn(backing), last = whole(there);
    int differing = 0;
    for (int y = 0; y < kView.height(); ++y)
        for (int x = 0; x < kView.width(); ++x) differing += stretched.pixel(x, y) != last.pixel(x, y);
    EXPECT_LT(differing, kView.width() * kView.height() / 10);
    finish(backing, there);
    EXPECT_EQ(drawn(backing), last);
}

TEST(Backing, AnotherPictureIsSeenWhenItIsWhole) {
    Backing backing;
    finish(backing, kHere);
    backing.invalidate();
    ASSERT_FALSE(backing.update(kHere, stripes(kHere, nullptr, Qt::blue), 0));
    EXPECT_EQ(drawn(backing), whole(kHere));
    finish(backing, kHere, Qt::blue);
    EXPECT_EQ(drawn(backing), whole(kHere, Qt::blue));
    backing.forget();
    EXPECT_EQ(drawn(backing).pixelColor(5, 5), QColor(Qt::red));
}

TEST(Backing, APartThatChangesIsPaintedAgain) {
    Backing backing;
    finish(backing, kHere);
    backing.invalidate(QRect(100, 50, 100, 100));
    int parts = 0;
    while (!backing.update(kHere, stripes(kHere, &parts, Qt::blue), 0)) {
    }
    EXPECT_GT(parts, 1);
    const QImage now = drawn(backing);
    EXPECT_EQ(now.copy(100, 50, 100, 100), whole(kHere, Qt::blue).copy(100, 50, 100, 100));
    EXPECT_EQ(now.copy(0, 0, 100, 200), whole(kHere).copy(0, 0, 100, 200));
}

}  // namespace
}  // namespace blockscope

#include "tests/real/golden.h"

#include <QCoreApplication>
#include <QDir>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace blockscope::test {
namespace {

constexpr int kBlock = 16;            // pixels of a kept image: 32 of the screen
constexpr double kVisible = 10;       // of 255, of a block's mean colour
constexpr double kMostMean = 1.5;     // on average
constexpr double kMostShare = 0.015;  // of blocks may differ visibly

struct Color {
    double red = 0, green = 0, blue = 0;
};

Color mean_of(const QImage& image, const QRect& block) {
    Color sum;
    for (int y = block.top(); y <= block.bottom(); ++y)
        for (int x = block.left(); x <= block.right(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            sum.red += qRed(pixel);
            sum.green += qGreen(pixel);
            sum.blue += qBlue(pixel);
        }
    const double count = block.width() * block.height();
    return {sum.red / count, sum.green / count, sum.blue / count};
}

double distance(const Color& a, const Color& b) {
    return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

QImage half(const QImage& image) {
    QImage plain = image.convertToFormat(QImage::Format_RGB32);
    plain.setDevicePixelRatio(1);
    return plain.scaled(plain.size() / 2, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_RGB32);
}

// Both images faint, what differs red.
QImage picture_of_difference(const QImage& a, const QImage& b) {
    QImage image = a.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const bool inside = x < b.width() && y < b.height();
            const QRgb one = a.pixel(x, y), other = inside ? b.pixel(x, y) : qRgb(0, 0, 0);
            const int off =
                std::max({std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
                          std::abs(qBlue(one) - qBlue(other))});
            const int faint = 200 + qGray(one) / 5;
            image.setPixel(x, y, off > 24 ? qRgb(220, 0, 0) : qRgb(faint, faint, faint));
        }
    return image;
}

}  // namespace

bool Difference::small() const {
    return same_size && mean <= kMostMean && share <= kMostShare;
}

Difference difference(const QImage& a, const QImage& b) {
    Difference result;
    if (a.size() != b.size()) return {255, 255, 1, false};
    int blocks = 0, visible = 0;
    for (int y = 0; y < a.height(); y += kBlock)
        for (int x = 0; x < a.width(); x += kBlock) {
            const QRect block = QRect(x, y, kBlock, kBlock).intersected(a.rect());
            const double off = distance(mean_of(a, block), mean_of(b, block));
            result.mean += off;
            result.largest = std::max(result.largest, off);
            visible += off > kVisible ? 1 : 0;
            ++blocks;
        }
    result.mean /= std::max(1, blocks);
    result.share = static_cast<double>(visible) / std::max(1, blocks);
    return result;
}

std::string compare_with_golden(const QImage& image, const QString& name) {
    const QString path = QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/tests/real/goldens/%1.png").arg(name);
    const QImage now = half(image);
    if (qEnvironmentVariable("BLOCKSCOPE_UPDATE") == QLatin1String("1"))
        return now.save(path) ? "" : "cannot write " + path.toStdString();
    const QImage kept = QImage(path).convertToFormat(QImage::Format_RGB32);
    if (kept.isNull()) return "there is no " + path.toStdString() + "; BLOCKSCOPE_UPDATE=1 makes it";
    const Difference off = difference(kept, now);
    if (off.small()) return {};
    QDir folder(QCoreApplication::applicationDirPath());
    folder.mkpath(QStringLiteral("screenshots"));
    folder.cd(QStringLiteral("screenshots"));
    now.save(folder.filePath(name + QStringLiteral("-now.png")));
    picture_of_difference(kept, now).save(folder.filePath(name + QStringLiteral("-difference.png")));
    char numbers[160];
    std::snprintf(numbers, sizeof numbers,
                  "%dx%d instead of %dx%d; blocks differ by %.2f on average, %.0f at most, %.1f%% visibly",
                  now.width(), now.height(), kept.width(), kept.height(), off.mean, off.largest,
                  off.share * 100);
    return name.toStdString() + ": " + numbers + "\nkept: " + path.toStdString() +
           "\nnow and the difference: " + folder.path().toStdString() +
           "\nIf the change is meant: BLOCKSCOPE_UPDATE=1 ctest -R real.screens";
}

}  // namespace blockscope::test

#include "app/window/thumbnails.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "app/document/patient.h"
#include "app/scene/paint.h"
#include "app/window/appearance.h"
#include "app/window/opener.h"

namespace blockscope {
namespace {

QString folder() {
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/thumbnails/");
}

// Everything that the images depend on.
QString key_of(const Sample& sample, bool dark, double ratio) {
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(sample.text.toUtf8());
    // Of the program, too: a new layout makes new pictures.
    const QFileInfo program(QCoreApplication::applicationFilePath());
    hash.addData(program.lastModified().toString(Qt::ISODateWithMs).toUtf8());
    hash.addData(
        QStringLiteral("%1 %2 %3 %4 %5")
            .arg(QStringLiteral(BLOCKSCOPE_VERSION), dark ? QStringLiteral("dark") : QStringLiteral("light"))
            .arg(ratio)
            .arg(Thumbnails::kWidth)
            .arg(Thumbnails::kHeight)
            .toUtf8());
    return QString::fromLatin1(hash.result().toHex());
}

QImage stored(const QString& key, const char* which, double ratio) {
    QImage image(folder() + key + QLatin1String(which));
    image.setDevicePixelRatio(ratio);
    return image;
}

}  // namespace

Thumbnails::Thumbnails(Pictures& pictures, Appearance& appearance, QObject* parent)
    : QObject(parent), pictures_(pictures), appearance_(appearance) {
    pool_.setMaxThreadCount(1);
}

Thumbnails::~Thumbnails() {
    pictures_.cancel(this);
    pool_.waitForDone();
}

Thumbnail Thumbnails::of(const Sample& sample, double ratio) {
    const QString key = key_of(sample, appearance_.dark(), ratio);
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    Thumbnail thumbnail{stored(key, "-before.png", ratio), stored(key, "-after.png", ratio)};
    if (thumbnail.empty()) queue_.push_back({sample.name, key, ratio});
    known_[key] = thumbnail;
    next();
    return thumbnail;
}

void Thumbnails::pause(bool paused) {
    paused_ = paused;
    next();
}

void Thumbnails::next() {
    if (busy_ || paused_ || queue_.empty()) return;
    busy_ = true;
    const Wanted wanted = queue_.front();
    queue_.pop_front();
    const Sample* sample = find_sample(wanted.sample);
    pool_.start([this, wanted, text = sample->text.toStdString()] {
        be_patient(Patience::Some);
        const Stop never;
        Result<Content> content = load_text(text, wanted.sample.toStdString(), never);
        const auto shared = content ? std::make_shared<const Content>(std::move(content).value()) : nullptr;
        QMetaObject::invokeMethod(this, [this, wanted, shared] {
            if (shared) return lay_out(wanted, shared);
            busy_ = false;
            next();
        });
    });
}

void Thumbnails::lay_out(const Wanted& wanted, const ContentPtr& content) {
    pictures_.request(this, content, 0, [=, this](const PicturePtr& first) {
        const StateId last = content->history.branch(content->branch).tip;
        pictures_.request(this, content, last, [=, this](const PicturePtr& picture) {
            const auto image = [&](const Picture& shown) {
                return thumbnail(shown, appearance_.theme(), kWidth, kHeight, wanted.ratio);
            };
            finish(wanted, {image(*first), image(*picture)});
        });
    });
}

void Thumbnails::finish(const Wanted& wanted, Thumbnail thumbnail) {
    QDir().mkpath(folder());
    // A cache that cannot be written costs time, nothing else.
    thumbnail.before.save(folder() + wanted.key + QStringLiteral("-before.png"));
    thumbnail.after.save(folder() + wanted.key + QStringLiteral("-after.png"));
    known_[wanted.key] = std::move(thumbnail);
    busy_ = false;
    Q_EMIT ready(wanted.sample);
    next();
}

}  // namespace blockscope

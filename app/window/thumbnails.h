// Small pictures of samples for the start page: the program before the first step and after the last. Made
// one after the other in the background, kept on disk.
#pragma once

#include <QImage>
#include <QObject>
#include <QThreadPool>
#include <deque>
#include <map>

#include "app/document/pictures.h"
#include "app/window/samples.h"

namespace blockscope {

class Appearance;

struct Thumbnail {
    QImage before, after;
    bool empty() const { return before.isNull() || after.isNull(); }
};

class Thumbnails : public QObject {
    Q_OBJECT

public:
    // In device-independent pixels.
    static constexpr int kWidth = 136, kHeight = 132;

    Thumbnails(Pictures& pictures, Appearance& appearance, QObject* parent = nullptr);
    ~Thumbnails() override;

    // Empty until ready() says otherwise; asking puts it in the queue.
    Thumbnail of(const Sample& sample, double device_pixel_ratio);
    // Whether pictures that were asked for are still to come.
    bool busy() const { return busy_ || !queue_.empty(); }
    // While something else needs the layout worker.
    void pause(bool paused);

Q_SIGNALS:
    void ready(const QString& sample);

private:
    struct Wanted {
        QString sample;
        QString key;
        double ratio = 1;
    };
    void next();
    void lay_out(const Wanted& wanted, const ContentPtr& content);
    void finish(const Wanted& wanted, Thumbnail thumbnail);

    Pictures& pictures_;
    Appearance& appearance_;
    std::map<QString, Thumbnail> known_;
    std::deque<Wanted> queue_;
    QThreadPool pool_;
    bool busy_ = false, paused_ = false;
};

}  // namespace blockscope

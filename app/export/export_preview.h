// What an export will look like: drawn small, on another thread, as it will be written.
#pragma once

#include <QImage>
#include <QString>
#include <QWidget>

#include "app/export/derivation.h"

namespace blockscope {

struct ExportRequest;

struct Preview {
    QImage image;
    QString text;  // in place of it: of files that are text, their beginning
};

// `room`: pixels. Of slides and strips it shows the first ones.
Preview preview_of(const ExportRequest& request, const Content& content, const PictureSource& pictures,
                   const QSize& room);

class ExportPreview : public QWidget {
    Q_OBJECT

public:
    explicit ExportPreview(QWidget* parent);
    void wait();  // something else is being drawn
    void show_preview(Preview preview);
    const Preview& shown() const { return shown_; }
    bool waiting() const { return waiting_; }
    QSize room() const;  // device pixels
    QSize sizeHint() const override { return {520, 420}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Preview shown_;
    bool waiting_ = false;
};

}  // namespace blockscope

// At the top of the window: a file was written, to be opened or shown in its folder.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QUrl>
#include <functional>
#include <utility>

namespace blockscope {

class WrittenBar : public QFrame {
    Q_OBJECT

public:
    explicit WrittenBar(QWidget* parent = nullptr);
    // Goes by itself after a while, unless the pointer or the focus is on it.
    void show_file(const QString& path);
    QString path() const { return path_; }
    // Instead of the desktop.
    void open_with(std::function<void(const QUrl&)> open) { open_url_ = std::move(open); }

private:
    void go();

    QString path_;
    std::function<void(const QUrl&)> open_url_;
    QLabel* text_;
    QPushButton *open_, *folder_, *close_;
    QTimer later_;
};

}  // namespace blockscope

// Larger type in some parts of the window, for a presentation. In all of the window it would take half a
// second, for panels that nobody sees.
#pragma once

#include <QFont>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QWidget>
#include <vector>

namespace blockscope {

class LargeType : public QObject {
public:
    LargeType(QFont font, QString sheet);
    ~LargeType() override;  // all type is as it was

    // The parts that have it, with all that they hold, from now on instead of others. Dialogs and windows
    // that are opened have it, too.
    void set_parts(const std::vector<QWidget*>& parts);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Widgets = std::vector<QPointer<QWidget>>;

    void clear();
    void enlarge(QWidget& part);
    void set_font(QWidget& widget);
    bool has(const QWidget* widget) const;

    QFont font_;
    QString sheet_;
    Widgets parts_, windows_;
    Widgets enlarged_;  // whose font was set
};

}  // namespace blockscope

// In the presentation: which step is shown, in a corner of the picture.
#pragma once

#include <QLabel>

namespace blockscope {

class Appearance;
class Document;

class StepCaption : public QLabel {
    Q_OBJECT

public:
    // In the corner of `over`, its parent.
    StepCaption(Document& document, Appearance& appearance, QWidget* over);

private:
    void refresh();
    QString words() const;

    Document& document_;
    Appearance& appearance_;
};

}  // namespace blockscope

// A made-up language that shows which texts are not prepared for translation and which places are too narrow
// for longer ones: "Next step" becomes "[!! Ñéxţ šţéþ !!]".
#pragma once

#include <QTranslator>

namespace blockscope {

class PseudoLocale : public QTranslator {
    Q_OBJECT

public:
    explicit PseudoLocale(QObject* parent = nullptr) : QTranslator(parent) {}
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char* disambiguation,
                      int n) const override;
};

}  // namespace blockscope

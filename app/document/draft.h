// The program as it is being typed, before it is applied to the document: the user's work like any other.
#pragma once

#include <QObject>
#include <QString>

#include "app/document/document.h"

namespace blockscope {

class Draft : public QObject {
    Q_OBJECT

public:
    // The one of this document; it lives as long.
    static Draft& of(Document& document);

    const QString& text() const { return text_; }  // empty: nothing is typed that is not applied
    void set(const QString& text);
    // From a journal; the editor takes it over.
    void bring_back(const QString& text);

Q_SIGNALS:
    void changed();
    void brought_back();

private:
    explicit Draft(Document& document);

    QString text_;
};

}  // namespace blockscope

// Help > Glossary: the terms of docs/glossary.md, with a search field. Terms that a text refers to are links.
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace blockscope {

class Appearance;
struct GlossaryTerm;

class GlossaryDialog : public QDialog {
    Q_OBJECT

public:
    explicit GlossaryDialog(Appearance& appearance, QWidget* parent = nullptr);

    // Shows the terms whose names, then whose texts hold `text`, and the first of them.
    void filter(const QString& text);
    // Shows the term with this name or alias, and all terms beside it. False if there is none.
    bool show_term(const QString& word);

    int shown_rows() const;
    QString shown_text() const;  // of the term, without marks

private:
    void list(const std::vector<const GlossaryTerm*>& terms);
    void show_row(int row);

    QLineEdit* line_;
    QListWidget* list_;
    QTextBrowser* text_;
    QLabel* none_;  // instead of rows
};

}  // namespace blockscope

// The program in the text language: problems while typing, applied to the document as one change.
#pragma once

#include <QTimer>
#include <QWidget>
#include <map>

#include "app/document/document.h"
#include "app/panels/array_links.h"
#include "app/panels/background.h"
#include "app/panels/program_edit.h"
#include "app/panels/services.h"

class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace blockscope {

class LateBar;
class WorkStrip;

class EditorPanel : public QWidget {
    Q_OBJECT

public:
    EditorPanel(Document& document, Services& services, QWidget* parent = nullptr);

    ProgramEdit& edit() { return *edit_; }
    bool edited() const;  // the text differs from the document's
    bool busy() const;    // typing is not checked yet, or a program is being applied
    void apply();
    void revert();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* make_bar();
    QWidget* make_help();
    void follow_document();
    void change_document();
    void keep_edits();
    void set_text(const QString& text);
    void check();
    void stop_checking();
    void check_again();
    void take_problems(const Problems& problems, int ops, int dims);
    void take_applied(const ContentPtr& before, Result<Content> applied);
    void fit_problems();
    void show_state();
    void light_lines();

    Document& document_;
    Services& services_;
    CurrentLinks& links_;
    QPushButton* apply_ = nullptr;
    QToolButton* revert_ = nullptr;
    QToolButton* help_button_ = nullptr;
    QLabel* state_ = nullptr;
    WorkStrip* late_ = nullptr;  // stands where state_ stands
    QWidget* help_;
    ProgramEdit* edit_;
    ProgramHighlighter* highlighter_;
    QWidget* line_;  // between the text and the list of its problems
    QListWidget* list_;
    LateBar* late_links_;
    QTimer pause_;  // since the last key
    Background checking_;
    bool applying_ = false;  // a job of services_.work does

    QString source_;                   // the document's
    int revision_ = -1;                // of the text, when it was looked at last
    QString key_;                      // of the document, in `kept_`
    std::map<QString, QString> kept_;  // edits that were not applied, by document
    bool valid_ = true;
    bool unchecked_ = false;  // the user has cancelled the check
};

}  // namespace blockscope

// The stepping panels with the window's actions, settings and other panels attached.
#pragma once

class QWidget;

namespace blockscope {

class Document;
struct Services;

QWidget* make_timeline(Document& document, Services& services);
QWidget* make_matches(Document& document, Services& services);
QWidget* make_history(Document& document, Services& services);
QWidget* make_rule_card(Document& document, Services& services);

}  // namespace blockscope

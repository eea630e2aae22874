#include "app/export/page_links.h"

#include <QCoreApplication>

#include "app/export/page_drawings.h"

namespace blockscope {

// A page from a file may not be allowed to use the clipboard; then what is selected is copied.
const char* const kLinkScript = R"js(
document.addEventListener('click', event => {
  const button = event.target.closest('button.copy');
  if (!button) return;
  const code = button.closest('.link').querySelectorAll('code')[0];
  const done = () => { button.textContent = button.dataset.done; };
  const byHand = () => {
    getSelection().selectAllChildren(code);
    if (document.execCommand('copy')) done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, byHand);
  else byHand();
});
)js";

const char* const kLinkStyle = R"css(
.link{display:flex;align-items:center;gap:.7em;color:var(--faint)}
.link code{font-family:"DejaVu Sans Mono","Bitstream Vera Sans Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere;
user-select:all}
.link button{min-width:0;height:auto;padding:.05em .7em;font-size:inherit}
)css";

namespace {

struct PageLink {
    Q_DECLARE_TR_FUNCTIONS(PageLink)
};

}  // namespace

std::string link_html(const Stage& stage) {
    if (stage.link.empty()) return {};
    const std::string done = in_html(PageLink::tr("Copied"));
    const std::string title = in_html(PageLink::tr("Copy the command that opens this state in Blockscope"));
    return tagged("p", "class=\"link\"",
                  tagged("code", "", xml_escaped(stage.link)) +
                      tagged("button",
                             "type=\"button\" class=\"copy\" title=\"" + title + "\" aria-label=\"" + title +
                                 "\" data-done=\"" + done + "\"",
                             in_html(PageLink::tr("Copy"))));
}

}  // namespace blockscope

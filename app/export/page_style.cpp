#include "app/export/page.h"

namespace blockscope {

const char* const kPageStyle = R"css(
:root{--paper:#fdfdfc;--panel:#f4f5f7;--ink:#1d2430;--faint:#5a6472;--line:#d5dae2;--red:#d1341f;
--match:#b06f00;--made:#00805d;--made-wash:#dcf2ea;--accent:#0060c0}
@media (prefers-color-scheme:dark){:root{--paper:#15181e;--panel:#1c2129;--ink:#e8ecf2;--faint:#a2acba;
--line:#343c49;--red:#ff6a4d;--match:#f0b13c;--made:#3ccfa2;--made-wash:#173a31;--accent:#6ab7ff}}
*{box-sizing:border-box}
html,body{height:100%;margin:0}
body{display:grid;grid-template-rows:auto 1fr auto;background:var(--paper);color:var(--ink);
font:15px/1.5 "DejaVu Sans","Bitstream Vera Sans",Verdana,sans-serif}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 20px;padding:12px 24px;
border-bottom:1px solid var(--line)}
h1{font-size:20px;margin:0}
header p{margin:0;color:var(--faint);font-size:13px}
.legend{margin-left:auto;font-size:12px;color:var(--faint)}
.legend[open]{flex-basis:100%}
.legend summary{width:max-content;margin-left:auto;cursor:pointer}
.legend[open] summary{margin-top:-27px}
.legend ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(210px,1fr));gap:2px 14px;margin:6px 0 0;
padding:0;list-style:none}
.legend li{display:flex;align-items:center;gap:8px}
.legend svg{width:62px;height:30px;flex:none}
main{display:grid;grid-template-columns:minmax(0,1fr) minmax(320px,440px);min-height:0}
figure{position:relative;margin:0;min-height:0;overflow:hidden;touch-action:pan-y;cursor:grab}
figure.dragged{cursor:grabbing}
figure svg{position:absolute;inset:0;width:100%;height:100%;user-select:none}
figure svg text,.shared text{font-family:"DejaVu Sans","Bitstream Vera Sans",Verdana,sans-serif}
.shared{position:absolute}
aside{display:flex;flex-direction:column;min-height:0;overflow-y:auto;background:var(--panel);
border-left:1px solid var(--line);padding:18px 22px}
.over{margin:0;color:var(--faint);font-size:13px}
h2{font-size:18px;line-height:1.3;margin:2px 0 10px}
h3{flex:none;font-size:12px;font-weight:normal;color:var(--faint);margin:18px 0 6px}
#words{flex:none;min-height:172px}
#words p{margin:0 0 10px}
.chip{display:inline-block;margin-right:8px;padding:1px 10px;border:1px solid var(--line);border-radius:11px;
font-size:12px}
.chip.fewer{border-color:var(--red);color:var(--red)}
.chip.snapshot{border-color:var(--accent);color:var(--accent)}
blockquote{margin:0;padding-left:12px;border-left:3px solid var(--accent);font-style:italic;white-space:pre-wrap}
#listing{flex:1 0 auto;overflow-x:auto;margin:0 -22px;border-top:1px solid var(--line)}
pre{margin:0;padding:8px 0;min-width:max-content;
font:12.5px/1.6 "DejaVu Sans Mono","Bitstream Vera Sans Mono",Menlo,Consolas,monospace}
.line{display:block;padding-right:22px}
.line i{display:inline-block;width:44px;padding-right:8px;text-align:right;font-style:normal;color:var(--faint)}
.line u{display:inline-block;width:16px;text-decoration:none;color:var(--made);font-weight:bold}
.line b{color:var(--accent)}
.line .memory{color:var(--red)}
.line.changed{background:var(--made-wash)}
.line.removed{color:var(--faint);text-decoration:line-through;opacity:.75}
.line.removed u{color:var(--red)}
.line.removed b,.line.removed .memory{color:inherit;font-weight:normal}
.line.on{outline:2px solid var(--accent);outline-offset:-2px}
.ring{fill:none;stroke:var(--accent);stroke-width:2.4;pointer-events:none}
use.edge.on{filter:drop-shadow(0 0 2px var(--accent)) drop-shadow(0 0 2px var(--accent))}
.light,.type{pointer-events:none}
footer{border-top:1px solid var(--line);padding:10px 24px 8px}
nav{display:flex;align-items:center;gap:8px}
button{min-width:40px;height:36px;border:1px solid var(--line);border-radius:8px;background:var(--panel);
color:var(--ink);font:inherit;cursor:pointer}
.sign{display:block;width:16px;height:16px;margin:auto;fill:currentColor;stroke:currentColor;stroke-width:1.6;
stroke-linejoin:round}
button:hover{border-color:var(--faint)}
button:disabled{opacity:.4;cursor:default}
:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
.track{position:relative;flex:1}
.track input{display:block;width:100%;margin:8px 0;accent-color:var(--accent)}
.marks{position:absolute;left:8px;right:8px;top:-5px;height:8px;pointer-events:none}
.marks i{position:absolute;width:7px;height:7px;margin-left:-3.5px;background:var(--accent);transform:rotate(45deg)}
output{min-width:64px;text-align:center;font-size:13px;color:var(--faint);font-variant-numeric:tabular-nums}
.keys{margin:6px 0 0;color:var(--faint);font-size:12px}
kbd{font:inherit;border:1px solid var(--line);border-radius:4px;padding:0 5px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:760px){html,body{height:auto}body{display:block}main{display:block}
figure{height:62vh;border-bottom:1px solid var(--line)}aside{border-left:0}.keys,.legend{display:none}
footer{position:sticky;bottom:0;background:var(--paper)}}
)css";

}  // namespace blockscope

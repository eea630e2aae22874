// Runs within the exported page in a browser; the page's title says how it went.
'use strict';
(() => {
  const fail = what => { throw new Error(what); };
  const check = (right, what) => { if (!right) fail(what); };
  const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  const byId = id => document.getElementById(id);
  try {
    const count = document.querySelectorAll('template.stage').length;
    const seen = new Set();
    for (let i = 0; i < count; ++i) {
      const svg = byId('figure').querySelector('svg');
      const box = svg.getBoundingClientRect();
      check(box.width > 300 && box.height > 200, 'the picture of stage ' + i + ' has ' + box.width + ' x ' + box.height);
      check(svg.querySelectorAll('use').length > 5, 'stage ' + i + ' draws something');
      const drawn = [...svg.querySelectorAll('use')].some(use => use.getBoundingClientRect().width > 0);
      check(drawn, 'what stage ' + i + ' refers to is drawn');
      seen.add(byId('words').textContent);
      if (i + 1 < count) press('ArrowRight');
    }
    check(seen.size === count, 'every stage has words of its own: ' + seen.size);
    check(byId('forward').disabled, 'it ends');
    press('Home');
    press('q');
    const ask = () => byId('words').querySelector('.ask');
    check(ask().getBoundingClientRect().height > 40, 'the question is seen');
    press(String(Number(ask().dataset.right) + 1));
    check(byId('tally').textContent === '1 / 1', 'a digit answers: ' + byId('tally').textContent);
    press('ArrowRight');
    const buttons = [...ask().querySelectorAll('button')];
    buttons[(Number(ask().dataset.right) + 1) % buttons.length].click();
    check(byId('tally').textContent === '1 / 2', 'a click answers: ' + byId('tally').textContent);
    check(document.documentElement.scrollWidth <= innerWidth, 'nothing is wider than the window');
    document.title = 'ok: ' + count + ' stages';
  } catch (error) {
    document.title = 'FAILED: ' + error.message;
  }
})();

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
    const marks = () => [...byId('figure').querySelectorAll('.matched')].filter(mark => getComputedStyle(mark).display !== 'none');
    check(marks().length === 0, 'an open question hides what the next step matches');
    press(String(Number(ask().dataset.right) + 1));
    check(byId('tally').textContent === '1 / 1', 'a digit answers: ' + byId('tally').textContent);
    check(marks().length > 0, 'the answer shows what the next step matches');
    press('ArrowRight');
    check(marks().length === 0, 'the next question is open');
    const buttons = [...ask().querySelectorAll('button')];
    buttons[(Number(ask().dataset.right) + 1) % buttons.length].click();
    check(byId('tally').textContent === '1 / 2', 'a click answers: ' + byId('tally').textContent);
    const link = byId('words').querySelector('.link');
    check(link.getBoundingClientRect().height > 10, 'the command is seen');
    check(link.querySelector('code').textContent === 'blockscope attention.bp --step 1', link.textContent);
    Object.defineProperty(navigator, 'clipboard', {value: undefined});  // as where a file may not use it
    link.querySelector('.copy').click();
    check(getSelection().toString() === 'blockscope attention.bp --step 1', 'what is copied: ' + getSelection());
    check(document.documentElement.scrollWidth <= innerWidth, 'nothing is wider than the window');
    document.title = 'ok: ' + count + ' stages';
  } catch (error) {
    document.title = 'FAILED: ' + error.message;
  }
})();

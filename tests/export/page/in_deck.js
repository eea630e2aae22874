// Runs within the exported deck in a browser; the page's title says how it went.
'use strict';
(() => {
  const fail = what => { throw new Error(what); };
  const check = (right, what) => { if (!right) fail(what); };
  const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  const byId = id => document.getElementById(id);
  const slides = [...document.querySelectorAll('section.slide')];
  const shown = () => slides.filter(slide => slide.getClientRects().length > 0);
  const kNames = 12;  // the height of the smallest names of a picture at scale 1
  const inside = (box, around, what) => check(
    box.left >= around.left - 1 && box.right <= around.right + 1 && box.top >= around.top - 1 &&
    box.bottom <= around.bottom + 1, what + ' is cut off');
  try {
    const unit = Math.min(innerWidth / 1280, innerHeight / 720);
    slides.forEach((slide, i) => {
      check(shown().length === 1 && shown()[0] === slide, 'slide ' + (i + 1) + ' is seen alone');
      const all = slide.getBoundingClientRect();
      inside(all, {left: 0, top: 0, right: innerWidth, bottom: innerHeight}, 'slide ' + (i + 1));
      for (const part of slide.querySelectorAll('h1,h2,.told,dl,.counts,.signs,pre,.link'))
        inside(part.getBoundingClientRect(), all, 'on slide ' + (i + 1) + ': ' + part.textContent.slice(0, 40));
      const words = slide.querySelector('.words');
      if (words) check(words.scrollHeight <= words.clientHeight + 1, 'the words of slide ' + (i + 1) + ' have room');
      const picture = slide.querySelector('svg.picture');
      const link = slide.querySelector('.link');
      check(!link === !slide.dataset.step, 'each state says how to open it: slide ' + (i + 1));
      if (link && picture) check(link.getBoundingClientRect().top >= picture.getBoundingClientRect().bottom - 1,
        'the command of slide ' + (i + 1) + ' covers nothing');
      if (picture) {
        inside(picture.getBoundingClientRect(), all, 'the picture of slide ' + (i + 1));
        const pixels = picture.getScreenCTM().a * kNames;
        check(pixels >= 9.4 * unit, 'names of slide ' + (i + 1) + ' have ' + pixels.toFixed(1) + ' pixels');
      }
      press('ArrowRight');
    });
    press('Home');
    press('n');
    check(byId('notes').getBoundingClientRect().height > 40, 'the notes are seen');
    check(byId('speaker').textContent.length > 20, 'the notes say something');
    inside(shown()[0].getBoundingClientRect(), {left: 0, top: 0, right: innerWidth, bottom: innerHeight}, 'the slide over the notes');
    press('n');
    press('ArrowRight');
    press('ArrowRight');
    press('q');
    const ask = () => shown()[0].querySelector('.ask');
    check(ask().getBoundingClientRect().height > 40, 'the question is seen');
    const marks = () => [...shown()[0].querySelectorAll('.matched')].filter(mark => getComputedStyle(mark).display !== 'none');
    check(marks().length === 0, 'an open question hides what the next step matches');
    press(String(Number(ask().dataset.right) + 1));
    check(byId('tally').textContent === '1 / 1', 'a digit answers: ' + byId('tally').textContent);
    check(marks().length > 0, 'the answer shows what the next step matches');
    press(' ');
    const buttons = [...ask().querySelectorAll('button')];
    buttons[(Number(ask().dataset.right) + 1) % buttons.length].click();
    check(byId('tally').textContent === '1 / 2', 'a click answers: ' + byId('tally').textContent);
    press('b');
    check(getComputedStyle(shown()[0]).visibility === 'hidden', 'the screen is blank');
    document.title = 'ok: ' + slides.length + ' slides';
  } catch (error) {
    document.title = 'FAILED: ' + error.message;
  }
})();

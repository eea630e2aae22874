// Runs the script of an exported deck of slides and checks what it does: node check_deck.js PAGE SLIDES.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const {Browser} = require(path.join(__dirname, 'dom.js'));

const page = fs.readFileSync(process.argv[2], 'utf8');
const count = Number(process.argv[3]);

function open(hash = '') {
  const browser = new Browser(page, hash);
  vm.runInNewContext(browser.script, browser.scope);
  return browser;
}
const slides = browser => browser.root.querySelectorAll('section.slide');
const shown = browser => slides(browser).findIndex(slide => !slide.hidden);
const key = (browser, name, more = {}) => browser.key(name, more, browser.find('count'));
const has = (browser, name) => browser.document.body.classList.contains(name);

const checks = {
  'it opens at the title, one slide at a time'() {
    const browser = open();
    assert.strictEqual(slides(browser).length, count);
    assert.strictEqual(shown(browser), 0);
    assert.strictEqual(slides(browser).filter(slide => !slide.hidden).length, 1);
    assert.strictEqual(browser.find('count').textContent, '1 / ' + count);
    assert.strictEqual(browser.find('spoken').textContent, '');
  },

  'arrows, Space and the pager go through all slides'() {
    const browser = open();
    const ways = ['ArrowRight', ' ', 'PageDown', 'Enter', 'ArrowDown'];
    for (let i = 1; i < count; ++i) {
      assert.ok(key(browser, ways[i % ways.length]));
      assert.strictEqual(shown(browser), i);
      assert.strictEqual(browser.visited[browser.visited.length - 1], '#slide=' + (i + 1));
    }
    key(browser, 'ArrowRight');
    assert.strictEqual(shown(browser), count - 1);
    assert.ok(browser.find('forward').disabled);
    for (const back of ['ArrowLeft', 'PageUp', 'Backspace']) key(browser, back);
    assert.strictEqual(shown(browser), count - 4);
    key(browser, 'Home');
    assert.strictEqual(shown(browser), 0);
    key(browser, 'End');
    assert.strictEqual(shown(browser), count - 1);
  },

  'N shows the notes, with what comes next'() {
    const browser = open();
    key(browser, 'n');
    assert.ok(has(browser, 'noting'));
    assert.ok(browser.find('speaker').textContent.length > 20);
    assert.strictEqual(browser.find('upcoming').textContent, slides(browser)[1].dataset.title);
    key(browser, 'N');
    assert.ok(!has(browser, 'noting'));
  },

  'B blanks the screen, and the next key brings it back without a step'() {
    const browser = open('#slide=4');
    key(browser, 'b');
    assert.ok(has(browser, 'blank'));
    key(browser, ' ');
    assert.ok(!has(browser, 'blank'));
    assert.strictEqual(shown(browser), 3);
  },

  'questions are answered once and counted'() {
    const browser = open('#step=0');
    const ask = () => slides(browser)[shown(browser)].querySelectorAll('.ask')[0];
    assert.ok(!key(browser, '1'), 'nothing is asked yet');
    key(browser, 'q');
    key(browser, String(Number(ask().dataset.right) + 1));
    assert.strictEqual(browser.find('tally').textContent, '1 / 1');
    assert.ok(ask().classList.contains('answered'));
    key(browser, ' ');
    const wrong = (Number(ask().dataset.right) + 1) % ask().querySelectorAll('button').length;
    browser.send(ask().querySelectorAll('button')[wrong], 'click');
    assert.strictEqual(browser.find('tally').textContent, '1 / 2');
  },

  'the address names a slide or a step'() {
    assert.strictEqual(shown(open('#slide=3')), 2);
    assert.strictEqual(shown(open('#slide=9999')), count - 1);
    const browser = open('#step=1');
    assert.strictEqual(slides(browser)[shown(browser)].dataset.step, '1');
    browser.location.hash = '#slide=1';
    browser.hear({type: 'hashchange'});
    assert.strictEqual(shown(browser), 0);
  },

  'other keys are the browser\'s'() {
    const browser = open();
    for (const more of [{ctrlKey: true}, {metaKey: true}, {altKey: true}]) assert.ok(!key(browser, 'ArrowRight', more));
    assert.ok(!key(browser, 'Tab'));
    assert.strictEqual(shown(browser), 0);
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    check();
    console.log('ok: ' + name);
  } catch (error) {
    ++failed;
    console.log('FAILED: ' + name + '\n' + error.stack);
  }
}
process.exitCode = failed > 0 ? 1 : 0;

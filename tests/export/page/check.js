// Runs the script of an exported page and checks what it does: node check.js PAGE EXPECTED. EXPECTED says what
// each stage has, as JSON: [{"step", "snapshot", "title", "lines", "nodes"}].
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const {Browser} = require(path.join(__dirname, 'dom.js'));

const page = fs.readFileSync(process.argv[2], 'utf8');
const stages = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
const last = stages.length - 1;

function open(hash = '', reducedMotion = true) {
  const browser = new Browser(page, hash, reducedMotion);
  vm.runInNewContext(browser.script, browser.scope);
  return browser;
}

const viewOf = browser => browser.find('figure').children[0].getAttribute('viewBox').split(' ').map(Number);
const near = (a, b, what) => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]) < 1e-6 * (1 + Math.abs(b[i])), what));

// All that is seen is of that stage, and nothing of another.
function shows(browser, index) {
  const stage = stages[index];
  const pictures = browser.find('figure').children;
  assert.strictEqual(pictures.length, 1);
  assert.strictEqual(pictures[0].tag, 'svg');
  assert.ok(new RegExp('\\b' + stage.step + '$').test(pictures[0].getAttribute('aria-label')));
  const drawn = new Set();
  for (const part of pictures[0].querySelectorAll('use[data-node]'))
    for (const node of part.dataset.node.split(' ')) drawn.add(node);
  assert.deepStrictEqual(stage.nodes.filter(node => !drawn.has(node)), [], 'nodes of the picture');
  assert.strictEqual(browser.find('words').querySelectorAll('h2')[0].textContent, stage.title);
  const lines = browser.find('listing').querySelectorAll('.line').filter(line => !line.classList.contains('removed'));
  // Behind the number and the mark of the line.
  assert.deepStrictEqual(lines.map(line => line.nodes.slice(2).map(node => node.textContent).join('').trimEnd()),
                         stage.lines);
  assert.strictEqual(browser.find('count').textContent, stage.step + ' / ' + stages[last].step);
  assert.strictEqual(Number(browser.find('slider').value), index);
  for (const id of ['first', 'back']) assert.strictEqual(browser.find(id).disabled, index === 0, id);
  for (const id of ['forward', 'last', 'snapshot'])
    assert.strictEqual(browser.find(id).disabled, index === last, id);
}

const checks = {
  'it opens at the initial program and announces nothing'() {
    const browser = open();
    shows(browser, 0);
    assert.strictEqual(browser.find('spoken').textContent, '');
    assert.deepStrictEqual(browser.visited, []);
  },

  'the right arrow goes through every step, the left one back'() {
    const browser = open();
    for (let i = 1; i <= last; ++i) {
      assert.ok(browser.key('ArrowRight'), 'the page itself does not scroll');
      shows(browser, i);
      assert.ok(browser.find('spoken').textContent.includes(stages[i].title));
      assert.strictEqual(browser.visited[browser.visited.length - 1], '#step=' + stages[i].step);
    }
    browser.key('ArrowRight');
    shows(browser, last);
    for (let i = last - 1; i >= 0; --i) {
      browser.key('ArrowLeft');
      shows(browser, i);
    }
    browser.key('ArrowLeft');
    shows(browser, 0);
  },

  'End and Home'() {
    const browser = open();
    browser.key('End');
    shows(browser, last);
    browser.key('Home');
    shows(browser, 0);
  },

  'S goes from snapshot to snapshot and to the end'() {
    const browser = open();
    const snapshots = stages.map((_, i) => i).filter(i => i > 0 && stages[i].snapshot > 0);
    assert.ok(snapshots.length > 0);
    snapshots.forEach((at, i) => {
      browser.key(i % 2 ? 's' : 'S');
      shows(browser, at);
    });
    browser.key('s');
    shows(browser, last);
  },

  'other keys are the browser\'s, and the slider\'s own'() {
    const browser = open();
    for (const more of [{ctrlKey: true}, {metaKey: true}, {altKey: true}])
      assert.ok(!browser.key('ArrowRight', more));
    assert.ok(!browser.key('Tab'));
    assert.ok(!browser.key('ArrowRight', {}, browser.find('slider')));
    shows(browser, 0);
  },

  'the buttons and the slider'() {
    const browser = open();
    const click = id => browser.send(browser.find(id), 'click');
    click('forward');
    click('forward');
    shows(browser, 2);
    click('back');
    shows(browser, 1);
    click('last');
    shows(browser, last);
    click('first');
    shows(browser, 0);
    click('snapshot');
    shows(browser, stages.findIndex(stage => stage.snapshot > 0));
    browser.find('slider').value = String(last);
    browser.send(browser.find('slider'), 'input');
    shows(browser, last);
  },

  'the address says where to begin'() {
    shows(open('#step=' + stages[2].step), 2);
    shows(open('#step=9999'), last);
    shows(open('#else'), 0);
    const browser = open();
    browser.location.hash = '#step=' + stages[1].step;
    browser.hear({type: 'hashchange'});
    shows(browser, 1);
  },

  'plus, minus and 0 zoom, and steps keep the zoom'() {
    const browser = open();
    const fitted = viewOf(browser);
    browser.key('+');
    const closer = viewOf(browser);
    near([closer[2], closer[3]], [fitted[2] / 1.25, fitted[3] / 1.25], 'closer');
    near([closer[0] + closer[2] / 2], [fitted[0] + fitted[2] / 2], 'about the middle');
    browser.key('ArrowRight');
    near(viewOf(browser), closer, 'the zoom stays');
    browser.key('ArrowLeft');
    browser.key('-');
    near(viewOf(browser), fitted, 'as before');
    browser.key('+');
    browser.key('0');
    near(viewOf(browser), fitted, 'fitted');
  },

  'the wheel zooms about the pointer, dragging pans, a swipe steps'() {
    const browser = open();
    const figure = browser.find('figure'), before = viewOf(browser);
    assert.ok(browser.send(figure, 'wheel', {deltaY: -200, clientX: 200, clientY: 450}));
    const after = viewOf(browser);
    assert.ok(after[2] < before[2]);
    near([after[0] + after[2] / 4, after[1] + after[3] * 3 / 4], [before[0] + before[2] / 4, before[1] + before[3] * 3 / 4],
         'what is under the pointer stays there');
    browser.send(figure, 'pointerdown', {clientX: 400, clientY: 300, pointerType: 'mouse'});
    browser.send(figure, 'pointermove', {clientX: 480, clientY: 240, buttons: 1});
    const scale = after[2] / figure.clientWidth;
    near(viewOf(browser), [after[0] - 80 * scale, after[1] + 60 * scale, after[2], after[3]], 'follows the hand');
    browser.send(figure, 'pointerup', {clientX: 480, clientY: 240});
    shows(browser, 0);
    browser.send(figure, 'pointerdown', {clientX: 400, clientY: 300, pointerType: 'touch'});
    browser.send(figure, 'pointerup', {clientX: 300, clientY: 300});
    shows(browser, 1);
  },

  'pictures glide to their place, and at once if motion is to be reduced'() {
    const still = open(), moving = open('', false);
    still.key('End');
    assert.strictEqual(still.frames.length, 0);
    const before = viewOf(moving);
    moving.key('End');
    near(viewOf(moving), before, 'begins where it was');
    assert.ok(moving.pass(40) > 3, 'several frames');
    near(viewOf(moving), viewOf(still), 'ends where it belongs');
  },

  'Q asks about the next step, digits and clicks answer, and the tally counts'() {
    const browser = open();
    const ask = () => browser.find('words').querySelectorAll('.ask')[0];
    assert.ok(ask(), 'there is a question about the first step');
    assert.ok(!browser.key('1'), 'nothing is asked yet');
    browser.key('q');
    assert.strictEqual(browser.find('ask').getAttribute('aria-pressed'), 'true');
    const right = Number(ask().dataset.right);
    assert.ok(browser.key(String(right + 1)));
    assert.strictEqual(browser.find('tally').textContent, '1 / 1');
    assert.ok(ask().classList.contains('answered'));
    assert.ok(!browser.key('1'), 'it is answered already');
    browser.key('ArrowRight');
    const buttons = ask().querySelectorAll('button'), wrong = (Number(ask().dataset.right) + 1) % buttons.length;
    browser.send(buttons[wrong], 'click');
    assert.strictEqual(browser.find('tally').textContent, '1 / 2');
    assert.ok(buttons[wrong].classList.contains('wrong'));
    assert.strictEqual(ask().querySelectorAll('.verdict')[0].textContent, ask().dataset.no);
    browser.key('End');
    assert.ok(!ask(), 'nothing follows the last step');
  },

  'a line of the listing lights its block, and the block its lines'() {
    const browser = open();
    browser.key('End');
    const lines = browser.find('listing').querySelectorAll('.line');
    const svg = browser.find('figure').children[0];
    const drawn = svg.querySelectorAll('use[data-node]').filter(part => !part.classList.contains('ports'));
    const line = lines.find(one => drawn.some(part => part.dataset.node.split(' ').includes(one.dataset.node)));
    browser.send(line, 'pointerover');
    assert.ok(line.classList.contains('on'));
    assert.ok(svg.querySelectorAll('.ring').length > 0);
    browser.send(browser.find('listing'), 'pointerleave');
    assert.ok(!line.classList.contains('on'));
    assert.strictEqual(svg.querySelectorAll('.ring').length, 0);
    browser.send(drawn.find(part => part.dataset.node.split(' ').includes(line.dataset.node)), 'pointerover');
    assert.ok(line.classList.contains('on'));
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

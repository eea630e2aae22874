// As much of a browser as the exported page's script asks for: the page's elements, events that bubble, frames
// that pass when the test says so. What it does not know throws.
'use strict';

const kEntities = {lt: '<', gt: '>', amp: '&', quot: '"', apos: "'"};
const decoded = text => text.replace(/&(\w+|#\d+);/g, (all, name) =>
  name[0] === '#' ? String.fromCodePoint(Number(name.slice(1))) : kEntities[name]);

class Target {
  constructor() { this.listeners = {}; }
  addEventListener(type, listener) { (this.listeners[type] = this.listeners[type] || []).push(listener); }
  hear(event) { for (const listener of this.listeners[event.type] || []) listener(event); }
}

class Text {
  constructor(text) { this.textContent = text; }
  cloneNode() { return new Text(this.textContent); }
}

// "tag", ".class" and "[attribute]", together and in lists.
function matches(element, selector) {
  return selector.split(',').some(one => {
    const parts = /^([\w-]*)((?:\.[\w-]+)*)((?:\[[\w-]+\])*)$/.exec(one.trim());
    if (!parts) throw new Error('a selector that is not known: ' + one);
    const classes = parts[2].split('.').slice(1), attributes = parts[3].split(/[[\]]+/).filter(Boolean);
    return (!parts[1] || parts[1] === element.tag) && classes.every(name => element.classList.contains(name)) &&
      attributes.every(name => element.attributes.has(name));
  });
}

class Element extends Target {
  constructor(tag, attributes = new Map()) {
    super();
    this.tag = tag;
    this.attributes = attributes;
    this.nodes = [];
    this.parent = null;
    this.disabled = false;
    this.value = attributes.get('value');
    this.clientWidth = 800;
    this.clientHeight = 600;
  }
  get dataset() {
    const name = key => 'data-' + key.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase());
    return new Proxy({}, {get: (_, key) => this.attributes.get(name(key))});
  }
  get classList() {
    const all = () => (this.attributes.get('class') || '').split(' ').filter(Boolean);
    const keep = names => this.attributes.set('class', names.join(' '));
    return {
      contains: name => all().includes(name),
      add: name => { if (!all().includes(name)) keep([...all(), name]); },
      remove: name => keep(all().filter(other => other !== name)),
      toggle: name => {
        const on = !all().includes(name);
        keep(on ? [...all(), name] : all().filter(other => other !== name));
        return on;
      },
    };
  }
  get parentElement() { return this.parent; }
  get children() { return this.nodes.filter(node => node instanceof Element); }
  get content() {
    if (this.tag !== 'template') throw new Error('only templates have content');
    const content = new Element('#fragment');
    content.nodes = this.nodes;
    return content;
  }
  get textContent() { return this.nodes.map(node => node.textContent).join(''); }
  set textContent(text) { this.nodes = [new Text(String(text))]; }
  getAttribute(name) { return this.attributes.has(name) ? this.attributes.get(name) : null; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  cloneNode() {
    const copy = new Element(this.tag, new Map(this.attributes));
    for (const node of this.nodes) copy.append(node.cloneNode());
    return copy;
  }
  append(node) {
    node.parent = this;
    this.nodes.push(node);
  }
  replaceChildren(...nodes) {
    this.nodes = [];
    for (const node of nodes) this.append(node);
  }
  remove() { this.parent.nodes = this.parent.nodes.filter(node => node !== this); }
  get tagName() { return this.tag.toUpperCase(); }
  querySelector(selector) { return this.querySelectorAll(selector)[0] || null; }
  querySelectorAll(selector) {
    const found = [];
    for (const child of this.children) {
      if (matches(child, selector)) found.push(child);
      if (child.tag !== 'template') found.push(...child.querySelectorAll(selector));
    }
    return found;
  }
  closest(selector) {
    for (let at = this; at instanceof Element; at = at.parent) if (matches(at, selector)) return at;
    return null;
  }
  getBBox() { return {x: 0, y: 0, width: 10, height: 10}; }
  getBoundingClientRect() { return {left: 0, top: 0, width: this.clientWidth, height: this.clientHeight}; }
}

// The elements of well-formed markup.
function parse(markup) {
  const root = new Element('#document');
  const tokens = new RegExp([
    '<!--[^]*?-->', '<!\\[CDATA\\[([^]*?)\\]\\]>', '<!DOCTYPE[^>]*>', '</([\\w:-]+)\\s*>',
    '<([\\w:-]+)((?:\\s+[\\w:-]+="[^"]*")*)\\s*(/?)>', '([^<]+)'].join('|'), 'gy');
  let at = root, token = null;
  while (tokens.lastIndex < markup.length && (token = tokens.exec(markup))) {
    const [, raw, closed, opened, attributes, empty, text] = token;
    if (raw !== undefined) at.append(new Text(raw));
    if (text !== undefined) at.append(new Text(decoded(text)));
    if (closed !== undefined) {
      if (at.tag !== closed) throw new Error(`</${closed}> closes <${at.tag}>`);
      at = at.parent;
    }
    if (opened === undefined) continue;
    const named = new Map();
    for (const [, name, value] of attributes.matchAll(/([\w:-]+)="([^"]*)"/g)) named.set(name, decoded(value));
    const element = new Element(opened, named);
    at.append(element);
    if (!empty) at = element;
  }
  if (token === null || at !== root) throw new Error('the markup cannot be read');
  return root;
}

// The page in a browser, its script not run yet.
class Browser extends Target {
  constructor(markup, hash = '', reducedMotion = true) {
    super();
    this.root = parse(markup);
    this.location = {hash, search: ''};
    this.visited = [];
    this.time = 0;
    this.frames = [];
    const document = new Target();
    document.getElementById = id => this.find(id);
    document.querySelectorAll = selector => this.root.querySelectorAll(selector);
    document.body = this.root.querySelectorAll('body')[0];
    document.createElementNS = (_, tag) => new Element(tag);
    this.document = document;
    this.scope = {
      document, location: this.location, performance: {now: () => this.time},
      history: {replaceState: (state, title, url) => { this.visited.push(url); }},
      matchMedia: query => {
        if (query !== '(prefers-reduced-motion: reduce)') throw new Error('not known: ' + query);
        return {matches: reducedMotion};
      },
      requestAnimationFrame: frame => this.frames.push(frame),
      setInterval: () => 0,
      cancelAnimationFrame: () => { this.frames = []; },
      addEventListener: (type, listener) => this.addEventListener(type, listener),
    };
  }
  get script() { return this.root.querySelectorAll('script').map(script => script.textContent).join(''); }
  find(id) {
    const seek = element => {
      if (element.attributes.get('id') === id) return element;
      for (const child of element.children) {
        const found = seek(child);
        if (found) return found;
      }
      return null;
    };
    const found = seek(this.root);
    if (!found) throw new Error('there is no element #' + id);
    return found;
  }
  // At the element, then around it, the document and the window. Whether its own effect is prevented.
  send(element, type, more = {}) {
    const event = Object.assign({type, target: element, prevented: false}, more);
    event.preventDefault = () => { event.prevented = true; };
    if (element.disabled && type === 'click') return false;
    for (let at = element; at && at !== this.root; at = at.parent) at.hear(event);
    this.document.hear(event);
    this.hear(event);
    return event.prevented;
  }
  key(key, more = {}, element = this.find('figure')) { return this.send(element, 'keydown', Object.assign({key}, more)); }
  // Lets the frames that are asked for pass, `milliseconds` after each other; at most `most` of them.
  pass(milliseconds, most = 1000) {
    let passed = 0;
    for (; this.frames.length > 0 && passed < most; ++passed) {
      this.time += milliseconds;
      const frames = this.frames;
      this.frames = [];
      for (const frame of frames) frame(this.time);
    }
    return passed;
  }
}

module.exports = {Browser};

// SPDX-License-Identifier: BSD-3-Clause
// Elements. Text enters the page as text nodes only: a name cannot become an element.

const SVG = 'http://www.w3.org/2000/svg'

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'function') node.addEventListener(name, value)
    else if (name === 'style') for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one)
    else node.setAttribute(name, value === true ? '' : value)
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue
    node.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
  return node
}

// el('p', { class: 'note', click: listener }, 'text', node, ...)
function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children)
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children)
}

// A name of a recording. Its direction must not spill into the text around it, and control characters show.
function name(text) {
  const shown = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => '\u27e8' + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '\u27e9')
  return el('bdi', {}, shown)
}

// The same for places that take plain text.
function plainName(text) {
  return name(text).textContent
}

// A text whose options stay in one piece at the ends of lines.
function words(text) {
  return el('bdi', {}, plainName(text).split(/( +)/).map((word) =>
    /^-|=/.test(word) ? el('code', { class: 'word' }, word) : word))
}

let lastId = 0

function freshId(prefix) {
  lastId += 1
  return prefix + '-' + lastId
}

const LONG_TABLE = 20

// A table. Columns: { title, text: true for words, bar: cell => 0..1 }; rows: arrays of cells, numbers as text.
function tableOf(caption, columns, rows, attributes) {
  const head = columns.map((column) =>
    el('th', { scope: 'col', class: column.text ? null : 'number' }, column.title))
  const body = rows.map((cells) => el('tr', {}, cells.map((cell, index) => {
    const column = columns[index]
    const attributes = { class: column.text ? null : 'number' }
    if (index > 0) return el('td', attributes, cell)
    return el('th', { scope: 'row', ...attributes }, cell)
  })))
  // What may be long scrolls in its place, also by the keyboard.
  const long = rows.length > LONG_TABLE
  const label = long ? { tabindex: 0, role: 'region', 'aria-label': columns.map((column) => column.title).join(', ') } : {}
  return el('div', { class: long ? 'scroll long' : 'scroll', ...label }, el('table', attributes,
    caption ? el('caption', {}, caption) : null,
    el('thead', {}, el('tr', {}, head)), el('tbody', {}, body)))
}

const MOST_ROWS = 400

// The same figure as a table, made when it is opened and again whenever the range changes. make() returns
// [columns, rows].
function asTable(what, make) {
  const place = el('div')
  const details = el('details', { class: 'as-table' }, el('summary', {}, 'Table',
    el('span', { class: 'unseen' }, ' of ' + what)), place)
  const update = () => {
    if (!details.open) return
    const [columns, rows] = make()
    place.replaceChildren(tableOf(what, columns, rows.slice(0, MOST_ROWS)))
    if (rows.length > MOST_ROWS) {
      place.append(el('p', { class: 'note' }, 'The first ' + MOST_ROWS + ' of ' + formatCount(rows.length) + ' rows.'))
    }
  }
  details.addEventListener('toggle', update)
  watchRange(update)
  return details
}

function announce(text) {
  document.getElementById('announce').textContent = text
}

// A figure: its heading, what it draws, a line of readings, and its table.
function figure(title, note, ...children) {
  return el('figure', {}, el('figcaption', {}, el('h4', {}, title), note ? el('span', { class: 'note' }, note) : null),
    ...children)
}

// A line below a figure that says what the pointer or the keyboard is at. Its place is kept when it is empty.
function readingLine() {
  return el('p', { class: 'reading', 'aria-live': 'polite' }, '\u00a0')
}

function say(line, text) {
  line.textContent = text || '\u00a0'
}

// A bar that shows a share beside its number.
function shareBar(share) {
  const percent = Math.max(0, Math.min(1, isNumber(share) ? share : 0)) * 100
  return el('span', { class: 'bar', 'aria-hidden': 'true' }, el('span', { style: { width: percent.toFixed(1) + '%' } }))
}

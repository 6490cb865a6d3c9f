// SPDX-License-Identifier: BSD-3-Clause
// Elements of the page. Text enters the page only as text nodes, so that a name cannot become an element.

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

// Makes an HTML element: el('p', { class: 'note', click: listener }, 'text', node, ...).
function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children)
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children)
}

// Makes an element with a name from a recording. Its writing direction does not affect the text around it,
// and control characters are shown as numbers.
function name(text) {
  const shown = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => '\u27e8' + character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '\u27e9')
  return el('bdi', {}, shown)
}

// Like name(), for places that take plain text.
function plainName(text) {
  return name(text).textContent
}

// Makes an element with text in which options are not broken at the ends of lines.
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

// Makes a table. columns: { title, text: true for words, bar: cell => 0..1 }; rows: arrays of cells, in which
// numbers are text.
function tableOf(caption, columns, rows, attributes) {
  const head = columns.map((column) =>
    el('th', { scope: 'col', class: column.text ? null : 'number' }, column.title))
  const body = rows.map((cells) => el('tr', {}, cells.map((cell, index) => {
    const column = columns[index]
    const attributes = { class: column.text ? null : 'number' }
    if (index > 0) return el('td', attributes, cell)
    return el('th', { scope: 'row', ...attributes }, cell)
  })))
  // A long table scrolls in its place, also by the keyboard.
  const long = rows.length > LONG_TABLE
  const label = long ? { tabindex: 0, role: 'region', 'aria-label': columns.map((column) => column.title).join(', ') } : {}
  return el('div', { class: long ? 'scroll long' : 'scroll', ...label }, el('table', attributes,
    caption ? el('caption', {}, caption) : null,
    el('thead', {}, el('tr', {}, head)), el('tbody', {}, body)))
}

// Puts new contents into a place, unless the user is in there: with the focus, or with text that is selected. Keeps
// how far the place is scrolled.
function refill(place, ...nodes) {
  const chosen = document.getSelection()
  if (place.contains(document.activeElement) || !chosen.isCollapsed && place.contains(chosen.anchorNode)) return
  const tops = [...place.querySelectorAll('.scroll')].map((part) => part.scrollTop)
  place.replaceChildren(...nodes)
  place.querySelectorAll('.scroll').forEach((part, at) => { part.scrollTop = tops[at] || 0 })
}

const MOST_ROWS = 400

// Shows a figure as a table as well, which is made when it is opened, and again whenever the range changes.
// make(): returns [columns, rows].
function asTable(what, make) {
  const place = el('div')
  const details = el('details', { class: 'as-table' }, el('summary', {}, 'Table',
    el('span', { class: 'unseen' }, ' of ' + what)), place)
  const update = () => {
    if (!details.open) return
    const [columns, rows] = make()
    refill(place, tableOf(what, columns, rows.slice(0, MOST_ROWS)), rows.length > MOST_ROWS
      ? el('p', { class: 'note' }, 'The first ' + MOST_ROWS + ' of ' + formatCount(rows.length) + ' rows.') : '')
  }
  details.addEventListener('toggle', update)
  watchRange(update)
  return details
}

function announce(text) {
  document.getElementById('announce').textContent = text
}

// Makes a figure: its heading, the drawing, a line of readings, and its table.
function figure(title, note, ...children) {
  return el('figure', {}, el('figcaption', {}, el('h4', {}, title), note ? el('span', { class: 'note' }, note) : null),
    ...children)
}

// Makes the line below a figure that states the value at the pointer or the keyboard. An empty line keeps its
// place.
function readingLine() {
  return el('p', { class: 'reading', 'aria-live': 'polite' }, '\u00a0')
}

function say(line, text) {
  line.textContent = text || '\u00a0'
}

// Makes a bar that shows a share beside its number.
function shareBar(share) {
  const percent = Math.max(0, Math.min(1, isNumber(share) ? share : 0)) * 100
  return el('span', { class: 'bar', 'aria-hidden': 'true' }, el('span', { style: { width: percent.toFixed(1) + '%' } }))
}

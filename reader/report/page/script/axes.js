// SPDX-License-Identifier: BSD-3-Clause
// Scales, axes, colours and patterns. Colour is never the only sign: phases also have patterns, and cells
// have numbers or a line that reads them out.

const LIGHT = 'light'
const DARK = 'dark'
let printing = false

function theme() {
  if (printing) return LIGHT
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? DARK : LIGHT
}

// Returns the colour of a share between 0 and 1. In both scales, lightness changes evenly, which all eyes
// see, away from the background.
function heatColour(share) {
  const at = Math.max(0, Math.min(1, share))
  return theme() === DARK ? d3.interpolateViridis(0.12 + 0.88 * at) : d3.interpolateYlGnBu(0.06 + 0.94 * at)
}

// Returns black or white, so that text in it can be read on a colour.
function inkOn(colour) {
  const { r, g, b } = d3.rgb(colour)
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#000' : '#fff'
}

const TIME_NAMES = { wall: 'wall clock', virtual: 'virtual time' }

// Draws the axis of a clock below a view.
function drawTimeAxis(group, clock, x, width, title) {
  let scale = x
  let unit = ''
  if (clock === 'wall') {
    const [factor, letter] = prefixFor(Math.max(Math.abs(x.domain()[0]), Math.abs(x.domain()[1])), 1e-9)
    scale = x.copy().domain(x.domain().map((value) => value / factor))
    unit = ', ' + letter + 's'
  }
  const many = Math.max(2, Math.floor(width / 75))
  const axis = d3.axisBottom(scale).ticks(many).tickSizeOuter(0)
  const largest = Math.max(...x.domain().map(Math.abs))
  if (clock === 'virtual' && (largest < 1e-3 || largest >= 1e5)) axis.tickFormat(formatPlain)
  d3.select(group).call(axis)
  group.append(svg('text', { class: 'axis-title', x: width, y: 31, 'text-anchor': 'end' },
    (title || TIME_NAMES[clock]) + unit))
}

// Draws the two ends of a small vertical axis.
function drawEnds(group, y, unit) {
  const [low, high] = y.domain()
  for (const value of low === high ? [low] : [low, high]) {
    group.append(svg('text', { class: 'tick', x: -6, y: y(value), dy: '0.32em', 'text-anchor': 'end' },
      formatTick(value, unit)))
  }
  group.append(svg('line', { class: 'rule', x1: 0, x2: 0, y1: y.range()[0], y2: y.range()[1] }))
}

// ---- Phases: colours that colour-blind readers tell apart, each with a pattern ---------------------------

const PHASE_COLOURS = ['#3b76af', '#e0a030', '#3f9b78', '#c77ba8', '#6cb4e4', '#c8602c', '#b9a51e', '#7d6bb0',
  '#2f8f9d', '#a0522d', '#6b8e23', '#b05070']
const PHASE_PATTERNS = ['', 'M-2,2l4,-4M0,8l8,-8M6,10l4,-4', 'M2,2h1.6v1.6h-1.6zM6,6h1.6v1.6h-1.6z',
  'M0,2h8M0,6h8', 'M-2,6l4,4M0,0l8,8M6,-2l4,4', 'M2,0v8M6,0v8', 'M0,0l8,8M8,0l-8,8', 'M0,4h8']
const REST_COLOUR = '#9aa0a8'

// Returns <defs> with the fill of each phase; the ids of the fills begin with prefix. rest: index of the
// phase without work.
function phasePatterns(prefix, many, rest) {
  const defs = svg('defs')
  for (let phase = 0; phase < many; phase++) {
    const colour = phase === rest ? REST_COLOUR : PHASE_COLOURS[phase % PHASE_COLOURS.length]
    const path = phase === rest ? '' : PHASE_PATTERNS[phase % PHASE_PATTERNS.length]
    defs.append(svg('pattern', { id: prefix + '-' + phase, width: 8, height: 8, patternUnits: 'userSpaceOnUse' },
      svg('rect', { width: 8, height: 8, fill: colour }),
      path ? svg('path', { d: path, fill: 'none', stroke: '#fff', 'stroke-opacity': 0.55, 'stroke-width': 1.2 }) : null))
  }
  return defs
}

function phaseSwatch(prefix, phase) {
  return svg('svg', { class: 'swatch', width: 16, height: 12, 'aria-hidden': 'true' },
    svg('rect', { width: 16, height: 12, fill: 'url(#' + prefix + '-' + phase + ')' }))
}

// ---- The legend of a heat map --------------------------------------------------------------------------

// Draws a strip of the colours from 0 to the largest value. text(at): the number at the share `at` of its
// length.
function heatLegend(words, text) {
  const width = 160
  const canvas = el('canvas', { width, height: 8, 'aria-hidden': 'true' })
  const draw = () => {
    const context = canvas.getContext('2d')
    for (let at = 0; at < width; at++) {
      context.fillStyle = heatColour(at / (width - 1))
      context.fillRect(at, 0, 1, 8)
    }
  }
  onLayout(draw)
  const title = el('span')
  const ends = [0, 0.5, 1].map(() => el('span'))
  const update = (now) => {
    title.textContent = now
    ends.forEach((end, index) => { end.textContent = text(index / 2) })
  }
  update(words)
  return { update, node: el('div', { class: 'legend' }, title, el('div', { class: 'ramp' }, canvas,
    el('div', { class: 'ramp-ends' }, ends))) }
}

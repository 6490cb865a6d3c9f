// SPDX-License-Identifier: BSD-3-Clause
// A panel: a view over time with an axis, the brush, the line at the pointer, and the keys. Others draw its
// contents.

const MARGIN = { left: 50, right: 10, top: 4, bottom: 36 }
const layouts = []

// Registers a function that draws what depends on widths, the theme or the printer; layoutAll() calls it.
function onLayout(layout) {
  layouts.push(layout)
}

function layoutAll() {
  for (const layout of layouts) guarded(layout)
}

// Calls draw(width) as soon as an element has a width, and again whenever the width changes.
function onWidth(place, draw) {
  let last = 0
  const again = (always) => {
    const width = Math.floor(place.getBoundingClientRect().width)
    if (width > 0 && (always || width !== last)) {
      last = width
      draw(width)
    }
  }
  new ResizeObserver(() => again(false)).observe(place)
  // While runs go on, what is out of sight waits until it is seen.
  onLayout(() => {
    const box = report.live && last > 0 && !printing ? place.getBoundingClientRect() : null
    if (!box || box.bottom > 0 && box.top < window.innerHeight) again(true)
  })
}

// Makes a panel: timePanel({ run, clock, height, label, draw, canvas, rowKey, left, noAxis, title }).
//
// run: index of the run; height: height of the drawing in pixels. draw(panel) draws into panel.layer, which
// is shaded outside of the range, into panel.over, which is not, and onto panel.canvas if there is one.
// rowKey(step), if given, is called for the keys up and down. Returns the panel; panel.node is its element.
function timePanel(options) {
  const clock = options.clock
  const run = report.runs[options.run]
  const margin = { ...MARGIN, ...(options.left ? { left: options.left } : {}) }
  if (options.noAxis) margin.bottom = 2
  const clip = freshId('clip')
  const clipRect = svg('rect')
  const layer = svg('g')
  const over = svg('g', { class: 'over' })
  const axis = svg('g', { class: 'axis' })
  const shade = [svg('rect', { class: 'outside' }), svg('rect', { class: 'outside' })]
  const brushGroup = svg('g', { class: 'brush' })
  const cross = svg('line', { class: 'cross', visibility: 'hidden' })
  const inner = svg('g', { transform: 'translate(' + margin.left + ',' + margin.top + ')' },
    layer, ...shade, over, axis, cross, brushGroup)
  const drawing = svg('svg', { class: 'panel', tabindex: 0, role: 'group', 'aria-roledescription': 'view over time',
    'aria-label': options.label, 'data-clock': clock, 'data-run': options.run },
  svg('defs', {}, svg('clipPath', { id: clip }, clipRect)), inner)
  const canvas = options.canvas ? el('canvas', { class: 'cells', 'aria-hidden': 'true' }) : null
  const node = el('div', { class: 'panel-place', style: { height: options.height + margin.top + margin.bottom + 'px' } },
    canvas, drawing)
  const panel = { node, layer, over, canvas, run, clock, drawing, clip: 'url(#' + clip + ')', x: d3.scaleLinear(),
    width: 0, height: options.height }

  let moving = false
  let dragging = false
  const brush = d3.brushX().on('start brush end', function (given) {
    const event = d3.event || given // d3 5 has the event in a variable
    if (moving) return
    dragging = event.type !== 'end'
    pointAt(null)
    const chosen = event.selection
    if (!chosen) {
      if (event.type === 'end') select(null)
    } else if (chosen[1] - chosen[0] >= 2) {
      selectNear(options.run, clock, panel.x.invert(chosen[0]), panel.x.invert(chosen[1]))
    } else if (event.type === 'end') {
      select(null)
    }
  })

  function showRange() {
    if (!panel.width) return
    const range = rangeOn(run, clock)
    const ends = range && range.map((value) => Math.max(0, Math.min(panel.width, panel.x(value))))
    const sides = ends ? [[0, ends[0]], [ends[1], panel.width]] : [[0, 0], [0, 0]]
    shade.forEach((rect, side) => fill(rect, { x: sides[side][0], width: Math.max(0, sides[side][1] - sides[side][0]),
      y: 0, height: panel.height }, []))
    if (dragging) return
    moving = true
    d3.select(brushGroup).call(brush.move, ends)
    moving = false
  }

  onWidth(node, (width) => {
    panel.width = Math.max(40, width - margin.left - margin.right)
    const height = panel.height + margin.top + margin.bottom
    fill(drawing, { width, height, viewBox: '0 0 ' + width + ' ' + height }, [])
    fill(clipRect, { width: panel.width, height: panel.height }, [])
    panel.x.domain(commonSpan(clock, run)).range([0, panel.width])
    layer.replaceChildren()
    over.replaceChildren()
    axis.replaceChildren()
    if (canvas) sizeCanvas(canvas, panel.width, panel.height, margin)
    options.draw(panel)
    if (!options.noAxis) {
      axis.setAttribute('transform', 'translate(0,' + panel.height + ')')
      drawTimeAxis(axis, clock, panel.x, panel.width, options.title)
    }
    fill(cross, { y1: 0, y2: panel.height }, [])
    moving = true
    d3.select(brushGroup).call(brush.extent([[0, 0], [panel.width, panel.height]]))
    moving = false
    // Lets a finger scroll the page up and down.
    for (const part of brushGroup.children) part.style.touchAction = 'pan-y'
    showRange()
  })

  drawing.addEventListener('pointermove', (event) => {
    if (dragging) return
    const at = event.clientX - drawing.getBoundingClientRect().left - margin.left
    const inside = at >= 0 && at <= panel.width
    pointAt(inside ? { run: options.run, clock, at: panel.x.invert(at) } : null)
  })
  drawing.addEventListener('pointerleave', () => pointAt(null))
  drawing.addEventListener('keydown', (event) => {
    if (options.rowKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      options.rowKey(event.key === 'ArrowDown' ? 1 : -1)
    } else if (!rangeKey(event, options.run, clock)) {
      return
    }
    event.preventDefault()
  })
  watchRange(showRange)
  watchPoint(() => {
    const at = pointOn(run, clock)
    const x = at === null ? NaN : panel.x(at)
    const inside = x >= 0 && x <= panel.width
    cross.setAttribute('visibility', inside ? 'visible' : 'hidden')
    if (inside) fill(cross, { x1: x, x2: x }, [])
  })
  return panel
}

function sizeCanvas(canvas, width, height, margin) {
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  fill(canvas, { style: { width: width + 'px', height: height + 'px', left: margin.left + 'px', top: margin.top + 'px' } }, [])
  canvas.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0)
}

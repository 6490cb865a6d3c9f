// SPDX-License-Identifier: BSD-3-Clause
// Signs in, follows the chosen runs, and puts the page together.

const MOST_SHOWN = 4
const STALE = 10 // seconds without an update
const LEAST_PAUSE = 400 // milliseconds between drawings
let listed = [] // the runs of the server
let shapes = ''
let lostSince = null
let due = 0 // the timer of the next drawing
let drawn = 0 // when the page was drawn last
const streams = new Map() // [number of a run]: { source, run, last }

// ---- The server -------------------------------------------------------------------------------------------

function sayLost(text) {
  const place = document.getElementById('lost')
  if (place.textContent !== text) place.replaceChildren(...(text ? [el('p', { class: 'problem' }, text)] : []))
}

// Asks the server. Returns its answer, or null if there is none; says so on the page.
async function ask(path, options) {
  try {
    const answer = await fetch(path, options)
    if (answer.status === 401) {
      sayLost('The server does not know this page any more: open the address that warpscope serve printed again.')
      closeAll()
      return null
    }
    if (lostSince !== null) {
      lostSince = null
      sayLost('')
    }
    return answer
  } catch (error) {
    lostSince = lostSince || Date.now() / 1000
    sayLost('No answer from warpscope serve since ' + clockText(lostSince) + ': it has ended, or the connection is lost. What is below is from before. Trying again.')
    return null
  }
}

function closeAll() {
  for (const stream of streams.values()) stream.source.close()
  streams.clear()
}

// Returns the name of a run that the server lists.
function nameOfRun(one) {
  return String(one.directory || '').replace(/\/+$/, '').split('/').pop() || 'run ' + one.run
}

// ---- Runs -------------------------------------------------------------------------------------------------

async function fetchWhole(stream, lp) {
  if (stream.busy) return
  stream.busy = true
  const answer = await ask('state?run=' + stream.run.number + (lp === null ? '' : '&lp=' + lp))
  if (answer && answer.ok) {
    const state = JSON.parse(keepLargeNumbers(await answer.text()))
    takeState(stream.run, state, true)
    takeLp(stream.run, state.lp)
    stream.lpAt = Date.now()
    if (stream.run.lp && !stream.run.lp.is_read) setTimeout(() => followLp(stream.run), 700)
    update()
  }
  stream.busy = false
}

// Reads what is known of the chosen LP of a run.
function followLp(run) {
  const stream = streams.get(run.number)
  if (stream) fetchWhole(stream, run.lp.lp)
}

function stateCame(stream, text) {
  const { run } = stream
  const before = run.state
  stream.last = Date.now()
  if (!takeState(run, JSON.parse(keepLargeNumbers(text)), false)) fetchWhole(stream, run.lp ? run.lp.lp : null)
  const now = run.state
  listed = now.runs
  if (run.lp && run.lp.is_read && !isOver(now) && Date.now() - stream.lpAt > 10000) followLp(run)
  if (before.state && before.state !== now.state) announce(run.name + ': ' + now.state)
  else if (now.behind && !before.behind) announce(run.name + ': ' + behindText(now))
  if (before.state === 'running' && now.state === 'ended' && streams.size === 1) {
    announce(run.name + ' has ended: its report')
    location.assign('report?run=' + run.number)
  }
  update()
}

function open(number) {
  const run = newRun(number, nameOfRun(listed.find((one) => one.run === number) || { run: number }))
  const stream = { run, last: Date.now(), lpAt: 0, busy: false, source: new EventSource('events?run=' + number) }
  stream.source.addEventListener('state', (event) => guarded(() => stateCame(stream, event.data)))
  stream.source.addEventListener('error', () => ask('runs'))
  streams.set(number, stream)
}

// Shows these runs, and no others.
function show(numbers) {
  for (const [number, stream] of streams) {
    if (numbers.includes(number)) continue
    stream.source.close()
    streams.delete(number)
  }
  for (const number of numbers) if (!streams.has(number)) open(number)
  history.replaceState(null, '', '#' + numbers.join(','))
  update()
}

// ---- The page ---------------------------------------------------------------------------------------------

function topLine() {
  const shown = [...streams.keys()]
  const title = shown.length === 1 ? [name(streams.get(shown[0]).run.name)] : [shown.length ? shown.length + ' runs' : listed.length ? 'No run is chosen' : 'No runs yet']
  const box = (one) => {
    const input = el('input', { type: 'checkbox', value: one.run, checked: shown.includes(one.run), change: () => {
      const others = [...streams.keys()].filter((number) => number !== one.run)
      show(input.checked ? [...others.slice(1 - MOST_SHOWN), one.run].sort((a, b) => a - b) : others)
    } })
    return el('label', {}, input, el('span', {}, name(nameOfRun(one)), el('span', { class: 'note' }, ' ', one.state)))
  }
  const head = [el('h1', {}, title, el('span', { class: 'product' }, 'warpscope serve'))]
  const key = JSON.stringify([shown, listed.map((one) => [one.directory, one.state])])
  const place = document.getElementById('top')
  if (place.dataset.key === key) return
  place.dataset.key = key
  document.title = title.map((one) => one.textContent || one).join('') + ' - Warpscope'
  const focus = focusKey()
  place.replaceChildren(...head, listed.length > 1 ? el('fieldset', { class: 'runs-list' }, el('legend', { class: 'unseen' }, 'Runs'), listed.map(box)) : '')
  focusAgain(focus)
}

const SECTIONS = [['now', 'State', statePanel], ['findings', 'Findings', findingsPanel], ['rates', 'Over the latest minutes', ratesView],
  ['pes', 'PEs', pesView], ['phases', 'Where the time goes', phasesView], ['ahead', 'KPs', kpsView], ['lps', 'LPs', lpsView]]

// Says what has the focus, so that it can have it again once the page was built anew.
function focusKey() {
  const node = document.activeElement
  const run = node && node.closest('[data-run]')
  return node && node !== document.body ? { tag: node.tagName, label: node.getAttribute('aria-label'), text: node.textContent.slice(0, 60), value: node.value,
    run: run && run.dataset.run } : null
}

function focusAgain(key) {
  if (!key || document.activeElement !== document.body) return
  const found = [...document.getElementsByTagName(key.tag)].find((node) => node.getAttribute('aria-label') === key.label &&
    (key.label || node.textContent.slice(0, 60) === key.text && node.value === key.value) &&
    (!key.run || node.closest('[data-run]') && node.closest('[data-run]').dataset.run === key.run))
  if (found) found.focus({ preventScroll: true })
}

function build() {
  const focus = focusKey()
  const top = window.scrollY
  for (const list of [layouts, rangeWatchers, pointWatchers, stateWatchers]) list.length = 0
  const several = report.runs.length > 1
  const sections = SECTIONS.map(([id, title, make]) => {
    const contents = report.runs.map((run, index) => guarded(() => run.state.wall || id === 'now' ? make(run, index) : null, (error) =>
      el('p', { class: 'problem' }, 'This view could not be drawn: ' + error.message)))
    return contents.some(Boolean) ? el('section', { id }, el('h2', {}, title), inRuns((run, index) =>
      contents[index] || el('p', { class: 'absent' }, 'Not recorded.'), several)) : null
  })
  document.getElementById('main').replaceChildren(...sections.filter(Boolean))
  window.scrollTo(0, top)
  focusAgain(focus)
}

// Shows what has changed, soon: several changes at once.
function update() {
  if (due) return
  due = setTimeout(() => {
    draw()
    drawn = Date.now()
    due = 0
  }, Math.max(0, drawn + LEAST_PAUSE - Date.now()))
}

function draw() {
  report.runs = [...streams.values()].map((stream) => stream.run).sort((a, b) => a.number - b.number)
  topLine()
  const now = report.runs.map(shapeOf).join()
  if (now !== shapes) {
    shapes = now
    build()
  }
  for (const watcher of [...stateWatchers, ...rangeWatchers]) guarded(watcher)
  layoutAll()
  dropDeadLinks()
  const times = report.runs.map((run) => run.state.time).filter(isNumber)
  setText(document.getElementById('foot'), times.length ? 'As of ' + clockText(Math.max(...times)) + '. The curves and maps show at most five minutes. Drawn with d3 ' +
    d3.version + ', whose licence stands in this page.' : '')
  document.documentElement.dataset.ready = 'yes'
}

// Notices that updates do not come, although no connection has ended.
function watchSilence() {
  const late = [...streams.values()].filter(({ last, run }) => Date.now() - last > STALE * 1000 && run.state.state !== 'ended')
  for (const { run } of late) run.stale = true
  if (late.length || lostSince !== null) {
    ask('runs')
    update()
  }
}

async function begin() {
  report = { live: true, runs: [] }
  const hash = location.hash.slice(1)
  if (/^[0-9a-f]{32,64}$/.test(hash)) {
    history.replaceState(null, '', location.pathname)
    await ask('session', { method: 'POST', body: hash, headers: { 'Content-Type': 'text/plain' } })
  }
  const answer = await ask('runs')
  if (answer && answer.ok) {
    listed = await answer.json()
    const wanted = hash.split(',').map(Number).filter((number) => listed.some((one) => one.run === number))
    const going = listed.filter((one) => ['running', 'silent'].includes(one.state))
    show(wanted.length && hash.length < 32 ? wanted.slice(0, MOST_SHOWN) : (going.length ? going.slice(0, 2) : listed.slice(0, 1)).map((one) => one.run))
  }
  if (!answer || !listed.length) setTimeout(begin, 2000)
  if (!answer) return
  topLine()
  if (!listed.length) {
    document.getElementById('main').replaceChildren(el('p', { class: 'absent' }, 'Nothing is recorded there. A run appears here once it records: an option such as --real-time-samp=100, and its directory given to warpscope serve.'))
  }
}

setInterval(watchSilence, 2000)
for (const happening of ['scroll', 'resize']) window.addEventListener(happening, update, { passive: true })
begin()

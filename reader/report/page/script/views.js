// SPDX-License-Identifier: BSD-3-Clause
// The views, in the order of the page, and the view of memory. A view more is a row here: its name in the
// data and in links, its title, and the function that makes it of a run.

const VIEWS = [['rates', 'Rates', ratesView], ['phases', 'Where the time went', phasesView],
  ['memory', 'Memory', memoryView],
  ['ahead', 'KPs ahead of GVT', aheadView], ['rollbacks', 'Rollbacks', rollbacksView],
  ['traffic', 'Communication', trafficView], ['offsets', 'Event offsets', offsetsView], ['allows', 'What the model allows', allowsView],
  ['predicted', 'Other numbers of ranks', predictedView],
  ['model', 'The model\u2019s fields', modelView], ['tasks', 'Tasks', tasksView], ['tracers', 'Tracers', tracersView]]

// ---- Memory over time: in use by events and the data saved with them, and allocated from the system, per PE.

function memoryRows(run, clock) {
  return ((run.memory && run.memory[clock]) || []).map((level) => ({ key: level.name, words: plainName(level.words),
    unit: level.unit || 'bytes', values: level.values, high: level.high }))
}

// Returns mean and peak of the memory of a PE within the chosen range.
function memoryOfPe(run, pe) {
  const { in_use: inUse, peak, pe_allocated: allocated } = run.memory
  const span = spanOf(run, 'wall')
  const range = rangeOn(run, 'wall')
  return { mean: summarize(inUse[pe], span, range).mean, peak: summarize(peak[pe], span, range).largest,
    allocated: summarize(allocated[pe], span, range).largest }
}

function memoryPerPe(run) {
  const pes = run.memory.pes
  const place = el('div', { class: 'memory-pes' })
  watchRange(() => {
    const all = pes.map((pe, at) => memoryOfPe(run, at))
    const most = d3.max(all, (one) => one.peak) || 1
    place.replaceChildren(tableOf(null, [{ title: 'PE', text: true }, { title: '' }, { title: 'mean in use' }, { title: 'most in use' },
      { title: 'allocated' }],
    pes.map((pe, at) => [plainName(nameOfPe(pe)), shareBar(all[at].peak / most), formatQuantity(all[at].mean, 'bytes'),
      formatQuantity(all[at].peak, 'bytes'), formatQuantity(all[at].allocated, 'bytes')])))
  })
  return figure('Per PE', 'at the samples', place)
}

function memoryView(run, index) {
  if (!run.memory) return null
  const parts = ['wall', 'virtual'].filter((clock) => memoryRows(run, clock).length && spanOf(run, clock)).map((clock) =>
    figure('Over ' + TIME_NAMES[clock], 'mean of the PEs', seriesPanel({ run: index, clock, rows: memoryRows(run, clock),
      others: report.runs.map((any) => memoryRows(any, clock)), label: 'Memory over ' + TIME_NAMES[clock] })))
  const pes = run.memory.pes && run.memory.pes.length && spanOf(run, 'wall') ? memoryPerPe(run) : null
  return parts.length ? [el('div', { class: 'pair' }, ...parts), pes] : null
}
